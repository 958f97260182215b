// What a kind of device other than the CPU provides to the rest, which knows no kinds: memory, copies and streams. Its
// kernels register themselves with the ops (dispatcher/kernel_registrar.h).
#pragma once
#include <cstddef>
#include <optional>

#include "device.h"

namespace strata {

/// Memory of a device, and what its backend needs to take it back.
struct DeviceBlock {
  void* data = nullptr;
  void* handle = nullptr;
};

/// All devices of a kind, numbered from 0. Numbers and handles are valid, and streams are the backend's own pointers.
/// Each function may be called from any thread; failures throw Error.
class DeviceBackend {
 public:
  virtual ~DeviceBackend() = default;
  virtual DeviceIndex device_count() const = 0;
  /// The device that the calling thread means where it names none.
  virtual DeviceIndex current_device() const = 0;
  virtual void set_device(DeviceIndex device) = 0;
  /// Waits for everything that was started on a device.
  virtual void synchronize(DeviceIndex device) = 0;

  /// The stream that the calling thread's work on the device goes to; null on a device that has none.
  virtual void* current_stream(DeviceIndex device) const = 0;
  virtual void set_current_stream(DeviceIndex device, void* stream) = 0;

  /// Memory for work on the device's current stream.
  virtual DeviceBlock allocate(size_t bytes, DeviceIndex device) = 0;
  virtual void free(void* handle) noexcept = 0;
  /// Copies bytes from the host to a device after the work of its current stream; the host may write over them when
  /// this returns.
  virtual void copy_from_host(void* to, DeviceIndex device, const void* from, size_t bytes) = 0;
  /// Copies bytes of a device to the host after the work of its current stream; they are there when this returns.
  virtual void copy_to_host(void* to, const void* from, DeviceIndex device, size_t bytes) = 0;
};

/// Makes a backend that of all devices of a kind, null for none, and returns the one before. It must live as long as
/// any tensor of it.
DeviceBackend* set_device_backend(DeviceType type, DeviceBackend* backend);
/// The backend of a kind of device; null where there is none, as for the CPU, whose memory is the host's.
DeviceBackend* find_device_backend(DeviceType type);
/// The same; throws an error that says why there is none.
DeviceBackend& device_backend(DeviceType type);

/// How to find a backend when it is first asked for.
struct DeviceLoader {
  DeviceBackend* (*find)();  ///< null where it cannot be had
  const char* (*why_not)();  ///< the whole message then
};
void set_device_loader(DeviceType type, const DeviceLoader* loader);

/// `device` with a number: the current one where it has none. Throws where there is no such device. CPU devices as they
/// are.
Device numbered(Device device);

/// Makes a device the current one of its kind until the end of the scope; nothing for the CPU, or without a number.
class DeviceGuard {
 public:
  explicit DeviceGuard(Device device);
  ~DeviceGuard();
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;

 private:
  DeviceType type_;
  std::optional<DeviceIndex> previous_;
};

}  // namespace strata
