// Attention's CPU kernels: tiles of the score matrix, which never stands in memory as a whole (Dao et al. 2022).
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/allocator.h"
#include "core/parallel.h"
#include "dispatcher/kernel.h"
#include "kernels/cpu/attention/vec_attention.h"
#include "kernels/cpu/common/blocks.h"
#include "kernels/cpu/matmul/gemm.h"
#include "kernels/visit_floating.h"
#include "ops/attention_def.h"

namespace strata::cpu::attention {
namespace {

using matmul::gemm;
using matmul::Gemm;
using matmul::GemmBatch;
using matmul::GemmScalar;
using matmul::Matrix;

// A tile of scores: 128 KiB of floats, which stay in the second-level cache.
constexpr int64_t kQueries = 64, kKeys = 512;
/// Backward passes of few heads are cut into about this many tasks.
constexpr int64_t kTasks = 16;

/// What tensors of T are computed in.
template <class T>
using Sum = GemmScalar<T>;

struct Sizes {
  int64_t batches, heads, queries, keys, width, out_width;
  bool causal;
  int64_t all_heads() const { return batches * heads; }
  int64_t query_tiles() const { return (queries + kQueries - 1) / kQueries; }
  /// How many keys the queries before `end` see, and those that query `i` sees.
  int64_t keys_before(int64_t end) const { return causal ? std::min(keys, end) : keys; }
  int64_t keys_of(int64_t i) const { return keys_before(i + 1); }
  /// Multiplications of one query tile.
  int64_t tile_work() const { return std::min(queries, kQueries) * keys * (width + out_width); }
};

Sizes sizes_of(const Tensor& q, const Tensor& k, const Tensor& v, bool causal) {
  return {q.size(0), q.size(1), q.size(2), k.size(2), q.size(3), v.size(3), causal};
}

template <class A>
class Buffer {
 public:
  explicit Buffer(int64_t n) : bytes_(static_cast<size_t>(n) * sizeof(A)) {
    if (bytes_) data_ = static_cast<A*>(buffer_alloc(bytes_));
  }
  ~Buffer() {
    if (bytes_) buffer_free(data_, bytes_);
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  A* get() const { return data_; }

 private:
  size_t bytes_;
  A* data_ = nullptr;
};

/// Element (0, 0) of a head of `(B, H, rows, cols)` or `(B, H, rows)`.
template <class T>
T* head_of(const Tensor& t, int64_t head) {
  const int64_t heads = t.sizes()[1];
  return t.data_ptr<T>() + head / heads * t.strides()[0] + head % heads * t.strides()[1];
}

/// Runs of a head's rows: the tensor's own memory, or for 16-bit types a copy in float.
template <class T>
class Panel {
 public:
  Panel(const Tensor& t, int64_t most_rows) : t_(t), copy_(kWidened ? most_rows * t.size(3) : 0) {}
  Matrix<const Sum<T>> rows(int64_t head, int64_t first, int64_t count) const {
    const int64_t row = t_.strides()[2], col = t_.strides()[3], cols = t_.sizes()[3];
    const T* const from = head_of<T>(t_, head) + first * row;
    if constexpr (kWidened) {
      constexpr int64_t kItem = sizeof(T);
      block_reader(t_.dtype(), true)(copy_.get(), reinterpret_cast<const char*>(from),
                                     {row * kItem, count, col * kItem, cols});
      return {copy_.get(), cols, 1};
    } else {
      return {from, row, col};
    }
  }

 private:
  static constexpr bool kWidened = !std::is_same_v<T, Sum<T>>;
  const Tensor& t_;
  Buffer<Sum<T>> copy_;
};

/// Writes dense rows into a head.
template <class T>
void write_rows(const Tensor& t, int64_t head, int64_t first, int64_t count, const Sum<T>* from) {
  constexpr int64_t kItem = sizeof(T);
  const int64_t row = t.strides()[2], col = t.strides()[3];
  block_writer(t.dtype(), !std::is_same_v<T, Sum<T>>)(reinterpret_cast<char*>(head_of<T>(t, head) + first * row),
                                                      {row * kItem, count, col * kItem, t.sizes()[3]}, from);
}

template <class A>
Matrix<const A> transposed(Matrix<const A> x) {
  return {x.data, x.col, x.row};
}
template <class A>
Matrix<const A> dense(const A* data, int64_t cols) {
  return {data, cols, 1};
}

/// out `(m, n)`, dense, = scale * a b, added to what is there if `adds`.
template <class A>
void multiply(A* out, int64_t m, int64_t n, int64_t k, Matrix<const A> a, Matrix<const A> b, A scale, bool adds) {
  const Matrix<const A> init = adds ? dense<A>(out, n) : Matrix<const A>{};
  gemm<A>({m, n, k, a, b, init, {out, n, 1}, scale, 1});
}

/// One thread's forward pass over query tiles.
template <class T>
class Forward {
  using A = Sum<T>;

 public:
  Forward(Tensors& out, Args in, const AttentionParams& p)
      : s_(sizes_of(in[0], in[1], in[2], p.is_causal)),
        scale_(static_cast<A>(p.scale)),
        out_(out[0]),
        logsumexp_(out[1]),
        q_(in[0], kQueries),
        k_(in[1], std::min(s_.keys, kKeys)),
        v_(in[2], std::min(s_.keys, kKeys)),
        scores_(std::min(s_.queries, kQueries) * std::min(s_.keys, kKeys)),
        sums_(std::min(s_.queries, kQueries) * s_.out_width) {}

  void run(int64_t head, int64_t tile) {
    const int64_t first = tile * kQueries, count = std::min(kQueries, s_.queries - first);
    const int64_t keys = s_.keys_before(first + count);
    std::fill_n(max_, count, -std::numeric_limits<A>::infinity());
    std::fill_n(total_, count, A(0));
    if (keys == 0) std::fill_n(sums_.get(), count * s_.out_width, A(0));
    const Matrix<const A> q = q_.rows(head, first, count);
    for (int64_t key = 0; key < keys; key += kKeys) add_keys(head, q, first, count, key, std::min(kKeys, keys - key));
    finish(head, first, count);
  }

 private:
  void add_keys(int64_t head, Matrix<const A> q, int64_t first, int64_t count, int64_t key, int64_t n) {
    multiply(scores_.get(), count, n, s_.width, q, transposed(k_.rows(head, key, n)), scale_, false);
    for (int64_t i = 0; i < count; ++i) add_row(i, scores_.get() + i * n, s_.keys_of(first + i) - key, n, key == 0);
    multiply(sums_.get(), count, s_.out_width, n, dense<A>(scores_.get(), n), v_.rows(head, key, n), A(1), key > 0);
  }

  /// Scores of one query become weights relative to the largest so far; of `n` it sees `seen`.
  void add_row(int64_t i, A* scores, int64_t seen, int64_t n, bool is_first) {
    seen = std::clamp<int64_t>(seen, 0, n);
    std::fill(scores + seen, scores + n, A(0));
    if (seen == 0) return;
    const A before = max_[i], sum = vec_attention<A>().weights(scores, seen, &max_[i]);
    if (is_first || before == max_[i]) {
      total_[i] += sum;
      return;
    }
    const A shrink = std::exp(before - max_[i]);
    vec_attention<A>().scale(sums_.get() + i * s_.out_width, s_.out_width, shrink);
    total_[i] = total_[i] * shrink + sum;
  }

  /// Infinite and NaN scores make NaN, as in softmax: `max - max` is 0 otherwise.
  void finish(int64_t head, int64_t first, int64_t count) {
    A* const logs = head_of<A>(logsumexp_, head);
    for (int64_t i = 0; i < count; ++i) {
      const A none = s_.keys == 0 ? A(0) : max_[i] - max_[i];
      const A factor = s_.keys == 0 ? A(0) : 1 / total_[i] + none;
      vec_attention<A>().scale(sums_.get() + i * s_.out_width, s_.out_width, factor);
      logs[(first + i) * logsumexp_.strides()[2]] = max_[i] + std::log(total_[i]) + none;
    }
    write_rows<T>(out_, head, first, count, sums_.get());
  }

  Sizes s_;
  A scale_;
  const Tensor &out_, &logsumexp_;
  Panel<T> q_, k_, v_;
  Buffer<A> scores_, sums_;
  A max_[kQueries], total_[kQueries];
};

void attention_cpu(Tensors& out, Args in, const AttentionParams& p) {
  const Sizes s = sizes_of(in[0], in[1], in[2], p.is_causal);
  constexpr int64_t kGrainWork = int64_t{1} << 17;
  const int64_t tiles = s.query_tiles(), grain = 1 + kGrainWork / (s.tile_work() + 1);
  visit_floating("attention", in[0].dtype(), [&]<class T>() {
    parallel_for(0, s.all_heads() * tiles, grain, [&](int64_t begin, int64_t end) {
      Forward<T> forward(out, in, p);
      // The last tiles of a causal head have the most to do.
      for (int64_t i = begin; i < end; ++i) forward.run(i / tiles, i % tiles);
    });
  });
}

/// One thread's backward pass: each task takes a run of a head's query tiles, and has sums of its own for all keys.
template <class T>
class Backward {
  using A = Sum<T>;

 public:
  Backward(Tensors& out, Args in, const AttentionParams& p)
      : s_(sizes_of(in[1], in[2], in[3], p.is_causal)),
        scale_(static_cast<A>(p.scale)),
        dq_(out[0]),
        logsumexp_(in[4]),
        delta_(in[5]),
        grad_(in[0], kQueries),
        q_(in[1], kQueries),
        k_(in[2], std::min(s_.keys, kKeys)),
        v_(in[3], std::min(s_.keys, kKeys)),
        weights_(std::min(s_.queries, kQueries) * std::min(s_.keys, kKeys)),
        scores_(std::min(s_.queries, kQueries) * std::min(s_.keys, kKeys)),
        dq_sums_(std::min(s_.queries, kQueries) * s_.width) {}

  void run(int64_t head, int64_t first_tile, int64_t last_tile, A* dk, A* dv) {
    // The first tile of queries sets the sums of the keys that it sees; the others add.
    const int64_t set = first_tile < last_tile ? s_.keys_before(std::min(s_.queries, (first_tile + 1) * kQueries)) : 0;
    std::fill(dk + set * s_.width, dk + s_.keys * s_.width, A(0));
    std::fill(dv + set * s_.out_width, dv + s_.keys * s_.out_width, A(0));
    for (int64_t tile = first_tile; tile < last_tile; ++tile) {
      const int64_t first = tile * kQueries, count = std::min(kQueries, s_.queries - first);
      const int64_t keys = s_.keys_before(first + count);
      const Matrix<const A> q = q_.rows(head, first, count), grad = grad_.rows(head, first, count);
      if (keys == 0) std::fill_n(dq_sums_.get(), count * s_.width, A(0));
      for (int64_t key = 0; key < keys; key += kKeys) {
        const int64_t n = std::min(kKeys, keys - key);
        add_keys(head, q, grad, first, count, key, n, dk + key * s_.width, dv + key * s_.out_width, tile > first_tile);
      }
      write_rows<T>(dq_, head, first, count, dq_sums_.get());
    }
  }

 private:
  void add_keys(int64_t head, Matrix<const A> q, Matrix<const A> grad, int64_t first, int64_t count, int64_t key,
                int64_t n, A* dk, A* dv, bool adds) {
    const Matrix<const A> k = k_.rows(head, key, n), v = v_.rows(head, key, n);
    A *const weights = weights_.get(), *const scores = scores_.get();
    multiply(weights, count, n, s_.width, q, transposed(k), scale_, false);
    multiply(scores, count, n, s_.out_width, grad, transposed(v), A(1), false);
    for (int64_t i = 0; i < count; ++i) {
      const int64_t seen = std::clamp<int64_t>(s_.keys_of(first + i) - key, 0, n);
      A *const w = weights + i * n, *const ds = scores + i * n;
      vec_attention<A>().backward(w, ds, seen, row_of(logsumexp_, head, first + i), row_of(delta_, head, first + i));
      std::fill(w + seen, w + n, A(0));
      std::fill(ds + seen, ds + n, A(0));
    }
    multiply(dv, n, s_.out_width, count, transposed(dense<A>(weights, n)), grad, A(1), adds);
    multiply(dk, n, s_.width, count, transposed(dense<A>(scores, n)), q, scale_, adds);
    multiply(dq_sums_.get(), count, s_.width, n, dense<A>(scores, n), k, scale_, key > 0);
  }
  static A row_of(const Tensor& t, int64_t head, int64_t row) { return head_of<A>(t, head)[row * t.strides()[2]]; }

  Sizes s_;
  A scale_;
  const Tensor &dq_, &logsumexp_, &delta_;
  Panel<T> grad_, q_, k_, v_;
  Buffer<A> weights_, scores_, dq_sums_;
};

/// Adds the sums of a head's tasks in order and writes them.
template <class T>
void add_parts(const Tensor& out, int64_t head, Sum<T>* parts, int64_t count, int64_t step) {
  const int64_t size = out.sizes()[2] * out.sizes()[3];
  for (int64_t part = 1; part < count; ++part)
    for (int64_t i = 0; i < size; ++i) parts[i] += parts[part * step + i];
  write_rows<T>(out, head, 0, out.sizes()[2], parts);
}

template <class T>
void backward(Tensors& out, Args in, const AttentionParams& p) {
  const Sizes s = sizes_of(in[1], in[2], in[3], p.is_causal);
  const int64_t heads = s.all_heads(), tiles = s.query_tiles();
  if (heads == 0) return;
  const int64_t per_task = (tiles + kTasks / heads) / std::max<int64_t>(1, std::min(tiles, kTasks / heads));
  const int64_t run = std::max<int64_t>(1, per_task), parts = std::max<int64_t>(1, (tiles + run - 1) / run);
  const int64_t dk = s.keys * s.width, step = dk + s.keys * s.out_width;
  const Buffer<Sum<T>> sums(heads * parts * step);
  constexpr int64_t kGrainWork = int64_t{1} << 16;
  const int64_t grain = 1 + kGrainWork / (s.tile_work() * run + 1);
  parallel_for(0, heads * parts, grain, [&](int64_t begin, int64_t end) {
    Backward<T> pass(out, in, p);
    for (int64_t i = begin; i < end; ++i) {
      const int64_t tile = i % parts * run;
      Sum<T>* const own = sums.get() + i * step;
      pass.run(i / parts, tile, std::min(tiles, tile + run), own, own + dk);
    }
  });
  parallel_for(0, heads, 1 + 65536 / (step * parts + 1), [&](int64_t begin, int64_t end) {
    for (int64_t head = begin; head < end; ++head) {
      Sum<T>* const own = sums.get() + head * parts * step;
      add_parts<T>(out[1], head, own, parts, step);
      add_parts<T>(out[2], head, own + dk, parts, step);
    }
  });
}

void attention_backward_cpu(Tensors& out, Args in, const AttentionParams& p) {
  visit_floating("attention_backward", in[1].dtype(), [&]<class T>() { backward<T>(out, in, p); });
}

STRATA_KERNEL(attention_op, CPU, attention_cpu);
STRATA_KERNEL(attention_backward_op, CPU, attention_backward_cpu);

}  // namespace
}  // namespace strata::cpu::attention
