// ATen's functions with an underscore in front, which libtorch's own functions are made of and programs call now and
// then.
#pragma once
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include <strata/core/generator.h>
#include <strata/core/optional_array_ref.h>
#include <strata/core/options.h>
#include <strata/core/tensor.h>

#include "containers.h"

namespace strata {

/// Softmax and its logarithm. `half_to_float`, which gives float32 of halves, is libtorch's for GPUs alone, and throws.
Tensor _softmax(const Tensor& self, int64_t dim, bool half_to_float);
Tensor _log_softmax(const Tensor& self, int64_t dim, bool half_to_float);
/// Softmax that is 0, not NaN, where all elements are -inf.
Tensor _safe_softmax(const Tensor& self, int64_t dim, std::optional<DType> dtype = std::nullopt);
/// Softmax over the elements that `mask` does not take out. `self` is (B, H, L, L) where `mask_type` is 0, a mask (L,
/// L), or 1, a mask (B, L); with 2 or none both have the same sizes.
Tensor _masked_softmax(const Tensor& self, const Tensor& mask, std::optional<int64_t> dim = std::nullopt,
                       std::optional<int64_t> mask_type = std::nullopt);
Tensor _prelu_kernel(const Tensor& self, const Tensor& weight);

/// Sums whose result ReLU is taken of.
Tensor _add_relu(const Tensor& self, const Tensor& other, const Scalar& alpha = 1);
Tensor _add_relu(const Tensor& self, const Scalar& other, const Scalar& alpha = 1);
Tensor& _add_relu_(Tensor& self, const Tensor& other, const Scalar& alpha = 1);
Tensor& _add_relu_(Tensor& self, const Scalar& other, const Scalar& alpha = 1);

Tensor _cast_Byte(const Tensor& self, bool non_blocking = false);
Tensor _cast_Char(const Tensor& self, bool non_blocking = false);
Tensor _cast_Double(const Tensor& self, bool non_blocking = false);
Tensor _cast_Float(const Tensor& self, bool non_blocking = false);
Tensor _cast_Half(const Tensor& self, bool non_blocking = false);
Tensor _cast_Int(const Tensor& self, bool non_blocking = false);
Tensor _cast_Long(const Tensor& self, bool non_blocking = false);
Tensor _cast_Short(const Tensor& self, bool non_blocking = false);

/// Always a copy.
Tensor _to_copy(const Tensor& self, const TensorOptions& options = {}, bool non_blocking = false,
                std::optional<MemoryFormat> memory_format = std::nullopt);
std::vector<Tensor> _to_cpu(TensorList tensors);
Tensor _lazy_clone(const Tensor& self);
Tensor _pin_memory(const Tensor& self, std::optional<Device> device = std::nullopt);

/// Sizes as an int64 tensor, and a tensor in the sizes that one holds.
Tensor _shape_as_tensor(const Tensor& self);
Tensor _reshape_from_tensor(const Tensor& self, const Tensor& shape);
/// 0, 1, ... as many as `like` has in a dim.
Tensor _dim_arange(const Tensor& like, int64_t dim);
Tensor _reshape_alias(const Tensor& self, IntArrayRef size, IntArrayRef stride);
Tensor _reshape_copy(const Tensor& self, IntArrayRef size);
Tensor _unsafe_view(const Tensor& self, IntArrayRef size);
Tensor _stack(TensorList tensors, int64_t dim = 0);
/// The tensors, filled up with zeros to `num_chunks` pieces of one size in `dim`, with these pieces side by side: of
/// sizes before `dim`, `num_chunks` and all that is behind.
Tensor _chunk_cat(TensorList tensors, int64_t dim, int64_t num_chunks);
/// Padding in the order of reflect, replicate, circular and constant.
Tensor _pad_enum(const Tensor& self, IntArrayRef pad, int64_t mode, std::optional<double> value = std::nullopt);
Tensor _pad_circular(const Tensor& self, IntArrayRef pad);
Tensor _conj(const Tensor& self);
Tensor _conj_physical(const Tensor& self);

/// Elements at indices, of which some may be left out, without a check of their own.
Tensor _unsafe_index(const Tensor& self, const List<std::optional<Tensor>>& indices);
Tensor _unsafe_index_put(const Tensor& self, const List<std::optional<Tensor>>& indices, const Tensor& values,
                         bool accumulate = false);
Tensor _index_put_impl(const Tensor& self, const List<std::optional<Tensor>>& indices, const Tensor& values,
                       bool accumulate = false, bool unsafe = false);
Tensor& _index_put_impl_(Tensor& self, const List<std::optional<Tensor>>& indices, const Tensor& values,
                         bool accumulate = false, bool unsafe = false);
// Templates, which braced lists do not choose.
template <class T>
Tensor& index_out(Tensor& out, const Tensor& self, const List<T>& indices) {
  return index_out(out, self, compat::indices_of(indices));
}
template <class T>
Tensor& index_put_out(Tensor& out, const Tensor& self, const List<T>& indices, const Tensor& values,
                      bool accumulate = false) {
  return index_put_out(out, self, compat::indices_of(indices), values, accumulate);
}

/// The same where `mask` is; indices outside of it may be any. The rest is `fill`, and adds nothing.
Tensor _unsafe_masked_index(const Tensor& self, const Tensor& mask, const List<std::optional<Tensor>>& indices,
                            const Scalar& fill);
Tensor _unsafe_masked_index_put_accumulate(const Tensor& self, const Tensor& mask,
                                           const List<std::optional<Tensor>>& indices, const Tensor& values);

std::tuple<Tensor, Tensor> _aminmax(const Tensor& self);
std::tuple<Tensor, Tensor> _aminmax(const Tensor& self, int64_t dim, bool keepdim = false);
Tensor _is_all_true(const Tensor& self);
Tensor _is_any_true(const Tensor& self);
Tensor _logcumsumexp(const Tensor& self, int64_t dim);
/// Distances of all rows of `x1` to all of `x2`.
Tensor _euclidean_dist(const Tensor& x1, const Tensor& x2);
/// int8 matrices multiplied in int32.
Tensor _int_mm(const Tensor& self, const Tensor& mat2);
/// `coefficients` (m, n) times the n tensors that `input` holds along dim 0.
Tensor _compute_linear_combination(const Tensor& input, const Tensor& coefficients);
/// The sum over `sumdim` of the product of three tensors with dims of 1 put in at `expand1`, `expand2`, `expand3`.
Tensor _trilinear(const Tensor& i1, const Tensor& i2, const Tensor& i3, IntArrayRef expand1, IntArrayRef expand2,
                  IntArrayRef expand3, IntArrayRef sumdim, int64_t unroll_dim = 1);

/// Fourier transforms of `dim`; `normalization` divides by 1 (0), by the root of the number of elements (1) or by it
/// (2).
Tensor _fft_r2c(const Tensor& self, IntArrayRef dim, int64_t normalization, bool onesided);
Tensor _fft_c2r(const Tensor& self, IntArrayRef dim, int64_t normalization, int64_t last_dim_size);
Tensor _fft_c2c(const Tensor& self, IntArrayRef dim, int64_t normalization, bool forward);

/// Sequences packed, and padded again, as nn::utils::rnn has it: data and batch sizes; the padded tensor and the
/// lengths.
std::tuple<Tensor, Tensor> _pack_padded_sequence(const Tensor& input, const Tensor& lengths, bool batch_first);
std::tuple<Tensor, Tensor> _pad_packed_sequence(const Tensor& data, const Tensor& batch_sizes, bool batch_first,
                                                const Scalar& padding_value, int64_t total_length);
/// embedding_bag with -1 for no padding.
std::tuple<Tensor, Tensor, Tensor, Tensor> _embedding_bag(const Tensor& weight, const Tensor& indices,
                                                          const Tensor& offsets, bool scale_grad_by_freq = false,
                                                          int64_t mode = 0, bool sparse = false,
                                                          OptionalTensorRef per_sample_weights = {},
                                                          bool include_last_offset = false, int64_t padding_idx = -1);
std::tuple<Tensor, Tensor, Tensor, Tensor> _embedding_bag_forward_only(
    const Tensor& weight, const Tensor& indices, const Tensor& offsets, bool scale_grad_by_freq = false,
    int64_t mode = 0, bool sparse = false, OptionalTensorRef per_sample_weights = {}, bool include_last_offset = false,
    int64_t padding_idx = -1);
Tensor _adaptive_avg_pool2d(const Tensor& self, IntArrayRef output_size);
Tensor _adaptive_avg_pool3d(const Tensor& self, IntArrayRef output_size);
Tensor _grid_sampler_2d_cpu_fallback(const Tensor& input, const Tensor& grid, int64_t interpolation_mode,
                                     int64_t padding_mode, bool align_corners);

/// Interpolation that takes the nearest element to an output's center, and such that averages where it makes less.
Tensor _upsample_nearest_exact1d(const Tensor& self, OptionalIntArrayRef size, std::optional<ArrayRef<double>> scales);
Tensor _upsample_nearest_exact1d(const Tensor& self, IntArrayRef size, std::optional<double> scales = {});
Tensor _upsample_nearest_exact2d(const Tensor& self, OptionalIntArrayRef size, std::optional<ArrayRef<double>> scales);
Tensor _upsample_nearest_exact2d(const Tensor& self, IntArrayRef size, std::optional<double> scales_h = {},
                                 std::optional<double> scales_w = {});
Tensor _upsample_nearest_exact3d(const Tensor& self, OptionalIntArrayRef size, std::optional<ArrayRef<double>> scales);
Tensor _upsample_nearest_exact3d(const Tensor& self, IntArrayRef size, std::optional<double> scales_d = {},
                                 std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
Tensor _upsample_bilinear2d_aa(const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                               std::optional<ArrayRef<double>> scales);
Tensor _upsample_bilinear2d_aa(const Tensor& self, IntArrayRef size, bool align_corners,
                               std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
Tensor _upsample_bicubic2d_aa(const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                              std::optional<ArrayRef<double>> scales);
Tensor _upsample_bicubic2d_aa(const Tensor& self, IntArrayRef size, bool align_corners,
                              std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
// Without scales either form would do.
inline Tensor _upsample_nearest_exact2d(const Tensor& self, OptionalIntArrayRef size, std::nullopt_t /*scales*/) {
  return _upsample_nearest_exact2d(self, size, std::optional<ArrayRef<double>>());
}
inline Tensor _upsample_bilinear2d_aa(const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                      std::nullopt_t /*scales*/) {
  return _upsample_bilinear2d_aa(self, size, align_corners, std::optional<ArrayRef<double>>());
}
inline Tensor _upsample_bicubic2d_aa(const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                     std::nullopt_t /*scales*/) {
  return _upsample_bicubic2d_aa(self, size, align_corners, std::optional<ArrayRef<double>>());
}

/// The scale of losses after a step, and the number of steps since it changed: smaller by `scale_backoff_factor` where
/// an element was infinite, larger by `scale_growth_factor` after `growth_interval` steps without one.
std::tuple<Tensor, Tensor> _amp_update_scale(const Tensor& self, const Tensor& growth_tracker, const Tensor& found_inf,
                                             double scale_growth_factor, double scale_backoff_factor,
                                             int64_t growth_interval);
Tensor& _amp_update_scale_(Tensor& self, Tensor& growth_tracker, const Tensor& found_inf, double scale_growth_factor,
                           double scale_backoff_factor, int64_t growth_interval);
Tensor& _amp_update_scale_out(Tensor& out, const Tensor& self, Tensor& growth_tracker, const Tensor& found_inf,
                              double scale_growth_factor, double scale_backoff_factor, int64_t growth_interval);
/// Gradients times `inv_scale`, in place; `found_inf` becomes 1 where an element was infinite or NaN.
void _amp_foreach_non_finite_check_and_unscale_(TensorList self, Tensor& found_inf, const Tensor& inv_scale);
/// Elements kept where `mask` is, and scaled.
Tensor _masked_scale(const Tensor& self, const Tensor& mask, double scale);

/// Numbers with the distribution Gamma(self, 1) (Marsaglia and Tsang, 2000), and vectors along the last dim with
/// Dirichlet(self). They have no derivative, and throw for tensors that require one.
Tensor _standard_gamma(const Tensor& self, OptionalGenerator generator = {});
Tensor _sample_dirichlet(const Tensor& self, OptionalGenerator generator = {});

/// linalg's functions; what is not asked for has no elements.
std::tuple<Tensor, Tensor> _linalg_eigh(const Tensor& A, std::string_view UPLO = "L", bool compute_v = true);
std::tuple<Tensor, Tensor, Tensor> _linalg_svd(const Tensor& A, bool full_matrices = false, bool compute_uv = true,
                                               std::optional<std::string_view> driver = std::nullopt);
Tensor _linalg_eigvals(const Tensor& self);
std::tuple<Tensor, Tensor, Tensor> _lu_with_info(const Tensor& self, bool pivot = true, bool check_errors = true);
Tensor _cholesky_solve_helper(const Tensor& self, const Tensor& A, bool upper);

/// Writes into the second tensor, which is given back.
Tensor _copy_from(const Tensor& self, const Tensor& dst, bool non_blocking = false);
Tensor _copy_from_and_resize(const Tensor& self, const Tensor& dst);
/// No tensor's sign or zeros are kept aside, so that these give ordinary tensors.
Tensor _neg_view(const Tensor& self);
Tensor _efficientzerotensor(IntArrayRef size, const TensorOptions& options = {});
bool _is_zerotensor(const Tensor& self);
/// `self` or a copy of it in another size.
const Tensor& _resize_output_(const Tensor& self, IntArrayRef size, Device device);
Tensor _resize_output(const Tensor& self, IntArrayRef size, Device device);
/// Do elements share memory: 0 for no, 1 for yes, 2 where it takes too long to tell.
int64_t _debug_has_internal_overlap(const Tensor& self);
bool _nnpack_available();
/// Throws where a factorisation's `info` is not 0.
void _linalg_check_errors(const Tensor& info, std::string_view api_name, bool is_matrix);
/// Throws where the one element is zero; the tensor is given back as a token.
Tensor _functional_assert_async(const Tensor& self, std::string_view assert_msg, const Tensor& dep_token);
void _print(std::string_view s);
bool _has_same_storage_numel(const Tensor& self, const Tensor& other);
void _assert_scalar(const Scalar& self, std::string_view assert_msg);
/// Throws unless the tensor has these sizes, strides, dtype, device and layout; what is left out is not looked at.
void _assert_tensor_metadata(const Tensor& a, OptionalIntArrayRef size = std::nullopt,
                             OptionalIntArrayRef stride = std::nullopt, std::optional<DType> dtype = std::nullopt,
                             std::optional<Device> device = std::nullopt, std::optional<Layout> layout = std::nullopt);

}  // namespace strata
