// Products of matrices, vectors and batches of them. Operands share one dtype; nothing is promoted.
#pragma once
#include <utility>
#include <vector>

#include "../core/tensor.h"

namespace strata {

/// `(m, k)` times `(k, n)`.
Tensor mm(const Tensor& a, const Tensor& b);
/// `(B, m, k)` times `(B, k, n)`.
Tensor bmm(const Tensor& a, const Tensor& b);
/// The product over the last two dims with the leading ones broadcast; a vector counts as a row on the left, a column
/// on the right.
Tensor matmul(const Tensor& a, const Tensor& b);
/// `(m, k)` times `(k,)`.
Tensor mv(const Tensor& a, const Tensor& v);
/// The sum of products of two vectors `(k,)`.
Tensor dot(const Tensor& a, const Tensor& b);
Tensor vdot(const Tensor& a, const Tensor& b);
Tensor inner(const Tensor& a, const Tensor& b);
/// `(m,)` and `(n,)` to all products `(m, n)`.
Tensor outer(const Tensor& a, const Tensor& b);
Tensor ger(const Tensor& a, const Tensor& b);

/// `beta * self + alpha * a b` with self broadcast to `(m, n)`; self is not read when beta is 0.
Tensor addmm(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta = 1, const Scalar& alpha = 1);
/// relu of the same, with `use_gelu` gelu by tanh on every device (PyTorch's on the CPU is by erf); one op where self
/// is one row, beta and alpha 1.
Tensor _addmm_activation(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta = 1,
                         const Scalar& alpha = 1, bool use_gelu = false);
/// The same as addmm with a vector `(k,)` for b and self broadcast to `(m,)`.
Tensor addmv(const Tensor& self, const Tensor& a, const Tensor& v, const Scalar& beta = 1, const Scalar& alpha = 1);
/// `beta * self + alpha * outer(a, b)`.
Tensor addr(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta = 1, const Scalar& alpha = 1);
/// `beta * self + alpha * bmm(a, b)` with self broadcast to `(B, m, n)`.
Tensor baddbmm(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta = 1, const Scalar& alpha = 1);
/// The same summed over the batch, with self broadcast to `(m, n)`.
Tensor addbmm(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta = 1, const Scalar& alpha = 1);

// The same into memory that is there: out has the result's shape and dtype, and may be an operand.
Tensor& mm_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& bmm_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& matmul_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& addmm_out(Tensor& out, const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta = 1,
                  const Scalar& alpha = 1);

/// `x w^T + bias` with x `(..., in)`, w `(out, in)` or `(in,)`, bias `(out,)` or undefined.
Tensor linear(const Tensor& x, const Tensor& weight, OptionalTensorRef bias = {});
/// relu of the same, weight `(out, in)`, in one op: the same bits on the CPU, one pass over memory less.
Tensor linear_relu(const Tensor& x, const Tensor& weight, OptionalTensorRef bias = {});
/// gelu by tanh of the same, as `gelu(linear(...), "tanh")`: the form that products on GPUs end with.
Tensor linear_gelu(const Tensor& x, const Tensor& weight, OptionalTensorRef bias = {});
/// `y[o] = x1^T w[o] x2 + bias[o]` with x1 `(..., in1)`, x2 `(..., in2)`, w `(out, in1, in2)`, bias `(out,)` or
/// undefined.
Tensor bilinear(const Tensor& x1, const Tensor& x2, const Tensor& weight, OptionalTensorRef bias = {});

/// Sums products over `dims_a` of a paired with `dims_b` of b; the dims left of a, then those of b, remain.
Tensor tensordot(const Tensor& a, const Tensor& b, IntArrayRef dims_a, IntArrayRef dims_b);
/// Over the last `dims` of a and the first `dims` of b.
Tensor tensordot(const Tensor& a, const Tensor& b, int64_t dims = 2);
/// The product of a chain of matrices in the order that takes the fewest multiplications.
Tensor chain_matmul(TensorList matrices);
/// All products of elements of a and b, blocks of b arranged as a's elements are.
Tensor kron(const Tensor& a, const Tensor& b);

}  // namespace strata
