// The one machine of all CUDA scans: what a scan does with values is a small struct.
#pragma once
#include "dispatcher/kernel.h"
#include "kernels/convert.h"
#include "kernels/cuda/reduce/reduce.cuh"
#include "ops/scan_def.h"

namespace strata::cuda::reduce {

// Note [CUDA scans]
// A scan is a struct R with
//   R::Acc                 what is known of some elements in a row; trivially copyable
//   start()                of none
//   join(a, b)             of both, b coming after a; associative
//   read(span)             a span's elements, as R::Items
//   map(items, j, i)       the j-th of them, element i of its line
//   write(span, values)    the results of a span
// Operands are row-major, `(outer, length, inner)`. 1 to 32 lanes or a block take a line in tiles: each thread scans
// the kSpan elements of its span, the threads scan their sums, and a carry goes from tile to tile. Where inner > 1 each
// thread has a line of its own and neighbours read neighbours. Long lines, if few, are cut into parts by their shape: a
// first pass finds each part's total, a second scans all parts at once.

inline constexpr int kSpan = 4;

/// What running sums and products of T are held in, as on the CPU: float runs in double, integers wrap around.
template <class T>
using Running =
    std::conditional_t<std::is_integral_v<T>, uint64_t, std::conditional_t<kIsComplex<T>, Complex<double>, double>>;

/// Neighbouring elements of a line in the order of the scan; the first `valid` of them exist.
struct Span {
  int64_t at, step;
  int valid;
  bool packed;  ///< in one aligned access
};

template <class T>
using SpanPack = Pack<T, kSpan>;

template <class T>
__device__ SpanPack<T> reversed(const SpanPack<T>& x) {
  SpanPack<T> y;
  STRATA_UNROLL
  for (int j = 0; j < kSpan; ++j) y[j] = x[kSpan - 1 - j];
  return y;
}

template <class T>
__device__ SpanPack<T> read_span(const T* x, const Span& s) {
  SpanPack<T> pack;
  if (s.packed && s.valid > 0) {
    pack = *reinterpret_cast<const SpanPack<T>*>(x + (s.step < 0 ? s.at - (kSpan - 1) : s.at));
    return s.step < 0 ? reversed(pack) : pack;
  }
  STRATA_UNROLL
  for (int j = 0; j < kSpan; ++j)
    if (j < s.valid) pack[j] = x[s.at + j * s.step];
  return pack;
}

template <class T>
__device__ void write_span(T* y, const Span& s, const SpanPack<T>& pack) {
  if (s.packed && s.valid > 0) {
    *reinterpret_cast<SpanPack<T>*>(y + (s.step < 0 ? s.at - (kSpan - 1) : s.at)) = s.step < 0 ? reversed(pack) : pack;
    return;
  }
  STRATA_UNROLL
  for (int j = 0; j < kSpan; ++j)
    if (j < s.valid) y[s.at + j * s.step] = pack[j];
}

/// LineSet, their elements `inner` apart, and who takes what: 1 << bits threads a line, `part` elements of it a block.
struct ScanPlan {
  int64_t count, length, inner;
  bool reverse, packed = false;
  int bits = 0;
  int64_t parts = 1, part = 0;

  __device__ int64_t first(int64_t line) const {
    return inner == 1 ? line * length : line / inner * (length * inner) + line % inner;
  }
  /// The elements from `i` on of the line that starts at `first`, as far as they are before `end`.
  __device__ Span span(int64_t first, int64_t i, int64_t end) const {
    const int64_t left = end - i;
    return {first + (reverse ? length - 1 - i : i) * inner, reverse ? -inner : inner,
            left < 0       ? 0
            : left < kSpan ? static_cast<int>(left)
                           : kSpan,
            packed};
  }
};

/// What the threads of a line before this one have joined to, and what all of them have.
template <class A>
struct PrefixAndTotal {
  A before, total;
};

/// For 1 << bits lanes, at most a warp.
template <class R, class A = Acc<R>>
__device__ PrefixAndTotal<A> scan_lanes(const R& r, A value, int bits) {
  const int lane = threadIdx.x & ((1 << bits) - 1);
  for (int step = 1; step < 1 << bits; step *= 2) {
    const A other = shuffle_up(value, step);
    if (lane >= step) value = r.join(other, value);
  }
  const A before = shuffle_up(value, 1);
  const A total = shuffle_from(value, static_cast<int>(threadIdx.x) | ((1 << bits) - 1));
  return {lane == 0 ? r.start() : before, total};
}

/// The same over all threads of a block.
template <class R, class A = Acc<R>>
__device__ PrefixAndTotal<A> scan_block(const R& r, const A& value) {
  constexpr int kWarps = kThreads / kWarp;
  __shared__ uint32_t of_warps[Words<A>::kCount * kWarps];
  const PrefixAndTotal<A> here = scan_lanes(r, value, 5);
  __syncthreads();  // the last call's values have been read
  if (threadIdx.x % kWarp == 0) Words<A>(here.total).put(of_warps + threadIdx.x / kWarp, kWarps);
  __syncthreads();
  PrefixAndTotal<A> all{r.start(), r.start()};
  STRATA_UNROLL
  for (int w = 0; w < kWarps; ++w) {
    if (w == static_cast<int>(threadIdx.x / kWarp)) all.before = all.total;
    all.total = r.join(all.total, Words<A>::from(of_warps + w, kWarps).get());
  }
  return {r.join(all.before, here.before), all.total};
}

template <class R>
__device__ PrefixAndTotal<Acc<R>> scan_threads(const R& r, const Acc<R>& value, int bits) {
  if (bits == 0) return {r.start(), value};
  return (1 << bits) == kThreads ? scan_block(r, value) : scan_lanes(r, value, bits);
}

/// Scans a thread's own span: afterwards `values[j]` is of its elements up to j.
template <class R>
__device__ void scan_span(const R& r, Acc<R> (&values)[kSpan], const typename R::Items& items, int64_t i, int valid) {
  STRATA_UNROLL
  for (int j = 0; j < kSpan; ++j) {
    const Acc<R> value = j < valid ? r.map(items, j, i + j) : r.start();
    values[j] = j == 0 ? value : r.join(values[j > 0 ? j - 1 : 0], value);
  }
}

/// Scans elements [begin, end) of a line, `carry` being what is before them; returns what there is with them. All
/// threads go through all tiles, also without a line.
template <bool kWrite, class R>
__device__ Acc<R> scan_part(const R& r, const ScanPlan& p, int64_t line, int64_t begin, int64_t end, Acc<R> carry) {
  const int lanes = 1 << p.bits, step = lanes * kSpan;
  const int64_t first = p.first(line), stop = line < p.count ? end : begin;
  int64_t i = begin + (threadIdx.x & (lanes - 1)) * kSpan;
  Span next = p.span(first, i, stop);
  auto coming = r.read(next);
  for (int64_t tile = begin; tile < end; tile += step, i += step) {
    const Span here = next;
    const auto items = coming;
    next = p.span(first, i + step, stop);
    coming = r.read(next);  // on its way while this tile is worked on
    Acc<R> values[kSpan];
    scan_span(r, values, items, i, here.valid);
    const PrefixAndTotal<Acc<R>> around = scan_threads(r, values[kSpan - 1], p.bits);
    if constexpr (kWrite) {
      const Acc<R> before = r.join(carry, around.before);
      STRATA_UNROLL
      for (int j = 0; j < kSpan; ++j) values[j] = r.join(before, values[j]);
      r.write(here, values);
    }
    carry = r.join(carry, around.total);
  }
  return carry;
}

/// What the parts before `part` have together.
template <class R>
__device__ Acc<R> carry_into(const R& r, const ScanPlan& p, const Acc<R>* totals, int64_t line, int64_t part) {
  const bool block = (1 << p.bits) == kThreads;
  const int64_t share = block ? (part + kThreads - 1) / kThreads : part, first = block ? threadIdx.x * share : 0;
  Acc<R> acc = r.start();
  if (line < p.count)
    for (int64_t k = first; k < first + share && k < part; ++k) acc = r.join(acc, totals[k * p.count + line]);
  if (!block) return acc;
  return block_reduce<kThreads>(acc, [&](const Acc<R>& a, const Acc<R>& b) { return r.join(a, b); });
}

template <class R, bool kWrite>
__global__ void __launch_bounds__(kThreads) scan_kernel(R r, ScanPlan p, Acc<R>* totals) {
  const int64_t rows = kThreads >> p.bits, groups = (p.count + rows - 1) / rows, part = blockIdx.y;
  const int64_t begin = part * p.part, end = begin + p.part < p.length ? begin + p.part : p.length;
  for (int64_t group = blockIdx.x; group < groups; group += gridDim.x) {
    const int64_t line = group * rows + (threadIdx.x >> p.bits);
    if constexpr (kWrite) {
      scan_part<true>(r, p, line, begin, end, p.parts > 1 ? carry_into(r, p, totals, line, part) : r.start());
    } else {
      const Acc<R> total = scan_part<false>(r, p, line, begin, end, r.start());
      if ((threadIdx.x & ((1 << p.bits) - 1)) == 0 && line < p.count) totals[part * p.count + line] = total;
    }
  }
}

/// Cuts lines into parts where there are too few of them for the GPU.
inline void cut_lines(ScanPlan& p) {
  constexpr int64_t kBlocks = 1024, kEnough = 256, kLeastTiles = 8, kMostParts = 512;
  const int64_t tile = (int64_t{1} << p.bits) * kSpan, groups = ceil_div(p.count, kThreads >> p.bits);
  const bool whole_blocks = p.inner > 1 || (1 << p.bits) == kThreads;
  const int64_t tiles = std::max<int64_t>(1, ceil_div(p.length, tile));
  if (whole_blocks && groups < kEnough) {
    p.parts = std::clamp<int64_t>(std::min(kBlocks / groups, tiles / kLeastTiles), 1, kMostParts);
  }
  p.part = ceil_div(tiles, p.parts) * tile;
  p.parts = std::max<int64_t>(1, ceil_div(p.length, p.part));
}

/// Runs `r`, which has the addresses of operands that are laid out as `p` says.
template <class R>
void run_scan(const Op& op, const R& r, ScanPlan p, const Tensor& like) {
  constexpr int64_t kMostForWarp = 2048, kMostBlocks = 4096;
  if (p.inner == 1)
    p.bits = p.length > kMostForWarp ? bits_for(kThreads) : std::min(5, bits_for(ceil_div(p.length, kSpan)));
  cut_lines(p);
  const int64_t groups = ceil_div(p.count, kThreads >> p.bits);
  const dim3 blocks(static_cast<unsigned>(std::min(groups, kMostBlocks)), static_cast<unsigned>(p.parts));
  const PartResults<Acc<R>> totals(p.parts > 1 ? p.count * p.parts : 0, like);
  if (p.parts > 1) start(op.name(), scan_kernel<R, false>, {blocks}, stream_of(like), r, p, totals.data());
  start(op.name(), scan_kernel<R, true>, {blocks}, stream_of(like), r, p, totals.data());
}

/// The operands of a scan along `dim`, brought into a layout that the kernel takes.
class ScanOperands {
 public:
  ScanOperands(const Tensor& like, const ScanParams& p) : dims_{p.dim} {
    const int64_t d = p.dim, length = like.dim() ? like.sizes()[d] : 1;
    plan_ = {length ? like.numel() / length : 0, length, 1, p.reverse};
    for (int64_t k = d + 1; k < like.dim(); ++k) plan_.inner *= like.sizes()[k];
    // A few interleaved lines would keep few threads busy.
    if (plan_.inner > 1 && plan_.inner < kWarp && plan_.count < kFewLines && length > kLong) {
      turned_ = true;
      plan_.inner = 1;
    }
    plan_.packed = plan_.inner == 1 && length % kSpan == 0;
  }
  Tensor input(const Tensor& t) {
    const Tensor ready = turned_ ? detail::with_lines_in_rows(t, dims_) : row_major(t);
    return note(ready);
  }
  /// Where to write; `finish` brings it to `t`.
  Tensor output(const Tensor& t) {
    if (turned_) return note(detail::empty_with_lines_in_rows(t, dims_));
    return note(t.is_contiguous() ? t : empty_on_device(t.sizes(), t.dtype(), t.device()));
  }
  static void finish(const Tensor& t, const Tensor& written) {
    if (t.bytes() != written.bytes()) copy_strided(t, written);
  }
  const ScanPlan& plan() const { return plan_; }

 private:
  static constexpr int64_t kFewLines = 16384, kLong = 4096;

  const Tensor& note(const Tensor& t) {
    plan_.packed &= is_aligned(t.bytes(), 16);
    return t;
  }

  DimVector dims_;
  ScanPlan plan_{};
  bool turned_ = false;
};

}  // namespace strata::cuda::reduce
