// Copying between strided layouts of any element type: what all kernels that only move data share.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/tensor.h"
#include "kernels/visit_item.h"

namespace strata::cpu {

/// Memory whose elements stand apart: `strides` counts elements from `data` on, for each dim.
struct StridedMemory {
  char* data;
  IntArrayRef strides;
};

/// Copies elements of `item` bytes (1, 2, 4 or 8) over `sizes` from one layout to another; strides may be 0 or negative
/// in the source. Elements of the destination must not overlap. Threaded.
void copy_strided(const StridedMemory& to, const StridedMemory& from, IntArrayRef sizes, size_t item);
/// Fills a layout with the element at `value`.
void fill_strided(const StridedMemory& to, IntArrayRef sizes, const void* value, size_t item);

inline StridedMemory memory_of(const Tensor& t) { return {t.bytes(), t.strides()}; }
inline StridedMemory memory_of(const Tensor& t, int64_t offset) {
  return {t.bytes() + offset * t.element_size(), t.strides()};
}

/// Elements of `t` in row-major order: its own data, or a copy that lives in `holder`.
inline const char* row_major(const Tensor& t, Tensor& holder) {
  if (t.is_contiguous()) return t.bytes();
  holder = empty_cpu(t.sizes(), t.dtype());
  copy_strided(memory_of(holder), memory_of(t), t.sizes(), item_size(t.dtype()));
  return holder.bytes();
}

/// Runs `fill(data)` on row-major memory of `out`'s size: out's own, or a buffer that is copied into it afterwards.
template <class F>
void write_row_major(const Tensor& out, F&& fill) {
  if (out.is_contiguous()) return fill(out.bytes());
  const Tensor buffer = empty_cpu(out.sizes(), out.dtype());
  fill(buffer.bytes());
  copy_strided(memory_of(out), memory_of(buffer), out.sizes(), item_size(out.dtype()));
}

/// a + b in T; integers wrap around, bools are joined by or.
template <class T>
T sum_of(T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return a || b;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  else
    return static_cast<T>(a + b);
}

/// Fills n elements; zeros by the C library, which writes memory without reading it first.
template <class U>
void fill_run(U* to, int64_t n, const U& value) {
  constexpr U zero{};
  if (n == 0) return;
  if (std::memcmp(&value, &zero, sizeof(U)) == 0)
    std::memset(static_cast<void*>(to), 0, static_cast<size_t>(n) * sizeof(U));
  else
    std::fill_n(to, n, value);
}

/// Offset of the `i`-th element in row-major order.
inline int64_t strided_offset(int64_t i, IntArrayRef sizes, IntArrayRef strides) {
  int64_t at = 0;
  for (size_t d = sizes.size(); d-- > 0; i /= sizes[d]) at += i % sizes[d] * strides[d];
  return at;
}

}  // namespace strata::cpu
