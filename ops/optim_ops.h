// Fused optimizer steps: one pass over a parameter, its gradient and its state. Nothing is recorded for gradients.
// Complex parameters step as pairs of real numbers.
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
/// The same with its numbers on the parameters' device, as a captured graph needs them: `count`, float64
/// (kStepCounts,), starts with the number of steps so far, which this raises by one, and has room for what follows from
/// it; `lr` is a 0-dim float64.
void adam_steps_(ArrayRef<AdamSlot> slots, const AdamStep& s, const Tensor& count, const Tensor& lr);
inline constexpr int64_t kStepCounts = 4;

/// Numbers of one step of stochastic gradient descent.
struct SgdStep {
  double lr = 1e-3, momentum = 0, dampening = 0, weight_decay = 0;
  bool nesterov = false;
  bool maximize = false;
  bool first = false;       ///< the momentum buffer is empty yet: it becomes the gradient
  bool capturable = false;  ///< the learning rate is read from a tensor
  auto fields() const { return std::tie(lr, momentum, dampening, weight_decay, nesterov, maximize, first, capturable); }
};

/// Updates `param` and, with momentum, its buffer in place. The buffer may be undefined without momentum.
void sgd_step_(Tensor& param, const Tensor& grad, Tensor& momentum_buffer, const SgdStep& s);

struct SgdSlot {
  Tensor param, grad, momentum_buffer;
};
/// The same for many parameters of one dtype and device at once.
void sgd_steps_(ArrayRef<SgdSlot> slots, const SgdStep& s);
/// The same with `lr`, a 0-dim float64 on the parameters' device, in place of the number.
void sgd_steps_(ArrayRef<SgdSlot> slots, const SgdStep& s, const Tensor& lr);

/// Numbers of one step of RMSprop (Tieleman and Hinton 2012), centred by choice (Graves 2013).
struct RmspropStep {
  double lr = 1e-2, alpha = 0.99, eps = 1e-8, weight_decay = 0, momentum = 0;
  bool centered = false;
  bool maximize = false;
  bool capturable = false;  ///< the learning rate is read from a tensor, and a count of steps is raised
  auto fields() const { return std::tie(lr, alpha, eps, weight_decay, momentum, centered, maximize, capturable); }
};

/// `grad_avg` is used when centred, `momentum_buffer` with momentum alone.
struct RmspropSlot {
  Tensor param, grad, square_avg, grad_avg, momentum_buffer;
};
/// Updates the parameters and their state in place; all are of one dtype and device.
void rmsprop_steps_(ArrayRef<RmspropSlot> slots, const RmspropStep& s);
/// The same with `count` and `lr` as in `adam_steps_`.
void rmsprop_steps_(ArrayRef<RmspropSlot> slots, const RmspropStep& s, const Tensor& count, const Tensor& lr);

/// Numbers of one step of Adagrad (Duchi et al. 2011).
struct AdagradStep {
  double lr = 1e-2, lr_decay = 0, eps = 1e-10, weight_decay = 0;
  int64_t step = 1;  ///< counts from 1
  bool maximize = false;
  bool capturable = false;  ///< count and learning rate are read from tensors, `step` and `lr` are not used
  auto fields() const { return std::tie(lr, lr_decay, eps, weight_decay, step, maximize, capturable); }
};

struct AdagradSlot {
  Tensor param, grad, sum;
};
/// Updates the parameters and their state in place; all are of one dtype and device.
void adagrad_steps_(ArrayRef<AdagradSlot> slots, const AdagradStep& s);
/// The same with `count` and `lr` as in `adam_steps_`.
void adagrad_steps_(ArrayRef<AdagradSlot> slots, const AdagradStep& s, const Tensor& count, const Tensor& lr);

/// Numbers of one step of Adamax (Kingma and Ba 2015, 7.1).
struct AdamaxStep {
  double lr = 2e-3, beta1 = 0.9, beta2 = 0.999, eps = 1e-8, weight_decay = 0;
  int64_t step = 1;  ///< counts from 1
  bool maximize = false;
  bool capturable = false;  ///< count and learning rate are read from tensors, `step` and `lr` are not used
  auto fields() const { return std::tie(lr, beta1, beta2, eps, weight_decay, step, maximize, capturable); }
};

struct AdamaxSlot {
  Tensor param, grad, exp_avg, exp_inf;
};
/// Updates the parameters and their state in place; all are of one dtype and device.
void adamax_steps_(ArrayRef<AdamaxSlot> slots, const AdamaxStep& s);
/// The same with `count` and `lr` as in `adam_steps_`.
void adamax_steps_(ArrayRef<AdamaxSlot> slots, const AdamaxStep& s, const Tensor& count, const Tensor& lr);

/// Numbers of one step of NAdam (Dozat 2016): `mu` is the momentum of this step, `mu_next` of the one after it, and
/// `mu_product` that of all so far.
struct NadamStep {
  double lr = 2e-3, beta1 = 0.9, beta2 = 0.999, eps = 1e-8, weight_decay = 0, mu = 0, mu_next = 0, mu_product = 0;
  int64_t step = 1;  ///< counts from 1
  bool decoupled = false;
  bool maximize = false;
  auto fields() const {
    return std::tie(lr, beta1, beta2, eps, weight_decay, mu, mu_next, mu_product, step, decoupled, maximize);
  }
};

struct NadamSlot {
  Tensor param, grad, exp_avg, exp_avg_sq;
};
/// Updates the parameters and their state in place; all are of one dtype and device.
void nadam_steps_(ArrayRef<NadamSlot> slots, const NadamStep& s);

/// Numbers of one step of RAdam (Liu et al. 2020).
struct RadamStep {
  double lr = 1e-3, beta1 = 0.9, beta2 = 0.999, eps = 1e-8, weight_decay = 0;
  int64_t step = 1;  ///< counts from 1
  bool decoupled = false;
  bool maximize = false;
  bool capturable = false;  ///< count and learning rate are read from tensors, `step` and `lr` are not used
  auto fields() const { return std::tie(lr, beta1, beta2, eps, weight_decay, step, decoupled, maximize, capturable); }
};

struct RadamSlot {
  Tensor param, grad, exp_avg, exp_avg_sq;
};
/// Updates the parameters and their state in place; all are of one dtype and device.
void radam_steps_(ArrayRef<RadamSlot> slots, const RadamStep& s);
/// The same with `count` and `lr` as in `adam_steps_`.
void radam_steps_(ArrayRef<RadamSlot> slots, const RadamStep& s, const Tensor& count, const Tensor& lr);

/// Numbers of one step of Adadelta (Zeiler 2012).
struct AdadeltaStep {
  double lr = 1, rho = 0.9, eps = 1e-6, weight_decay = 0;
  bool maximize = false;
  bool capturable = false;  ///< the learning rate is read from a tensor, and a count of steps is raised
  auto fields() const { return std::tie(lr, rho, eps, weight_decay, maximize, capturable); }
};

struct AdadeltaSlot {
  Tensor param, grad, square_avg, acc_delta;
};
/// Updates the parameters and their state in place; all are of one dtype and device.
void adadelta_steps_(ArrayRef<AdadeltaSlot> slots, const AdadeltaStep& s);
/// The same with `count` and `lr` as in `adam_steps_`.
void adadelta_steps_(ArrayRef<AdadeltaSlot> slots, const AdadeltaStep& s, const Tensor& count, const Tensor& lr);

/// Numbers of one step of Rprop (Riedmiller and Braun 1993), without a learning rate: each weight has its own step
/// size.
struct RpropStep {
  double eta_minus = 0.5, eta_plus = 1.2, min_step = 1e-6, max_step = 50;
  bool maximize = false;
  auto fields() const { return std::tie(eta_minus, eta_plus, min_step, max_step, maximize); }
};

/// `prev` is the last step's gradient.
struct RpropSlot {
  Tensor param, grad, prev, step_size;
};
/// Updates the parameters and their state in place; all are of one dtype and device.
void rprop_steps_(ArrayRef<RpropSlot> slots, const RpropStep& s);

/// Numbers of one step of averaged gradient descent (Polyak and Juditsky 1992): its size `eta`, the decay `lambd`, and
/// the weight `mu` of the new parameter in the average.
struct AsgdStep {
  double eta = 1e-2, lambd = 1e-4, weight_decay = 0, mu = 1;
  bool maximize = false;
  auto fields() const { return std::tie(eta, lambd, weight_decay, mu, maximize); }
};

/// `ax` is the average.
struct AsgdSlot {
  Tensor param, grad, ax;
};
/// Updates the parameters and their state in place; all are of one dtype and device.
void asgd_steps_(ArrayRef<AsgdSlot> slots, const AsgdStep& s);

/// Numbers of one step of Lion (Chen et al. 2023), whose weight decay is decoupled.
struct LionStep {
  double lr = 1e-4, beta1 = 0.9, beta2 = 0.99, weight_decay = 0;
  bool maximize = false;
  bool capturable = false;  ///< the learning rate is read from a tensor, and a count of steps is raised
  auto fields() const { return std::tie(lr, beta1, beta2, weight_decay, maximize, capturable); }
};

struct LionSlot {
  Tensor param, grad, exp_avg;
};
/// Updates the parameters and their state in place; all are of one dtype and device.
void lion_steps_(ArrayRef<LionSlot> slots, const LionStep& s);
/// The same with `count` and `lr` as in `adam_steps_`.
void lion_steps_(ArrayRef<LionSlot> slots, const LionStep& s, const Tensor& count, const Tensor& lr);

}  // namespace strata
