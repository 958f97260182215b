// The tensor handle: eight bytes that share a body, with the methods a user calls; each family's methods are defined
// beside its ops.
#pragma once
#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "error.h"
#include "generator.h"
#include "grad_mode.h"
#include "optional_array_ref.h"
#include "options.h"
#include "scalar.h"
#include "tensor_accessor.h"
#include "tensor_impl.h"
#include "type_properties.h"

namespace strata {

class Tensor;
namespace autograd {
class Node;
}
namespace cuda {
class Stream;
}
namespace indexing {
class TensorIndex;
}
namespace compat {
template <class T>
class List;
}
using TensorList = ArrayRef<Tensor>;
/// A registered hook's number, for remove_hook.
using HookHandle = unsigned;

/// A tensor argument that may be absent (libtorch's type of this name): a tensor, nullopt, an std::optional<Tensor> or
/// `{}`. It refers to the caller's tensor as IntArrayRef does to sizes; an absent one reads as an undefined tensor.
class OptionalTensorRef {
 public:
  OptionalTensorRef() = default;
  OptionalTensorRef(std::nullopt_t) {}
  OptionalTensorRef(const Tensor& tensor) : tensor_(&tensor) {}
  OptionalTensorRef(const std::optional<Tensor>& tensor);
  /// Is there a tensor, and a defined one?
  bool has_value() const;
  bool defined() const { return has_value(); }
  explicit operator bool() const { return has_value(); }
  const Tensor& getTensorRef() const;
  const Tensor& operator*() const { return getTensorRef(); }
  const Tensor* operator->() const { return &getTensorRef(); }
  operator const Tensor&() const { return getTensorRef(); }

 private:
  const Tensor* tensor_ = nullptr;
};

/// An n-dimensional array of one dtype on one device. Copies share the same body; `clone()` copies data.
/// A default-constructed tensor is undefined: `defined()` is false and every use of its data throws.
class Tensor {
 public:
  Tensor() noexcept : impl_(nullptr) {}
  /// `Tensor(nullptr)` is undefined too. The type is deduced, so that a 0 in braces stays a number.
  template <std::same_as<std::nullptr_t> Null>
  explicit Tensor(Null) noexcept : impl_(nullptr) {}
  Tensor(const Tensor& o) : impl_(o.impl_) {
    if (impl_) impl_->retain();
  }
  Tensor(Tensor&& o) noexcept : impl_(o.impl_) { o.impl_ = nullptr; }
  Tensor& operator=(const Tensor& o) & { return *this = Tensor(o); }  // o may live in our body: t = t.grad()
  Tensor& operator=(Tensor&& o) & noexcept {
    TensorImpl* mine = impl_;
    impl_ = o.impl_;
    o.impl_ = nullptr;
    if (mine) mine->release();
    return *this;
  }
  /// `x.index(...) = value` style assignment to a temporary copies data into it, as in libtorch.
  Tensor& operator=(const Tensor& value) &&;
  Tensor& operator=(Tensor&& value) &&;
  Tensor& operator=(const Scalar& value) &&;
  ~Tensor() {
    if (impl_) impl_->release();
  }

  // --- identity and geometry
  // -------------------------------------------------------------------------------------------------
  bool defined() const { return impl_ != nullptr; }
  /// The body; throws nothing, null when undefined.
  TensorImpl* impl() const { return impl_; }
  TensorImpl* unsafeGetTensorImpl() const { return impl_; }
  static Tensor adopt(TensorImpl* impl) {
    Tensor t;
    t.impl_ = impl;
    return t;
  }
  static Tensor share(TensorImpl* impl) {
    if (impl) impl->retain();
    return adopt(impl);
  }
  bool is_same(const Tensor& o) const { return impl_ == o.impl_; }
  KeySet keys() const { return impl_ ? impl_->keys() : KeySet(); }
  void reset() { *this = Tensor(); }
  int64_t use_count() const { return impl_ ? impl_->use_count() : 0; }

  int64_t dim() const { return shape().dim(); }
  int64_t ndimension() const { return dim(); }
  IntArrayRef sizes() const { return shape().sizes(); }
  IntArrayRef strides() const { return body().strides(); }
  int64_t size(int64_t d) const;
  int64_t stride(int64_t d) const;
  int64_t numel() const { return shape().numel(); }
  TypeMeta dtype() const { return TypeMeta(body().dtype()); }
  DType scalar_type() const { return body().dtype(); }
  /// libtorch's older name for device and dtype together.
  DeprecatedTypeProperties type() const { return {device(), scalar_type()}; }
  Device device() const { return body().device(); }
  TensorOptions options() const { return TensorOptions(dtype()).device(device()).layout(kStrided); }
  int64_t storage_offset() const { return body().storage_offset(); }
  const Storage& storage() const { return body().storage(); }
  bool has_storage() const { return impl_ && static_cast<bool>(impl_->storage()); }
  size_t nbytes() const { return static_cast<size_t>(numel()) * item_size(dtype()); }
  int64_t element_size() const { return static_cast<int64_t>(item_size(dtype())); }
  int64_t itemsize() const { return element_size(); }
  bool is_contiguous() const { return body().is_contiguous(); }
  bool is_floating_point() const { return strata::is_floating_point(dtype()); }
  bool is_cuda() const { return device().is_cuda(); }
  bool is_privateuseone() const { return device().is_privateuseone(); }
  bool is_cpu() const { return device().is_cpu(); }
  /// Has it a shape and dtype only? So are a transform's wrappers not: they stand for values.
  bool is_meta() const { return impl_ && !impl_->storage() && !impl_->wrapper(); }
  /// Does every element have a place of its own, with no gap between them in memory?
  bool is_non_overlapping_and_dense() const;
  /// Are both the same elements of the same memory in the same order?
  bool is_set_to(const Tensor& other) const;
  Layout layout() const { return kStrided; }
  /// libtorch's name of a variable, which nothing sets.
  std::string name() const { return {}; }
  bool is_inference() const { return body().is_inference(); }
  /// Number of in-place writes to the shared storage so far. Throws for a tensor made in InferenceMode.
  int64_t _version() const;

  /// Pointer to the first element; throws if T is not the dtype.
  template <class T>
  T* data_ptr() const {
    using Element = std::remove_const_t<T>;
    STRATA_CHECK(dtype() == dtype_of<Element>, "data_ptr: the tensor is {}, asked for {}", strata::name(dtype()),
                 strata::name(dtype_of<Element>));
    return reinterpret_cast<T*>(bytes());
  }
  template <class T>
  T* data() const {
    return data_ptr<T>();
  }
  template <class T>
  T* mutable_data_ptr() const {
    return data_ptr<T>();
  }
  template <class T>
  const T* const_data_ptr() const {
    return data_ptr<T>();
  }
  void* data_ptr() const { return impl_ && impl_->numel() == 0 ? nullptr : bytes(); }
  /// Where the first element lies; throws where there is no data.
  char* bytes() const {
    char* const first = impl_ ? impl_->data() : nullptr;
    if (!first) [[unlikely]]
      check_has_data();
    return first;
  }
  /// The value of a one-element tensor.
  Scalar item() const;
  template <class T>
  T item() const {
    return item().template to<T>();
  }
  /// Unchecked element access to a tensor of N dimensions; valid while the tensor lives.
  template <class T, size_t N>
  TensorAccessor<T, N> accessor() const {
    check_accessor_dims("accessor", N);
    return {data_ptr<T>(), sizes().data(), strides().data()};
  }
  /// The same with sizes and strides of its own, for CUDA kernels; `Index` is the type of the indices.
  template <class T, size_t N, class Index = int64_t>
  PackedTensorAccessor<T, N, Index> packed_accessor() const {
    check_accessor_dims("packed_accessor", N);
    return {data_ptr<T>(), sizes(), strides()};
  }
  template <class T, size_t N>
  PackedTensorAccessor32<T, N> packed_accessor32() const {
    STRATA_CHECK(numel() <= INT32_MAX, "packed_accessor32: the tensor has {} elements, more than 32 bits count",
                 numel());
    return packed_accessor<T, N, int32_t>();
  }
  template <class T, size_t N>
  PackedTensorAccessor64<T, N> packed_accessor64() const {
    return packed_accessor<T, N>();
  }

  // --- autograd (autograd/methods.cpp)
  // -----------------------------------------------------------------------------------------
  bool requires_grad() const { return impl_ && impl_->requires_grad(); }
  const Tensor& requires_grad_(bool on = true) const;
  const Tensor& set_requires_grad(bool on) const { return requires_grad_(on); }
  /// The accumulated gradient of a leaf; undefined if there is none. Assignable: `x.mutable_grad() = g`.
  const Tensor& grad() const;
  Tensor& mutable_grad() const;
  bool is_leaf() const;
  /// The node that computes this tensor's gradient onwards; null for leaves (autograd/node.h).
  std::shared_ptr<autograd::Node> grad_fn() const;
  int64_t output_nr() const;
  void retain_grad() const;
  bool retains_grad() const;
  /// Gradients of this tensor with respect to the graph's leaves, or to `inputs` alone, accumulated into their
  /// `.grad()`.
  void backward(const Tensor& gradient = {}, std::optional<bool> retain_graph = std::nullopt, bool create_graph = false,
                std::optional<TensorList> inputs = std::nullopt) const;
  /// Shares data, is cut off from the graph.
  Tensor detach() const;
  const Tensor& detach_() const;
  bool is_view() const { return impl_ && impl_->base(); }
  /// Whether the two show the same memory, each perhaps another part of it.
  bool is_alias_of(const Tensor& other) const { return storage().is_alias_of(other.storage()); }
  /// The tensor whose data a view shows.
  Tensor _base() const { return share(body().base()); }
  /// Detached alias, under libtorch's names for it. Not the memory: that is `data_ptr()`.
  Tensor data() const { return detach(); }
  Tensor variable_data() const { return detach(); }
  Tensor tensor_data() const { return detach(); }
  /// Makes this handle's body hold another tensor's data and geometry; gradients and identity stay.
  void set_data(const Tensor& other) const;
  /// Writes `[CPUFloatType [2, 3]]` and a newline to std::cerr.
  void print() const;
  /// `CPUFloatType`: device and dtype as libtorch writes them, `UndefinedType` without a body.
  std::string toString() const;
  /// `hook(grad)` runs when this tensor's gradient is known; it may return a replacement. Returns a handle for
  /// remove_hook.
  template <class F>
  HookHandle register_hook(F&& hook) const;  // autograd/hooks.h
  void remove_hook(HookHandle handle) const;

#include "tensor_methods.inc"

 private:
  /// What an in-place method returns: it is const, as in libtorch, for it changes the data and not the handle.
  Tensor& self() const { return const_cast<Tensor&>(*this); }
  const TensorImpl& body() const {
    if (!impl_) [[unlikely]]
      fail_undefined();
    return *impl_;
  }
  /// What knows the shape; for an undefined tensor see `shape_of_undefined`.
  const TensorImpl& shape() const {
    if (!impl_) [[unlikely]]
      return shape_of_undefined();
    return *impl_;
  }
  [[noreturn]] static void fail_undefined();
  static const TensorImpl& shape_of_undefined();
  void check_accessor_dims(const char* who, size_t asked) const;
  /// Without a first element: throws, unless there are no elements at all.
  void check_has_data() const;
  [[noreturn]] void fail_no_data() const;

  TensorImpl* impl_;
};

inline OptionalTensorRef::OptionalTensorRef(const std::optional<Tensor>& tensor)
    : tensor_(tensor ? &*tensor : nullptr) {}
inline bool OptionalTensorRef::has_value() const { return tensor_ && tensor_->defined(); }

/// PyTorch's rendering: `tensor([[1., 2.], [3., 4.]])`-like columns, then `[ CPUFloatType{2,2} ]` as libtorch prints.
std::ostream& operator<<(std::ostream& out, const Tensor& t);

/// New uninitialised row-major tensor. The base of every creation function.
Tensor empty_cpu(IntArrayRef sizes, DType dtype);
/// New uninitialised row-major tensor with the shape and dtype of `t`, which is one of the CPU.
Tensor empty_cpu_like(const Tensor& t);
/// The same on a device that is not the CPU, the current one of its kind where it has no number.
Tensor empty_on_device(IntArrayRef sizes, DType dtype, Device device);

}  // namespace strata
