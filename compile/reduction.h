// The end of a tape that reduces what it computes, line by line, without putting that into memory.
#pragma once
#include "../dispatcher/loops.h"
#include "../dispatcher/reduce_loops.h"

namespace strata::func::compiling {

/// Note [Reductions of tapes]
/// Lines lie one after another in the tape's row-major elements. A piece of work is a chunk of a line, or several whole
/// lines where they are short; its elements are computed tile by tile into a buffer, unless they have memory of their
/// own, and reduced from there. Chunks and the order in which their results are folded are the eager kernel's, so the
/// bits are too. 16-bit values are reduced as the floats that they stand for, and the results narrowed at the end.
struct Reduction {
  dispatch::ReduceLoop loop;
  int16_t operand = -1;             ///< numbered as those of a TapeOp
  int16_t result = -1;              ///< the memory that is written
  uint8_t item = 4;                 ///< bytes of an element
  int64_t length = 0;               ///< of a line
  dispatch::Loop narrow = nullptr;  ///< what makes 16 bits of each result, where floats of 16-bit values are reduced

  int64_t chunks() const { return (length + loop.chunk - 1) / loop.chunk; }
  size_t partial_bytes() const { return static_cast<size_t>(chunks() * item); }  ///< of a line
  int64_t lines_of_piece() const { return chunks() > 1 ? 1 : loop.chunk / length; }
  /// Pieces of so many lines.
  int64_t pieces(int64_t lines) const { return (lines + lines_of_piece() - 1) / lines_of_piece() * chunks(); }
};

/// The elements of a piece.
struct Piece {
  int64_t begin, end;
};
Piece piece_of(const Reduction& r, int64_t lines, int64_t index);
/// Reduces the elements of a piece, which are at `x`: to `partial`, a place for each piece where lines have several
/// chunks, else to the results.
void reduce_piece(const Reduction& r, int64_t lines, int64_t index, const char* x, char* partial, char* results);
/// Folds the partial results of each line and finishes all results.
void fold_pieces(const Reduction& r, int64_t lines, char* partial, char* results);

}  // namespace strata::func::compiling
