// Factors of matrices and Fourier transforms.
#include "exchange/check_rows.h"
#include "ops/factor_def.h"
#include "ops/fft_def.h"
#include "ops/ldl_def.h"
#include "ops/lstsq_def.h"

namespace strata::func::exchange {
namespace {

/// B of A X = B, or of X A = B.
void check_sides(const Arguments& a, bool left) {
  a.require(a[1].size(left ? -2 : -1) == a[0].size(-1), "the sides of the equation do not fit");
}

template <class P>
void check_transform(const Arguments& a, const P& p) {
  a.require(!p.dims.empty(), "no dims are transformed");
  for (const int64_t d : p.dims) a.require_dim(d, a[0].dim());
  a.require_dims(p.dims, a[0].dim(), /*sorted=*/false);
  for (const int64_t d : p.dims) a.require(a[0].sizes()[d] > 0, "a transformed dim is empty");
}

constexpr CheckRow kMatrixRows[] = {
    row<CholeskyParams>("cholesky_ex", "T[*,n,n]"),
    row("lu_factor_ex", "T[*,m,n]"),
    row("lu_factor_without_pivots", "T[*,m,n]"),
    row<PermutationParams>("lu_pivots_to_permutation", ".[*,k]",
                           [](const Arguments& a, const PermutationParams& p) {
                             a.require_between(p.rows, a.size('k'), INT32_MAX, "rows");
                           }),
    row<SolveParams>("solve", "T[*,n,n] T[*,_,_] T[*,n,n] I[*,n]",
                     [](const Arguments& a, const SolveParams& p) {
                       check_sides(a, p.left);
                       a.require(a[3].dtype() == kInt, "pivots are int32");
                     }),
    row<TriangularParams>("triangular_solve", "T[*,n,n] T[*,_,_]",
                          [](const Arguments& a, const TriangularParams& p) { check_sides(a, p.left); }),
    row("det", "T[*,n,n] T[*,n,n] .[*,n]"),
    row("slogdet", "T[*,n,n] T[*,n,n] .[*,n]"),
    row<QrParams>("qr", "T[*,m,n]"),
    row<EighParams>("eigh", "T[*,n,n]"),
    row<EighParams>("eigvalsh", "T[*,n,n]"),
    row("eig", "T[*,n,n]"),
    row("eigvals", "T[*,n,n]"),
    row("geqrf", "T[*,m,n]"),
    row<SvdParams>("svd", "T[*,m,n]"),
    row("svdvals", "T[*,m,n]"),
    row("inverse", "T[*,n,n] T[*,n,n]"),
    row("matrix_sqrth", "T[*,n,n] T[*,n,n]"),
    row("pinv", "T[*,m,n] T[*,n,m]"),
    row<LstsqParams>("lstsq", "T[*,m,n] T[*,m,k]"),
    row<LdlParams>("ldl_factor_ex", "T[*,n,n]"),
    row<LdlParams>("ldl_solve", "T[*,n,n] .[*,n] T[*,n,k]"),
    row<FftC2CParams>("fft_c2c", ".[.]", [](const Arguments& a, const FftC2CParams& p) { check_transform(a, p); }),
    row<FftR2CParams>("fft_r2c", ".[.]", [](const Arguments& a, const FftR2CParams& p) { check_transform(a, p); }),
    row<FftC2RParams>("fft_c2r", ".[.]",
                      [](const Arguments& a, const FftC2RParams& p) {
                        check_transform(a, p);
                        a.require(p.last_dim_size > 0 && p.last_dim_size / 2 + 1 == a[0].sizes()[p.dims.back()],
                                  "last_dim_size does not fit the spectrum");
                      }),
};

}  // namespace

CheckRows rows_of_matrices() { return kMatrixRows; }

}  // namespace strata::func::exchange
