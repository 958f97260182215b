// Nested braces as libtorch holds them before they become a tensor.
#pragma once
#include <strata/strata.h>

#include <concepts>
#include <initializer_list>
#include <ostream>
#include <type_traits>
#include <vector>

#include "check.h"

namespace strata::detail {

enum class TensorDataContainerType : uint8_t { Scalar, InitList, Tensor };

/// A number, a list of containers of one shape and type, or a tensor (of an ArrayRef or a vector).
struct TensorDataContainer {
  TensorDataContainer() : sizes_{0}, type_(get_default_dtype()), kind_(TensorDataContainerType::InitList) {}
  template <class T>
  requires(Number<T>) TensorDataContainer(T value)
      : type_(number_dtype<T>), kind_(TensorDataContainerType::Scalar), scalar_(value) {}
  TensorDataContainer(std::initializer_list<TensorDataContainer> list)
      : type_(list.size() ? list.begin()->type_ : get_default_dtype()),
        kind_(TensorDataContainerType::InitList),
        list_(list) {
    sizes_ = list_.empty() ? std::vector<int64_t>() : list_[0].sizes_;
    for (const TensorDataContainer& each : list_) {
      if (each.sizes_ != sizes_)
        throw Error(str("Expected all sub-lists to have sizes: ", IntArrayRef(sizes_), " (e.g. ", list_[0],
                        "), but got sub-list ", each, " with sizes: ", IntArrayRef(each.sizes_)));
      if (each.type_ != type_)
        throw Error(str("Expected all elements of the tensor to have the same scalar type: ", type_,
                        ", but got element of scalar type: ", each.type_));
    }
    sizes_.insert(sizes_.begin(), static_cast<int64_t>(list_.size()));
  }
  template <class T>
  TensorDataContainer(ArrayRef<T> values)
      : sizes_{static_cast<int64_t>(values.size())},
        type_(dtype_of<T>),
        kind_(TensorDataContainerType::Tensor),
        tensor_(strata::tensor(values, TensorOptions(dtype_of<T>))) {}
  template <class T>
  TensorDataContainer(const std::vector<T>& values) : TensorDataContainer(ArrayRef<T>(values)) {}

  bool is_scalar() const { return kind_ == TensorDataContainerType::Scalar; }
  bool is_init_list() const { return kind_ == TensorDataContainerType::InitList; }
  bool is_tensor() const { return kind_ == TensorDataContainerType::Tensor; }
  const Scalar& scalar() const {
    check_kind(is_scalar(), "scalar");
    return scalar_;
  }
  const std::vector<TensorDataContainer>& init_list() const {
    check_kind(is_init_list(), "init_list");
    return list_;
  }
  const Tensor& tensor() const {
    check_kind(is_tensor(), "tensor");
    return tensor_;
  }
  const std::vector<int64_t>& sizes() const { return sizes_; }
  DType scalar_type() const { return type_; }

  /// The tensor: integers as int64 and floating point numbers in the default dtype unless the options say otherwise.
  Tensor convert_to_tensor(TensorOptions options) const {
    if (!options.has_dtype()) options = options.dtype(is_complex(type_) ? type_ : usual_dtype());
    if (is_tensor()) return tensor_.to(options.requires_grad(false)).requires_grad_(options.requires_grad());
    const Tensor filled = empty(sizes_, TensorOptions(options.dtype()));
    const Tensor flat = filled.view({-1});
    int64_t at = 0;
    fill(flat, at);
    return filled.to(options.device()).requires_grad_(options.requires_grad());
  }
  void pretty_print_recursive(std::ostream& out) const {
    if (is_scalar()) {
      out << scalar_;
      return;
    }
    out << '{';
    const char* separator = "";
    if (is_tensor())
      for (int64_t i = 0; i < tensor_.size(0); ++i) out << std::exchange(separator, ", ") << tensor_[i].item();
    for (const TensorDataContainer& each : list_) out << std::exchange(separator, ", ") << each;
    out << '}';
  }
  friend std::ostream& operator<<(std::ostream& out, const TensorDataContainer& container) {
    container.pretty_print_recursive(out);
    return out;
  }

 private:
  static void check_kind(bool is_kind, const char* name) {
    if (!is_kind)
      throw Error(str("Can only call `", name, "()` on a TensorDataContainer that has `is_", name, "() == true`"));
  }
  DType usual_dtype() const { return is_floating_point(type_) ? get_default_dtype() : type_ == kInt ? kLong : type_; }
  void fill(const Tensor& flat, int64_t& at) const {
    if (is_scalar()) flat[at++].fill_(scalar_);
    for (const TensorDataContainer& each : list_) each.fill(flat, at);
  }

  std::vector<int64_t> sizes_;
  DType type_;
  TensorDataContainerType kind_;
  Scalar scalar_;
  std::vector<TensorDataContainer> list_;
  Tensor tensor_;
};

}  // namespace strata::detail

namespace strata {

/// Of an array, which libtorch's overloads for ArrayRef take. Braces are no array and go to the other overloads.
template <class A>
requires(std::is_bounded_array_v<std::remove_reference_t<A>>) Tensor
    tensor(A&& values, const TensorOptions& options = {}) {
  return tensor(ArrayRef<std::remove_cvref_t<decltype(values[0])>>(values), options);
}

/// Of braces that a function of the program's own took: a template, so that braces themselves go elsewhere.
template <std::same_as<detail::TensorDataContainer> Container>
Tensor tensor(const Container& container, const TensorOptions& options = {}) {
  return container.convert_to_tensor(options);
}

}  // namespace strata
