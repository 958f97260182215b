// The registry of backends, and what is the same for all of them.
#include "core/device_backend.h"

#include <algorithm>
#include <atomic>

#include "core/error.h"

namespace strata {
namespace {

struct Entry {
  std::atomic<DeviceBackend*> backend{nullptr};
  std::atomic<const DeviceLoader*> loader{nullptr};
};
/// The last is that of all kinds which are names only, and stays empty.
constinit Entry entries[kNumDeviceTypes + 1];

Entry& entry_of(DeviceType type) { return entries[std::min(static_cast<int>(type), kNumDeviceTypes)]; }

}  // namespace

DeviceBackend* set_device_backend(DeviceType type, DeviceBackend* backend) {
  STRATA_CHECK(type != kCPU, "set_device_backend: the CPU has none, its memory is the host's");
  STRATA_CHECK(static_cast<int>(type) < kNumDeviceTypes, "set_device_backend: {} is a name only", name(type));
  return entry_of(type).backend.exchange(backend, std::memory_order_acq_rel);
}

void set_device_loader(DeviceType type, const DeviceLoader* loader) {
  entry_of(type).loader.store(loader, std::memory_order_release);
}

DeviceBackend* find_device_backend(DeviceType type) {
  const Entry& e = entry_of(type);
  if (DeviceBackend* const b = e.backend.load(std::memory_order_acquire)) return b;
  const DeviceLoader* const loader = e.loader.load(std::memory_order_acquire);
  return loader ? loader->find() : nullptr;
}

DeviceBackend& device_backend(DeviceType type) {
  DeviceBackend* const found = find_device_backend(type);
  if (found) return *found;
  const DeviceLoader* const loader = entry_of(type).loader.load(std::memory_order_acquire);
  STRATA_CHECK(!loader, "{}", loader->why_not());
  STRATA_THROW("no {} device can be used: no backend is registered for it", name(type));
}

Device numbered(Device device) {
  if (device.is_cpu() || device.is_meta()) return device;
  const DeviceBackend& b = device_backend(device.type());
  if (!device.has_index()) return Device(device.type(), b.current_device());
  STRATA_CHECK(device.index() < b.device_count(), "{}: there are {} {} devices", device.str(), int{b.device_count()},
               device.is_cuda() ? "CUDA" : Device(device.type()).str());
  return device;
}

DeviceGuard::DeviceGuard(Device device) : type_(device.type()) {
  if (device.is_cpu() || !device.has_index()) return;
  const DeviceIndex now = device_backend(type_).current_device();
  if (now == device.index()) return;
  device_backend(type_).set_device(numbered(device).index());
  previous_ = now;
}
DeviceGuard::~DeviceGuard() {
  if (previous_) device_backend(type_).set_device(*previous_);
}

}  // namespace strata
