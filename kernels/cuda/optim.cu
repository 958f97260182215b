// CUDA kernels of the fused optimizer steps: one launch for many parameters.
#include "kernels/cuda/copy.h"
#include "kernels/cuda/multi_tensor.cuh"
#include "kernels/visit_floating.h"
#include "ops/optim_ops_def.h"

namespace strata::cuda {
namespace {

/// With p = shrink * param and g = sign * grad + decay * p: the moments move, then param = p - step_size * m / (sqrt(v)
/// * root + eps).
template <class C, bool amsgrad>
struct Adam {
  static constexpr int kWidth = amsgrad ? 5 : 4;
  static constexpr int kKept = 1;  ///< the gradient
  const double* count;             ///< of a capturable step, else null
  C sign, shrink, decay, one_minus_beta1, beta2, one_minus_beta2, inverse_root_correction, eps, step_size;

  STRATA_HD void find_numbers() {
    if (!count) return;
    inverse_root_correction = static_cast<C>(count[kInverseRootCorrection]);
    step_size = static_cast<C>(count[kStepSize]);
    shrink = static_cast<C>(count[kShrink]);
  }
  /// Of param, grad, exp_avg, exp_avg_sq[, max_exp_avg_sq].
  STRATA_HD void operator()(C (&x)[kWidth]) const {
    const C p = x[0] * shrink, g = std::fma(x[1], sign, p * decay);
    const C m = std::fma(g - x[2], one_minus_beta1, x[2]);
    const C v = std::fma(g * g, one_minus_beta2, x[3] * beta2);
    C second = v;
    if constexpr (amsgrad) x[4] = second = x[4] > v ? x[4] : v;
    x[2] = m;
    x[3] = v;
    x[0] = std::fma(-step_size, m / std::fma(std::sqrt(second), inverse_root_correction, eps), p);
  }
};

template <class C, bool amsgrad>
Adam<C, amsgrad> adam(const AdamStep& s, const double* count) {
  const double steps = static_cast<double>(s.step);
  return {count,
          s.maximize ? C(-1) : C(1),
          static_cast<C>(s.decoupled ? 1 - s.lr * s.weight_decay : 1),
          static_cast<C>(s.decoupled ? 0 : s.weight_decay),
          static_cast<C>(1 - s.beta1),
          static_cast<C>(s.beta2),
          static_cast<C>(1 - s.beta2),
          static_cast<C>(1 / std::sqrt(1 - std::pow(s.beta2, steps))),
          static_cast<C>(s.eps),
          static_cast<C>(s.lr / (1 - std::pow(s.beta1, steps)))};
}

/// Raises the count of steps and writes what follows from it and from the learning rate.
__global__ void count_kernel(double* count, const double* lr, double beta1, double beta2, double shrink_per_lr) {
  if (threadIdx.x > 0) return;
  const double steps = count[kSteps] + 1;
  count[kSteps] = steps;
  count[kInverseRootCorrection] = 1 / std::sqrt(1 - std::pow(beta2, steps));
  count[kStepSize] = *lr / (1 - std::pow(beta1, steps));
  count[kShrink] = 1 - *lr * shrink_per_lr;
}

double* raise_count(const Tensor& count, const Tensor& lr, const AdamStep& s) {
  double* const c = count.data_ptr<double>();
  start("adam_step", count_kernel, {1, 32}, stream_of(count), c, lr.data_ptr<double>(), s.beta1, s.beta2,
        s.decoupled ? s.weight_decay : 0);
  return c;
}

/// With g = sign * grad + decay * param and buffer = keep * buffer + take * g: param -= lr * (ahead * buffer + now *
/// g).
template <class C, bool momentum>
struct Sgd {
  static constexpr int kWidth = momentum ? 3 : 2;
  static constexpr int kKept = 1;  ///< the gradient
  C sign, decay, lr, keep, take, ahead, now;

  STRATA_HD void find_numbers() {}
  /// Of param, grad[, momentum_buffer].
  STRATA_HD void operator()(C (&x)[kWidth]) const {
    C g = std::fma(x[1], sign, x[0] * decay);
    if constexpr (momentum) {
      x[2] = keep != C(0) ? std::fma(x[2], keep, g * take) : g * take;
      g = std::fma(x[2], ahead, g * now);
    }
    x[0] = std::fma(-lr, g, x[0]);
  }
};

template <class C, bool momentum>
Sgd<C, momentum> sgd(const SgdStep& s) {
  return {s.maximize ? C(-1) : C(1),
          static_cast<C>(s.weight_decay),
          static_cast<C>(s.lr),
          static_cast<C>(s.first ? 0 : s.momentum),
          static_cast<C>(s.first ? 1 : 1 - s.dampening),
          static_cast<C>(s.nesterov ? s.momentum : 1),
          s.nesterov ? C(1) : C(0)};
}

/// The inputs with the output, which holds its values, in place of the first.
class InPlace {
 public:
  InPlace(const Tensor& out, Args in) : tensors_(in.begin(), in.end()) {
    if (out.data() != in[0].data()) copy_strided(out, in[0]);
    tensors_[0] = &out;
  }
  Args args() const { return {tensors_.data(), tensors_.size()}; }

 private:
  std::vector<const Tensor*> tensors_;
};

void adam_cuda(Tensors& out, Args in, const AdamParams& p) {
  const AdamStep& s = p.options;
  const InPlace tensors(out[0], in);
  const size_t last = in.size() - 1;
  const double* const count = s.capturable ? raise_count(in[last - 1], in[last], s) : nullptr;
  visit_floating("adam_step", in[0].dtype(), [&]<class T>() {
    using C = arithmetic::Compute<T>;
    if (s.amsgrad) return run_slots<T, 5>("adam_step", tensors.args(), adam<C, true>(s, count));
    run_slots<T, 4>("adam_step", tensors.args(), adam<C, false>(s, count));
  });
}
void sgd_cuda(Tensors& out, Args in, const SgdParams& p) {
  const InPlace tensors(out[0], in);
  visit_floating("sgd_step", in[0].dtype(), [&]<class T>() {
    using C = arithmetic::Compute<T>;
    if (p.options.momentum != 0) return run_slots<T, 3>("sgd_step", tensors.args(), sgd<C, true>(p.options));
    run_slots<T, 2>("sgd_step", tensors.args(), sgd<C, false>(p.options));
  });
}

STRATA_KERNEL(adam_step_op, CUDA, adam_cuda);
STRATA_KERNEL(sgd_step_op, CUDA, sgd_cuda);

}  // namespace
}  // namespace strata::cuda
