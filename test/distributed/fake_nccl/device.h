// CUDA devices of host memory for ranks that are threads: a device for each, with streams that run later than the host.
#pragma once
#include <map>

#include "test/cuda_stand_in.h"
#include "test/distributed/fake_nccl/stream.h"

namespace strata::test {

/// Each thread has its own current device and streams. Kernels are the CPU's, each of which waits for the stream that
/// it belongs to; what other streams do at that time it does not know, so work that forgets to wait for them reads
/// memory too early. Freed memory stays until the streams that use it have come so far.
class AsyncDevices final : public StandIn {
 public:
  static constexpr int kDevices = 8;

  DeviceIndex device_count() const override { return kDevices; }
  DeviceIndex current_device() const override { return mine().device; }
  void set_device(DeviceIndex device) override { mine().device = device; }
  void synchronize(DeviceIndex device) override { stream_at(current_stream(device)).drain(); }

  void* current_stream(DeviceIndex device) const override;
  void set_current_stream(DeviceIndex device, void* stream) override { mine().streams[device] = stream; }
  void* pool_stream(DeviceIndex, bool) override { return static_cast<HostStream*>(new AsyncStream); }
  bool stream_done(void* stream) override { return stream_at(stream).is_done(); }
  void synchronize_stream(void* stream) override { stream_at(stream).drain(); }

  void* create_event(DeviceIndex, bool) override { return new Moment; }
  void destroy_event(void* event) noexcept override { delete static_cast<Moment*>(event); }
  void record_event(void* event, void* stream) override;
  void wait_event(void* stream, void* event) override;
  bool event_done(void* event) override { return static_cast<Moment*>(event)->state->is_past(); }
  void synchronize_event(void* event) override { static_cast<Moment*>(event)->state->wait(); }

  cuda::Block allocate(size_t bytes, DeviceIndex device) override;
  cuda::Block allocate_pinned(size_t bytes, DeviceIndex device) override { return allocate(bytes, device); }
  void free(void* handle) noexcept override;
  bool record_use(const void* address, DeviceIndex device, void* stream) override;
  void copy_from_host(void* to, DeviceIndex device, const void* from, size_t bytes) override;
  void copy_to_host(void* to, const void* from, DeviceIndex device, size_t bytes) override;
  cuda::MemoryStats memory_stats(DeviceIndex) const override { return {}; }

 private:
  /// Shared by an event and by the streams that come to it or wait for it.
  class State {
   public:
    void pass() {
      const std::lock_guard lock(mutex_);
      past_ = true;
      changed_.notify_all();
    }
    void wait() {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return past_; });
    }
    bool is_past() {
      const std::lock_guard lock(mutex_);
      return past_;
    }

   private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool past_ = false;
  };
  struct Moment {
    std::shared_ptr<State> state = std::make_shared<State>();
  };
  struct OfThread {
    DeviceIndex device = 0;
    void* streams[kDevices] = {};
  };
  struct Memory {
    void* stream;
    std::vector<void*> users;
  };
  static OfThread& mine();

  std::mutex memory_mutex_;
  std::map<const void*, Memory> memory_;  ///< by address
};

/// Makes them the CUDA devices of this program, where it has no real ones; null there.
AsyncDevices* async_devices();

}  // namespace strata::test
