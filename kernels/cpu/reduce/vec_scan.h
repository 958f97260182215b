// Running sums and products of rows: SIMD code chosen at run time for the processor.
#pragma once
#include <cstdint>

namespace strata::cpu::reduce {

/// y[r n + i] = x[r n] + ... + x[r n + i] for r < rows and i < n, or from the end of each row if `reverse`. Sums run in
/// double; their order depends on n and on the width of vectors. Integers wrap around.
void sum_along_rows(const float* x, float* y, int64_t rows, int64_t n, bool reverse);
void sum_along_rows(const int64_t* x, int64_t* y, int64_t rows, int64_t n, bool reverse);
/// The same for products; those of floats run in double one after another: in another order one may leave the range.
void multiply_along_rows(const float* x, float* y, int64_t rows, int64_t n, bool reverse);
void multiply_along_rows(const int64_t* x, int64_t* y, int64_t rows, int64_t n, bool reverse);

}  // namespace strata::cpu::reduce
