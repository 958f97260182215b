// Fused optimizer steps: one pass over a parameter, its gradient and its state. Nothing is recorded for gradients.
#pragma once
#include "../core/tensor.h"

namespace strata {

/// Numbers of one step of Adam (Kingma and Ba 2015) or, with `decoupled`, AdamW (Loshchilov and Hutter 2019).
struct AdamStep {
  double lr = 1e-3, beta1 = 0.9, beta2 = 0.999, eps = 1e-8, weight_decay = 0;
  int64_t step = 1;        ///< counts from 1
  bool decoupled = false;  ///< weight decay on the parameter instead of the gradient
  bool amsgrad = false;
  bool maximize = false;
  auto fields() const { return std::tie(lr, beta1, beta2, eps, weight_decay, step, decoupled, amsgrad, maximize); }
};

/// Updates `param` and its moments in place. All have param's shape and dtype; `max_exp_avg_sq` is used with `amsgrad`
/// alone.
void adam_step_(Tensor& param, const Tensor& grad, Tensor& exp_avg, Tensor& exp_avg_sq, Tensor& max_exp_avg_sq,
                const AdamStep& s);

/// Numbers of one step of stochastic gradient descent.
struct SgdStep {
  double lr = 1e-3, momentum = 0, dampening = 0, weight_decay = 0;
  bool nesterov = false;
  bool maximize = false;
  bool first = false;  ///< the momentum buffer is empty yet: it becomes the gradient
  auto fields() const { return std::tie(lr, momentum, dampening, weight_decay, nesterov, maximize, first); }
};

/// Updates `param` and, with momentum, its buffer in place. The buffer may be undefined without momentum.
void sgd_step_(Tensor& param, const Tensor& grad, Tensor& momentum_buffer, const SgdStep& s);

}  // namespace strata
