// Functions that ATen has under its own names and arguments; Strata has what they compute in nn::functional and in the
// tensors' methods. Errors are theirs.
#pragma once
#include <strata/ops/out.h>
#include <strata/strata.h>

#include <fstream>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check.h"

namespace strata {

/// What cat and others take: any list of tensors.
using ITensorListRef = TensorList;

/// The methods in place, as functions of a copy.
inline Tensor fill(const Tensor& self, const Scalar& value) { return self.clone().fill_(value); }
inline Tensor fill(const Tensor& self, const Tensor& value) { return self.clone().fill_(value); }
inline Tensor zero(const Tensor& self) { return self.clone().zero_(); }
inline Tensor copy(const Tensor& self, const Tensor& src, bool non_blocking = false) {
  return self.clone().copy_(src, non_blocking);
}
inline Tensor uniform(const Tensor& self, double from = 0, double to = 1, OptionalGenerator generator = {}) {
  return self.clone().uniform_(from, to, generator);
}
inline Tensor normal_functional(const Tensor& self, double mean = 0, double std = 1, OptionalGenerator generator = {}) {
  return self.clone().normal_(mean, std, generator);
}
inline Tensor cauchy(const Tensor& self, double median = 0, double sigma = 1, OptionalGenerator generator = {}) {
  return self.clone().cauchy_(median, sigma, generator);
}
inline Tensor exponential(const Tensor& self, double lambd = 1, OptionalGenerator generator = {}) {
  return self.clone().exponential_(lambd, generator);
}
inline Tensor geometric(const Tensor& self, double p, OptionalGenerator generator = {}) {
  return self.clone().geometric_(p, generator);
}
inline Tensor log_normal(const Tensor& self, double mean = 1, double std = 2, OptionalGenerator generator = {}) {
  return self.clone().log_normal_(mean, std, generator);
}
inline Tensor resize(const Tensor& self, IntArrayRef size, std::optional<MemoryFormat> format = {}) {
  return self.clone().resize_(size, format);
}
inline Tensor resize_as(const Tensor& self, const Tensor& other, std::optional<MemoryFormat> format = {}) {
  return self.clone().resize_as_(other, format);
}
inline Tensor embedding_renorm(const Tensor& self, const Tensor& indices, double max_norm, double norm_type) {
  Tensor copy = self.clone();
  return embedding_renorm_(copy, indices, max_norm, norm_type);
}
inline Tensor set(const Tensor& self, const Tensor& source) { return self.detach().set_(source); }
inline Tensor set(const Tensor& self, const Storage& source) { return self.detach().set_(source); }
inline Tensor set(const Tensor& self, const Storage& source, int64_t storage_offset, IntArrayRef size,
                  IntArrayRef stride = {}) {
  return self.detach().set_(source, storage_offset, size, stride);
}

/// The functions that drop elements, in place.
inline Tensor& feature_dropout_(Tensor& self, double p, bool train) {
  return self.copy_(feature_dropout(self, p, train)), self;
}
inline Tensor& alpha_dropout_(Tensor& self, double p, bool train) {
  return self.copy_(alpha_dropout(self, p, train)), self;
}
inline Tensor& feature_alpha_dropout_(Tensor& self, double p, bool train) {
  return self.copy_(feature_alpha_dropout(self, p, train)), self;
}

/// The functions of two operands under their long names, into a tensor that is given.
template <class B>
Tensor& divide_out(Tensor& out, const Tensor& self, const B& other) {
  return detail::write_out("divide_out", out, divide(self, other));
}
template <class B>
Tensor& divide_out(Tensor& out, const Tensor& self, const B& other, std::optional<std::string_view> rounding_mode) {
  return detail::write_out("divide_out", out, divide(self, other, rounding_mode));
}
template <class B>
Tensor& true_divide_out(Tensor& out, const Tensor& self, const B& other) {
  return detail::write_out("true_divide_out", out, true_divide(self, other));
}
template <class B>
Tensor& multiply_out(Tensor& out, const Tensor& self, const B& other) {
  return detail::write_out("multiply_out", out, multiply(self, other));
}
template <class B>
Tensor& subtract_out(Tensor& out, const Tensor& self, const B& other, const Scalar& alpha = 1) {
  return detail::write_out("subtract_out", out, subtract(self, other, alpha));
}
template <class B>
Tensor& greater_out(Tensor& out, const Tensor& self, const B& other) {
  return detail::write_out("greater_out", out, greater(self, other));
}
template <class B>
Tensor& greater_equal_out(Tensor& out, const Tensor& self, const B& other) {
  return detail::write_out("greater_equal_out", out, greater_equal(self, other));
}
template <class B>
Tensor& less_out(Tensor& out, const Tensor& self, const B& other) {
  return detail::write_out("less_out", out, less(self, other));
}
template <class B>
Tensor& less_equal_out(Tensor& out, const Tensor& self, const B& other) {
  return detail::write_out("less_equal_out", out, less_equal(self, other));
}
template <class B>
Tensor& not_equal_out(Tensor& out, const Tensor& self, const B& other) {
  return detail::write_out("not_equal_out", out, not_equal(self, other));
}

/// What libtorch had until lately.
inline Tensor& cholesky_out(Tensor& out, const Tensor& self, bool upper = false) {
  return detail::write_out("cholesky_out", out, cholesky(self, upper));
}
inline std::tuple<Tensor&, Tensor&> qr_out(Tensor& Q, Tensor& R, const Tensor& self, bool some = true) {
  return detail::write_out("qr_out", std::tie(Q, R), qr(self, some));
}

/// The matrix product in torch::linalg's name.
inline Tensor linalg_matmul(const Tensor& self, const Tensor& other) { return matmul(self, other); }

inline const Tensor& as_strided_(const Tensor& self, IntArrayRef size, IntArrayRef stride,
                                 std::optional<int64_t> storage_offset = {}) {
  self.as_strided_(size, stride, storage_offset);
  return self;
}

/// No tensor's negation is kept aside, and none lies on several machines.
inline bool is_neg(const Tensor&) { return false; }
inline Tensor resolve_neg(const Tensor& self) { return self; }
inline bool is_distributed(const Tensor&) { return false; }

/// Reductions "sum", "mean", "prod", "max" or "min" over the pieces of `lengths[i]` rows, or from `offsets[i]` to
/// `offsets[i + 1]`, that `data` (L, ...) is cut into. An empty piece gives `initial`, or what the reduction of nothing
/// is: 0, NaN, 1, -inf or inf.
inline Tensor segment_reduce(const Tensor& data, std::string_view reduce, const std::optional<Tensor>& lengths = {},
                             const std::optional<Tensor>& indices = {}, const std::optional<Tensor>& offsets = {},
                             int64_t axis = 0, bool unsafe = false, const std::optional<Scalar>& initial = {}) {
  TORCH_CHECK(!indices, "segment_reduce(): indices based reduction is not supported yet.");
  TORCH_CHECK(lengths.has_value() != offsets.has_value(),
              "segment_reduce(): Either lengths or offsets must be defined.");
  TORCH_CHECK(axis == 0 && (lengths ? *lengths : *offsets).dim() == 1,
              "segment_reduce: pieces of dim 0 only, got axis ", axis);
  const Tensor sizes = lengths ? *lengths : diff(*offsets);
  TORCH_CHECK(unsafe || (sizes.ge(0).all().item<bool>() && sizes.sum().item<int64_t>() == data.size(0)),
              "segment_reduce(): Expected all rows of lengths along axis to sum to data.size(lengths.dim()-1)");
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const bool is_mean = reduce == "mean", is_max = reduce == "max";
  TORCH_CHECK(is_mean || is_max || reduce == "sum" || reduce == "prod" || reduce == "min",
              "segment_reduce: unknown reduction ", std::string(reduce));
  const double nothing = reduce == "prod" ? 1 : is_max ? -kInfinity : reduce == "min" ? kInfinity : 0;
  const Tensor piece = repeat_interleave(sizes), counts = sizes.to(data.dtype());
  std::vector<int64_t> shape = data.sizes().vec(), ones_after(shape.size(), 1);
  shape[0] = ones_after[0] = sizes.size(0);
  const Tensor start = full(shape, initial.value_or(nothing), data.options());
  if (is_mean || reduce == "sum") {
    const Tensor total = start.index_add(0, piece, data);
    if (!is_mean) return total;
    const Tensor length = counts.view(ones_after);
    const double of_none = initial ? initial->toDouble() : std::numeric_limits<double>::quiet_NaN();
    return where(length.eq(0), of_none, total / length.clamp_min(1));
  }
  return index_reduce(start, 0, piece, data, is_max ? "amax" : reduce == "min" ? "amin" : "prod");
}

/// Makes a tensor of somebody else's memory, step by step: `for_blob(data, sizes).strides(s).make_tensor()`.
class TensorMaker {
 public:
  TensorMaker(void* data, IntArrayRef sizes) : data_(data), sizes_(sizes) {}
  TensorMaker& strides(OptionalIntArrayRef value) { return strides_ = value, *this; }
  TensorMaker& storage_offset(std::optional<int64_t> value) { return offset_ = value, *this; }
  TensorMaker& deleter(std::function<void(void*)> value) { return deleter_ = std::move(value), *this; }
  TensorMaker& target_device(std::optional<Device> value) { return options_ = options_.device(value), *this; }
  TensorMaker& options(TensorOptions value) { return options_ = value, *this; }
  Tensor make_tensor() {
    const DimVector row_major = contiguous_strides(sizes_);
    const IntArrayRef strides = strides_ ? *strides_ : IntArrayRef(row_major);
    char* const first =
        static_cast<char*>(data_) + offset_.value_or(0) * static_cast<int64_t>(item_size(options_.dtype()));
    if (!deleter_) return from_blob(first, sizes_, strides, options_);
    return from_blob(
        first, sizes_, strides, [done = std::move(deleter_), data = data_](void*) { done(data); }, options_);
  }

 private:
  void* data_;
  IntArrayRef sizes_;
  OptionalIntArrayRef strides_;
  std::optional<int64_t> offset_;
  std::function<void(void*)> deleter_;
  TensorOptions options_;
};
inline TensorMaker for_blob(void* data, IntArrayRef sizes) { return {data, sizes}; }

/// `size` numbers that a file holds, read at once: what is written to them does not go into the file.
inline Tensor from_file(std::string_view filename, std::optional<bool> shared = {}, std::optional<int64_t> size = 0,
                        const TensorOptions& options = {}) {
  TORCH_CHECK(!shared.value_or(false), "from_file: files are not shared with other processes; leave out shared = true");
  const Tensor numbers = empty({size.value_or(0)}, options);
  std::ifstream file{std::string(filename), std::ios::binary};
  TORCH_CHECK(file.is_open(), "from_file: unable to open file <", filename, "> in read-only mode");
  const auto bytes = static_cast<std::streamsize>(numbers.nbytes());
  TORCH_CHECK(!file.read(static_cast<char*>(numbers.data_ptr()), bytes).fail(), "from_file: <", filename,
              "> has less than ", bytes, " bytes");
  return numbers;
}

inline bool is_same_size(const Tensor& self, const Tensor& other) { return self.sizes() == other.sizes(); }

/// Padding of the last one, two or three dims, `(left, right, top, bottom, front, back)`.
inline Tensor reflection_pad1d(const Tensor& self, IntArrayRef padding) { return pad(self, padding, "reflect"); }
inline Tensor reflection_pad2d(const Tensor& self, IntArrayRef padding) { return pad(self, padding, "reflect"); }
inline Tensor reflection_pad3d(const Tensor& self, IntArrayRef padding) { return pad(self, padding, "reflect"); }
inline Tensor replication_pad1d(const Tensor& self, IntArrayRef padding) { return pad(self, padding, "replicate"); }
inline Tensor replication_pad2d(const Tensor& self, IntArrayRef padding) { return pad(self, padding, "replicate"); }
inline Tensor replication_pad3d(const Tensor& self, IntArrayRef padding) { return pad(self, padding, "replicate"); }

inline Tensor pixel_shuffle(const Tensor& self, int64_t upscale_factor) {
  return nn::functional::pixel_shuffle(self, upscale_factor);
}
inline Tensor pixel_unshuffle(const Tensor& self, int64_t downscale_factor) {
  return nn::functional::pixel_unshuffle(self, downscale_factor);
}

using nn::utils::rnn::pad_sequence;

inline Tensor multi_margin_loss(const Tensor& self, const Tensor& target, const Scalar& p = 1, const Scalar& margin = 1,
                                const std::optional<Tensor>& weight = {}, int64_t reduction = Reduction::Mean) {
  nn::functional::MultiMarginLossFuncOptions options;
  options.p(p.to<int64_t>())
      .margin(margin.to<double>())
      .reduction(reduction == Reduction::None  ? Choice::None
                 : reduction == Reduction::Sum ? Choice::Sum
                                               : Choice::Mean);
  if (weight) options.weight(*weight);
  return nn::functional::multi_margin_loss(self, target, options);
}

/// Slopes below zero from [lower, upper) where `training`, else their mean.
inline Tensor rrelu(const Tensor& self, const Scalar& lower = 0.125, const Scalar& upper = 1.0 / 3,
                    bool training = false, OptionalGenerator generator = {}) {
  const ThreadGenerator drawn_from(generator.get());
  return nn::functional::rrelu(self, lower.to<double>(), upper.to<double>(), training);
}
inline Tensor& rrelu_(Tensor& self, const Scalar& lower = 0.125, const Scalar& upper = 1.0 / 3, bool training = false,
                      OptionalGenerator generator = {}) {
  return self.copy_(rrelu(self, lower, upper, training, generator)), self;
}

/// The convolution of `(T, B, C)` with a weight `(width, C, C')`.
inline Tensor conv_tbc(const Tensor& self, const Tensor& weight, const Tensor& bias, int64_t pad = 0) {
  return conv1d(self.permute({1, 2, 0}), weight.permute({2, 1, 0}), bias, 1, pad).permute({2, 0, 1});
}

namespace detail {

/// Interpolation to `output_size`, which must be what `scales` give where they are given.
inline Tensor upsample(const Tensor& self, OptionalIntArrayRef output_size, std::optional<bool> align_corners,
                       std::vector<double> scales, Choice mode, const char* name, bool antialias = false) {
  nn::functional::InterpolateFuncOptions options;
  options.mode(mode).align_corners(align_corners).antialias(antialias);
  if (!scales.empty())
    options.scale_factor(std::move(scales)).recompute_scale_factor(false);
  else if (output_size)
    options.size(output_size->vec());
  const Tensor out = nn::functional::interpolate(self, options);
  TORCH_CHECK(!output_size || out.sizes().slice(2) == *output_size, name, ": the scales give ", out.sizes().slice(2),
              ", but the output size is ", *output_size);
  return out;
}

inline std::vector<double> scales_of(const std::optional<ArrayRef<double>>& scales) {
  return scales ? scales->vec() : std::vector<double>();
}
/// All of the scales, or none where one is missing.
template <class... D>
std::vector<double> scales_of(std::optional<double> first, D... others) {
  return first && (... && others) ? std::vector<double>{*first, *others...} : std::vector<double>();
}

}  // namespace detail

/// Interpolation of `(N, C, L)`, `(N, C, H, W)` or `(N, C, D, H, W)` by size or by scales.
inline Tensor upsample_nearest1d(const Tensor& self, OptionalIntArrayRef size, std::optional<ArrayRef<double>> scales) {
  return detail::upsample(self, size, {}, detail::scales_of(scales), kNearest, "upsample_nearest1d");
}
inline Tensor upsample_nearest1d(const Tensor& self, IntArrayRef size, std::optional<double> scales = {}) {
  return detail::upsample(self, size, {}, detail::scales_of(scales), kNearest, "upsample_nearest1d");
}
inline Tensor upsample_nearest2d(const Tensor& self, OptionalIntArrayRef size, std::optional<ArrayRef<double>> scales) {
  return detail::upsample(self, size, {}, detail::scales_of(scales), kNearest, "upsample_nearest2d");
}
inline Tensor upsample_nearest2d(const Tensor& self, IntArrayRef size, std::optional<double> scales_h = {},
                                 std::optional<double> scales_w = {}) {
  return detail::upsample(self, size, {}, detail::scales_of(scales_h, scales_w), kNearest, "upsample_nearest2d");
}
inline Tensor upsample_nearest3d(const Tensor& self, OptionalIntArrayRef size, std::optional<ArrayRef<double>> scales) {
  return detail::upsample(self, size, {}, detail::scales_of(scales), kNearest, "upsample_nearest3d");
}
inline Tensor upsample_nearest3d(const Tensor& self, IntArrayRef size, std::optional<double> scales_d = {},
                                 std::optional<double> scales_h = {}, std::optional<double> scales_w = {}) {
  return detail::upsample(self, size, {}, detail::scales_of(scales_d, scales_h, scales_w), kNearest,
                          "upsample_nearest3d");
}
inline Tensor upsample_linear1d(const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                std::optional<ArrayRef<double>> scales) {
  return detail::upsample(self, size, align_corners, detail::scales_of(scales), kLinear, "upsample_linear1d");
}
inline Tensor upsample_linear1d(const Tensor& self, IntArrayRef size, bool align_corners,
                                std::optional<double> scales = {}) {
  return detail::upsample(self, size, align_corners, detail::scales_of(scales), kLinear, "upsample_linear1d");
}
inline Tensor upsample_bilinear2d(const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                  std::optional<ArrayRef<double>> scales) {
  return detail::upsample(self, size, align_corners, detail::scales_of(scales), kBilinear, "upsample_bilinear2d");
}
inline Tensor upsample_bilinear2d(const Tensor& self, IntArrayRef size, bool align_corners,
                                  std::optional<double> scales_h = {}, std::optional<double> scales_w = {}) {
  return detail::upsample(self, size, align_corners, detail::scales_of(scales_h, scales_w), kBilinear,
                          "upsample_bilinear2d");
}
inline Tensor upsample_bicubic2d(const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                 std::optional<ArrayRef<double>> scales) {
  return detail::upsample(self, size, align_corners, detail::scales_of(scales), kBicubic, "upsample_bicubic2d");
}
inline Tensor upsample_bicubic2d(const Tensor& self, IntArrayRef size, bool align_corners,
                                 std::optional<double> scales_h = {}, std::optional<double> scales_w = {}) {
  return detail::upsample(self, size, align_corners, detail::scales_of(scales_h, scales_w), kBicubic,
                          "upsample_bicubic2d");
}
inline Tensor upsample_trilinear3d(const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                   std::optional<ArrayRef<double>> scales) {
  return detail::upsample(self, size, align_corners, detail::scales_of(scales), kTrilinear, "upsample_trilinear3d");
}
inline Tensor upsample_trilinear3d(const Tensor& self, IntArrayRef size, bool align_corners,
                                   std::optional<double> scales_d = {}, std::optional<double> scales_h = {},
                                   std::optional<double> scales_w = {}) {
  return detail::upsample(self, size, align_corners, detail::scales_of(scales_d, scales_h, scales_w), kTrilinear,
                          "upsample_trilinear3d");
}

}  // namespace strata
