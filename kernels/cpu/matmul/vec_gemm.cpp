// Register tiles of matrix products, and the packing of their operands.
#include "kernels/cpu/matmul/vec_gemm.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "kernels/cpu/common/vec_move.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/matmul/vec_gemm.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
// Read again for each instruction set, so it comes after foreach_target.h.
#include "kernels/cpu/common/vec_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::matmul::HWY_NAMESPACE {
using namespace cpu::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
// Rows x vectors of sums, the vectors of b and one number of a fit the register file of 32, or of 16.
constexpr bool kHas32Registers = HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64;
constexpr int kRows = kHas32Registers ? 12 : 6, kVectors = 2;
// Elements along k that are computed in one round of the loop, and by how many a, which comes from the L2 cache, and
// rows of b, which come from memory, are asked for before they are used.
constexpr int kUnroll = 4;
constexpr int64_t kAhead = 32, kRowsAhead = 16;
constexpr int kLine = 16;  // floats
constexpr int kLanes = static_cast<int>(hn::MaxLanes(D())), kCols = kVectors * kLanes;

HWY_INLINE void prefetch_row(const float* row) {
  hwy::Prefetch(row);
  hwy::Prefetch(row + kCols - 1);
}

/// Where a tile finds its next columns of b: in a panel, or in rows of b that are `step` apart and are packed on the
/// way.
struct Panel {
  const float* b;
  HWY_INLINE V load(int v) const { return hn::LoadU(D(), b + v * kLanes); }
  HWY_INLINE void next() { b += kCols; }
};
struct Rows {
  const float* b;
  int64_t step;
  float* panel;
  HWY_INLINE V load(int v) const {
    const V x = hn::LoadU(D(), b + v * kLanes);
    hn::StoreU(x, D(), panel + v * kLanes);
    return x;
  }
  HWY_INLINE void next() {
    prefetch_row(b + kRowsAhead * step);
    b += step, panel += kCols;
  }
};

template <int R, class Columns>
HWY_INLINE void full_tile(const GemmTile& t, Columns b) {
  const D d;
  const float* a = t.a;
  V sums[R][kVectors];
  unrolled<R * kVectors>([&](auto i)
                             __attribute__((always_inline)) { sums[i / kVectors][i % kVectors] = hn::Zero(d); });
  const auto step = [&](int64_t at) __attribute__((always_inline)) {
    V cols[kVectors];
    unrolled<kVectors>([&](auto v) __attribute__((always_inline)) { cols[v] = b.load(v); });
    b.next();
    unrolled<R>([&](auto r) __attribute__((always_inline)) {
      const V x = hn::Set(d, a[at * kRows + r]);
      unrolled<kVectors>([&](auto v)
                             __attribute__((always_inline)) { sums[r][v] = hn::MulAdd(x, cols[v], sums[r][v]); });
    });
  };
  // The rows that the sums go to are asked for one after another, so that b can come from its cache meanwhile.
  int64_t q = 0;
  for (int row = 0; row < R; ++row) {
    if (t.start.data) prefetch_row(t.start.data + row * t.start.row);
    prefetch_row(t.out.data + row * t.out.row);
    const int64_t end = t.k * (row + 1) / R;
    for (; q + kUnroll <= end; q += kUnroll, a += kUnroll * kRows) {
      unrolled<kUnroll * kRows / kLine>([&](auto i) __attribute__((always_inline)) {
        hwy::Prefetch(a + kAhead * kRows + i * kLine);
      });
      unrolled<kUnroll>([&](auto u) __attribute__((always_inline)) { step(u); });
    }
  }
  for (; q < t.k; ++q, a += kRows) step(0);
  unrolled<R * kVectors>([&](auto i) __attribute__((always_inline)) {
    constexpr int r = i / kVectors, at = i % kVectors * kLanes;
    V sum = sums[r][i % kVectors];
    if (t.start.data) sum = hn::Add(hn::LoadU(d, t.start.data + r * t.start.row + at), sum);
    hn::StoreU(sum, d, t.out.data + r * t.out.row + at);
  });
}

template <int R>
void panel_tile(const GemmTile& t) {
  full_tile<R>(t, Panel{t.b});
}
using TileFn = void (*)(const GemmTile&);
template <int... R>
constexpr std::array<TileFn, sizeof...(R)> tiles_of(std::integer_sequence<int, R...>) {
  return {panel_tile<R + 1>...};
}
constexpr auto kTiles = tiles_of(std::make_integer_sequence<int, kRows>());

// A tile whose rows are not full, or whose start is strided, is computed aside.
HWY_NOINLINE void tile_aside(const GemmTile& t) {
  HWY_ALIGN float aside[kRows * kCols] = {};
  GemmTile whole = t;
  whole.out = {aside, kCols, 1};
  whole.start = {t.start.data ? aside : nullptr, kCols, 1};
  for (int64_t i = 0; t.start.data && i < t.rows; ++i)
    for (int64_t j = 0; j < t.cols; ++j) aside[i * kCols + j] = t.start.data[i * t.start.row + j * t.start.col];
  kTiles[static_cast<size_t>(t.rows - 1)](whole);
  for (int64_t i = 0; i < t.rows; ++i) std::copy_n(aside + i * kCols, t.cols, t.out.data + i * t.out.row);
}

void tile(const GemmTile& t) {
  const bool is_full = t.cols == kCols && (!t.start.data || t.start.col == 1);
  is_full ? kTiles[static_cast<size_t>(t.rows - 1)](t) : tile_aside(t);
}

// Lanes that are neighbours: some elements along k of each panel in turn, so that a line of the source is used up while
// it is in the cache.
template <int Width>
void pack_neighbours(float* to, const Lanes& from) {
  constexpr int64_t kDepth = 8;
  for (int64_t q0 = 0; q0 < from.k; q0 += kDepth) {
    for (int64_t lane = 0; lane < from.lanes; lane += Width) {
      const int64_t count = std::min<int64_t>(Width, from.lanes - lane);
      for (int64_t q = q0; q < std::min(from.k, q0 + kDepth); ++q) {
        const float* const in = from.x.data + lane + q * from.x.col;
        float* const out = to + lane * from.k + q * Width;
        if (count == Width)
          std::memcpy(out, in, Width * sizeof(float));
        else
          std::fill(std::copy_n(in, count, out), out + Width, 0.0f);
      }
    }
  }
}

#if HWY_TARGET == HWY_SCALAR
template <int Width>
constexpr bool kTransposes = false;
#else
template <int Width>
constexpr bool kTransposes = Width % 4 == 0;

/// Four elements of every fourth lane, a block each.
template <class D>
HWY_INLINE hn::Vec<D> load_blocks(D d, const float* from, int64_t step) {
  if constexpr (hn::MaxLanes(d) == 4) {
    return hn::LoadU(d, from);
  } else {
    const hn::Half<D> half;
    const auto low = load_blocks(half, from, step);
    const auto high = load_blocks(half, from + static_cast<int64_t>(hn::MaxLanes(half)) * step, step);
    return hn::Combine(d, high, low);
  }
}

/// As many lanes of k elements as a vector holds, four elements of all at a time.
template <int Width, class D>
HWY_INLINE void transpose_lanes(D d, float* to, const float* from, int64_t step, int64_t k) {
  const auto low = [&](auto a, auto b) __attribute__((always_inline)) { return hn::InterleaveLower(d, a, b); };
  const auto high = [&](auto a, auto b) __attribute__((always_inline)) { return hn::InterleaveUpper(d, a, b); };
  int64_t q = 0;
  for (; q + 4 <= k; q += 4, from += 4, to += 4 * Width) {
    const auto a = load_blocks(d, from, step), b = load_blocks(d, from + step, step),
               c = load_blocks(d, from + 2 * step, step), e = load_blocks(d, from + 3 * step, step);
    const auto ac = low(a, c), be = low(b, e), ac2 = high(a, c), be2 = high(b, e);
    hn::StoreU(low(ac, be), d, to);
    hn::StoreU(high(ac, be), d, to + Width);
    hn::StoreU(low(ac2, be2), d, to + 2 * Width);
    hn::StoreU(high(ac2, be2), d, to + 3 * Width);
  }
  for (; q < k; ++q, ++from, to += Width)
    for (int64_t lane = 0; lane < static_cast<int64_t>(hn::MaxLanes(d)); ++lane) to[lane] = from[lane * step];
}

/// A full panel of lanes that run along k, from vectors of them and then shorter ones.
template <int Width, int First = 0>
HWY_INLINE void transpose_panel(float* to, const float* from, int64_t step, int64_t k) {
  if constexpr (First < Width) {
    constexpr int count = std::min(kLanes, Width - First >= 16 ? 16 : Width - First >= 8 ? 8 : 4);
    transpose_lanes<Width>(hn::FixedTag<float, count>(), to + First, from + First * step, step, k);
    transpose_panel<Width, First + count>(to, from, step, k);
  }
}
#endif

template <int Width>
void pack(float* to, const Lanes& from) {
  if (from.x.row == 1) return pack_neighbours<Width>(to, from);
  for (int64_t lane = 0; lane < from.lanes; lane += Width) {
    const int64_t count = std::min<int64_t>(Width, from.lanes - lane);
    const float* const in = from.x.data + lane * from.x.row;
    float* const out = to + lane * from.k;
    if (count < Width) std::fill_n(out, Width * from.k, 0.0f);
    if constexpr (kTransposes<Width>) {
      if (from.x.col == 1 && count == Width) {
        transpose_panel<Width>(out, in, from.x.row, from.k);
        continue;
      }
    }
    if (from.x.col == 1) {
      vec_move<uint32_t>().transpose(reinterpret_cast<uint32_t*>(out), Width, reinterpret_cast<const uint32_t*>(in),
                                     from.x.row, from.k, count);
      continue;
    }
    for (int64_t q = 0; q < from.k; ++q)
      for (int64_t j = 0; j < count; ++j) out[q * Width + j] = in[j * from.x.row + q * from.x.col];
  }
}

void pack_cols_and_tile(const Lanes& b, float* panel, const GemmTile& t) {
  const bool is_full = b.x.row == 1 && b.lanes == kCols && t.rows == kRows && (!t.start.data || t.start.col == 1);
  if (is_full) return full_tile<kRows>(t, Rows{b.x.data, b.x.col, panel});
  pack<kCols>(panel, b);
  tile(t);
}

const VecGemm* functions() {
  static constexpr VecGemm table{kRows, kCols, pack<kRows>, pack<kCols>, tile, pack_cols_and_tile};
  return &table;
}

}  // namespace strata::cpu::matmul::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::matmul {
HWY_EXPORT(functions);

const VecGemm& vec_gemm() {
  static const VecGemm* table = HWY_DYNAMIC_DISPATCH(functions)();
  return *table;
}

}  // namespace strata::cpu::matmul
#endif
