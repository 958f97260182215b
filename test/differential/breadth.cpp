// Functions beyond the everyday ones: special functions, statistics, sets, arrangements, matrices and volumes.
#include "test/differential/names.h"

namespace differential {
namespace {

namespace special = strata::special;

Rows special_rows() {
  return {
      {"special_i0", [](T x) { return special::i0(x); }},
      {"special_i0e", [](T x) { return special::i0e(x); }},
      {"special_i1", [](T x) { return special::i1(x); }},
      {"special_i1e", [](T x) { return special::i1e(x); }},
      {"special_erfcx", [](T x) { return special::erfcx(x); }},
      {"special_ndtr", [](T x) { return special::ndtr(x); }},
      {"special_log_ndtr", [](T x) { return special::log_ndtr(x); }},
      {"special_ndtri", [](T x) { return special::ndtri(x); }},
      {"special_entr", [](T x) { return special::entr(x); }},
      {"special_bessel_j0", [](T x) { return special::bessel_j0(x); }},
      {"special_bessel_j1", [](T x) { return special::bessel_j1(x); }},
      {"special_bessel_y0", [](T x) { return special::bessel_y0(x); }},
      {"special_bessel_y1", [](T x) { return special::bessel_y1(x); }},
      {"special_modified_bessel_k0", [](T x) { return special::modified_bessel_k0(x); }},
      {"special_modified_bessel_k1", [](T x) { return special::modified_bessel_k1(x); }},
      {"special_spherical_bessel_j0", [](T x) { return special::spherical_bessel_j0(x); }},
      {"special_airy_ai", [](T x) { return special::airy_ai(x); }},
      {"sinc", [](T x) { return strata::sinc(x); }},
      {"signbit", [](T x) { return strata::signbit(x); }},
      {"positive", [](T x) { return strata::positive(x); }},
      {"isposinf", [](T x) { return strata::isposinf(x); }},
      {"isneginf", [](T x) { return strata::isneginf(x); }},
      {"frexp", [](T x) { return strata::frexp(x); }},
      {"mvlgamma", [](T x, I p) { return strata::mvlgamma(x, p); }},
      {"special_xlog1py", [](T a, T b) { return special::xlog1py(a, b); }},
      {"special_zeta", [](T a, T b) { return special::zeta(a, b); }},
      {"igamma", [](T a, T x) { return strata::igamma(a, x); }},
      {"igammac", [](T a, T x) { return strata::igammac(a, x); }},
      {"special_chebyshev_polynomial_t", [](T x, T n) { return special::chebyshev_polynomial_t(x, n); }},
      {"special_chebyshev_polynomial_u", [](T x, T n) { return special::chebyshev_polynomial_u(x, n); }},
      {"special_hermite_polynomial_h", [](T x, T n) { return special::hermite_polynomial_h(x, n); }},
      {"special_hermite_polynomial_he", [](T x, T n) { return special::hermite_polynomial_he(x, n); }},
      {"special_laguerre_polynomial_l", [](T x, T n) { return special::laguerre_polynomial_l(x, n); }},
      {"special_legendre_polynomial_p", [](T x, T n) { return special::legendre_polynomial_p(x, n); }},
  };
}

Rows pair_rows() {
  return {
      {"copysign", [](T a, T b) { return strata::copysign(a, b); }},
      {"copysign", [](T a, S b) { return strata::copysign(a, b); }},
      {"heaviside", [](T a, T b) { return strata::heaviside(a, b); }},
      {"nextafter", [](T a, T b) { return strata::nextafter(a, b); }},
      {"ldexp", [](T a, T b) { return strata::ldexp(a, b); }},
      {"gcd", [](T a, T b) { return strata::gcd(a, b); }},
      {"lcm", [](T a, T b) { return strata::lcm(a, b); }},
      {"float_power", [](T a, T b) { return strata::float_power(a, b); }},
      {"float_power", [](T a, S b) { return strata::float_power(a, b); }},
      {"logaddexp2", [](T a, T b) { return strata::logaddexp2(a, b); }},
      {"dist", [](T a, T b, S p) { return strata::dist(a, b, p); }},
      {"cross", [](T a, T b, MaybeInt dim) { return strata::cross(a, b, dim); }},
  };
}

Rows statistics_rows() {
  using Interpolation = Text;
  return {
      {"quantile", [](T x, double q, MaybeInt dim, bool keep,
                      Interpolation i) { return strata::quantile(x, q, dim, keep, std::string(i)); }},
      {"quantile", [](T x, T q, MaybeInt dim, bool keep,
                      Interpolation i) { return strata::quantile(x, q, dim, keep, std::string(i)); }},
      {"nanquantile", [](T x, double q, MaybeInt dim, bool keep,
                         Interpolation i) { return strata::nanquantile(x, q, dim, keep, std::string(i)); }},
      {"nanmedian", [](T x) { return strata::nanmedian(x); }},
      {"nanmedian", [](T x, I dim, bool keep) { return strata::nanmedian(x, dim, keep); }},
      {"nanmedian_values", [](T x, I dim, bool keep) { return std::get<0>(strata::nanmedian(x, dim, keep)); }},
      {"mode_values", [](T x, I dim, bool keep) { return std::get<0>(strata::mode(x, dim, keep)); }},
      {"nanmean", [](T x, Dims dims, bool keep, MaybeDType dtype) { return strata::nanmean(x, dims, keep, dtype); }},
      {"mode", [](T x, I dim, bool keep) { return strata::mode(x, dim, keep); }},
      {"cov", [](T x, I correction) { return strata::cov(x, correction); }},
      {"corrcoef", [](T x) { return strata::corrcoef(x); }},
      {"logcumsumexp", [](T x, I dim) { return strata::logcumsumexp(x, dim); }},
      {"diff", [](T x, I n, I dim) { return strata::diff(x, n, dim); }},
      {"diff", [](T x, I n, I dim, Maybe before, Maybe after) { return strata::diff(x, n, dim, before, after); }},
      {"histc", [](T x, I bins, S low, S high) { return strata::histc(x, bins, low, high); }},
      {"renorm", [](T x, S p, I dim, S most) { return strata::renorm(x, p, dim, most); }},
      {"cdist", [](T a, T b, double p, MaybeInt mode) { return strata::cdist(a, b, p, mode); }},
      {"pdist", [](T x, double p) { return strata::pdist(x, p); }},
      {"trapezoid", [](T y, S dx, I dim) { return strata::trapezoid(y, dx, dim); }},
      {"trapezoid", [](T y, T x, I dim) { return strata::trapezoid(y, x, dim); }},
      {"cumulative_trapezoid", [](T y, S dx, I dim) { return strata::cumulative_trapezoid(y, dx, dim); }},
      {"unique_consecutive", [](T x, bool inverse, bool counts,
                                MaybeInt dim) { return strata::unique_consecutive(x, inverse, counts, dim); }},
      {"unique_dim", [](T x, I dim, bool sorted, bool inverse,
                        bool counts) { return strata::unique_dim(x, dim, sorted, inverse, counts); }},
      {"isin", [](T x, T of, bool unique, bool invert) { return strata::isin(x, of, unique, invert); }},
      {"msort", [](T x) { return strata::msort(x); }},
      {"argwhere", [](T x) { return strata::argwhere(x); }},
      {"gradient",
       [](T x, MaybeScalar spacing, MaybeInt dim, I order) { return strata::gradient(x, spacing, dim, order); }},
  };
}

Rows arranging_rows() {
  return {
      {"tensor_split", [](T x, I sections, I dim) { return strata::tensor_split(x, sections, dim); }},
      {"tensor_split", [](T x, IntArrayRef at, I dim) { return strata::tensor_split(x, at, dim); }},
      {"hsplit", [](T x, I sections) { return strata::hsplit(x, sections); }},
      {"vsplit", [](T x, I sections) { return strata::vsplit(x, sections); }},
      {"dsplit", [](T x, I sections) { return strata::dsplit(x, sections); }},
      {"rot90", [](T x, I k, IntArrayRef dims) { return strata::rot90(x, k, dims); }},
      {"swapaxes", [](T x, I a, I b) { return strata::swapaxes(x, a, b); }},
      {"column_stack", [](Tensors t) { return strata::column_stack(t); }},
      {"dstack", [](Tensors t) { return strata::dstack(t); }},
      {"block_diag", [](Tensors t) { return strata::block_diag(t); }},
      {"cartesian_prod", [](Tensors t) { return strata::cartesian_prod(t); }},
      {"atleast_1d", [](T x) { return strata::atleast_1d(x); }},
      {"atleast_2d", [](T x) { return strata::atleast_2d(x); }},
      {"atleast_3d", [](T x) { return strata::atleast_3d(x); }},
      {"combinations", [](T x, I r, bool again) { return strata::combinations(x, r, again); }},
      {"diagflat", [](T x, I offset) { return strata::diagflat(x, offset); }},
      {"linalg_vander", [](T x, MaybeInt n) { return strata::linalg::vander(x, n); }},
      {"narrow_copy", [](T x, I dim, I start, I length) { return strata::narrow_copy(x, dim, start, length); }},
      {"pixel_shuffle", [](T x, I factor) { return strata::nn::functional::pixel_shuffle(x, {factor}); }},
      {"pixel_unshuffle", [](T x, I factor) { return strata::nn::functional::pixel_unshuffle(x, {factor}); }},
      {"channel_shuffle", [](T x, I groups) { return strata::channel_shuffle(x, groups); }},
      {"im2col", [](T x, IntArrayRef kernel, IntArrayRef dilation, IntArrayRef padding,
                    IntArrayRef stride) { return strata::im2col(x, kernel, dilation, padding, stride); }},
      {"col2im", [](T x, IntArrayRef size, IntArrayRef kernel, IntArrayRef dilation, IntArrayRef padding,
                    IntArrayRef stride) { return strata::col2im(x, size, kernel, dilation, padding, stride); }},
      {"scatter_reduce", [](T x, I dim, T index, T source, Text reduce,
                            bool self) { return strata::scatter_reduce(x, dim, index, source, reduce, self); }},
      {"index_reduce", [](T x, I dim, T index, T source, Text reduce,
                          bool self) { return strata::index_reduce(x, dim, index, source, reduce, self); }},
      {"put", [](T x, T index, T source, bool add) { return strata::put(x, index, source, add); }},
  };
}

Rows matrix_rows() {
  return {
      {"linalg_det", [](T x) { return strata::linalg::det(x); }},
      {"linalg_inv", [](T x) { return strata::linalg::inv(x); }},
      {"linalg_solve", [](T a, T b, bool left) { return strata::linalg::solve(a, b, left); }},
      {"linalg_matrix_exp", [](T x) { return strata::linalg::matrix_exp(x); }},
      {"linalg_matrix_power", [](T x, I n) { return strata::linalg::matrix_power(x, n); }},
      {"linalg_multi_dot", [](Tensors t) { return strata::linalg::multi_dot(t); }},
      {"fft_fft", [](T x, MaybeInt n, I dim) { return strata::fft::fft(x, n, dim); }},
      {"fft_ifft", [](T x, MaybeInt n, I dim) { return strata::fft::ifft(x, n, dim); }},
      {"fft_rfft", [](T x, MaybeInt n, I dim) { return strata::fft::rfft(x, n, dim); }},
      {"fft_irfft", [](T x, MaybeInt n, I dim) { return strata::fft::irfft(x, n, dim); }},
      {"fft_hfft", [](T x, MaybeInt n, I dim) { return strata::fft::hfft(x, n, dim); }},
      {"fft_fftshift", [](T x, Dims dims) { return strata::fft::fftshift(x, dims); }},
  };
}

Rows volume_rows() {
  return {
      {"conv_transpose3d",
       [](T x, T w, Maybe b, IntArrayRef stride, IntArrayRef padding, IntArrayRef output_padding, I groups,
          IntArrayRef dilation) {
         return strata::conv_transpose3d(x, w, b, stride, padding, output_padding, groups, dilation);
       }},
      {"max_pool3d", [](T x, IntArrayRef k, IntArrayRef s, IntArrayRef p, IntArrayRef d,
                        bool ceil) { return strata::max_pool3d(x, k, s, p, d, ceil); }},
      {"avg_pool3d", [](T x, IntArrayRef k, IntArrayRef s, IntArrayRef p, bool ceil,
                        bool include) { return strata::avg_pool3d(x, k, s, p, ceil, include); }},
      {"adaptive_avg_pool3d", [](T x, IntArrayRef n) { return strata::adaptive_avg_pool3d(x, n); }},
      {"adaptive_max_pool3d", [](T x, IntArrayRef n) { return strata::adaptive_max_pool3d(x, n); }},
      {"grid_sampler",
       [](T x, T grid, I mode, I padding, bool align) { return strata::grid_sampler(x, grid, mode, padding, align); }},
      {"affine_grid_generator",
       [](T theta, IntArrayRef size, bool align) { return strata::affine_grid_generator(theta, size, align); }},
      {"multilabel_margin_loss",
       [](T x, T target, I reduction) { return strata::multilabel_margin_loss(x, target, reduction); }},
      {"embedding_bag",
       [](T weight, T indices, T offsets, bool by_freq, I mode, bool sparse, Maybe w, bool last, MaybeInt padding) {
         return std::get<0>(strata::embedding_bag(weight, indices, offsets, by_freq, mode, sparse, w, last, padding));
       }},
  };
}

}  // namespace

Rows breadth_rows() {
  Rows rows;
  for (auto family : {special_rows, pair_rows, statistics_rows, arranging_rows, matrix_rows, volume_rows})
    for (auto& row : family()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace differential
