// Other forms of functions: in place, of views too, and what matrices, spectra and windows are taken apart into.
#include "test/differential/names.h"

namespace differential {
namespace {

namespace F = strata::nn::functional;
namespace linalg = strata::linalg;
namespace fft = strata::fft;
namespace special = strata::special;
using L = IntArrayRef;

/// Tensors as methods change them, which give back the tensor.
Rows in_place_rows() {
  return {
      {"elu_", [](Tensor& x, S alpha, S scale, S input) { return strata::elu_(x, alpha, scale, input); }},
      {"celu_", [](Tensor& x, S alpha) { return strata::celu_(x, alpha); }},
      {"gelu_", [](Tensor& x, Text how) { return strata::gelu_(x, how); }},
      {"hardsigmoid_", [](Tensor& x) { return strata::hardsigmoid_(x); }},
      {"hardswish_", [](Tensor& x) { return strata::hardswish_(x); }},
      {"hardtanh_", [](Tensor& x, S low, S high) { return strata::hardtanh_(x, low, high); }},
      {"leaky_relu_", [](Tensor& x, S slope) { return strata::leaky_relu_(x, slope); }},
      {"mish_", [](Tensor& x) { return strata::mish_(x); }},
      {"relu6_", [](Tensor& x) { return strata::relu6_(x); }},
      {"selu_", [](Tensor& x) { return strata::selu_(x); }},
      {"silu_", [](Tensor& x) { return strata::silu_(x); }},
      {"threshold_", [](Tensor& x, S limit, S value) { return strata::threshold_(x, limit, value); }},
      {"sinc_", [](Tensor& x) { return x.sinc_(); }},
      {"polygamma_", [](Tensor& x, I n) { return x.polygamma_(n); }},
      {"copysign_", [](Tensor& x, T y) { return x.copysign_(y); }},
      {"copysign_", [](Tensor& x, S y) { return x.copysign_(y); }},
      {"gcd_", [](Tensor& x, T y) { return x.gcd_(y); }},
      {"lcm_", [](Tensor& x, T y) { return x.lcm_(y); }},
      {"ldexp_", [](Tensor& x, T y) { return x.ldexp_(y); }},
      {"nextafter_", [](Tensor& x, T y) { return x.nextafter_(y); }},
      {"heaviside_", [](Tensor& x, T y) { return x.heaviside_(y); }},
      {"float_power_", [](Tensor& x, T y) { return x.float_power_(y); }},
      {"float_power_", [](Tensor& x, S y) { return x.float_power_(y); }},
      {"renorm_", [](Tensor& x, S p, I dim, S most) { return x.renorm_(p, dim, most); }},
      {"put_", [](Tensor& x, T index, T source, bool adds) { return x.put_(index, source, adds); }},
      {"scatter_reduce_", [](Tensor& x, I dim, T index, T source, Text how,
                             bool self) { return x.scatter_reduce_(dim, index, source, how, self); }},
      {"index_reduce_", [](Tensor& x, I dim, T index, T source, Text how,
                           bool self) { return x.index_reduce_(dim, index, source, how, self); }},
      {"embedding_renorm_", [](Tensor& weight, T index, double most,
                               double p) { return strata::embedding_renorm_(weight, index, most, p); }},
      {"squeeze_", [](Tensor& x) { return x.squeeze_(); }},
      {"squeeze_", [](Tensor& x, I dim) { return x.squeeze_(dim); }},
      {"unsqueeze_", [](Tensor& x, I dim) { return x.unsqueeze_(dim); }},
      {"transpose_", [](Tensor& x, I a, I b) { return x.transpose_(a, b); }},
      {"t_", [](Tensor& x) { return x.t_(); }},
  };
}

/// Gradients that can be differentiated again; programs.py says what the zero is for.
Tensors gradients(T y, T grad, Tensors xs, T zero) {
  Tensors found = strata::autograd::grad({y}, xs, {grad}, true, true, true);
  for (size_t i = 0; i < xs.size(); ++i) found[i] = (found[i].defined() ? found[i] : strata::zeros_like(xs[i])) + zero;
  return found;
}

Rows special_forms() {
  return {
      {"gradients", gradients},
      {"special_modified_bessel_i0", [](T x) { return special::modified_bessel_i0(x); }},
      {"special_modified_bessel_i1", [](T x) { return special::modified_bessel_i1(x); }},
      {"special_scaled_modified_bessel_k0", [](T x) { return special::scaled_modified_bessel_k0(x); }},
      {"special_scaled_modified_bessel_k1", [](T x) { return special::scaled_modified_bessel_k1(x); }},
      {"special_chebyshev_polynomial_v", [](T x, T n) { return special::chebyshev_polynomial_v(x, n); }},
      {"special_chebyshev_polynomial_w", [](T x, T n) { return special::chebyshev_polynomial_w(x, n); }},
      {"histogram",
       [](T x, T edges, Maybe weight, bool density) { return strata::histogram(x, edges, weight, density); }},
      {"sum_to_size", [](T x, L sizes) { return strata::sum_to_size(x, sizes); }},
      {"norm_except_dim", [](T x, I p, I dim) { return strata::norm_except_dim(x, p, dim); }},
      {"nonzero_static", [](T x, I size, I fill) { return strata::nonzero_static(x, size, fill); }},
      {"trapz", [](T y, T x, I dim) { return strata::trapz(y, x, dim); }},
      {"split_with_sizes", [](T x, L sizes, I dim) { return strata::split_with_sizes(x, sizes, dim); }},
      {"as_strided_scatter", [](T x, T source, L sizes, L strides,
                                MaybeInt at) { return strata::as_strided_scatter(x, source, sizes, strides, at); }},
      {"grid_sampler_3d", [](T x, T grid, I mode, I padding,
                             bool align) { return strata::grid_sampler_3d(x, grid, mode, padding, align); }},
      {"fractional_max_pool2d",
       [](T x, L kernel, L size, T samples) { return strata::fractional_max_pool2d(x, kernel, size, samples); }},
      {"fractional_max_pool3d",
       [](T x, L kernel, L size, T samples) { return strata::fractional_max_pool3d(x, kernel, size, samples); }},
      {"multi_head_attention",
       [](T q, T k, T v, I heads, T w, Maybe b, T u, Maybe c, Maybe mask) {
         F::MultiheadAttentionForwardFuncOptions options(q.size(-1), heads, w, tensor_of(b), {}, {}, false, 0.0, u,
                                                         tensor_of(c));
         return F::multi_head_attention_forward(q, k, v, options.attn_mask(tensor_of(mask)));
       }},
  };
}

/// The product of what a matrix was taken apart into, for factors whose signs are up to the library.
Tensor by_eigenvalues(T x) {
  const auto [w, v] = linalg::eigh(x);
  return matmul(v * w.sin().unsqueeze(-2), v.mH());
}
Tensor by_singular_values(T x) {
  const auto [u, s, v] = linalg::svd(x, false);
  return matmul(u * s.sin().unsqueeze(-2), v);
}

Rows factor_forms() {
  return {
      {"linalg_qr", [](T x, Text mode) { return linalg::qr(x, mode); }},
      {"by_eigenvalues", by_eigenvalues},
      {"by_singular_values", by_singular_values},
      {"linalg_lu_factor", [](T x, bool pivot) { return linalg::lu_factor(x, pivot); }},
      {"linalg_lu", [](T x, bool pivot) { return linalg::lu(x, pivot); }},
      {"linalg_lu_solve",
       [](T lu, T pivots, T b, bool left, bool adjoint) { return linalg::lu_solve(lu, pivots, b, left, adjoint); }},
      {"linalg_ldl_factor", [](T x, bool hermitian) { return linalg::ldl_factor(x, hermitian); }},
      {"linalg_ldl_solve",
       [](T ld, T pivots, T b, bool hermitian) { return linalg::ldl_solve(ld, pivots, b, hermitian); }},
      {"cholesky_solve", [](T b, T l, bool upper) { return strata::cholesky_solve(b, l, upper); }},
      {"cholesky_inverse", [](T l, bool upper) { return strata::cholesky_inverse(l, upper); }},
      {"linalg_householder_product", [](T x, T tau) { return linalg::householder_product(x, tau); }},
      {"ormqr", [](T x, T tau, T y, bool left, bool transpose) { return strata::ormqr(x, tau, y, left, transpose); }},
      {"least_squares", [](T a, T b) { return std::get<0>(linalg::lstsq(a, b, std::nullopt, "gelsd")); }},
      {"linalg_matrix_rank", [](T x) { return linalg::matrix_rank(x); }},
      {"linalg_cond", [](T x, MaybeScalar p) { return linalg::cond(x, p); }},
      {"linalg_norm", [](T x, MaybeScalar ord, Dims dims, bool keep,
                         MaybeDType dtype) { return linalg::norm(x, ord, dims, keep, dtype); }},
      {"linalg_tensorinv", [](T x, I at) { return linalg::tensorinv(x, at); }},
      {"linalg_tensorsolve", [](T a, T b, Dims dims) { return linalg::tensorsolve(a, b, dims); }},
      {"chain_matmul", [](Tensors x) { return strata::chain_matmul(x); }},
      {"nuclear_norm", [](T x, bool keep) { return strata::nuclear_norm(x, keep); }},
      {"linalg_inv_ex", [](T x, bool check) { return linalg::inv_ex(x, check); }},
      {"linalg_solve_ex", [](T a, T b, bool left, bool check) { return linalg::solve_ex(a, b, left, check); }},
      {"fft_ihfft", [](T x, MaybeInt n, I dim) { return fft::ihfft(x, n, dim); }},
      {"fft_ifftshift", [](T x, Dims dims) { return fft::ifftshift(x, dims); }},
      {"fft_irfftn", [](T x, Dims s, Dims dims) { return fft::irfftn(x, s, dims); }},
      {"fft_hfft2", [](T x, Dims s, L dims) { return fft::hfft2(x, s, dims); }},
      {"fft_ihfft2", [](T x, Dims s, L dims) { return fft::ihfft2(x, s, dims); }},
      {"stft",
       [](T x, I n, I hop, Maybe window, bool center, bool normalized, bool onesided) {
         return strata::stft(x, n, hop, std::nullopt, window, center, "reflect", normalized, onesided, true);
       }},
      {"istft",
       [](T x, I n, I hop, Maybe window, bool normalized, bool onesided) {
         return strata::istft(x, n, hop, std::nullopt, window, true, normalized, onesided);
       }},
  };
}

}  // namespace

Rows form_rows() {
  Rows rows;
  for (auto family : {in_place_rows, special_forms, factor_forms})
    for (auto& row : family()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace differential
