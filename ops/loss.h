// Losses with libtorch's names and arguments. `reduction` is Reduction::None, Mean or Sum.
#pragma once
#include "../core/tensor.h"

namespace strata {

/// How the values of a loss become one: not at all, their mean, their sum (libtorch's at::Reduction).
namespace Reduction {
enum Reduction : int64_t { None, Mean, Sum, END };
}

/// -weight[target] * x[target] for log-probabilities x `(C)`, `(N, C)` or `(N, C, d1, …)` and int64 targets `()`,
/// `(N)` or
/// `(N, d1, …)`; the mean is weighted. Targets equal to `ignore_index` count nothing; others outside [0, C) throw
/// IndexError.
Tensor nll_loss(const Tensor& x, const Tensor& target, OptionalTensorRef weight = {},
                int64_t reduction = Reduction::Mean, int64_t ignore_index = -100);
Tensor nll_loss2d(const Tensor& x, const Tensor& target, OptionalTensorRef weight = {},
                  int64_t reduction = Reduction::Mean, int64_t ignore_index = -100);
Tensor nll_loss_nd(const Tensor& x, const Tensor& target, OptionalTensorRef weight = {},
                   int64_t reduction = Reduction::Mean, int64_t ignore_index = -100);
/// nll_loss of log_softmax(x); targets are class indices, or probabilities of x's shape and a floating point dtype.
Tensor cross_entropy_loss(const Tensor& x, const Tensor& target, OptionalTensorRef weight = {},
                          int64_t reduction = Reduction::Mean, int64_t ignore_index = -100, double label_smoothing = 0);
/// In a namespace of its own, which the lookup by arguments passes by: programs for libtorch, which has no function of
/// this name there, have one of their own.
namespace by_name_alone {
Tensor cross_entropy(const Tensor& x, const Tensor& target, OptionalTensorRef weight = {},
                     int64_t reduction = Reduction::Mean, int64_t ignore_index = -100, double label_smoothing = 0);
}
using namespace by_name_alone;

/// (x - target)^2
Tensor mse_loss(const Tensor& x, const Tensor& target, int64_t reduction = Reduction::Mean);
/// |x - target|
Tensor l1_loss(const Tensor& x, const Tensor& target, int64_t reduction = Reduction::Mean);
/// Square / (2 beta) below beta, |x - target| - beta / 2 above.
Tensor smooth_l1_loss(const Tensor& x, const Tensor& target, int64_t reduction = Reduction::Mean, double beta = 1);
/// Square / 2 up to delta, delta (|x - target| - delta / 2) above.
Tensor huber_loss(const Tensor& x, const Tensor& target, int64_t reduction = Reduction::Mean, double delta = 1);
/// -(target log(x) + (1 - target) log(1 - x)) for x in [0, 1], the logarithms being cut at -100. The target may have
/// other dims of size 1 than x.
Tensor binary_cross_entropy(const Tensor& x, const Tensor& target, OptionalTensorRef weight = {},
                            int64_t reduction = Reduction::Mean);
/// The same for sigmoid(x), without overflow; `pos_weight` multiplies the first term.
Tensor binary_cross_entropy_with_logits(const Tensor& x, const Tensor& target, OptionalTensorRef weight = {},
                                        OptionalTensorRef pos_weight = {}, int64_t reduction = Reduction::Mean);
/// target (log(target) - x) for log-probabilities x; with `log_target` the target is a logarithm too.
Tensor kl_div(const Tensor& x, const Tensor& target, int64_t reduction = Reduction::Mean, bool log_target = false);
/// exp(x) - target x, or x - target log(x + eps) unless `log_input`; `full` adds Stirling's approximation of
/// log(target!).
Tensor poisson_nll_loss(const Tensor& x, const Tensor& target, bool log_input, bool full, double eps,
                        int64_t reduction);
/// (log(var) + (x - target)^2 / var) / 2 with var at least eps; `full` adds log(2 pi) / 2.
Tensor gaussian_nll_loss(const Tensor& x, const Tensor& target, const Tensor& var, bool full = false, double eps = 1e-6,
                         int64_t reduction = Reduction::Mean);

/// x where target is 1, max(0, margin - x) where it is -1.
Tensor hinge_embedding_loss(const Tensor& x, const Tensor& target, double margin = 1,
                            int64_t reduction = Reduction::Mean);
/// max(0, margin - target (a - b))
Tensor margin_ranking_loss(const Tensor& a, const Tensor& b, const Tensor& target, double margin = 0,
                           int64_t reduction = Reduction::Mean);
/// log(1 + exp(-target x))
Tensor soft_margin_loss(const Tensor& x, const Tensor& target, int64_t reduction = Reduction::Mean);
/// 1 - cos(a, b) where target is 1, max(0, cos(a, b) - margin) where it is -1, over the last dim.
Tensor cosine_embedding_loss(const Tensor& a, const Tensor& b, const Tensor& target, double margin = 0,
                             int64_t reduction = Reduction::Mean);
/// max(0, margin + |anchor - positive|_p - |anchor - negative|_p); with `swap` the nearer of anchor and positive
/// counts.
Tensor triplet_margin_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative, double margin = 1,
                           double p = 2, double eps = 1e-6, bool swap = false, int64_t reduction = Reduction::Mean);
/// |a - b + eps|_p over the last dim.
Tensor pairwise_distance(const Tensor& a, const Tensor& b, double p = 2, double eps = 1e-6, bool keepdim = false);
/// sum(a b) / max(|a| |b|, eps) along `dim`, after broadcasting.
Tensor cosine_similarity(const Tensor& a, const Tensor& b, int64_t dim = 1, double eps = 1e-8);

}  // namespace strata
