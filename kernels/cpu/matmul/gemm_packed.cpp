// Large matrix products: the threads pack a, once for all; then each piece of the outputs packs one panel of b after
// the other into the L1 cache and goes over its rows with it. Of a matrix times its transpose, half is computed and the
// rest copied: both halves are the same sums in the same order.
#include "kernels/cpu/matmul/gemm_packed.h"

#include <algorithm>

#include "core/parallel.h"
#include "kernels/cpu/matmul/gemm_copy.h"
#include "kernels/cpu/matmul/scratch.h"
#include "kernels/cpu/matmul/vec_gemm.h"

namespace strata::cpu::matmul {
namespace {

// A panel of b of so many elements along k stays in the L1 cache, and the panels of a piece's rows in the L2 cache.
constexpr int64_t kDepth = 264, kMostRows = 528;
// So many panels share what the L2 cache has of a; each piece packs its part of b, which few rows would not pay for.
constexpr int64_t kMostPanels = 4, kFewRows = 96;
constexpr int64_t kPieces = 16;
constexpr int64_t kMostPacked = int64_t{1} << 22;  // floats of a at a time
constexpr int64_t kGrainWork = int64_t{1} << 18;

/// How the outputs are cut into pieces. It does not show in the bits: each sum is made along k in order, in parts whose
/// length depends on k alone.
struct Cut {
  int64_t rows, cols, down, across;
  Cut(int64_t m, int64_t n, const VecGemm& v) {
    int64_t panels = kMostPanels;
    rows = padded(parts_of(m, parts_of(m, kMostRows)), v.rows);
    const auto pieces = [&] { return parts_of(m, rows) * parts_of(n, panels * v.cols); };
    if (pieces() < kPieces) panels = 2;
    while (pieces() < kPieces && rows >= 2 * kFewRows) rows = padded(rows / 2, v.rows);
    if (pieces() < kPieces) panels = 1;
    cols = panels * v.cols, down = parts_of(m, rows), across = parts_of(n, cols);
  }
};

/// Is b the transpose of a, so that the product is symmetric?
bool is_symmetric(const Gemm<float>& p) {
  const bool is_transpose = p.m == p.n && p.a.data == p.b.data && p.a.row == p.b.col && p.a.col == p.b.row;
  return is_transpose && !p.init.data && !p.activation;
}

class PackedProduct {
 public:
  PackedProduct(const Gemm<float>& p, void (*finish)(const Gemm<float>&))
      : p_(p),
        finish_(finish),
        depth_(parts_of(p.k, parts_of(p.k, kDepth))),
        height_(padded(std::min(p.m, std::max(kFewRows, kMostPacked / p.k)), v_.rows)),
        a_(memory_.make(height_, p.k).data) {}

  void run() {
    for (int64_t i = 0; i < p_.m; i += height_) run_rows(part(i, 0, std::min(height_, p_.m - i), p_.n), i);
    if (is_symmetric_) mirror();
  }

 private:
  /// The product of m rows from i on and n columns from j on.
  Gemm<float> part(int64_t i, int64_t j, int64_t m, int64_t n) const {
    Gemm<float> q = p_;
    q.m = m, q.n = n;
    q.a = moved(p_.a, i, 0), q.b = moved(p_.b, 0, j);
    q.init = moved(p_.init, i, j), q.out = moved(p_.out, i, j), q.activated = moved(p_.activated, i, j);
    return q;
  }

  /// p's rows are those of the whole from `above` on.
  void run_rows(const Gemm<float>& p, int64_t above) const {
    pack(p);
    const Cut cut(p.m, p.n, v_);
    parallel_for(0, cut.down * cut.across, 1 + kGrainWork / (cut.rows * cut.cols * p.k),
                 [&](int64_t begin, int64_t end) {
                   Scratch<float> memory;
                   float* const b = memory.make(depth_, v_.cols).data;
                   for (int64_t t = begin; t < end; ++t)
                     run_piece(p, cut, t / cut.across * cut.rows, t % cut.across * cut.cols, above, b);
                 });
  }

  /// All rows of a, for one part of k behind the other.
  void pack(const Gemm<float>& p) const {
    // Where a is stored by columns, long chunks of them are read faster.
    const int64_t depths = parts_of(p.k, depth_), chunk = padded(parts_of(p.m, parts_of(kPieces, depths)), v_.rows);
    parallel_for(0, depths * parts_of(p.m, chunk), 1 + 65536 / (chunk * depth_), [&](int64_t begin, int64_t end) {
      for (int64_t t = begin; t < end; ++t) {
        const int64_t q = t % depths * depth_, i = t / depths * chunk, k = std::min(depth_, p.k - q);
        v_.pack_rows(panel_of_a(p, i, q), {moved(p.a, i, q), std::min(chunk, p.m - i), k});
      }
    });
  }
  float* panel_of_a(const Gemm<float>& p, int64_t i, int64_t q) const {
    return a_ + q * padded(p.m, v_.rows) + i * std::min(depth_, p.k - q);
  }

  /// The first row of a piece from `top` on whose tile at column j is to be computed: all, but where a tile lies above
  /// the diagonal of what is symmetric.
  int64_t first_row(int64_t top, int64_t j, int64_t above) const {
    if (!is_symmetric_) return top;
    return std::max(top, (j - above) / v_.rows * v_.rows);
  }
  /// Copies the elements below the diagonal over it, block by block.
  void mirror() const {
    constexpr int64_t kBlock = 64;
    const int64_t blocks = parts_of(p_.n, kBlock);
    parallel_for(0, blocks, 1 + 65536 / (kBlock * p_.n), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin * kBlock; i < std::min(end * kBlock, p_.n); i += kBlock) {
        const int64_t rows = std::min(kBlock, p_.n - i);
        for (int64_t r = i; r < i + rows; ++r)
          for (int64_t c = r + 1; c < i + rows; ++c) *moved(p_.out, r, c).data = *moved(p_.out, c, r).data;
        for (int64_t j = i + rows; j < p_.n; j += kBlock) {
          const Matrix<float> below = moved(p_.out, j, i), turned{below.data, below.col, below.row};
          copy_matrix(moved(p_.out, i, j), turned, rows, std::min(kBlock, p_.n - j));
        }
      }
    });
  }

  void run_piece(const Gemm<float>& p, const Cut& cut, int64_t top, int64_t left, int64_t above, float* b) const {
    const int64_t bottom = std::min(p.m, top + cut.rows), right = std::min(p.n, left + cut.cols);
    for (int64_t q = 0; q < p.k; q += depth_) {
      for (int64_t j = left; j < right; j += v_.cols) {
        const int64_t cols = std::min(v_.cols, right - j), k = std::min(depth_, p.k - q);
        const Matrix<const float> out{p.out.data, p.out.row, 1}, start = q == 0 ? p.init : out;
        const int64_t first = first_row(top, j, above);
        for (int64_t i = first; i < bottom; i += v_.rows) {
          const GemmTile tile{panel_of_a(p, i, q), b, std::min(v_.rows, bottom - i), cols, k, moved(start, i, j),
                              moved(p.out, i, j)};
          if (i == first)
            v_.pack_cols_and_tile({{moved(p.b, q, j).data, p.b.col, p.b.row}, cols, k}, b, tile);
          else
            v_.tile(tile);
        }
      }
    }
    Gemm<float> piece = p;
    piece.m = bottom - top, piece.n = right - left;
    piece.out = moved(p.out, top, left), piece.activated = moved(p.activated, top, left);
    finish_(piece);
  }

  const VecGemm& v_ = vec_gemm();
  const Gemm<float> p_;
  const bool is_symmetric_ = is_symmetric(p_);
  void (*finish_)(const Gemm<float>&);
  int64_t depth_;   ///< length of a part of k
  int64_t height_;  ///< rows of a that are packed at a time
  Scratch<float> memory_;
  float* a_;
};

}  // namespace

bool packing_pays(const Gemm<float>& p) {
  // Fewer rows do not pay for packing b, fewer columns for packing a; where a is large and stored by columns the
  // library is slow.
  constexpr int64_t kFewestRows = 48, kFewestCols = 256, kSlowCols = 96, kLarge = int64_t{1} << 20,
                    kWork = int64_t{1} << 25;
  const bool is_slow = p.a.col != 1 && p.m * p.k >= kLarge;
  if (p.alpha != 1 || (p.init.data && p.beta != 1) || p.out.col != 1) return false;
  return p.m >= kFewestRows && p.n >= (is_slow ? kSlowCols : kFewestCols) && p.m * p.n * p.k >= kWork;
}

void packed_product(const Gemm<float>& p, void (*finish)(const Gemm<float>&)) { PackedProduct(p, finish).run(); }

}  // namespace strata::cpu::matmul
