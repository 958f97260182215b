// The CTC loss on a CUDA device: targets of several lengths, without steps, impossible, and classes that do not exist.
#include "ops/ctc_loss.h"

#include "core/cuda.h"
#include "dispatcher/call.h"
#include "ops/creation.h"
#include "ops/ctc_loss_def.h"
#include "test/cuda_kernels/near.h"

namespace strata::test {
namespace {

List both_ops(const List& t, const CtcParams& p) {
  const Tensors y = call(ctc_loss_op, {&t[0], &t[1], &t[2], &t[3]}, p);
  return {y[0], y[1], call1(ctc_loss_slope_op, {&t[0], &y[1], &t[1], &t[2], &t[3]}, p)};
}

}  // namespace

TEST_CASE("CTC losses of targets of several lengths") {
  const Tensor targets = tensor({{1, 2, 3, 3}, {2, 2, 1, 1}, {1, 1, 1, 1}, {3, 3, 3, 3}}), steps = tensor({7, 5, 0, 3}),
               lengths = tensor({4, 2, 0, 3});  // the last one has too few steps
  for (const DType dtype : {kFloat, kDouble})
    for (const bool zero_infinity : {false, true}) {
      INFO(name(dtype) << (zero_infinity ? ", infinity counts nothing" : ""));
      check_near({random_tensor({7, 4, 5}, dtype, 1, -3, -0.5), targets, steps, lengths}, [&](const List& t) {
        return both_ops(t, {0, zero_infinity});
      });
    }
}

TEST_CASE("CTC losses of targets with more states than a block has threads") {
  check_near({random_tensor({320, 2, 6}, kDouble, 1, -3, -0.5), random_tensor({2, 150}, kDouble, 2, 0, 5).to(kLong),
              tensor({320, 310}), tensor({150, 140})},
             [](const List& t) {
               return both_ops(t, {5, false});
             });
}

TEST_CASE("CTC losses of strided operands") {
  check_near({random_tensor({3, 5, 8}, kDouble, 1, -3, -0.5), random_tensor({2, 3}, kDouble, 2, 1, 5).to(kLong),
              tensor({8, 7, 6}), tensor({2, 1, 2})},
             [](const List& t) {
               return both_ops({t[0].permute({2, 0, 1}), t[1].t(), t[2], t[3]}, {0, false});
             });
}

TEST_CASE("targets of the CTC loss that are no classes are reported") {
  const Tensor x = zeros({4, 1, 3}, kCUDA);
  CHECK_THROWS_WITH(
      [&] {
        ctc_loss(x, tensor({{1, 3}}), IntArrayRef{4}, IntArrayRef{2});
        cuda::synchronize();
      }(),
      Catch::Matchers::ContainsSubstring("ctc_loss: target 3 at position 1 is outside [0, 3)"));
}

}  // namespace strata::test
