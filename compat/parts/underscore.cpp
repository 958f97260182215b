// ATen's functions with an underscore in front.
#include "compat/parts/underscore.h"

#include <array>
#include <iostream>
#include <limits>

#include "compat/parts/aten.h"
#include "compat/parts/check.h"
#include "compat/parts/overloads.h"

namespace strata {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void check_half_to_float(const char* name, bool half_to_float) {
  TORCH_CHECK(!half_to_float, name, " with half to float conversion is not supported on CPU");
}

/// The name of a division by 1, the root or the number of elements, as transforms in one direction have it.
std::string_view norm_name(int64_t normalization, bool forward) {
  TORCH_CHECK(normalization >= 0 && normalization <= 2, "Unsupported normalization type ", normalization);
  if (normalization == 1) return "ortho";
  return (normalization == 0) == forward ? "backward" : "forward";
}

/// Of all elements at once: candidates are drawn until each has one that is taken.
Tensor gamma_numbers(const Tensor& alpha, OptionalGenerator generator) {
  const Tensor is_small = alpha.lt(1);
  const Tensor d = where(is_small, alpha + 1, alpha) - 1.0 / 3;
  const Tensor c = (9 * d).rsqrt();
  Tensor out = d, is_open = d.isfinite().logical_and(d.gt(0));
  while (is_open.any().item<bool>()) {
    const Tensor x = empty_like(d).normal_(0, 1, generator), u = empty_like(d).uniform_(0, 1, generator);
    const Tensor v = (1 + c * x).pow(3);
    const Tensor bound = 0.5 * x.square() + d - d * v + d * v.log();
    const Tensor is_taken = is_open.logical_and(v.gt(0)).logical_and(u.log().lt(bound));
    out = where(is_taken, d * v, out);
    is_open = is_open.logical_and(is_taken.logical_not());
  }
  const Tensor shrunk = out * empty_like(d).uniform_(0, 1, generator).pow(1 / alpha);
  return where(is_small, shrunk, out);
}

/// Indices of dims 0, 1, ... brought into the dims' range.
List<std::optional<Tensor>> within(const Tensor& x, const List<std::optional<Tensor>>& indices) {
  List<std::optional<Tensor>> found;
  for (int64_t d = 0; d < static_cast<int64_t>(indices.size()); ++d) {
    const std::optional<Tensor> at = indices.get(static_cast<size_t>(d));
    found.push_back(at && at->defined() ? std::optional<Tensor>(at->clamp(-x.size(d), x.size(d) - 1)) : std::nullopt);
  }
  return found;
}

void check_no_gradient(const char* name, const Tensor& x) {
  TORCH_CHECK(!(x.requires_grad() && GradMode::is_enabled()), name,
              ": the numbers drawn have no derivative; detach() the tensor first");
}

template <class T>
void check_same(const char* what, const T& expected, const T& actual) {
  TORCH_CHECK(expected == actual, "Tensor ", what, " mismatch! Expected: ", expected, ", Got: ", actual);
}

}  // namespace

Tensor _softmax(const Tensor& self, int64_t dim, bool half_to_float) {
  check_half_to_float("softmax", half_to_float);
  return softmax(self, dim);
}
Tensor _log_softmax(const Tensor& self, int64_t dim, bool half_to_float) {
  check_half_to_float("log_softmax", half_to_float);
  return log_softmax(self, dim);
}
Tensor _safe_softmax(const Tensor& self, int64_t dim, std::optional<DType> dtype) {
  const Tensor none = self.eq(-kInfinity).all(dim, true);
  return softmax(self.masked_fill(none, 0), dim, dtype).masked_fill(none, 0);
}
Tensor _masked_softmax(const Tensor& self, const Tensor& mask, std::optional<int64_t> dim,
                       std::optional<int64_t> mask_type) {
  TORCH_CHECK(mask.dtype() == kBool, "Mask should be a boolean tensor");
  const bool is_padding = mask_type == 1 && self.dim() == 4 && mask.dim() == 2;
  const Tensor out_of = is_padding ? mask.view({mask.size(0), 1, 1, mask.size(1)}) : mask;
  return softmax(self.masked_fill(out_of, -kInfinity), dim.value_or(-1));
}
Tensor _prelu_kernel(const Tensor& self, const Tensor& weight) { return where(self.gt(0), self, weight * self); }

Tensor _add_relu(const Tensor& self, const Tensor& other, const Scalar& alpha) { return relu(add(self, other, alpha)); }
Tensor _add_relu(const Tensor& self, const Scalar& other, const Scalar& alpha) { return relu(add(self, other, alpha)); }
Tensor& _add_relu_(Tensor& self, const Tensor& other, const Scalar& alpha) {
  return self.add_(other, alpha).relu_(), self;
}
Tensor& _add_relu_(Tensor& self, const Scalar& other, const Scalar& alpha) {
  return self.add_(other, alpha).relu_(), self;
}

Tensor _cast_Byte(const Tensor& self, bool non_blocking) { return self.to(kByte, non_blocking); }
Tensor _cast_Char(const Tensor& self, bool non_blocking) { return self.to(kChar, non_blocking); }
Tensor _cast_Double(const Tensor& self, bool non_blocking) { return self.to(kDouble, non_blocking); }
Tensor _cast_Float(const Tensor& self, bool non_blocking) { return self.to(kFloat, non_blocking); }
Tensor _cast_Half(const Tensor& self, bool non_blocking) { return self.to(kHalf, non_blocking); }
Tensor _cast_Int(const Tensor& self, bool non_blocking) { return self.to(kInt, non_blocking); }
Tensor _cast_Long(const Tensor& self, bool non_blocking) { return self.to(kLong, non_blocking); }
Tensor _cast_Short(const Tensor& self, bool non_blocking) { return self.to(kShort, non_blocking); }

Tensor _to_copy(const Tensor& self, const TensorOptions& options, bool non_blocking,
                std::optional<MemoryFormat> memory_format) {
  return self.to(options, non_blocking, true, memory_format);
}
std::vector<Tensor> _to_cpu(TensorList tensors) {
  std::vector<Tensor> found;
  for (const Tensor& each : tensors) found.push_back(each.cpu());
  return found;
}
Tensor _lazy_clone(const Tensor& self) { return self.clone(); }
Tensor _pin_memory(const Tensor& self, std::optional<Device>) { return self.pin_memory(); }

Tensor _shape_as_tensor(const Tensor& self) { return tensor(self.sizes(), kLong); }
Tensor _reshape_from_tensor(const Tensor& self, const Tensor& shape) {
  TORCH_CHECK(shape.dim() == 1, "_reshape_from_tensor: expected sizes in one dim, got ", shape.dim(), " dims");
  std::vector<int64_t> sizes;
  for (int64_t i = 0; i < shape.size(0); ++i) sizes.push_back(shape[i].item<int64_t>());
  return self.reshape(sizes);
}
Tensor _dim_arange(const Tensor& like, int64_t dim) { return arange(like.size(dim), like.options().dtype(kLong)); }
Tensor _reshape_alias(const Tensor& self, IntArrayRef size, IntArrayRef stride) {
  return self.as_strided(size, stride);
}
Tensor _reshape_copy(const Tensor& self, IntArrayRef size) {
  return self.reshape(size).clone(MemoryFormat::Contiguous);
}
Tensor _unsafe_view(const Tensor& self, IntArrayRef size) { return self.view(size); }
Tensor _stack(TensorList tensors, int64_t dim) { return stack(tensors, dim); }
Tensor _chunk_cat(TensorList tensors, int64_t dim, int64_t num_chunks) {
  TORCH_CHECK(num_chunks >= 1, "_chunk_cat expects positive num_chunks");
  TORCH_CHECK(!tensors.empty(), "_chunk_cat expects a non-empty input tensor list");
  if (dim < 0) dim += tensors.front().dim();
  std::vector<Tensor> pieces;
  for (const Tensor& each : tensors) {
    const int64_t missing = (num_chunks - each.size(dim) % num_chunks) % num_chunks;
    std::vector<int64_t> around(static_cast<size_t>(2 * (each.dim() - dim)), 0);
    around.back() = missing;
    std::vector<int64_t> sizes(each.sizes().begin(), each.sizes().begin() + dim);
    sizes.insert(sizes.end(), {num_chunks, -1});
    pieces.push_back(constant_pad_nd(each, around).view(sizes));
  }
  return cat(pieces, dim + 1);
}
Tensor _pad_enum(const Tensor& self, IntArrayRef pad, int64_t mode, std::optional<double> value) {
  constexpr std::array<std::string_view, 4> kModes = {"reflect", "replicate", "circular", "constant"};
  TORCH_CHECK(mode >= 0 && mode < 4, "_pad_enum: expected a mode from 0 to 3, got ", mode);
  return strata::pad(self, pad, kModes[static_cast<size_t>(mode)], value);
}
Tensor _pad_circular(const Tensor& self, IntArrayRef pad) { return strata::pad(self, pad, "circular"); }
Tensor _conj(const Tensor& self) { return self.conj(); }
Tensor _conj_physical(const Tensor& self) { return self.conj_physical(); }

Tensor _unsafe_index(const Tensor& self, const List<std::optional<Tensor>>& indices) { return index(self, indices); }
Tensor _unsafe_index_put(const Tensor& self, const List<std::optional<Tensor>>& indices, const Tensor& values,
                         bool accumulate) {
  return index_put(self, indices, values, accumulate);
}
Tensor _index_put_impl(const Tensor& self, const List<std::optional<Tensor>>& indices, const Tensor& values,
                       bool accumulate, bool) {
  return index_put(self, indices, values, accumulate);
}
Tensor& _index_put_impl_(Tensor& self, const List<std::optional<Tensor>>& indices, const Tensor& values,
                         bool accumulate, bool) {
  return index_put_(self, indices, values, accumulate);
}

Tensor _unsafe_masked_index(const Tensor& self, const Tensor& mask, const List<std::optional<Tensor>>& indices,
                            const Scalar& fill) {
  return index(self, within(self, indices)).masked_fill(mask.logical_not(), fill);
}
Tensor _unsafe_masked_index_put_accumulate(const Tensor& self, const Tensor& mask,
                                           const List<std::optional<Tensor>>& indices, const Tensor& values) {
  return index_put(self, within(self, indices), values.masked_fill(mask.logical_not(), 0), true);
}

std::tuple<Tensor, Tensor> _aminmax(const Tensor& self) { return aminmax(self); }
std::tuple<Tensor, Tensor> _aminmax(const Tensor& self, int64_t dim, bool keepdim) {
  return aminmax(self, dim, keepdim);
}
Tensor _is_all_true(const Tensor& self) {
  TORCH_CHECK(self.dtype() == kBool, "_is_all_true: expected a bool tensor");
  return self.all();
}
Tensor _is_any_true(const Tensor& self) {
  TORCH_CHECK(self.dtype() == kBool, "_is_any_true: expected a bool tensor");
  return self.any();
}
Tensor _logcumsumexp(const Tensor& self, int64_t dim) { return logcumsumexp(self, dim); }
Tensor _euclidean_dist(const Tensor& x1, const Tensor& x2) { return cdist(x1, x2); }
Tensor _int_mm(const Tensor& self, const Tensor& mat2) {
  TORCH_CHECK(self.dtype() == kChar && mat2.dtype() == kChar, "_int_mm: expected self and mat2 to be of type int8");
  return mm(self.to(kInt), mat2.to(kInt));
}
Tensor _compute_linear_combination(const Tensor& input, const Tensor& coefficients) {
  return tensordot(coefficients, input, {1}, {0});
}
Tensor _trilinear(const Tensor& i1, const Tensor& i2, const Tensor& i3, IntArrayRef expand1, IntArrayRef expand2,
                  IntArrayRef expand3, IntArrayRef sumdim, int64_t) {
  const auto expanded = [](Tensor x, IntArrayRef dims) {
    for (const int64_t d : dims) x = x.unsqueeze(d);
    return x;
  };
  const Tensor product = expanded(i1, expand1) * expanded(i2, expand2) * expanded(i3, expand3);
  return sumdim.empty() ? product : product.sum(sumdim);
}

Tensor _fft_r2c(const Tensor& self, IntArrayRef dim, int64_t normalization, bool onesided) {
  const std::string_view norm = norm_name(normalization, true);
  return onesided ? fft::rfftn(self, {}, dim, norm) : fft::fftn(self, {}, dim, norm);
}
Tensor _fft_c2r(const Tensor& self, IntArrayRef dim, int64_t normalization, int64_t last_dim_size) {
  std::vector<int64_t> sizes;
  for (const int64_t d : dim) sizes.push_back(self.size(d));
  TORCH_CHECK(!sizes.empty(), "_fft_c2r: expected dims to transform");
  sizes.back() = last_dim_size;
  return fft::irfftn(self, IntArrayRef(sizes), dim, norm_name(normalization, false));
}
Tensor _fft_c2c(const Tensor& self, IntArrayRef dim, int64_t normalization, bool forward) {
  const std::string_view norm = norm_name(normalization, forward);
  return forward ? fft::fftn(self, {}, dim, norm) : fft::ifftn(self, {}, dim, norm);
}

std::tuple<Tensor, Tensor> _pack_padded_sequence(const Tensor& input, const Tensor& lengths, bool batch_first) {
  const auto packed = nn::utils::rnn::pack_padded_sequence(input, lengths, batch_first);
  return {packed.data(), packed.batch_sizes()};
}
std::tuple<Tensor, Tensor> _pad_packed_sequence(const Tensor& data, const Tensor& batch_sizes, bool batch_first,
                                                const Scalar& padding_value, int64_t total_length) {
  const nn::utils::rnn::PackedSequence packed(data, batch_sizes);
  const std::optional<int64_t> total = total_length > 0 ? std::optional<int64_t>(total_length) : std::nullopt;
  return nn::utils::rnn::pad_packed_sequence(packed, batch_first, padding_value.toDouble(), total);
}
std::tuple<Tensor, Tensor, Tensor, Tensor> _embedding_bag(const Tensor& weight, const Tensor& indices,
                                                          const Tensor& offsets, bool scale_grad_by_freq, int64_t mode,
                                                          bool sparse, OptionalTensorRef per_sample_weights,
                                                          bool include_last_offset, int64_t padding_idx) {
  const std::optional<int64_t> padding = padding_idx >= 0 ? std::optional<int64_t>(padding_idx) : std::nullopt;
  return embedding_bag(weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights,
                       include_last_offset, padding);
}
std::tuple<Tensor, Tensor, Tensor, Tensor> _embedding_bag_forward_only(const Tensor& weight, const Tensor& indices,
                                                                       const Tensor& offsets, bool scale_grad_by_freq,
                                                                       int64_t mode, bool sparse,
                                                                       OptionalTensorRef per_sample_weights,
                                                                       bool include_last_offset, int64_t padding_idx) {
  return _embedding_bag(weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights,
                        include_last_offset, padding_idx);
}
Tensor _adaptive_avg_pool2d(const Tensor& self, IntArrayRef output_size) {
  return adaptive_avg_pool2d(self, output_size);
}
Tensor _adaptive_avg_pool3d(const Tensor& self, IntArrayRef output_size) {
  return adaptive_avg_pool3d(self, output_size);
}
Tensor _grid_sampler_2d_cpu_fallback(const Tensor& input, const Tensor& grid, int64_t interpolation_mode,
                                     int64_t padding_mode, bool align_corners) {
  return grid_sampler_2d(input, grid, interpolation_mode, padding_mode, align_corners);
}

Tensor _upsample_nearest_exact1d(const Tensor& self, OptionalIntArrayRef size, std::optional<ArrayRef<double>> scales) {
  return detail::upsample(self, size, {}, detail::scales_of(scales), kNearestExact, "_upsample_nearest_exact1d");
}
Tensor _upsample_nearest_exact1d(const Tensor& self, IntArrayRef size, std::optional<double> scales) {
  return detail::upsample(self, size, {}, detail::scales_of(scales), kNearestExact, "_upsample_nearest_exact1d");
}
Tensor _upsample_nearest_exact2d(const Tensor& self, OptionalIntArrayRef size, std::optional<ArrayRef<double>> scales) {
  return detail::upsample(self, size, {}, detail::scales_of(scales), kNearestExact, "_upsample_nearest_exact2d");
}
Tensor _upsample_nearest_exact2d(const Tensor& self, IntArrayRef size, std::optional<double> scales_h,
                                 std::optional<double> scales_w) {
  return detail::upsample(self, size, {}, detail::scales_of(scales_h, scales_w), kNearestExact,
                          "_upsample_nearest_exact2d");
}
Tensor _upsample_nearest_exact3d(const Tensor& self, OptionalIntArrayRef size, std::optional<ArrayRef<double>> scales) {
  return detail::upsample(self, size, {}, detail::scales_of(scales), kNearestExact, "_upsample_nearest_exact3d");
}
Tensor _upsample_nearest_exact3d(const Tensor& self, IntArrayRef size, std::optional<double> scales_d,
                                 std::optional<double> scales_h, std::optional<double> scales_w) {
  return detail::upsample(self, size, {}, detail::scales_of(scales_d, scales_h, scales_w), kNearestExact,
                          "_upsample_nearest_exact3d");
}
Tensor _upsample_bilinear2d_aa(const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                               std::optional<ArrayRef<double>> scales) {
  return detail::upsample(self, size, align_corners, detail::scales_of(scales), kBilinear, "_upsample_bilinear2d_aa",
                          true);
}
Tensor _upsample_bilinear2d_aa(const Tensor& self, IntArrayRef size, bool align_corners, std::optional<double> scales_h,
                               std::optional<double> scales_w) {
  return detail::upsample(self, size, align_corners, detail::scales_of(scales_h, scales_w), kBilinear,
                          "_upsample_bilinear2d_aa", true);
}
Tensor _upsample_bicubic2d_aa(const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                              std::optional<ArrayRef<double>> scales) {
  return detail::upsample(self, size, align_corners, detail::scales_of(scales), kBicubic, "_upsample_bicubic2d_aa",
                          true);
}
Tensor _upsample_bicubic2d_aa(const Tensor& self, IntArrayRef size, bool align_corners, std::optional<double> scales_h,
                              std::optional<double> scales_w) {
  return detail::upsample(self, size, align_corners, detail::scales_of(scales_h, scales_w), kBicubic,
                          "_upsample_bicubic2d_aa", true);
}

std::tuple<Tensor, Tensor> _amp_update_scale(const Tensor& self, const Tensor& growth_tracker, const Tensor& found_inf,
                                             double scale_growth_factor, double scale_backoff_factor,
                                             int64_t growth_interval) {
  Tensor scale = self.clone(), tracker = growth_tracker.clone();
  _amp_update_scale_(scale, tracker, found_inf, scale_growth_factor, scale_backoff_factor, growth_interval);
  return {scale, tracker};
}
Tensor& _amp_update_scale_(Tensor& self, Tensor& growth_tracker, const Tensor& found_inf, double scale_growth_factor,
                           double scale_backoff_factor, int64_t growth_interval) {
  TORCH_CHECK(growth_tracker.numel() == 1 && self.numel() == 1 && found_inf.numel() == 1,
              "_amp_update_scale_: expected tensors of one element each");
  if (found_inf.item<double>() != 0) return self.mul_(scale_backoff_factor), growth_tracker.zero_(), self;
  growth_tracker.add_(1);
  if (growth_tracker.item<int64_t>() < growth_interval) return self;
  const Tensor grown = self * scale_growth_factor;
  if (grown.isfinite().item<bool>()) self.copy_(grown);
  return growth_tracker.zero_(), self;
}
void _amp_foreach_non_finite_check_and_unscale_(TensorList self, Tensor& found_inf, const Tensor& inv_scale) {
  TORCH_CHECK(found_inf.numel() == 1 && inv_scale.numel() == 1,
              "_amp_foreach_non_finite_check_and_unscale_: expected found_inf and inv_scale of one element each");
  for (const Tensor& gradient : self) {
    found_inf.masked_fill_(gradient.isfinite().all().logical_not(), 1);
    gradient.mul_(inv_scale);
  }
}
Tensor& _amp_update_scale_out(Tensor& out, const Tensor& self, Tensor& growth_tracker, const Tensor& found_inf,
                              double scale_growth_factor, double scale_backoff_factor, int64_t growth_interval) {
  Tensor scale = self.clone();
  _amp_update_scale_(scale, growth_tracker, found_inf, scale_growth_factor, scale_backoff_factor, growth_interval);
  return detail::write_out("_amp_update_scale_out", out, scale);
}
Tensor _masked_scale(const Tensor& self, const Tensor& mask, double scale) { return self * mask * scale; }

Tensor _standard_gamma(const Tensor& self, OptionalGenerator generator) {
  check_no_gradient("_standard_gamma", self);
  const Tensor numbers = gamma_numbers(self.dtype() == kDouble ? self : self.to(kFloat), generator).to(self.dtype());
  return numbers.clamp_min(self.dtype() == kDouble ? std::numeric_limits<double>::min()
                                                   : double{std::numeric_limits<float>::min()});
}
Tensor _sample_dirichlet(const Tensor& self, OptionalGenerator generator) {
  check_no_gradient("_sample_dirichlet", self);
  const Tensor numbers = _standard_gamma(self, generator);
  return numbers / numbers.sum(-1, true);
}

std::tuple<Tensor, Tensor> _linalg_eigh(const Tensor& A, std::string_view UPLO, bool compute_v) {
  if (compute_v) return linalg::eigh(A, UPLO);
  return {linalg::eigvalsh(A, UPLO), empty({0}, A.options())};
}
std::tuple<Tensor, Tensor, Tensor> _linalg_svd(const Tensor& A, bool full_matrices, bool compute_uv,
                                               std::optional<std::string_view> driver) {
  if (compute_uv) return linalg::svd(A, full_matrices, driver);
  return {empty({0}, A.options()), linalg::svdvals(A, driver), empty({0}, A.options())};
}
Tensor _linalg_eigvals(const Tensor& self) { return linalg::eigvals(self); }
std::tuple<Tensor, Tensor, Tensor> _lu_with_info(const Tensor& self, bool pivot, bool check_errors) {
  return linalg::lu_factor_ex(self, pivot, check_errors);
}
Tensor _cholesky_solve_helper(const Tensor& self, const Tensor& A, bool upper) {
  return cholesky_solve(self, A, upper);
}

Tensor _copy_from(const Tensor& self, const Tensor& dst, bool non_blocking) { return dst.copy_(self, non_blocking); }
Tensor _copy_from_and_resize(const Tensor& self, const Tensor& dst) { return dst.resize_(self.sizes()).copy_(self); }
Tensor _neg_view(const Tensor& self) { return neg(self); }
Tensor _efficientzerotensor(IntArrayRef size, const TensorOptions& options) { return zeros(size, options); }
bool _is_zerotensor(const Tensor& /*self*/) { return false; }
const Tensor& _resize_output_(const Tensor& self, IntArrayRef size, Device device) {
  check_same("device", device, self.device());
  self.resize_(size);
  return self;
}
Tensor _resize_output(const Tensor& self, IntArrayRef size, Device device) {
  return _resize_output_(self.clone(), size, device);
}
int64_t _debug_has_internal_overlap(const Tensor& self) {
  if (self.is_non_overlapping_and_dense()) return 0;
  for (int64_t i = 0; i < self.dim(); ++i)
    if (self.size(i) > 1 && self.stride(i) == 0) return 1;
  return 2;
}
bool _nnpack_available() { return false; }
void _linalg_check_errors(const Tensor& info, std::string_view api_name, bool is_matrix) {
  const Tensor failed = info.reshape({-1}).nonzero();
  if (failed.numel() == 0) return;
  const int64_t at = failed[0][0].item<int64_t>(), code = info.reshape({-1})[at].item<int64_t>();
  throw LinAlgError(std::string(api_name) + ": the factorisation " +
                    (is_matrix ? "" : "of matrix " + std::to_string(at) + " of the batch ") + "failed, with info " +
                    std::to_string(code) + "; is the input singular, or not positive-definite?");
}
Tensor _functional_assert_async(const Tensor& self, std::string_view assert_msg, const Tensor& dep_token) {
  TORCH_CHECK(self.item<bool>(), assert_msg);
  return dep_token.clone();
}
void _print(std::string_view s) { std::cout << s << "\n"; }
bool _has_same_storage_numel(const Tensor& self, const Tensor& other) {
  return self.storage().nbytes() / static_cast<size_t>(self.element_size()) ==
         other.storage().nbytes() / static_cast<size_t>(other.element_size());
}
void _assert_scalar(const Scalar& self, std::string_view assert_msg) { TORCH_CHECK(self.toBool(), assert_msg); }
void _assert_tensor_metadata(const Tensor& a, OptionalIntArrayRef size, OptionalIntArrayRef stride,
                             std::optional<DType> dtype, std::optional<Device> device, std::optional<Layout> layout) {
  if (size) check_same("sizes", *size, a.sizes());
  if (stride) check_same("strides", *stride, a.strides());
  if (dtype) check_same("dtype", *dtype, DType(a.dtype()));
  if (device) check_same("device", *device, a.device());
  if (layout) check_same("layout", *layout, kStrided);
}

}  // namespace strata
