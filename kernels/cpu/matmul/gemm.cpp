// The product engine: fixed tiles over the threads, each by the direct kernels, a library (gemm_library.h) or plain
// loops.
#include "kernels/cpu/matmul/gemm.h"

#include <algorithm>

#include "core/parallel.h"
#include "kernels/cpu/matmul/gemm_bfloat16.h"
#include "kernels/cpu/matmul/gemm_copy.h"
#include "kernels/cpu/matmul/gemm_direct.h"
#include "kernels/cpu/matmul/gemm_library.h"
#include "kernels/cpu/matmul/gemm_packed.h"
#include "kernels/cpu/matmul/scratch.h"

namespace strata::cpu::matmul {
namespace {

template <class T>
inline constexpr bool kIsLibraryType = std::is_same_v<T, float> || std::is_same_v<T, double> || kIsComplex<T>;

// Sums of at least two chunks are cut up when there are only a few of them.
constexpr int64_t kChunk = int64_t{1} << 15, kFewOutputs = 1024;

// What integers are computed in so that overflow wraps; 16 bits would be promoted to int and overflow there.
template <class T>
using Wrapping = std::conditional_t<sizeof(T) == 2, uint32_t, std::make_unsigned_t<T>>;

// Integers: rows of b scaled and added.
template <class T>
void plain_product(Gemm<T> p) {
  using U = Wrapping<T>;
  Scratch<T> packed;
  if (p.b.col != 1 && p.m > 1) {
    const Matrix<T> copy = packed.make(p.k, p.n);
    copy_matrix(copy, p.b, p.k, p.n);
    p.b = {copy.data, copy.row, 1};
  }
  for (int64_t i = 0; i < p.m; ++i) {
    T* out = p.out.data + i * p.out.row;
    for (int64_t j = 0; j < p.n; ++j) {
      const T init = p.init.data ? p.init.data[i * p.init.row + j * p.init.col] : T(0);
      out[j] = static_cast<T>(static_cast<U>(init) * static_cast<U>(p.beta));
    }
    for (int64_t q = 0; q < p.k; ++q) {
      const U x = static_cast<U>(static_cast<U>(p.a.data[i * p.a.row + q * p.a.col]) * static_cast<U>(p.alpha));
      const T* b = p.b.data + q * p.b.row;
      if (p.b.col == 1) {
        for (int64_t j = 0; j < p.n; ++j) out[j] = static_cast<T>(static_cast<U>(out[j]) + x * static_cast<U>(b[j]));
      } else {
        for (int64_t j = 0; j < p.n; ++j)
          out[j] = static_cast<T>(static_cast<U>(out[j]) + x * static_cast<U>(b[j * p.b.col]));
      }
    }
  }
}

// The activation of all of out, by rows or, where elements lie apart or are of 16 bits, by pieces on the stack.
template <class T>
void activate(const Gemm<T>& p) {
  if (!p.activation) return;
  using S = GemmScalar<T>;
  constexpr int64_t kPiece = 512;
  const Matrix<T> to = p.activated.data ? p.activated : p.out;
  const bool in_rows = p.out.col == 1 && to.col == 1;
  const bool direct = std::is_same_v<S, T> && in_rows;
  const bool is_one_row = in_rows && p.out.row == p.n && to.row == p.n;
  const int64_t rows = is_one_row ? 1 : p.m, cols = is_one_row ? p.m * p.n : p.n;
  for (int64_t i = 0; i < rows; ++i) {
    if (direct) {
      p.activation({to.data + i * to.row, {p.out.data + i * p.out.row}, {1}, cols, nullptr, false});
      continue;
    }
    for (int64_t j = 0; j < cols; j += kPiece) {
      S piece[kPiece];
      const int64_t count = std::min(kPiece, cols - j);
      const Matrix<S> row{piece, kPiece, 1};
      copy_matrix(row, moved(p.out, i, j), 1, count);
      p.activation({piece, {piece}, {1}, count, nullptr, false});
      copy_matrix(moved(to, i, j), row, 1, count);
    }
  }
}

template <class T>
void product(const Gemm<T>& p);

// 16-bit floats: float panels in, a float tile out. An activation in place comes before the rounding.
template <class T>
void widened_product(const Gemm<T>& p) {
  Scratch<float> a, b, out;
  Gemm<float> wide{p.m, p.n, p.k, {}, {}, {}, {}, p.alpha, p.beta};
  const auto widen = [](Scratch<float>& s, Matrix<const T> x, int64_t rows, int64_t cols) {
    const bool transposed = x.row == 1 && x.col != 1;  // keep the order in memory, so that the copy streams
    if (transposed) std::swap(rows, cols), std::swap(x.row, x.col);
    const Matrix<float> copy = s.make(rows, cols);
    copy_matrix(copy, x, rows, cols);
    return transposed ? Matrix<const float>{copy.data, 1, copy.row} : Matrix<const float>{copy.data, copy.row, 1};
  };
  wide.a = widen(a, p.a, p.m, p.k);
  wide.b = widen(b, p.b, p.k, p.n);
  wide.out = out.make(p.m, p.n);
  if (p.init.data) {
    copy_matrix(wide.out, p.init, p.m, p.n);
    wide.init = {wide.out.data, wide.out.row, 1};
  }
  product(wide);
  if (!p.activated.data) wide.activation = p.activation;
  activate(wide);
  copy_matrix(p.out, wide.out, p.m, p.n);
}

// No terms to add up: out = beta * init.
template <class T>
void empty_product(const Gemm<T>& p) {
  for (int64_t i = 0; i < p.m; ++i) {
    for (int64_t j = 0; j < p.n; ++j) {
      T& out = p.out.data[i * p.out.row + j * p.out.col];
      const GemmScalar<T> init = p.init.data ? p.init.data[i * p.init.row + j * p.init.col] : T();
      if constexpr (std::is_integral_v<T>)
        out = static_cast<T>(static_cast<Wrapping<T>>(p.beta) * static_cast<Wrapping<T>>(init));
      else
        out = static_cast<T>(p.init.data ? p.beta * init : init);
    }
  }
}

template <class T>
void product(const Gemm<T>& p) {
  if constexpr (kIsComplex<T>) {
    library_product(p);
  } else if constexpr (kIsLibraryType<T>) {
    if (gemm_direct(p)) return;
    if constexpr (std::is_same_v<T, float>)
      if (packing_pays(p)) return packed_product(p, [](const Gemm<T>&) {});
    library_product(p);
  } else if constexpr (std::is_integral_v<T>) {
    plain_product(p);
  } else {
    if constexpr (std::is_same_v<T, BFloat16>)
      if (const VecBFloat16* unit = vec_bfloat16(); unit && bfloat16_pays(p))
        return bfloat16_product(p, *unit, [](const Gemm<T>&) {});
    widened_product(p);
  }
}

// The sums of any tile; one whose out cannot be written row by row is computed aside.
template <class T>
void sums_of_tile(const Gemm<T>& p) {
  if ((p.out.col == 1 || p.n == 1) && (p.out.row >= p.n || p.m == 1)) return product(p);
  Scratch<T> aside;
  Gemm<T> q = p;
  q.out = aside.make(p.m, p.n);
  product(q);
  copy_matrix(p.out, q.out, p.m, p.n);
}

template <class T>
void tile(const Gemm<T>& p) {
  if (p.k == 0) {
    empty_product(p);
    return activate(p);
  }
  sums_of_tile(p);
  if (!kIs16Bit<T> || p.activated.data) activate(p);
}

// How one product is cut up; a function of the shape only.
struct Grid {
  int64_t rows, cols;    // of a tile
  int64_t down, across;  // numbers of tiles
  int64_t tiles() const { return down * across; }
};

// Tiles two to four times as wide as high suit oneDNN's packing best. Each cut costs a few per cent because its
// operands are packed once more; four to eight tiles are enough to balance a few threads. Products of vectors use each
// number once, so they wait for memory and are cut sooner.
Grid make_grid(int64_t m, int64_t n, int64_t k, int64_t products) {
  constexpr int64_t kWorthMore = int64_t{1} << 24;
  const int64_t worth_two = int64_t{1} << (std::min({m, n, k}) == 1 ? 18 : 20);
  constexpr int64_t kBigArea = 512 * 1024, kMiddleArea = 512 * 512;
  Grid g{m, n, 1, 1};
  for (int64_t count = products; count < 64; count *= 2) {
    const int64_t area = g.rows * g.cols;
    const double work = static_cast<double>(area) * static_cast<double>(k);
    const bool small = work < static_cast<double>(count == 1 ? worth_two : kWorthMore);
    const bool enough = count >= 8 || (count >= 4 && area <= kMiddleArea);
    if ((enough || small) && area <= kBigArea) break;
    int64_t& side = 4 * g.rows > g.cols || g.cols <= 16 ? g.rows : g.cols;
    if (side <= 16) break;
    side = ((side + 1) / 2 + 15) / 16 * 16;
  }
  g.down = (m + g.rows - 1) / g.rows;
  g.across = (n + g.cols - 1) / g.cols;
  return g;
}

template <class T>
Gemm<T> tile_of(const Gemm<T>& p, const Grid& g, int64_t index) {
  const int64_t i = index / g.across * g.rows, j = index % g.across * g.cols;
  Gemm<T> q = p;
  q.m = std::min(g.rows, p.m - i);
  q.n = std::min(g.cols, p.n - j);
  q.a = moved(p.a, i, 0);
  q.b = moved(p.b, 0, j);
  q.init = moved(p.init, i, j);
  q.out = moved(p.out, i, j);
  q.activated = moved(p.activated, i, j);
  return q;
}

template <class T>
Gemm<T> batch_entry(Gemm<T> p, std::span<const GemmBatch> dims, int64_t index) {
  for (size_t d = dims.size(); d-- > 0; index /= dims[d].size) {
    const int64_t at = index % dims[d].size;
    p.a.data += at * dims[d].a;
    p.b.data += at * dims[d].b;
    if (p.init.data) p.init.data += at * dims[d].init;
    p.out.data += at * dims[d].out;
    if (p.activated.data) p.activated.data += at * dims[d].activated;
  }
  return p;
}

template <class T>
Gemm<T> transposed(const Gemm<T>& p) {
  const auto t = [](auto x) { return decltype(x){x.data, x.col, x.row}; };
  return {p.n, p.m, p.k, t(p.b), t(p.a), t(p.init), t(p.out), p.alpha, p.beta, p.activation, t(p.activated)};
}

template <class T>
void run(const Gemm<T>& first, std::span<const GemmBatch> dims, bool flip) {
  int64_t products = 1;
  for (const GemmBatch& d : dims) products *= d.size;
  if (products == 0 || first.m == 0 || first.n == 0) return;
  if constexpr (std::is_same_v<T, float>) {
    const Gemm<T> p = flip ? transposed(first) : first;
    if (products == 1 && packing_pays(p)) return packed_product(p, activate<T>);
  }
  const Grid g = flip ? make_grid(first.n, first.m, first.k, products) : make_grid(first.m, first.n, first.k, products);
  constexpr int64_t kGrainWork = int64_t{1} << 18;
  const int64_t grain =
      std::max<int64_t>(1, kGrainWork / std::max<int64_t>(1, g.rows * g.cols * std::max<int64_t>(first.k, 1)));
  parallel_for(0, products * g.tiles(), grain, [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t) {
      const Gemm<T> p = batch_entry(first, dims, t / g.tiles());
      tile(tile_of(flip ? transposed(p) : p, g, t % g.tiles()));
    }
  });
}

// Few outputs of very long sums, such as a dot product: chunks of k over the threads, their sums added in order.
template <class T>
void long_product(const Gemm<T>& p) {
  const int64_t chunks = (p.k + kChunk - 1) / kChunk, area = p.m * p.n;
  Scratch<T> scratch;
  const Matrix<T> partial = scratch.make(chunks, area);
  parallel_for(0, chunks, std::max<int64_t>(1, 8 / area), [&](int64_t begin, int64_t end) {
    for (int64_t c = begin; c < end; ++c) {
      Gemm<T> q = p;
      q.k = std::min(kChunk, p.k - c * kChunk);
      q.a = moved(p.a, 0, c * kChunk);
      q.b = moved(p.b, c * kChunk, 0);
      q.init = {};
      q.out = {partial.data + c * area, p.n, 1};
      product(q);
    }
  });
  for (int64_t i = 0; i < area; ++i) {
    T sum = 0;
    for (int64_t c = 0; c < chunks; ++c) sum += partial.data[c * area + i];
    const Matrix<const T> init = moved(p.init, i / p.n, i % p.n);
    *moved(p.out, i / p.n, i % p.n).data = init.data ? sum + p.beta * *init.data : sum;
  }
}

}  // namespace

template <class T>
void gemm(const Gemm<T>& first, std::span<const GemmBatch> dims) {
  const bool row_major = first.out.col == 1 || first.n == 1;
  if constexpr (kIsLibraryType<T>) {
    if (dims.empty() && first.k >= 2 * kChunk && first.m * first.n != 0 && first.m * first.n <= kFewOutputs) {
      long_product(first);
      return activate(first);
    }
  }
  if constexpr (kIsLibraryType<T> && !kIsComplex<T>) {
    if (dims.empty() && row_major && first.m * first.n != 0 && gemm_direct(first)) return activate(first);
  }
  if constexpr (std::is_same_v<T, BFloat16>) {
    const VecBFloat16* const unit = vec_bfloat16();
    if (dims.empty() && unit && bfloat16_pays(first)) return bfloat16_product(first, *unit, activate<T>);
  }
  run(first, dims, !row_major && (first.out.row == 1 || first.m == 1));
}

template void gemm(const Gemm<float>&, std::span<const GemmBatch>);
template void gemm(const Gemm<double>&, std::span<const GemmBatch>);
template void gemm(const Gemm<Complex<float>>&, std::span<const GemmBatch>);
template void gemm(const Gemm<Complex<double>>&, std::span<const GemmBatch>);
template void gemm(const Gemm<Half>&, std::span<const GemmBatch>);
template void gemm(const Gemm<BFloat16>&, std::span<const GemmBatch>);
template void gemm(const Gemm<uint8_t>&, std::span<const GemmBatch>);
template void gemm(const Gemm<int8_t>&, std::span<const GemmBatch>);
template void gemm(const Gemm<int16_t>&, std::span<const GemmBatch>);
template void gemm(const Gemm<int32_t>&, std::span<const GemmBatch>);
template void gemm(const Gemm<uint32_t>&, std::span<const GemmBatch>);
template void gemm(const Gemm<int64_t>&, std::span<const GemmBatch>);

}  // namespace strata::cpu::matmul
