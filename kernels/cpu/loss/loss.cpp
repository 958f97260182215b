// Kernels of the negative log-likelihood and of the element-wise losses.
#include "ops/loss_def.h"

#include <algorithm>
#include <atomic>
#include <type_traits>
#include <vector>

#include "dispatcher/kernel.h"
#include "kernels/cpu/common/lines.h"
#include "kernels/cpu/loss/probabilities.h"
#include "kernels/visit_floating.h"

namespace strata::cpu::loss {
namespace {

constexpr int64_t kNone = 0, kMean = 1;
/// Samples summed before their sums are added up.
constexpr int64_t kChunk = 4096;

/// The targets in row-major order, checked before anything is written.
class Targets {
 public:
  Targets(const Tensor& target, const NllParams& p)
      : data_(target.data_ptr<int64_t>()), lines_(make_lines(target, {})), ignore_(p.ignore_index) {
    for (int64_t i = 0; i < count(); ++i) {
      const int64_t t = (*this)[i];
      STRATA_CHECK_INDEX((t >= 0 && t < p.classes) || t == ignore_,
                         "nll_loss: target {} at position {} is outside [0, {}): out of bounds", t, i, p.classes);
    }
  }
  int64_t count() const { return lines_.count; }
  int64_t operator[](int64_t i) const { return data_[lines_.offset(i)]; }
  bool ignored(int64_t i) const { return (*this)[i] == ignore_; }

 private:
  const int64_t* data_;
  Lines lines_;
  int64_t ignore_;
};

/// Class weights, 1 where there are none.
template <class T>
struct Weights {
  explicit Weights(const Tensor& w)
      : data(w.defined() ? w.data_ptr<T>() : nullptr), stride(w.defined() && w.dim() ? w.strides()[0] : 0) {}
  double operator[](int64_t target) const { return data ? static_cast<double>(data[target * stride]) : 1; }
  const T* data;
  int64_t stride;
};

/// The lines of a tensor of log-probabilities along its classes, and the step from class to class.
struct Classes {
  explicit Classes(const Tensor& x) : dim(x.dim() == 1 ? 0 : 1), lines(make_lines(x, dim)), step(x.strides()[dim]) {}
  int64_t dim;
  Lines lines;
  int64_t step;
};

struct Sums {
  double loss = 0, weight = 0;
};

template <class T>
void nll_forward(const Tensor& out, const Tensor& total, const Tensor& x, const Targets& targets,
                 const Weights<T>& weights, int64_t reduction) {
  const Classes classes(x);
  const Lines out_lines = make_lines(out, {});
  const T* const data = x.data_ptr<T>();
  std::vector<Sums> sums((targets.count() + kChunk - 1) / kChunk);
  parallel_for(0, static_cast<int64_t>(sums.size()), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * kChunk; i < std::min(end * kChunk, targets.count()); ++i) {
      const bool ignored = targets.ignored(i);
      const int64_t t = targets[i];
      const double w = ignored ? 0 : weights[t],
                   loss = ignored ? 0 : -w * static_cast<double>(data[classes.lines.offset(i) + t * classes.step]);
      Sums& sum = sums[i / kChunk];
      sum.loss += loss, sum.weight += w;
      if (reduction == kNone) out.data_ptr<T>()[out_lines.offset(i)] = static_cast<T>(loss);
    }
  });
  Sums all;
  for (const Sums& s : sums) all.loss += s.loss, all.weight += s.weight;
  *total.data_ptr<T>() = static_cast<T>(all.weight);
  if (reduction != kNone) *out.data_ptr<T>() = static_cast<T>(reduction == kMean ? all.loss / all.weight : all.loss);
}

void nll_loss_cpu(Tensors& out, Args in, const NllParams& p) {
  const Targets targets(in[1], p);
  visit_floating("nll_loss", in[0].dtype(),
                 [&]<class T>() { nll_forward<T>(out[0], out[1], in[0], targets, Weights<T>(in[2]), p.reduction); });
}

/// Zeros, by whole vectors where the classes lie side by side.
template <class T>
void clear(T* row, int64_t classes, int64_t step) {
  if (step == 1) return void(std::fill_n(row, classes, T(0)));
  for (int64_t c = 0; c < classes; ++c) row[c * step] = T(0);
}

template <class T>
void nll_backward(const Tensor& out, Args in, const Targets& targets, const NllParams& p) {
  const Classes classes(out);
  const Weights<T> weights(in[2]);
  const Lines grad_lines = make_lines(in[0], {});
  const double divisor = p.reduction == kMean ? static_cast<double>(*in[3].data_ptr<T>()) : 1;
  const int64_t grain = std::max<int64_t>(1, kLineGrain / std::max<int64_t>(1, p.classes));
  parallel_for(0, targets.count(), grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      T* const row = out.data_ptr<T>() + classes.lines.offset(i);
      clear(row, p.classes, classes.step);
      if (targets.ignored(i)) continue;
      const int64_t t = targets[i];
      const double grad = static_cast<double>(in[0].data_ptr<T>()[grad_lines.offset(i)]);
      row[t * classes.step] = static_cast<T>(-grad * weights[t] / divisor);
    }
  });
}

void nll_loss_backward_cpu(Tensors& out, Args in, const NllParams& p) {
  const Targets targets(in[1], p);
  visit_floating("nll_loss_backward", in[0].dtype(), [&]<class T>() { nll_backward<T>(out[0], in, targets, p); });
}

/// Are all values in [0, 1]? A NaN is not.
template <class T>
bool are_probabilities(const Tensor& x) {
  const bool packed = x.is_contiguous();
  const Lines elements = make_lines(x, {});
  const T* const data = x.data_ptr<T>();
  std::atomic<bool> all{true};
  parallel_for(0, x.numel(), kLineGrain, [&](int64_t begin, int64_t end) {
    bool inside = true;
    for (int64_t i = begin; i < end; ++i) {
      const auto v = static_cast<std::conditional_t<std::is_same_v<T, double>, double, float>>(
          data[packed ? i : elements.offset(i)]);
      inside &= v >= 0 && v <= 1;
    }
    if (!inside) all = false;
  });
  return all;
}

}  // namespace

void check_probabilities(Args in) {
  visit_floating("binary_cross_entropy", in[0].dtype(), [&]<class T>() {
    STRATA_CHECK(are_probabilities<T>(in[0]), "binary_cross_entropy: expected probabilities, in [0, 1]");
    STRATA_CHECK(are_probabilities<T>(in[1]), "binary_cross_entropy: expected targets in [0, 1]");
  });
}

STRATA_KERNEL(nll_loss_op, CPU, nll_loss_cpu);
STRATA_KERNEL(nll_loss_backward_op, CPU, nll_loss_backward_cpu);

}  // namespace strata::cpu::loss
