// Normalisation on a CUDA device: rows in registers, long rows, slices of batch norm and columns.
#include "ops/norm.h"

#include "dispatcher/call.h"
#include "ops/creation.h"
#include "ops/norm_def.h"
#include "test/cuda_kernels/near.h"

namespace strata::test {
namespace {

/// Forward and backward on x, g, weight and bias.
List both_ops(const List& t, int64_t affine_dim) {
  const NormalizeParams p{affine_dim, 1e-5};
  const Tensors y = call(normalize_op, {&t[0], &t[2], &t[3]}, p);
  const Tensor rstd = y[2].add(1e-5).rsqrt();
  const Tensors grads = call(normalize_backward_op, {&t[1], &t[0], &y[1], &rstd, &t[2]}, p);
  return {y[0], y[1], y[2], grads[0], grads[1], grads[2]};
}

void check_shape(IntArrayRef sizes, DType dtype) {
  for (int64_t affine_dim : {1, 2})
    for (bool affine : {true, false}) {
      if (affine_dim == 1 && !affine) continue;
      INFO(name(dtype) << " " << sizes[0] << "x" << sizes[1] << "x" << sizes[2] << ", affine dim " << affine_dim
                       << (affine ? "" : " without weight"));
      const int64_t n = sizes[static_cast<size_t>(affine_dim)];
      List t{random(sizes, dtype, 1, -1, 3), random(sizes, dtype, 2, -1, 1), {}, {}};
      if (affine) t[2] = random({n}, dtype, 3, 0.5, 2), t[3] = random({n}, dtype, 4, -1, 1);
      check_near(
          t, [&](const List& l) { return both_ops(l, affine_dim); }, 2);
    }
}

}  // namespace

TEST_CASE("normalising rows of any length") {
  for (int64_t length : {1, 31, 33, 64, 1000, 1024, 1025}) check_shape({1, 3, length}, kFloat);
  for (int64_t length : {33, 64, 1024}) check_shape({1, 3, length}, kDouble);
  check_shape({1, 2, 4096}, kFloat);
}

TEST_CASE("normalising more rows than there are parts of gradients") { check_shape({1, 700, 260}, kFloat); }

TEST_CASE("normalising rows that registers have no room for") {
  check_shape({1, 2, 4099}, kDouble);
  for (int64_t length : {33000, 33001})
    check_near({random({1, length}, kFloat, 1, -1, 3)}, [=](const List& t) {
      return List{layer_norm(t[0], {length}, t[0].select(0, 0), t[0].select(0, 0), 1e-5)};
    });
}

TEST_CASE("normalising slices over two dims") {
  for (DType dtype : {kFloat, kDouble})
    for (const DimVector& sizes : {DimVector{8, 3, 49}, DimVector{8, 3, 64}, DimVector{150, 40, 1}, DimVector{5, 70, 2},
                                   DimVector{2, 2, 1500}, DimVector{20, 2, 256}})
      check_shape(sizes, dtype);
}

TEST_CASE("normalising strided tensors") {
  check_near({random({33, 64}, kFloat, 1, -1, 3), random({64}, kFloat, 2), random({64}, kFloat, 3)}, [](const List& t) {
    return List{layer_norm(t[0].t().contiguous().t(), {64}, t[1], t[2], 1e-5),
                layer_norm(t[0].slice(1, 1), {63}, t[1].slice(0, 1), t[2].slice(0, 1), 1e-5)};
  });
}

TEST_CASE("variances far from the mean keep their digits") {
  check_near(
      {random({1, 3, 5000}, kFloat, 1, 1000, 1001)},
      [](const List& t) {
        const Tensor none;
        const Tensors rows = call(normalize_op, {&t[0], &none, &none}, NormalizeParams{1, 1e-5});
        const Tensor slices = t[0].view({50, 3, 100});
        return List{rows[2], call(normalize_op, {&slices, &none, &none}, NormalizeParams{1, 1e-5})[2]};
      },
      100);
}

}  // namespace strata::test
