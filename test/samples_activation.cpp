// Rows of the activation functions with kernels of their own, the step of an LSTM, the shifts of integers, the
// optimizers' fused steps and the functions of lists.
#include <cmath>
#include <functional>

#include "ops/activation.h"
#include "ops/binary.h"
#include "ops/foreach.h"
#include "ops/optim_ops.h"
#include "ops/rnn.h"
#include "ops/unary.h"
#include "test/op_samples.h"

namespace strata::test {
namespace {

using T = const Tensor&;
using Real = double (*)(double);

Row activation(const char* op, Tensor (*f)(T), Real reference) {
  const Function call = [f](const List& in) { return List{f(in[0])}; };
  const Function each = [reference](const List& in) {
    std::vector<double> v = values(in[0]);
    for (double& x : v) x = reference(x);
    return List{from_values(v, in[0].sizes())};
  };
  Row row{op, {}, Takes::kFloating};
  for (const DimVector& sizes : {DimVector{5, 4}, DimVector{65}, DimVector(), DimVector{3, 0}})
    row.samples.push_back({{uniform_values(sizes, -4, 4, 3)}, call, each});
  return row;
}

double gelu_of(double x) { return x * 0.5 * (1 + std::erf(x / std::sqrt(2.0))); }
double gelu_tanh_of(double x) { return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))); }
double softplus_of(double x) { return std::log1p(std::exp(2 * x)) / 2; }

/// One weight for all elements, or one for each size of dim 1.
Row prelu_row() {
  const Function call = [](const List& in) { return List{prelu(in[0], in[1])}; };
  const Function each = [](const List& in) {
    std::vector<double> x = values(in[0]), weight = values(in[1]);
    const size_t inner = in[0].dim() > 2 ? static_cast<size_t>(in[0].size(2)) : 1;
    for (size_t i = 0; i < x.size(); ++i)
      if (!(x[i] > 0)) x[i] *= weight[i / inner % weight.size()];
    return List{from_values(x, in[0].sizes())};
  };
  Row row{"prelu", {}, Takes::kFloating};
  for (const auto& [sizes, weights] :
       {std::pair{DimVector{5, 4}, DimVector{4}}, {{2, 3, 7}, {3}}, {{65}, {1}}, {{}, {}}, {{3, 0}, {1}}})
    row.samples.push_back({{uniform_values(sizes, -4, 4, 3), uniform_values(weights, -1, 1, 4)}, call, each});
  row.errors.push_back({[] {
                          prelu(uniform_values({2, 3}), uniform_values({2}));
                        },
                        "prelu: 2 weights for an input of shape (2, 3)"});
  return row;
}

/// Halves along dim 1 or of all.
Row glu_row() {
  Row row{"split_glu", {}, Takes::kAll};
  const auto add = [&](IntArrayRef sizes) {
    const Function call = [](const List& in) { return List{glu(in[0], 0)}; };
    const Function each = [](const List& in) {
      std::vector<double> v = values(in[0]);
      const size_t half = v.size() / 2;
      for (size_t i = 0; i < half; ++i) v[i] /= 1 + std::exp(-v[half + i]);
      v.resize(half);
      DimVector sizes(in[0].sizes());
      sizes[0] /= 2;
      return List{from_values(v, sizes)};
    };
    row.samples.push_back({{uniform_values(sizes, -4, 4, 3)}, call, each});
  };
  add({6, 4}), add({130}), add({2}), add({4, 0});
  row.errors.push_back({[] { glu(uniform_values({3, 4}), 0); }, "glu: dim 0 of shape (3, 4) must be even"});
  return row;
}

/// Free in (0, 1), and held there.
void add_logit(Table& t) {
  const auto add = [&](Tensor (*f)(T), Real reference) {
    t.push_back(activation("logit", f, reference));
    t.back().takes = Takes::kAll;
    for (Sample& s : t.back().samples) s.inputs[0] = uniform_values(s.inputs[0].sizes(), 0.05, 0.85, 3);
  };
  add([](T x) { return logit(x); }, [](double x) { return std::log(x / (1 - x)); });
  add([](T x) { return logit(x, 0.2); },
      [](double x) {
        const double p = std::min(std::max(x, 0.2), 0.8);
        return std::log(p / (1 - p));
      });
}

void add_shifts(Table& t) {
  const Tensor a = integers({4, 5}, -99, 99), b = integers({4, 5}, 0, 9, 2);
  const auto row = [&](const char* op, Tensor (*f)(T, T), double (*reference)(double, double)) {
    const Function each = [reference](const List& in) {
      std::vector<double> x = values(in[0]), y = values(in[1]);
      for (size_t i = 0; i < x.size(); ++i) x[i] = reference(x[i], y[i]);
      return List{from_values(x, in[0].sizes(), kLong)};
    };
    t.push_back({op, {{{a, b}, [f](const List& in) { return List{f(in[0], in[1])}; }, each, 0}}});
  };
  row("bitwise_left_shift", bitwise_left_shift, [](double x, double y) { return x * std::exp2(y); });
  row("bitwise_right_shift", bitwise_right_shift, [](double x, double y) { return std::floor(x / std::exp2(y)); });
}

/// One step from copies, so that the sample's inputs stay as they are.
void add_steps(Table& t) {
  const Tensor p = uniform_values({37}), g = uniform_values({37}, -1, 1, 2), m = uniform_values({37}, -1, 1, 3),
               v = uniform_values({37}, 0, 1, 4);
  const Function adam = [](const List& in) {
    Tensor param = contiguous_copy(in[0]), mean = contiguous_copy(in[2]), square = contiguous_copy(in[3]), none;
    adam_step_(param, in[1], mean, square, none, {0.1, 0.9, 0.99, 1e-8, 0.01, 3});
    return List{param, mean, square};
  };
  const Function adam_reference = [](const List& in) {
    std::vector<double> x = values(in[0]), grad = values(in[1]), mean = values(in[2]), square = values(in[3]);
    for (size_t i = 0; i < x.size(); ++i) {
      const double d = grad[i] + 0.01 * x[i];
      mean[i] = 0.9 * mean[i] + 0.1 * d;
      square[i] = 0.99 * square[i] + 0.01 * d * d;
      x[i] -= 0.1 * (mean[i] / (1 - std::pow(0.9, 3))) / (std::sqrt(square[i] / (1 - std::pow(0.99, 3))) + 1e-8);
    }
    const DimVector sizes = in[0].sizes();
    return List{from_values(x, sizes), from_values(mean, sizes), from_values(square, sizes)};
  };
  t.push_back({"adam_step", {{{p, g, m, v}, adam, adam_reference}}});
  const Function sgd = [](const List& in) {
    Tensor param = contiguous_copy(in[0]), buffer = contiguous_copy(in[2]);
    sgd_step_(param, in[1], buffer, {0.1, 0.9, 0.5, 0.01, true});
    return List{param, buffer};
  };
  const Function sgd_reference = [](const List& in) {
    std::vector<double> x = values(in[0]), grad = values(in[1]), buffer = values(in[2]);
    for (size_t i = 0; i < x.size(); ++i) {
      const double d = grad[i] + 0.01 * x[i];
      buffer[i] = 0.9 * buffer[i] + 0.5 * d;
      x[i] -= 0.1 * (d + 0.9 * buffer[i]);
    }
    return List{from_values(x, in[0].sizes()), from_values(buffer, in[0].sizes())};
  };
  t.push_back({"sgd_step", {{{p, g, m}, sgd, sgd_reference}}});
  const Function rmsprop = [](const List& in) {
    const RmspropSlot slot{contiguous_copy(in[0]), in[1], contiguous_copy(in[2]), contiguous_copy(in[3]),
                           contiguous_copy(in[4])};
    rmsprop_steps_({&slot, 1}, {0.1, 0.9, 1e-8, 0.01, 0.8, true});
    return List{slot.param, slot.square_avg, slot.grad_avg, slot.momentum_buffer};
  };
  const Function rmsprop_reference = [](const List& in) {
    std::vector<double> x = values(in[0]), grad = values(in[1]), square = values(in[2]), mean = values(in[3]),
                        buffer = values(in[4]);
    for (size_t i = 0; i < x.size(); ++i) {
      const double d = grad[i] + 0.01 * x[i];
      square[i] = 0.9 * square[i] + 0.1 * d * d;
      mean[i] = 0.9 * mean[i] + 0.1 * d;
      buffer[i] = 0.8 * buffer[i] + d / (std::sqrt(square[i] - mean[i] * mean[i]) + 1e-8);
      x[i] -= 0.1 * buffer[i];
    }
    const DimVector sizes = in[0].sizes();
    return List{from_values(x, sizes), from_values(square, sizes), from_values(mean, sizes),
                from_values(buffer, sizes)};
  };
  const Tensor square = uniform_values({37}, 1.5, 2, 5);  // above the mean's, as the average of squares is
  t.push_back({"rmsprop_step", {{{p, g, square, m, v}, rmsprop, rmsprop_reference}}});
  const Function adagrad = [](const List& in) {
    const AdagradSlot slot{contiguous_copy(in[0]), in[1], contiguous_copy(in[2])};
    adagrad_steps_({&slot, 1}, {0.1, 0.2, 1e-8, 0.01, 3});
    return List{slot.param, slot.sum};
  };
  const Function adagrad_reference = [](const List& in) {
    std::vector<double> x = values(in[0]), grad = values(in[1]), sum = values(in[2]);
    for (size_t i = 0; i < x.size(); ++i) {
      const double d = grad[i] + 0.01 * x[i];
      sum[i] += d * d;
      x[i] -= 0.1 / (1 + 2 * 0.2) * d / (std::sqrt(sum[i]) + 1e-8);
    }
    return List{from_values(x, in[0].sizes()), from_values(sum, in[0].sizes())};
  };
  t.push_back({"adagrad_step", {{{p, g, v}, adagrad, adagrad_reference}}});
}

/// `update` of copies of all tensors but the last, as `each` does it with an element and the last one's.
void add_update(Table& t, const char* op, std::function<void(const List&, const Tensor&)> update,
                std::function<double(double, double)> each) {
  const Function f = [update](const List& in) {
    List tensors;
    for (size_t i = 0; i + 1 < in.size(); ++i) tensors.push_back(contiguous_copy(in[i]));
    update(tensors, in.back());
    return tensors;
  };
  const Function reference = [each](const List& in) {
    List out;
    for (size_t i = 0; i + 1 < in.size(); ++i) {
      std::vector<double> v = values(in[i]);
      for (double& x : v) x = each(x, values(in.back())[0]);
      out.push_back(from_values(v, in[i].sizes()));
    }
    return out;
  };
  t.push_back(
      {op, {{{uniform_values({5, 4}), uniform_values({37}, -1, 1, 2), uniform_values({}, 0.5, 1, 3)}, f, reference}}});
}

void add_lists(Table& t) {
  add_update(
      t, "foreach_mul", [](const List& x, T factor) { foreach_mul_(x, factor); },
      [](double x, double factor) { return x * factor; });
  add_update(
      t, "foreach_clip_norm", [](const List& x, T norm) { foreach_clip_norm_(x, norm, 0.3); },
      [](double x, double norm) { return x * std::min(1.0, 0.3 / (norm + 1e-6)); });
  add_update(
      t, "foreach_clamp", [](const List& x, T) { foreach_clamp_(x, -0.25, 0.5); },
      [](double x, double) { return std::min(std::max(x, -0.25), 0.5); });
  add_update(
      t, "foreach_zero", [](const List& x, T) { foreach_zero_(x); }, [](double, double) { return 0.0; });
  Row row{"total_norm", {}, Takes::kFloating};
  for (const double p : {1.0, 2.0, double{INFINITY}}) {
    const Function reference = [p](const List& in) {
      double total = 0;
      for (const Tensor& x : in)
        for (const double v : values(x))
          total = p == 1 ? total + std::abs(v) : p == 2 ? total + v * v : std::max(total, std::abs(v));
      return List{from_values({p == 2 ? std::sqrt(total) : total}, {})};
    };
    row.samples.push_back({{uniform_values({5, 4}), uniform_values({37}, -1, 1, 2), uniform_values({}, 0.5, 1, 3)},
                           [p](const List& in) { return List{total_norm(in, p)}; },
                           reference});
  }
  t.push_back(std::move(row));
}

/// Rows of gates (i, f, g, o) of n elements each, by the formula of Hochreiter and Schmidhuber with forget gates.
List lstm_step(const List& in) {
  const auto gates = values(in[0]), cell = values(in[1]);
  const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  std::vector<double> hidden, next;
  const size_t n = static_cast<size_t>(in[1].sizes().back());
  for (size_t k = 0; k < cell.size(); ++k) {
    const double* g = &gates[k / n * 4 * n + k % n];
    next.push_back(sigmoid(g[n]) * cell[k] + sigmoid(g[0]) * std::tanh(g[2 * n]));
    hidden.push_back(sigmoid(g[3 * n]) * std::tanh(next.back()));
  }
  return {from_values(hidden, in[1].sizes()), from_values(next, in[1].sizes())};
}

void add_lstm(Table& t) {
  const Function f = [](const List& in) {
    const auto [hidden, cell] = lstm_gates(in[0], in[1]);
    return List{hidden, cell};
  };
  const auto sample = [&](DimVector sizes) {
    DimVector of_gates = sizes;
    of_gates.back() *= 4;
    return Sample{{uniform_values(of_gates, -3, 3), uniform_values(sizes, -2, 2, 2)}, f, lstm_step};
  };
  t.push_back({"lstm_gates",
               {sample({2, 3}), sample({2, 17}), sample({2, 2, 8}), sample({5}), sample({3, 1}), sample({0, 4})},
               Takes::kFloating,
               {{[] {
                   lstm_gates(uniform_values({2, 8}), uniform_values({2, 3}));
                 },
                 "lstm_gates"},
                {[] { lstm_gates(uniform_values({}), uniform_values({})); }, "lstm_gates"}}});
}

/// The sums of one step of `lstm_sequence`, by plain loops.
std::vector<double> sums_of_step(const List& in, const std::vector<double>& hidden, size_t t) {
  const auto gates = values(in[0]), weight = values(in[1]);
  const size_t n = static_cast<size_t>(in[3].sizes()[1]), rows = static_cast<size_t>(in[3].sizes()[0]);
  std::vector<double> sums;
  for (size_t r = 0; r < rows; ++r)
    for (size_t g = 0; g < 4 * n; ++g) {
      double sum = gates[(t * rows + r) * 4 * n + g];
      for (size_t j = 0; j < n; ++j) sum += weight[g * n + j] * hidden[r * n + j];
      sums.push_back(sum);
    }
  return sums;
}

template <bool Reverse>
List lstm_steps(const List& in) {
  const size_t steps = static_cast<size_t>(in[0].sizes()[0]), size = static_cast<size_t>(in[3].numel());
  std::vector<double> hiddens(steps * size), cells(steps * size), hidden = values(in[2]);
  Tensor cell = in[3];
  DimVector of_gates = in[3].sizes(), of_all = in[3].sizes();
  of_gates.back() *= 4;
  of_all.insert(0, in[0].sizes()[0]);
  for (size_t i = 0; i < steps; ++i) {
    const size_t t = Reverse ? steps - 1 - i : i;
    const List next = lstm_step({from_values(sums_of_step(in, hidden, t), of_gates), cell});
    hidden = values(next[0]), cell = next[1];
    std::copy(hidden.begin(), hidden.end(), hiddens.begin() + static_cast<int64_t>(t * size));
    const auto of_cell = values(cell);
    std::copy(of_cell.begin(), of_cell.end(), cells.begin() + static_cast<int64_t>(t * size));
  }
  return {from_values(hiddens, of_all), from_values(cells, of_all)};
}

template <bool Reverse>
Sample lstm_sequence_sample(int64_t steps, int64_t rows, int64_t n) {
  const Function f = [](const List& in) {
    const auto [hidden, cells] = lstm_sequence(in[0], in[1], in[2], in[3], Reverse);
    return List{hidden, cells};
  };
  return {{uniform_values({steps, rows, 4 * n}, -2, 2), uniform_values({4 * n, n}, -1, 1, 2),
           uniform_values({rows, n}, -1, 1, 3), uniform_values({rows, n}, -2, 2, 4)},
          f,
          lstm_steps<Reverse>};
}

void add_lstm_sequence(Table& t) {
  const auto call = [](DimVector gates, DimVector weight, DType hidden) {
    lstm_sequence(uniform_values(gates), uniform_values(weight), uniform_values({2, 3}).to(hidden),
                  uniform_values({2, 3}));
  };
  t.push_back({"lstm_sequence",
               {lstm_sequence_sample<false>(3, 2, 3), lstm_sequence_sample<true>(3, 2, 2),
                lstm_sequence_sample<false>(1, 1, 1), lstm_sequence_sample<true>(2, 0, 3)},
               Takes::kFloating,
               {{[=] {
                   call({4, 2, 12}, {12, 4}, kDouble);
                 },
                 "do not fit"},
                {[=] {
                   call({4, 2, 8}, {12, 3}, kDouble);
                 },
                 "do not fit"},
                {[=] {
                   call({0, 2, 12}, {12, 3}, kDouble);
                 },
                 "expected gates (T, B, 4 H)"},
                {[=] {
                   call({4, 2, 12}, {12, 3}, kFloat);
                 },
                 "another operand is float32"}}});
}

}  // namespace

void add_activation(Table& t) {
  t.push_back(activation(
      "gelu", [](T x) { return gelu(x); }, gelu_of));
  t.push_back(activation(
      "gelu", [](T x) { return gelu(x, "tanh"); }, gelu_tanh_of));
  t.push_back(activation(
      "silu", [](T x) { return silu(x); }, [](double x) { return x / (1 + std::exp(-x)); }));
  t.push_back(activation(
      "mish", [](T x) { return mish(x); }, [](double x) { return x * std::tanh(std::log1p(std::exp(x))); }));
  t.push_back(activation(
      "hardswish", [](T x) { return hardswish(x); },
      [](double x) { return x * std::min(std::max(x + 3, 0.0), 6.0) / 6; }));
  t.push_back(activation(
      "leaky_relu", [](T x) { return leaky_relu(x, 0.1); }, [](double x) { return x > 0 ? x : 0.1 * x; }));
  t.push_back(prelu_row());
  t.push_back(glu_row());
  add_logit(t);
  t.push_back(activation(
      "elu", [](T x) { return elu(x, 1.5); }, [](double x) { return x > 0 ? x : 1.5 * std::expm1(x); }));
  t.push_back(activation(
      "softplus", [](T x) { return softplus(x, 2); }, softplus_of));
  t.push_back(activation(
      "hardtanh", [](T x) { return hardtanh(x, -1, 2); }, [](double x) { return std::min(std::max(x, -1.0), 2.0); }));
  t.back().takes = Takes::kNumeric;
  t.push_back(activation(
      "threshold", [](T x) { return threshold(x, 0.5, -3); }, [](double x) { return x > 0.5 ? x : -3; }));
  t.back().takes = Takes::kNumeric;
  const auto composite = [&](Tensor (*f)(T), Real reference) {
    t.push_back(activation("", f, reference));
    t.back().takes = Takes::kFixed;
  };
  // Integers go another way.
  const auto fused = [&](const char* op, Tensor (*f)(T), Real reference) {
    t.push_back(activation(op, f, reference));
    t.back().takes = Takes::kFixed;
  };
  fused(
      "hardsigmoid", [](T x) { return hardsigmoid(x); },
      [](double x) { return std::min(std::max(x + 3, 0.0), 6.0) / 6; });
  composite([](T x) { return softsign(x); }, [](double x) { return x / (1 + std::abs(x)); });
  fused(
      "log_sigmoid", [](T x) { return log_sigmoid(x); }, [](double x) { return -std::log1p(std::exp(-x)); });
  composite([](T x) { return tanhshrink(x); }, [](double x) { return x - std::tanh(x); });
  fused(
      "shrink", [](T x) { return softshrink(x); }, [](double x) { return x > 0.5    ? x - 0.5
                                                                         : x < -0.5 ? x + 0.5
                                                                                    : 0; });
  fused(
      "shrink", [](T x) { return hardshrink(x); }, [](double x) { return std::abs(x) > 0.5 ? x : 0; });
  composite([](T x) { return celu(x, 2); }, [](double x) { return x > 0 ? x : 2 * std::expm1(x / 2); });
  add_shifts(t);
  add_steps(t);
  add_lists(t);
  add_lstm(t);
  add_lstm_sequence(t);
}

}  // namespace strata::test
