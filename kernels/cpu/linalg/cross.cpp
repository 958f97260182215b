// Kernel of the products of vectors of 3.
#include <algorithm>

#include "core/parallel.h"
#include "dispatcher/kernel.h"
#include "kernels/arithmetic.h"
#include "kernels/cpu/common/elementwise.h"
#include "kernels/cpu/common/widen.h"
#include "ops/linalg_def.h"

namespace strata::cpu::linalg {
namespace {

/// a d - b c
template <class T>
T determinant(T a, T b, T c, T d) {
  using arithmetic::wrapping;
  return static_cast<T>(wrapping(a) * wrapping(d) - wrapping(b) * wrapping(c));
}

/// n neighbouring vectors, whose elements stand `step` apart.
template <class T>
void cross_vectors(const T* a, const T* b, T* out, int64_t step, int64_t n) {
  if (step == 1) {
    for (int64_t i = 0; i < 3 * n; i += 3) {
      const T x = determinant(a[i + 1], a[i + 2], b[i + 1], b[i + 2]);
      const T y = determinant(a[i + 2], a[i], b[i + 2], b[i]);
      const T z = determinant(a[i], a[i + 1], b[i], b[i + 1]);
      out[i] = x, out[i + 1] = y, out[i + 2] = z;
    }
    return;
  }
  for (int64_t k = 0; k < 3; ++k) {
    const int64_t next = (k + 1) % 3 * step, last = (k + 2) % 3 * step;
    for (int64_t i = 0; i < n; ++i) out[k * step + i] = determinant(a[next + i], a[last + i], b[next + i], b[last + i]);
  }
}

/// Vectors of `outer` blocks of 3 rows of `step` elements.
template <class T>
void cross_rows(const T* a, const T* b, T* out, int64_t outer, int64_t step) {
  parallel_for(0, outer * step, kElementwiseGrain / 4, [=](int64_t begin, int64_t end) {
    if (step == 1) return cross_vectors(a + 3 * begin, b + 3 * begin, out + 3 * begin, 1, end - begin);
    for (int64_t i = begin, n = 0; i < end; i += n) {
      const int64_t column = i % step, at = i / step * 3 * step + column;
      n = std::min(step - column, end - i);
      cross_vectors(a + at, b + at, out + at, step, n);
    }
  });
}

void cross_cpu(Tensors& out, Args in, const CrossParams& p) {
  if (is_half16(in[0].dtype()))
    return run_in_float(out, in, [&](Tensors& wide, Args args) { cross_cpu(wide, args, p); });
  Tensor holders[2];
  const char *const a = row_major(in[0], holders[0]), *const b = row_major(in[1], holders[1]);
  const int64_t step = numel_of(out[0].sizes().slice(static_cast<size_t>(p.dim) + 1));
  if (out[0].numel() == 0) return;
  write_row_major(out[0], [&](char* to) {
    visit_any_dtype(in[0].dtype(), [&]<class T>() {
      if constexpr (!std::is_same_v<T, bool> && !std::is_same_v<T, Half> && !std::is_same_v<T, BFloat16>)
        cross_rows(reinterpret_cast<const T*>(a), reinterpret_cast<const T*>(b), reinterpret_cast<T*>(to),
                   out[0].numel() / 3 / step, step);
    });
  });
}

STRATA_KERNEL(cross_op, CPU, cross_cpu);

}  // namespace
}  // namespace strata::cpu::linalg
