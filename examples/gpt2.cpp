// Text from GPT-2 with the weights of a Hugging Face folder. `gpt2 --help` says how.
#include <fmt/format.h>
#include <strata/train/interrupt.h>

#include <cstdio>
#include <filesystem>

#include "common/program.h"
#include "hf/bpe.h"
#include "hf/gpt2.h"

using namespace strata;
using namespace strata::examples;

namespace {

struct Options {
  std::string folder, prompt = "The meaning of life is", plot = "none";
  int64_t tokens = 50, top = 40, seed = 0;
  double temperature = 0.8;
};

/// The next token: the best one at temperature 0, else drawn among the `top` best.
int64_t next_token(const Tensor& logits, const Options& o, int64_t step) {
  if (o.temperature == 0) return logits.argmax().item<int64_t>();
  const auto [values, tokens] = logits.topk(std::min(o.top, logits.size(0)));
  const Tensor key = random::fold_in(random::key(o.seed), step);
  return tokens[random::categorical(key, values / o.temperature).to(kLong)].item<int64_t>();
}

/// Prints what is whole of some bytes and leaves the beginning of a character that is not in `rest`.
void print_whole(std::string& rest) {
  size_t whole = rest.size();
  for (size_t back = 1; back <= std::min<size_t>(3, rest.size()); ++back) {
    const auto byte = static_cast<unsigned char>(rest[rest.size() - back]);
    const size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
    if (byte >= 0xC0 && length > back) whole = rest.size() - back;
    if (byte >= 0xC0) break;
  }
  fmt::print("{}", rest.substr(0, whole));
  std::fflush(stdout);
  rest.erase(0, whole);
}

void run(const Options& o) {
  STRATA_CHECK(!o.folder.empty(), "which model? give the folder with its config.json and model.safetensors");
  STRATA_CHECK(o.temperature >= 0 && o.top >= 1, "--temperature has to be 0 or more and --top 1 or more");
  const InferenceMode inference;
  const hf::BytePairs words(o.folder);
  hf::Gpt2 model = hf::from_pretrained<hf::Gpt2>(o.folder);
  std::vector<int64_t> tokens = words.encode(o.prompt);
  STRATA_CHECK(!tokens.empty(), "--prompt is empty: the model goes on from a text");
  std::string rest = o.prompt;
  print_whole(rest);

  const train::InterruptGuard guard;
  std::vector<double> chances;
  const double seconds = seconds_of([&] {
    for (int64_t step = 0; step < o.tokens && !train::InterruptGuard::interrupted(); ++step) {
      const auto seen = std::min(static_cast<int64_t>(tokens.size()), model->positions);
      const Tensor context = tensor(tokens, kLong).slice(0, static_cast<int64_t>(tokens.size()) - seen);
      const Tensor logits = model(context.unsqueeze(0))[0][-1];
      tokens.push_back(next_token(logits, o, step));
      chances.push_back(logits.softmax(0)[tokens.back()].item<double>());
      rest += words.decode({tokens.back()});
      print_whole(rest);
    }
  });
  const auto count = static_cast<int64_t>(chances.size());
  fmt::print("{}\n\n{} tokens in {}\n", rest, count, train::format_duration(seconds));
  if (count == 0) return;
  save_plot(o.plot, "How sure GPT-2 is",
            {train::Curves{"The chance of each token", "token", "chance", train::counted(1, count), {{"", chances}}}});
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  Program program(
      "Goes on from a text with GPT-2. The folder is that of a model on huggingface.co, for example of gpt2: "
      "config.json, model.safetensors, vocab.json and merges.txt.");
  program.option("folder", o.folder, "folder with the model and its tokenizer");
  program.option("--prompt", o.prompt, "the text to go on from", "TEXT");
  program.option("--tokens", o.tokens, "tokens to write");
  program.option("--temperature", o.temperature, "how freely to draw; at 0 the best token is taken");
  program.option("--top", o.top, "tokens to draw among");
  program.option("--seed", o.seed, "what is drawn from");
  program.plot_option(o.plot);
  return program.run(argc, argv, [&] { run(o); });
}
