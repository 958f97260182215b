// Convolutions and transposed convolutions over one, two and three spatial dims: modules and functions.
#pragma once
#include "enums.h"
#include "expanding_array.h"
#include "module.h"

namespace strata::nn {

/// Zeros added on both sides of each dim, or kSame (the output is as large as the input), or kValid (none).
template <size_t D>
class ConvPadding : public std::variant<ExpandingArray<D>, enumtype::kValid, enumtype::kSame> {
 public:
  using Sizes = ExpandingArray<D>;
  using Variant = std::variant<Sizes, enumtype::kValid, enumtype::kSame>;
  ConvPadding(int64_t one) : Variant(Sizes(one)) {}
  ConvPadding(std::initializer_list<int64_t> list) : Variant(Sizes(list)) {}
  ConvPadding(Sizes sizes) : Variant(sizes) {}
  ConvPadding(const std::vector<int64_t>& list) : Variant(Sizes(list)) {}
  ConvPadding(ArrayRef<int64_t> list) : Variant(Sizes(list)) {}
  ConvPadding(const std::array<int64_t, D>& sizes) : Variant(Sizes(sizes)) {}
  ConvPadding(enumtype::kValid choice) : Variant(choice) {}
  ConvPadding(enumtype::kSame choice) : Variant(choice) {}
  bool is_same() const { return std::holds_alternative<enumtype::kSame>(*this); }
  /// Zeros where the padding is no number.
  Sizes sizes() const {
    const Sizes* const given = std::get_if<Sizes>(this);
    return given ? *given : Sizes(0);
  }
};

/// What surrounds an input instead of zeros.
using ConvPaddingMode = OneOf<Choice::Zeros, Choice::Reflect, Choice::Replicate, Choice::Circular>;

template <size_t D>
struct ConvOptions {
  using padding_t = ConvPadding<D>;
  using padding_mode_t = ConvPaddingMode;
  ConvOptions(int64_t in_channels, int64_t out_channels, ExpandingArray<D> kernel_size)
      : in_channels_(in_channels), out_channels_(out_channels), kernel_size_(kernel_size) {}
  STRATA_ARG(int64_t, in_channels);
  STRATA_ARG(int64_t, out_channels);
  STRATA_ARG(ExpandingArray<D>, kernel_size);
  STRATA_ARG(ExpandingArray<D>, stride) = 1;
  STRATA_ARG(padding_t, padding) = 0;
  STRATA_ARG(ExpandingArray<D>, dilation) = 1;
  STRATA_ARG(int64_t, groups) = 1;
  STRATA_ARG(bool, bias) = true;
  STRATA_ARG(padding_mode_t, padding_mode) = kZeros;
};
using Conv1dOptions = ConvOptions<1>;
using Conv2dOptions = ConvOptions<2>;
using Conv3dOptions = ConvOptions<3>;

template <size_t D>
struct ConvTransposeOptions {
  using padding_mode_t = ConvPaddingMode;
  ConvTransposeOptions(int64_t in_channels, int64_t out_channels, ExpandingArray<D> kernel_size)
      : in_channels_(in_channels), out_channels_(out_channels), kernel_size_(kernel_size) {}
  STRATA_ARG(int64_t, in_channels);
  STRATA_ARG(int64_t, out_channels);
  STRATA_ARG(ExpandingArray<D>, kernel_size);
  STRATA_ARG(ExpandingArray<D>, stride) = 1;
  STRATA_ARG(ExpandingArray<D>, padding) = 0;
  STRATA_ARG(ExpandingArray<D>, output_padding) = 0;
  STRATA_ARG(int64_t, groups) = 1;
  STRATA_ARG(bool, bias) = true;
  STRATA_ARG(ExpandingArray<D>, dilation) = 1;
  STRATA_ARG(padding_mode_t, padding_mode) = kZeros;
};
using ConvTranspose1dOptions = ConvTransposeOptions<1>;
using ConvTranspose2dOptions = ConvTransposeOptions<2>;
using ConvTranspose3dOptions = ConvTransposeOptions<3>;

namespace functional {

template <size_t D>
struct ConvFuncOptions {
  using padding_t = ConvPadding<D>;
  STRATA_ARG(Tensor, bias);
  STRATA_ARG(ExpandingArray<D>, stride) = 1;
  STRATA_ARG(padding_t, padding) = 0;
  STRATA_ARG(ExpandingArray<D>, dilation) = 1;
  STRATA_ARG(int64_t, groups) = 1;
};
using Conv1dFuncOptions = ConvFuncOptions<1>;
using Conv2dFuncOptions = ConvFuncOptions<2>;
using Conv3dFuncOptions = ConvFuncOptions<3>;

template <size_t D>
struct ConvTransposeFuncOptions {
  STRATA_ARG(Tensor, bias);
  STRATA_ARG(ExpandingArray<D>, stride) = 1;
  STRATA_ARG(ExpandingArray<D>, padding) = 0;
  STRATA_ARG(ExpandingArray<D>, output_padding) = 0;
  STRATA_ARG(int64_t, groups) = 1;
  STRATA_ARG(ExpandingArray<D>, dilation) = 1;
};
using ConvTranspose1dFuncOptions = ConvTransposeFuncOptions<1>;
using ConvTranspose2dFuncOptions = ConvTransposeFuncOptions<2>;
using ConvTranspose3dFuncOptions = ConvTransposeFuncOptions<3>;

/// Input `(N, C, L)`, weight `(O, C / groups, K)`.
Tensor conv1d(const Tensor& input, const Tensor& weight, const Conv1dFuncOptions& options = {});
/// Input `(N, C, H, W)`, weight `(O, C / groups, KH, KW)`.
Tensor conv2d(const Tensor& input, const Tensor& weight, const Conv2dFuncOptions& options = {});
/// Input `(N, C, D, H, W)`, weight `(O, C / groups, KD, KH, KW)`.
Tensor conv3d(const Tensor& input, const Tensor& weight, const Conv3dFuncOptions& options = {});
/// Input `(N, C, L)`, weight `(C, O / groups, K)`.
Tensor conv_transpose1d(const Tensor& input, const Tensor& weight, const ConvTranspose1dFuncOptions& options = {});
/// Input `(N, C, H, W)`, weight `(C, O / groups, KH, KW)`.
Tensor conv_transpose2d(const Tensor& input, const Tensor& weight, const ConvTranspose2dFuncOptions& options = {});
/// Input `(N, C, D, H, W)`, weight `(C, O / groups, KD, KH, KW)`.
Tensor conv_transpose3d(const Tensor& input, const Tensor& weight, const ConvTranspose3dFuncOptions& options = {});

}  // namespace functional

/// What Conv1d, Conv2d and Conv3d share. Weight and bias start uniform in +-1/sqrt(in_channels / groups * kernel
/// elements).
template <size_t D, class Derived>
class ConvNdImpl : public Cloneable<Derived> {
 public:
  explicit ConvNdImpl(const ConvOptions<D>& options_);
  void reset() override;
  void reset_parameters();
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);

  ConvOptions<D> options;
  Tensor weight;  ///< `(out_channels, in_channels / groups, kernel...)`
  Tensor bias;    ///< `(out_channels,)` or undefined
};

/// Over `(N, C, L)`.
class Conv1dImpl : public ConvNdImpl<1, Conv1dImpl> {
 public:
  using ConvNdImpl::ConvNdImpl;
  Conv1dImpl(int64_t in, int64_t out, ExpandingArray<1> kernel_size)
      : ConvNdImpl(Conv1dOptions(in, out, kernel_size)) {}
};
STRATA_MODULE(Conv1d);

/// Over `(N, C, H, W)`.
class Conv2dImpl : public ConvNdImpl<2, Conv2dImpl> {
 public:
  using ConvNdImpl::ConvNdImpl;
  Conv2dImpl(int64_t in, int64_t out, ExpandingArray<2> kernel_size)
      : ConvNdImpl(Conv2dOptions(in, out, kernel_size)) {}
};
STRATA_MODULE(Conv2d);

/// Over `(N, C, D, H, W)`.
class Conv3dImpl : public ConvNdImpl<3, Conv3dImpl> {
 public:
  using ConvNdImpl::ConvNdImpl;
  Conv3dImpl(int64_t in, int64_t out, ExpandingArray<3> kernel_size)
      : ConvNdImpl(Conv3dOptions(in, out, kernel_size)) {}
};
STRATA_MODULE(Conv3d);

/// What ConvTranspose1d, ConvTranspose2d and ConvTranspose3d share.
template <size_t D, class Derived>
class ConvTransposeNdImpl : public Cloneable<Derived> {
 public:
  explicit ConvTransposeNdImpl(const ConvTransposeOptions<D>& options_);
  void reset() override;
  void reset_parameters();
  void pretty_print(std::ostream& stream) const override;
  /// `output_size` chooses among the sizes that a strided convolution would map to the input's.
  Tensor forward(const Tensor& input, const std::optional<IntArrayRef>& output_size = std::nullopt);

  ConvTransposeOptions<D> options;
  Tensor weight;  ///< `(in_channels, out_channels / groups, kernel...)`
  Tensor bias;    ///< `(out_channels,)` or undefined
};

/// Over `(N, C, L)`.
class ConvTranspose1dImpl : public ConvTransposeNdImpl<1, ConvTranspose1dImpl> {
 public:
  using ConvTransposeNdImpl::ConvTransposeNdImpl;
  ConvTranspose1dImpl(int64_t in, int64_t out, ExpandingArray<1> kernel_size)
      : ConvTransposeNdImpl(ConvTranspose1dOptions(in, out, kernel_size)) {}
};
STRATA_MODULE(ConvTranspose1d);

/// Over `(N, C, H, W)`.
class ConvTranspose2dImpl : public ConvTransposeNdImpl<2, ConvTranspose2dImpl> {
 public:
  using ConvTransposeNdImpl::ConvTransposeNdImpl;
  ConvTranspose2dImpl(int64_t in, int64_t out, ExpandingArray<2> kernel_size)
      : ConvTransposeNdImpl(ConvTranspose2dOptions(in, out, kernel_size)) {}
};
STRATA_MODULE(ConvTranspose2d);

/// Over `(N, C, D, H, W)`.
class ConvTranspose3dImpl : public ConvTransposeNdImpl<3, ConvTranspose3dImpl> {
 public:
  using ConvTransposeNdImpl::ConvTransposeNdImpl;
  ConvTranspose3dImpl(int64_t in, int64_t out, ExpandingArray<3> kernel_size)
      : ConvTransposeNdImpl(ConvTranspose3dOptions(in, out, kernel_size)) {}
};
STRATA_MODULE(ConvTranspose3d);

extern template class ConvNdImpl<1, Conv1dImpl>;
extern template class ConvNdImpl<2, Conv2dImpl>;
extern template class ConvNdImpl<3, Conv3dImpl>;
extern template class ConvTransposeNdImpl<1, ConvTranspose1dImpl>;
extern template class ConvTransposeNdImpl<2, ConvTranspose2dImpl>;
extern template class ConvTransposeNdImpl<3, ConvTranspose3dImpl>;

}  // namespace strata::nn
