// Running strips: some lines after others, each through all parts.
#include "compile/strip.h"

#include <algorithm>

#include "core/allocator.h"
#include "core/parallel.h"

namespace strata::func::compiling {
namespace {

/// What a kernel does to an element counts like so many ops of a tape.
constexpr int64_t kOpsOfKernel = 8;

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

void LineKernel::run_part(char* const* data, int64_t begin, int64_t end) const {
  const auto at = [&](int16_t m) -> char* {
    if (m < 0) return nullptr;
    const Memory& memory = memories[static_cast<size_t>(m)];
    if (memory.is_local || memory.pattern == Pattern::row) return data[m];
    return data[m] + (memory.pattern == Pattern::full ? begin : begin / width) * memory.item;
  };
  dispatch::LineArgs a{{}, {}, (end - begin) / width, width, params.data()};
  std::transform(in.begin(), in.end(), a.in.begin(), at);
  std::transform(out.begin(), out.end(), a.out.begin(), at);
  loop.run(a);
}

std::vector<Memory>& Strip::Part::memories() {
  return std::visit([](auto& w) -> std::vector<Memory>& { return w.memories; }, work);
}
const std::vector<Memory>& Strip::Part::memories() const {
  return std::visit([](const auto& w) -> const std::vector<Memory>& { return w.memories; }, work);
}

int64_t Strip::Part::cost() const {
  const Tape* const tape = std::get_if<Tape>(&work);
  return line * (tape ? std::max<int64_t>(1, static_cast<int64_t>(tape->ops.size())) : kOpsOfKernel);
}

size_t Strip::memories() const {
  size_t n = 0;
  for (const Part& part : parts) n += part.memories().size();
  return n;
}

/// Strips number `first` to `last`, on this thread.
void Strip::run_some(int64_t first, int64_t last, char* const* data, Partial& partial) const {
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
    for (size_t p = 0; p < parts.size(); ++p) {
      const Part& part = parts[p];
      if (part.is_whole)
        std::get<Tape>(part.work).reduce_chunks(of_part, begin * part.line, end * part.line, partial[p].data());
      else
        std::visit([&](const auto& work) { work.run_part(of_part, begin * part.line, end * part.line); }, part.work);
      of_part += part.memories().size();
    }
  }
}

void Strip::run(char* const* data) const {
  int64_t cost = 1;
  for (const Part& part : parts) cost += part.cost();
  const int64_t grain = std::max<int64_t>(1, dispatch::kElementwiseGrain / (cost * height));
  Partial partial(parts.size());
  for (size_t p = 0; p < parts.size(); ++p)
    if (parts[p].is_whole) partial[p].resize(std::get<Tape>(parts[p].work).reduction->partial_bytes());
  parallel_for(0, (lines + height - 1) / height, grain,
               [&](int64_t first, int64_t last) { run_some(first, last, data, partial); });
  for (size_t p = 0; p < parts.size(); data += parts[p++].memories().size())
    if (parts[p].is_whole) std::get<Tape>(parts[p].work).fold_chunks(data, partial[p].data());
}

}  // namespace strata::func::compiling
