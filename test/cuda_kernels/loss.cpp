// The negative log-likelihood on a CUDA device: samples of any shape, weights, and targets that are no classes.
#include "ops/loss.h"

#include "core/cuda.h"
#include "dispatcher/call.h"
#include "ops/creation.h"
#include "ops/loss_def.h"
#include "test/cuda_kernels/near.h"

namespace strata::test {
namespace {

Tensor targets(IntArrayRef sizes, int64_t classes, unsigned seed) {
  return random_tensor(sizes, kDouble, seed, 0, static_cast<double>(classes)).to(kLong);
}

List both_ops(const List& t, const NllParams& p) {
  const Tensors y = call(nll_loss_op, {&t[0], &t[1], &t[2]}, p);
  return {y[0], y[1], call1(nll_loss_backward_op, {&y[0], &t[1], &t[2], &y[1]}, p)};
}

}  // namespace

TEST_CASE("losses of samples of any shape") {
  struct Case {
    DimVector x, target;
    int64_t classes;
  };
  const Case cases[] = {{{7}, {}, 7},         {{1, 5}, {1}, 5},       {{300, 10}, {300}, 10},
                        {{900, 2}, {900}, 2}, {{3, 6, 4}, {3, 4}, 6}, {{2, 5, 7, 9}, {2, 7, 9}, 5}};
  for (DType dtype : kFloatTypes)
    for (const Case& c : cases)
      for (int64_t reduction : {0, 1, 2})
        for (bool weighted : {false, true}) {
          INFO(name(dtype) << ", " << c.x.size() << " dims, reduction " << reduction);
          const NllParams p{reduction, 1, c.classes};
          check_near({random_tensor(c.x, dtype, 1, -2, 0), targets(c.target, c.classes, 2),
                      weighted ? random_tensor({c.classes}, dtype, 3, 0.5, 2) : Tensor()},
                     [&](const List& t) { return both_ops(t, p); });
        }
}

TEST_CASE("losses of more samples than there are threads") {
  check_near({random_tensor({140000, 2}, kFloat, 1, -2, 0), targets({140000}, 2, 2), Tensor()}, [](const List& t) {
    return both_ops(t, {1, -100, 2});
  });
}

TEST_CASE("losses of strided log-probabilities and targets") {
  check_near({random_tensor({10, 30}, kFloat, 1, -2, 0), targets({30, 2}, 10, 2)}, [](const List& t) {
    return both_ops({t[0].t(), t[1].select(1, 1), Tensor()}, {1, -100, 10});
  });
  check_near({random_tensor({5, 4, 6, 3}, kFloat, 1, -2, 0), targets({5, 3, 6}, 4, 2)}, [](const List& t) {
    return both_ops({t[0].transpose(2, 3), t[1], Tensor()}, {0, -100, 4});
  });
}

TEST_CASE("targets that are no classes are reported") {
  const Tensor x = zeros({4, 3}, kCUDA), target = tensor({0, 2, 3, 1}, kLong).to(kCUDA);
  const auto message = Catch::Matchers::ContainsSubstring("nll_loss: target 3 at position 2 is outside [0, 3)");
  CHECK_THROWS_WITH((nll_loss(x, target), cuda::synchronize()), message);
  CHECK(nll_loss(x, tensor({0, 2, 2, 1}, kLong).to(kCUDA)).item<float>() == 0);
}

}  // namespace strata::test
