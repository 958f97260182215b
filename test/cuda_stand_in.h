// A CUDA device made of host memory: all that stands above kernels runs on it as on a GPU, where there is none.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/cuda_backend.h"

namespace strata::test {

/// Two devices whose memory is the host's and whose streams are counters; counts what is asked of it.
class StandIn final : public cuda::Backend {
 public:
  DeviceIndex device_count() const override { return 2; }
  cuda::DeviceProperties properties(DeviceIndex device) const override;
  DeviceIndex current_device() const override { return current_; }
  void set_device(DeviceIndex device) override { current_ = device; }
  void synchronize(DeviceIndex) override { ++synchronized; }

  void* current_stream(DeviceIndex device) const override { return streams_[device]; }
  void set_current_stream(DeviceIndex device, void* stream) override { streams_[device] = stream; }
  void* pool_stream(DeviceIndex, bool) override;
  bool stream_done(void*) override { return true; }
  void synchronize_stream(void*) override { ++synchronized; }

  void* create_event(DeviceIndex, bool) override { return new int(0); }
  void destroy_event(void* event) noexcept override { delete static_cast<int*>(event); }
  void record_event(void* event, void*) override { *static_cast<int*>(event) = ++clock_; }
  void wait_event(void*, void*) override {}
  bool event_done(void*) override { return true; }
  void synchronize_event(void*) override {}
  float elapsed_time(void* begin, void* end) override {
    return static_cast<float>(*static_cast<int*>(end) - *static_cast<int*>(begin));
  }

  cuda::Block allocate(size_t bytes, DeviceIndex device) override;
  cuda::Block allocate_pinned(size_t bytes, DeviceIndex device) override { return allocate(bytes, device); }
  void free(void* handle) noexcept override;
  bool record_use(const void*, DeviceIndex, void*) override { return true; }
  cuda::MemoryStats memory_stats(DeviceIndex device) const override { return stats_[device]; }
  void reset_peak_memory_stats(DeviceIndex device) override { stats_[device].max_allocated = 0; }
  void empty_cache() override {}
  std::string memory_snapshot(DeviceIndex) const override { return "[]"; }

  int synchronized = 0;
  size_t capacity = size_t{1} << 30;  ///< bytes per device

 private:
  DeviceIndex current_ = 0;
  void* streams_[2] = {};
  int clock_ = 0;
  cuda::MemoryStats stats_[2];
};

/// The stand-in, with the CPU's kernels as those of its devices, or those of the library `kernels` as far as it has
/// them; null where a real GPU is.
StandIn* stand_in(const char* kernels = nullptr);

}  // namespace strata::test
