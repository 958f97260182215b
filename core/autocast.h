// What mixed precision was asked for on this thread: per kind of device, whether, and in which 16-bit type.
#pragma once
#include <array>
#include <optional>

#include "device.h"
#include "dtype.h"

namespace strata::autocast {

/// Do ops on such a device choose their own precision? A guard (AutocastGuard) is the usual way to say so.
bool is_autocast_enabled(DeviceType device);
void set_autocast_enabled(DeviceType device, bool enabled);
/// The type that products are computed in: at first bfloat16 on the CPU, float16 on other devices.
DType get_autocast_dtype(DeviceType device);
void set_autocast_dtype(DeviceType device, DType dtype);
/// Is what weights were cast to kept until the outermost guard ends? At first yes.
bool is_autocast_cache_enabled();
void set_autocast_cache_enabled(bool enabled);

/// The type to compute products on the device in, where autocast takes part in what runs now.
std::optional<DType> active_dtype(DeviceType device);

/// The state at one moment, for what runs in it later.
struct Settings {
  std::array<bool, kNumDeviceTypes> enabled;
  std::array<DType, kNumDeviceTypes> dtypes;
  bool takes_part;  ///< no rule of an op is at work
};
Settings settings();
void restore(const Settings& settings);

/// Brings a state back until the end of the scope.
class Restored {
 public:
  explicit Restored(const Settings& wanted) : previous_(settings()) { restore(wanted); }
  ~Restored() { restore(previous_); }
  Restored(const Restored&) = delete;
  Restored& operator=(const Restored&) = delete;

 private:
  const Settings previous_;
};

}  // namespace strata::autocast
