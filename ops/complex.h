// Making complex tensors and taking them apart.
#pragma once
#include "../core/tensor.h"

namespace strata {

/// The complex conjugate, computed at once (PyTorch keeps a lazy bit); a real tensor is its own, without a copy.
Tensor conj(const Tensor& x);
Tensor conj_physical(const Tensor& x);
/// Conjugates are never lazy here: the tensor itself.
Tensor resolve_conj(const Tensor& x);
/// The conjugate with the last two dims swapped, `(..., m, n)` to `(..., n, m)`.
Tensor adjoint(const Tensor& x);
/// A view of the real part; a real tensor itself.
Tensor real(const Tensor& x);
/// A view of the imaginary part; an error for real tensors.
Tensor imag(const Tensor& x);
/// A complex tensor as real numbers, shape `(..., 2)`: a view.
Tensor view_as_real(const Tensor& x);
/// Real numbers of shape `(..., 2)` as complex ones: a view. The last dim must be contiguous, the others' strides and
/// the offset even.
Tensor view_as_complex(const Tensor& x);
namespace detail {
/// The same of any strides: a copy where they do not allow a view.
Tensor complex_of_pairs(const Tensor& x);
}  // namespace detail
/// `real + imag * i` of two float32 or two float64 tensors, broadcast.
Tensor complex(const Tensor& real, const Tensor& imag);
/// `abs * exp(angle * i)` of two float32 or two float64 tensors, broadcast.
Tensor polar(const Tensor& abs, const Tensor& angle);
/// The argument in (-pi, pi]; of real numbers 0 or pi.
Tensor angle(const Tensor& x);
/// z / |z|, 0 at 0; the sign of real numbers.
Tensor sgn(const Tensor& x);
/// Is the imaginary part zero?
Tensor isreal(const Tensor& x);
inline bool is_complex(const Tensor& x) { return is_complex(x.dtype()); }
inline bool is_conj(const Tensor&) { return false; }

}  // namespace strata
