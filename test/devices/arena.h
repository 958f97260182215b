// A third kind of device for the tests: two devices whose memory is an arena of the host that nobody may touch but its
// backend and its kernels, of which there are few.
#pragma once
#include <cstddef>
#include <map>
#include <mutex>

#include "core/device_backend.h"
#include "dispatcher/op.h"

namespace strata::test {

/// The backend of PrivateUse1, which is called "arena" in this program. Whoever else reads or writes its memory gets a
/// segmentation fault.
class Arena final : public DeviceBackend {
 public:
  Arena();
  DeviceIndex device_count() const override { return 2; }
  DeviceIndex current_device() const override { return current_; }
  void set_device(DeviceIndex device) override { current_ = device; }
  void synchronize(DeviceIndex) override {}
  void* current_stream(DeviceIndex device) const override { return streams_[device]; }
  void set_current_stream(DeviceIndex device, void* stream) override { streams_[device] = stream; }
  DeviceBlock allocate(size_t bytes, DeviceIndex device) override;
  void free(void* handle) noexcept override;
  void copy_from_host(void* to, DeviceIndex device, const void* from, size_t bytes) override;
  void copy_to_host(void* to, const void* from, DeviceIndex device, size_t bytes) override;

  /// Lets the scope touch the memory.
  class Open {
   public:
    explicit Open(Arena& arena) : arena_(arena) { arena_.set_access(+1); }
    ~Open() { arena_.set_access(-1); }
    Open(const Open&) = delete;
    Open& operator=(const Open&) = delete;

   private:
    Arena& arena_;
  };

  size_t bytes_in_use() const { return in_use_; }
  /// Each of the arena's kernels says that it ran.
  void note_kernel() {
    ++kernels_run;
    ran_on = current_;
  }
  int kernels_run = 0, copies = 0;  ///< copies from and to the host
  DeviceIndex ran_on = -1;          ///< the current device when a kernel ran last

 private:
  void set_access(int change);

  std::mutex mutex_;
  char* memory_;
  std::map<char*, size_t> free_, used_;
  size_t in_use_ = 0;
  int open_ = 0;
  static thread_local DeviceIndex current_;
  static thread_local void* streams_[2];
};

/// The one backend, registered by the first call.
Arena& arena();

}  // namespace strata::test
