// The gradients of losses and distances.
#include "compat/parts/aten.h"
#include "compat/parts/backward.h"
#include "compat/parts/pulled.h"

namespace strata {
namespace {

using detail::pulled;

/// Of a loss whose elements are `each(x, target)`: `grad` broadcasts over them, whatever the reduction.
template <class F>
Tensor of_elements(const Tensor& grad, const Tensor& self, const Tensor& target, int64_t reduction, const F& each) {
  const std::vector<Tensor> both = broadcast_tensors({self, target});
  const Tensor share = reduction == Reduction::Mean ? grad / self.numel() : grad;
  return pulled(share.expand_as(both[0]), both[0], [&](const Tensor& x) { return each(x, both[1]); });
}

/// Of a mean that was divided by `total_weight`: of the sum whose gradient is that much less.
template <class F>
Tensor of_weighted(const Tensor& grad, const Tensor& self, int64_t reduction, const Tensor& total_weight,
                   const F& loss) {
  const bool is_mean = reduction == Reduction::Mean;
  const Tensor share = is_mean ? grad / total_weight.to(grad.dtype()) : grad;
  const int64_t form = is_mean ? int64_t{Reduction::Sum} : reduction;
  return pulled(share, self, [&](const Tensor& x) { return loss(x, form); });
}

}  // namespace

Tensor mse_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target, int64_t reduction) {
  return of_elements(grad_output, self, target, reduction,
                     [](const Tensor& x, const Tensor& t) { return mse_loss(x, t, Reduction::None); });
}
Tensor huber_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target, int64_t reduction,
                           double delta) {
  return of_elements(grad_output, self, target, reduction,
                     [&](const Tensor& x, const Tensor& t) { return huber_loss(x, t, Reduction::None, delta); });
}
Tensor smooth_l1_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target, int64_t reduction,
                               double beta) {
  return of_elements(grad_output, self, target, reduction,
                     [&](const Tensor& x, const Tensor& t) { return smooth_l1_loss(x, t, Reduction::None, beta); });
}
Tensor soft_margin_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                 int64_t reduction) {
  return of_elements(grad_output, self, target, reduction,
                     [](const Tensor& x, const Tensor& t) { return soft_margin_loss(x, t, Reduction::None); });
}
Tensor binary_cross_entropy_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                     OptionalTensorRef weight, int64_t reduction) {
  return of_elements(grad_output, self, target, reduction, [&](const Tensor& x, const Tensor& t) {
    return binary_cross_entropy(x, t, weight, Reduction::None);
  });
}
Tensor nll_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target, OptionalTensorRef weight,
                         int64_t reduction, int64_t ignore_index, const Tensor& total_weight) {
  return of_weighted(grad_output, self, reduction, total_weight,
                     [&](const Tensor& x, int64_t form) { return nll_loss(x, target, weight, form, ignore_index); });
}
Tensor nll_loss2d_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                           OptionalTensorRef weight, int64_t reduction, int64_t ignore_index,
                           const Tensor& total_weight) {
  return of_weighted(grad_output, self, reduction, total_weight,
                     [&](const Tensor& x, int64_t form) { return nll_loss2d(x, target, weight, form, ignore_index); });
}
Tensor multi_margin_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target, const Scalar& p,
                                  const Scalar& margin, const std::optional<Tensor>& weight, int64_t reduction) {
  return pulled(grad_output, self,
                [&](const Tensor& x) { return multi_margin_loss(x, target, p, margin, weight, reduction); });
}
Tensor multilabel_margin_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                       int64_t reduction, const Tensor&) {
  return pulled(grad_output, self, [&](const Tensor& x) { return multilabel_margin_loss(x, target, reduction); });
}

Tensor _cdist_backward(const Tensor& grad, const Tensor& x1, const Tensor& x2, double p, const Tensor&) {
  return pulled(grad, x1, [&](const Tensor& x) { return cdist(x, x2, p); });
}
Tensor _pdist_backward(const Tensor& grad, const Tensor& self, double p, const Tensor&) {
  return pulled(grad, self, [&](const Tensor& x) { return pdist(x, p); });
}

}  // namespace strata
