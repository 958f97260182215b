// Eigenvalues of matrices of any kind: ops, rules and functions; the formulas are linalg_eig_backward's and
// linalg_eig_jvp's of PyTorch's FunctionsManual.cpp.
#include "ops/eigen.h"

#include "core/grad_mode.h"
#include "ops/eigen_def.h"
#include "ops/factor.h"
#include "ops/factor_rules.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/without_slope.h"

namespace strata {

using namespace factor;

namespace {

Meta complex_meta_with(const Tensor& a, std::initializer_list<int64_t> last) {
  return meta_with(a, last, to_complex_dtype(a.dtype()));
}

/// [[Re, -Im], [Im, Re]]: complex matrices as real ones of twice the side.
Tensor as_real_blocks(const Tensor& x) {
  const Tensor re = real(x), im = imag(x);
  return cat({cat({re, im.neg()}, -1), cat({im, re}, -1)}, -2);
}

/// A^-1 B without a look at A's codes. On devices that factor real matrices alone, by such ones.
Tensor solved(const Tensor& a, const Tensor& b) {
  if (a.is_cpu()) return std::get<0>(linalg::solve_ex(a, b));
  const int64_t n = a.size(-1);
  const Tensor parts = std::get<0>(linalg::solve_ex(as_real_blocks(a), cat({real(b), imag(b)}, -2)));
  return complex(rows(parts, 0, n).contiguous(), rows(parts, n, n).contiguous());
}

/// w[j] - w[i] at i, j, with ones on the diagonal.
Tensor gaps(const Tensor& w) { return unsqueeze(w, -2).sub(unsqueeze(w, -1)).add(eye(w.size(-1), w.options())); }

Tensor without_diagonal(const Tensor& x) { return x.sub(diag_embed(matrix_diagonal(x))); }

/// x's columns times the real parts of the diagonal of `d`.
Tensor scaled_by_real_diagonal(const Tensor& x, const Tensor& d) {
  return scale_columns(x, real(matrix_diagonal(d)).to(x.dtype()));
}

/// The part of a gradient that a real A takes.
Tensor as_kind_of(const Tensor& grad, const Tensor& a) {
  return is_complex(a.dtype()) ? grad : real(grad).contiguous();
}

/// gA = V^-H (diag(gw) + (V^H gV - V^H V Re(diag(V^H gV))) / conj(E)) V^H with E[i, j] = w[j] - w[i]: what moves a
/// vector along itself does not count.
Tensor eig_vjp(const Vjp& c) {
  const Tensor &w = c.out(0), &v = c.out(1), vh = adjoint(v);
  Tensor inner;
  if (c.grad(1).defined()) {
    const Tensor g = matmul(vh, c.grad(1));
    inner = without_diagonal(g.sub(scaled_by_real_diagonal(matmul(vh, v), g)).div(conj(gaps(w))));
  }
  if (c.grad(0).defined()) inner = plus(inner, diag_embed(c.grad(0)));
  return as_kind_of(solved(vh, matmul(inner, vh)), c.in(0));
}

Tensors eig_jvp(const Jvp& c) {
  const Tensor &w = c.out(0), &v = c.out(1);
  const Tensor moved = solved(v, matmul(c.tangent().to(v.dtype()), v));
  const Tensor dv = matmul(v, without_diagonal(moved.div(gaps(w))));
  return {matrix_diagonal(moved).contiguous(), dv.sub(scaled_by_real_diagonal(v, matmul(adjoint(v), dv)))};
}

void check_finite(const char* op, const Tensor& values) {
  if (values.numel() == 0 || !values.is_cpu()) return;
  const Tensor failed = isnan(real(select(stop_gradient(values), -1, 0))).to(kInt);
  check_info(op, failed, "has elements that are infs or NaNs, or its eigenvalues did not converge", 0);
}

}  // namespace

STRATA_OP(eig_op) = op("eig(Tensor A) -> (Tensor w, Tensor V)")
                        .flag(kNeedsLapack)
                        .infer([](Args in) {
                          const int64_t n = in[0].size(-1);
                          return Metas(complex_meta_with(in[0], {n}), complex_meta_with(in[0], {n, n}));
                        })
                        .vjp([](const Vjp& c) -> Tensors { return eig_vjp(c); })
                        .saves(saves_shape(0) | saves_out(0, 1))
                        .jvp([](const Jvp& c) { return eig_jvp(c); })
                        .batch(pointwise_batch)
                        .dtypes(kSingleAndDouble | kComplexTypes);

STRATA_OP(eigvals_op) = op("eigvals(Tensor A) -> Tensor")
                            .flag(kNeedsLapack)
                            .infer([](Args in) { return complex_meta_with(in[0], {in[0].size(-1)}); })
                            .vjp([](const Vjp& c) -> Tensors {
                              const Tensor vh = adjoint(call(eig_op, {&c.in(0)})[1]);
                              return as_kind_of(solved(vh, scale_rows(vh, c.grad())), c.in(0));
                            })
                            .saves(saves_in(0))
                            .jvp([](const Jvp& c) -> Tensors {
                              const Tensor v = call(eig_op, {&c.in(0)})[1];
                              return matrix_diagonal(solved(v, matmul(c.tangent().to(v.dtype()), v))).contiguous();
                            })
                            .batch(pointwise_batch)
                            .dtypes(kSingleAndDouble | kComplexTypes);

STRATA_OP(geqrf_op) = op("geqrf(Tensor A) -> (Tensor a, Tensor tau)")
                          .flag(kNeedsLapack)
                          .flag(kNotDifferentiable)
                          .infer([](Args in) {
                            return Metas(meta_like(in[0]),
                                         meta_with(in[0], {std::min(in[0].size(-2), in[0].size(-1))}));
                          })
                          .batch(pointwise_batch)
                          .dtypes(kSingleAndDouble | kComplexTypes);

namespace linalg {

std::tuple<Tensor, Tensor> eig(const Tensor& A) {
  check_square("linalg.eig", A);
  Tensors f = call(eig_op, {&A});
  check_finite("linalg.eig", f[0]);
  return {f[0], f[1]};
}
Tensor eigvals(const Tensor& A) {
  check_square("linalg.eigvals", A);
  // A gradient takes the vectors.
  const Tensor w = dispatch::is_gradient_wanted(A) ? call(eig_op, {&A})[0] : call1(eigvals_op, {&A});
  check_finite("linalg.eigvals", w);
  return w;
}
std::tuple<Tensor, Tensor> polar(const Tensor& A) {
  check_matrix("linalg.polar", A);
  STRATA_CHECK(A.size(-2) >= A.size(-1), "linalg.polar: expected at least as many rows as columns, got shape {}",
               A.sizes());
  const auto [u, s, vh] = linalg::svd(A, false);
  return {matmul(u, vh), matmul(scale_columns(adjoint(vh), s), vh)};
}

}  // namespace linalg

std::tuple<Tensor, Tensor> geqrf(const Tensor& A) {
  check_matrix("geqrf", A);
  Tensors f = call(geqrf_op, {&A});
  return {without_slope(f[0], A, NoSlope::kGeqrf), without_slope(f[1], A, NoSlope::kGeqrf)};
}

// Of Q = H1 H2 … and Q^H = … H2^H H1^H the factor beside `other` acts first.
Tensor ormqr(const Tensor& A, const Tensor& tau, const Tensor& other, bool left, bool transpose) {
  check_matrix("ormqr", A);
  check_matrix("ormqr", other);
  const int64_t m = A.size(-2), k = tau.dim() ? tau.size(-1) : 0;
  STRATA_CHECK(tau.dim() + 1 == A.dim() && k <= A.size(-1) && k <= m && other.size(left ? -2 : -1) == m,
               "ormqr: shapes {}, {} and {} do not fit: expected (..., m, k), (..., k) and a side of m", A.sizes(),
               tau.sizes(), other.sizes());
  if (k == 0) return other.add(per_matrix(cols(A, 0, 0).sum({-2, -1}).add(tau.sum({-1}))));
  const Tensor v = tril(cols(A, 0, k), -1).add(eye(m, k, A.options())), t = transpose ? conj(tau) : tau;
  Tensor x = other;
  for (int64_t step = 0; step < k; ++step) {
    const int64_t i = left == transpose ? step : k - 1 - step;
    const Tensor column = cols(v, i, 1), factor = per_matrix(select(t, -1, i));
    x = left ? x.sub(matmul(column.mul(factor), matmul(adjoint(column), x)))
             : x.sub(matmul(matmul(x, column), adjoint(column).mul(factor)));
  }
  return x;
}

Tensor Tensor::matrix_H() const {
  STRATA_CHECK(dim() == 2, "matrix_H: only supported on matrices (2-D tensors), got shape {}", sizes());
  return mH();
}
std::tuple<Tensor, Tensor> Tensor::geqrf() const { return strata::geqrf(*this); }
Tensor Tensor::ormqr(const Tensor& tau, const Tensor& other, bool left, bool transpose) const {
  return strata::ormqr(*this, tau, other, left, transpose);
}

}  // namespace strata
