// dtype, device, requires_grad and kind of memory of a tensor to be made, in libtorch's builder style.
#pragma once
#include <optional>

#include "device.h"
#include "dtype.h"

namespace strata {

/// Kept for libtorch programs; every tensor is strided.
enum class Layout : int8_t { Strided };
inline constexpr Layout kStrided = Layout::Strided;
enum class MemoryFormat : int8_t { Contiguous, Preserve };

/// `TensorOptions().dtype(kFloat).device(kCPU).requires_grad(true)`; what is not set takes the default.
class TensorOptions {
 public:
  TensorOptions() = default;
  TensorOptions(DType t) : dtype_(t) {}
  TensorOptions(Device d) : device_(d) {}
  TensorOptions(DeviceType d) : device_(Device(d)) {}
  TensorOptions(const char* d) : device_(Device(d)) {}
  [[nodiscard]] TensorOptions dtype(std::optional<DType> t) const {
    return with([&](TensorOptions& o) { o.dtype_ = t; });
  }
  [[nodiscard]] TensorOptions device(std::optional<Device> d) const {
    return with([&](TensorOptions& o) { o.device_ = d; });
  }
  [[nodiscard]] TensorOptions requires_grad(bool on) const {
    return with([&](TensorOptions& o) { o.requires_grad_ = on; });
  }
  [[nodiscard]] TensorOptions layout(Layout) const { return *this; }
  /// Host memory whose pages are locked, from which copies to a GPU go on in the background; without a GPU an error.
  [[nodiscard]] TensorOptions pinned_memory(bool on) const {
    return with([&](TensorOptions& o) { o.pinned_memory_ = on; });
  }
  [[nodiscard]] TensorOptions memory_format(MemoryFormat) const { return *this; }
  Layout layout() const { return kStrided; }
  DType dtype() const { return dtype_.value_or(get_default_dtype()); }
  Device device() const { return device_.value_or(Device()); }
  bool requires_grad() const { return requires_grad_; }
  bool pinned_memory() const { return pinned_memory_; }
  bool has_dtype() const { return dtype_.has_value(); }
  bool has_device() const { return device_.has_value(); }
  bool has_layout() const { return true; }
  bool has_requires_grad() const { return true; }
  bool has_pinned_memory() const { return true; }
  bool has_memory_format() const { return false; }
  bool is_sparse() const { return false; }
  std::optional<MemoryFormat> memory_format_opt() const { return std::nullopt; }
  std::optional<DType> dtype_opt() const { return dtype_; }
  std::optional<Device> device_opt() const { return device_; }

 private:
  template <class F>
  TensorOptions with(F change) const {
    TensorOptions o = *this;
    change(o);
    return o;
  }
  std::optional<DType> dtype_;
  std::optional<Device> device_;
  bool requires_grad_ : 1 = false;
  bool pinned_memory_ : 1 = false;
};

inline TensorOptions dtype(DType t) { return TensorOptions(t); }
inline TensorOptions device(Device d) { return TensorOptions(d); }
inline TensorOptions requires_grad(bool on = true) { return TensorOptions().requires_grad(on); }
inline TensorOptions layout(Layout) { return {}; }

}  // namespace strata
