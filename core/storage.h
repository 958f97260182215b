// The bytes behind one or more tensors, with the version counter that all of them share.
#pragma once
#include <atomic>
#include <cstddef>
#include <utility>

#include "device.h"
#include "intrusive.h"

namespace strata {

/// Called when the last tensor over foreign memory is gone.
using DataDeleter = void (*)(void* context, void* data);

/// Reference-counted bytes; small ones lie right behind this header in the same block.
/// The bytes can be freed and taken again while tensors go on pointing here (`resize`), as sharded training does.
class alignas(64) StorageImpl {
 public:
  /// `bytes` of uninitialised CPU memory.
  static StorageImpl* create(size_t bytes);
  /// The same on any device, which has its number unless it is the CPU.
  static StorageImpl* create(size_t bytes, Device device);
  /// Foreign memory; `deleter(context, data)` runs at the end, if given.
  static StorageImpl* wrap(void* data, size_t bytes, Device device, DataDeleter deleter, void* context);

  /// The first byte; null while the bytes are freed.
  char* data() const { return data_; }
  size_t nbytes() const { return nbytes_; }
  /// Do the bytes come from Strata, so that `resize` may free and take them?
  bool is_resizable() const { return resizable_; }
  /// Frees the bytes (0) or takes `bytes` new ones, which start with what was there. Tensors keep the geometry they
  /// have, so a storage never becomes smaller than it has been, other than empty. No write is counted: what backward
  /// has saved may be freed and brought back. Throws for foreign memory.
  void resize(size_t bytes);
  Device device() const { return device_; }
  uint32_t version() const { return version_.load(std::memory_order_relaxed); }
  void bump_version() { version_.store(version() + 1, std::memory_order_relaxed); }
  /// Of memory that nobody has seen yet: 0 where the writes so far made its first contents, and where it takes the
  /// place of another, what no reader of that one expects.
  void set_version(uint32_t version) { version_.store(version, std::memory_order_relaxed); }
  uint32_t use_count() const { return refs_.count(); }

  void retain() { refs_.retain(); }
  void release() {
    if (refs_.release()) destroy();
  }

 private:
  explicit StorageImpl(Device device) : device_(device) {}
  void destroy() noexcept;
  void take_bytes(size_t bytes);
  void free_bytes() noexcept;
  void give_back() noexcept;  ///< to the device or to whoever wrapped them
  char* behind_header() { return reinterpret_cast<char*>(this + 1); }
  enum class Source : uint8_t { kNone, kBehindHeader, kBuffer, kDevice, kDeleter };

  RefCount refs_;
  std::atomic<uint32_t> version_{0};
  char* data_ = nullptr;
  size_t nbytes_ = 0;
  size_t largest_ = 0;  ///< most bytes so far: what the tensors here may reach
  DataDeleter deleter_ = nullptr;
  void* context_ = nullptr;
  uint32_t room_behind_ = 0;  ///< bytes of this block behind the header
  Device device_;
  Source source_ = Source::kNone;  ///< where `data_` goes when it is freed
  bool resizable_ = true;
};
static_assert(sizeof(StorageImpl) == 64);

/// Where bytes lie, as libtorch's storages give it; owns nothing.
struct DataPtr {
  void* data = nullptr;
  Device where;
  void* get() const { return data; }
  void* mutable_get() const { return data; }
  /// What the bytes would be freed with, if this owned them.
  void* get_context() const { return nullptr; }
  Device device() const { return where; }
  explicit operator bool() const { return data != nullptr; }
  friend bool operator==(const DataPtr& a, const DataPtr& b) { return a.data == b.data; }
};

/// A shared storage, with the names that libtorch gives its parts.
class Storage : public IntrusivePtr<StorageImpl> {
 public:
  Storage() = default;
  Storage(IntrusivePtr<StorageImpl> s) : IntrusivePtr(std::move(s)) {}
  size_t nbytes() const { return get()->nbytes(); }
  void* mutable_data() const { return get()->data(); }
  void* data() const { return get()->data(); }
  DataPtr data_ptr() const { return {get()->data(), device()}; }
  Device device() const { return get()->device(); }
  bool resizable() const { return get()->is_resizable(); }
  bool is_alias_of(const Storage& other) const { return *this == other; }
  /// Frees the bytes of all tensors here (0), or brings them back uninitialised: see StorageImpl::resize.
  void resize_(size_t bytes) const { get()->resize(bytes); }
};

}  // namespace strata
