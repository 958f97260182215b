// Transposed and reversed moves and those of short rows for each instruction set.
#include "kernels/cpu/common/vec_move.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/common/vec_move.cpp"
#include <hwy/foreach_target.h>
// Read again for each instruction set, so it comes after foreach_target.h.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "kernels/cpu/common/vec_transpose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// All that whole squares cover whose side is a vector of D.
template <class D, class U>
HWY_INLINE void transpose_squares(D d, U* to, int64_t to_step, const U* from, int64_t from_step, int64_t rows,
                                  int64_t cols) {
  constexpr int64_t kSide = hn::MaxLanes(D());
  for (int64_t j = 0; j + kSide <= cols; j += kSide)
    for (int64_t i = 0; i + kSide <= rows; i += kSide)
      transpose_square(d, to + i * to_step + j, to_step, from + i + j * from_step, from_step,
                       [](auto row) HWY_ATTR { return row; });
}

/// Squares of the longest vectors that leave nothing over, if one of them fits the registers, else of 16 bytes.
template <class U>
void transpose(U* to, int64_t to_step, const U* from, int64_t from_step, int64_t rows, int64_t cols) {
  constexpr int64_t kLongest = hn::MaxLanes(hn::ScalableTag<U>());
  if constexpr (sizeof(U) >= 4)
    if (rows % kLongest == 0 && cols % kLongest == 0)
      return transpose_squares(hn::ScalableTag<U>(), to, to_step, from, from_step, rows, cols);
  const hn::CappedTag<U, 16 / sizeof(U)> d;
  constexpr int64_t n = hn::MaxLanes(decltype(d)());
  transpose_squares(d, to, to_step, from, from_step, rows, cols);
  const int64_t square_rows = rows / n * n, square_cols = cols / n * n;
  for (int64_t j = 0; j < cols; ++j)
    for (int64_t i = j < square_cols ? square_rows : 0; i < rows; ++i) to[i * to_step + j] = from[i + j * from_step];
}

/// Does a processor that has read a long row not expect the next one, as it begins somewhere else?
template <class U>
bool jumps(int64_t row_step, int64_t n) {
  constexpr int64_t kLongBytes = 1024, kNearBytes = 256, item = sizeof(U);
  return n * item >= kLongBytes && (row_step < n || (row_step - n) * item >= kNearBytes);
}

/// One row of at least a vector, a vector at a time, which is what the caches take best. What is left behind the last
/// whole vector is a vector that begins earlier.
template <bool kFetchNext, class U>
HWY_INLINE void copy_row(U* to, const U* from, int64_t n, [[maybe_unused]] const U* next) {
  const hn::ScalableTag<U> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    if constexpr (kFetchNext) hwy::Prefetch(next + i);
    hn::StoreU(hn::LoadU(d, from + i), d, to + i);
  }
  if (i < n) hn::StoreU(hn::LoadU(d, from + n - lanes), d, to + n - lanes);
}

template <class U>
void copy_rows(U* to, int64_t to_step, const U* from, int64_t from_step, int64_t rows, int64_t n) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(hn::ScalableTag<U>()));
  const bool fetches_next = jumps<U>(from_step, n);
  for (int64_t r = 0; r < rows; ++r, to += to_step, from += from_step) {
    if (n < lanes)
      for (int64_t i = 0; i < n; ++i) to[i] = from[i];
    else if (fetches_next && r + 1 < rows)
      copy_row<true>(to, from, n, from + from_step);
    else
      copy_row<false>(to, from, n, from);
  }
}

template <class U>
void stream_rows(U* to, int64_t to_step, const U* from, int64_t rows, int64_t n) {
  const hn::ScalableTag<U> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t r = 0; r < rows; ++r, to += to_step, from += n)
    for (int64_t i = 0; i < n; i += lanes) hn::Stream(hn::LoadU(d, from + i), d, to + i);
}

/// Rows at places that the processor cannot foresee: the beginning of each is asked for some rows ahead.
template <class U>
void copy_places(U* to, const U* from, const int64_t* offset, int64_t scale, int64_t count, int64_t n) {
  constexpr int64_t kAhead = 4, kLine = 64 / sizeof(U), kFetched = 4 * kLine;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(hn::ScalableTag<U>()));
  for (int64_t k = 0; k < count; ++k, to += n) {
    const U* const row = from + scale * offset[k];
    if (k + kAhead < count)
      for (int64_t i = 0; i < n && i < kFetched; i += kLine) hwy::Prefetch(from + scale * offset[k + kAhead] + i);
    if (n < lanes)
      for (int64_t i = 0; i < n; ++i) to[i] = row[i];
    else
      copy_row<false>(to, row, n, row);
  }
}

/// In the source's order, as the rows of a tensor follow each other there: reading backwards from the end of each is
/// what processors do not expect. What is left is the beginning of a whole vector.
template <class D, class U>
HWY_INLINE void reverse_row(D d, U* to, const U* from, int64_t n) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t left = n;
  for (; left >= lanes; left -= lanes) hn::StoreU(hn::Reverse(d, hn::LoadU(d, from - left + 1)), d, to + left - lanes);
  if (left > 0) hn::StoreU(hn::Reverse(d, hn::LoadU(d, from - lanes + 1)), d, to);
}

template <class U>
void reverse_rows(U* to, int64_t to_row, const U* from, int64_t from_row, int64_t rows, int64_t n) {
  const auto by = [&](auto row) HWY_ATTR {
    for (int64_t r = 0; r < rows; ++r) row(to + r * to_row, from + r * from_row);
  };
  if constexpr (sizeof(U) > 1) {  // Highway reverses no bytes
    const hn::ScalableTag<U> d;
    const hn::CappedTag<U, 16 / sizeof(U)> few;
    if (n >= static_cast<int64_t>(hn::Lanes(d))) return by([&](U* y, const U* x) HWY_ATTR { reverse_row(d, y, x, n); });
    if (n >= static_cast<int64_t>(hn::Lanes(few)))
      return by([&](U* y, const U* x) HWY_ATTR { reverse_row(few, y, x, n); });
  }
  by([&](U* y, const U* x) {
    for (int64_t i = 0; i < n; ++i) y[i] = x[-i];
  });
}

/// v[k] = every kParts-th element from from[k] on.
template <int64_t kParts, class D, class U>
HWY_INLINE void load_parts(D d, const U* from, hn::Vec<D>* v) {
  if constexpr (kParts == 2) hn::LoadInterleaved2(d, from, v[0], v[1]);
  if constexpr (kParts == 3) hn::LoadInterleaved3(d, from, v[0], v[1], v[2]);
  if constexpr (kParts == 4) hn::LoadInterleaved4(d, from, v[0], v[1], v[2], v[3]);
}

template <int64_t kParts, class U>
void split_parts(U* to, int64_t to_row, const U* from, int64_t n) {
  const hn::ScalableTag<U> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::Vec<decltype(d)> v[4];
    load_parts<kParts>(d, from + kParts * i, v);
#pragma GCC unroll 4
    for (int64_t k = 0; k < kParts; ++k) hn::StoreU(v[k], d, to + k * to_row + i);
  }
  for (; i < n; ++i)
    for (int64_t k = 0; k < kParts; ++k) to[k * to_row + i] = from[i * kParts + k];
}

template <class U>
void split(U* to, int64_t to_row, const U* from, int64_t parts, int64_t n) {
  if (parts == 2) return split_parts<2>(to, to_row, from, n);
  if (parts == 3) return split_parts<3>(to, to_row, from, n);
  split_parts<4>(to, to_row, from, n);
}

/// The last elements one by one: behind them, what lies between two need not be there.
template <int64_t kStep, class U>
void thin_by(U* to, const U* from, int64_t n) {
  const hn::ScalableTag<U> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes < n; i += lanes) {
    hn::Vec<decltype(d)> v[4];
    load_parts<kStep>(d, from + kStep * i, v);
    hn::StoreU(v[0], d, to + i);
  }
  for (; i < n; ++i) to[i] = from[i * kStep];
}

template <class U>
void thin(U* to, const U* from, int64_t step, int64_t n) {
  if (step == 2) return thin_by<2>(to, from, n);
  if (step == 3) return thin_by<3>(to, from, n);
  thin_by<4>(to, from, n);
}

template <int64_t kParts, class U>
void join_parts(U* to, const U* from, int64_t from_row, int64_t n) {
  const hn::ScalableTag<U> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::Vec<decltype(d)> v[4];
#pragma GCC unroll 4
    for (int64_t k = 0; k < kParts; ++k) v[k] = hn::LoadU(d, from + k * from_row + i);
    if constexpr (kParts == 2) hn::StoreInterleaved2(v[0], v[1], d, to + 2 * i);
    if constexpr (kParts == 3) hn::StoreInterleaved3(v[0], v[1], v[2], d, to + 3 * i);
    if constexpr (kParts == 4) hn::StoreInterleaved4(v[0], v[1], v[2], v[3], d, to + 4 * i);
  }
  for (; i < n; ++i)
    for (int64_t k = 0; k < kParts; ++k) to[i * kParts + k] = from[k * from_row + i];
}

template <class U>
void join(U* to, const U* from, int64_t from_row, int64_t parts, int64_t n) {
  if (parts == 2) return join_parts<2>(to, from, from_row, n);
  if (parts == 3) return join_parts<3>(to, from, from_row, n);
  join_parts<4>(to, from, from_row, n);
}

template <class U>
void pick(U* to, int64_t to_row, const U* from, int64_t from_row, int64_t rows, const Picks<U>& picks) {
  if constexpr (sizeof(U) >= 4) {  // Highway looks up no smaller lanes
    const hn::ScalableTag<U> d;
    constexpr auto lanes = static_cast<int64_t>(hn::MaxLanes(hn::ScalableTag<U>()));
    for (int64_t r = 0; r < rows; ++r, to += to_row, from += from_row)
      for (int64_t v = 0; v < picks.vectors; ++v) {
        const auto index = hn::SetTableIndices(d, picks.index + v * lanes);
        hn::StoreU(hn::TableLookupLanes(hn::LoadU(d, from + picks.base[v]), index), d, to + picks.at[v]);
      }
  }
}

template <class U>
const VecMove<U>* table() {
  static constexpr VecMove<U> functions{.transpose = transpose<U>,
                                        .copy_rows = copy_rows<U>,
                                        .stream_rows = stream_rows<U>,
                                        .copy_places = copy_places<U>,
                                        .split = split<U>,
                                        .join = join<U>,
                                        .thin = thin<U>,
                                        .pick = pick<U>,
                                        .lanes = sizeof(U) < 4 ? 0 : hn::MaxLanes(hn::ScalableTag<U>()),
                                        .reverse_rows = reverse_rows<U>};
  return &functions;
}
const VecMove<uint8_t>* moves_u8() { return table<uint8_t>(); }
const VecMove<uint16_t>* moves_u16() { return table<uint16_t>(); }
const VecMove<uint32_t>* moves_u32() { return table<uint32_t>(); }
const VecMove<uint64_t>* moves_u64() { return table<uint64_t>(); }

}  // namespace strata::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu {
HWY_EXPORT(moves_u8);
HWY_EXPORT(moves_u16);
HWY_EXPORT(moves_u32);
HWY_EXPORT(moves_u64);

template <>
const VecMove<uint8_t>& vec_move<uint8_t>() {
  static const VecMove<uint8_t>* functions = HWY_DYNAMIC_DISPATCH(moves_u8)();
  return *functions;
}
template <>
const VecMove<uint16_t>& vec_move<uint16_t>() {
  static const VecMove<uint16_t>* functions = HWY_DYNAMIC_DISPATCH(moves_u16)();
  return *functions;
}
template <>
const VecMove<uint32_t>& vec_move<uint32_t>() {
  static const VecMove<uint32_t>* functions = HWY_DYNAMIC_DISPATCH(moves_u32)();
  return *functions;
}
template <>
const VecMove<uint64_t>& vec_move<uint64_t>() {
  static const VecMove<uint64_t>* functions = HWY_DYNAMIC_DISPATCH(moves_u64)();
  return *functions;
}
}  // namespace strata::cpu
#endif
