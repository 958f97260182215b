// Moving elements without looking at them, transposed, reversed and in short rows: SIMD code chosen at run time for the
// processor.
#pragma once
#include <cstdint>
#include <type_traits>

namespace strata::cpu {

/// A lane of a vector of elements of U.
template <class U>
using LaneIndex = std::conditional_t<sizeof(U) == 8, int64_t, int32_t>;

/// Rows made of vectors: lane i of vector v is the element at base[v] + index[v * lanes + i] of the source's row, the
/// index being below `lanes`, and the vector stands from at[v] on. Vectors may overlap.
template <class U>
struct Picks {
  const int64_t *at, *base;
  const LaneIndex<U>* index;
  int64_t vectors;
};

/// Functions for elements that are as large as U.
template <class U>
struct VecMove {
  /// to[i * to_step + j] = from[i + j * from_step] for i < rows and j < cols.
  void (*transpose)(U* to, int64_t to_step, const U* from, int64_t from_step, int64_t rows, int64_t cols);
  /// to[i * to_step + j] = from[i * from_step + j] for i < rows and j < n: without memcpy's cost where rows are short,
  /// and faster than that in the outer caches where they are long.
  void (*copy_rows)(U* to, int64_t to_step, const U* from, int64_t from_step, int64_t rows, int64_t n);
  /// to[i * to_step + j] = from[i * n + j] for i < rows and j < n, past the caches; rows of `to` begin and end at
  /// multiples of 64 bytes. hwy::FlushStream() makes it visible to other threads.
  void (*stream_rows)(U* to, int64_t to_step, const U* from, int64_t rows, int64_t n);
  /// to[k * n + j] = from[scale * offset[k] + j] for k < count and j < n.
  void (*copy_places)(U* to, const U* from, const int64_t* offset, int64_t scale, int64_t count, int64_t n);
  /// to[k * to_row + i] = from[i * parts + k] for k < parts and i < n; 2, 3 or 4 parts.
  void (*split)(U* to, int64_t to_row, const U* from, int64_t parts, int64_t n);
  /// to[i * parts + k] = from[k * from_row + i] for k < parts and i < n; 2, 3 or 4 parts.
  void (*join)(U* to, const U* from, int64_t from_row, int64_t parts, int64_t n);
  /// to[i] = from[i * step] for i < n; a step of 2, 3 or 4.
  void (*thin)(U* to, const U* from, int64_t step, int64_t n);
  /// Rows of picked elements, to_row and from_row elements apart; not for elements of less than 4 bytes, where `lanes`
  /// is 0.
  void (*pick)(U* to, int64_t to_row, const U* from, int64_t from_row, int64_t rows, const Picks<U>& picks);
  int64_t lanes;
  /// to[r * to_row + i] = from[r * from_row - i] for r < rows and i < n.
  void (*reverse_rows)(U* to, int64_t to_row, const U* from, int64_t from_row, int64_t rows, int64_t n);
};

/// The functions for this processor; U is uint8_t, uint16_t, uint32_t or uint64_t.
template <class U>
const VecMove<U>& vec_move();

/// What elements of T (1, 2, 4, 8 or 16 bytes) are copied as, without regard to what they mean.
template <class T>
using Moved = std::conditional_t<
    (sizeof(T) >= 8), uint64_t,
    std::conditional_t<sizeof(T) == 4, uint32_t, std::conditional_t<sizeof(T) == 1, uint8_t, uint16_t>>>;
/// How many of those make one element.
template <class T>
inline constexpr int64_t kMovedParts = sizeof(T) / sizeof(Moved<T>);

/// VecMove's copy_rows.
template <class T>
void copy_runs(T* to, int64_t to_step, const T* from, int64_t from_step, int64_t rows, int64_t n) {
  using U = Moved<T>;
  constexpr int64_t k = kMovedParts<T>;
  vec_move<U>().copy_rows(reinterpret_cast<U*>(to), k * to_step, reinterpret_cast<const U*>(from), k * from_step, rows,
                          k * n);
}

/// VecMove's copy_places.
template <class T>
void copy_places(T* to, const T* from, const int64_t* offset, int64_t count, int64_t n) {
  using U = Moved<T>;
  constexpr int64_t k = kMovedParts<T>;
  vec_move<U>().copy_places(reinterpret_cast<U*>(to), reinterpret_cast<const U*>(from), offset, k, count, k * n);
}

/// to[i] = from[i] for i < n.
template <class T>
void copy_run(T* to, const T* from, int64_t n) {
  copy_runs(to, 0, from, 0, 1, n);
}

}  // namespace strata::cpu
