// The one machine of all CUDA reductions: what a reduction does with values is a small struct.
#pragma once
#include "dispatcher/kernel.h"
#include "kernels/arithmetic.h"
#include "kernels/cuda/common/reduce_lines.cuh"
#include "kernels/visit_floating.h"

namespace strata::cuda::reduce {

// Note [Reduction]
// A reduction is a struct R with
//   R::In                 the elements' type
//   R::Acc                what is known of some elements of a line; trivially copyable
//   start()               of none
//   map(x, i)             of x, element i of its line
//   join(a, b)            of both; associative and, up to rounding, commutative
//   enter(x)              optionally: sees a line's first element before all others
//   take(acc, pack, i)    optionally: adds a Pack of elements from i on, where that is cheaper than map and join
//   store(line, acc)      writes a line's result

template <class R>
using Acc = typename R::Acc;
template <class R>
using In = typename R::In;

/// `r` for the line at `x`.
template <class R>
__device__ R entered(const R& r, const In<R>* x, bool any) {
  R mine = r;
  if constexpr (requires { mine.enter(*x); })
    if (any) mine.enter(*x);
  return mine;
}

/// Adds a pack of elements from `i` on: a balanced tree, then the rest of the line.
template <class R, int n>
__device__ void take(const R& r, Acc<R>& acc, const Pack<In<R>, n>& x, int64_t i) {
  if constexpr (requires { r.take(acc, x, i); }) {
    r.take(acc, x, i);
  } else {
    Acc<R> each[n];
    STRATA_UNROLL
    for (int j = 0; j < n; ++j) each[j] = r.map(x[j], i + j);
    STRATA_UNROLL
    for (int step = 1; step < n; step *= 2) STRATA_UNROLL
    for (int j = 0; j + step < n; j += 2 * step) each[j] = r.join(each[j], each[j + step]);
    acc = r.join(acc, each[0]);
  }
}

/// Elements [i, i + n) of the line at `x`, as far as they are before `end`: all are on their way before one is used.
template <int n, class R>
__device__ void take_strided(const R& r, Acc<R>& acc, const In<R>* x, const Walk& elements, int64_t i, int64_t end) {
  Pack<In<R>, n> pack;
  STRATA_UNROLL
  for (int j = 0; j < n; ++j)
    if (i + j < end) pack[j] = x[elements.at(i + j)];
  if (i + n <= end) return take(r, acc, pack, i);
  STRATA_UNROLL
  for (int j = 0; j < n; ++j)
    if (i + j < end) acc = r.join(acc, r.map(pack[j], i + j));
}

/// Elements that a thread takes at once along a line: 16 bytes, or 8 of one byte.
template <class R>
inline constexpr int kRowPack = sizeof(In<R>) == 1 ? 8 : 16 / sizeof(In<R>);
/// The same for lines that lie side by side: each element is an access of its own, many are on their way.
template <class R>
inline constexpr int kColumnPack = sizeof(In<R>) >= 8 ? 4 : 8;

/// One thread's elements of [begin, end) of the line at `x`, which lie in aligned packs.
template <class R>
__device__ void take_packs(const R& r, Acc<R>& acc, const In<R>* x, const Walk& elements, int64_t begin, int64_t end,
                           int lane, int lanes) {
  constexpr int kPack = kRowPack<R>, kAtOnce = kPack < 8 ? 4 : 2;
  using P = Pack<In<R>, kPack>;
  const P* const packs = reinterpret_cast<const P*>(x);
  const int64_t first = begin / kPack, last = end / kPack;
  for (int64_t i = first + lane; i < last; i += kAtOnce * lanes) {
    P pack[kAtOnce];
    STRATA_UNROLL
    for (int j = 0; j < kAtOnce; ++j)
      if (i + j * lanes < last) pack[j] = packs[i + j * lanes];
    STRATA_UNROLL
    for (int j = 0; j < kAtOnce; ++j)
      if (i + j * lanes < last) take(r, acc, pack[j], (i + j * lanes) * kPack);
  }
  if (last * kPack < end && (last - first) % lanes == lane) take_strided<kPack>(r, acc, x, elements, last * kPack, end);
}

/// The same for elements of any stride.
template <class R>
__device__ void take_elements(const R& r, Acc<R>& acc, const In<R>* x, const Walk& elements, int64_t begin, int64_t end,
                              int lane, int lanes) {
  constexpr int kPack = kRowPack<R>;
  for (int64_t i = begin + lane * kPack; i < end; i += lanes * kPack) take_strided<kPack>(r, acc, x, elements, i, end);
}

/// Joins the values of 1 << bits neighbouring threads into the first one's: a part of a warp or the block.
template <class R>
__device__ Acc<R> join_lanes(const R& r, Acc<R> acc, int bits) {
  const auto join = [&](const Acc<R>& a, const Acc<R>& b) { return r.join(a, b); };
  if ((1 << bits) == kThreads) return block_reduce<kThreads>(acc, join);
  for (int step = 1; step < 1 << bits; step *= 2) acc = join(acc, shuffle_xor(acc, step));
  return acc;
}

/// A line's result, or a part's where there are several.
template <class R>
__device__ void finish(const R& r, Acc<R>* parts, int64_t line, const Acc<R>& acc) {
  if (parts)
    parts[line * gridDim.y + blockIdx.y] = acc;
  else
    r.store(line, acc);
}

template <class R, bool kPacked>
__global__ void __launch_bounds__(kThreads) rows_kernel(R r, const In<R>* x, LineSet lines, Split s, Acc<R>* parts) {
  const int lanes = 1 << s.bits, lane = threadIdx.x & (lanes - 1), rows = kThreads >> s.bits;
  const int64_t begin = blockIdx.y * s.part, end = begin + s.part < lines.length ? begin + s.part : lines.length;
  for (int64_t group = blockIdx.x; group < s.groups; group += gridDim.x) {
    const int64_t line = group * rows + (threadIdx.x >> s.bits);
    Acc<R> acc = r.start();
    if (line < lines.count) {
      const In<R>* const at = x + lines.lines.at(line);
      const R mine = entered(r, at, begin < end);
      if constexpr (kPacked)
        take_packs(mine, acc, at, lines.elements, begin, end, lane, lanes);
      else
        take_elements(mine, acc, at, lines.elements, begin, end, lane, lanes);
    }
    acc = join_lanes(r, acc, s.bits);
    if (lane == 0 && line < lines.count) finish(r, parts, line, acc);
  }
}

/// Joins what the threads of a block have that stand behind each other into the first row's.
template <class R>
__device__ Acc<R> join_rows(const R& r, Acc<R> acc, int bits) {
  using W = Words<Acc<R>>;
  __shared__ uint32_t of_threads[W::kCount * kThreads];
  __syncthreads();  // the last call's values have been read
  W(acc).put(of_threads + threadIdx.x, kThreads);
  __syncthreads();
  if (threadIdx.x >> bits) return acc;
  for (int other = threadIdx.x + (1 << bits); other < kThreads; other += 1 << bits)
    acc = r.join(acc, W::from(of_threads + other, kThreads).get());
  return acc;
}

template <class R>
__global__ void __launch_bounds__(kThreads) columns_kernel(R r, const In<R>* x, LineSet lines, Split s, Acc<R>* parts) {
  constexpr int kPack = kColumnPack<R>;
  const int width = 1 << s.bits, row = threadIdx.x >> s.bits, step = (kThreads >> s.bits) * kPack;
  const int64_t begin = blockIdx.y * s.part, end = begin + s.part < lines.length ? begin + s.part : lines.length;
  for (int64_t group = blockIdx.x; group < s.groups; group += gridDim.x) {
    const int64_t line = group * width + (threadIdx.x & (width - 1));
    Acc<R> acc = r.start();
    if (line < lines.count) {
      const In<R>* const at = x + lines.lines.at(line);
      const R mine = entered(r, at, begin < end);
      for (int64_t i = begin + row * kPack; i < end; i += step)
        take_strided<kPack>(mine, acc, at, lines.elements, i, end);
    }
    if (width < kThreads) acc = join_rows(r, acc, s.bits);
    if (row == 0 && line < lines.count) finish(r, parts, line, acc);
  }
}

/// The results of lines from those of their parts; 1 << bits threads a line.
template <class R>
__global__ void __launch_bounds__(kThreads)
    parts_kernel(R r, const Acc<R>* of, int64_t count, int64_t parts, int bits) {
  const int lanes = 1 << bits, lane = threadIdx.x & (lanes - 1);
  const int64_t line = int64_t{blockIdx.x} * (kThreads >> bits) + (threadIdx.x >> bits);
  Acc<R> acc = r.start();
  if (line < count)
    for (int64_t i = lane; i < parts; i += lanes) acc = r.join(acc, of[line * parts + i]);
  acc = join_lanes(r, acc, bits);
  if (lane == 0 && line < count) r.store(line, acc);
}

/// Room for the results of the parts of lines.
template <class T>
struct PartResults {
  PartResults(int64_t n, const Tensor& like) {
    if (n > 0) memory = empty_on_device({n * static_cast<int64_t>(sizeof(T))}, kByte, like.device());
  }
  T* data() const { return memory.defined() ? reinterpret_cast<T*>(memory.bytes()) : nullptr; }
  Tensor memory;
};

template <class R>
void join_parts(const Op& op, const R& r, const Tensor& x, const Acc<R>* of, int64_t count, int64_t parts) {
  const int bits = parts > 2 * kWarp ? bits_for(kThreads) : std::min(5, bits_for(parts));
  const unsigned blocks = static_cast<unsigned>(ceil_div(count, kThreads >> bits));
  start(op.name(), parts_kernel<R>, {blocks}, stream_of(x), r, of, count, parts, bits);
}

/// Do the lines in a row consist of aligned packs, but for their ends?
template <class R>
bool in_packs(const LineSet& l, const void* x) {
  if (!l.elements.in_a_row() || !is_aligned(x, 16)) return false;
  for (int d = 0; d < l.lines.rank; ++d)
    if (l.lines.strides[d] % kRowPack<R> != 0) return false;
  return true;
}

/// Reduces the lines of `x` along sorted dims; `r` stores the results.
template <class R>
void reduce(const Op& op, const R& r, const Tensor& in, IntArrayRef dims) {
  Tensor x = in;
  const LineSet l = lines_of(x, dims);
  if (l.count == 0) return;
  const Split s = l.side_by_side ? split_columns(l, kColumnPack<R>) : split_rows(l, kRowPack<R>);
  const PartResults<Acc<R>> parts(s.parts > 1 ? l.count * s.parts : 0, x);
  const In<R>* const data = reinterpret_cast<const In<R>*>(x.bytes());
  const auto kernel = l.side_by_side         ? columns_kernel<R>
                      : in_packs<R>(l, data) ? rows_kernel<R, true>
                                             : rows_kernel<R, false>;
  start(op.name(), kernel, {s.blocks()}, stream_of(x), r, data, l, s, parts.data());
  if (s.parts > 1) join_parts(op, r, x, parts.data(), l.count, s.parts);
}

template <class T>
T* elements(const Tensor& t) {
  return reinterpret_cast<T*>(t.bytes());
}

/// Calls f.template operator()<T>() with the type that elements are read as: bools are bytes of 0 and 1.
template <class F>
void visit_stored(DType dtype, F&& f) {
  if (dtype == kBool) return f.template operator()<uint8_t>();
  visit_dtype(dtype, [&]<class T>() {
    if constexpr (!std::is_same_v<T, bool>) f.template operator()<T>();
  });
}

/// The same with the complex types too.
template <class F>
void visit_any_stored(DType dtype, F&& f) {
  if (is_complex(dtype)) return visit_complex(dtype, f);
  visit_stored(dtype, f);
}

/// The type that sums and products of values of T are held in: int64 wraps around, being unsigned here.
template <class T>
using Total = std::conditional_t<std::is_integral_v<T>, uint64_t, arithmetic::Compute<T>>;

/// a or b, whichever is beyond the other or NaN.
template <bool kMax, class T>
__device__ T extreme(T a, T b) {
  return (kMax ? a > b : a < b) || a != a ? a : b;
}

/// What every value is beyond.
template <bool kMax, class T>
STRATA_HD constexpr T least() {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>)
    return kMax ? -Limits::infinity() : Limits::infinity();
  else
    return kMax ? Limits::lowest() : Limits::max();
}

}  // namespace strata::cuda::reduce
