// What models are made of, beyond the rows of networks.cpp: layers, recurrent cells, losses and factors.
#include "test/differential/names.h"

namespace differential {
namespace {

namespace F = strata::nn::functional;
using L = IntArrayRef;

/// Copies of states, one of which may be a view of another.
template <class... States>
Tensors copies_of(const std::tuple<States...>& states) {
  return std::apply([](const States&... state) { return Tensors{state.clone()...}; }, states);
}

Rows layers() {
  return {
      {"conv1d", [](T x, T w, Maybe b, L stride, Text padding, L dilation,
                    I groups) { return strata::conv1d(x, w, b, stride, padding, dilation, groups); }},
      {"conv2d", [](T x, T w, Maybe b, L stride, Text padding, L dilation,
                    I groups) { return strata::conv2d(x, w, b, stride, padding, dilation, groups); }},
      {"conv3d", [](T x, T w, Maybe b, L stride, Text padding, L dilation,
                    I groups) { return strata::conv3d(x, w, b, stride, padding, dilation, groups); }},
      {"max_unpool1d",
       [](T x, L kernel) {
         auto [y, places] = strata::max_pool1d_with_indices(x, kernel);
         return F::max_unpool1d(y, places, F::MaxUnpool1dFuncOptions(kernel));
       }},
      {"max_unpool2d",
       [](T x, L kernel) {
         auto [y, places] = strata::max_pool2d_with_indices(x, kernel);
         return F::max_unpool2d(y, places, F::MaxUnpool2dFuncOptions(kernel));
       }},
      {"max_unpool3d",
       [](T x, L kernel) {
         auto [y, places] = strata::max_pool3d_with_indices(x, kernel);
         return F::max_unpool3d(y, places, F::MaxUnpool3dFuncOptions(kernel));
       }},
      {"lp_pool1d",
       [](T x, double p, L kernel, L stride, bool ceil) {
         return F::lp_pool1d(x, F::LPPool1dFuncOptions(p, kernel).stride(stride).ceil_mode(ceil));
       }},
      {"lp_pool2d",
       [](T x, double p, L kernel, L stride, bool ceil) {
         return F::lp_pool2d(x, F::LPPool2dFuncOptions(p, kernel).stride(stride).ceil_mode(ceil));
       }},
      {"softsign", [](T x) { return strata::softsign(x); }},
      {"tanhshrink", [](T x) { return strata::tanhshrink(x); }},
      {"softmin", [](T x, I dim) { return strata::softmin(x, dim); }},
      {"normalize", [](T x, double p, I dim,
                       double eps) { return F::normalize(x, F::NormalizeFuncOptions().p(p).dim(dim).eps(eps)); }},
  };
}

Rows cells() {
  return {
      {"rnn_tanh_cell", [](T x, T h, T w, T u, Maybe b,
                           Maybe c) { return strata::rnn_tanh_cell(x, h, w, u, tensor_of(b), tensor_of(c)); }},
      {"rnn_relu_cell", [](T x, T h, T w, T u, Maybe b,
                           Maybe c) { return strata::rnn_relu_cell(x, h, w, u, tensor_of(b), tensor_of(c)); }},
      {"gru_cell",
       [](T x, T h, T w, T u, Maybe b, Maybe c) { return strata::gru_cell(x, h, w, u, tensor_of(b), tensor_of(c)); }},
      {"lstm_cell", [](T x, Tensors h, T w, T u, Maybe b,
                       Maybe c) { return strata::lstm_cell(x, h, w, u, tensor_of(b), tensor_of(c)); }},
      {"rnn_tanh",
       [](T x, T h, Tensors w, bool biases, I count, double dropout, bool train, bool both_ways, bool batch_first) {
         return copies_of(strata::rnn_tanh(x, h, w, biases, count, dropout, train, both_ways, batch_first));
       }},
      {"rnn_relu",
       [](T x, T h, Tensors w, bool biases, I count, double dropout, bool train, bool both_ways, bool batch_first) {
         return copies_of(strata::rnn_relu(x, h, w, biases, count, dropout, train, both_ways, batch_first));
       }},
      {"gru",
       [](T x, T h, Tensors w, bool biases, I count, double dropout, bool train, bool both_ways, bool batch_first) {
         return copies_of(strata::gru(x, h, w, biases, count, dropout, train, both_ways, batch_first));
       }},
      {"lstm",
       [](T x, Tensors h, Tensors w, bool biases, I count, double dropout, bool train, bool both_ways,
          bool batch_first) {
         return copies_of(strata::lstm(x, h, w, biases, count, dropout, train, both_ways, batch_first));
       }},
      {"ctc_loss",
       [](T x, T y, L x_lengths, L y_lengths, I blank, I reduction, bool zero_infinity) {
         return strata::ctc_loss(x, y, x_lengths, y_lengths, blank, reduction, zero_infinity);
       }},
  };
}

Rows factors() {
  namespace linalg = strata::linalg;
  namespace fft = strata::fft;
  return {
      {"linalg_cholesky", [](T x, bool upper) { return linalg::cholesky(x, upper); }},
      {"linalg_eigvalsh", [](T x, Text half) { return linalg::eigvalsh(x, half); }},
      {"linalg_svdvals", [](T x) { return linalg::svdvals(x); }},
      {"linalg_slogdet", [](T x) { return linalg::slogdet(x); }},
      {"logdet", [](T x) { return strata::logdet(x); }},
      {"linalg_solve_triangular",
       [](T a, T b, bool upper, bool left, bool unit) { return linalg::solve_triangular(a, b, upper, left, unit); }},
      {"linalg_pinv", [](T x) { return linalg::pinv(x); }},
      {"linalg_matrix_norm",
       [](T x, S ord, L dims, bool keep, MaybeDType dtype) { return linalg::matrix_norm(x, ord, dims, keep, dtype); }},
      {"linalg_matrix_norm", [](T x, Text ord, L dims, bool keep,
                                MaybeDType dtype) { return linalg::matrix_norm(x, ord, dims, keep, dtype); }},
      {"linalg_vecdot", [](T a, T b, I dim) { return linalg::vecdot(a, b, dim); }},
      {"fft_fft2", [](T x, Dims s, L dims) { return fft::fft2(x, s, dims); }},
      {"fft_ifft2", [](T x, Dims s, L dims) { return fft::ifft2(x, s, dims); }},
      {"fft_rfft2", [](T x, Dims s, L dims) { return fft::rfft2(x, s, dims); }},
      {"fft_irfft2", [](T x, Dims s, L dims) { return fft::irfft2(x, s, dims); }},
      {"fft_fftn", [](T x, Dims s, Dims dims) { return fft::fftn(x, s, dims); }},
      {"fft_ifftn", [](T x, Dims s, Dims dims) { return fft::ifftn(x, s, dims); }},
      {"fft_rfftn", [](T x, Dims s, Dims dims) { return fft::rfftn(x, s, dims); }},
      {"slice_scatter", [](T x, T y, I dim, MaybeInt start, MaybeInt stop,
                           I step) { return strata::slice_scatter(x, y, dim, start, stop, step); }},
      {"diagonal_scatter",
       [](T x, T y, I offset, I dim1, I dim2) { return strata::diagonal_scatter(x, y, offset, dim1, dim2); }},
      {"searchsorted",
       [](T edges, T x, bool narrow, bool right) { return strata::searchsorted(edges, x, narrow, right); }},
  };
}

}  // namespace

Rows model_rows() {
  Rows rows;
  for (auto family : {layers, cells, factors})
    for (auto& row : family()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace differential
