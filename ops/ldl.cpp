// Factors L D L^T of symmetric (Hermitian) matrices that need not be definite, and solving with them.
#include "ops/ldl_def.h"

#include "core/shape.h"
#include "ops/factor.h"
#include "ops/factor_rules.h"
#include "ops/without_slope.h"

namespace strata {

using namespace factor;

STRATA_OP(ldl_factor_op) =
    op<LdlParams>("ldl_factor_ex(Tensor A, bool hermitian) -> (Tensor LD, Tensor pivots, Tensor info)")
        .flag(kNeedsLapack)
        .flag(kNotDifferentiable)
        .infer([](Args in) {
          return Metas(meta_like(in[0]), meta_with(in[0], {in[0].size(-1)}, kInt), meta_with(in[0], {}, kInt));
        })
        .batch(pointwise_batch)
        .dtypes(kSingleAndDouble | kComplexTypes);

STRATA_OP(ldl_solve_op) = op<LdlParams>("ldl_solve(Tensor LD, Tensor pivots, Tensor B, bool hermitian) -> Tensor")
                              .flag(kNeedsLapack)
                              .flag(kNotDifferentiable)
                              .infer([](Args in) { return meta_like(in[2]); })
                              .batch(pointwise_batch)
                              .dtypes(kSingleAndDouble | kComplexTypes)
                              .dtypes_for(1, DTypes(kInt));

namespace linalg {

std::tuple<Tensor, Tensor, Tensor> ldl_factor_ex(const Tensor& A, bool hermitian, bool check_errors) {
  check_square("linalg.ldl_factor_ex", A);
  Tensors r = call(ldl_factor_op, {&A}, LdlParams{hermitian});
  if (check_errors) check_info("linalg.ldl_factor_ex", r[2], "is singular (D[{0}, {0}] is zero)", 1);
  return {without_slope(r[0], A, NoSlope::kLdlFactor), r[1], r[2]};
}

std::tuple<Tensor, Tensor> ldl_factor(const Tensor& A, bool hermitian) {
  const auto [ld, pivots, info] = ldl_factor_ex(A, hermitian, false);
  check_info("linalg.ldl_factor", info, "is singular (D[{0}, {0}] is zero)", 1);
  return {ld, pivots};
}

Tensor ldl_solve(const Tensor& LD, const Tensor& pivots, const Tensor& B, bool hermitian) {
  constexpr const char* kName = "linalg.ldl_solve";
  check_square(kName, LD);
  check_matrix(kName, B);
  STRATA_CHECK(LD.dtype() == B.dtype(), "{}: expected operands of the same dtype, but got {} and {}", kName,
               name(LD.dtype()), name(B.dtype()));
  STRATA_CHECK(B.size(-2) == LD.size(-1), "{}: shapes {} and {} do not fit ({} vs {})", kName, LD.sizes(), B.sizes(),
               LD.size(-1), B.size(-2));
  const IntArrayRef rows = LD.sizes().slice(0, LD.sizes().size() - 1);
  STRATA_CHECK(is_integral(pivots.dtype()) && pivots.sizes() == rows,
               "{}: expected integer pivots of shape {}, got {} of shape {}", kName, rows, name(pivots.dtype()),
               pivots.sizes());
  const auto [ld, b] = broadcast_leading(kName, LD, B);
  const Tensor order = expand(pivots.to(kInt), ld.sizes().slice(0, ld.sizes().size() - 1));
  const Tensor x = call1(ldl_solve_op, {&ld, &order, &b}, LdlParams{hermitian});
  return without_slope(without_slope(x, LD, NoSlope::kLdlSolve), B, NoSlope::kLdlSolve);
}

}  // namespace linalg
}  // namespace strata
