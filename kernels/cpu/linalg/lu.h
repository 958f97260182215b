// LU factors of one matrix, by the product engine.
#pragma once
#include "kernels/cpu/linalg/factor.h"

namespace strata::cpu::linalg {

/// `a` (m, n), row-major, becomes L below its diagonal and U on and above it. Gives the rows exchanged with 0, 1, ...,
/// min(m, n) - 1, from 1, as LAPACK's getrf does; returns the first zero on U's diagonal, from 1, or 0. T is float or
/// double.
template <class T>
int32_t lu_in_place(Matrix<T> a, int64_t m, int64_t n, int32_t* pivots);

/// The same for all four types without an exchange of rows.
template <class T>
int32_t lu_without_pivots(Matrix<T> a, int64_t m, int64_t n);

}  // namespace strata::cpu::linalg
