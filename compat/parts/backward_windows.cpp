// The gradients of pools, paddings, interpolations and of reading images at places.
#include <string_view>

#include "compat/parts/aten.h"
#include "compat/parts/backward.h"
#include "compat/parts/pulled.h"
#include "compat/parts/underscore.h"

namespace strata {
namespace {

using detail::pulled;

/// Of a pool that took the elements `indices` of its last `dims` dims, counted in one.
Tensor of_taken(const Tensor& grad, const Tensor& self, const Tensor& indices, int64_t dims) {
  const Tensor at = indices.flatten(-dims), zeros = zeros_like(self).flatten(-dims);
  return zeros.scatter_add(-1, at, grad.flatten(-dims)).view(self.sizes());
}

Tensor of_padding(const Tensor& grad, const Tensor& self, IntArrayRef padding, std::string_view mode) {
  return pulled(grad, self, [&](const Tensor& x) { return pad(x, padding, mode); });
}

/// Of an interpolation of an input of `input_size`, at whose values the derivative does not look.
template <class F>
Tensor of_interpolation(const Tensor& grad, IntArrayRef input_size, const F& f) {
  return pulled(grad, zeros(input_size, grad.options()), f);
}

std::tuple<Tensor, Tensor> of_grid(const Tensor& grad, const Tensor& input, const Tensor& grid, int64_t mode,
                                   int64_t padding, bool align_corners, std::array<bool, 2> asked) {
  const auto read = [&](const Tensor& x, const Tensor& at) {
    return grid_sampler(x, at, mode, padding, align_corners);
  };
  const auto of_input = [&] { return pulled(grad, input, [&](const Tensor& x) { return read(x, grid); }); };
  const auto of_places = [&] { return pulled(grad, grid, [&](const Tensor& at) { return read(input, at); }); };
  return {detail::where_asked(asked[0], of_input), detail::where_asked(asked[1], of_places)};
}

}  // namespace

Tensor avg_pool2d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride,
                           IntArrayRef padding, bool ceil_mode, bool count_include_pad,
                           std::optional<int64_t> divisor_override) {
  return pulled(grad_output, self, [&](const Tensor& x) {
    return avg_pool2d(x, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override);
  });
}
Tensor avg_pool3d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride,
                           IntArrayRef padding, bool ceil_mode, bool count_include_pad,
                           std::optional<int64_t> divisor_override) {
  return pulled(grad_output, self, [&](const Tensor& x) {
    return avg_pool3d(x, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override);
  });
}
Tensor _adaptive_avg_pool2d_backward(const Tensor& grad_output, const Tensor& self) {
  const IntArrayRef size = grad_output.sizes().slice(static_cast<size_t>(grad_output.dim() - 2));
  return pulled(grad_output, self, [&](const Tensor& x) { return adaptive_avg_pool2d(x, size); });
}
Tensor _adaptive_avg_pool3d_backward(const Tensor& grad_output, const Tensor& self) {
  const IntArrayRef size = grad_output.sizes().slice(static_cast<size_t>(grad_output.dim() - 3));
  return pulled(grad_output, self, [&](const Tensor& x) { return adaptive_avg_pool3d(x, size); });
}
Tensor& adaptive_avg_pool3d_backward_out(Tensor& grad_input, const Tensor& grad_output, const Tensor& self) {
  const Tensor grad = _adaptive_avg_pool3d_backward(grad_output, self);
  return detail::write_out("adaptive_avg_pool3d_backward_out", grad_input, grad);
}
Tensor adaptive_max_pool2d_backward(const Tensor& grad_output, const Tensor& self, const Tensor& indices) {
  return of_taken(grad_output, self, indices, 2);
}
Tensor adaptive_max_pool3d_backward(const Tensor& grad_output, const Tensor& self, const Tensor& indices) {
  return of_taken(grad_output, self, indices, 3);
}
Tensor fractional_max_pool2d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef, IntArrayRef,
                                      const Tensor& indices) {
  return of_taken(grad_output, self, indices, 2);
}
Tensor fractional_max_pool3d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef, IntArrayRef,
                                      const Tensor& indices) {
  return of_taken(grad_output, self, indices, 3);
}
Tensor max_pool2d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride,
                           IntArrayRef padding, IntArrayRef dilation, bool ceil_mode) {
  return pulled(grad_output, self,
                [&](const Tensor& x) { return max_pool2d(x, kernel_size, stride, padding, dilation, ceil_mode); });
}
Tensor max_pool2d_with_indices_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef, IntArrayRef,
                                        IntArrayRef, IntArrayRef, bool, const Tensor& indices) {
  return of_taken(grad_output, self, indices, 2);
}
Tensor max_pool3d_with_indices_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef, IntArrayRef,
                                        IntArrayRef, IntArrayRef, bool, const Tensor& indices) {
  return of_taken(grad_output, self, indices, 3);
}

Tensor reflection_pad1d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef padding) {
  return of_padding(grad_output, self, padding, "reflect");
}
Tensor reflection_pad2d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef padding) {
  return of_padding(grad_output, self, padding, "reflect");
}
Tensor reflection_pad3d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef padding) {
  return of_padding(grad_output, self, padding, "reflect");
}
Tensor replication_pad1d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef padding) {
  return of_padding(grad_output, self, padding, "replicate");
}
Tensor replication_pad2d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef padding) {
  return of_padding(grad_output, self, padding, "replicate");
}
Tensor replication_pad3d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef padding) {
  return of_padding(grad_output, self, padding, "replicate");
}

Tensor upsample_nearest1d_backward(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                                   std::optional<double> scales) {
  return of_interpolation(grad_output, input_size,
                          [&](const Tensor& x) { return upsample_nearest1d(x, output_size, scales); });
}
Tensor upsample_nearest2d_backward(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                                   std::optional<double> scales_h, std::optional<double> scales_w) {
  return of_interpolation(grad_output, input_size,
                          [&](const Tensor& x) { return upsample_nearest2d(x, output_size, scales_h, scales_w); });
}
Tensor upsample_nearest3d_backward(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                                   std::optional<double> scales_d, std::optional<double> scales_h,
                                   std::optional<double> scales_w) {
  return of_interpolation(grad_output, input_size, [&](const Tensor& x) {
    return upsample_nearest3d(x, output_size, scales_d, scales_h, scales_w);
  });
}
Tensor _upsample_nearest_exact1d_backward(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                                          std::optional<double> scales) {
  return of_interpolation(grad_output, input_size,
                          [&](const Tensor& x) { return _upsample_nearest_exact1d(x, output_size, scales); });
}
Tensor _upsample_nearest_exact2d_backward(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                                          std::optional<double> scales_h, std::optional<double> scales_w) {
  return of_interpolation(grad_output, input_size, [&](const Tensor& x) {
    return _upsample_nearest_exact2d(x, output_size, scales_h, scales_w);
  });
}
Tensor _upsample_nearest_exact3d_backward(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                                          std::optional<double> scales_d, std::optional<double> scales_h,
                                          std::optional<double> scales_w) {
  return of_interpolation(grad_output, input_size, [&](const Tensor& x) {
    return _upsample_nearest_exact3d(x, output_size, scales_d, scales_h, scales_w);
  });
}
Tensor upsample_linear1d_backward(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                                  bool align_corners, std::optional<double> scales) {
  return of_interpolation(grad_output, input_size,
                          [&](const Tensor& x) { return upsample_linear1d(x, output_size, align_corners, scales); });
}
Tensor upsample_bilinear2d_backward(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                                    bool align_corners, std::optional<double> scales_h,
                                    std::optional<double> scales_w) {
  return of_interpolation(grad_output, input_size, [&](const Tensor& x) {
    return upsample_bilinear2d(x, output_size, align_corners, scales_h, scales_w);
  });
}
Tensor upsample_bicubic2d_backward(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                                   bool align_corners, std::optional<double> scales_h, std::optional<double> scales_w) {
  return of_interpolation(grad_output, input_size, [&](const Tensor& x) {
    return upsample_bicubic2d(x, output_size, align_corners, scales_h, scales_w);
  });
}
Tensor _upsample_bilinear2d_aa_backward(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                                        bool align_corners, std::optional<double> scales_h,
                                        std::optional<double> scales_w) {
  return of_interpolation(grad_output, input_size, [&](const Tensor& x) {
    return _upsample_bilinear2d_aa(x, output_size, align_corners, scales_h, scales_w);
  });
}
Tensor _upsample_bicubic2d_aa_backward(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                                       bool align_corners, std::optional<double> scales_h,
                                       std::optional<double> scales_w) {
  return of_interpolation(grad_output, input_size, [&](const Tensor& x) {
    return _upsample_bicubic2d_aa(x, output_size, align_corners, scales_h, scales_w);
  });
}
Tensor upsample_trilinear3d_backward(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                                     bool align_corners, std::optional<double> scales_d, std::optional<double> scales_h,
                                     std::optional<double> scales_w) {
  return of_interpolation(grad_output, input_size, [&](const Tensor& x) {
    return upsample_trilinear3d(x, output_size, align_corners, scales_d, scales_h, scales_w);
  });
}

std::tuple<Tensor, Tensor> grid_sampler_2d_backward(const Tensor& grad_output, const Tensor& input, const Tensor& grid,
                                                    int64_t interpolation_mode, int64_t padding_mode,
                                                    bool align_corners, std::array<bool, 2> output_mask) {
  return of_grid(grad_output, input, grid, interpolation_mode, padding_mode, align_corners, output_mask);
}
std::tuple<Tensor, Tensor> grid_sampler_3d_backward(const Tensor& grad_output, const Tensor& input, const Tensor& grid,
                                                    int64_t interpolation_mode, int64_t padding_mode,
                                                    bool align_corners, std::array<bool, 2> output_mask) {
  return of_grid(grad_output, input, grid, interpolation_mode, padding_mode, align_corners, output_mask);
}
std::tuple<Tensor, Tensor> _grid_sampler_2d_cpu_fallback_backward(const Tensor& grad_output, const Tensor& input,
                                                                  const Tensor& grid, int64_t interpolation_mode,
                                                                  int64_t padding_mode, bool align_corners) {
  return of_grid(grad_output, input, grid, interpolation_mode, padding_mode, align_corners, {true, true});
}
Tensor affine_grid_generator_backward(const Tensor& grad, IntArrayRef size, bool align_corners) {
  const int64_t dims = static_cast<int64_t>(size.size()) - 2;
  return pulled(grad, zeros({size[0], dims, dims + 1}, grad.options()),
                [&](const Tensor& theta) { return affine_grid_generator(theta, size, align_corners); });
}

}  // namespace strata
