// What methods that change a tensor's shape in place ask of autograd.
#pragma once
#include <string_view>

#include "../core/tensor.h"

namespace strata::detail {

/// Gives `x` the sizes, strides and history of `view`, a view of it: to what saved x, or shows its memory, that is a
/// write. Errors begin with `method`.
void become_view(std::string_view method, const Tensor& x, const Tensor& view);
/// Inside of transforms, before the view is made: a layer that records what becomes of `x` takes it over.
void before_becoming_view(const Tensor& x);
/// The same inside of a transform, where `x` is a tensor of the transform's.
void become_view_inside(std::string_view method, const Tensor& x, const Tensor& view);
/// `resize_` there, to a geometry that begins where `x` does; what is new in its memory is zero.
void resize_inside(const Tensor& x, IntArrayRef sizes, IntArrayRef strides);

}  // namespace strata::detail
