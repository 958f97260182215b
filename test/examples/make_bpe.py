"""Makes small tokenizers, and what Hugging Face's tokenizers library and transformers do with them: `make_bpe.py`.

hf/bpe has all bytes and merges learned from the text below, with hard texts and their tokens in expected.json. hf/gpt2, the
model of make_hf.py, gets a vocabulary of its size, and expected.json says how it goes on from a text. Made with transformers
5.24 and tokenizers 0.22.
"""

import json
import pathlib

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

FOLDER = pathlib.Path(__file__).parent / "hf"
TEXT = """We hold that a program should be small enough to read, and that what it computes should not depend on how many
threads compute it. It's what we've found; they'd say they'll do it, I'm sure you're right. Numbers: 0 1 2 10 100 1000.
Words of other tongues: Straße, naïve, façade, Ελληνικά, русский, 日本語, العربية. The end of the text is the end."""
HARD = [
    "",
    "The end",
    " leading and  double   spaces   ",
    "it's we've they'd I'll I'm you're IT'S",
    "tabs\tand\nnew lines\n\n  \n x",
    "3.14 and 1000000 and x2y",
    "Straße naïve ὁ русский 日本語 العربية",
    "emoji 🙂 and 👩‍👩‍👧 and ½ Ⅷ",
    "a\u00a0b\u2003c \u3000d",
    "!?...--__~~ 'quoted' \"so\"",
    "\u0000\u0001\u007f\u00ad",
]


def write_tokenizer(folder, alphabet, size):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    text = TEXT if len(alphabet) == 256 else "".join(c for c in TEXT.lower() if c in "abcdefghijklmnopqrstuvwxyz.,: ")
    trainer = trainers.BpeTrainer(vocab_size=size, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator([text], trainer)
    folder.mkdir(exist_ok=True)
    tokenizer.model.save(str(folder))
    return tokenizer


def make_bpe():
    tokenizer = write_tokenizer(FOLDER / "bpe", pre_tokenizers.ByteLevel.alphabet(), 400)
    expected = [{"text": text, "tokens": tokenizer.encode(text).ids} for text in HARD]
    assert all(tokenizer.decode(e["tokens"]) == e["text"] for e in expected)
    (FOLDER / "bpe" / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")


@torch.no_grad()
def make_gpt2():
    tokenizer = write_tokenizer(FOLDER / "gpt2", ["Ġ", *"abcdefghijklmnopqrstuvwxyz.,:"], 61)
    model = transformers.GPT2LMHeadModel.from_pretrained(FOLDER / "gpt2").float().eval()
    prompt = "the threads of"
    tokens = tokenizer.encode(prompt).ids
    for _ in range(30):  # beyond the 24 places that the model has: it sees the last ones
        seen = torch.tensor([tokens[-model.config.n_positions :]])
        tokens.append(int(model(seen).logits[0, -1].argmax()))
    (FOLDER / "gpt2" / "expected.json").write_text(
        json.dumps({"prompt": prompt, "text": tokenizer.decode(tokens)}) + "\n"
    )


if __name__ == "__main__":
    make_bpe()
    make_gpt2()
