// The public functions of QR, eigenvalues and singular values, and what is told by them: pseudo-inverses, ranks, norms
// and condition numbers.
#include <cmath>
#include <limits>

#include "ops/as_result.h"
#include "ops/factor.h"
#include "ops/factor_rules.h"
#include "ops/ternary.h"
#include "ops/unary.h"

namespace strata {

using namespace factor;

namespace {

double epsilon(const Tensor& a) { return to_real_dtype(a.dtype()) == kFloat ? 0x1p-23 : 0x1p-52; }

bool is_upper(const char* op, std::string_view uplo) {
  const char c = uplo.empty() ? ' ' : uplo[0];
  STRATA_CHECK(c == 'L' || c == 'l' || c == 'U' || c == 'u', "{}: UPLO is \"L\" or \"U\", got \"{}\"", op, uplo);
  return c == 'U' || c == 'u';
}

/// Values up to this count as zero, `largest` being the largest of them: `(..., 1)`.
Tensor tolerance(const Tensor& a, const Tensor& largest, std::optional<double> atol, std::optional<double> rtol) {
  const double relative = rtol                ? *rtol
                          : atol && *atol > 0 ? 0
                                              : epsilon(a) * static_cast<double>(std::max(a.size(-2), a.size(-1)));
  const Tensor tolerated = largest.mul(relative);
  return atol && *atol > 0 ? clamp_min(tolerated, *atol) : tolerated;
}

/// The same with tolerances for each matrix.
Tensor tolerance(const Tensor& a, const Tensor& largest, OptionalTensorRef atol, OptionalTensorRef rtol) {
  for (const OptionalTensorRef& given : {atol, rtol})
    STRATA_CHECK(!given || !is_complex(given->dtype()), "linalg: a tolerance must be real, got {}",
                 name(given->dtype()));
  Tensor relative = full({}, epsilon(a) * static_cast<double>(std::max(a.size(-2), a.size(-1))), largest.options());
  if (rtol)
    relative = *rtol;
  else if (atol)
    relative = where(gt(*atol, 0), zeros({}, largest.options()), relative);
  const Tensor tolerated = largest.mul(unsqueeze(relative, -1));
  return atol ? maximum(tolerated, unsqueeze(*atol, -1)) : tolerated;
}

/// Throws if LAPACK gave up on a matrix, whose values `(..., k)` then are NaN: it met one in the matrix, or an
/// infinity. On a device the values stay NaN: a look at them would make the host wait.
void check_values(const char* op, const Tensor& values) {
  if (values.size(-1) == 0 || !values.is_cpu()) return;
  const Tensor failed = isnan(select(stop_gradient(values), -1, 0)).to(kInt);
  check_info(op, failed, "has elements that are not finite, or its values did not converge", 0);
}

/// V diag(w) U^H with the inverses of the values above the tolerance; the values' signs may be negative.
template <class Tolerance>
Tensor pseudo_inverse(const Tensor& a, const Tolerance& atol, const Tolerance& rtol, bool hermitian) {
  DimVector sizes = leading(a);
  sizes.push_back(a.size(-1)), sizes.push_back(a.size(-2));
  if (a.size(-1) == 0 || a.size(-2) == 0) return zeros(sizes, a.options());
  const Tensors f = hermitian ? call(eigh_op, {&a}, EighParams{false}) : call(svd_op, {&a}, SvdParams{false});
  check_values("linalg.pinv", hermitian ? f[0] : f[1]);
  const Tensor &s = hermitian ? f[0] : f[1], size = hermitian ? s.abs() : s;
  const Tensor largest = hermitian ? amax(size, {-1}, true) : cols(s, 0, 1);
  const Tensor kept = size.gt(tolerance(a, largest, atol, rtol));
  const Tensor inverted = where(kept, where(kept, s, ones_like(s)).reciprocal(), zeros_like(s));
  const Tensor v = hermitian ? f[1] : adjoint(f[2]), uh = adjoint(hermitian ? f[1] : f[0]);
  return matmul(scale_columns(v, inverted), uh);
}

Tensor values_of(const char* op, const Tensor& a, bool hermitian) {
  check_matrix(op, a);
  return hermitian ? linalg::eigvalsh(a).abs() : linalg::svdvals(a);
}

template <class Tolerance>
Tensor pseudo_inverse_op(const Tensor& a, const Tolerance& atol, const Tolerance& rtol, bool hermitian) {
  hermitian ? check_square("linalg.pinv", a) : check_matrix("linalg.pinv", a);
  const Tensor constant = pseudo_inverse(stop_gradient(a), atol, rtol, hermitian);
  return call1(pinv_op, {&a, &constant});
}

template <class Tolerance>
Tensor count_values(const Tensor& a, const Tolerance& atol, const Tolerance& rtol, bool hermitian) {
  const Tensor s = values_of("linalg.matrix_rank", stop_gradient(a), hermitian);
  if (s.size(-1) == 0) return zeros(leading(a), a.options().dtype(kLong));
  return s.gt(tolerance(a, amax(s, {-1}, true), atol, rtol)).sum({-1});
}

}  // namespace

namespace linalg {

std::tuple<Tensor, Tensor> qr(const Tensor& A, std::string_view mode) {
  check_matrix("linalg.qr", A);
  STRATA_CHECK(mode == "reduced" || mode == "complete" || mode == "r",
               "linalg.qr: mode is \"reduced\", \"complete\" or \"r\", got \"{}\"", mode);
  Tensors f = call(qr_op, {&A}, QrParams{mode == "complete"});
  return {mode == "r" ? empty({0}, A.options()) : f[0], f[1]};
}

std::tuple<Tensor, Tensor> eigh(const Tensor& A, std::string_view UPLO) {
  check_square("linalg.eigh", A);
  Tensors f = call(eigh_op, {&A}, EighParams{is_upper("linalg.eigh", UPLO)});
  check_values("linalg.eigh", f[0]);
  return {f[0], f[1]};
}
Tensor eigvalsh(const Tensor& A, std::string_view UPLO) {
  check_square("linalg.eigvalsh", A);
  const EighParams p{is_upper("linalg.eigvalsh", UPLO)};
  const Tensor w = call1(dispatch::is_gradient_wanted(A) ? eigh_op : eigvalsh_op, {&A}, p);
  check_values("linalg.eigvalsh", w);
  return w;
}

std::tuple<Tensor, Tensor, Tensor> svd(const Tensor& A, bool full_matrices, std::optional<std::string_view>) {
  check_matrix("linalg.svd", A);
  Tensors f = call(svd_op, {&A}, SvdParams{full_matrices});
  check_values("linalg.svd", f[1]);
  return {f[0], f[1], f[2]};
}
Tensor svdvals(const Tensor& A, std::optional<std::string_view>) {
  check_matrix("linalg.svdvals", A);
  const Tensor s = dispatch::is_gradient_wanted(A) ? call(svd_op, {&A}, SvdParams{false})[1] : call1(svdvals_op, {&A});
  check_values("linalg.svdvals", s);
  return s;
}

Tensor matrix_sqrth(const Tensor& A) {
  check_square("linalg.matrix_sqrth", A);
  const auto [w, q] = linalg::eigh(stop_gradient(A));
  const Tensor root = matmul(scale_columns(q, sqrt(clamp_min(w, 0))), adjoint(q));
  return call1(matrix_sqrth_op, {&A, &root});
}

Tensor pinv(const Tensor& A, std::optional<double> atol, std::optional<double> rtol, bool hermitian) {
  return pseudo_inverse_op(A, atol, rtol, hermitian);
}
Tensor pinv(const Tensor& A, OptionalTensorRef atol, OptionalTensorRef rtol, bool hermitian) {
  return pseudo_inverse_op(A, atol, rtol, hermitian);
}
Tensor pinv(const Tensor& A, const Tensor& rcond, bool hermitian) { return pinv(A, std::nullopt, rcond, hermitian); }
Tensor pinv(const Tensor& A, double rcond, bool hermitian) { return pinv(A, std::nullopt, rcond, hermitian); }
Tensor pinv(const Tensor& A) { return pinv(A, std::nullopt, std::nullopt); }

Tensor matrix_rank(const Tensor& A, std::optional<double> atol, std::optional<double> rtol, bool hermitian) {
  return count_values(A, atol, rtol, hermitian);
}
Tensor matrix_rank(const Tensor& A, OptionalTensorRef atol, OptionalTensorRef rtol, bool hermitian) {
  return count_values(A, atol, rtol, hermitian);
}
Tensor matrix_rank(const Tensor& A, const Tensor& tol, bool hermitian) {
  return matrix_rank(A, tol, zeros({}, tol.options()), hermitian);
}
Tensor matrix_rank(const Tensor& A, double tol, bool hermitian) { return matrix_rank(A, tol, 0.0, hermitian); }
Tensor matrix_rank(const Tensor& A) { return matrix_rank(A, std::nullopt, std::nullopt); }

}  // namespace linalg

namespace {

/// `A` with the dims of a norm brought to the end, and what becomes of the result.
struct NormDims {
  NormDims(const Tensor& a, IntArrayRef dim, std::optional<DType> dtype) {
    STRATA_CHECK(dim.size() == 2 && a.dim() >= 2,
                 "linalg.matrix_norm: expected two dims of a matrix, got {} of shape {}", dim, a.sizes());
    first = wrap_dim(dim[0], a.dim(), "linalg.matrix_norm");
    second = wrap_dim(dim[1], a.dim(), "linalg.matrix_norm");
    STRATA_CHECK(first != second, "linalg.matrix_norm: dim {} appears twice", first);
    matrix = movedim(dtype ? a.to(*dtype) : a, {first, second}, {-2, -1});
    STRATA_CHECK(is_differentiable(matrix.dtype()),
                 "linalg.matrix_norm: expected a floating point or complex dtype, got {}", name(matrix.dtype()));
  }
  Tensor result(const Tensor& norms, bool keepdim) const {
    if (!keepdim) return norms;
    return as_result(unsqueeze(unsqueeze(norms, std::min(first, second)), std::max(first, second)));
  }
  int64_t first, second;
  Tensor matrix;
};

/// The largest or the least of the numbers, none below 0, in each line; the largest of none is the number 0, as in
/// PyTorch.
Tensor extreme(const Tensor& x, bool largest) {
  if (largest && x.size(-1) == 0) return stop_gradient(x).sum({-1});
  STRATA_CHECK(x.size(-1) > 0, "linalg.matrix_norm: the least norm of matrices without elements is not defined");
  return largest ? amax(x, {-1}) : amin(x, {-1});
}

Tensor norm_by_number(const Tensor& a, double ord) {
  const double size = std::abs(ord);
  STRATA_CHECK(size == 1 || size == 2 || std::isinf(size),
               "linalg.matrix_norm: ord is 1, -1, 2, -2, inf, -inf, \"fro\" or \"nuc\", got {}", ord);
  if (size == 2) return extreme(linalg::svdvals(a), ord > 0);
  return extreme(a.abs().sum({size == 1 ? -2 : -1}), ord > 0);
}

Tensor norm_by_name(const Tensor& a, std::string_view ord) {
  STRATA_CHECK(ord == "fro" || ord == "nuc", "linalg.matrix_norm: ord is a number, \"fro\" or \"nuc\", got \"{}\"",
               ord);
  return ord == "fro" ? linalg_vector_norm(a, 2, {-2, -1}) : linalg::svdvals(a).sum({-1});
}

/// With an order, linalg.norm takes vectors and matrices, unless it is told the dims of them.
void check_without_dim(const Tensor& a, const OptionalIntArrayRef& dim) {
  STRATA_CHECK(dim.has_value() || a.dim() <= 2,
               "linalg.norm: with ord, but without dim, expected 1 or 2 dims, got shape {}", a.sizes());
}

/// Does linalg.norm mean a matrix?
bool is_matrix_norm(const Tensor& a, bool has_ord, const OptionalIntArrayRef& dim) {
  if (dim.has_value()) return has_ord && (*dim).size() == 2;
  if (has_ord) check_without_dim(a, dim);
  return has_ord && a.dim() == 2;
}

DimVector dims_or(const OptionalIntArrayRef& dim, IntArrayRef otherwise) { return dim.has_value() ? *dim : otherwise; }

/// What PyTorch gives for matrices without elements.
Tensor no_condition(const Tensor& a) { return zeros(leading(a), a.options().dtype(to_real_dtype(a.dtype()))); }

/// p-norm of A times that of its inverse; infinite where there is no inverse.
template <class Norm>
Tensor cond_by_inverse(const Tensor& a, Norm norm) {
  check_square("linalg.cond", a);
  if (a.numel() == 0) return no_condition(a);
  const auto [inverse, info] = linalg::inv_ex(a);
  return where(info.ne(0), std::numeric_limits<double>::infinity(), norm(a).mul(norm(inverse)));
}

}  // namespace

namespace linalg {

Tensor matrix_norm(const Tensor& A, const Scalar& ord, IntArrayRef dim, bool keepdim, std::optional<DType> dtype) {
  const NormDims dims(A, dim, dtype);
  return dims.result(norm_by_number(dims.matrix, ord.toDouble()), keepdim);
}
Tensor matrix_norm(const Tensor& A, std::string_view ord, IntArrayRef dim, bool keepdim, std::optional<DType> dtype) {
  const NormDims dims(A, dim, dtype);
  return dims.result(norm_by_name(dims.matrix, ord), keepdim);
}
Tensor vector_norm(const Tensor& x, const Scalar& ord, OptionalIntArrayRef dim, bool keepdim,
                   std::optional<DType> dtype) {
  return linalg_vector_norm(x, ord, dims_or(dim, {}), keepdim, dtype);
}
Tensor norm(const Tensor& A, const std::optional<Scalar>& ord, OptionalIntArrayRef dim, bool keepdim,
            std::optional<DType> dtype) {
  if (is_matrix_norm(A, ord.has_value(), dim)) return matrix_norm(A, *ord, dims_or(dim, {-2, -1}), keepdim, dtype);
  return linalg_vector_norm(A, ord.value_or(2), dims_or(dim, {}), keepdim, dtype);
}
Tensor norm(const Tensor& A, std::string_view ord, OptionalIntArrayRef dim, bool keepdim, std::optional<DType> dtype) {
  check_without_dim(A, dim);
  return matrix_norm(A, ord, dims_or(dim, {-2, -1}), keepdim, dtype);
}

Tensor cond(const Tensor& A, const std::optional<Scalar>& p) {
  check_matrix("linalg.cond", A);
  const double ord = p.value_or(2).toDouble();
  if (std::abs(ord) != 2) return cond_by_inverse(A, [ord](const Tensor& a) { return norm_by_number(a, ord); });
  if (A.numel() == 0) return no_condition(A);
  const Tensor s = svdvals(A);
  const Tensor most = select(s, -1, 0), least = select(s, -1, -1);
  return ord > 0 ? most.div(least) : least.div(most);
}
Tensor cond(const Tensor& A, std::string_view p) {
  return cond_by_inverse(A, [p](const Tensor& a) { return norm_by_name(a, p); });
}

}  // namespace linalg

Tensor pinverse(const Tensor& A, double rcond) { return linalg::pinv(A, rcond); }
std::tuple<Tensor, Tensor, Tensor> svd(const Tensor& A, bool some, bool compute_uv) {
  if (compute_uv) {
    const auto [u, s, vh] = linalg::svd(A, !some);
    return {u, s, as_result(adjoint(vh))};
  }
  const Tensor s = linalg::svdvals(A);
  DimVector u = leading(A), v = u;
  u.push_back(A.size(-2)), u.push_back(A.size(-2));
  v.push_back(A.size(-1)), v.push_back(A.size(-1));
  return {zeros(u, A.options()), s, zeros(v, A.options())};
}
std::tuple<Tensor, Tensor> qr(const Tensor& A, bool some) { return linalg::qr(A, some ? "reduced" : "complete"); }
Tensor frobenius_norm(const Tensor& A, IntArrayRef dim, bool keepdim) {
  STRATA_CHECK(dim.size() <= 2, "frobenius_norm: Expected at most 2 dimensions, but got {} dimensions instead",
               static_cast<int64_t>(dim.size()));
  return linalg_vector_norm(A, 2, dim, keepdim);
}
Tensor nuclear_norm(const Tensor& A, bool keepdim) { return linalg::matrix_norm(A, "nuc", {-2, -1}, keepdim); }
Tensor nuclear_norm(const Tensor& A, IntArrayRef dim, bool keepdim) {
  return linalg::matrix_norm(A, "nuc", dim, keepdim);
}

Tensor Tensor::pinverse(double rcond) const { return strata::pinverse(*this, rcond); }
std::tuple<Tensor, Tensor> Tensor::qr(bool some) const { return strata::qr(*this, some); }
std::tuple<Tensor, Tensor, Tensor> Tensor::svd(bool some, bool compute_uv) const {
  return strata::svd(*this, some, compute_uv);
}

}  // namespace strata
