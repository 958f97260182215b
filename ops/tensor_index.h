// What stands between the brackets of `x.index({Slice(1, None), 0, mask, None, "..."})`, as in libtorch and Python.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>

#include "../core/tensor.h"

namespace strata {
namespace indexing {

/// A new dim of size 1, or an absent bound of a Slice.
inline constexpr std::nullopt_t None = std::nullopt;
/// The bounds of a Slice where none are given: libtorch's, of numbers that may be symbols.
inline constexpr int64_t INDEX_MAX = std::numeric_limits<int64_t>::max() / 2, INDEX_MIN = -INDEX_MAX - 1;

struct EllipsisIndexType {};
/// As many full slices as are needed to use up all dims.
inline constexpr EllipsisIndexType Ellipsis{};

/// `start:stop:step` with Python's clamping; step is positive.
class Slice {
 public:
  Slice(std::optional<int64_t> start = std::nullopt, std::optional<int64_t> stop = std::nullopt,
        std::optional<int64_t> step = std::nullopt)
      : start_(start.value_or(0)), stop_(stop.value_or(INDEX_MAX)), step_(step.value_or(1)) {}
  /// 0 where none was given.
  int64_t start() const { return start_; }
  /// INDEX_MAX where none was given.
  int64_t stop() const { return stop_; }
  int64_t step() const { return step_; }

 private:
  int64_t start_, stop_, step_;
};

/// One index: an integer, a bool, a slice, None, an ellipsis, or an integer or bool tensor.
class TensorIndex {
 public:
  enum class Kind : uint8_t { kNone, kEllipsis, kInteger, kBool, kSlice, kTensor };
  TensorIndex(std::nullopt_t) : kind_(Kind::kNone) {}
  TensorIndex(EllipsisIndexType) : kind_(Kind::kEllipsis) {}
  TensorIndex(const char* dots) : kind_(Kind::kEllipsis) {
    STRATA_CHECK(std::string_view(dots) == "...", "index: the only text that indexes is \"...\", got \"{}\"", dots);
  }
  template <class T>
  requires std::is_integral_v<T> TensorIndex(T value)
      : kind_(std::is_same_v<T, bool> ? Kind::kBool : Kind::kInteger), integer_(static_cast<int64_t>(value)) {}
  TensorIndex(Slice slice) : kind_(Kind::kSlice), slice_(slice) {}
  /// An absent or undefined tensor stands for all of its dim.
  TensorIndex(const std::optional<Tensor>& tensor) : TensorIndex(tensor ? *tensor : Tensor()) {}
  TensorIndex(Tensor tensor) : kind_(tensor.defined() ? Kind::kTensor : Kind::kSlice), tensor_(std::move(tensor)) {}

  Kind kind() const { return kind_; }
  bool is_none() const { return kind_ == Kind::kNone; }
  bool is_ellipsis() const { return kind_ == Kind::kEllipsis; }
  bool is_integer() const { return kind_ == Kind::kInteger; }
  bool is_boolean() const { return kind_ == Kind::kBool; }
  bool is_slice() const { return kind_ == Kind::kSlice; }
  bool is_tensor() const { return kind_ == Kind::kTensor; }
  int64_t integer() const { return integer_; }
  bool boolean() const { return integer_ != 0; }
  const Slice& slice() const { return slice_; }
  const Tensor& tensor() const { return tensor_; }

 private:
  Kind kind_;
  int64_t integer_ = 0;
  Slice slice_;
  Tensor tensor_;
};

}  // namespace indexing

/// `x[indices]`: a view if there is no tensor among them, else a new tensor. Follows NumPy's rules for mixed indices.
Tensor index(const Tensor& x, ArrayRef<indexing::TensorIndex> indices);
/// `x[indices] = values` (or `+=` with accumulate) in place; values broadcast to the shape of `x[indices]`.
Tensor& index_put_(Tensor& x, ArrayRef<indexing::TensorIndex> indices, const Tensor& values, bool accumulate = false);
/// The same on a copy.
Tensor index_put(const Tensor& x, ArrayRef<indexing::TensorIndex> indices, const Tensor& values,
                 bool accumulate = false);

}  // namespace strata
