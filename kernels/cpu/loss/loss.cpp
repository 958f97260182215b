// Kernels of the negative log-likelihood and of the element-wise losses.
#include "ops/loss_def.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "dispatcher/kernel.h"
#include "kernels/cpu/common/lines.h"
#include "kernels/cpu/common/strided_copy.h"
#include "kernels/cpu/loss/probabilities.h"
#include "kernels/visit_floating.h"

namespace strata::cpu::loss {
namespace {

constexpr int64_t kNone = 0, kMean = 1;
/// Samples summed before their sums are added up.
constexpr int64_t kChunk = 4096;

/// Where the lines of a tensor start: most often at equal distances, which costs no division.
class Starts {
 public:
  explicit Starts(Lines lines)
      : lines_(std::move(lines)),
        is_even_(lines_.size.size() <= 1),
        step_(lines_.size.size() == 1 ? lines_.stride[0] : 0) {}
  int64_t count() const { return lines_.count; }
  int64_t operator[](int64_t i) const { return is_even_ ? i * step_ : lines_.offset(i); }
  /// Calls f with a function that gives the i-th start: in the usual case one that needs no memory, so that a loop
  /// keeps all of it in registers.
  template <class F>
  void visit(F&& f) const {
    constexpr int64_t kNarrow = int64_t{1} << 32;
    if (lines_.size.size() == 2 && lines_.count < kNarrow)  // divisions of 32 bits are faster
      return f(
          [n = static_cast<uint32_t>(lines_.size[1]), outer = lines_.stride[0], inner = lines_.stride[1]](int64_t i) {
            const auto at = static_cast<uint32_t>(i);
            return at / n * outer + at % n * inner;
          });
    if (!is_even_) return f([this](int64_t i) { return lines_.offset(i); });
    f([step = step_](int64_t i) { return i * step; });
  }

 private:
  Lines lines_;
  bool is_even_;
  int64_t step_;
};

/// The targets in row-major order, checked before anything is written.
class Targets {
 public:
  Targets(const Tensor& target, const NllParams& p)
      : data_(target.data_ptr<int64_t>()), starts_(make_lines(target, {})), ignore_(p.ignore_index) {
    // The top bit is set once a target is negative or above the last class, which an ignored one may be.
    uint64_t outside = 0;
    starts_.visit([&, data = data_, last = static_cast<uint64_t>(p.classes) - 1](auto at) {
      for (int64_t i = 0, n = count(); i < n; ++i) {
        const auto t = static_cast<uint64_t>(data[at(i)]);
        outside |= t | (last - t);
      }
    });
    if (outside >> 63 == 0) return;
    for (int64_t i = 0; i < count(); ++i) {
      const int64_t t = (*this)[i];
      STRATA_CHECK_INDEX((t >= 0 && t < p.classes) || t == ignore_,
                         "nll_loss: target {} at position {} is outside [0, {}): out of bounds", t, i, p.classes);
    }
  }
  int64_t count() const { return starts_.count(); }
  int64_t operator[](int64_t i) const { return data_[starts_[i]]; }
  /// Calls f with a function that gives the i-th target.
  template <class F>
  void visit(F&& f) const {
    starts_.visit([&](auto at) { f([at, data = data_](int64_t i) { return data[at(i)]; }); });
  }
  int64_t ignored() const { return ignore_; }

 private:
  const int64_t* data_;
  Starts starts_;
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
  explicit Classes(const Tensor& x) : dim(x.dim() == 1 ? 0 : 1), starts(make_lines(x, dim)), step(x.strides()[dim]) {}
  int64_t dim;
  Starts starts;
  int64_t step;
};

struct Sums {
  double loss = 0, weight = 0;
};

/// The sums of samples [begin, end); calls write(i, loss) for each.
template <class T, class Target, class Start, class Write>
Sums sum_samples(int64_t begin, int64_t end, Target target, const T* x, Start start, int64_t class_step,
                 const Weights<T> weights, int64_t ignore, Write write) {
  Sums sum;
  for (int64_t i = begin; i < end; ++i) {
    const int64_t t = target(i);
    const bool ignored = t == ignore;
    const double w = ignored ? 0 : weights[t],
                 loss = ignored ? 0 : -w * static_cast<double>(x[start(i) + t * class_step]);
    sum.loss += loss, sum.weight += w;
    write(i, loss);
  }
  return sum;
}

template <class T>
void nll_forward(const Tensor& out, const Tensor& total, const Tensor& x, const Targets& targets,
                 const Weights<T>& weights, int64_t reduction) {
  const Classes classes(x);
  const int64_t count = targets.count();
  std::vector<Sums> sums((count + kChunk - 1) / kChunk);
  const auto sum_up = [&](auto write) {
    targets.visit([&](auto target) {
      classes.starts.visit([&](auto start) {
        parallel_for(0, static_cast<int64_t>(sums.size()), 1, [&](int64_t begin, int64_t end) {
          for (int64_t c = begin; c < end; ++c)
            sums[c] = sum_samples(c * kChunk, std::min((c + 1) * kChunk, count), target, x.data_ptr<T>(), start,
                                  classes.step, weights, targets.ignored(), write);
        });
      });
    });
  };
  if (reduction == kNone) {
    const Starts out_starts(make_lines(out, {}));
    T* const losses = out.data_ptr<T>();
    sum_up([&](int64_t i, double loss) { losses[out_starts[i]] = static_cast<T>(loss); });
  } else {
    sum_up([](int64_t, double) {});
  }
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

/// Writes the gradient of pictures `(N, C, positions)`, a block of positions at a time for all classes: where the
/// values of one class lie far from those of the next, one write for each position would wait for memory. value(i, t)
/// is what sample i gets at its class t.
template <class T, class Target, class Value>
void write_planes(T* to, int64_t pictures, int64_t classes, int64_t positions, int64_t ignored, Target target,
                  Value value) {
  constexpr int64_t kBlock = 1024;
  const int64_t blocks = (positions + kBlock - 1) / kBlock;
  parallel_for(0, pictures * blocks, 1 + kLineGrain / (kBlock * classes), [=](int64_t begin, int64_t end) {
    int32_t classes_of[kBlock];
    T values[kBlock];
    for (int64_t b = begin; b < end; ++b) {
      const int64_t picture = b / blocks, first = b % blocks * kBlock, n = std::min(kBlock, positions - first);
      for (int64_t j = 0; j < n; ++j) {
        const int64_t i = picture * positions + first + j, t = target(i);
        classes_of[j] = t == ignored ? -1 : static_cast<int32_t>(t);
        values[j] = t == ignored ? T(0) : value(i, t);
      }
      for (int32_t c = 0; c < classes; ++c) {
        T* const plane = to + (picture * classes + c) * positions + first;
        for (int64_t j = 0; j < n; ++j) plane[j] = classes_of[j] == c ? values[j] : T(0);
      }
    }
  });
}

template <class T>
void nll_backward(const Tensor& out, Args in, const Targets& targets, const NllParams& p) {
  const Classes classes(out);
  const Weights<T> weights(in[2]);
  const Starts grad_starts(make_lines(in[0], {}));
  const double divisor = p.reduction == kMean ? static_cast<double>(*in[3].data_ptr<T>()) : 1;
  const T* const grads = in[0].data_ptr<T>();
  const auto value = [=, &grad_starts](int64_t i, int64_t t) {
    return static_cast<T>(-static_cast<double>(grads[grad_starts[i]]) * weights[t] / divisor);
  };
  T* const to = out.data_ptr<T>();
  const int64_t samples = targets.count(), pictures = out.size(0), positions = samples / std::max<int64_t>(1, pictures);
  if (out.dim() > 1 && p.classes > 0 && out.is_contiguous() && positions > 16 &&
      p.classes < std::numeric_limits<int32_t>::max())
    return targets.visit(
        [&](auto target) { write_planes(to, pictures, p.classes, positions, targets.ignored(), target, value); });
  const T zero(0);
  fill_strided(memory_of(out), out.sizes(), &zero, sizeof(T));
  targets.visit([&](auto target) {
    classes.starts.visit([&](auto start) {
      parallel_for(0, samples, kLineGrain / 8,
                   [=, ignore = targets.ignored(), step = classes.step](int64_t begin, int64_t end) {
                     for (int64_t i = begin; i < end; ++i) {
                       const int64_t t = target(i);
                       if (t != ignore) to[start(i) + t * step] = value(i, t);
                     }
                   });
    });
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
    STRATA_CHECK(are_probabilities<T>(in[0]),
                 "binary_cross_entropy: expected probabilities, in [0, 1]; logits are for "
                 "binary_cross_entropy_with_logits");
    STRATA_CHECK(are_probabilities<T>(in[1]), "binary_cross_entropy: expected targets in [0, 1]");
  });
}

STRATA_KERNEL(nll_loss_op, CPU, nll_loss_cpu);
STRATA_KERNEL(nll_loss_backward_op, CPU, nll_loss_backward_cpu);

}  // namespace strata::cpu::loss
