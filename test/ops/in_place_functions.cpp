// Tests of the functions with an underscore: same values as without, same tensor, and their gradients.
#include "ops/in_place_functions.h"

#include "autograd/autograd.h"
#include "ops/activation.h"
#include "ops/binary.h"
#include "ops/linalg.h"
#include "ops/pointwise_functions.h"
#include "ops/reduce.h"
#include "ops/unary.h"
#include "test/catch.h"
#include "test/ops/tools.h"

using namespace strata;
using namespace strata::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// `write` gives its argument back, with the values and the gradient of `f`.
template <class W, class F>
void check_pair(W write, F f, double low = -2, double high = 2) {
  const Tensor x = random_tensor({3, 4}, kDouble, 1, low, high);
  Tensor y = x.clone();
  CHECK(write(y).is_same(y));
  CHECK(same_bits(y, f(x)));
  const Tensor a = x.clone().requires_grad_(), b = x.clone().requires_grad_();
  Tensor over = a * 1.0;
  write(over).sum().backward();
  f(b * 1.0).sum().backward();
  CHECK(same_bits(a.grad(), b.grad()));
}

}  // namespace

TEST_CASE("functions with an underscore write what those without give") {
  check_pair(negative_, negative);
  check_pair(arcsin_, arcsin, -0.9, 0.9);
  check_pair(arccos_, arccos, -0.9, 0.9);
  check_pair(arctan_, arctan);
  check_pair(arcsinh_, arcsinh);
  check_pair(arccosh_, arccosh, 1.1, 3);
  check_pair(arctanh_, arctanh, -0.9, 0.9);
  check_pair(deg2rad_, deg2rad);
  check_pair(rad2deg_, rad2deg);
  check_pair(sinc_, sinc);
  check_pair([](Tensor& x) -> Tensor& { return logit_(x); }, [](const Tensor& x) { return logit(x); }, 0.1, 0.9);
  check_pair([](Tensor& x) -> Tensor& { return clip_(x, -1, 1); }, [](const Tensor& x) { return x.clamp(-1, 1); });
  check_pair([](Tensor& x) -> Tensor& { return celu_(x, 2); }, [](const Tensor& x) { return celu(x, 2); });
  check_pair([](Tensor& x) -> Tensor& { return elu_(x); }, [](const Tensor& x) { return elu(x); });
  check_pair([](Tensor& x) -> Tensor& { return gelu_(x, "tanh"); }, [](const Tensor& x) { return gelu(x, "tanh"); });
  check_pair(hardsigmoid_, hardsigmoid);
  check_pair(hardswish_, hardswish);
  check_pair([](Tensor& x) -> Tensor& { return hardtanh_(x); }, [](const Tensor& x) { return hardtanh(x); });
  check_pair([](Tensor& x) -> Tensor& { return leaky_relu_(x); }, [](const Tensor& x) { return leaky_relu(x); });
  check_pair(mish_, mish);
  check_pair(relu6_, relu6);
  check_pair(selu_, selu);
  check_pair(silu_, silu);
  check_pair([](Tensor& x) -> Tensor& { return threshold_(x, 0.5, 3); },
             [](const Tensor& x) { return threshold(x, 0.5, 3); });
}

TEST_CASE("functions with an underscore beside those of one operand") {
  Tensor v = random_tensor({3}, kDouble);
  const Tensor before = v.clone(), m = random_tensor({3, 2}, kDouble, 2), w = random_tensor({2}, kDouble, 3);
  addmv_(v, m, w, 2, 3);
  CHECK(same_bits(v, addmv(before, m, w, 2, 3)));
  Tensor bad = tensor(std::vector<double>{kNaN, kInf}, TensorOptions(kDouble));
  nan_to_num_(bad, 1, 2);
  CHECK(values(bad) == std::vector<double>{1, 2});
  const Tensor leaf = random_tensor({2}, kDouble).requires_grad_();
  Tensor y = leaf * 2;
  CHECK_FALSE(detach_(y).requires_grad());
  Tensor whole = tensor(std::vector<int64_t>{1});
  CHECK_THROWS_WITH(arcsin_(whole), ContainsSubstring("asin_"));
}
