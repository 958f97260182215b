// Running sums and products of rows of floats: SIMD code chosen at run time for the processor.
#pragma once
#include <cstdint>

namespace strata::cpu::reduce {

/// y[r n + i] = x[r n] + ... + x[r n + i] for r < rows and i < n, or from the end of each row if `reverse`. Sums run in
/// double; their order depends on n alone.
void sum_along_rows(const float* x, float* y, int64_t rows, int64_t n, bool reverse);
/// The same for products, which run in double one after another: in another order a product may leave the range.
void multiply_along_rows(const float* x, float* y, int64_t rows, int64_t n, bool reverse);

}  // namespace strata::cpu::reduce
