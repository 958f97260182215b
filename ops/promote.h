// Type promotion by PyTorch's rules: categories first, then tensors with dimensions over 0-dim tensors over numbers.
#pragma once
#include <initializer_list>

#include "../core/tensor.h"

namespace strata {

/// The dtype of arithmetic between the two.
DType result_type(const Tensor& a, const Tensor& b);
DType result_type(const Tensor& a, const Scalar& b);
DType result_type(const Scalar& a, const Tensor& b);
DType result_type(const Scalar& a, const Scalar& b);
/// May a result of `from` be stored in `to`? Not if that drops a category: float to integer, or anything to bool.
bool can_cast(DType from, DType to);
/// The dtype itself if it is a floating point or complex one, else the default floating point dtype.
DType float_type(DType t);

namespace detail {
/// What elements of `t` are computed in: float32 for the smaller floating point types.
constexpr DType opmath_dtype(DType t) { return is_floating_point(t) && item_size(t) < 4 ? kFloat : t; }
/// `x` in `dtype`, on `device` (only a 0-dim CPU tensor moves; others are an error), expanded to `sizes`; x itself
/// where nothing is to do.
Tensor prepare(const Tensor& x, DType dtype, Device device, IntArrayRef sizes, const char* op);
/// The device that the operands meet on, which is that of the first, but 0-dim CPU tensors follow the others.
Device common_device(std::initializer_list<const Tensor*> operands);
}  // namespace detail

}  // namespace strata
