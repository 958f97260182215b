// Running strips: some lines after others, each through all tapes.
#include "compile/strip.h"

#include <algorithm>

#include "core/allocator.h"
#include "core/parallel.h"

namespace strata::func::compiling {
namespace {

/// Memory of one thread.
class Scratch {
 public:
  explicit Scratch(int64_t bytes)
      : bytes_(static_cast<size_t>(bytes)), data_(static_cast<char*>(buffer_alloc(bytes_))) {}
  ~Scratch() { buffer_free(data_, bytes_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  char* data() const { return data_; }

 private:
  const size_t bytes_;
  char* const data_;
};

}  // namespace

size_t Strip::memories() const {
  size_t n = 0;
  for (const Part& part : parts) n += part.tape.memories.size();
  return n;
}

void Strip::run(char* const* data) const {
  int64_t cost = 1;  // of a line: its elements times the ops on each
  for (const Part& part : parts) cost += part.line * std::max<int64_t>(1, static_cast<int64_t>(part.tape.ops.size()));
  const int64_t grain = std::max<int64_t>(1, dispatch::kElementwiseGrain / (cost * height));
  parallel_for(0, (lines + height - 1) / height, grain, [&](int64_t first, int64_t last) {
    const Scratch own(scratch);
    std::vector<char*> at(data, data + memories());
    size_t m = 0;
    for (const Part& part : parts)
      for (int64_t place : part.places) {
        if (place >= 0) at[m] = own.data() + place;
        ++m;
      }
    for (int64_t s = first; s < last; ++s) {
      const int64_t begin = s * height, end = std::min(lines, begin + height);
      char* const* of_part = at.data();
      for (const Part& part : parts) {
        part.tape.run_part(of_part, begin * part.line, end * part.line);
        of_part += part.tape.memories.size();
      }
    }
  });
}

}  // namespace strata::func::compiling
