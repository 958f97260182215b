// A CUDA device made of host memory: all that stands above kernels runs on it as on a GPU, where there is none.
#pragma once
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "core/cuda_backend.h"
#include "kernels/cuda/runtime/caching_allocator.h"
#include "test/cuda_stream.h"

namespace strata::test {

/// Two devices whose memory is the host's and whose streams run at once; counts what is asked of it. A stream that is
/// captured runs nothing: the emulated kernels and copies it is given are kept for the graph, whose memory comes from
/// the allocator of real devices.
class StandIn : public cuda::Backend {
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

  void* create_event(DeviceIndex, bool) override { return new Event; }
  void destroy_event(void* event) noexcept override { delete static_cast<Event*>(event); }
  void record_event(void* event, void* stream) override {
    *static_cast<Event*>(event) = {++clock_, recording_of(stream)};
  }
  void wait_event(void* stream, void* event) override;
  bool event_done(void*) override { return true; }
  void synchronize_event(void*) override {}
  float elapsed_time(void* begin, void* end) override {
    return static_cast<float>(static_cast<Event*>(end)->time - static_cast<Event*>(begin)->time);
  }

  cuda::Block allocate(size_t bytes, DeviceIndex device) override;
  cuda::Block allocate_pinned(size_t bytes, DeviceIndex device) override;
  void free(void* handle) noexcept override;
  void copy_from_host(void* to, DeviceIndex, const void* from, size_t bytes) override { std::memcpy(to, from, bytes); }
  void copy_to_host(void* to, const void* from, DeviceIndex, size_t bytes) override { std::memcpy(to, from, bytes); }
  bool record_use(const void*, DeviceIndex, void*) override { return true; }
  bool is_pinned(const void* address) override;
  cuda::MemoryStats memory_stats(DeviceIndex device) const override { return stats_[device]; }
  void reset_peak_memory_stats(DeviceIndex device) override { stats_[device].max_allocated = 0; }
  void empty_cache() override {}
  std::string memory_snapshot(DeviceIndex) const override { return "[]"; }

  void begin_capture(DeviceIndex device, void* stream, uint64_t pool) override;
  void* end_capture(DeviceIndex device, void* stream) override;
  void launch_graph(void* graph, void* stream) override;
  void destroy_graph(void* graph) noexcept override;
  void release_pool(DeviceIndex device, uint64_t pool) noexcept override;
  void write_position(uint64_t* words, Generator::Position at, DeviceIndex device, void* stream) override;

  int synchronized = 0;
  size_t capacity = size_t{1} << 30;  ///< bytes per device

 private:
  struct Event {
    int time = 0;
    CapturedWork* recording = nullptr;
  };
  /// Pages of the host, as a driver gives them.
  struct Pages final : cuda::DeviceMemory {
    void* allocate(size_t bytes) override { return std::aligned_alloc(64, bytes); }
    void free(void* p) override { std::free(p); }
    Amounts amounts() override { return {}; }
    void* record(void*) override { return nullptr; }
    bool has_passed(void*) override { return true; }
    void wait(void*) override {}
    void destroy(void*) override {}
  };

  Pages pages_;
  cuda::CachingAllocator graphs_{pages_, "the stand-in's graphs"};
  std::set<const void*> pinned_;
  std::mutex mutex_;  ///< of the memory: loaders' workers pin batches
  DeviceIndex current_ = 0;
  void* streams_[2] = {};
  int clock_ = 0;
  cuda::MemoryStats stats_[2];
};

/// The stand-in, with the CPU's kernels as those of its devices, or those of the library `kernels` as far as it has
/// them; null where a real GPU is.
StandIn* stand_in(const char* kernels = nullptr);

}  // namespace strata::test
