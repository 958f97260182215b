// Fused optimizer loops over contiguous memory.
#pragma once
#include <cstdint>

namespace strata::cpu {

/// With p = shrink * param and g = sign * grad + decay * p: the moments move, then out = p - step_size * m / (sqrt(v) *
/// root + eps).
template <class T>
struct AdamArgs {
  T* out;
  const T* param;
  const T* grad;
  T* exp_avg;
  T* exp_avg_sq;
  T* max_exp_avg_sq = nullptr;  // null without amsgrad
  T sign, shrink, decay, one_minus_beta1, beta2, one_minus_beta2, inverse_root_correction, eps, step_size;

  AdamArgs at(int64_t i) const {
    AdamArgs a = *this;
    a.out += i, a.param += i, a.grad += i, a.exp_avg += i, a.exp_avg_sq += i;
    if (a.max_exp_avg_sq) a.max_exp_avg_sq += i;
    return a;
  }
};

/// With g = sign * grad + decay * param and buffer = keep * buffer + take * g: out = param - lr * (ahead * buffer + now
/// * g).
template <class T>
struct SgdArgs {
  T* out;
  const T* param;
  const T* grad;
  T* momentum_buffer = nullptr;  // null without momentum
  T sign, decay, lr, keep, take, ahead, now;

  SgdArgs at(int64_t i) const {
    SgdArgs a = *this;
    a.out += i, a.param += i, a.grad += i;
    if (a.momentum_buffer) a.momentum_buffer += i;
    return a;
  }
};

void vec_adam(const AdamArgs<float>& a, int64_t n);
void vec_adam(const AdamArgs<double>& a, int64_t n);
void vec_sgd(const SgdArgs<float>& a, int64_t n);
void vec_sgd(const SgdArgs<double>& a, int64_t n);

}  // namespace strata::cpu
