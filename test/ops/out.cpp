// Functions that write into tensors given: sizes, dtypes, several results, gradients that cannot flow.
#include <torch/torch.h>

#include "test/catch.h"
#include "test/ops/tools.h"

namespace strata::test {
namespace {

struct Heard : WarningHandler {
  void process(const Warning& warning) override { text += warning.msg(); }
  std::string text;
};

}  // namespace

TEST_CASE("results go into the tensor given, converted and resized") {
  const Tensor x = tensor({{1.0, 2.0}, {3.0, 4.0}}, kDouble);
  Tensor out = torch::empty({0}, kFloat);
  CHECK(&torch::sum_out(out, x, {1}) == &out);
  CHECK(values(out) == Values{3, 7});
  CHECK(out.dtype() == kFloat);
  const void* memory = out.data_ptr();
  torch::mean_out(out, x, {0});
  CHECK(values(out) == Values{2, 3});
  CHECK(out.data_ptr() == memory);
  Tensor integers = torch::empty({2}, kLong);
  CHECK_THROWS_WITH(torch::sum_out(integers, x, {1}), Catch::Matchers::ContainsSubstring("sum_out"));
}

TEST_CASE("bools are not subtracted into a tensor either") {
  Tensor out = torch::zeros({2});
  CHECK_THROWS_WITH(sub_out(out, torch::ones({2}), torch::ones({2}, kBool)),
                    Catch::Matchers::ContainsSubstring("bool"));
}

TEST_CASE("magnitudes of complex numbers go into complex tensors") {
  Tensor z = tensor({Complex<double>(3, 4), Complex<double>(0, -2)});
  abs_out(z, z);
  CHECK(z.equal(tensor({Complex<double>(5, 0), Complex<double>(2, 0)})));
}

TEST_CASE("a tensor with elements that gets other sizes warns") {
  Heard heard;
  WarningUtils::WarningHandlerGuard guard(&heard);
  Tensor out = torch::ones({3});
  torch::cumsum_out(out, torch::ones({2}), 0);
  CHECK(values(out) == Values{1, 2});
  CHECK(heard.text.find("cumsum_out: out has shape (3,)") != std::string::npos);
}

TEST_CASE("several results go into several tensors, and options are those of the tensor") {
  Tensor largest = torch::empty({0}), where = torch::empty({0}, kLong);
  torch::max_out(largest, where, tensor({{1.0, 5.0}, {7.0, 2.0}}), 1);
  CHECK(values(largest) == Values{5, 7});
  CHECK(values(where) == Values{1, 0});
  Tensor ones = torch::empty({0}, kDouble);
  torch::ones_out(ones, {2});
  CHECK(ones.dtype() == kDouble);
  CHECK(values(ones) == Values{1, 1});
}

TEST_CASE("no gradient flows into a tensor given") {
  const Tensor x = torch::ones({2}, torch::requires_grad());
  Tensor out = torch::empty({2});
  CHECK_THROWS_WITH(torch::cumsum_out(out, x, 0),
                    Catch::Matchers::ContainsSubstring("don't support automatic differentiation"));
  // Where the result is of out's shape and dtype too, and where out alone has a history.
  const auto refuses = [](auto&& call) {
    CHECK_THROWS_WITH(call(), Catch::Matchers::ContainsSubstring("don't support automatic differentiation"));
    const NoGradGuard guard;
    call();
  };
  const Tensor plain = ones({2}), m = ones({2, 2}), n = m.clone().requires_grad_(), from_x = x * 2, from_n = n * 2;
  for (Tensor to : {empty({2}), from_x}) {
    const Tensor& operand = to.requires_grad() ? plain : x;
    refuses([&] { exp_out(to, operand); });
    refuses([&] { mul_out(to, operand, operand); });
  }
  for (Tensor to : {empty({2, 2}), from_n}) {
    const Tensor& operand = to.requires_grad() ? m : n;
    refuses([&] { mm_out(to, m, operand); });
    refuses([&] { addmm_out(to, operand, m, m); });
  }
  NoGradGuard guard;
  CHECK(values(torch::cumsum_out(out, x, 0)) == Values{1, 2});
}

}  // namespace strata::test
