// Pooling on a CUDA device: the CPU's bits for windows of all kinds, gradients included.
#include "ops/pool.h"

#include <cmath>

#include "dispatcher/call.h"
#include "ops/creation.h"
#include "ops/pool_def.h"
#include "test/cuda_kernels/both.h"

namespace strata::test {
namespace {

PoolParams windows(int64_t ih, int64_t iw, int64_t kernel, int64_t stride, int64_t pad, int64_t dilation) {
  const auto count = [&](int64_t in) { return (in + 2 * pad - dilation * (kernel - 1) - 1) / stride + 1; };
  return {ih, iw, count(ih), count(iw), false, kernel, kernel, stride, stride, pad, pad, dilation, dilation};
}
PoolParams adaptive(int64_t ih, int64_t iw, int64_t oh, int64_t ow) {
  return {ih, iw, oh, ow, true, 0, 0, 0, 0, 0, 0, 0, 0};
}

List all_ops(const List& t, const PoolParams& p) {
  const Tensors y = call(max_pool_op, {&t[0]}, p);
  List out{y[0], y[1], call1(max_pool_scatter_op, {&y[0], &y[1]}, p), call1(max_pool_gather_op, {&t[0], &y[1]}, p)};
  if (p.dh > 1) return out;
  for (const AvgPoolParams& a : {AvgPoolParams{p, true, 0}, AvgPoolParams{p, false, 0}, AvgPoolParams{p, false, 7}}) {
    out.push_back(call1(avg_pool_op, {&t[0]}, a));
    out.push_back(call1(avg_pool_backward_op, {&out.back()}, a));
  }
  return out;
}

}  // namespace

TEST_CASE("pools of all windows have the CPU's bits") {
  for (DType dtype : {kFloat, kDouble, kHalf, kBFloat16})
    for (const PoolParams& p : {windows(8, 8, 2, 2, 0, 1), windows(13, 17, 3, 2, 1, 1), windows(9, 300, 3, 1, 1, 1),
                                windows(7, 9, 1, 1, 0, 1), windows(20, 11, 2, 3, 1, 4), windows(12, 12, 3, 1, 1, 3),
                                windows(31, 5, 5, 4, 2, 1), adaptive(7, 7, 1, 1), adaptive(7, 10, 3, 4),
                                adaptive(5, 3, 8, 7), windows(5, 5, 2, 7, 1, 1)}) {
      INFO(name(dtype) << " " << p.ih << "x" << p.iw << " to " << p.oh << "x" << p.ow);
      check_both({random_tensor({2, 3, p.ih, p.iw}, dtype, 1, -1, 1)}, [&](const List& t) { return all_ops(t, p); });
    }
}

TEST_CASE("windows with ties, infinities and NaN") {
  Tensor x = zeros({1, 4, 8, 8});
  x.select(1, 1).fill_(-INFINITY);
  x.select(1, 2).select(1, 3).fill_(NAN);
  x.select(1, 3).select(1, 2).fill_(INFINITY);
  check_both({x}, [](const List& t) { return List(all_ops(t, windows(8, 8, 3, 2, 1, 1))); });
}

TEST_CASE("gradients go to positions outside of their windows") {
  const PoolParams p = windows(6, 6, 2, 2, 0, 1);
  check_both({random_tensor({2, 3, 3}), random_tensor({2, 3, 3}, kDouble, 5, 0, 36).to(kLong)}, [&](const List& t) {
    return List{call1(max_pool_scatter_op, {&t[0], &t[1]}, p)};
  });
}

TEST_CASE("pools of strided tensors") {
  const PoolParams p = windows(9, 6, 3, 2, 1, 1);
  check_both({random_tensor({6, 9, 3})}, [&](const List& t) { return all_ops({t[0].transpose(0, 2)}, p); });
}

}  // namespace strata::test
