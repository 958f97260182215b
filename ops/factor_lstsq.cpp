// Least squares: the op, its rules at constant rank, and the public function of all drivers.
#include <algorithm>

#include "ops/as_result.h"
#include "ops/factor.h"
#include "ops/factor_rules.h"
#include "ops/lstsq_def.h"
#include "ops/reduce.h"
#include "ops/unary.h"

namespace strata {

using namespace factor;

namespace {

Tensor pseudo_inverse(const Tensor& a, const LstsqParams& p) { return linalg::pinv(a, std::nullopt, p.rcond); }

/// B - A X, which is 0 where the rows of A are independent.
Tensor residual(const Primals& c) {
  const Tensor& a = c.in(0);
  return beyond_rank(c.in(1).sub(matmul(a, c.out(0))), c.out(1), a.size(-2));
}

/// With P = A^+, Z = P^H G and R = B - A X: gA = -Z X^H + R (P Z)^H + (P^H X) (G - A^H Z)^H and gB = Z, which follows
/// from dP = -P dA P + P P^H dA^H (I - A P) + (I - P A) dA^H P^H P (Golub and Pereyra 1973).
Tensors lstsq_vjp(const Vjp& c, const LstsqParams& params) {
  Tensors grads = Tensors::undefined(2);
  const Tensor &a = c.in(0), &g = c.grad(0);
  if (!g.defined()) return grads;
  const Tensor p = pseudo_inverse(a, params), z = matmul(adjoint(p), g);
  if (c.needs(1)) grads[1] = z;
  if (!c.needs(0)) return grads;
  const Tensor &x = c.out(0), beyond = beyond_rank(g.sub(matmul(adjoint(a), z)), c.out(1), a.size(-1));
  grads[0] = matmul(residual(c), adjoint(matmul(p, z)))
                 .sub(matmul(z, adjoint(x)))
                 .add(matmul(matmul(adjoint(p), x), adjoint(beyond)));
  return grads;
}

/// dX = P (dB - dA X) + P P^H dA^H R + (I - P A) dA^H P^H X.
Tensors lstsq_jvp(const Jvp& c, const LstsqParams& params) {
  const Tensor &a = c.in(0), &x = c.out(0), &da = c.tangent(0), &db = c.tangent(1);
  const Tensor p = pseudo_inverse(a, params);
  if (!da.defined()) return {matmul(p, db), Tensor()};
  const Tensor dah = adjoint(da), ph = adjoint(p);
  const Tensor beyond = beyond_rank(matmul(dah, matmul(ph, x)), c.out(1), a.size(-1));
  const Tensor range = matmul(ph, matmul(dah, residual(c)));
  const Tensor moved = range.add(minus(db, matmul(da, x)));
  return {matmul(p, moved.sub(matmul(a, beyond))).add(beyond), Tensor()};
}

}  // namespace

STRATA_OP(lstsq_op) =
    op<LstsqParams>("lstsq(Tensor A, Tensor B, float rcond) -> (Tensor X, Tensor rank)")
        .flag(kNeedsLapack)
        .infer([](Args in) {
          return Metas(meta_with(in[0], {in[0].size(-1), in[1].size(-1)}), meta_with(in[0], {}, kLong));
        })
        .decompose([](Args in, const LstsqParams& p) {
          return Tensors(matmul(pseudo_inverse(in[0], p), in[1]), linalg::matrix_rank(in[0], std::nullopt, p.rcond));
        })
        .vjp([](const Vjp& c, const LstsqParams& p) { return lstsq_vjp(c, p); })
        .saves_for(0, saves_in(0, 1) | saves_out(0, 1))
        .saves_for(1, saves_in(0))
        .jvp([](const Jvp& c, const LstsqParams& p) { return lstsq_jvp(c, p); })
        .batch(pointwise_batch)
        .dtypes(kSingleAndDouble | kComplexTypes);

namespace {

/// The least squares solution for full rank: R^-1 Q^H B, or by A^H = Q R the one of least norm, Q R^-H B.
Tensor full_rank_solution(const Tensor& a, const Tensor& b) {
  const bool tall = a.size(-2) >= a.size(-1);
  const auto [q, r] = linalg::qr(tall ? a : adjoint(a));
  if (tall) return linalg::solve_triangular(r, matmul(adjoint(q), b), true);
  return matmul(q, linalg::solve_triangular(adjoint(r), b, false));
}

/// Do all matrices have rank n? Assumed where it cannot be read.
bool have_full_rank(const Tensor& rank, int64_t n) {
  const Tensor known = readable("linalg.lstsq", rank);
  return !known.defined() || known.eq(n).all().item<bool>();
}

struct LeastSquares {
  Tensor x, rank, values;
};

LeastSquares solve_by(const Tensor& a, const Tensor& b, std::optional<double> rcond, std::string_view driver) {
  const DType real = to_real_dtype(a.dtype());
  const Tensor none = empty({0}, a.options().dtype(kLong)), no_values = empty({0}, a.options().dtype(real));
  if (driver == "gels") return {full_rank_solution(a, b), none, no_values};
  if (driver != "gelsy")
    return {matmul(linalg::pinv(a, std::nullopt, rcond), b), linalg::matrix_rank(a, std::nullopt, rcond),
            linalg::svdvals(a)};
  const double epsilon = real == kFloat ? 0x1p-23 : 0x1p-52;
  const LstsqParams p{rcond.value_or(epsilon * static_cast<double>(std::max(a.size(-2), a.size(-1))))};
  const Tensors solved = call(lstsq_op, {&a, &b}, p);
  if (solved[1].is_cpu()) check_info("linalg.lstsq", solved[1].lt(0).to(kInt), "has elements that are not finite", 0);
  return {solved[0], solved[1], no_values};
}

}  // namespace

namespace linalg {

std::tuple<Tensor, Tensor, Tensor, Tensor> lstsq(const Tensor& A, const Tensor& B, std::optional<double> rcond,
                                                 std::optional<std::string_view> driver) {
  const std::string_view d = driver.value_or("gelsy");
  STRATA_CHECK(d == "gels" || d == "gelsy" || d == "gelsd" || d == "gelss",
               "linalg.lstsq: driver is \"gels\", \"gelsy\", \"gelsd\" or \"gelss\", got \"{}\"", d);
  check_matrix("linalg.lstsq", A);
  const bool vector = B.dim() + 1 == A.dim();
  const Tensor given = vector ? unsqueeze(B, -1) : B;
  check_matrix("linalg.lstsq", given);
  STRATA_CHECK(given.size(-2) == A.size(-2), "linalg.lstsq: shapes {} and {} do not fit ({} vs {})", A.sizes(),
               B.sizes(), A.size(-2), given.size(-2));
  const auto [a, b] = broadcast_leading("linalg.lstsq", A, given);
  const LeastSquares s = solve_by(a, b, rcond, d);
  Tensor residuals = empty({0}, A.options().dtype(to_real_dtype(A.dtype())));
  const bool apart = A.size(-2) > A.size(-1) && d != "gelsy" && (d == "gels" || have_full_rank(s.rank, A.size(-1)));
  if (apart) residuals = matmul(a, s.x).sub(b).abs().square().sum({-2});
  return {vector ? as_result(squeeze(s.x, -1)) : s.x, residuals, s.rank, s.values};
}

}  // namespace linalg
}  // namespace strata
