// The dtypes that a wrapped module computes, averages and keeps its parameters in.
#pragma once
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "../core/tensor.h"
#include "../ops/cast.h"

namespace strata::distributed {

/// In which dtypes parameters are used, their gradients are averaged and buffers are; their own where nothing is said.
/// The optimizer sees the parameters' own dtype.
struct MixedPrecision {
  std::optional<DType> param_dtype = std::nullopt;   ///< of parameters, floating point inputs and activations
  std::optional<DType> reduce_dtype = std::nullopt;  ///< of gradients while they are averaged
  std::optional<DType> buffer_dtype = std::nullopt;  ///< of floating point buffers, from the wrapping on
};

/// An input of a wrapped module: a floating point tensor in `dtype`, if one is given, anything else as it is.
template <class T>
decltype(auto) cast_input(const std::optional<DType>& dtype, T&& input) {
  if constexpr (std::is_same_v<std::remove_cvref_t<T>, Tensor>)
    return dtype && input.defined() && input.is_floating_point() ? input.to(*dtype) : Tensor(input);
  else
    return std::forward<T>(input);
}

/// Gives floating point tensors the values that they have in `dtype`.
void cast_buffers_(const std::vector<Tensor>& buffers, DType dtype);

/// Leaves that compute in another dtype than they are kept in: from `enter` to `leave` each has a copy of its values in
/// that dtype, and gets gradients of it.
class LowPrecision {
 public:
  LowPrecision(const std::vector<Tensor>& leaves, DType dtype);
  ~LowPrecision() { leave(); }
  LowPrecision(const LowPrecision&) = delete;
  LowPrecision& operator=(const LowPrecision&) = delete;
  /// Nothing where they compute in it already: a graph may hold their copies.
  void enter();
  void leave();
  bool is_entered() const { return is_entered_; }
  /// The gradient of leaf i in the dtype that it is kept in: what it had before `enter` and what it got since,
  /// undefined if neither is. The leaf has none afterwards.
  Tensor take_gradient(size_t i);

 private:
  struct Leaf {
    Tensor tensor;
    Tensor kept;      ///< while the leaf computes: its own values
    Tensor gradient;  ///< and what it had as gradient, of the dtype of these
  };
  std::vector<Leaf> leaves_;
  DType dtype_;
  bool is_entered_ = false;
};

}  // namespace strata::distributed
