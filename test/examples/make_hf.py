"""Makes small random models of Hugging Face's transformers, and what transformers computes with them: `make_hf.py`.

Each goes to the folder hf/NAME beside this script, with inputs and scores in expected.safetensors. Their weights are large,
so that a part that is left out shows in the scores. They were made with transformers 5.24 and torch 2.15.
"""

import os
import pathlib
import shutil

import torch
import transformers
from safetensors.torch import save_file

FOLDER = pathlib.Path(__file__).parent / "hf"
VOCABULARY = 61
SIZES = dict(hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4)
NO_TOKENS = dict(bos_token_id=None, eos_token_id=None, pad_token_id=None)


def randomize(model, dtype):
    """Draws all weights, rounded to what a file of `dtype` holds."""
    with torch.no_grad():
        for name, p in model.named_parameters():
            is_norm = p.dim() == 1 and name.endswith("weight")
            p.copy_((torch.randn(p.shape) * 0.25 + (1 if is_norm else 0)).to(dtype))
    return model.eval()


def write(name, model, dtype, expected, **how):
    folder = FOLDER / name
    shutil.rmtree(folder, ignore_errors=True)
    model.to(dtype).save_pretrained(folder, **how)
    (folder / "generation_config.json").unlink(missing_ok=True)
    save_file({key: t.contiguous() for key, t in expected.items()}, folder / "expected.safetensors")
    print(name, sum(os.path.getsize(folder / f) for f in os.listdir(folder)), "bytes")


def tokens(batch, length):
    return torch.randint(0, VOCABULARY, (batch, length))


@torch.no_grad()
def make_gpt2():
    config = transformers.GPT2Config(
        n_embd=32, n_layer=2, n_head=4, n_positions=24, vocab_size=VOCABULARY, n_inner=48, **NO_TOKENS
    )
    model = randomize(transformers.GPT2LMHeadModel(config), torch.float16)
    x = tokens(2, 24)
    config.scale_attn_by_inverse_layer_idx = True
    by_layer = transformers.GPT2LMHeadModel(config).eval()
    by_layer.load_state_dict(model.state_dict())
    expected = {"tokens": x, "logits": model(x).logits, "logits_by_layer": by_layer(x).logits}
    config.scale_attn_by_inverse_layer_idx = False
    write("gpt2", model, torch.float16, expected)


@torch.no_grad()
def make_llama():
    config = transformers.LlamaConfig(
        **SIZES,
        **NO_TOKENS,
        num_key_value_heads=2,
        head_dim=12,
        vocab_size=VOCABULARY,
        max_position_embeddings=32,
        rms_norm_eps=1e-3,
        rope_parameters={"rope_type": "default", "rope_theta": 500.0},
    )
    model = randomize(transformers.LlamaForCausalLM(config), torch.bfloat16)
    x = tokens(2, 32)
    expected = {"tokens": x, "logits": model(x).logits}
    own = model.lm_head.weight
    model.lm_head.weight = model.model.embed_tokens.weight
    expected["logits_tied"] = model(x).logits
    model.lm_head.weight = own
    write("llama", model, torch.bfloat16, expected, max_shard_size="20KB")


@torch.no_grad()
def make_bert():
    config = transformers.BertConfig(
        **SIZES, vocab_size=VOCABULARY, max_position_embeddings=24, pad_token_id=0, layer_norm_eps=1e-3
    )
    model = randomize(transformers.BertForMaskedLM(config), torch.float32)
    x = tokens(2, 24)
    mask = torch.ones_like(x)
    mask[1, 15:] = 0
    segments = (torch.arange(24) > 10).long().expand(2, 24)
    expected = {
        "tokens": x,
        "mask": mask,
        "segments": segments,
        "logits": model(x).logits,
        "logits_masked": model(x, attention_mask=mask, token_type_ids=segments).logits,
    }
    write("bert", model, torch.float32, expected)


@torch.no_grad()
def make_vit():
    config = transformers.ViTConfig(**SIZES, image_size=16, patch_size=4, num_labels=5, layer_norm_eps=1e-3)
    model = randomize(transformers.ViTForImageClassification(config), torch.float16)
    x = torch.randn(3, 3, 16, 16)
    write("vit", model, torch.float16, {"pictures": x, "logits": model(x).logits})


if __name__ == "__main__":
    torch.manual_seed(0)
    for make in (make_gpt2, make_llama, make_bert, make_vit):
        make()
