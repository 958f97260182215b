// The bytes behind one or more tensors, with the version counter that all of them share.
#pragma once
#include <atomic>
#include <cstddef>

#include "device.h"
#include "intrusive.h"

namespace strata {

/// Called when the last tensor over foreign memory is gone.
using DataDeleter = void (*)(void* context, void* data);

/// Reference-counted bytes; small ones lie right behind this header in the same block.
class alignas(64) StorageImpl {
 public:
  /// `bytes` of uninitialised CPU memory.
  static StorageImpl* create(size_t bytes);
  /// The same on any device; a CUDA device has its number.
  static StorageImpl* create(size_t bytes, Device device);
  /// Foreign memory; `deleter(context, data)` runs at the end, if given.
  static StorageImpl* wrap(void* data, size_t bytes, Device device, DataDeleter deleter, void* context);

  char* data() const { return data_; }
  size_t nbytes() const { return nbytes_; }
  Device device() const { return device_; }
  uint32_t version() const { return version_.load(std::memory_order_relaxed); }
  void bump_version() { version_.store(version() + 1, std::memory_order_relaxed); }
  uint32_t use_count() const { return refs_.count(); }

  void retain() { refs_.retain(); }
  void release() {
    if (refs_.release()) destroy();
  }

 private:
  StorageImpl(char* data, size_t bytes, Device device) : data_(data), nbytes_(bytes), device_(device) {}
  void destroy() noexcept;
  bool is_inline() const { return data_ == reinterpret_cast<const char*>(this + 1); }

  RefCount refs_;
  std::atomic<uint32_t> version_{0};
  char* data_;
  size_t nbytes_;
  DataDeleter deleter_ = nullptr;
  void* context_ = nullptr;
  Device device_;
  bool foreign_ = false;
};

using Storage = IntrusivePtr<StorageImpl>;

}  // namespace strata
