// The public functions of Cholesky and LU factors and of what is solved with them: checks, then the ops.
#include <cmath>

#include "core/cuda_backend.h"
#include "core/tensor_impl.h"
#include "ops/as_result.h"
#include "ops/factor.h"
#include "ops/factor_rules.h"
#include "ops/ternary.h"
#include "ops/unary.h"

namespace strata {

using namespace factor;

void factor::check_matrix(const char* op, const Tensor& a) {
  STRATA_CHECK(a.dim() >= 2, "{}: expected a matrix or a batch of them, got shape {}", op, a.sizes());
  const DType part = to_real_dtype(a.dtype());
  STRATA_CHECK(part == kFloat || part == kDouble,
               "{}: expected float32, float64 or complex numbers of them, got {}; convert it with to()", op,
               name(a.dtype()));
}
void factor::check_square(const char* op, const Tensor& a) {
  check_matrix(op, a);
  STRATA_CHECK(a.size(-1) == a.size(-2), "{}: expected square matrices, got shape {}", op, a.sizes());
}

namespace {
/// The last `last` dims of x behind the dims `lead`.
Tensor fit(const Tensor& x, DimVector lead, size_t last) {
  for (const int64_t s : x.sizes().slice(x.sizes().size() - last)) lead.push_back(s);
  return x.sizes() == lead ? x : expand(x, lead);
}
}  // namespace

std::pair<Tensor, Tensor> factor::broadcast_leading(const char* op, const Tensor& a, const Tensor& b) {
  STRATA_CHECK(a.dtype() == b.dtype(), "{}: expected operands of the same dtype, but got {} and {}", op,
               name(a.dtype()), name(b.dtype()));
  const DimVector lead = broadcast_shapes(leading(a), leading(b), op);
  return {fit(a, lead, 2), fit(b, lead, 2)};
}

Tensor factor::readable(const char* op, const Tensor& x) {
  TensorImpl* impl = x.impl();
  try {
    while (impl->wrapper()) impl = impl->wrapper()->concrete(op);
  } catch (const Error&) {
    return {};
  }
  const Tensor plain = Tensor::share(impl);
  if (!plain.has_storage()) return {};
  if (plain.is_cuda()) cuda::refuse_capture(op);
  return plain.cpu().contiguous();
}

namespace {

/// "the matrix", "matrix 3 of the batch", "matrix (1, 2) of the batch".
std::string which_matrix(int64_t index, IntArrayRef lead) {
  if (lead.empty()) return "the matrix";
  DimVector at = lead;
  for (size_t d = lead.size(); d-- > 0; index /= lead[d]) at[d] = index % lead[d];
  return lead.size() == 1 ? detail::format_message("matrix {} of the batch", {at[0]})
                          : detail::format_message("matrix {} of the batch", {IntArrayRef(at)});
}

constexpr const char* kSingular = "is singular (U[{0}, {0}] is zero)";

}  // namespace

void factor::check_info(const char* op, const Tensor& info, const char* what, int base) {
  const Tensor codes = readable(op, info);
  if (!codes.defined()) return;
  const int32_t* const code = codes.data_ptr<int32_t>();
  for (int64_t i = 0; i < codes.numel(); ++i) {
    if (code[i] == 0) continue;
    std::string text = what;
    for (size_t at; (at = text.find("{0}")) != std::string::npos;) text.replace(at, 3, std::to_string(code[i] - base));
    throw LinAlgError(detail::format_message("{}: {} {}", {op, which_matrix(i, info.sizes()), text}));
  }
}

Tensors factor::constant_factors(const Tensor& a) {
  const Tensor constant = stop_gradient(a);
  return call(lu_factor_op, {&constant});
}

namespace {

struct Solution {
  Tensor x, info;
};

Solution solve_matrix(const Tensor& a, const Tensor& b, bool left) {
  const Tensors f = constant_factors(a);
  const DimVector lead = broadcast_shapes(leading(a), leading(b), "linalg.solve");
  const SolveParams p{.left = left, .adjoint = false};
  return {solve_with(fit(a, lead, 2), fit(b, lead, 2), fit(f[0], lead, 2), fit(f[1], lead, 1), p), f[2]};
}

/// Is `b` a vector per matrix? As PyTorch decides: by one dim, or A's shape without the last.
bool is_vector(const Tensor& a, const Tensor& b) {
  return b.dim() == 1 || (b.dim() + 1 == a.dim() && b.sizes() == a.sizes().slice(0, a.sizes().size() - 1));
}

void check_sides(const char* op, const Tensor& a, const Tensor& b, bool left) {
  STRATA_CHECK(a.dtype() == b.dtype(), "{}: expected operands of the same dtype, but got {} and {}", op,
               name(a.dtype()), name(b.dtype()));
  const int64_t side = b.size(left ? -2 : -1);
  STRATA_CHECK(side == a.size(-1), "{}: shapes {} and {} do not fit ({} vs {})", op, a.sizes(), b.sizes(), a.size(-1),
               side);
}

Solution solve_any(const char* op, const Tensor& a, const Tensor& b, bool left) {
  check_square(op, a);
  const bool vector = is_vector(a, b);
  STRATA_CHECK(!vector || left, "{}: a vector stands on the right, so left must be true", op);
  const Tensor matrix = vector ? unsqueeze(b, -1) : b;
  check_matrix(op, matrix);
  check_sides(op, a, matrix, left);
  Solution s = solve_matrix(a, matrix, left);
  if (vector) s.x = as_result(squeeze(s.x, -1));
  return s;
}

Solution invert(const char* op, const Tensor& a) {
  check_square(op, a);
  const Solution s = solve_matrix(stop_gradient(a), identity_like(a), true);
  return {call1(inverse_op, {&a, &s.x}), s.info};
}

Tensor checked(const char* op, Solution s) {
  check_info(op, s.info, kSingular, 1);
  return std::move(s.x);
}

/// The pivots are those of rows that stay where they are.
Tensors factors_without_pivots(const Tensor& a) {
  Tensors r = call(lu_plain_op, {&a});
  DimVector sizes = leading(a);
  sizes.push_back(std::min(a.size(-2), a.size(-1)));
  const Tensor order = arange(1, sizes.back() + 1, TensorOptions(kInt).device(a.device()));
  return {r[0], expand(order, sizes).contiguous(), r[1]};
}

Solution factor_cholesky(const Tensor& a, bool upper) {
  check_square("linalg.cholesky", a);
  Tensors r = call(cholesky_op, {&a}, CholeskyParams{upper});
  return {r[0], r[1]};
}
void check_cholesky(const Tensor& info) {
  check_info("linalg.cholesky", info, "is not positive-definite (its leading minor of order {0})", 0);
}

}  // namespace

namespace linalg {

std::tuple<Tensor, Tensor> cholesky_ex(const Tensor& A, bool upper, bool check_errors) {
  const Solution s = factor_cholesky(A, upper);
  if (check_errors) check_cholesky(s.info);
  return {s.x, s.info};
}
Tensor cholesky(const Tensor& A, bool upper) {
  const Solution s = factor_cholesky(A, upper);
  check_cholesky(s.info);
  if (readable("linalg.cholesky", s.info).defined()) return s.x;
  return where(per_matrix(s.info.eq(0)), s.x, NAN);
}

std::tuple<Tensor, Tensor, Tensor> lu_factor_ex(const Tensor& A, bool pivot, bool check_errors) {
  check_matrix("linalg.lu_factor", A);
  Tensors r = pivot ? call(lu_factor_op, {&A}) : factors_without_pivots(A);
  if (check_errors) check_info("linalg.lu_factor", r[2], kSingular, 1);
  return {r[0], r[1], r[2]};
}
std::tuple<Tensor, Tensor> lu_factor(const Tensor& A, bool pivot) {
  auto [lu, pivots, info] = lu_factor_ex(A, pivot);
  return {lu, pivots};
}
std::tuple<Tensor, Tensor, Tensor> lu(const Tensor& A, bool pivot) {
  const auto [lu, pivots] = lu_factor(A, pivot);
  return lu_unpack(lu, pivots, true, pivot);
}

Tensor solve(const Tensor& A, const Tensor& B, bool left) {
  return checked("linalg.solve", solve_any("linalg.solve", A, B, left));
}
std::tuple<Tensor, Tensor> solve_ex(const Tensor& A, const Tensor& B, bool left, bool check_errors) {
  const Solution s = solve_any("linalg.solve_ex", A, B, left);
  if (check_errors) checked("linalg.solve_ex", s);
  return {s.x, s.info};
}
Tensor inv(const Tensor& A) { return checked("linalg.inv", invert("linalg.inv", A)); }
std::tuple<Tensor, Tensor> inv_ex(const Tensor& A, bool check_errors) {
  const Solution s = invert("linalg.inv_ex", A);
  if (check_errors) checked("linalg.inv_ex", s);
  return {s.x, s.info};
}

Tensor solve_triangular(const Tensor& A, const Tensor& B, bool upper, bool left, bool unitriangular) {
  check_square("linalg.solve_triangular", A);
  check_matrix("linalg.solve_triangular", B);
  check_sides("linalg.solve_triangular", A, B, left);
  const auto [a, b] = broadcast_leading("linalg.solve_triangular", A, B);
  return triangular(a, b, {upper, left, unitriangular});
}

// A = P L U, undone factor by factor; P's rows are moved by its permutation or the inverse of it.
Tensor lu_solve(const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left, bool adjoint) {
  check_square("linalg.lu_solve", LU);
  check_matrix("linalg.lu_solve", B);
  check_sides("linalg.lu_solve", LU, B, left);
  STRATA_CHECK(pivots.dtype() == kInt && pivots.sizes() == LU.sizes().slice(0, LU.sizes().size() - 1),
               "linalg.lu_solve: expected int32 pivots of shape {}, got {} of shape {}",
               LU.sizes().slice(0, LU.sizes().size() - 1), name(pivots.dtype()), pivots.sizes());
  const auto [lu, b] = broadcast_leading("linalg.lu_solve", LU, B);
  const Tensor t = adjoint ? strata::adjoint(lu) : lu, perm = lu_permutation(pivots, LU.size(-1));
  const auto undo_l = [&](const Tensor& x) { return triangular(t, x, {adjoint, left, true}); };
  const auto undo_u = [&](const Tensor& x) { return triangular(t, x, {!adjoint, left, false}); };
  const auto move = [&](const Tensor& x, const Tensor& order) {
    DimVector sizes = leading(x);
    sizes.push_back(order.size(-1));
    const Tensor each = expand(order, sizes);
    return left ? take_rows(x, each) : take_cols(x, each);
  };
  if (left != adjoint) return undo_u(undo_l(move(b, perm)));
  return move(undo_l(undo_u(b)), inverse_permutation(perm));
}

Tensor det(const Tensor& A) {
  check_square("linalg.det", A);
  const Tensors f = constant_factors(A);
  return call1(det_op, {&A, &f[0], &f[1]});
}
std::tuple<Tensor, Tensor> slogdet(const Tensor& A) {
  check_square("linalg.slogdet", A);
  const Tensors f = constant_factors(A);
  Tensors r = call(slogdet_op, {&A, &f[0], &f[1]});
  return {r[0], r[1]};
}

}  // namespace linalg

std::tuple<Tensor, Tensor, Tensor> lu_unpack(const Tensor& LU, const Tensor& pivots, bool unpack_data,
                                             bool unpack_pivots) {
  check_matrix("lu_unpack", LU);
  const int64_t m = LU.size(-2), n = LU.size(-1), k = std::min(m, n);
  Tensor p, l, u;
  if (unpack_pivots) {
    STRATA_CHECK(pivots.dtype() == kInt && pivots.dim() >= 1, "lu_unpack: expected int32 pivots, got {} of shape {}",
                 name(pivots.dtype()), pivots.sizes());
    const Tensor perm = lu_permutation(pivots, m), rows_of_p = arange(m, perm.options());
    p = unsqueeze(rows_of_p, -1).eq(unsqueeze(perm, -2)).to(LU.dtype());
  } else {
    p = empty({0}, LU.options());
  }
  if (!unpack_data) return {p, empty({0}, LU.options()), empty({0}, LU.options())};
  return {p, tril(cols(LU, 0, k), -1).add(eye(m, k, LU.options())), triu(rows(LU, 0, k))};
}

Tensor cholesky(const Tensor& A, bool upper) { return linalg::cholesky(A, upper); }
Tensor cholesky_solve(const Tensor& B, const Tensor& L, bool upper) {
  check_square("cholesky_solve", L);
  check_matrix("cholesky_solve", B);
  check_sides("cholesky_solve", L, B, true);
  const auto [l, b] = broadcast_leading("cholesky_solve", upper ? adjoint(L) : L, B);
  const Tensor y = triangular(l, b, {.upper = false, .left = true, .unitriangular = false});
  return triangular(adjoint(l), y, {.upper = true, .left = true, .unitriangular = false});
}
Tensor cholesky_inverse(const Tensor& L, bool upper) {
  check_square("cholesky_inverse", L);
  return cholesky_solve(identity_like(L), L, upper);
}
Tensor inverse(const Tensor& A) { return linalg::inv(A); }
namespace {
/// PyTorch factors what lies column by column, which of a row-major matrix is the transpose.
std::tuple<Tensor, Tensor> factors_as_laid_out(const Tensor& A) {
  const Tensor a = A.detach();
  const auto [lu, pivots, info] = linalg::lu_factor_ex(a.is_contiguous() && !is_complex(a.dtype()) ? a.mT() : a);
  return {lu, pivots};
}
}  // namespace
std::tuple<Tensor, Tensor, Tensor> _linalg_det(const Tensor& A) {
  const Tensor result = linalg::det(A);
  const auto [lu, pivots] = factors_as_laid_out(A);
  return {result, lu, pivots};
}
std::tuple<Tensor, Tensor, Tensor, Tensor> _linalg_slogdet(const Tensor& A) {
  const auto [sign, logabsdet] = linalg::slogdet(A);
  const auto [lu, pivots] = factors_as_laid_out(A);
  return {sign, logabsdet, lu, pivots};
}
std::tuple<Tensor, Tensor, Tensor, Tensor> _linalg_solve_ex(const Tensor& A, const Tensor& B, bool left,
                                                            bool check_errors) {
  const auto [x, info] = linalg::solve_ex(A, B, left, check_errors);
  const auto [lu, pivots, unused] = linalg::lu_factor_ex(A.detach());
  return {x, lu, pivots, info};
}
Tensor det(const Tensor& A) { return linalg::det(A); }
std::tuple<Tensor, Tensor> slogdet(const Tensor& A) { return linalg::slogdet(A); }
Tensor logdet(const Tensor& A) {
  const auto [sign, logabsdet] = linalg::slogdet(A);
  if (is_complex(A)) return log(sign).add(logabsdet);
  return where(sign.eq(-1), NAN, logabsdet);
}
std::tuple<Tensor, Tensor> triangular_solve(const Tensor& B, const Tensor& A, bool upper, bool transpose,
                                            bool unitriangular) {
  const Tensor a = transpose ? A.mT() : A;
  return {linalg::solve_triangular(a, B, upper != transpose, true, unitriangular), A.clone()};
}
Tensor lu_solve(const Tensor& B, const Tensor& LU, const Tensor& pivots) { return linalg::lu_solve(LU, pivots, B); }

Tensor Tensor::cholesky(bool upper) const { return strata::cholesky(*this, upper); }
Tensor Tensor::cholesky_solve(const Tensor& L, bool upper) const { return strata::cholesky_solve(*this, L, upper); }
Tensor Tensor::cholesky_inverse(bool upper) const { return strata::cholesky_inverse(*this, upper); }
Tensor Tensor::inverse() const { return strata::inverse(*this); }
Tensor Tensor::det() const { return strata::det(*this); }
Tensor Tensor::logdet() const { return strata::logdet(*this); }
std::tuple<Tensor, Tensor> Tensor::slogdet() const { return strata::slogdet(*this); }
std::tuple<Tensor, Tensor> Tensor::triangular_solve(const Tensor& A, bool upper, bool transpose,
                                                    bool unitriangular) const {
  return strata::triangular_solve(*this, A, upper, transpose, unitriangular);
}
Tensor Tensor::lu_solve(const Tensor& LU, const Tensor& pivots) const { return strata::lu_solve(*this, LU, pivots); }

}  // namespace strata
