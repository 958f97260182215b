// dtype, device, requires_grad, kind of memory and layout of a tensor to be made, in libtorch's builder style.
#pragma once
#include <iosfwd>
#include <optional>
#include <type_traits>

#include "device.h"
#include "dtype.h"

namespace strata {

/// Kept for libtorch programs; every tensor is strided, and options refuse the others.
enum class Layout : int8_t { Strided, Sparse, SparseCsr, SparseCsc, SparseBsr, SparseBsc, Mkldnn, Jagged };
inline constexpr Layout kStrided = Layout::Strided, kSparse = Layout::Sparse, kSparseCsr = Layout::SparseCsr,
                        kSparseCsc = Layout::SparseCsc, kSparseBsr = Layout::SparseBsr, kSparseBsc = Layout::SparseBsc,
                        kMkldnn = Layout::Mkldnn, kJagged = Layout::Jagged;
/// How dims lie in memory: row-major; as those of the tensor that is given; images `(N, C, H, W)` and volumes `(N, C,
/// D, H, W)` with their channels behind the other dims, one element after the other.
enum class MemoryFormat : int8_t { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };
/// "ChannelsLast" and the like.
const char* name(MemoryFormat format);
/// The same of layouts.
const char* name(Layout layout);
std::ostream& operator<<(std::ostream& out, Layout layout);
std::ostream& operator<<(std::ostream& out, MemoryFormat format);

/// `TensorOptions().dtype(kFloat).device(kCPU).requires_grad(true)`; what is not set takes the default.
class TensorOptions {
 public:
  TensorOptions() = default;
  TensorOptions(DType t) : dtype_(t) {}
  TensorOptions(TypeMeta t) : dtype_(t) {}
  TensorOptions(Layout l) : layout_(check_strided(l)) {}
  TensorOptions(MemoryFormat f) : memory_format_(f) {}
  /// A device, its kind or its text, or kind and number in braces: `x.to({kCUDA, 1})`.
  template <class... A>
  requires(sizeof...(A) > 0 && std::is_constructible_v<Device, const A&...>) TensorOptions(const A&... device)
      : device_(Device(device...)) {}
  /// Of what libtorch's bindings for other languages give apart.
  static TensorOptions of(std::optional<DType> dtype, std::optional<Layout> layout, std::optional<Device> device,
                          std::optional<bool> pin_memory) {
    TensorOptions o;
    o.dtype_ = dtype;
    o.device_ = device;
    o.pinned_memory_ = pin_memory;
    o.layout_ = layout && check_strided(*layout);
    return o;
  }
  [[nodiscard]] TensorOptions dtype(std::optional<DType> t) const {
    return with([&](TensorOptions& o) { o.dtype_ = t; });
  }
  [[nodiscard]] TensorOptions device(std::optional<Device> d) const {
    return with([&](TensorOptions& o) { o.device_ = d; });
  }
  [[nodiscard]] TensorOptions device(DeviceType type, DeviceIndex index) const { return device(Device(type, index)); }
  /// The CUDA device of that number.
  [[nodiscard]] TensorOptions device_index(DeviceIndex index) const { return device(Device(kCUDA, index)); }
  [[nodiscard]] TensorOptions requires_grad(bool on) const {
    return with([&](TensorOptions& o) { o.requires_grad_ = on; });
  }
  [[nodiscard]] TensorOptions layout(Layout l) const {
    return with([&](TensorOptions& o) { o.layout_ = check_strided(l); });
  }
  /// Host memory whose pages are locked, from which copies to a GPU go on in the background; without a GPU an error.
  [[nodiscard]] TensorOptions pinned_memory(bool on) const {
    return with([&](TensorOptions& o) { o.pinned_memory_ = on; });
  }
  /// For `empty`, `to` and the `*_like` functions; others make row-major tensors.
  [[nodiscard]] TensorOptions memory_format(std::optional<MemoryFormat> f) const {
    return with([&](TensorOptions& o) { o.memory_format_ = f; });
  }
  Layout layout() const { return kStrided; }
  TypeMeta dtype() const { return TypeMeta(dtype_.value_or(get_default_dtype())); }
  Device device() const { return device_.value_or(Device()); }
  bool requires_grad() const { return requires_grad_.value_or(false); }
  bool pinned_memory() const { return pinned_memory_.value_or(false); }
  bool has_dtype() const { return dtype_.has_value(); }
  bool has_device() const { return device_.has_value(); }
  bool has_layout() const { return layout_; }
  bool has_requires_grad() const { return requires_grad_.has_value(); }
  bool has_pinned_memory() const { return pinned_memory_.has_value(); }
  bool has_memory_format() const { return memory_format_.has_value(); }
  bool is_sparse() const { return false; }
  std::optional<MemoryFormat> memory_format_opt() const { return memory_format_; }
  std::optional<DType> dtype_opt() const { return dtype_; }
  std::optional<Device> device_opt() const { return device_; }

 private:
  /// True, or throws.
  static bool check_strided(Layout layout);
  template <class F>
  TensorOptions with(F change) const {
    TensorOptions o = *this;
    change(o);
    return o;
  }
  std::optional<DType> dtype_;
  std::optional<Device> device_;
  std::optional<bool> requires_grad_, pinned_memory_;
  std::optional<MemoryFormat> memory_format_;
  bool layout_ = false;
};
/// All options in one line, `(default)` behind those that were not given, as libtorch writes them.
std::ostream& operator<<(std::ostream& out, const TensorOptions& options);

inline TensorOptions dtype(DType t) { return TensorOptions(t); }
inline TensorOptions device(Device d) { return TensorOptions(d); }
inline TensorOptions device_index(DeviceIndex index) { return TensorOptions().device_index(index); }
inline TensorOptions requires_grad(bool on = true) { return TensorOptions().requires_grad(on); }
inline TensorOptions layout(Layout layout) { return TensorOptions(layout); }
inline TensorOptions memory_format(MemoryFormat format) { return TensorOptions(format); }

}  // namespace strata
