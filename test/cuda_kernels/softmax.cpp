// Softmax on a CUDA device: rows of a warp, of a block and beyond, other dims, other layouts, and what is not finite.
#include "ops/softmax.h"

#include <limits>

#include "dispatcher/call.h"
#include "ops/creation.h"
#include "ops/softmax_def.h"
#include "ops/view.h"
#include "test/cuda_kernels/near.h"

namespace strata::test {
namespace {

/// All four ops on values t[0] and gradients t[1].
List all_ops(const List& t, int64_t dim) {
  const Tensor y = softmax(t[0], dim), log_y = log_softmax(t[0], dim);
  return {y, log_y, call1(softmax_backward_op, {&t[1], &y}, DimParams{dim}),
          call1(log_softmax_backward_op, {&t[1], &log_y}, DimParams{dim})};
}

}  // namespace

TEST_CASE("softmax of rows of any length") {
  for (DType dtype : kFloatTypes)
    for (int64_t length : {1, 15, 17, 31, 33, 64, 256, 1000, 1025, 4096}) {
      INFO(name(dtype) << ", rows of " << length);
      check_near({random_tensor({5, length}, dtype, 1, -4, 4), random_tensor({5, length}, dtype, 2, -1, 1)},
                 [](const List& t) { return all_ops(t, 1); });
    }
}

TEST_CASE("softmax of rows that registers have no room for") {
  for (DType dtype : kFloatTypes)
    for (int64_t length : {16384, 33000, 33001}) {
      INFO(name(dtype) << ", rows of " << length);
      check_near({random_tensor({1, length}, dtype, 1, -4, 4), random_tensor({1, length}, dtype, 2, -1, 1)},
                 [](const List& t) { return all_ops(t, 1); });
    }
}

TEST_CASE("softmax along other dims") {
  for (DType dtype : kFloatTypes) {
    const List inputs{random_tensor({2, 70, 5, 9}, dtype, 1, -4, 4), random_tensor({2, 70, 5, 9}, dtype, 2, -1, 1)};
    for (int64_t dim : {0, 1, 2, 3}) check_near(inputs, [dim](const List& t) { return all_ops(t, dim); });
  }
}

TEST_CASE("softmax of strided, expanded and misaligned tensors") {
  for (DType dtype : {kFloat, kBFloat16}) {
    check_near({random_tensor({65, 40}, dtype, 1, -4, 4), random_tensor({40, 65}, dtype, 2, -1, 1)}, [](const List& t) {
      return all_ops({t[0].t(), t[1]}, 1);
    });
    check_near({random_tensor({65, 40}, dtype, 1, -4, 4), random_tensor({1, 40}, dtype, 2, -1, 1)}, [](const List& t) {
      return all_ops({t[0], t[1].expand({65, 40})}, 1);
    });
    check_near({random_tensor({65, 40}, dtype, 1, -4, 0), random_tensor({1}, dtype, 2, 1, 2)}, [](const List& t) {
      const Tensor g = t[1].expand({65, 40});
      return List{call1(log_softmax_backward_op, {&g, &t[0]}, DimParams{1})};
    });
    check_near({random_tensor({20, 65}, dtype, 1, -4, 4), random_tensor({20, 64}, dtype, 2, -1, 1)}, [](const List& t) {
      return all_ops({t[0].slice(1, 1), t[1]}, 1);
    });
    check_near({random_tensor({20, 128}, dtype, 1, -4, 4), random_tensor({10, 64}, dtype, 2, -1, 1)},
               [](const List& t) {
                 return all_ops({t[0].slice(0, 0, 20, 2).slice(1, 64), t[1]}, 1);
               });
  }
}

TEST_CASE("softmax of infinities and NaN") {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (int64_t length : {5, 40, 40000}) {
    Tensor x = random_tensor({6, length}, kFloat, 1, -4, 4);
    x.select(0, 0).fill_(-kInf);
    x.select(0, 1).select(0, length - 1).fill_(kInf);
    x.select(0, 2).select(0, length / 2).fill_(std::nan(""));
    x.select(0, 3).slice(0, 0, length - 1).fill_(-kInf);
    x.select(0, 4).select(0, 0).fill_(-kInf);
    for (int64_t dim : {0, 1})
      check_near({x}, [dim](const List& t) { return List{softmax(t[0], dim), log_softmax(t[0], dim)}; });
  }
}

}  // namespace strata::test
