// Rows of the losses, against the formulas of their documentation.
#include <cmath>

#include "ops/binary.h"
#include "ops/loss.h"
#include "test/op_samples.h"

namespace strata::test {
namespace {

/// Mean over the elements of `f(x, target)`.
Function mean_of_pairs(double (*f)(double, double)) {
  return [f](const List& in) {
    const std::vector<double> x = values(in[0]), y = values(in[1]);
    double sum = 0;
    for (size_t i = 0; i < x.size(); ++i) sum += f(x[i], y[i]);
    return List{from_values({sum / static_cast<double>(x.size())}, {})};
  };
}

/// -w[target] log p[target], weighted mean; x (n, c) holds logits when `logits`, else log-probabilities.
Function nll(bool logits, double smoothing) {
  return [=](const List& in) {
    const auto x = values(in[0]), target = values(in[1]);
    const size_t c = static_cast<size_t>(in[0].sizes()[1]);
    const std::vector<double> weight = in.size() > 2 ? values(in[2]) : std::vector<double>(c, 1);
    double total = 0, smooth = 0, weights = 0;
    for (size_t r = 0; r < target.size(); ++r) {
      double sum = 0;
      for (size_t k = 0; k < c; ++k) sum += std::exp(x[r * c + k]);
      const double shift = logits ? std::log(sum) : 0;
      const auto t = static_cast<size_t>(target[r]);
      total -= weight[t] * (x[r * c + t] - shift);
      for (size_t k = 0; k < c; ++k) smooth -= weight[k] * (x[r * c + k] - shift);
      weights += weight[t];
    }
    return List{from_values({((1 - smoothing) * total + smoothing / static_cast<double>(c) * smooth) / weights}, {})};
  };
}

void add_pairs(Table& t) {
  const Tensor x = uniform_values({5, 4}, -2, 2), y = uniform_values({5, 4}, -2, 2, 9),
               p = uniform_values({5, 4}, 0.1, 0.9), q = uniform_values({5, 4}, 0.1, 0.9, 9);
  const auto row = [&](const char* op, const Tensor& a, const Tensor& b, auto f, double (*reference)(double, double)) {
    t.push_back({op, {{{a, b}, [f](const List& in) { return List{f(in[0], in[1])}; }, mean_of_pairs(reference)}}});
  };
  using T = const Tensor&;
  row(
      "", x, y, [](T a, T b) { return mse_loss(a, b); }, [](double a, double b) { return (a - b) * (a - b); });
  row(
      "", x, y, [](T a, T b) { return l1_loss(a, b); }, [](double a, double b) { return std::abs(a - b); });
  row(
      "", x, y, [](T a, T b) { return smooth_l1_loss(a, b, Reduction::Mean, 0.5); },
      [](double a, double b) {
        const double d = std::abs(a - b);
        return d < 0.5 ? d * d : d - 0.25;
      });
  row(
      "", x, y, [](T a, T b) { return huber_loss(a, b, Reduction::Mean, 1.5); },
      [](double a, double b) {
        const double d = std::abs(a - b);
        return d < 1.5 ? d * d / 2 : 1.5 * (d - 0.75);
      });
  row(
      "binary_cross_entropy", p, q, [](T a, T b) { return binary_cross_entropy(a, b); },
      [](double a, double b) { return -b * std::log(a) - (1 - b) * std::log(1 - a); });
  row(
      "binary_cross_entropy_with_logits", x, q, [](T a, T b) { return binary_cross_entropy_with_logits(a, b); },
      [](double a, double b) { return (1 - b) * a + std::log(1 + std::exp(-a)); });
  row(
      "weighted_cross_entropy_with_logits", x, q,
      [](T a, T b) { return binary_cross_entropy_with_logits(a, b, Tensor(), b + 1); },
      [](double a, double b) {
        return (1 - b) * std::log(1 + std::exp(a)) + (1 + b) * b * std::log(1 + std::exp(-a));
      });
  row(
      "", x, q, [](T a, T b) { return kl_div(a, b); }, [](double a, double b) { return b * (std::log(b) - a); });
  row(
      "", x, p, [](T a, T b) { return poisson_nll_loss(a, b, true, false, 1e-8, Reduction::Mean); },
      [](double a, double b) { return std::exp(a) - b * a; });
  t.push_back({"",
               {},
               Takes::kFixed,
               {{[=] { mse_loss(x, uniform_values({3})); }, "do not broadcast"},
                {[=] { binary_cross_entropy(x, uniform_values({5})); }, "binary_cross_entropy"}}});
}

}  // namespace

void add_loss(Table& t) {
  const Tensor x = uniform_values({5, 4}, -2, 2), target = from_values({0, 3, 1, 1, 2}, {5}, kLong),
               weight = uniform_values({4}, 0.5, 2, 7);
  Row row{"nll_loss",
          {{{x, target}, [](const List& in) { return List{nll_loss(in[0], in[1])}; }, nll(false, 0)},
           {{x, target, weight}, [](const List& in) { return List{nll_loss(in[0], in[1], in[2])}; }, nll(false, 0)},
           {{x, target}, [](const List& in) { return List{cross_entropy_loss(in[0], in[1])}; }, nll(true, 0)},
           {{x, target, weight},
            [](const List& in) { return List{cross_entropy_loss(in[0], in[1], in[2], Reduction::Mean, -100, 0.2)}; },
            nll(true, 0.2)},
           {{x, target}, [](const List& in) { return List{nll_loss(in[0], in[1], {}, Reduction::Sum)}; }},
           {{x, target}, [](const List& in) { return List{nll_loss(in[0], in[1], {}, Reduction::None)}; }},
           {{x, from_values({0, -100, 1, -100, 2}, {5}, kLong)},
            [](const List& in) { return List{nll_loss(in[0], in[1])}; }},
           {{uniform_values({2, 4, 3}), integers({2, 3}, 0, 4)},
            [](const List& in) { return List{nll_loss(in[0], in[1])}; }}}};
  for (const auto reduction : {Reduction::Sum, Reduction::None})
    row.samples.push_back({{x, target, weight},
                           [reduction](const List& in) { return List{nll_loss(in[0], in[1], in[2], reduction, 1)}; }});
  row.errors = {{[=] { nll_loss(x, integers({5}, 4, 5)); }, "nll_loss"},
                {[=] { nll_loss(x, integers({4}, 0, 4)); }, "nll_loss"},
                {[=] { nll_loss(x, target, uniform_values({3})); }, "nll_loss"},
                {[=] { nll_loss(x, uniform_values({5})); }, "nll_loss"},
                {[=] { cross_entropy_loss(x, integers({5}, -2, -1)); }, "cross_entropy"}};
  t.push_back(row);
  add_pairs(t);
}

}  // namespace strata::test
