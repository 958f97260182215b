// Eigenvalues of matrices of any kind, polar factors, and Householder's reflections as LAPACK packs them.
#pragma once
#include <tuple>

#include "../core/tensor.h"

namespace strata {

namespace linalg {

/// (w, V): complex eigenvalues `(..., n)` and eigenvectors in columns, of length 1, A V = V diag(w), of real or complex
/// matrices. Eigenvectors are unique up to phases only: of functions that do not depend on these the gradient is
/// meaningful, and it is infinite where eigenvalues are equal.
std::tuple<Tensor, Tensor> eig(const Tensor& A);
/// The eigenvalues alone.
Tensor eigvals(const Tensor& A);
/// (U, H) with A = U H for `(..., m, n)`, m >= n: U with orthonormal columns, H Hermitian and positive semi-definite.
std::tuple<Tensor, Tensor> polar(const Tensor& A);

}  // namespace linalg

inline std::tuple<Tensor, Tensor> linalg_eig(const Tensor& A) { return linalg::eig(A); }
inline Tensor linalg_eigvals(const Tensor& A) { return linalg::eigvals(A); }
inline std::tuple<Tensor, Tensor> linalg_polar(const Tensor& A) { return linalg::polar(A); }

/// (reflections below R's diagonal, tau): the factors of QR as `orgqr` and `ormqr` take them. No derivative, as in
/// PyTorch; `qr` has one.
std::tuple<Tensor, Tensor> geqrf(const Tensor& A);
/// Q other, or other Q unless `left`, with Q^H for Q if `transpose`, Q `(..., m, m)` being the product of the
/// reflections in A `(..., m, k)` with tau `(..., k)`.
Tensor ormqr(const Tensor& A, const Tensor& tau, const Tensor& other, bool left = true, bool transpose = false);

}  // namespace strata
