// NVTX: names for stretches of the host's time that NVIDIA's tools (Nsight Systems, Nsight Compute) show.
#pragma once
#include <string>

namespace strata::nvtx {

/// Opens a range of this thread; returns how many are open around it, a negative number where no tool listens.
int range_push(const std::string& name);
/// Closes this thread's innermost range.
int range_pop();
/// Marks a point in time under a name.
void mark(const std::string& name);

/// A range for a scope.
class Range {
 public:
  explicit Range(const std::string& name) { range_push(name); }
  ~Range() { range_pop(); }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;
};

/// What does it: set by the library of CUDA kernels when that is loaded.
struct Functions {
  int (*push)(const char* name) = nullptr;
  int (*pop)() = nullptr;
  void (*mark)(const char* name) = nullptr;
};
/// Puts others in the place of the NVTX functions and returns those that were there, for tests.
Functions set_functions(const Functions& functions);

}  // namespace strata::nvtx
