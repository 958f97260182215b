// The ops that multiply matrices, for rules and kernels.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

struct AddmmParams {
  Scalar beta, alpha;
};

struct CrossParams {
  int64_t dim;
};

/// `matmul(Tensor a, Tensor b)`: a `(..., m, k)` times b `(..., k, n)` with equal leading dims; expanded ones cost
/// nothing.
extern Op matmul_op;
/// `addmm(Tensor init, Tensor a, Tensor b)`: beta * init + alpha * a b, all three with equal leading dims; beta 0
/// ignores init.
extern Op addmm_op;
/// `linear(Tensor x, Tensor w[, Tensor bias])`: x `(..., k)` times w `(n, k)` transposed, plus bias `(n,)`.
extern Op linear_op;
/// `linear_relu(Tensor x, Tensor w[, Tensor bias])`: relu of linear.
extern Op linear_relu_op;
/// `linear_gelu(Tensor x, Tensor w[, Tensor bias])`: gelu by tanh of linear, and linear's result.
extern Op linear_gelu_op;
/// `cross(Tensor a, Tensor b, int dim)`: products of the vectors of 3 along dim of tensors of equal shape.
extern Op cross_op;
/// `dot(Tensor a, Tensor b)`: two vectors to a number.
extern Op dot_op;

/// What a product with `other` takes of x `(..., k)`, which stands for rows: x, or a copy where its strides make rows
/// no view of it. The copy is what is saved for other's gradient, as in PyTorch, and x may be written to before
/// backward.
Tensor rows_of(const Tensor& x, const Tensor& other);

/// matmul's result for rules, made at `place` (dispatch::gradient_place) where there is one that it fits.
Tensor product_at(Tensor place, const Tensor& a, const Tensor& b);

/// x of these sizes, which it broadcasts to.
Tensor expanded(const Tensor& x, IntArrayRef sizes);

/// linear without a bias, for rules.
inline Tensor linear_of(const Tensor& x, const Tensor& w) { return dispatch::call1(linear_op, {&x, &w}); }

}  // namespace strata
