// A number of the host that captured graphs and compiled functions read from memory.
#pragma once
#include <memory>
#include <vector>

#include "../core/tensor.h"

namespace strata::optim::detail {

/// Keeps a copy on each device that asked for one, and brings it up to date before each use: a step, a replay of a
/// graph that holds one, or a call of a compiled function. Copies of this object have the value and start without the
/// devices.
class DeviceNumber {
 public:
  explicit DeviceNumber(double value) : state_(std::make_shared<State>()) { state_->value = value; }
  DeviceNumber(const DeviceNumber& o) : DeviceNumber(o.value()) {}
  DeviceNumber& operator=(const DeviceNumber& o) {
    value() = o.value();
    return *this;
  }
  /// The host's number, to be read and assigned.
  double& value() { return state_->value; }
  const double& value() const { return state_->value; }
  /// A 0-dim float64 with the value, always the same tensor. Throws inside of a capture that would have to make it.
  Tensor on(Device device) const;

 private:
  struct State {
    double value = 0;
    double written = 0;  ///< what the devices hold
    std::vector<Tensor> copies;
    void write();
  };
  static void write_or_stale(const std::weak_ptr<State>& state);
  std::shared_ptr<State> state_;  ///< shared with graphs, which may outlive this object
};

}  // namespace strata::optim::detail
