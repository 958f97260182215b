// Attention's CUDA kernels: tiles of the score matrix in registers and shared memory, never the whole (Dao et al.
// 2022).
#include <cmath>
#include <limits>

#include "dispatcher/kernel.h"
#include "kernels/arithmetic.h"
#include "kernels/cuda/attention/attention.h"
#include "kernels/cuda/common/block_reduce.cuh"
#include "kernels/cuda/runtime/launch.h"
#include "kernels/visit_floating.h"
#include "ops/attention_def.h"

namespace strata::cuda::attention {
namespace {

// Note [Tiles of scores]
// A block has 16 x 16 threads for a tile of kTile queries by kTile keys; thread (x, y) holds the scores of the queries
// y + 16 i and the keys x + 16 j. Operands come through shared memory kChunk columns (or rows) at a time, so that any
// width fits; rows beyond the end count as zeros. A query's keys are in 16 neighbouring lanes, whose shuffles reduce
// them. Every sum has one thread, or a fixed tree: results are the same in every run. Gradients of keys and of queries
// have a kernel each, which computes the scores again, instead of adding to shared sums in changing order.

constexpr int kSide = 16, kBlock = kSide * kSide, kChunk = 32, kPitch = kChunk + 1;

template <class T>
using Sum = arithmetic::Compute<T>;
/// Shared memory holds tiles of 64 floats by 64, or of 32 doubles by 32.
template <class T>
inline constexpr int kTileOf = sizeof(Sum<T>) == 8 ? 32 : 64;

/// `(B, H, rows, cols)`, or `(B, H, rows)`, on the device.
template <class T>
struct Heads {
  T* data;
  int64_t batch, head, row, col;
};
template <class T>
Heads<T> heads_of(const Tensor& t) {
  const IntArrayRef s = t.strides();
  return {t.data_ptr<std::remove_const_t<T>>(), s[0], s[1], s[2], t.dim() > 3 ? s[3] : 0};
}

/// One head's matrix, of which the first `rows` rows and `cols` columns exist.
template <class T>
struct Rows {
  T* data;
  int64_t row, col, rows, cols;
  __device__ T& at(int64_t i, int64_t j) const { return data[i * row + j * col]; }
};
template <class T>
__device__ Rows<T> rows_of(const Heads<T>& t, int64_t heads, int64_t index, int64_t rows, int64_t cols) {
  return {t.data + index / heads * t.batch + index % heads * t.head, t.row, t.col, rows, cols};
}

struct Sizes {
  int64_t batches, heads, queries, keys, width, out_width;
  double scale;
  bool causal;
};

template <class T>
struct Inputs {
  Heads<const T> q, k, v, grad;
  Heads<const Sum<T>> logsumexp, delta;
};

template <class C, int kPer>
struct Square {
  C at[kPer][kPer] = {};
  template <class F>
  __device__ void for_each(F f) {
    STRATA_UNROLL
    for (int i = 0; i < kPer; ++i) {
      STRATA_UNROLL
      for (int j = 0; j < kPer; ++j)
        f(at[i][j], static_cast<int>(threadIdx.x) / kSide + kSide * i,
          static_cast<int>(threadIdx.x) % kSide + kSide * j);
    }
  }
};

template <class T>
struct Tiles {
  using C = Sum<T>;
  static constexpr int kTile = kTileOf<T>, kPer = kTile / kSide, kRow = kTile + 1;
  using Accumulators = Square<C, kPer>;
  /// Two operands, and a tile of weights.
  struct Memory {
    C a[kTile * kPitch], b[kTile * kPitch], weights[kTile * kRow];
  };
  static_assert(kChunk * kRow <= kTile * kPitch);

  /// acc += rows of `a` from `first_a` times rows of `b` from `first_b`, transposed.
  static __device__ void multiply_rows(Memory& m, Accumulators& acc, const Rows<const T>& a, int64_t first_a,
                                       const Rows<const T>& b, int64_t first_b) {
    for (int64_t col = 0; col < a.cols; col += kChunk) {
      __syncthreads();  // what stood there has been read
      load_columns(m.a, a, first_a, col);
      load_columns(m.b, b, first_b, col);
      __syncthreads();
      for (int e = 0; e < kChunk; ++e) {
        acc.for_each([&](C& sum, int i, int j) { sum = std::fma(m.a[i * kPitch + e], m.b[j * kPitch + e], sum); });
      }
    }
  }

  /// acc += the tile of weights, transposed if asked, times kTile rows of `b` from `first`, its columns from `col`.
  template <bool kTransposed>
  static __device__ void multiply_weights(Memory& m, Accumulators& acc, const Rows<const T>& b, int64_t first,
                                          int64_t col) {
    for (int chunk = 0; chunk < kTile; chunk += kChunk) {
      __syncthreads();  // the weights stand there, and what stood in b has been read
      for (int at = threadIdx.x; at < kChunk * kTile; at += kBlock) {
        const int64_t i = first + chunk + at / kTile, j = col + at % kTile;
        m.b[at / kTile * kRow + at % kTile] = i < b.rows && j < b.cols ? static_cast<C>(b.at(i, j)) : C(0);
      }
      __syncthreads();
      for (int k = 0; k < kChunk; ++k) {
        acc.for_each([&](C& sum, int i, int j) {
          const C weight = kTransposed ? m.weights[(chunk + k) * kRow + i] : m.weights[i * kRow + chunk + k];
          sum = std::fma(weight, m.b[k * kRow + j], sum);
        });
      }
    }
  }

  /// Writes the accumulators to rows from `first` and columns from `col`, times `factor`.
  static __device__ void write(Accumulators& acc, const Rows<T>& to, int64_t first, int64_t col, C factor) {
    acc.for_each([&](C& sum, int i, int j) {
      if (first + i < to.rows && col + j < to.cols) to.at(first + i, col + j) = static_cast<T>(sum * factor);
    });
  }

 private:
  static __device__ void load_columns(C* to, const Rows<const T>& from, int64_t first, int64_t col) {
    for (int at = threadIdx.x; at < kTile * kChunk; at += kBlock) {
      const int64_t i = first + at / kChunk, j = col + at % kChunk;
      to[at / kChunk * kPitch + at % kChunk] = i < from.rows && j < from.cols ? static_cast<C>(from.at(i, j)) : C(0);
    }
  }
};

/// Does query i see key j?
__device__ inline bool sees(const Sizes& s, int64_t i, int64_t j) {
  return i < s.queries && j < s.keys && (!s.causal || j <= i);
}

__host__ __device__ inline int64_t tiles_of(int64_t n, int tile) { return (n + tile - 1) / tile; }
/// Blocks along columns, at least one.
__host__ __device__ inline int64_t column_tiles(int64_t n, int tile) { return n > tile ? tiles_of(n, tile) : 1; }

/// What a block computes: a tile of rows and of columns of one head. The last rows come first, since causal queries
/// have the more to do the later they are.
struct BlockTile {
  int64_t head, row, col;
  __device__ BlockTile(int64_t row_tiles, int64_t col_tiles, int tile) {
    const int64_t block = blockIdx.x;
    row = (row_tiles - 1 - block % row_tiles) * tile;
    col = block / row_tiles % col_tiles * tile;
    head = block / row_tiles / col_tiles;
  }
};

template <class T>
__global__ void __launch_bounds__(kBlock)
    forward_kernel(const Sizes s, const Inputs<T> in, const Heads<T> out, const Heads<Sum<T>> logsumexp) {
  using C = Sum<T>;
  using M = Tiles<T>;
  constexpr int kTile = M::kTile, kPer = M::kPer;
  constexpr C kNone = -std::numeric_limits<C>::infinity();
  __shared__ typename M::Memory memory;
  const BlockTile place(tiles_of(s.queries, kTile), column_tiles(s.out_width, kTile), kTile);
  const auto q = rows_of(in.q, s.heads, place.head, s.queries, s.width);
  const auto k = rows_of(in.k, s.heads, place.head, s.keys, s.width);
  const auto v = rows_of(in.v, s.heads, place.head, s.keys, s.out_width);
  const C scale = static_cast<C>(s.scale);
  const int64_t seen = s.causal && place.row + kTile < s.keys ? place.row + kTile : s.keys;

  typename M::Accumulators sums;
  C largest[kPer], total[kPer];
  for (int i = 0; i < kPer; ++i) largest[i] = kNone, total[i] = 0;
  for (int64_t key = 0; key < seen; key += kTile) {
    typename M::Accumulators scores;
    M::multiply_rows(memory, scores, q, place.row, k, key);
    scores.for_each([&](C& x, int i, int j) { x = sees(s, place.row + i, key + j) ? x * scale : kNone; });
    for (int i = 0; i < kPer; ++i) {
      C most = largest[i], sum = 0;
      for (int j = 0; j < kPer; ++j) most = scores.at[i][j] > most ? scores.at[i][j] : most;
      most = warp_reduce<kSide>(most, [](C a, C b) { return b > a ? b : a; });
      const C shift = most == kNone ? C(0) : most, shrink = std::exp(largest[i] - shift);
      for (int j = 0; j < kPer; ++j) {
        scores.at[i][j] = std::exp(scores.at[i][j] - shift);
        sum += scores.at[i][j];
        sums.at[i][j] *= shrink;
      }
      total[i] = total[i] * shrink + warp_reduce<kSide>(sum, [](C a, C b) { return a + b; });
      largest[i] = most;
    }
    scores.for_each([&](C x, int i, int j) { memory.weights[i * M::kRow + j] = x; });
    M::template multiply_weights<false>(memory, sums, v, key, place.col);
  }

  const auto logs = rows_of(logsumexp, s.heads, place.head, s.queries, 1);
  for (int i = 0; i < kPer; ++i) {
    const C none = s.keys == 0 ? C(0) : largest[i] - largest[i];  // NaN where the largest score is infinite
    for (int j = 0; j < kPer; ++j) sums.at[i][j] *= s.keys == 0 ? C(0) : 1 / total[i] + none;
    const int64_t row = place.row + threadIdx.x / kSide + kSide * i;
    if (threadIdx.x % kSide == 0 && place.col == 0 && row < s.queries)
      logs.at(row, 0) = largest[i] + std::log(total[i]) + none;
  }
  M::write(sums, rows_of(out, s.heads, place.head, s.queries, s.out_width), place.row, place.col, C(1));
}

/// One head's operands of a backward pass.
template <class T>
struct Head {
  Rows<const T> q, k, v, grad;
  Rows<const Sum<T>> logsumexp, delta;
  __device__ Head(const Sizes& s, const Inputs<T>& in, int64_t head)
      : q(rows_of(in.q, s.heads, head, s.queries, s.width)),
        k(rows_of(in.k, s.heads, head, s.keys, s.width)),
        v(rows_of(in.v, s.heads, head, s.keys, s.out_width)),
        grad(rows_of(in.grad, s.heads, head, s.queries, s.out_width)),
        logsumexp(rows_of(in.logsumexp, s.heads, head, s.queries, 1)),
        delta(rows_of(in.delta, s.heads, head, s.queries, 1)) {}
};

/// The weights of a tile and the gradients of its scores.
template <class T>
__device__ void tile_gradients(typename Tiles<T>::Memory& memory, const Sizes& s, const Head<T>& h, int64_t query,
                               int64_t key, typename Tiles<T>::Accumulators& weights,
                               typename Tiles<T>::Accumulators& scores) {
  using C = Sum<T>;
  Tiles<T>::multiply_rows(memory, weights, h.q, query, h.k, key);
  Tiles<T>::multiply_rows(memory, scores, h.grad, query, h.v, key);
  for (int i = 0; i < Tiles<T>::kPer; ++i) {
    const int64_t row = query + threadIdx.x / kSide + kSide * i;
    const C logsumexp = row < s.queries ? h.logsumexp.at(row, 0) : C(0),
            delta = row < s.queries ? h.delta.at(row, 0) : C(0);
    for (int j = 0; j < Tiles<T>::kPer; ++j) {
      C &weight = weights.at[i][j], &score = scores.at[i][j];
      const bool seen = sees(s, row, key + threadIdx.x % kSide + kSide * j);
      weight = seen ? std::exp(weight * static_cast<C>(s.scale) - logsumexp) : C(0);
      score = seen ? weight * (score - delta) : C(0);
    }
  }
}

template <class T>
__global__ void __launch_bounds__(kBlock) queries_kernel(const Sizes s, const Inputs<T> in, const Heads<T> dq) {
  using C = Sum<T>;
  using M = Tiles<T>;
  __shared__ typename M::Memory memory;
  const BlockTile place(tiles_of(s.queries, M::kTile), column_tiles(s.width, M::kTile), M::kTile);
  const Head<T> h(s, in, place.head);
  const int64_t seen = s.causal && place.row + M::kTile < s.keys ? place.row + M::kTile : s.keys;
  typename M::Accumulators sums;
  for (int64_t key = 0; key < seen; key += M::kTile) {
    typename M::Accumulators weights, scores;
    tile_gradients(memory, s, h, place.row, key, weights, scores);
    scores.for_each([&](C x, int i, int j) { memory.weights[i * M::kRow + j] = x; });
    M::template multiply_weights<false>(memory, sums, h.k, key, place.col);
  }
  const auto to = rows_of(dq, s.heads, place.head, s.queries, s.width);
  M::write(sums, to, place.row, place.col, static_cast<C>(s.scale));
}

template <class T>
__global__ void __launch_bounds__(kBlock)
    keys_kernel(const Sizes s, const Inputs<T> in, const Heads<T> dk, const Heads<T> dv) {
  using C = Sum<T>;
  using M = Tiles<T>;
  __shared__ typename M::Memory memory;
  const int64_t widest = s.width > s.out_width ? s.width : s.out_width;
  const BlockTile place(tiles_of(s.keys, M::kTile), column_tiles(widest, M::kTile), M::kTile);
  const Head<T> h(s, in, place.head);
  typename M::Accumulators of_keys, of_values;
  for (int64_t query = s.causal ? place.row : 0; query < s.queries; query += M::kTile) {
    typename M::Accumulators weights, scores;
    tile_gradients(memory, s, h, query, place.row, weights, scores);
    weights.for_each([&](C x, int i, int j) { memory.weights[i * M::kRow + j] = x; });
    M::template multiply_weights<true>(memory, of_values, h.grad, query, place.col);
    __syncthreads();
    scores.for_each([&](C x, int i, int j) { memory.weights[i * M::kRow + j] = x; });
    M::template multiply_weights<true>(memory, of_keys, h.q, query, place.col);
  }
  const auto keys = rows_of(dk, s.heads, place.head, s.keys, s.width);
  const auto values = rows_of(dv, s.heads, place.head, s.keys, s.out_width);
  M::write(of_keys, keys, place.row, place.col, static_cast<C>(s.scale));
  M::write(of_values, values, place.row, place.col, C(1));
}

Sizes sizes_of(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionParams& p) {
  return {q.size(0), q.size(1), q.size(2), k.size(2), q.size(3), v.size(3), p.scale, p.is_causal};
}

/// Blocks for all heads; 0 where there are no rows.
unsigned blocks_of(const Sizes& s, int64_t rows, int64_t cols, int tile) {
  return static_cast<unsigned>(s.batches * s.heads * tiles_of(rows, tile) * column_tiles(cols, tile));
}

void attention_cuda(Tensors& out, Args in, const AttentionParams& p) {
#ifdef STRATA_CUDNN
  if (attention_by_cudnn(in[0], in[1], in[2], p, out[0], out[1])) return;
#endif
  const Sizes s = sizes_of(in[0], in[1], in[2], p);
  visit_floating("attention", in[0].dtype(), [&]<class T>() {
    const unsigned blocks = blocks_of(s, s.queries, s.out_width, kTileOf<T>);
    if (blocks == 0) return;
    const Inputs<T> inputs{heads_of<const T>(in[0]), heads_of<const T>(in[1]), heads_of<const T>(in[2]), {}, {}, {}};
    start("attention", forward_kernel<T>, {blocks, kBlock}, stream_of(out[0]), s, inputs, heads_of<T>(out[0]),
          heads_of<Sum<T>>(out[1]));
  });
}

void attention_backward_cuda(Tensors& out, Args in, const AttentionParams& p) {
#ifdef STRATA_CUDNN
  const bool knows_out = in.size() > 6;  // without it cuDNN cannot tell delta
  if (knows_out && attention_backward_by_cudnn({in[0], in[1], in[2], in[3], in[6], in[4], out[0], out[1], out[2]}, p))
    return;
#endif
  const Sizes s = sizes_of(in[1], in[2], in[3], p);
  visit_floating("attention_backward", in[1].dtype(), [&]<class T>() {
    using C = Sum<T>;
    const Inputs<T> inputs{heads_of<const T>(in[1]), heads_of<const T>(in[2]), heads_of<const T>(in[3]),
                           heads_of<const T>(in[0]), heads_of<const C>(in[4]), heads_of<const C>(in[5])};
    const unsigned for_queries = blocks_of(s, s.queries, s.width, kTileOf<T>),
                   for_keys = blocks_of(s, s.keys, std::max(s.width, s.out_width), kTileOf<T>);
    const cudaStream_t stream = stream_of(out[0]);
    const char* const op = "attention_backward";
    if (for_queries > 0) start(op, queries_kernel<T>, {for_queries, kBlock}, stream, s, inputs, heads_of<T>(out[0]));
    if (for_keys == 0) return;
    start(op, keys_kernel<T>, {for_keys, kBlock}, stream, s, inputs, heads_of<T>(out[1]), heads_of<T>(out[2]));
  });
}

STRATA_KERNEL(attention_op, CUDA, attention_cuda);
STRATA_KERNEL(attention_backward_op, CUDA, attention_backward_cuda);

}  // namespace
}  // namespace strata::cuda::attention
