// A tape: a chain of element-wise ops that runs tile by tile over the eager kernels' own inner loops, so that what is
// between the ops stays in the cache and the bits are eager's.
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "../dispatcher/loops.h"
#include "reduction.h"

namespace strata::func::compiling {

using dispatch::Loop;

/// Elements of a tile: all that a chain has between its ops then lies in the first cache.
inline constexpr int64_t kTile = 512;
/// Elements that a tape puts aside to reduce them.
inline constexpr int64_t kMostReduced = 4096;
/// Elements from which a tape asks for what it reads next: those of less are in the caches.
inline constexpr int64_t kFetchedFrom = 1 << 18;
/// Values of at most 8 bytes an element that a tile has room for, and all operands that a tape can name.
inline constexpr int kMostRegisters = 24;
inline constexpr int kMostOperands = 64;

/// Are rows so short that a tile takes several?
constexpr bool are_short_rows(int64_t rows, int64_t width) { return rows > 1 && 2 * width <= kTile; }

/// How a tensor lies over the rows of a tape: element (row, column) of `full` is its own, of `row` that of the column,
/// of `column` that of the row, and `scalar` has one for all.
enum class Pattern : uint8_t { full, scalar, row, column };

/// A tensor in memory that the tape reads or writes.
struct Memory {
  int32_t slot = -1;  ///< which tensor of the run
  Pattern pattern = Pattern::full;
  uint8_t item = 4;
  int16_t reg = -1;  ///< where a tile of several rows of it is put together, for `row` and `column`
  bool is_written = false;
  bool is_local = false;  ///< begins with the elements of the strip: Note [Strips]
};

/// One op: operands below the number of memories are memories, those above registers.
struct TapeOp {
  Loop loop;
  std::array<double, 3> numbers;
  int16_t inputs, out, in[3];
  bool stream = false;   ///< past the caches
  bool once = false;     ///< of one value, which stands for all: the output's step is 0
  uint8_t item = 0;      ///< bytes of an element, where all operands have as many
  bool fetches = false;  ///< asks for the elements of the next tile while it runs: Note [Fetching ahead]
};

/// The chain. Tensors have `rows` times `width` elements; without operands of patterns `row` and `column` it is one
/// row.
struct Tape {
  std::vector<Memory> memories;
  std::vector<TapeOp> ops;
  int64_t rows = 1, width = 0;
  int registers = 0;  ///< how many it uses
  std::optional<Reduction> reduction = {};

  bool has_short_rows() const { return are_short_rows(rows, width); }
  int64_t numel() const { return rows * width; }
  /// Runs it over all elements, on all threads; `data` is the first element of each memory.
  void run(char* const* data) const;
  /// Runs it over some of the elements on this thread. They are whole rows where rows are short, and whole lines where
  /// lines are reduced.
  void run_part(char* const* data, int64_t begin, int64_t end) const;
  /// Where all elements are reduced to one value, strips take the chunks of some of them, each to its place in
  /// `partial`, on this thread; when that is done for all, `fold_chunks` makes the result.
  void reduce_chunks(char* const* data, int64_t begin, int64_t end, char* partial) const;
  void fold_chunks(char* const* data, char* partial) const;

 private:
  /// Those of some lines, and where what they are reduced to goes.
  struct Pieces {
    int64_t begin, lines;  ///< element that the lines begin with
    char *partial, *results;
  };
  void run_all(char* const* data, int64_t grain) const;
  void run_and_reduce(char* const* data, int64_t begin, int64_t end, int64_t grain) const;
  void reduce_pieces(char* const* data, int64_t first_local, const Pieces& p, int64_t first, int64_t last) const;
};

}  // namespace strata::func::compiling
