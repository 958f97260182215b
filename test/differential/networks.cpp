// Matrix products, convolutions, pooling, norms and losses.
#include "test/differential/names.h"

namespace differential {
namespace {

Rows product_rows() {
  return {
      {"mm", &Tensor::mm},
      {"bmm", &Tensor::bmm},
      {"matmul", &Tensor::matmul},
      {"mv", &Tensor::mv},
      {"dot", &Tensor::dot},
      {"vdot", &Tensor::vdot},
      {"inner", &Tensor::inner},
      {"outer", &Tensor::outer},
      {"kron", &Tensor::kron},
      {"addmm", &Tensor::addmm, &Tensor::addmm_},
      {"addmv", &Tensor::addmv, &Tensor::addmv_},
      {"addr", &Tensor::addr, &Tensor::addr_},
      {"baddbmm", &Tensor::baddbmm, &Tensor::baddbmm_},
      {"addbmm", &Tensor::addbmm, &Tensor::addbmm_},
      {"linear", [](T x, T weight, Maybe bias) { return strata::linear(x, weight, bias); }},
      {"bilinear", [](T a, T b, T weight, Maybe bias) { return strata::bilinear(a, b, weight, bias); }},
      {"tensordot", [](T a, T b, IntArrayRef i, IntArrayRef j) { return strata::tensordot(a, b, i, j); }},
      {"einsum", [](Text equation, Tensors operands) { return strata::einsum(equation, operands); }},
  };
}

using Sizes = std::optional<std::vector<int64_t>>;
using Scales = std::optional<std::vector<double>>;

template <class Mode>
Tensor resampled(T x, const Sizes& sizes, const Scales& scales, Mode mode, std::optional<bool> align = std::nullopt) {
  auto options = strata::nn::functional::InterpolateFuncOptions().mode(mode);
  if (sizes) options.size(*sizes);
  if (scales) options.scale_factor(*scales);
  if (align) options.align_corners(*align);
  return strata::nn::functional::interpolate(x, options);
}

Rows resampling_rows() {
  return {
      {"upsample_nearest1d",
       [](T x, Sizes sizes, Scales scales) { return resampled(x, sizes, scales, strata::kNearest); }},
      {"area", [](T x, Sizes sizes) { return resampled(x, sizes, {}, strata::kArea); }},
      {"upsample_nearest2d",
       [](T x, Sizes sizes, Scales scales) { return resampled(x, sizes, scales, strata::kNearest); }},
      {"_upsample_nearest_exact1d",
       [](T x, Sizes sizes, Scales scales) { return resampled(x, sizes, scales, strata::kNearestExact); }},
      {"_upsample_nearest_exact2d",
       [](T x, Sizes sizes, Scales scales) { return resampled(x, sizes, scales, strata::kNearestExact); }},
      {"upsample_nearest3d",
       [](T x, Sizes sizes, Scales scales) { return resampled(x, sizes, scales, strata::kNearest); }},
      {"upsample_trilinear3d", [](T x, Sizes sizes, bool align,
                                  Scales scales) { return resampled(x, sizes, scales, strata::kTrilinear, align); }},
      {"upsample_linear1d",
       [](T x, Sizes sizes, bool align, Scales scales) { return resampled(x, sizes, scales, strata::kLinear, align); }},
      {"upsample_bilinear2d", [](T x, Sizes sizes, bool align,
                                 Scales scales) { return resampled(x, sizes, scales, strata::kBilinear, align); }},
      {"upsample_bicubic2d", [](T x, Sizes sizes, bool align,
                                Scales scales) { return resampled(x, sizes, scales, strata::kBicubic, align); }},
  };
}

strata::Choice reduction_of(I number) {
  using namespace strata;
  return number == Reduction::None ? Choice::None : number == Reduction::Mean ? Choice::Mean : Choice::Sum;
}

Rows layer_rows() {
  using L = IntArrayRef;
  return {
      {"conv1d", [](T x, T w, Maybe b, L stride, L pad, L dilation,
                    I groups) { return strata::conv1d(x, w, b, stride, pad, dilation, groups); }},
      {"conv2d", [](T x, T w, Maybe b, L stride, L pad, L dilation,
                    I groups) { return strata::conv2d(x, w, b, stride, pad, dilation, groups); }},
      {"conv3d", [](T x, T w, Maybe b, L stride, L pad, L dilation,
                    I groups) { return strata::conv3d(x, w, b, stride, pad, dilation, groups); }},
      {"conv_transpose1d",
       [](T x, T w, Maybe b, L stride, L pad, L extra, I groups, L dilation) {
         return strata::conv_transpose1d(x, w, b, stride, pad, extra, groups, dilation);
       }},
      {"conv_transpose2d",
       [](T x, T w, Maybe b, L stride, L pad, L extra, I groups, L dilation) {
         return strata::conv_transpose2d(x, w, b, stride, pad, extra, groups, dilation);
       }},
      {"scaled_dot_product_attention",
       [](T q, T k, T v, Maybe mask, double dropout, bool causal, MaybeDouble scale) {
         return strata::scaled_dot_product_attention(q, k, v, mask, dropout, causal, scale);
       }},
      {"max_pool1d", [](T x, L k, L stride, L pad, L dilation,
                        bool ceil) { return strata::max_pool1d(x, k, stride, pad, dilation, ceil); }},
      {"max_pool2d", [](T x, L k, L stride, L pad, L dilation,
                        bool ceil) { return strata::max_pool2d(x, k, stride, pad, dilation, ceil); }},
      {"avg_pool1d", [](T x, L k, L stride, L pad, bool ceil,
                        bool with_pad) { return strata::avg_pool1d(x, k, stride, pad, ceil, with_pad); }},
      {"avg_pool2d", [](T x, L k, L stride, L pad, bool ceil,
                        bool with_pad) { return strata::avg_pool2d(x, k, stride, pad, ceil, with_pad); }},
      {"avg_pool2d", [](T x, L k, L stride, L pad, bool ceil, bool with_pad,
                        MaybeInt divisor) { return strata::avg_pool2d(x, k, stride, pad, ceil, with_pad, divisor); }},
      {"max_pool2d_with_indices",
       [](T x, L k, L stride, L pad, L dilation, bool ceil) {
         return strata::max_pool2d_with_indices(x, k, stride, pad, dilation, ceil);
       }},
      {"adaptive_avg_pool1d", [](T x, L sizes) { return strata::adaptive_avg_pool1d(x, sizes); }},
      {"adaptive_avg_pool2d", [](T x, L sizes) { return strata::adaptive_avg_pool2d(x, sizes); }},
      {"adaptive_max_pool1d", [](T x, L sizes) { return strata::adaptive_max_pool1d(x, sizes); }},
      {"adaptive_max_pool2d", [](T x, L sizes) { return strata::adaptive_max_pool2d(x, sizes); }},
      {"batch_norm", [](T x, Maybe w, Maybe b, Maybe mean, Maybe var, bool train, double momentum, double eps,
                        bool fast) { return strata::batch_norm(x, w, b, mean, var, train, momentum, eps, fast); }},
      {"instance_norm",
       [](T x, Maybe w, Maybe b, Maybe mean, Maybe var, bool of_input, double momentum, double eps, bool fast) {
         return strata::instance_norm(x, w, b, mean, var, of_input, momentum, eps, fast);
       }},
      {"local_response_norm", [](T x, I size, double alpha, double beta,
                                 double k) { return strata::local_response_norm(x, size, alpha, beta, k); }},
      {"layer_norm",
       [](T x, L sizes, Maybe w, Maybe b, double eps) { return strata::layer_norm(x, sizes, w, b, eps); }},
      {"group_norm",
       [](T x, I groups, Maybe w, Maybe b, double eps) { return strata::group_norm(x, groups, w, b, eps); }},
      {"rms_norm", [](T x, L sizes, Maybe w, MaybeDouble eps) { return strata::rms_norm(x, sizes, w, eps); }},
  };
}

Rows loss_rows() {
  return {
      {"nll_loss_nd",
       [](T x, T y, Maybe w, I reduction, I ignore) { return strata::nll_loss_nd(x, y, w, reduction, ignore); }},
      {"cross_entropy_loss",
       [](T x, T y, Maybe w, I reduction, I ignore, double smoothing) {
         return strata::cross_entropy_loss(x, y, w, reduction, ignore, smoothing);
       }},
      {"mse_loss", [](T x, T y, I reduction) { return strata::mse_loss(x, y, reduction); }},
      {"l1_loss", [](T x, T y, I reduction) { return strata::l1_loss(x, y, reduction); }},
      {"smooth_l1_loss",
       [](T x, T y, I reduction, double beta) { return strata::smooth_l1_loss(x, y, reduction, beta); }},
      {"huber_loss", [](T x, T y, I reduction, double delta) { return strata::huber_loss(x, y, reduction, delta); }},
      {"binary_cross_entropy",
       [](T x, T y, Maybe w, I reduction) { return strata::binary_cross_entropy(x, y, w, reduction); }},
      {"binary_cross_entropy_with_logits",
       [](T x, T y, Maybe w, Maybe pos, I reduction) {
         return strata::binary_cross_entropy_with_logits(x, y, w, pos, reduction);
       }},
      {"kl_div", [](T x, T y, I reduction, bool log_target) { return strata::kl_div(x, y, reduction, log_target); }},
      {"poisson_nll_loss", [](T x, T y, bool log_input, bool full, double eps,
                              I reduction) { return strata::poisson_nll_loss(x, y, log_input, full, eps, reduction); }},
      {"gaussian_nll_loss", [](T x, T y, T var, bool full, double eps,
                               I reduction) { return strata::gaussian_nll_loss(x, y, var, full, eps, reduction); }},
      {"multi_margin_loss",
       [](T x, T y, S p, double margin, Maybe w, I reduction) {
         auto options = strata::nn::MultiMarginLossOptions().p(p.toLong()).margin(margin).weight(tensor_of(w));
         return strata::nn::functional::multi_margin_loss(x, y, options.reduction(reduction_of(reduction)));
       }},
      {"multilabel_soft_margin_loss",
       [](T x, T y, Maybe w, I reduction) {
         return strata::nn::functional::multilabel_soft_margin_loss(
             x, y,
             strata::nn::MultiLabelSoftMarginLossOptions().weight(tensor_of(w)).reduction(reduction_of(reduction)));
       }},
      {"hinge_embedding_loss",
       [](T x, T y, double margin, I reduction) { return strata::hinge_embedding_loss(x, y, margin, reduction); }},
      {"margin_ranking_loss", [](T a, T b, T y, double margin,
                                 I reduction) { return strata::margin_ranking_loss(a, b, y, margin, reduction); }},
      {"soft_margin_loss", [](T x, T y, I reduction) { return strata::soft_margin_loss(x, y, reduction); }},
      {"cosine_embedding_loss", [](T a, T b, T y, double margin,
                                   I reduction) { return strata::cosine_embedding_loss(a, b, y, margin, reduction); }},
      {"triplet_margin_loss",
       [](T a, T b, T c, double margin, double p, double eps, bool swap, I reduction) {
         return strata::triplet_margin_loss(a, b, c, margin, p, eps, swap, reduction);
       }},
      {"pairwise_distance",
       [](T a, T b, double p, double eps, bool keep) { return strata::pairwise_distance(a, b, p, eps, keep); }},
      {"cosine_similarity", [](T a, T b, I dim, double eps) { return strata::cosine_similarity(a, b, dim, eps); }},
  };
}

}  // namespace

Rows network_rows() {
  Rows rows;
  for (auto family : {product_rows, resampling_rows, layer_rows, loss_rows})
    for (auto& row : family()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace differential
