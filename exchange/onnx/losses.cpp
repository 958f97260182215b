// ONNX's losses, and the optimizer steps of its preview of training.
#include <cmath>

#include "exchange/onnx/ops.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/indexing.h"
#include "ops/reduce.h"
#include "ops/softmax.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata::onnx {
namespace {

using A = const Arguments&;

/// Of log-probabilities (N, C, ...) and classes (N, ...). Classes that are ignored have no weight.
Tensor nll(A a, const Tensor& x) {
  const Tensor target = cast(a[1], kLong);
  const std::optional<int64_t> ignored = a.maybe_integer("ignore_index");
  const std::string reduction = a.text("reduction", "mean");
  const Tensor known = ignored ? where(eq(target, *ignored), zeros_like(target), target) : target;
  Tensor loss = neg(squeeze(gather(x, 1, unsqueeze(known, 1)), 1));
  Tensor weight;
  if (a.has(2)) weight = index_select(a[2], 0, known.reshape({-1})).reshape(known.sizes());
  if (ignored) {
    const Tensor counted = cast(ne(target, *ignored), x.dtype());
    weight = weight.defined() ? mul(weight, counted) : counted;
  }
  if (weight.defined()) loss = mul(loss, weight);
  if (reduction == "none") return loss;
  if (reduction == "sum") return sum(loss);
  return weight.defined() ? div(sum(loss), sum(weight)) : mean(loss);
}

std::tuple<Tensor, Tensor> softmax_cross_entropy(A a) {
  const Tensor scores = log_softmax(a[0], 1);
  return {nll(a, scores), scores};
}

/// The optimizers take R, T, and then all X, all G, and all of each state; they give all X and all of each state.
template <class F>
std::vector<Tensor> steps(A a, size_t kinds, F f) {
  const size_t n = (a.size() - 2) / kinds;
  std::vector<Tensor> out(n * (kinds - 1));
  for (size_t i = 0; i < n; ++i) {
    std::vector<Tensor> given;
    for (size_t k = 0; k < kinds; ++k) given.push_back(a[2 + k * n + i]);
    const std::vector<Tensor> next = f(given);
    for (size_t k = 0; k < next.size(); ++k) out[k * n + i] = next[k];
  }
  return out;
}

Tensor regularized(A a, const Tensor& x, const Tensor& g) { return add(g, mul(x, a.number("norm_coefficient", 0))); }

std::vector<Tensor> adagrad(A a) {
  const Tensor rate = div(a[0], add(mul(cast(a[1], a[0].dtype()), a.number("decay_factor", 0)), 1));
  const double eps = a.number("epsilon", 1e-6);
  return steps(a, 3, [&](const std::vector<Tensor>& v) {
    const Tensor g = regularized(a, v[0], v[1]), h = add(v[2], mul(g, g));
    return std::vector<Tensor>{sub(v[0], div(mul(rate, g), add(sqrt(h), eps))), h};
  });
}

std::vector<Tensor> adam(A a) {
  const double alpha = a.number("alpha", 0.9), beta = a.number("beta", 0.999), eps = a.number("epsilon", 1e-6);
  const double after = a.number("norm_coefficient_post", 0), t = a.number_in(1).toDouble();
  const Tensor rate = t > 0 ? mul(a[0], std::sqrt(1 - std::pow(beta, t)) / (1 - std::pow(alpha, t))) : a[0];
  return steps(a, 4, [&](const std::vector<Tensor>& v) {
    const Tensor g = regularized(a, v[0], v[1]);
    const Tensor m = add(mul(v[2], alpha), mul(g, 1 - alpha)), h = add(mul(v[3], beta), mul(mul(g, g), 1 - beta));
    const Tensor x = sub(v[0], mul(rate, div(m, add(sqrt(h), eps))));
    return std::vector<Tensor>{mul(x, 1 - after), m, h};
  });
}

std::vector<Tensor> momentum(A a) {
  const double alpha = a.number("alpha", 0), beta = a.number_in(1).toDouble() > 0 ? a.number("beta", 1) : 1;
  a.ignore("beta");
  const bool nesterov = a.text("mode") == "nesterov";
  return steps(a, 3, [&](const std::vector<Tensor>& v) {
    const Tensor g = regularized(a, v[0], v[1]), m = add(mul(v[2], alpha), mul(g, beta));
    const Tensor step = nesterov ? add(g, mul(m, alpha)) : m;
    return std::vector<Tensor>{sub(v[0], mul(a[0], step)), m};
  });
}

constexpr OpEntry kLossesOps[] = {
    {"NegativeLogLikelihoodLoss", [](A a) { return nll(a, a[0]); }},
    {"SoftmaxCrossEntropyLoss", [](A a) { return softmax_cross_entropy(a); }},
};

constexpr OpEntry kTrainingOps[] = {
    {"Adagrad", [](A a) { return adagrad(a); }},
    {"Adam", [](A a) { return adam(a); }},
    {"Momentum", [](A a) { return momentum(a); }},
};

}  // namespace

std::span<const OpEntry> loss_ops() { return kLossesOps; }
std::span<const OpEntry> training_ops() { return kTrainingOps; }

}  // namespace strata::onnx
