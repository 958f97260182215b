// Tapes that take turns on a few lines at a time, so that what one makes of them is in the cache when the next reads
// it.
#pragma once
#include <vector>

#include "tape.h"

namespace strata::func::compiling {

/// Note [Strips]
/// Tapes that follow each other often go through the same lines: softmax takes the largest element of each line, then
/// the exponentials and their sum, then the quotients. A strip of lines goes through all of them before the next one
/// does, so a line comes from memory once and goes there once. What the tapes alone read lies in memory of the strip's
/// own, which is small. Lines do not depend on each other, so neither do the bits on how they are cut into strips.
struct Strip {
  struct Part {
    Tape tape;
    int64_t line = 0;             ///< its elements of each line
    std::vector<int64_t> places;  ///< of its local memories in the strip's own; for the others, -1
  };
  std::vector<Part> parts;
  int64_t lines = 0;
  int64_t height = 1;   ///< lines that go through the tapes together
  int64_t scratch = 0;  ///< bytes that they have for what lies between the tapes

  size_t memories() const;
  /// Runs it over all lines, on all threads; `data` is the first element of each memory that is not local, those of
  /// one part after those of the other.
  void run(char* const* data) const;
};

}  // namespace strata::func::compiling
