// What methods that change a tensor's shape in place ask of autograd.
#pragma once
#include <string_view>

#include "../core/tensor.h"

namespace strata::detail {

/// Gives `x` the sizes, strides and history of `view`, a view of it: to what saved x, or shows its memory, that is a
/// write. Errors begin with `method`.
void become_view(std::string_view method, const Tensor& x, const Tensor& view);
/// The same inside of a transform, where `x` is a tensor of the transform's.
void become_view_inside(std::string_view method, const Tensor& x, const Tensor& view);

}  // namespace strata::detail
