// Kernels of the CTC loss: the recursions over states forward and backward in time, one thread a sample.
#include "ops/ctc_loss_def.h"

#include <algorithm>
#include <vector>

#include "core/parallel.h"
#include "dispatcher/kernel.h"
#include "kernels/ctc_states.h"

namespace strata::cpu::loss {
namespace {

using ctc::log_add, ctc::minus_infinity;

/// A tensor of three dims, as element (i, j, k).
template <class T>
struct Cube {
  T* data;
  int64_t strides[3];
  explicit Cube(const Tensor& t) : data(t.data_ptr<T>()), strides{t.strides()[0], t.strides()[1], t.strides()[2]} {}
  T& operator()(int64_t i, int64_t j, int64_t k) const {
    return data[i * strides[0] + j * strides[1] + k * strides[2]];
  }
};

int64_t element(const Tensor& t, int64_t i) { return t.data_ptr<int64_t>()[i * t.strides()[0]]; }

/// The samples' targets, checked before anything is written.
class Samples {
 public:
  Samples(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths, const Tensor& target_lengths,
          const CtcParams& p)
      : targets_(targets), input_lengths_(input_lengths), target_lengths_(target_lengths), blank_(p.blank) {
    const int64_t classes = log_probs.sizes()[2];
    for (int64_t n = 0; n < count(); ++n) {
      check_length("input", steps(n), log_probs.sizes()[0], n);
      check_length("target", states(n).length, targets.sizes()[1], n);
      for (int64_t i = 0; i < states(n).length; ++i) {
        const int64_t label = states(n).label(2 * i + 1);
        STRATA_CHECK_INDEX(label >= 0 && label < classes,
                           "ctc_loss: target {} at position {} of sample {} is outside [0, {})", label, i, n, classes);
      }
    }
  }
  int64_t count() const { return targets_.sizes()[0]; }
  int64_t steps(int64_t n) const { return element(input_lengths_, n); }
  ctc::States states(int64_t n) const {
    return {targets_.data_ptr<int64_t>() + n * targets_.strides()[0], targets_.strides()[1],
            element(target_lengths_, n), blank_};
  }

 private:
  static void check_length(const char* what, int64_t length, int64_t most, int64_t sample) {
    STRATA_CHECK(length >= 0 && length <= most, "ctc_loss: {} length {} of sample {} is outside [0, {}]", what, length,
                 sample, most);
  }

  const Tensor &targets_, &input_lengths_, &target_lengths_;
  int64_t blank_;
};

/// What the recursions read of each state at every step.
struct StateTable {
  explicit StateTable(const ctc::States& states) : labels(states.count()), skips(states.count()) {
    for (int64_t s = 0; s < states.count(); ++s) labels[s] = states.label(s), skips[s] = states.skips(s);
  }
  int64_t count() const { return static_cast<int64_t>(labels.size()); }
  std::vector<int64_t> labels;
  std::vector<char> skips;
};

/// The log-probability of all alignments of sample n.
template <class T>
T likelihood(const Cube<T>& alpha, int64_t n, int64_t steps, int64_t states) {
  if (steps == 0) return states == 1 ? T(0) : minus_infinity<T>();
  const T before = states > 1 ? alpha(n, steps - 1, states - 2) : minus_infinity<T>();
  return log_add(alpha(n, steps - 1, states - 1), before, minus_infinity<T>());
}

/// Fills sample n's part of log_alpha.
template <class T>
void run_forward(const Cube<T>& log_probs, const Cube<T>& alpha, int64_t n, int64_t steps, const StateTable& table) {
  const int64_t states = table.count();
  if (steps == 0) return;
  for (int64_t s = 0; s < std::min<int64_t>(2, states); ++s) alpha(n, 0, s) = log_probs(0, n, table.labels[s]);
  for (int64_t t = 1; t < steps; ++t)
    for (int64_t s = 0; s < states; ++s) {
      const T one_back = s > 0 ? alpha(n, t - 1, s - 1) : minus_infinity<T>();
      const T two_back = table.skips[s] ? alpha(n, t - 1, s - 2) : minus_infinity<T>();
      alpha(n, t, s) = log_add(alpha(n, t - 1, s), one_back, two_back) + log_probs(t, n, table.labels[s]);
    }
}

template <class T>
void forward(Tensors& out, Args in, const Samples& samples) {
  const Cube<T> log_probs(in[0]), alpha(out[1]);
  T* const losses = out[0].data_ptr<T>();
  parallel_for(0, samples.count(), 1, [&](int64_t begin, int64_t end) {
    for (int64_t n = begin; n < end; ++n) {
      for (int64_t t = 0; t < out[1].sizes()[1]; ++t)
        for (int64_t s = 0; s < out[1].sizes()[2]; ++s) alpha(n, t, s) = minus_infinity<T>();
      const StateTable table(samples.states(n));
      run_forward<T>(log_probs, alpha, n, samples.steps(n), table);
      losses[n * out[0].strides()[0]] = -likelihood(alpha, n, samples.steps(n), table.count());
    }
  });
}

void ctc_loss_cpu(Tensors& out, Args in, const CtcParams& p) {
  const Samples samples(in[0], in[1], in[2], in[3], p);
  in[0].dtype() == kDouble ? forward<double>(out, in, samples) : forward<float>(out, in, samples);
}

/// Takes how often sample n visits each class from its slope, in which exp(log_probs) stands.
template <class T>
void take_visits(const Cube<T>& out, const Cube<T>& log_probs, const Cube<T>& alpha, int64_t n, int64_t steps,
                 const StateTable& table, T total) {
  const int64_t states = table.count();
  std::vector<T> beta(states + 1, minus_infinity<T>());  // one more behind the last, which nothing comes to
  for (int64_t t = steps - 1; t >= 0; --t)
    for (int64_t s = 0; s < states; ++s) {
      const T here = log_probs(t, n, table.labels[s]);
      const T two_on = s + 2 < states && table.skips[s + 2] ? beta[s + 2] : minus_infinity<T>();
      const bool is_end = t == steps - 1 && s + 2 >= states;
      // Rising s: what is still to be read of the step after lies at s and behind it.
      beta[s] = (is_end ? T(0) : log_add(beta[s], beta[s + 1], two_on)) + here;
      if (alpha(n, t, s) == minus_infinity<T>() || beta[s] == minus_infinity<T>()) continue;
      out(t, n, table.labels[s]) -= std::exp(alpha(n, t, s) + beta[s] - here - total);
    }
}

template <class T>
void slope(const Tensor& result, Args in, const Samples& samples, const CtcParams& p) {
  const Cube<T> out(result), log_probs(in[0]), alpha(in[1]);
  parallel_for(0, samples.count(), 1, [&](int64_t begin, int64_t end) {
    for (int64_t n = begin; n < end; ++n) {
      const StateTable table(samples.states(n));
      const T total = likelihood(alpha, n, samples.steps(n), table.count());
      const bool is_impossible = total == minus_infinity<T>();
      const int64_t steps = is_impossible && p.zero_infinity ? 0 : samples.steps(n);
      for (int64_t t = 0; t < result.sizes()[0]; ++t)
        for (int64_t c = 0; c < result.sizes()[2]; ++c)
          out(t, n, c) = t >= steps      ? T(0)
                         : is_impossible ? std::numeric_limits<T>::quiet_NaN()
                                         : std::exp(log_probs(t, n, c));
      if (!is_impossible) take_visits<T>(out, log_probs, alpha, n, steps, table, total);
    }
  });
}

void ctc_loss_slope_cpu(Tensors& out, Args in, const CtcParams& p) {
  const Samples samples(in[0], in[2], in[3], in[4], p);
  in[0].dtype() == kDouble ? slope<double>(out[0], in, samples, p) : slope<float>(out[0], in, samples, p);
}

}  // namespace

STRATA_KERNEL(ctc_loss_op, CPU, ctc_loss_cpu);
STRATA_KERNEL(ctc_loss_slope_op, CPU, ctc_loss_slope_cpu);

}  // namespace strata::cpu::loss
