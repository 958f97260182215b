// Tiles of matrix products in registers, over operands packed into panels: SIMD code chosen at run time for the
// processor.
#pragma once
#include <cstdint>

#include "kernels/cpu/matmul/gemm.h"

namespace strata::cpu::matmul {

/// One side of a product: `lanes` rows of a, or columns of b, of `k` elements; `x` has a lane as its row.
struct Lanes {
  Matrix<const float> x;
  int64_t lanes, k;
};

/// out(rows, cols) = start + a b from one panel of each; a null start counts as zeros. The columns of out are
/// neighbours, and start may be out itself.
struct GemmTile {
  const float *a, *b;
  int64_t rows, cols, k;
  Matrix<const float> start;
  Matrix<float> out;
};

/// A panel holds `rows` lanes of a, or `cols` lanes of b, side by side, element by element along k. Each sum is made
/// along k in order in one number, so that how a product is cut into tiles does not show in its bits; how k is cut
/// does, as a tile adds its sums to what `start` holds.
struct VecGemm {
  int64_t rows, cols;  ///< lanes of a panel, which are the sides of a tile
  /// The panels of all lanes, one behind the other; the last is filled up with zeros.
  void (*pack_rows)(float* to, const Lanes& from);
  void (*pack_cols)(float* to, const Lanes& from);
  /// At most `rows` by `cols`.
  void (*tile)(const GemmTile& tile);
  /// Packs columns of b, at most `cols`, into the panel at `panel`, which is the tile's b, and computes the tile.
  void (*pack_cols_and_tile)(const Lanes& b, float* panel, const GemmTile& tile);
};

/// The functions for this processor.
const VecGemm& vec_gemm();

/// How many panels of `width` lanes there are.
inline int64_t parts_of(int64_t lanes, int64_t width) { return (lanes + width - 1) / width; }
/// Lanes with those that fill up the last panel.
inline int64_t padded(int64_t lanes, int64_t width) { return parts_of(lanes, width) * width; }

}  // namespace strata::cpu::matmul
