// Methods and functions of libtorch that are made of others.
#include "ops/aliases.h"

#include "core/called.h"
#include "core/warning.h"
#include "ops/activation.h"
#include "ops/become_view.h"
#include "ops/binary.h"
#include "ops/in_place.h"
#include "ops/indexing.h"
#include "ops/linalg.h"
#include "ops/reduce.h"
#include "ops/shaping.h"
#include "ops/sort.h"
#include "ops/stft.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata {
namespace {

/// Gives `self` the geometry of a view of it.
template <class F>
Tensor& reshaped_in_place(Tensor& self, const char* name, F&& make_view) {
  const Called called(name);
  const std::string_view op = Called::without_overload(name);
  return detail::in_place(op, [&]() -> Tensor& {
    if (thread_state.top_layer) [[unlikely]]
      detail::before_becoming_view(self);
    const Tensor view = make_view();
    self.impl()->wrapper() ? detail::become_view_inside(op, self, view) : detail::become_view(op, self, view);
    return self;
  });
}

/// The elements whose indices are all the same, as a view.
Tensor main_diagonal(const Tensor& x) {
  Tensor d = x.diagonal();
  while (d.dim() > 1) d = d.diagonal(0, 0, -1);
  return d;
}

}  // namespace

Tensor trace(const Tensor& x) {
  const Called called;
  STRATA_CHECK(x.dim() == 2, "trace: expected a matrix, got shape {}", x.sizes());
  return sum(diagonal(x));
}
std::vector<Tensor> where(const Tensor& condition) { return unbind(nonzero(condition), 1); }

Tensor Tensor::numpy_T() const {
  if (dim() != 2 && dim() != 0)
    warn_once(
        "numpy_T: reverses all dims of a tensor that is no matrix; mT() transposes matrices, permute() names dims");
  DimVector reversed;
  for (int64_t d = dim(); d-- > 0;) reversed.push_back(d);
  return permute(reversed);
}
Tensor Tensor::squeeze(IntArrayRef dims) const { return strata::squeeze(*this, dims); }
Tensor& Tensor::unsqueeze_(int64_t d) const {
  return reshaped_in_place(self(), "unsqueeze_", [&] { return unsqueeze(d); });
}
Tensor& Tensor::squeeze_(IntArrayRef dims) const {
  return reshaped_in_place(self(), "squeeze_.dims", [&] { return squeeze(dims); });
}
Tensor& Tensor::as_strided_(IntArrayRef sizes, IntArrayRef strides, std::optional<int64_t> storage_offset) const {
  return reshaped_in_place(self(), "as_strided_", [&] { return as_strided(sizes, strides, storage_offset); });
}
Tensor& Tensor::squeeze_() const {
  return reshaped_in_place(self(), "squeeze_", [&] { return squeeze(); });
}
Tensor& Tensor::squeeze_(int64_t d) const {
  return reshaped_in_place(self(), "squeeze_.dim", [&] { return squeeze(d); });
}
Tensor& Tensor::transpose_(int64_t a, int64_t b) const {
  return reshaped_in_place(self(), "transpose_", [&] { return transpose(a, b); });
}
Tensor& Tensor::t_() const {
  return reshaped_in_place(self(), "t_", [&] { return t(); });
}
Tensor Tensor::median() const { return strata::median(*this); }
std::tuple<Tensor, Tensor> Tensor::median(int64_t d, bool keepdim) const { return strata::median(*this, d, keepdim); }
std::tuple<Tensor, Tensor> Tensor::kthvalue(int64_t k, int64_t d, bool keepdim) const {
  return strata::kthvalue(*this, k, d, keepdim);
}
Tensor Tensor::addbmm(const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha) const {
  return strata::addbmm(*this, a, b, beta, alpha);
}
Tensor Tensor::trace() const { return strata::trace(*this); }
Tensor& Tensor::fill_diagonal_(const Scalar& value, bool wrap) const {
  return detail::in_place("fill_diagonal_", [&]() -> Tensor& {
    STRATA_CHECK(dim() >= 2, "fill_diagonal_: needs at least 2 dims, got shape {}", sizes());
    for (const int64_t n : sizes())
      STRATA_CHECK(dim() == 2 || n == size(0), "fill_diagonal_: more than 2 dims must have one size, got {}", sizes());
    main_diagonal(self()).fill_(value);
    if (!wrap || dim() > 2) return self();
    // Below a tall matrix' square the diagonal begins anew after each row left out.
    const int64_t rows = size(0), step = size(1) + 1;
    for (int64_t row = step; row < rows; row += step) slice(0, row).diagonal().fill_(value);
    return self();
  });
}
Tensor Tensor::select_scatter(const Tensor& source, int64_t d, int64_t index) const {
  return strata::select_scatter(*this, source, d, index);
}
Tensor Tensor::slice_scatter(const Tensor& source, int64_t d, std::optional<int64_t> start, std::optional<int64_t> end,
                             int64_t step) const {
  return strata::slice_scatter(*this, source, d, start, end, step);
}
Tensor Tensor::diagonal_scatter(const Tensor& source, int64_t offset, int64_t dim1, int64_t dim2) const {
  return strata::diagonal_scatter(*this, source, offset, dim1, dim2);
}
Tensor Tensor::as_strided_scatter(const Tensor& source, IntArrayRef sizes, IntArrayRef strides,
                                  std::optional<int64_t> storage_offset) const {
  return strata::as_strided_scatter(*this, source, sizes, strides, storage_offset);
}
std::vector<Tensor> Tensor::split_with_sizes(IntArrayRef sizes, int64_t d) const {
  return strata::split_with_sizes(*this, sizes, d);
}
Tensor Tensor::broadcast_to(IntArrayRef sizes) const { return strata::broadcast_to(*this, sizes); }
Tensor Tensor::alias() const { return strata::alias(*this); }
Tensor Tensor::narrow(int64_t d, const Tensor& start, int64_t length) const {
  return strata::narrow(*this, d, start, length);
}
Tensor Tensor::where(const Tensor& condition, const Scalar& other) const {
  return strata::where(condition, *this, other);
}
Tensor Tensor::bincount(OptionalTensorRef weights, int64_t minlength) const {
  return strata::bincount(*this, weights, minlength);
}

Tensor Tensor::addr(const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha) const {
  return strata::addr(*this, a, b, beta, alpha);
}
Tensor Tensor::_addmm_activation(const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha,
                                 bool use_gelu) const {
  return strata::_addmm_activation(*this, a, b, beta, alpha, use_gelu);
}
Tensor Tensor::kron(const Tensor& other) const { return strata::kron(*this, other); }
Tensor Tensor::logaddexp(const Tensor& other) const { return strata::logaddexp(*this, other); }
Tensor Tensor::xlogy(const Scalar& other) const { return strata::xlogy(*this, other); }
Tensor Tensor::div(const Scalar& other, std::optional<std::string_view> mode) const {
  return strata::div(*this, other, mode);
}
Tensor Tensor::bitwise_left_shift(const Tensor& other) const { return strata::bitwise_left_shift(*this, other); }
Tensor Tensor::bitwise_left_shift(const Scalar& other) const { return strata::bitwise_left_shift(*this, other); }
Tensor Tensor::bitwise_right_shift(const Tensor& other) const { return strata::bitwise_right_shift(*this, other); }
Tensor Tensor::bitwise_right_shift(const Scalar& other) const { return strata::bitwise_right_shift(*this, other); }

Tensor Tensor::round(int64_t decimals) const { return strata::round(*this, decimals); }
Tensor Tensor::polygamma(int64_t n) const { return strata::polygamma(n, *this); }
Tensor Tensor::deg2rad() const { return strata::deg2rad(*this); }
Tensor Tensor::rad2deg() const { return strata::rad2deg(*this); }
Tensor Tensor::logit(std::optional<double> eps) const { return strata::logit(*this, eps); }
Tensor Tensor::prelu(const Tensor& weight) const { return strata::prelu(*this, weight); }
Tensor Tensor::hardshrink(const Scalar& lambda) const { return strata::hardshrink(*this, lambda); }

Tensor Tensor::stft(int64_t n_fft, std::optional<int64_t> hop_length, std::optional<int64_t> win_length,
                    OptionalTensorRef window, bool center, std::string_view pad_mode, bool normalized,
                    std::optional<bool> onesided, std::optional<bool> return_complex) const {
  return strata::stft(*this, n_fft, hop_length, win_length, window, center, pad_mode, normalized, onesided,
                      return_complex);
}
Tensor Tensor::stft(int64_t n_fft, std::optional<int64_t> hop_length, std::optional<int64_t> win_length,
                    OptionalTensorRef window, bool normalized, std::optional<bool> onesided,
                    std::optional<bool> return_complex) const {
  return strata::stft(*this, n_fft, hop_length, win_length, window, normalized, onesided, return_complex);
}
Tensor Tensor::istft(int64_t n_fft, std::optional<int64_t> hop_length, std::optional<int64_t> win_length,
                     OptionalTensorRef window, bool center, bool normalized, std::optional<bool> onesided,
                     std::optional<int64_t> length, bool return_complex) const {
  return strata::istft(*this, n_fft, hop_length, win_length, window, center, normalized, onesided, length,
                       return_complex);
}

bool Tensor::is_signed() const {
  return is_differentiable(dtype()) ||
         (is_integral(dtype()) && dtype() != kByte && dtype() != kUInt32 && !kUnsignedStorageTypes.has(dtype()));
}

}  // namespace strata
