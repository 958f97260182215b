// Tiles of products of bfloat16 numbers by the instructions that some processors have for them, summed in float.
#pragma once
#include <cstdint>

namespace strata::cpu::matmul {

/// Lanes of a group of rows of a, or of columns of b, and how many groups of each a tile has at most.
inline constexpr int64_t kBFloat16Lanes = 16, kBFloat16Groups = 2;
/// Elements along k that are multiplied at a time; what is missing is filled up with zeros.
inline constexpr int64_t kBFloat16Depth = 32;

/// sums(rows, cols) = a b, each from one or two groups of 16 lanes, over `steps` times 32 elements along k, or what
/// sums hold and that. Elements are the bits of bfloat16 numbers.
struct BFloat16Tile {
  const uint16_t* a[kBFloat16Groups];  ///< lanes `a_lane` elements apart, the next 32 of each `a_step` further on
  int64_t a_lane, a_step;
  /// A block of 32 along k behind the other: of each, pairs along k for all lanes, the lanes side by side.
  const uint16_t* b[kBFloat16Groups];
  int a_groups, b_groups;
  int64_t steps;
  float* sums;
  int64_t sums_row;  ///< floats from one row of sums to the next
  bool adds;         ///< to what sums hold
};

/// out(rows, cols) = alpha * sums + beta * init, rounded to bfloat16; a null init counts as zeros. Rows of sums are
/// `sums_row` floats apart; the columns of init and of out are neighbours.
struct BFloat16Rows {
  const float* sums;
  int64_t sums_row, rows, cols;
  float alpha, beta;
  const uint16_t* init;
  int64_t init_row;
  uint16_t* out;
  int64_t out_row;
};

/// Functions of Intel's matrix tiles (AMX), which take numbers below the smallest normal one for 0. Each sum is made
/// along k in order, so how a product is cut into tiles does not show in its bits.
struct VecBFloat16 {
  void (*begin)();  ///< before the first tile of a call, on its thread, and `end` after the last
  void (*end)();
  /// Rows of 16 elements, `from_row` elements apart, an even number of them: of each two, the elements in pairs.
  void (*pair)(uint32_t* to, const uint16_t* from, int64_t from_row, int64_t rows);
  void (*tile)(const BFloat16Tile& tile);
  void (*round)(const BFloat16Rows& rows);
};

/// Null where the processor or the system has no tiles. Products of pairs in vectors (AVX512-BF16) took twice as long
/// as those of floats on the processor that has both.
const VecBFloat16* vec_bfloat16();

}  // namespace strata::cpu::matmul
