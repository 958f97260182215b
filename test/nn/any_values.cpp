// Modules whose `forward` takes and gives values of any types, in AnyModule and Sequential.
#include <strata/strata.h>

#include <memory>
#include <string>

#include "test/catch.h"

using namespace strata;
using Catch::Matchers::ContainsSubstring;

namespace {

struct Words : nn::Module {
  std::string forward(const std::string& text, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += text;
    return out;
  }
  FORWARD_HAS_DEFAULT_ARGS({1, nn::AnyValue(2)})
};
struct Length : nn::Module {
  size_t forward(std::string text) const { return text.size(); }
};
struct Halves : nn::Module {
  std::vector<Tensor> forward(Tensor x) { return x.chunk(2); }
};
struct Sum : nn::Module {
  Tensor forward(const std::vector<Tensor>& parts, double scale = 1) { return (parts[0] + parts[1]) * scale; }
};

}  // namespace

TEST_CASE("an AnyModule takes and gives values of any types") {
  nn::AnyModule words{Words()};
  CHECK(words.forward<std::string>(std::string("ab"), 3) == "ababab");
  CHECK(words.forward<std::string>(std::string("ab")) == "abab");
  CHECK(words.any_forward(std::string("a"), 1).get<std::string>() == "a");
  CHECK(words.type_info() == typeid(Words));
  CHECK_THROWS_WITH(words.forward<int>(std::string("ab")), ContainsSubstring("but you asked for type int"));
  CHECK_THROWS_WITH(words.forward<std::string>(1.5), ContainsSubstring("Expected argument #0 to be of type"));
  CHECK_THROWS_WITH(words.forward<std::string>(std::string("a"), 1, 1),
                    ContainsSubstring("at most 2 argument(s), but received 3"));
  words = std::make_shared<Length>();
  CHECK(words.forward<size_t>(std::string("abc")) == 3);
  CHECK_THROWS_WITH(nn::AnyModule().type_info(), ContainsSubstring("empty AnyModule"));
}

TEST_CASE("a Sequential passes values of any types on") {
  nn::Sequential net{Words(), Length()};
  CHECK(net->forward<size_t>(std::string("abc"), 4) == 12);
  nn::Sequential parts(nn::Linear(2, 4), Halves(), Sum());
  CHECK(parts->forward(ones({2, 2})).sizes() == IntArrayRef({1, 4}));
}
