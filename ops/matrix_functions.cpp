// Powers, exponentials and products of matrices, and small functions of vectors: made of other ops.
#include <algorithm>
#include <cmath>

#include "core/called.h"
#include "ops/as_result.h"
#include "ops/cast.h"
#include "ops/factor.h"
#include "ops/factor_rules.h"
#include "ops/linalg_def.h"
#include "ops/promote.h"
#include "ops/rules.h"
#include "ops/scan.h"
#include "ops/scan_def.h"
#include "ops/ternary.h"
#include "ops/unary.h"

namespace strata {

using namespace factor;

namespace {

/// exp(a) to rounding for a 1-norm up to `kTaylorNorm` by five products: Bader, Blanes, Casas, "Computing the matrix
/// exponential with an optimized Taylor polynomial approximation" (Mathematics 2019, 7, 1174), degree 18.
Tensor taylor18(const Tensor& a) {
  // Of the identity, a, a^2, a^3 and a^6.
  constexpr double kFactors[5][5] = {
      {0, -1.00365581030144618291e-01, -8.02924648241156932449e-03, -8.92138498045729985177e-04, 0},
      {0, 3.97849749499645077844e-01, 1.36783778460411720168e+00, 4.98289622525382669416e-01,
       -6.37898194594723280150e-04},
      {-1.09676396052962061844e+01, 1.68015813878906206114e+00, 5.71779846478865511061e-02, -6.98210122488052056106e-03,
       3.34975017086070470649e-05},
      {-9.04316832390810593223e-02, -6.76404519071381882256e-02, 6.75961301770459654925e-02, 2.95552570429315521194e-02,
       -1.39180257516060693404e-05},
      {0, 0, -9.23364619367118555360e-02, -1.69364939002081722752e-02, -1.40086798182036094347e-05}};
  const Tensor a2 = matmul(a, a), a3 = matmul(a, a2), a6 = matmul(a3, a3), one = identity_like(a);
  const auto sum = [&](int i) {
    const double* const f = kFactors[i];
    Tensor s = a2.mul(f[2]).add(a3.mul(f[3]));
    if (f[1] != 0) s = s.add(a.mul(f[1]));
    if (f[4] != 0) s = s.add(a6.mul(f[4]));
    return f[0] != 0 ? s.add(one.mul(f[0])) : s;
  };
  const Tensor a9 = matmul(sum(0), sum(4)).add(sum(3));
  return sum(1).add(matmul(sum(2).add(a9), a9));
}

/// `value` of A's shape as a function of A that A does not change: it has a graph, and the gradient is zero.
Tensor constant_in(const Tensor& A, const Tensor& value) {
  return where(constant(0, kBool, A.device(), A.sizes()), A, value);
}

// Norms for which the polynomial is exact to rounding, from the same paper.
constexpr double kTaylorNormDouble = 1.090863719290036, kTaylorNormFloat = 3.010066362817634;
// Squarings where the norms cannot be read, and the most of all: exp overflows long before.
constexpr int64_t kBlindSquarings = 20, kMostSquarings = 64;

/// How often each matrix must be halved, `(...)`.
Tensor squarings(const Tensor& norm, double limit) {
  constexpr double kMost = static_cast<double>(kMostSquarings);
  return ceil(clamp(nan_to_num(log2(norm.div(limit)), 0, kMost, 0), 0, kMost));
}

/// The largest of `counts`, or a guess where they cannot be read.
int64_t rounds(const Tensor& counts) {
  const Tensor known = readable("linalg.matrix_exp", counts);
  if (!known.defined()) return kBlindSquarings;
  return known.numel() == 0 ? 0 : static_cast<int64_t>(max(known).item<double>());
}

}  // namespace

namespace linalg {

Tensor matrix_power(const Tensor& A, int64_t n) {
  check_square("linalg.matrix_power", A);
  if (n == 0) return constant_in(A, expand(identity_like(A), A.sizes())).contiguous();
  Tensor square = n < 0 ? inv(A) : A, result;
  for (uint64_t bits = n < 0 ? 0 - static_cast<uint64_t>(n) : static_cast<uint64_t>(n); bits; bits >>= 1) {
    if (bits & 1) result = result.defined() ? matmul(result, square) : square;
    if (bits > 1) square = matmul(square, square);
  }
  return result.is_same(A) ? A.clone(MemoryFormat::Contiguous) : result;
}

Tensor matrix_exp(const Tensor& A) {
  const Called called;
  check_square("linalg.matrix_exp", A);
  if (A.numel() == 0) return A.clone();
  const double limit = to_real_dtype(A.dtype()) == kFloat ? kTaylorNormFloat : kTaylorNormDouble;
  const Tensor norm = amax(stop_gradient(A).abs().sum({-2}), {-1});
  const Tensor wanted = squarings(norm, limit);
  const int64_t steps = rounds(wanted);
  const Tensor unfinished = wanted.gt(steps), count = where(unfinished, steps, wanted);
  Tensor x = taylor18(A.mul(per_matrix(exp2(count.neg()))));
  for (int64_t i = 0; i < steps; ++i) {
    // Finished matrices are kept; what is squared in their place is zero, so that nothing overflows.
    const Tensor active = expand(per_matrix(count.gt(i)), x.sizes()), y = where(active, x, zeros_like(x));
    x = where(active, matmul(y, y), x);
  }
  return steps == kBlindSquarings ? where(per_matrix(unfinished), NAN, x) : x;
}

Tensor multi_dot(TensorList tensors) {
  const size_t n = tensors.size();
  STRATA_CHECK(n >= 2, "linalg.multi_dot: expected at least two tensors, got {}", n);
  const bool row = tensors[0].dim() == 1, column = tensors[n - 1].dim() == 1;
  std::vector<Tensor> matrices;
  for (size_t i = 0; i < n; ++i) {
    const bool as_row = i == 0 && row, as_column = i + 1 == n && column;
    matrices.push_back(as_row || as_column ? unsqueeze(tensors[i], as_row ? 0 : 1) : tensors[i]);
  }
  for (size_t i = 0; i + 1 < n; ++i) {
    const Tensor &a = matrices[i], &b = matrices[i + 1];
    STRATA_CHECK(a.dim() == 2 && b.dim() == 2 && a.size(1) == b.size(0),
                 "linalg.multi_dot: tensors {} and {} of shapes {} and {} cannot be multiplied", i, i + 1,
                 tensors[i].sizes(), tensors[i + 1].sizes());
  }
  Tensor product = chain_matmul(matrices);
  if (row) product = squeeze(product, 0);
  return as_result(column ? squeeze(product, -1) : product);
}

Tensor vecdot(const Tensor& x, const Tensor& y, int64_t dim) {
  for (const Tensor* t : {&x, &y})
    STRATA_CHECK(is_differentiable(t->dtype()), "linalg.vecdot: expected floating point or complex vectors, got {}",
                 name(t->dtype()));
  return conj(x).mul(y).sum({dim});
}

Tensor cross(const Tensor& a, const Tensor& b, int64_t dim) {
  const auto both = broadcast_tensors({a, b});
  const int64_t d = wrap_dim(dim, both[0].dim(), "linalg.cross");
  STRATA_CHECK(a.dim() == b.dim() && a.size(d) == 3 && b.size(d) == 3,
               "linalg.cross: expected vectors of 3 along dim {}, got shapes {} and {}", dim, a.sizes(), b.sizes());
  const DType t = result_type(a, b);
  STRATA_CHECK_AS(NotImplementedError, t != kBool, "linalg.cross: not implemented for bool; convert it with to()");
  const Tensor x = cast(both[0], t), y = cast(both[1], t);
  return call1(cross_op, {&x, &y}, CrossParams{d});
}

namespace {
/// The powers 0, ..., n - 1 of x `(...)`, as `(..., n)`, for the function of that name; from the highest to the lowest
/// if `falling`.
Tensor powers_of(const char* name, const Tensor& x, int64_t n, bool falling = false) {
  STRATA_CHECK(n >= 0, "{}: N must be non-negative, got {}", name, n);
  STRATA_CHECK_AS(NotImplementedError, x.dtype() != kBool, "{}: not implemented for bool; convert it with to()", name);
  const Tensor base = unsqueeze(is_differentiable(x.dtype()) ? x : x.to(kLong), -1);
  DimVector sizes = x.sizes();
  sizes.push_back(std::max<int64_t>(n - 1, 0));
  if (n == 0) return zeros(sizes, base.options().requires_grad(false));
  const Tensor repeated = expand(base, sizes), one = ones_like(base);
  if (!falling) return cat({one, cumprod(repeated, -1)}, -1);
  return cat({call1(cumprod_op, {&repeated}, ScanParams{repeated.dim() - 1, true}), one}, -1);
}
}  // namespace

Tensor vander(const Tensor& x, std::optional<int64_t> N) {
  const Tensor numbers = x.dim() ? x : unsqueeze(x, 0);
  const int64_t n = N.value_or(numbers.size(-1));
  STRATA_CHECK(n > 1, "linalg.vander: N must be greater than 1, got {}", n);
  return powers_of("linalg.vander", numbers, n);
}

Tensor diagonal(const Tensor& A, int64_t offset, int64_t dim1, int64_t dim2) {
  return strata::diagonal(A, offset, dim1, dim2);
}

Tensor tensorsolve(const Tensor& A, const Tensor& B, OptionalIntArrayRef dims) {
  Tensor a = A;
  if (dims.has_value()) {
    DimVector last;
    for (size_t i = 0; i < (*dims).size(); ++i)
      last.push_back(static_cast<int64_t>(i) - static_cast<int64_t>((*dims).size()));
    a = movedim(A, *dims, last);
  }
  STRATA_CHECK(a.dim() >= B.dim(), "linalg.tensorsolve: shapes {} and {} do not fit", A.sizes(), B.sizes());
  const IntArrayRef x = a.sizes().slice(static_cast<size_t>(B.dim()));
  const int64_t n = B.numel();
  STRATA_CHECK(numel_of(x) == n && a.numel() == n * n,
               "linalg.tensorsolve: shape {} is no square map to {}: {} elements to {}", a.sizes(), B.sizes(),
               numel_of(x), n);
  return as_result(reshape(solve(reshape(a, {n, n}), reshape(B, {n})), x));
}

Tensor tensorinv(const Tensor& A, int64_t ind) {
  STRATA_CHECK(ind > 0 && ind <= A.dim(), "linalg.tensorinv: ind is {}, expected 1 to {}", ind, A.dim());
  const IntArrayRef first = A.sizes().slice(0, static_cast<size_t>(ind)),
                    last = A.sizes().slice(static_cast<size_t>(ind));
  const int64_t n = numel_of(first);
  STRATA_CHECK(numel_of(last) == n, "linalg.tensorinv: shape {} is no square map: {} elements to {}", A.sizes(),
               numel_of(last), n);
  DimVector sizes = last;
  for (const int64_t s : first) sizes.push_back(s);
  return as_result(reshape(inv(reshape(A, {n, n})), sizes));
}

// H_1 ... H_k on the first n columns of the identity, the last reflection first.
Tensor householder_product(const Tensor& A, const Tensor& tau) {
  check_matrix("linalg.householder_product", A);
  const int64_t m = A.size(-2), n = A.size(-1), k = tau.dim() ? tau.size(-1) : 0;
  STRATA_CHECK(
      m >= n && n >= k && tau.dim() + 1 == A.dim() && tau.dtype() == A.dtype(),
      "linalg.householder_product: shapes {} and {} do not fit: expected (..., m, n) and (..., k) with m >= n >= k "
      "of one dtype",
      A.sizes(), tau.sizes());
  Tensor q = expand(eye(m, n, A.options()), A.sizes());
  const Tensor v = tril(cols(A, 0, k), -1).add(eye(m, k, A.options()));
  for (int64_t i = k - 1; i >= 0; --i) {
    const Tensor column = cols(v, i, 1), scaled = column.mul(per_matrix(select(tau, -1, i)));
    q = q.sub(matmul(scaled, matmul(adjoint(column), q)));
  }
  return k ? q : constant_in(A, q).add(per_matrix(tau.sum({-1})));
}

}  // namespace linalg

Tensor matrix_power(const Tensor& A, int64_t n) { return linalg::matrix_power(A, n); }
Tensor matrix_exp(const Tensor& A) { return linalg::matrix_exp(A); }
Tensor orgqr(const Tensor& A, const Tensor& tau) { return linalg::householder_product(A, tau); }
Tensor cross(const Tensor& a, const Tensor& b, std::optional<int64_t> dim) {
  if (dim) return linalg::cross(a, b, *dim);
  for (int64_t d = 0; d < a.dim(); ++d)
    if (a.size(d) == 3) return linalg::cross(a, b, d);
  STRATA_THROW("cross: no dim of shape {} has size 3", a.sizes());
}
Tensor vander(const Tensor& x, std::optional<int64_t> N, bool increasing) {
  STRATA_CHECK(x.dim() == 1, "vander: expected a vector, got shape {}", x.sizes());
  return linalg::powers_of("vander", x, N.value_or(x.size(0)), !increasing);
}

Tensor Tensor::matrix_power(int64_t n) const { return strata::matrix_power(*this, n); }
Tensor Tensor::matrix_exp() const { return strata::matrix_exp(*this); }
Tensor Tensor::orgqr(const Tensor& tau) const { return strata::orgqr(*this, tau); }
Tensor Tensor::cross(const Tensor& other, std::optional<int64_t> dim) const { return strata::cross(*this, other, dim); }

}  // namespace strata
