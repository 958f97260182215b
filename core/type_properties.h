// Device and dtype under libtorch's older name for both.
#pragma once
#include <string>

#include "options.h"

namespace strata {

/// What `Tensor::type()` gives.
class DeprecatedTypeProperties {
 public:
  DeprecatedTypeProperties(Device device, DType dtype) : device_(device), dtype_(dtype) {}
  DType scalarType() const { return dtype_; }
  TypeMeta typeMeta() const { return TypeMeta(dtype_); }
  DeviceType device_type() const { return device_.type(); }
  DeviceType backend() const { return device_type(); }
  bool is_cuda() const { return device_.is_cuda(); }
  bool is_sparse() const { return false; }
  Layout layout() const { return kStrided; }
  TensorOptions options() const { return TensorOptions(dtype_).device(device_); }
  operator TensorOptions() const { return options(); }
  /// "CPUFloatType".
  std::string toString() const;
  friend bool operator==(const DeprecatedTypeProperties& a, const DeprecatedTypeProperties& b) {
    return a.device_type() == b.device_type() && a.dtype_ == b.dtype_;
  }

 private:
  Device device_;
  DType dtype_;
};
std::ostream& operator<<(std::ostream& out, const DeprecatedTypeProperties& type);

}  // namespace strata
