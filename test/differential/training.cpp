// What programs that train do: steps of optimizers, schedules of learning rates, modules with their parameters, custom
// functions. steps.py says what each is.
#include "test/differential/names.h"

namespace differential {
namespace {

namespace nn = strata::nn;
namespace optim = strata::optim;
namespace F = strata::nn::functional;
using L = IntArrayRef;

// --- options by name
double number_of(const Value& v) { return static_cast<double>(Argument<Scalar>::get(v).to<double>()); }
bool flag_of(const Value& v) { return *v.as<bool>(); }
unsigned count_of(const Value& v) { return static_cast<unsigned>(*v.as<int64_t>()); }
const List& list_of(const Value& v) { return *v.as<List>(); }
const std::string& word_of(const Value& v) { return *v.as<std::string>(); }

std::tuple<double, double> pair_of(const Value& v) {
  return {number_of(list_of(v).at(0)), number_of(list_of(v).at(1))};
}

/// The value of a name among names and values in turn; null where it is not given.
const Value* option(const List& options, std::string_view name) {
  for (size_t i = 0; i + 1 < options.size(); i += 2)
    if (word_of(options[i]) == name) return &options[i + 1];
  return nullptr;
}
double number_in(const List& options, std::string_view name, double otherwise) {
  const Value* found = option(options, name);
  return found ? number_of(*found) : otherwise;
}
bool flag_in(const List& options, std::string_view name, bool otherwise) {
  const Value* found = option(options, name);
  return found ? flag_of(*found) : otherwise;
}

#define STRATA_SET(name, read)                 \
  if constexpr (requires { o.name(read(v)); }) \
    if (word == #name) return void(o.name(read(v)));

/// Sets the option of that name.
template <class Options>
void set(Options& o, const std::string& word, const Value& v) {
  STRATA_SET(lr, number_of)
  STRATA_SET(momentum, number_of)
  STRATA_SET(dampening, number_of)
  STRATA_SET(weight_decay, number_of)
  STRATA_SET(nesterov, flag_of)
  STRATA_SET(maximize, flag_of)
  STRATA_SET(betas, pair_of)
  STRATA_SET(amsgrad, flag_of)
  STRATA_SET(decoupled_weight_decay, flag_of)
  STRATA_SET(alpha, number_of)
  STRATA_SET(centered, flag_of)
  STRATA_SET(lr_decay, number_of)
  STRATA_SET(initial_accumulator_value, number_of)
  STRATA_SET(rho, number_of)
  STRATA_SET(momentum_decay, number_of)
  STRATA_SET(lambd, number_of)
  STRATA_SET(t0, number_of)
  STRATA_SET(etas, pair_of)
  STRATA_SET(step_sizes, pair_of)
  STRATA_SET(beta2_decay, number_of)
  STRATA_SET(d, number_of)
  STRATA_SET(ns_steps, count_of)
  STRATA_SET(adjust_lr_fn, word_of)
  if constexpr (requires { o.eps(1.0); })
    if (word == "eps") return void(o.eps(number_of(v)));
  throw std::logic_error("no option " + word);
}
#undef STRATA_SET

template <class Options>
Options options_of(const List& given) {
  Options o(number_in(given, "lr", 0));
  for (size_t i = 0; i + 1 < given.size(); i += 2) set(o, word_of(given[i]), given[i + 1]);
  return o;
}

/// The options of a group, of which those that are not given are the optimizer's.
template <class Options>
std::unique_ptr<optim::OptimizerOptions> group_options(const List& given) {
  if constexpr (std::is_default_constructible_v<Options>) {
    auto o = std::make_unique<Options>();
    for (size_t i = 0; i + 1 < given.size(); i += 2) set(*o, word_of(given[i]), given[i + 1]);
    return o;
  } else {
    return std::make_unique<Options>(options_of<Options>(given));
  }
}

// --- optimizers
using MaybeTensors = std::vector<std::optional<Tensor>>;

template <class Steps, class Options>
std::unique_ptr<optim::Optimizer> make_optimizer(const Tensors& params, const List& options, const List& groups) {
  if (groups.empty()) return std::make_unique<Steps>(params, options_of<Options>(options));
  std::vector<optim::OptimizerParamGroup> given;
  for (size_t i = 0; i < params.size(); ++i) {
    const List& own = list_of(groups.at(i));
    if (own.empty())
      given.emplace_back(Tensors{params[i]});
    else
      given.emplace_back(Tensors{params[i]}, group_options<Options>(own));
  }
  return std::make_unique<Steps>(given, options_of<Options>(options));
}

using MakeOptimizer = std::unique_ptr<optim::Optimizer> (*)(const Tensors&, const List&, const List&);
const std::map<std::string, MakeOptimizer>& optimizers() {
  static const std::map<std::string, MakeOptimizer> kOptimizers = {
      {"SGD", make_optimizer<optim::SGD, optim::SGDOptions>},
      {"Adam", make_optimizer<optim::Adam, optim::AdamOptions>},
      {"AdamW", make_optimizer<optim::AdamW, optim::AdamWOptions>},
      {"RMSprop", make_optimizer<optim::RMSprop, optim::RMSpropOptions>},
      {"Adagrad", make_optimizer<optim::Adagrad, optim::AdagradOptions>},
      {"Adadelta", make_optimizer<optim::Adadelta, optim::AdadeltaOptions>},
      {"Adamax", make_optimizer<optim::Adamax, optim::AdamaxOptions>},
      {"NAdam", make_optimizer<optim::NAdam, optim::NAdamOptions>},
      {"RAdam", make_optimizer<optim::RAdam, optim::RAdamOptions>},
      {"ASGD", make_optimizer<optim::ASGD, optim::ASGDOptions>},
      {"Rprop", make_optimizer<optim::Rprop, optim::RpropOptions>},
      {"Adafactor", make_optimizer<optim::Adafactor, optim::AdafactorOptions>},
      {"Muon", make_optimizer<optim::Muon, optim::MuonOptions>},
  };
  return kOptimizers;
}

Tensors as_parameters(const Tensors& given) {
  Tensors params;
  for (const Tensor& p : given) params.push_back(p.detach().clone().requires_grad_());
  return params;
}
Tensors detached(Tensors tensors) {
  for (Tensor& t : tensors) t = t.detach();
  return tensors;
}

Tensors take_steps(Text name, const Tensors& given, const std::vector<MaybeTensors>& gradients, const List& options,
                   const List& groups) {
  const strata::AutoGradMode recording(true);
  Tensors params = as_parameters(given);
  const auto steps = optimizers().at(std::string(name))(params, options, groups);
  for (const MaybeTensors& step : gradients) {
    for (size_t i = 0; i < params.size(); ++i)
      params[i].mutable_grad() = step.at(i) ? step[i]->detach().clone() : Tensor();
    steps->step();
  }
  return detached(params);
}

Tensors minimize(const Tensors& given, const Tensors& targets, const List& options, I count) {
  const strata::AutoGradMode recording(true);
  Tensors params = as_parameters(given);
  optim::LBFGSOptions o(number_in(options, "lr", 1));
  o.max_iter(static_cast<int64_t>(number_in(options, "max_iter", 20)));
  o.history_size(static_cast<int64_t>(number_in(options, "history_size", 100)));
  if (const Value* v = option(options, "max_eval")) o.max_eval(*v->as<int64_t>());
  if (const Value* v = option(options, "line_search_fn")) o.line_search_fn(word_of(*v));
  optim::LBFGS steps(params, o);
  for (I n = 0; n < count; ++n)
    steps.step([&] {
      steps.zero_grad();
      Tensor loss = strata::zeros({}, strata::kDouble);
      for (size_t i = 0; i < params.size(); ++i)
        loss = loss + static_cast<double>(i + 1) * (params[i] - targets.at(i)).square().sum() + params[i].cos().sum();
      loss.backward();
      return loss;
    });
  return detached(params);
}

Tensors clip_gradients(const Tensors& given, const Tensors& gradients, double most, double order) {
  Tensors params = as_parameters(given), clipped;
  for (size_t i = 0; i < params.size(); ++i) params[i].mutable_grad() = gradients.at(i).detach().clone();
  nn::utils::clip_grad_norm_(params, most, order);
  for (const Tensor& p : params) clipped.push_back(p.grad());
  return clipped;
}

// --- learning rates
using Schedule = std::shared_ptr<optim::LRScheduler>;

optim::AnnealStrategy strategy_in(const List& o) {
  const Value* found = option(o, "anneal_strategy");
  return found && word_of(*found) == "linear" ? optim::AnnealStrategy::kLinear : optim::AnnealStrategy::kCos;
}

Schedule one_cycle(optim::Optimizer& steps, const List& o) {
  optim::OneCycleLROptions options(number_in(o, "max_lr", 0), count_of(*option(o, "total_steps")));
  options.anneal_strategy(strategy_in(o)).pct_start(number_in(o, "pct_start", 0.3));
  options.cycle_momentum(flag_in(o, "cycle_momentum", true)).base_momentum(number_in(o, "base_momentum", 0.85));
  options.max_momentum(number_in(o, "max_momentum", 0.95)).div_factor(number_in(o, "div_factor", 25));
  options.final_div_factor(number_in(o, "final_div_factor", 1e4)).three_phase(flag_in(o, "three_phase", false));
  return std::make_shared<optim::OneCycleLR>(steps, options);
}

Schedule cyclic(optim::Optimizer& steps, const List& o) {
  using Options = optim::CyclicLROptions;
  Options options(number_in(o, "base_lr", 0), number_in(o, "max_lr", 0));
  options.step_size_up(count_of(*option(o, "step_size_up"))).gamma(number_in(o, "gamma", 1));
  if (const Value* v = option(o, "step_size_down")) options.step_size_down(count_of(*v));
  if (const Value* v = option(o, "mode"))
    options.mode(word_of(*v) == "triangular2" ? Options::kTriangular2
                 : word_of(*v) == "exp_range" ? Options::kExpRange
                                              : Options::kTriangular);
  options.cycle_momentum(flag_in(o, "cycle_momentum", true)).base_momentum(number_in(o, "base_momentum", 0.8));
  options.max_momentum(number_in(o, "max_momentum", 0.9));
  return std::make_shared<optim::CyclicLR>(steps, options);
}

std::vector<unsigned> counts_of(const Value& v) {
  std::vector<unsigned> counts;
  for (const Value& each : list_of(v)) counts.push_back(count_of(each));
  return counts;
}

Schedule make_schedule(optim::Optimizer& steps, const std::string& name, const List& o);

std::vector<Schedule> make_schedules(optim::Optimizer& steps, const Value& given) {
  std::vector<Schedule> made;
  for (const Value& one : list_of(given))
    made.push_back(make_schedule(steps, word_of(list_of(one).at(0)), list_of(list_of(one).at(1))));
  return made;
}

Schedule make_schedule(optim::Optimizer& steps, const std::string& name, const List& o) {
  const auto number = [&](const char* word) { return number_of(*option(o, word)); };
  const auto count = [&](const char* word) { return count_of(*option(o, word)); };
  if (name == "SequentialLR")
    return std::make_shared<optim::SequentialLR>(steps, make_schedules(steps, o.at(0)), counts_of(o.at(1)));
  if (name == "ChainedScheduler")
    return std::make_shared<optim::ChainedScheduler>(steps, make_schedules(steps, o.at(0)));
  if (name == "StepLR") return std::make_shared<optim::StepLR>(steps, count("step_size"), number("gamma"));
  if (name == "MultiStepLR")
    return std::make_shared<optim::MultiStepLR>(steps, counts_of(*option(o, "milestones")), number("gamma"));
  if (name == "ExponentialLR") return std::make_shared<optim::ExponentialLR>(steps, number("gamma"));
  if (name == "LinearLR")
    return std::make_shared<optim::LinearLR>(steps, number("start_factor"), number("end_factor"), count("total_iters"));
  if (name == "ConstantLR") return std::make_shared<optim::ConstantLR>(steps, number("factor"), count("total_iters"));
  if (name == "PolynomialLR")
    return std::make_shared<optim::PolynomialLR>(steps, count("total_iters"), number("power"));
  if (name == "CosineAnnealingLR")
    return std::make_shared<optim::CosineAnnealingLR>(steps, count("T_max"), number("eta_min"));
  if (name == "CosineAnnealingWarmRestarts")
    return std::make_shared<optim::CosineAnnealingWarmRestarts>(steps, count("T_0"), count("T_mult"),
                                                                number("eta_min"));
  return name == "OneCycleLR" ? one_cycle(steps, o) : cyclic(steps, o);
}

Tensor of_numbers(const std::vector<double>& numbers) {
  return strata::tensor(numbers, strata::TensorOptions(strata::kDouble));
}

Tensor run_schedule(Text name, double lr, const List& options, I count) {
  optim::SGD steps({strata::zeros({1}).requires_grad_()}, optim::SGDOptions(lr).momentum(0.5));
  const Schedule rates = make_schedule(steps, std::string(name), options);
  std::vector<double> found;
  for (I i = 0; i < count; ++i) {
    const auto& group = steps.param_groups().at(0).options();
    found.push_back(group.get_lr());
    found.push_back(group.get_momentum());
    steps.step();
    rates->step();
  }
  return of_numbers(found).view({count, 2}).clone();
}

Tensor run_plateau(double lr, const List& o, const std::vector<double>& metrics) {
  using Plateau = optim::ReduceLROnPlateauScheduler;
  optim::SGD steps({strata::zeros({1}).requires_grad_()}, optim::SGDOptions(lr));
  const auto is = [&](const char* name, const char* word) {
    const Value* found = option(o, name);
    return found && word_of(*found) == word;
  };
  Plateau rates(steps, is("mode", "max") ? Plateau::max : Plateau::min, number_in(o, "factor", 0.1),
                static_cast<int>(number_in(o, "patience", 10)), number_in(o, "threshold", 1e-4),
                is("threshold_mode", "abs") ? Plateau::abs : Plateau::rel,
                static_cast<int>(number_in(o, "cooldown", 0)), number_in(o, "min_lr", 0), number_in(o, "eps", 1e-8));
  std::vector<double> found;
  for (const double metric : metrics) {
    rates.step(metric);
    found.push_back(steps.param_groups().at(0).options().get_lr());
  }
  return of_numbers(found);
}

Rows step_rows() {
  return {{"optimizer", take_steps},
          {"lbfgs", minimize},
          {"clip_grad_norm", clip_gradients},
          {"schedule", run_schedule},
          {"plateau", run_plateau}};
}

// --- modules
template <class Module>
strata::func::StateDict state_of(Module& module, const Tensors& weights) {
  strata::func::StateDict state;
  const auto parameters = module->named_parameters();
  if (parameters.size() != weights.size()) throw std::logic_error("the module has other parameters");
  size_t i = 0;
  for (const auto& [name, parameter] : parameters) state.insert(name, weights[i++]);
  return state;
}

template <size_t D>
strata::ExpandingArray<D> sizes_of(L sizes) {
  return strata::ExpandingArray<D>(sizes);
}
template <class Options>
void set_padding_mode(Options& o, Text mode) {
  if (mode == "reflect") o.padding_mode(strata::kReflect);
  if (mode == "replicate") o.padding_mode(strata::kReplicate);
  if (mode == "circular") o.padding_mode(strata::kCircular);
}

template <class Options, size_t D>
void set_padding(Options& o, const Value& padding) {
  if (!padding.as<std::string>())
    return void(o.padding(strata::ExpandingArray<D>(Argument<std::vector<I>>::get(padding))));
  if constexpr (requires { o.padding(strata::kSame); }) {
    if (word_of(padding) == "same")
      o.padding(strata::kSame);
    else
      o.padding(strata::kValid);
  }
}

template <class Module, size_t D, class Options>
Tensor run_conv(Options o, T x, const Tensors& weights, L stride, const Value& padding, L dilation, I groups,
                Text mode) {
  o.stride(sizes_of<D>(stride)).dilation(sizes_of<D>(dilation)).groups(groups).bias(weights.size() > 1);
  set_padding<Options, D>(o, padding);
  set_padding_mode(o, mode);
  Module module(o);
  module->to(x.dtype());
  return strata::functional_call(module, state_of(module, weights), x);
}

Tensor conv_module(bool transposed, T x, const Tensors& weights, std::vector<I> kernel, std::vector<I> stride,
                   Value padding, std::vector<I> dilation, I groups, Text mode) {
  const I first = weights[0].size(0), second = weights[0].size(1) * groups;
  if (transposed) {
    if (kernel.size() == 1)
      return run_conv<nn::ConvTranspose1d, 1>(nn::ConvTranspose1dOptions(first, second, sizes_of<1>(kernel)), x,
                                              weights, stride, padding, dilation, groups, mode);
    if (kernel.size() == 2)
      return run_conv<nn::ConvTranspose2d, 2>(nn::ConvTranspose2dOptions(first, second, sizes_of<2>(kernel)), x,
                                              weights, stride, padding, dilation, groups, mode);
    return run_conv<nn::ConvTranspose3d, 3>(nn::ConvTranspose3dOptions(first, second, sizes_of<3>(kernel)), x, weights,
                                            stride, padding, dilation, groups, mode);
  }
  if (kernel.size() == 1)
    return run_conv<nn::Conv1d, 1>(nn::Conv1dOptions(second, first, sizes_of<1>(kernel)), x, weights, stride, padding,
                                   dilation, groups, mode);
  if (kernel.size() == 2)
    return run_conv<nn::Conv2d, 2>(nn::Conv2dOptions(second, first, sizes_of<2>(kernel)), x, weights, stride, padding,
                                   dilation, groups, mode);
  return run_conv<nn::Conv3d, 3>(nn::Conv3dOptions(second, first, sizes_of<3>(kernel)), x, weights, stride, padding,
                                 dilation, groups, mode);
}

template <class Module>
Tensors run_batch_norm(const Tensors& xs, const Tensors& weights, T mean, T var, MaybeDouble momentum, bool tracks) {
  Module module(
      nn::BatchNormOptions(mean.size(0)).momentum(momentum).affine(!weights.empty()).track_running_stats(tracks));
  module->to(mean.dtype());
  if (!weights.empty()) {
    module->weight = weights.at(0);
    module->bias = weights.at(1);
  }
  if (tracks) {
    const strata::NoGradGuard no_grad;
    module->running_mean.copy_(mean);
    module->running_var.copy_(var);
  }
  Tensors results;
  for (const Tensor& x : xs) results.push_back(module->forward(x));
  module->eval();
  results.push_back(module->forward(xs.at(0)));
  if (tracks) {
    results.push_back(module->running_mean.clone());
    results.push_back(module->running_var.clone());
    results.push_back(module->num_batches_tracked.clone());
  }
  return results;
}

Tensors batch_norm_module(const Tensors& xs, const Tensors& weights, T mean, T var, MaybeDouble momentum, bool tracks) {
  const auto run = xs.at(0).dim() < 4    ? run_batch_norm<nn::BatchNorm1d>
                   : xs.at(0).dim() == 4 ? run_batch_norm<nn::BatchNorm2d>
                                         : run_batch_norm<nn::BatchNorm3d>;
  return run(xs, weights, mean, var, momentum, tracks);
}

Tensors attention_forward(T q, T k, T v, I heads, T w, Maybe b, T u, Maybe c, std::optional<Tensors> extra, bool zero,
                          Maybe hidden, Maybe mask, bool needs_weights, bool averages) {
  const Tensors more = extra.value_or(Tensors(2));
  F::MultiheadAttentionForwardFuncOptions o(q.size(-1), heads, w, tensor_of(b), more.at(0), more.at(1), zero, 0.0, u,
                                            tensor_of(c));
  o.key_padding_mask(tensor_of(hidden)).attn_mask(tensor_of(mask));
  const auto [out, weights] =
      F::multi_head_attention_forward(q, k, v, o.need_weights(needs_weights).average_attn_weights(averages));
  if (needs_weights) return {out, weights.clone()};
  return {out};
}

Tensors attention_apart(T q, T k, T v, I heads, const Tensors& ws, T b, T u, T c, bool averages) {
  F::MultiheadAttentionForwardFuncOptions o(q.size(-1), heads, {}, b, {}, {}, false, 0.0, u, c);
  o.use_separate_proj_weight(true).q_proj_weight(ws.at(0)).k_proj_weight(ws.at(1)).v_proj_weight(ws.at(2));
  const auto [out, weights] = F::multi_head_attention_forward(q, k, v, o.average_attn_weights(averages));
  return {out, weights.clone()};
}

nn::TransformerLayerOptions transformer_options(T x, I heads, I inner, Text activation) {
  nn::TransformerLayerOptions o(x.size(-1), heads);
  o.dim_feedforward(inner).dropout(0.0);
  if (activation == "gelu") o.activation(strata::kGELU);
  return o;
}

Tensor encoder_layer(T x, const Tensors& weights, I heads, Text activation, Maybe mask, Maybe hidden) {
  nn::TransformerEncoderLayer module(transformer_options(x, heads, weights.at(4).size(0), activation));
  module->to(x.dtype());
  return strata::functional_call(module, state_of(module, weights), x, tensor_of(mask), tensor_of(hidden));
}

Tensor decoder_layer(T x, T memory, const Tensors& weights, I heads, Text activation, Maybe mask, Maybe hidden) {
  nn::TransformerDecoderLayer module(transformer_options(x, heads, weights.at(8).size(0), activation));
  module->to(x.dtype());
  return strata::functional_call(module, state_of(module, weights), x, memory, tensor_of(mask), Tensor(),
                                 tensor_of(hidden));
}

struct Recurrence {
  I hidden, layers;
  bool biases, both_ways, batch_first;
  I projected;
};

template <class Module, class Options>
Tensors run_packed(T x, const std::vector<I>& lengths, const Tensors& weights, const Recurrence& r) {
  Options o(x.size(-1), r.hidden);
  o.num_layers(r.layers).bias(r.biases).batch_first(r.batch_first).bidirectional(r.both_ways);
  if constexpr (requires { o.proj_size(r.projected); }) o.proj_size(r.projected);
  Module module(o);
  module->to(x.dtype());
  strata::func::Substitution substitution;
  const auto parameters = module->named_parameters();
  if (parameters.size() != weights.size()) throw std::logic_error("the module has other parameters");
  size_t i = 0;
  for (const auto& [name, parameter] : parameters) substitution.replace(parameter, weights[i++], name);
  namespace rnn = nn::utils::rnn;
  const Tensor counts = strata::tensor(lengths, strata::TensorOptions(strata::kLong));
  const auto packed = rnn::pack_padded_sequence(x, counts, r.batch_first, false);
  const auto made = module->forward_with_packed_input(packed);
  const auto& state = std::get<1>(made);
  const auto [padded, found] = rnn::pad_packed_sequence(std::get<0>(made), r.batch_first);
  Tensors results{padded};
  if constexpr (requires { std::get<1>(state); }) {
    results.push_back(std::get<0>(state).clone());
    results.push_back(std::get<1>(state).clone());
  } else {
    results.push_back(state.clone());
  }
  results.push_back(found);
  for (Tensor& t : results) t = substitution.resolve(t);
  return results;
}

Tensors packed_recurrence(Text kind, T x, const std::vector<I>& lengths, const Tensors& weights, I hidden, I layers,
                          bool biases, bool both_ways, bool batch_first, I projected) {
  const Recurrence r{hidden, layers, biases, both_ways, batch_first, projected};
  if (kind == "RNN") return run_packed<nn::RNN, nn::RNNOptions>(x, lengths, weights, r);
  if (kind == "GRU") return run_packed<nn::GRU, nn::GRUOptions>(x, lengths, weights, r);
  return run_packed<nn::LSTM, nn::LSTMOptions>(x, lengths, weights, r);
}

Tensor interpolate(T x, std::optional<std::vector<I>> size, std::optional<std::vector<double>> scale, Text mode,
                   std::optional<bool> align, std::optional<bool> recompute, bool antialias) {
  F::InterpolateFuncOptions o;
  o.size(size).scale_factor(scale).align_corners(align).recompute_scale_factor(recompute).antialias(antialias);
  if (mode == "nearest-exact") o.mode(strata::kNearestExact);
  if (mode == "linear") o.mode(strata::kLinear);
  if (mode == "bilinear") o.mode(strata::kBilinear);
  if (mode == "bicubic") o.mode(strata::kBicubic);
  if (mode == "trilinear") o.mode(strata::kTrilinear);
  if (mode == "area") o.mode(strata::kArea);
  return F::interpolate(x, o);
}

// --- custom functions
using strata::autograd::AutogradContext;

struct Scaled : strata::autograd::Function<Scaled> {
  static Tensor forward(AutogradContext* ctx, Tensor x, Tensor y, double k) {
    ctx->save_for_backward({x, y});
    ctx->saved_data["k"] = k;
    return x * y * k;
  }
  static Tensors backward(AutogradContext* ctx, Tensors grads) {
    const Tensors saved = ctx->get_saved_variables();
    const double k = ctx->saved_data["k"].toDouble();
    return {2 * k * grads[0] * saved[1], k * grads[0] * saved[0], Tensor()};
  }
};

struct Parts : strata::autograd::Function<Parts> {
  static Tensors forward(AutogradContext* ctx, Tensor x, Tensor y) {
    ctx->save_for_backward({x, y});
    const Tensor sine = (x + y).sin(), positive = sine > 0;
    ctx->mark_non_differentiable({positive});
    return {sine, positive};
  }
  static Tensors backward(AutogradContext* ctx, Tensors grads) {
    const Tensors saved = ctx->get_saved_variables();
    const Tensor slope = grads[0] * (saved[0] + saved[1]).cos();
    return {slope, ctx->needs_input_grad(1) ? slope : Tensor()};
  }
};

struct Doubled : strata::autograd::Function<Doubled> {
  static Tensor forward(AutogradContext* ctx, Tensor x) {
    x.mul_(2);
    ctx->mark_dirty({x});
    return x;
  }
  static Tensors backward(AutogradContext*, Tensors grads) { return {2 * grads[0]}; }
};

Rows module_rows() {
  return {{"conv_module", conv_module},
          {"batch_norm_module", batch_norm_module},
          {"attention_forward", attention_forward},
          {"attention_apart", attention_apart},
          {"encoder_layer", encoder_layer},
          {"decoder_layer", decoder_layer},
          {"packed_recurrence", packed_recurrence},
          {"interpolate", interpolate},
          {"custom_scaled", [](T x, T y, double k) { return Scaled::apply(x, y, k); }},
          {"custom_parts", [](T x, T y) { return Parts::apply(x, y); }},
          {"custom_doubled", [](T x) { return Doubled::apply(x.clone()); }}};
}

}  // namespace

Rows training_rows() {
  Rows rows;
  for (auto family : {step_rows, module_rows})
    for (auto& row : family()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace differential
