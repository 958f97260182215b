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
  bool capturable = false;  ///< count and learning rate are read from tensors, `step` and `lr` are not used
  auto fields() const {
    return std::tie(lr, beta1, beta2, eps, weight_decay, step, decoupled, amsgrad, maximize, capturable);
  }
};

/// Updates `param` and its moments in place. All have param's shape and dtype; `max_exp_avg_sq` is used with `amsgrad`
/// alone.
void adam_step_(Tensor& param, const Tensor& grad, Tensor& exp_avg, Tensor& exp_avg_sq, Tensor& max_exp_avg_sq,
                const AdamStep& s);

/// A parameter with what its step reads and writes. All have the parameter's shape, dtype and device.
struct AdamSlot {
  Tensor param, grad, exp_avg, exp_avg_sq, max_exp_avg_sq;
};
/// The same for many parameters of one dtype and device at once, on a GPU in few kernels.
void adam_steps_(ArrayRef<AdamSlot> slots, const AdamStep& s);
/// The same with its numbers on the parameters' device, as a captured graph needs them: `count`, float64 (4,), starts
/// with the number of steps so far, which this raises by one, and has room for what follows from it; `lr` is a 0-dim
/// float64.
void adam_steps_(ArrayRef<AdamSlot> slots, const AdamStep& s, const Tensor& count, const Tensor& lr);

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

struct SgdSlot {
  Tensor param, grad, momentum_buffer;
};
/// The same for many parameters of one dtype and device at once.
void sgd_steps_(ArrayRef<SgdSlot> slots, const SgdStep& s);

}  // namespace strata
