// Named choices: what variants of libtorch's types take, and what options refuse.
#include "nn/enums.h"

#include <type_traits>
#include <variant>

#include "nn/nn.h"
#include "test/catch.h"

using namespace strata;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("an option's choice is a variant of the types of the choices that it takes") {
  nn::MSELossOptions loss;
  CHECK(std::get_if<enumtype::kMean>(&loss.reduction()) != nullptr);
  loss.reduction(kSum);
  CHECK(std::holds_alternative<enumtype::kSum>(loss.reduction()));
  CHECK(std::visit([](Choice c) { return c; }, loss.reduction()) == Choice::Sum);
  const std::variant<enumtype::kSum, enumtype::kNone> both = kNone;
  CHECK(both.index() == 1);
  static_assert(!std::is_convertible_v<enumtype::kMean, std::variant<enumtype::kSum, enumtype::kNone>>);
  static_assert(!std::is_convertible_v<enumtype::kBatchMean, nn::MSELossOptions>);
  static_assert(std::is_convertible_v<enumtype::kBatchMean, nn::KLDivLossOptions>);
}

TEST_CASE("an option refuses a choice that it does not take, as one type says them all") {
  CHECK_THROWS_WITH(nn::MSELossOptions(Choice::BatchMean),
                    ContainsSubstring("expected one of kNone, kMean, kSum, got kBatchMean"));
  CHECK(nn::MSELossOptions(Choice::Sum).reduction() == kSum);
  CHECK_THROWS_WITH(nn::RNNOptions(1, 1).nonlinearity(Choice::GELU), ContainsSubstring("got kGELU"));
}

TEST_CASE("a convolution's padding is a variant of sizes, kValid and kSame") {
  nn::Conv2dOptions conv(1, 2, 3);
  conv.padding({1, 2});
  REQUIRE(std::holds_alternative<ExpandingArray<2>>(conv.padding()));
  CHECK((*std::get<ExpandingArray<2>>(conv.padding()))[1] == 2);
  conv.padding(kSame);
  CHECK(std::get_if<enumtype::kSame>(&conv.padding()) != nullptr);
  CHECK(conv.padding().sizes()[0] == 0);
  CHECK(std::get_if<enumtype::kZeros>(&conv.padding_mode()) != nullptr);
}
