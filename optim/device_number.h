// A number of the host that captured graphs read from device memory.
#pragma once
#include <vector>

#include "../core/tensor.h"

namespace strata::optim::detail {

/// Keeps a copy on each device that asked for one. Copies of this object start without.
class DeviceNumber {
 public:
  DeviceNumber() = default;
  DeviceNumber(const DeviceNumber&) {}
  DeviceNumber& operator=(const DeviceNumber&) { return *this; }
  /// A 0-dim float64 with the value, always the same tensor. Throws inside of a capture that would have to make it.
  Tensor on(Device device, double value);
  /// Writes the value to the devices.
  void set(double value);

 private:
  double value_ = 0;
  std::vector<Tensor> copies_;
};

}  // namespace strata::optim::detail
