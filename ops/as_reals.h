// Complex tensors for code that treats them as pairs of real numbers.
#pragma once
#include "../core/tensor.h"
#include "complex.h"

namespace strata {

/// A complex tensor as a view of real numbers, shape `(..., 2)`; a real or undefined one itself.
inline Tensor as_reals(const Tensor& t) { return t.defined() && t.is_complex() ? view_as_real(t) : t; }

}  // namespace strata
