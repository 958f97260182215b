// Who watches big CPU buffers being taken and given back: the profiler of memory.
#pragma once
#include <cstddef>

namespace strata {

/// Called by whichever thread takes or gives back a buffer; `bytes` as the caching allocator accounts for it. It must
/// not take buffers itself and lives as long as the process.
class AllocationObserver {
 public:
  virtual ~AllocationObserver() = default;
  virtual void taken(const void* buffer, size_t bytes) noexcept = 0;
  virtual void given_back(const void* buffer, size_t bytes) noexcept = 0;
};

/// Null is none, as it is at first.
void set_allocation_observer(AllocationObserver* observer) noexcept;

}  // namespace strata
