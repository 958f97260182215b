// The ops that factor matrices by Cholesky and LU and solve with the factors, with their rules; determinants.
// The formulas are those of PyTorch's FunctionsManual.cpp, under the names cited.
#include "ops/factor_rules.h"
#include "ops/reduce.h"
#include "ops/sort.h"
#include "ops/ternary.h"
#include "ops/unary.h"

namespace strata {

using namespace factor;

Tensor factor::lu_permutation(const Tensor& pivots, int64_t rows) {
  return call1(lu_permutation_op, {&pivots}, PermutationParams{rows});
}
Tensor factor::inverse_permutation(const Tensor& perm) { return argsort(perm, -1); }

namespace {

/// L of an output that may be U = L^H.
Tensor lower_factor(const Tensor& l, bool upper) { return upper ? adjoint(l) : l; }

/// cholesky_backward: gA = L^-H sym(Phi) L^-1 with Phi the lower half of L^H gL.
Tensors cholesky_vjp(const Vjp& c, const CholeskyParams& p) {
  const Tensor l = lower_factor(c.out(), p.upper), g = lower_factor(c.grad(), p.upper);
  const Tensor phi = symmetric(half_tril(matmul(adjoint(l), g)));
  const Tensor left = triangular(adjoint(l), phi, {.upper = true, .left = true, .unitriangular = false});
  return triangular(l, left, {.upper = false, .left = false, .unitriangular = false});
}

/// cholesky_jvp: dL = L Phi with Phi the lower half of L^-1 dA L^-H.
Tensors cholesky_jvp(const Jvp& c, const CholeskyParams& p) {
  const Tensor l = lower_factor(c.out(), p.upper);
  const Tensor left = triangular(l, symmetric(c.tangent()), {.upper = false, .left = true, .unitriangular = false});
  const Tensor phi = triangular(adjoint(l), left, {.upper = true, .left = false, .unitriangular = false});
  return {lower_factor(matmul(l, half_tril(phi)), p.upper), Tensor()};
}

/// LU of `(m, n)` in blocks around its square corner of side k.
struct LuBlocks {
  explicit LuBlocks(const Tensor& lu) : m(lu.size(-2)), n(lu.size(-1)), k(std::min(m, n)), square(corner(lu)) {}
  Tensor corner(const Tensor& x) const { return cols(rows(x, 0, k), 0, k); }
  Tensor below(const Tensor& x) const { return rows(x, k, m - k); }
  Tensor right(const Tensor& x) const { return cols(x, k, n - k); }
  Tensor lower() const { return tril(square, -1).add(identity_like(square)); }
  Tensor upper() const { return triu(square); }
  /// L^-1 x, x U^-1, and the same with the adjoints.
  Tensor undo_l(const Tensor& x) const { return triangular(square, x, {false, true, true}); }
  Tensor undo_u(const Tensor& x) const { return triangular(square, x, {true, false, false}); }
  Tensor undo_l_adjoint(const Tensor& x) const { return triangular(adjoint(square), x, {true, true, true}); }
  Tensor undo_u_adjoint(const Tensor& x) const { return triangular(adjoint(square), x, {false, false, false}); }
  const int64_t m, n, k;
  const Tensor square;
};

/// plu_backward_base: with M = L^-1 P^T dA U^-1 in the corner, dL = L tril(M, -1) and dU = triu(M) U.
Tensor lu_gradient(const Tensor& lu, const Tensor& g) {
  const LuBlocks b(lu);
  const Tensor corner = b.corner(g);
  Tensor lower = matmul(adjoint(b.lower()), corner), upper = matmul(corner, adjoint(b.upper()));
  if (b.n > b.k) lower = lower.sub(matmul(b.right(g), adjoint(b.right(lu))));
  if (b.m > b.k) upper = upper.sub(matmul(adjoint(b.below(lu)), b.below(g)));
  Tensor grad = b.undo_u_adjoint(b.undo_l_adjoint(tril(lower, -1).add(triu(upper))));
  if (b.n > b.k) grad = cat({grad, b.undo_l_adjoint(b.right(g))}, -1);
  if (b.m > b.k) grad = cat({grad, b.undo_u_adjoint(b.below(g))}, -2);
  return grad;
}
Tensor lu_factor_vjp(const Vjp& c) {
  return take_rows(lu_gradient(c.out(), c.grad()), inverse_permutation(lu_permutation(c.out(1), c.out().size(-2))));
}

/// linalg_lu_jvp, with the tangent t of P^T A.
Tensor lu_tangent(const Tensor& lu, const Tensor& t) {
  const LuBlocks b(lu);
  const Tensor mid = b.undo_u(b.undo_l(b.corner(t))), lower = tril(mid, -1), upper = triu(mid);
  Tensor dlu = matmul(b.lower(), lower).add(matmul(upper, b.upper()));
  if (b.n > b.k) dlu = cat({dlu, b.undo_l(b.right(t)).sub(matmul(lower, b.right(lu)))}, -1);
  if (b.m > b.k) dlu = cat({dlu, b.undo_u(b.below(t)).sub(matmul(b.below(lu), upper))}, -2);
  return dlu;
}
Tensors lu_factor_jvp(const Jvp& c) {
  const Tensor t = take_rows(c.tangent(), lu_permutation(c.out(1), c.out().size(-2)));
  return {lu_tangent(c.out(), t), Tensor(), Tensor()};
}

/// linalg_solve_backward: gB = A^-H gX, gA = -gB X^H; mirrored for the right side, adjoint once more for A^H.
Tensors solve_vjp(const Vjp& c, const SolveParams& p) {
  const Tensor& x = c.out();
  Tensors grads = Tensors::undefined(4);
  if (!c.needs(0) && !c.needs(1)) return grads;
  grads[1] = solve_with(c.in(0), c.grad(), c.in(2), c.in(3), {p.left, !p.adjoint});
  if (!c.needs(0)) return grads;
  const Tensor& g = grads[1];
  const Tensor outer = p.left != p.adjoint ? (p.left ? matmul(g, adjoint(x)) : matmul(adjoint(g), x))
                                           : (p.left ? matmul(x, adjoint(g)) : matmul(adjoint(x), g));
  grads[0] = outer.neg();
  return grads;
}

/// linalg_solve_jvp: dX = A^-1 (dB - dA X).
Tensors solve_jvp(const Jvp& c, const SolveParams& p) {
  Tensor rhs = c.tangent(1);
  if (c.tangent(0).defined()) {
    const Tensor da = p.adjoint ? adjoint(c.tangent(0)) : c.tangent(0);
    rhs = minus(rhs, p.left ? matmul(da, c.out()) : matmul(c.out(), da));
  }
  return rhs.defined() ? solve_with(c.in(0), rhs, c.in(2), c.in(3), p) : rules::zero_like(c.out());
}

/// The derivative of the inverse: linalg_inv_ex_backward's -X^H g X^H and linalg_inv_ex_jvp's -X dA X.
Tensor between_inverses(const Tensor& x, const Tensor& middle) { return matmul(x, matmul(middle, x)).neg(); }

/// What of a matrix triangular_solve reads.
Tensor read_triangle(const Tensor& a, const TriangularParams& p) {
  return p.upper ? triu(a, p.unitriangular ? 1 : 0) : tril(a, p.unitriangular ? -1 : 0);
}

/// linalg_solve_triangular_backward.
Tensors triangular_solve_vjp(const Vjp& c, const TriangularParams& p) {
  const Tensor &a = c.in(0), &x = c.out();
  const Tensor g = triangular(adjoint(a), c.grad(), {!p.upper, p.left, p.unitriangular});
  if (!c.needs(0)) return {Tensor(), g};
  const Tensor outer = p.left ? matmul(g, adjoint(x)) : matmul(adjoint(x), g);
  return {read_triangle(outer.neg(), p), g};
}

/// linalg_solve_triangular_forward_AD.
Tensors triangular_solve_jvp(const Jvp& c, const TriangularParams& p) {
  Tensor rhs = c.tangent(1);
  if (c.tangent(0).defined()) {
    const Tensor da = read_triangle(c.tangent(0), p);
    rhs = minus(rhs, p.left ? matmul(da, c.out()) : matmul(c.out(), da));
  }
  return triangular(c.in(0), rhs, p);
}

/// LU with zeros on U's diagonal replaced by the smallest number that counts beside the others: the factors of a matrix
/// that is not singular and differs by rounding only.
Tensor nonsingular(const Tensor& lu) {
  const Tensor d = stop_gradient(matrix_diagonal(lu)), size = d.abs();
  const double eps = size.dtype() == kFloat ? 0x1p-23 : 0x1p-52;
  const Tensor largest = amax(size, {-1}, true), scale = where(largest.eq(0), ones_like(largest), largest);
  const Tensor filled = where(size.eq(0), expand(scale.mul(eps), d.sizes()), zeros_like(size));
  return lu.add(diag_embed(filled));
}

/// A^-H, the gradient of log|det A|.
Tensor inverse_adjoint(const Tensor& a, const Tensor& lu, const Tensor& pivots) {
  return solve_with(a, identity_like(a), lu, pivots, {.left = true, .adjoint = true});
}

/// The gradient of det A: the conjugates of its cofactors, det(A)^* A^-H. They are polynomials of A, so those of a
/// matrix beside a singular one serve it too (linalg_det_backward perturbs LU alike).
Tensor cofactors(const Primals& c) {
  const Tensor &a = c.in(0), &pivots = c.in(2);
  if (a.size(-1) == 0) return a;
  const Tensor lu = nonsingular(c.in(1));
  return per_matrix(conj(call1(det_op, {&a, &lu, &pivots}))).mul(inverse_adjoint(a, lu, pivots));
}

/// slogdet_backward's A^-H, huge but not NaN for a singular matrix.
Tensor log_cofactors(const Primals& c) {
  return c.in(0).size(-1) == 0 ? c.in(0) : inverse_adjoint(c.in(0), nonsingular(c.in(1)), c.in(2));
}

Tensor inner_product(const Tensor& a, const Tensor& b) { return conj(a).mul(b).sum({-2, -1}); }

/// slogdet_backward: the sign of a complex determinant turns with the imaginary part of tr(A^-1 dA).
Tensors slogdet_vjp(const Vjp& c) {
  Tensors grads = Tensors::undefined(3);
  if (!c.needs(0)) return grads;
  Tensor scale = c.grad(1);
  if (c.grad(0).defined() && is_complex(c.out(0))) {
    const Tensor turn = imag(c.grad(0).mul(conj(c.out(0))));
    scale = complex(scale.defined() ? scale : zeros_like(turn), turn);
  }
  if (scale.defined()) grads[0] = per_matrix(scale).mul(log_cofactors(c));
  return grads;
}
Tensors slogdet_jvp(const Jvp& c) {
  if (!c.tangent().defined()) return {rules::zero_like(c.out(0)), rules::zero_like(c.out(1))};
  const Tensor moved = inner_product(log_cofactors(c), c.tangent());
  if (!is_complex(moved)) return {rules::zero_like(c.out(0)), moved};
  const Tensor turn = imag(moved);
  return {c.out(0).mul(complex(zeros_like(turn), turn)), real(moved)};
}

/// Ops that take A for its derivative and its factors as constants.
constexpr Saves kSavesFactors = saves_in(0, 1, 2);

void check_factors(Args in) {
  STRATA_CHECK(in[0].dtype() == in[1].dtype(), "linalg: expected operands of the same dtype, but got {} and {}",
               name(in[0].dtype()), name(in[1].dtype()));
}

}  // namespace

STRATA_OP(cholesky_op) = op<CholeskyParams>("cholesky_ex(Tensor A, bool upper) -> (Tensor L, Tensor info)")
                             .infer([](Args in) { return Metas(meta_like(in[0]), meta_with(in[0], {}, kInt)); })
                             .vjp([](const Vjp& c, const CholeskyParams& p) -> Tensors {
                               return c.grad().defined() ? cholesky_vjp(c, p) : Tensor();
                             })
                             .saves(saves_out(0))
                             .jvp([](const Jvp& c, const CholeskyParams& p) { return cholesky_jvp(c, p); })
                             .batch(pointwise_batch)
                             .dtypes(kSingleAndDouble | kComplexTypes);

STRATA_OP(lu_factor_op) = op("lu_factor_ex(Tensor A) -> (Tensor LU, Tensor pivots, Tensor info)")
                              .infer([](Args in) {
                                const int64_t k = std::min(in[0].size(-2), in[0].size(-1));
                                return Metas(meta_like(in[0]), meta_with(in[0], {k}, kInt), meta_with(in[0], {}, kInt));
                              })
                              .vjp([](const Vjp& c) -> Tensors {
                                return c.grad().defined() ? lu_factor_vjp(c) : Tensor();
                              })
                              .saves(saves_out(0, 1))
                              .jvp([](const Jvp& c) { return lu_factor_jvp(c); })
                              .batch(pointwise_batch)
                              .dtypes(kSingleAndDouble | kComplexTypes);

STRATA_OP(lu_plain_op) = op("lu_factor_without_pivots(Tensor A) -> (Tensor LU, Tensor info)")
                             .infer([](Args in) { return Metas(meta_like(in[0]), meta_with(in[0], {}, kInt)); })
                             .vjp([](const Vjp& c) -> Tensors {
                               return c.grad().defined() ? lu_gradient(c.out(), c.grad()) : Tensor();
                             })
                             .saves(saves_out(0))
                             .jvp([](const Jvp& c) -> Tensors {
                               return {lu_tangent(c.out(), c.tangent()), Tensor()};
                             })
                             .batch(pointwise_batch)
                             .dtypes(kSingleAndDouble | kComplexTypes);

STRATA_OP(lu_permutation_op) = op<PermutationParams>("lu_pivots_to_permutation(Tensor pivots, int rows) -> Tensor")
                                   .flag(kNotDifferentiable)
                                   .infer([](Args in, const PermutationParams& p) {
                                     return meta_with(in[0], {p.rows}, kLong, 1);
                                   })
                                   .batch(pointwise_batch)
                                   .dtypes(DTypes(kInt));

STRATA_OP(solve_op) =
    op<SolveParams>("solve(Tensor A, Tensor B, Tensor LU, Tensor pivots, bool left, bool adjoint) -> Tensor")
        .infer([](Args in) {
          check_factors(in);
          return meta_like(in[1]);
        })
        .vjp([](const Vjp& c, const SolveParams& p) { return solve_vjp(c, p); })
        .saves_for(0, saves_in(0, 2, 3) | saves_out(0))
        .saves_for(1, saves_in(0, 2, 3))
        .jvp([](const Jvp& c, const SolveParams& p) { return solve_jvp(c, p); })
        .batch(pointwise_batch)
        .dtypes(kSingleAndDouble | kComplexTypes)
        .dtypes_for(2, kSingleAndDouble | kComplexTypes | DTypes(kInt));

STRATA_OP(inverse_op) = op("inverse(Tensor A, Tensor X) -> Tensor")
                            .infer([](Args in) { return meta_like(in[1]); })
                            .vjp([](const Vjp& c) -> Tensors {
                              if (!c.needs(0)) return Tensors::undefined(2);
                              return {between_inverses(adjoint(c.out()), c.grad()), Tensor()};
                            })
                            .saves_for(0, saves_out(0))
                            .jvp([](const Jvp& c) -> Tensors {
                              if (!c.tangent().defined()) return rules::zero_like(c.out());
                              return between_inverses(c.out(), c.tangent());
                            })
                            .batch(pointwise_batch)
                            .dtypes(kSingleAndDouble | kComplexTypes);

STRATA_OP(triangular_solve_op) =
    op<TriangularParams>("triangular_solve(Tensor A, Tensor B, bool upper, bool left, bool unitriangular) -> Tensor")
        .infer([](Args in) {
          check_factors(in);
          return meta_like(in[1]);
        })
        .vjp([](const Vjp& c, const TriangularParams& p) { return triangular_solve_vjp(c, p); })
        .saves_for(0, saves_in(0) | saves_out(0))
        .saves_for(1, saves_in(0))
        .jvp([](const Jvp& c, const TriangularParams& p) { return triangular_solve_jvp(c, p); })
        .batch(pointwise_batch)
        .dtypes(kSingleAndDouble | kComplexTypes);

STRATA_OP(det_op) = op("det(Tensor A, Tensor LU, Tensor pivots) -> Tensor")
                        .infer([](Args in) { return meta_with(in[0], {}); })
                        .vjp([](const Vjp& c) -> Tensors {
                          Tensors grads = Tensors::undefined(3);
                          if (c.needs(0)) grads[0] = per_matrix(c.grad()).mul(cofactors(c));
                          return grads;
                        })
                        .saves(kSavesFactors)
                        .jvp([](const Jvp& c) -> Tensors {
                          return c.tangent().defined() ? inner_product(cofactors(c), c.tangent())
                                                       : rules::zero_like(c.out());
                        })
                        .batch(pointwise_batch)
                        .dtypes(kSingleAndDouble | kComplexTypes)
                        .dtypes_for(2, DTypes(kInt));

STRATA_OP(slogdet_op) = op("slogdet(Tensor A, Tensor LU, Tensor pivots) -> (Tensor sign, Tensor logabsdet)")
                            .infer([](Args in) { return Metas(meta_with(in[0], {}), real_meta_with(in[0], {})); })
                            .vjp([](const Vjp& c) { return slogdet_vjp(c); })
                            .saves(kSavesFactors | saves_out(0))
                            .jvp([](const Jvp& c) { return slogdet_jvp(c); })
                            .batch(pointwise_batch)
                            .dtypes(kSingleAndDouble | kComplexTypes)
                            .dtypes_for(2, DTypes(kInt));

}  // namespace strata
