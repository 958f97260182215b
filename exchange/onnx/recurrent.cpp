// ONNX's recurrent layers, one scan over time for each direction.
#include "exchange/onnx/ops.h"
#include "ops/activation.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/linalg.h"
#include "ops/shaping.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"
#include "transforms/control_flow.h"

namespace strata::onnx {
namespace {

using A = const Arguments&;
using List = std::vector<Tensor>;

/// Alphas and betas stand in the order of the activations that take them.
struct Activation {
  std::string name;
  std::optional<double> alpha, beta;

  Tensor operator()(const Tensor& x) const {
    if (name == "Tanh") return tanh(x);
    if (name == "Sigmoid") return sigmoid(x);
    if (name == "Relu") return relu(x);
    if (name == "Softsign") return softsign(x);
    if (name == "Softplus") return softplus(x);
    if (name == "Affine") return add(mul(x, alpha.value_or(1)), beta.value_or(0));
    if (name == "ScaledTanh") return mul(tanh(mul(x, beta.value_or(1))), alpha.value_or(1));
    if (name == "HardSigmoid") return clamp(add(mul(x, alpha.value_or(0.2)), beta.value_or(0.5)), Scalar(0), Scalar(1));
    if (name == "LeakyRelu") return leaky_relu(x, alpha.value_or(0.01));
    if (name == "ThresholdedRelu") return threshold(x, alpha.value_or(1), 0);
    if (name == "Elu") return elu(x, alpha.value_or(1));
    STRATA_THROW("load_onnx: there is no activation '{}'", name);
  }
};

std::vector<Activation> activations(A a, std::vector<std::string> defaults, size_t directions) {
  std::vector<std::string> names = a.texts("activations");
  if (names.empty())
    for (size_t d = 0; d < directions; ++d) names.insert(names.end(), defaults.begin(), defaults.end());
  const std::vector<double> alphas = a.numbers("activation_alpha"), betas = a.numbers("activation_beta");
  std::vector<Activation> out;
  size_t alpha = 0, beta = 0;
  for (std::string& name : names) {
    const bool takes_both = name == "Affine" || name == "ScaledTanh" || name == "HardSigmoid";
    const bool takes_alpha = takes_both || name == "LeakyRelu" || name == "ThresholdedRelu" || name == "Elu";
    Activation f{std::move(name), {}, {}};
    if (takes_alpha && alpha < alphas.size()) f.alpha = alphas[alpha++];
    if (takes_both && beta < betas.size()) f.beta = betas[beta++];
    out.push_back(std::move(f));
  }
  STRATA_CHECK(out.size() == defaults.size() * directions, "load_onnx: {} has {} activations", a.op(), out.size());
  return out;
}

/// One direction of one layer.
struct Direction {
  Tensor w, r, wb, rb, peepholes;  ///< (G, I), (G, H), (G), (G) and (3H), the last three undefined where left out
  std::vector<Activation> f;
  List state;  ///< (B, H) each
  bool reverse = false;
};

/// What is the same in all directions.
struct Layer {
  std::optional<double> clip;
  bool linear_before_reset = false, input_forget = false;

  Tensor bounded(const Tensor& x) const { return clip ? clamp(x, Scalar(-*clip), Scalar(*clip)) : x; }
};

Tensor product(const Tensor& x, const Tensor& w, const Tensor& bias) {
  return bias.defined() ? linear(x, w, bias) : linear(x, w);
}

using Step = List (*)(const Layer&, const Direction&, const Tensor& x, const List& state);

List rnn_step(const Layer& l, const Direction& d, const Tensor& x, const List& state) {
  return {d.f[0](l.bounded(add(product(x, d.w, d.wb), product(state[0], d.r, d.rb))))};
}

List gru_step(const Layer& l, const Direction& d, const Tensor& x, const List& state) {
  const Tensor& h = state[0];
  const List of_x = chunk(product(x, d.w, d.wb), 3, -1), r = chunk(d.r, 3, 0);
  const List rb = d.rb.defined() ? chunk(d.rb, 3, 0) : List(3);
  const Tensor update = d.f[0](l.bounded(add(of_x[0], product(h, r[0], rb[0]))));
  const Tensor reset = d.f[0](l.bounded(add(of_x[1], product(h, r[1], rb[1]))));
  const Tensor of_h = l.linear_before_reset ? mul(reset, product(h, r[2], rb[2])) : product(mul(reset, h), r[2], rb[2]);
  const Tensor fresh = d.f[1](l.bounded(add(of_x[2], of_h)));
  return {add(mul(rsub(update, 1), fresh), mul(update, h))};
}

List lstm_step(const Layer& l, const Direction& d, const Tensor& x, const List& state) {
  const Tensor &h = state[0], &c = state[1];
  const List gates = chunk(add(product(x, d.w, d.wb), product(h, d.r, d.rb)), 4, -1);  // i, o, f, c
  const List p = d.peepholes.defined() ? chunk(d.peepholes, 3, 0) : List(3);           // i, o, f
  const auto gate = [&](size_t i, const Tensor& peephole, const Tensor& cell) {
    return d.f[0](l.bounded(peephole.defined() ? add(gates[i], mul(peephole, cell)) : gates[i]));
  };
  const Tensor in = gate(0, p[0], c);
  const Tensor forget = l.input_forget ? rsub(in, 1) : gate(2, p[2], c);
  const Tensor cell = add(mul(forget, c), mul(in, d.f[1](l.bounded(gates[3]))));
  const Tensor out = gate(1, p[1], cell);
  return {mul(out, d.f[2](cell)), cell};
}

/// All steps of a direction: h of each, and the last states. Behind a sequence's end the state stays and h is zero.
std::pair<Tensor, List> run_direction(const Layer& l, const Direction& d, Step step, const Tensor& x,
                                      const Tensor& lengths) {
  const Tensor times = arange(x.size(0), kLong);
  const auto body = [&](const List& state, const List& input) {
    List next = step(l, d, input[0], state);
    if (!lengths.defined()) return std::pair(next, next[0]);
    const Tensor runs = unsqueeze(lt(input[1], lengths), 1);
    for (size_t i = 0; i < next.size(); ++i) next[i] = where(runs, next[i], state[i]);
    return std::pair(next, where(runs, next[0], zeros_like(next[0])));
  };
  auto [last, ys] = func::scan(body, d.state, List{x, times}, {.reverse = d.reverse});
  return {ys, last};
}

struct Kind {
  std::vector<std::string> activations;
  size_t states;  ///< h, and c
  Step step;
};

/// X (T, B, I), W (D, G, I), R (D, G, H), B (D, 2G), lengths (B), h (D, B, H), c, peepholes (D, 3H).
std::vector<Tensor> recurrent(A a, const Kind& kind) {
  const bool batch_first = a.flag("layout");
  const Tensor x = batch_first ? transpose(a[0], 0, 1) : a[0];
  const Tensor w = a[1], r = a[2];
  const std::string direction = a.text("direction", "forward");
  const int64_t directions = w.size(0), hidden = r.size(2);
  a.ignore("hidden_size");
  STRATA_CHECK(directions == (direction == "bidirectional" ? 2 : 1),
               "load_onnx: {} is {} with weights of {} directions", a.op(), direction, directions);
  const Layer layer{a.has("clip") ? std::optional(a.number("clip", 0)) : std::nullopt, a.flag("linear_before_reset"),
                    a.flag("input_forget")};
  const std::vector<Activation> f = activations(a, kind.activations, static_cast<size_t>(directions));
  const Tensor lengths = a.has(4) ? cast(a[4], kLong) : Tensor();

  List ys, h_last, c_last;
  for (int64_t i = 0; i < directions; ++i) {
    Direction d{select(w, 0, i), select(r, 0, i), {}, {}, {}, {}, {}, direction == "reverse" || i == 1};
    if (a.has(3)) {
      const List both = chunk(select(a[3], 0, i), 2, 0);
      d.wb = both[0], d.rb = both[1];
    }
    if (kind.states == 2 && a.has(7)) d.peepholes = select(a[7], 0, i);
    const auto first = f.begin() + i * static_cast<std::ptrdiff_t>(kind.activations.size());
    d.f.assign(first, first + static_cast<std::ptrdiff_t>(kind.activations.size()));
    for (size_t s = 0; s < kind.states; ++s)
      d.state.push_back(a.has(5 + s) ? select(batch_first ? transpose(a[5 + s], 0, 1) : a[5 + s], 0, i)
                                     : zeros({x.size(1), hidden}, x.options()));
    auto [y, last] = run_direction(layer, d, kind.step, x, lengths);
    ys.push_back(y), h_last.push_back(last[0]), c_last.push_back(last.back());
  }
  List out{stack(ys, 1), stack(h_last), stack(c_last)};  // (T, D, B, H), (D, B, H)
  out.resize(kind.states + 1);
  if (batch_first) out[0] = permute(out[0], {2, 0, 1, 3});
  for (size_t s = 1; batch_first && s < out.size(); ++s) out[s] = transpose(out[s], 0, 1);
  return out;
}

constexpr OpEntry kRecurrentOps[] = {
    {"RNN",
     [](A a) {
       return recurrent(a, {{"Tanh"}, 1, rnn_step});
     }},
    {"GRU",
     [](A a) {
       return recurrent(a, {{"Sigmoid", "Tanh"}, 1, gru_step});
     }},
    {"LSTM",
     [](A a) {
       return recurrent(a, {{"Sigmoid", "Tanh", "Tanh"}, 2, lstm_step});
     }},
};

}  // namespace

std::span<const OpEntry> recurrent_ops() { return kRecurrentOps; }

}  // namespace strata::onnx
