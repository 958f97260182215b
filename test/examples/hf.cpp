// Models of Hugging Face give the scores that transformers computes (make_hf.py), whatever the names in their files.
#include <strata/strata.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "hf/bert.h"
#include "hf/gpt2.h"
#include "hf/llama.h"
#include "hf/vit.h"
#include "test/catch.h"
#include "test/examples/made.h"
#include "test/examples/process.h"

namespace fs = std::filesystem;
using namespace strata;
using Catch::Matchers::ContainsSubstring;

namespace {

TensorMap expected_tensors(const std::string& name) { return load_file(made(name) + "/expected.safetensors"); }

void check_scores(const Tensor& got, const Tensor& wanted) {
  const NoGradGuard no_grad;
  REQUIRE(got.sizes() == wanted.sizes());
  CHECK((got - wanted).abs().max().item<double>() < 1e-4);
  CHECK(wanted.std().item<double>() > 0.5);  // or 1e-4 would say little
}

/// A copy of a model in a folder of its own, with other tensors and other entries in its config.json.
struct Variant {
  fs::path path;
  TensorMap tensors;
  nlohmann::json config;

  explicit Variant(const std::string& name)
      : path(fs::temp_directory_path() / ("strata_hf_" + std::to_string(::getpid()))),
        tensors(hf::load_tensors(made(name))) {
    fs::create_directories(path);
    std::ifstream(made(name) + "/config.json") >> config;
  }
  Variant(const Variant&) = delete;
  Variant& operator=(const Variant&) = delete;
  ~Variant() { fs::remove_all(path); }

  /// Gives each tensor the name `f(name)`.
  template <class F>
  Variant& rename(F f) {
    TensorMap out;
    for (const auto& item : tensors) out.insert(f(item.key()), item.value());
    tensors = std::move(out);
    return *this;
  }
  std::string write() const {
    std::ofstream(path / "config.json") << config;
    save_file(tensors, (path / "model.safetensors").string());
    return path.string();
  }
};

template <class Model>
Tensor scores(const std::string& folder, const Tensor& input) {
  const NoGradGuard no_grad;
  return hf::from_pretrained<Model>(folder)(input);
}

std::string run_hf_logits(const std::string& options, int status = 0) {
  Process process(words(STRATA_HF_LOGITS + (" " + options)), fs::temp_directory_path().string());
  const int got = process.wait();
  INFO(process.output());
  REQUIRE(got == status);
  return process.output();
}

}  // namespace

TEST_CASE("GPT-2 gives transformers' scores") {
  const TensorMap e = expected_tensors("gpt2");
  check_scores(scores<hf::Gpt2>(made("gpt2"), e["tokens"]), e["logits"]);
}

TEST_CASE("GPT-2 of older files and other settings") {
  const TensorMap e = expected_tensors("gpt2");
  Variant old("gpt2");
  old.rename([](const std::string& name) { return hf::without("transformer.", name); });
  old.tensors.insert("h.0.attn.bias", ones({1, 1, 24, 24}));
  old.tensors.insert("h.1.attn.masked_bias", scalar_tensor(-1e4));
  check_scores(scores<hf::Gpt2>(old.write(), e["tokens"]), e["logits"]);
  old.config["scale_attn_by_inverse_layer_idx"] = true;
  check_scores(scores<hf::Gpt2>(old.write(), e["tokens"]), e["logits_by_layer"]);
  const auto model = hf::from_pretrained<hf::Gpt2>(old.write());
  CHECK(model->head->weight.storage().is_alias_of(model->token->weight.storage()));
}

TEST_CASE("docs/files.md: a model of Hugging Face") {
  const std::string folder = made("gpt2");

  auto model = hf::from_pretrained<hf::Gpt2>(folder);  // with config.json and model.safetensors
  const NoGradGuard no_grad;
  const Tensor scores = model(tensor({{5, 17, 23}}, kLong));  // (1, 3, vocabulary)
  const Tensor next = scores.select(1, -1).argmax(-1);        // the likeliest token after the third

  CHECK(scores.sizes() == std::vector<int64_t>{1, 3, 61});
  CHECK(next.sizes() == std::vector<int64_t>{1});
}

TEST_CASE("Llama gives transformers' scores, from several files") {
  const TensorMap e = expected_tensors("llama");
  check_scores(scores<hf::Llama>(made("llama"), e["tokens"]), e["logits"]);
}

TEST_CASE("Llama of older files, and with one embedding for words in and out") {
  const TensorMap e = expected_tensors("llama");
  Variant variant("llama");
  variant.config.erase("rope_parameters");
  variant.config["rope_theta"] = 500.0;
  variant.config["rope_scaling"] = nullptr;
  variant.tensors.insert("model.layers.0.self_attn.rotary_emb.inv_freq", ones({6}));
  check_scores(scores<hf::Llama>(variant.write(), e["tokens"]), e["logits"]);
  variant.config["tie_word_embeddings"] = true;
  variant.tensors.erase("lm_head.weight");
  check_scores(scores<hf::Llama>(variant.write(), e["tokens"]), e["logits_tied"]);
}

TEST_CASE("BERT gives transformers' scores, with masks and segments and without") {
  const TensorMap e = expected_tensors("bert");
  const NoGradGuard no_grad;
  auto model = hf::from_pretrained<hf::Bert>(made("bert"));
  check_scores(model(e["tokens"]), e["logits"]);
  check_scores(model(e["tokens"], e["mask"], e["segments"]), e["logits_masked"]);
}

TEST_CASE("BERT of older files") {
  const TensorMap e = expected_tensors("bert");
  Variant old("bert");
  old.rename([](std::string name) {
    if (name.ends_with("LayerNorm.weight")) return name.substr(0, name.size() - 6) + "gamma";
    if (name.ends_with("LayerNorm.bias")) return name.substr(0, name.size() - 4) + "beta";
    return name;
  });
  old.tensors.insert("bert.pooler.dense.weight", ones({32, 32}));
  old.tensors.insert("bert.embeddings.position_ids", arange(24).unsqueeze(0));
  old.tensors.insert("cls.seq_relationship.weight", ones({2, 32}));
  old.tensors.insert("cls.predictions.decoder.bias", Tensor(old.tensors["cls.predictions.bias"]));
  check_scores(scores<hf::Bert>(old.write(), e["tokens"]), e["logits"]);
  fs::remove(old.path / "model.safetensors");
  save_pt(old.tensors, (old.path / "pytorch_model.bin").string());
  check_scores(scores<hf::Bert>(old.path.string(), e["tokens"]), e["logits"]);
}

TEST_CASE("ViT gives transformers' scores") {
  const TensorMap e = expected_tensors("vit");
  check_scores(scores<hf::Vit>(made("vit"), e["pictures"]), e["logits"]);
}

TEST_CASE("models that do not fit say why") {
  const auto load_gpt2 = [](const std::string& folder) { hf::from_pretrained<hf::Gpt2>(folder); };
  CHECK_THROWS_WITH(load_gpt2("/nowhere"), ContainsSubstring("there is no file /nowhere/config.json"));
  CHECK_THROWS_WITH(load_gpt2(made("bert")), ContainsSubstring("type 'bert', not 'gpt2'"));
  Variant variant("gpt2");
  variant.tensors.erase("transformer.ln_f.bias");
  variant.tensors.insert("transformer.more", ones({1}));
  CHECK_THROWS_WITH(load_gpt2(variant.write()), ContainsSubstring(variant.path.string()) &&
                                                    ContainsSubstring("no 'ln_f.bias'") && ContainsSubstring("'more'"));
  variant.config["n_layer"] = "two";
  CHECK_THROWS_WITH(load_gpt2(variant.write()),
                    ContainsSubstring("config.json: \"n_layer\" has to be an integer of 1 or more"));
  variant.config["n_layer"] = 2;
  variant.config["n_head"] = 5;
  CHECK_THROWS_WITH(load_gpt2(variant.write()), ContainsSubstring("5 heads do not divide a width of 32"));
  variant.config["n_head"] = 4;
  variant.config["activation_function"] = "gelu_10";
  CHECK_THROWS_WITH(load_gpt2(variant.write()), ContainsSubstring("activation 'gelu_10' is not known"));
  fs::remove(variant.path / "model.safetensors");
  variant.config["activation_function"] = "gelu_new";
  std::ofstream(variant.path / "config.json") << variant.config;
  CHECK_THROWS_WITH(load_gpt2(variant.path.string()), ContainsSubstring("has no model.safetensors"));
  std::ofstream(variant.path / "config.json") << "[1]";
  CHECK_THROWS_WITH(load_gpt2(variant.path.string()), ContainsSubstring("is no JSON object"));
}

TEST_CASE("rotations of Llama that are stretched are refused") {
  Variant variant("llama");
  variant.config["rope_parameters"]["rope_type"] = "llama3";
  CHECK_THROWS_WITH(hf::from_pretrained<hf::Llama>(variant.write()), ContainsSubstring("scaled by 'llama3'"));
  variant.config.erase("rope_parameters");
  variant.config["rope_scaling"] = {{"type", "linear"}, {"factor", 2.0}};
  CHECK_THROWS_WITH(hf::from_pretrained<hf::Llama>(variant.write()), ContainsSubstring("scaled by 'linear'"));
}

TEST_CASE("inputs of models that are too long or of another shape are refused") {
  const NoGradGuard no_grad;
  auto gpt2 = hf::from_pretrained<hf::Gpt2>(made("gpt2"));
  CHECK_THROWS_WITH(gpt2(zeros({1, 25}, kLong)), ContainsSubstring("25 tokens are given, the model takes at most 24"));
  CHECK_THROWS_WITH(gpt2(zeros({3}, kLong)), ContainsSubstring("(batch, length), not (3,)"));
  auto vit = hf::from_pretrained<hf::Vit>(made("vit"));
  CHECK_THROWS_WITH(vit(zeros({1, 3, 16, 20})), ContainsSubstring("(batch, channels, 16, 16)"));
}

TEST_CASE("hf_logits shows the best choices, and saves all scores") {
  CHECK_THAT(run_hf_logits("--help"), ContainsSubstring("--tokens") && ContainsSubstring("model.safetensors"));
  const fs::path path = fs::temp_directory_path() / ("strata_hf_logits_" + std::to_string(::getpid()) + ".npy");
  for (const char* name : {"gpt2", "llama", "bert"}) {
    INFO(name);
    const Tensor tokens = expected_tensors(name)["tokens"][0];
    std::string text;
    for (int64_t i = 0; i < tokens.size(0); ++i)
      text += (i == 0 ? "" : ",") + std::to_string(tokens[i].item<int64_t>());
    const std::string plot = path.string() + ".svg";
    const std::string shown =
        run_hf_logits(made(name) + " --tokens " + text + " --top 1 --save " + path.string() + " --plot " + plot);
    CHECK(fs::remove(plot));
    const Tensor saved = load_npy(path.string()), wanted = expected_tensors(name)["logits"][0];
    check_scores(saved, wanted);
    CHECK_THAT(shown, ContainsSubstring(std::to_string(wanted[-1].argmax().item<int64_t>())));
  }
  if (data::has_images()) {
    const std::string picture = path.string() + ".png";
    const Tensor pixels = (arange(3 * 16 * 16).reshape({3, 16, 16}) % 256).to(kByte);
    data::write_png(picture, pixels);
    run_hf_logits(made("vit") + " --image " + picture + " --save " + path.string());
    check_scores(load_npy(path.string()),
                 scores<hf::Vit>(made("vit"), ((pixels.to(kFloat) / 255 - 0.5) / 0.5).unsqueeze(0)));
    fs::remove(picture);
  } else {
    WARN("this build reads no pictures, so ViT's program is not tested");
  }
  fs::remove(path);
}

TEST_CASE("hf_logits says in one line what it lacks") {
  CHECK_THAT(run_hf_logits("", 1), ContainsSubstring("which model?"));
  CHECK_THAT(run_hf_logits(made("gpt2"), 1), ContainsSubstring("--tokens 1,2,3"));
  CHECK_THAT(run_hf_logits(made("vit"), 1), ContainsSubstring("--image PATH"));
  for (const char* tokens : {"1,,2", "1,", ",1", "x", "-1", "1.5"})
    CHECK_THAT(run_hf_logits(made("gpt2") + " --tokens=" + tokens, 1),
               ContainsSubstring("with commas between them, not '"));
  CHECK_THAT(run_hf_logits(made("gpt2") + " --tokens 61", 1), ContainsSubstring("61"));
  CHECK_THAT(run_hf_logits(made("gpt2") + " --tokens 1 --top 0", 1), ContainsSubstring("--top is 0"));
}
