// GPT-2's tokenizer gives the tokens of Hugging Face's (make_bpe.py).
#include <fstream>
#include <nlohmann/json.hpp>

#include "hf/bpe.h"
#include "test/catch.h"
#include "test/examples/made.h"
#include "test/examples/process.h"

using Catch::Matchers::ContainsSubstring;

namespace {

nlohmann::json expected_tokens(const std::string& name) {
  nlohmann::json out;
  std::ifstream(made(name) + "/expected.json") >> out;
  return out;
}

}  // namespace

TEST_CASE("texts become the tokens of Hugging Face's tokenizer, and tokens the texts") {
  const hf::BytePairs words(made("bpe"));
  CHECK(words.size() == 400);
  for (const auto& one : expected_tokens("bpe")) {
    const auto text = one["text"].get<std::string>();
    INFO(text);
    const auto tokens = one["tokens"].get<std::vector<int64_t>>();
    CHECK(words.encode(text) == tokens);
    CHECK(words.decode(tokens) == text);
  }
  CHECK_THROWS_WITH(words.encode("half a character \xe6\x97"), ContainsSubstring("no UTF-8"));
  CHECK_THROWS_WITH(words.decode({400}), ContainsSubstring("400 is no token"));
  CHECK_THROWS_WITH(hf::BytePairs(made("bert")), ContainsSubstring("there is no"));
  CHECK_THROWS_WITH(hf::BytePairs(made("gpt2")).encode("Ω"), ContainsSubstring("no token for"));
}

TEST_CASE("gpt2 goes on from a text as transformers does") {
  const auto [prompt, text] = [] {
    const auto e = expected_tokens("gpt2");
    return std::pair(e["prompt"].get<std::string>(), e["text"].get<std::string>());
  }();
  const auto run = [&](const std::vector<std::string>& more, int status) {
    std::vector<std::string> command = {STRATA_EXAMPLES "/gpt2", made("gpt2"), "--prompt", prompt, "--tokens", "30"};
    command.insert(command.end(), more.begin(), more.end());
    Process process(command, "/tmp");
    CHECK(process.wait() == status);
    return process.output();
  };
  CHECK_THAT(run({"--temperature", "0"}, 0), ContainsSubstring(text + "\n"));
  const std::string drawn = run({"--seed", "1"}, 0);
  CHECK(drawn.substr(0, drawn.find("\n\n")) != text);  // by chance in 61^30
  CHECK_THAT(run({"--top", "0"}, 1), ContainsSubstring("--top"));
}
