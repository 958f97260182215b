// What a model of Hugging Face's expects: the next tokens of a text, the words in its gaps, or the classes of a
// picture. `hf_logits --help` says how.
#include <fmt/format.h>
#include <strata/train/table.h>

#include <charconv>

#include "common/program.h"
#include "hf/bert.h"
#include "hf/gpt2.h"
#include "hf/llama.h"
#include "hf/vit.h"

using namespace strata;
using namespace strata::examples;
using namespace strata::train;

namespace {

struct Options {
  std::string folder, tokens, image, save, plot = "none";
  int64_t top = 5;
};

/// "1,2,3" as `(1, 3)`.
Tensor tokens_of(const std::string& text) {
  STRATA_CHECK(!text.empty(), "the model reads tokens: give some with --tokens 1,2,3");
  std::vector<int64_t> tokens;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (bool more = true; more;) {
    int64_t token = 0;
    const auto [after, error] = std::from_chars(at, end, token);
    const bool ok = error == std::errc() && token >= 0 && (after == end || (*after == ',' && after + 1 != end));
    STRATA_CHECK(ok, "--tokens takes numbers of tokens with commas between them, not '{}'", text);
    tokens.push_back(token);
    more = after != end;
    at = after + (more ? 1 : 0);
  }
  return tensor(tokens, kLong).unsqueeze(0);
}

/// A picture as `(1, 3, side, side)` with the mean 0.5 and the deviation 0.5 that ViT's pictures have.
Tensor pixels_of(const std::string& path, int64_t side) {
  STRATA_CHECK(!path.empty(), "the model looks at pictures: give one with --image PATH");
  const Tensor picture = data::read_image(path).to(kFloat).unsqueeze(0) / 255;
  const auto options = nn::functional::InterpolateFuncOptions()
                           .size(std::vector<int64_t>{side, side})
                           .mode(kBilinear)
                           .align_corners(false)
                           .antialias(true);
  return (nn::functional::interpolate(picture, options) - 0.5) / 0.5;
}

/// The scores of a folder's model: `(places, choices)`.
Tensor scores_of(const Options& o, const hf::Config& config) {
  const std::string type = config.model_type();
  if (type == "gpt2") return hf::from_pretrained<hf::Gpt2>(o.folder)(tokens_of(o.tokens))[0];
  if (type == "llama") return hf::from_pretrained<hf::Llama>(o.folder)(tokens_of(o.tokens))[0];
  if (type == "bert") return hf::from_pretrained<hf::Bert>(o.folder)(tokens_of(o.tokens))[0];
  if (type == "vit") return hf::from_pretrained<hf::Vit>(o.folder)(pixels_of(o.image, config.count("image_size")));
  STRATA_THROW("{}: models of the type '{}' are not known here, but gpt2, llama, bert and vit are", config.path(),
               type);
}

/// The best choices of each place with their scores and, of all choices, their shares, as a table and as a plot.
void show_best(const Tensor& scores, const Options& o) {
  const auto [values, choices] = scores.topk(std::min(o.top, scores.size(1)));
  const Tensor shares = scores.softmax(1).gather(1, choices);
  Matrix sure = {"Shares of the best choices", "choice", "place", {}, {}, to_vector(shares)};
  for (int64_t i = 0; i < choices.size(1); ++i) sure.columns.push_back(std::to_string(i + 1));
  std::vector<Row> rows;
  for (int64_t place = 0; place < scores.size(0); ++place) {
    sure.rows.push_back(std::to_string(place));
    for (int64_t i = 0; i < choices.size(1); ++i)
      rows.push_back({i == 0 ? sure.rows.back() : "", std::to_string(choices[place][i].item<int64_t>()),
                      fmt::format("{:.6f}", values[place][i].item<double>()),
                      fmt::format("{:.1f} %", 100 * shares[place][i].item<double>())});
  }
  fmt::print("{}", format_table({"place", "choice", "logit", "share"}, rows));
  save_plot(o.plot, "What the model expects", {sure});
}

void run(const Options& o) {
  STRATA_CHECK(!o.folder.empty(), "which model? give the folder with its config.json and model.safetensors");
  STRATA_CHECK(o.top >= 1, "--top is {}, it has to be 1 or more", o.top);
  const NoGradGuard no_grad;
  const Tensor scores = scores_of(o, hf::Config(o.folder));
  show_best(scores, o);
  if (!o.save.empty()) save_npy(scores, o.save);
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  Program program(
      "Shows what a model of Hugging Face expects. GPT-2 and Llama: the tokens that follow each token. BERT: the "
      "tokens "
      "that may stand in each place. ViT: the classes of a picture.");
  program.option("folder", o.folder, "folder with config.json and model.safetensors");
  program.option("--tokens", o.tokens, "numbers of tokens, as the model's tokenizer gives them", "1,2,3");
  program.option("--image", o.image, "a picture for ViT, of any size");
  program.option("--top", o.top, "how many choices to show at each place");
  program.option("--save", o.save, "write all logits (places, choices) to this .npy file");
  program.plot_option(o.plot);
  return program.run(argc, argv, [&] { run(o); });
}
