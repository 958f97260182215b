// Tapes and kernels that take turns on a few lines at a time, so that what one makes of them is in the cache when the
// next reads it.
#pragma once
#include <variant>
#include <vector>

#include "../dispatcher/line_loops.h"
#include "../dispatcher/params.h"
#include "tape.h"

namespace strata::func::compiling {

/// A kernel that makes each line of its results from the same line of its inputs. Memories of one value a line have the
/// pattern `column`, those that all lines share `row`.
struct LineKernel {
  dispatch::LineLoop loop;
  OwnedParams params;
  std::vector<Memory> memories;  ///< inputs that are defined, then results
  std::vector<int16_t> in, out;  ///< which memory each of them is; -1 for undefined inputs
  int64_t rows = 0, width = 0;

  int64_t numel() const { return rows * width; }
  /// Runs it over whole lines on this thread.
  void run_part(char* const* data, int64_t begin, int64_t end) const;
};

/// Note [Strips]
/// Steps that follow each other often go through the same lines: softmax takes the largest element of each line, then
/// the exponentials and their sum, then the quotients; what comes before and after it does so as well. A strip of lines
/// goes through all of them before the next one does, so a line comes from memory once and goes there once. What the
/// steps alone read lies in memory of the strip's own, which is small. Lines do not depend on each other, so neither do
/// the bits on how they are cut into strips. What is reduced over all lines takes part as well where strips end with
/// its chunks: they are folded when all strips are done.
struct Strip {
  using Work = std::variant<Tape, LineKernel>;
  struct Part {
    Work work;
    int64_t line = 0;             ///< its elements of each line
    std::vector<int64_t> places;  ///< of its local memories in the strip's own; for the others, -1
    bool is_whole = false;        ///< a tape that reduces all lines to one value

    std::vector<Memory>& memories();
    const std::vector<Memory>& memories() const;
    int64_t cost() const;  ///< of a line: its elements times the ops on each
  };
  std::vector<Part> parts;
  int64_t lines = 0;
  int64_t height = 1;   ///< lines that go through the parts together
  int64_t scratch = 0;  ///< bytes that they have for what lies between the parts

  size_t memories() const;
  /// Runs it over all lines, on all threads; `data` is the first element of each memory that is not local, those of
  /// one part after those of the other.
  void run(char* const* data) const;

 private:
  using Partial = std::vector<std::vector<char>>;  // of each part, what its chunks were reduced to
  void run_some(int64_t first, int64_t last, char* const* data, Partial& partial) const;
};

}  // namespace strata::func::compiling
