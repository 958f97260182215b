// Making tensors: filled, counted, from C++ values or from foreign memory.
#pragma once
#include <initializer_list>
#include <vector>

#include "../core/tensor.h"

namespace strata {

// Host memory that is pinned (`TensorOptions().pinned_memory(true)`) can be asked for in all functions that take
// options but from_blob; it needs a GPU.

/// One value at every index of `sizes`, held in one element of memory (stride 0); what a Scalar operand becomes.
Tensor constant(const Scalar& value, DType dtype, Device device, IntArrayRef sizes);

/// In the options' memory format, or in one that is given apart.
Tensor empty(IntArrayRef sizes, const TensorOptions& options = {},
             std::optional<MemoryFormat> memory_format = std::nullopt);
Tensor zeros(IntArrayRef sizes, const TensorOptions& options = {});
Tensor ones(IntArrayRef sizes, const TensorOptions& options = {});
/// Filled with `value`; the dtype follows the value's category where the options give none.
Tensor full(IntArrayRef sizes, const Scalar& value, const TensorOptions& options = {});
Tensor empty_strided(IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options = {});
/// Row-major unless a memory format is given.
Tensor empty_like(const Tensor& x, const TensorOptions& options = {},
                  std::optional<MemoryFormat> memory_format = std::nullopt);
Tensor zeros_like(const Tensor& x, const TensorOptions& options = {},
                  std::optional<MemoryFormat> memory_format = std::nullopt);
Tensor ones_like(const Tensor& x, const TensorOptions& options = {},
                 std::optional<MemoryFormat> memory_format = std::nullopt);
Tensor full_like(const Tensor& x, const Scalar& value, const TensorOptions& options = {},
                 std::optional<MemoryFormat> memory_format = std::nullopt);
/// `(ceil((end - start) / step),)` values start, start + step, …; int64 for integer arguments where the options give no
/// dtype.
Tensor arange(const Scalar& start, const Scalar& end, const Scalar& step, const TensorOptions& options = {});
Tensor arange(const Scalar& start, const Scalar& end, const TensorOptions& options = {});
Tensor arange(const Scalar& end, const TensorOptions& options = {});
/// `(steps,)` evenly spaced values from start to end, both included.
Tensor linspace(const Scalar& start, const Scalar& end, int64_t steps, const TensorOptions& options = {});
Tensor logspace(const Scalar& start, const Scalar& end, int64_t steps, double base = 10,
                const TensorOptions& options = {});
/// `(n, m)` with ones on the diagonal.
Tensor eye(int64_t n, const TensorOptions& options = {});
Tensor eye(int64_t n, int64_t m, const TensorOptions& options = {});
Tensor scalar_tensor(const Scalar& value, const TensorOptions& options = {});

/// Wraps memory that the caller keeps alive (or that `deleter` frees at the end).
Tensor from_blob(void* data, IntArrayRef sizes, const TensorOptions& options = {});
Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options = {});
namespace detail {

template <class T>
concept Number = std::is_arithmetic_v<T> || ComplexLike<T> || std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

/// The dtype of one number: a size_t is taken for a count, which is int64 in a tensor.
template <class T>
inline constexpr DType number_dtype = dtype_of<T> == DType::Undefined || dtype_of<T> == kUInt64 ? kLong : dtype_of<T>;

/// A number or a braced nest of numbers, as `tensor({{1, 2}, {3, 4}})` takes it.
class TensorData {
 public:
  template <class T>
  requires Number<T> TensorData(T value) : values_{Scalar(value)}, element_(number_dtype<T>) {}
  TensorData(std::initializer_list<TensorData> list);
  const DimVector& sizes() const { return sizes_; }
  const std::vector<Scalar>& values() const { return values_; }
  /// The numbers' own type, but int64 for int and unsigned; Undefined, the default floating point type, for float and
  /// double.
  DType dtype() const {
    if (element_ == kFloat || element_ == kDouble) return DType::Undefined;
    return element_ == kInt || element_ == kUInt16 || element_ == kUInt32 ? kLong : element_;
  }

 private:
  DimVector sizes_;
  std::vector<Scalar> values_;
  DType element_;  ///< the numbers' own type, one for all
};
/// A new tensor as the options want it: in pinned memory, a leaf that requires grad.
Tensor finished(Tensor t, const TensorOptions& options);
Tensor from_values(const void* data, DType source, IntArrayRef sizes, const TensorOptions& options);
/// `options` with the dtype of a tensor made of T's: the default one for floating point, int64 for int, as in libtorch.
template <class T>
TensorOptions options_for(const TensorOptions& options) {
  if (options.has_dtype()) return options;
  if (std::is_floating_point_v<T>) return options.dtype(get_default_dtype());
  return options.dtype(std::is_same_v<T, int> ? kLong : dtype_of<T>);
}
/// There is a stride for each size, or from_blob's error.
void check_strides(IntArrayRef sizes, IntArrayRef strides);
/// `deleter(context, data)` runs when the last tensor over the memory is gone.
Tensor from_foreign(void* data, IntArrayRef sizes, IntArrayRef strides, DataDeleter deleter, void* context,
                    const TensorOptions& options);
}  // namespace detail

/// The same, calling `deleter(data)` when the last tensor over the memory is gone.
template <class Deleter>
requires std::is_invocable_v<Deleter, void*> Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides,
                                                              Deleter deleter, const TensorOptions& options = {}) {
  const DataDeleter run = [](void* context, void* memory) {
    auto* d = static_cast<Deleter*>(context);
    (*d)(memory);
    delete d;
  };
  detail::check_strides(sizes, strides);
  return detail::from_foreign(data, sizes, strides, run, new Deleter(std::move(deleter)), options);
}
template <class Deleter>
requires std::is_invocable_v<Deleter, void*> Tensor from_blob(void* data, IntArrayRef sizes, Deleter deleter,
                                                              const TensorOptions& options = {}) {
  return from_blob(data, sizes, contiguous_strides(sizes), std::move(deleter), options);
}

/// A tensor of the braced numbers: of their own type, but int64 for int, and the default floating point type for float
/// and double, unless the options say otherwise. As in libtorch the numbers are of one C++ type; a complex number that
/// is not real is no number of a real dtype.
Tensor tensor(std::initializer_list<detail::TensorData> list, const TensorOptions& options = {});
template <class T>
requires detail::Number<T> Tensor tensor(T value, const TensorOptions& options = {}) {
  return scalar_tensor(value, detail::options_for<std::conditional_t<dtype_of<T> == kUInt64, int64_t, T>>(options));
}
/// A 1-dim copy of the values; floating point vectors take the default floating point type, as in libtorch.
template <class T>
requires(detail::Number<T> && !std::is_same_v<T, bool>) Tensor
    tensor(const std::vector<T>& values, const TensorOptions& options = {}) {
  if constexpr (ComplexLike<T>)
    STRATA_CHECK(!options.has_dtype() || is_complex(options.dtype()), "tensor: complex numbers do not fit into {}",
                 name(options.dtype()));
  return detail::from_values(values.data(), dtype_of<T>, {static_cast<int64_t>(values.size())},
                             detail::options_for<T>(options));
}
template <class T>
requires detail::Number<T> Tensor tensor(ArrayRef<T> values, const TensorOptions& options = {}) {
  if constexpr (std::is_same_v<T, bool>)  // a vector of bools has no array of them
    return detail::from_values(values.data(), kBool, {static_cast<int64_t>(values.size())},
                               detail::options_for<bool>(options));
  else
    return tensor(values.vec(), options);
}

}  // namespace strata
