// The steps of Adamax, NAdam, RAdam and SparseAdam.
#include "optim/adam_variants.h"

#include <cmath>

#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/indexing.h"
#include "ops/optim_ops.h"
#include "ops/reduce.h"
#include "ops/shaping.h"
#include "ops/view.h"

namespace strata::optim {

template class OptimizerCloneableOptions<AdamaxOptions>;
template class OptimizerCloneableParamState<AdamaxParamState>;
template class OptimizerCloneableOptions<NAdamOptions>;
template class OptimizerCloneableParamState<NAdamParamState>;
template class OptimizerCloneableOptions<RAdamOptions>;
template class OptimizerCloneableParamState<RAdamParamState>;
template class OptimizerCloneableOptions<SparseAdamOptions>;
template class OptimizerCloneableParamState<SparseAdamParamState>;

namespace {

/// Zeros like the parameter where a moment is missing.
template <class State>
void make_moments(const Tensor& p, State& s) {
  if (s.exp_avg().defined()) return;
  s.exp_avg(zeros_like(p));
  s.exp_avg_sq(zeros_like(p));
}

template <class Options>
void check_numbers(const char* name, const Options& o) {
  detail::check_not_negative(name, "the learning rate", o.lr());
  detail::check_not_negative(name, "eps", o.eps());
  detail::check_betas(name, o.betas());
  if constexpr (requires { o.weight_decay(); }) detail::check_not_negative(name, "weight_decay", o.weight_decay());
}

}  // namespace

void AdamaxOptions::check() const { check_numbers("Adamax", *this); }
void NAdamOptions::check() const {
  check_numbers("NAdam", *this);
  detail::check_not_negative("NAdam", "momentum_decay", momentum_decay());
}
void RAdamOptions::check() const { check_numbers("RAdam", *this); }
void SparseAdamOptions::check() const {
  check_numbers("SparseAdam", *this);
  STRATA_CHECK(lr() > 0 && eps() > 0, "SparseAdam: the learning rate and eps must be positive, got {} and {}", lr(),
               eps());
}

void Adamax::begin(const Tensor& p, AdamaxParamState& s, const AdamaxOptions&) const {
  if (s.exp_avg().defined()) return;
  s.exp_avg(zeros_like(p));
  s.exp_inf(zeros_like(p));
}

void Adamax::take_step(const Members& members, const AdamaxOptions& o) const {
  const auto [beta1, beta2] = o.betas();
  const AdamaxStep s{o.lr(), beta1, beta2, o.eps(), o.weight_decay(), 1, o.maximize()};
  detail::take_counted_step(
      "Adamax", members, o, s, true,
      [](const auto& m) {
        return AdamaxSlot{m.param, m.param.grad(), m.state->exp_avg(), m.state->exp_inf()};
      },
      [](const auto&... args) { adamax_steps_(args...); });
}

void NAdam::begin(const Tensor& p, NAdamParamState& s, const NAdamOptions&) const { make_moments(p, s); }

void NAdam::take_step(const Members& members, const NAdamOptions& o) const {
  const auto [beta1, beta2] = o.betas();
  const auto mu_of = [&, first = beta1](int64_t step) {
    return first * (1 - 0.5 * std::pow(0.96, static_cast<double>(step) * o.momentum_decay()));
  };
  NadamStep s{o.lr(), beta1, beta2, o.eps(), o.weight_decay()};
  s.decoupled = o.decoupled_weight_decay();
  s.maximize = o.maximize();
  detail::Buckets<detail::Member<NAdamParamState>, std::pair<int64_t, double>> buckets(members.size());
  for (const auto& m : members) {
    detail::check_counts_on_host("NAdam", m.param);
    m.state->step(m.state->step() + 1);
    m.state->mu_product(m.state->mu_product() * mu_of(m.state->step()));
    buckets.add({m.state->step(), m.state->mu_product()}, m);
  }
  buckets.for_each([&](const std::pair<int64_t, double>& key, const Members& alike) {
    s.step = key.first;
    s.mu = mu_of(s.step);
    s.mu_next = mu_of(s.step + 1);
    s.mu_product = key.second;
    nadam_steps_(
        detail::slots_of(alike,
                         [](const auto& m) {
                           return NadamSlot{m.param, m.param.grad(), m.state->exp_avg(), m.state->exp_avg_sq()};
                         }),
        s);
  });
}

void RAdam::begin(const Tensor& p, RAdamParamState& s, const RAdamOptions&) const { make_moments(p, s); }

void RAdam::take_step(const Members& members, const RAdamOptions& o) const {
  const auto [beta1, beta2] = o.betas();
  const RadamStep s{o.lr(), beta1, beta2, o.eps(), o.weight_decay(), 1, o.decoupled_weight_decay(), o.maximize()};
  detail::take_counted_step(
      "RAdam", members, o, s, true,
      [](const auto& m) {
        return RadamSlot{m.param, m.param.grad(), m.state->exp_avg(), m.state->exp_avg_sq()};
      },
      [](const auto&... args) { radam_steps_(args...); });
}

void SparseAdam::begin(const Tensor& p, SparseAdamParamState& s, const SparseAdamOptions&) const {
  STRATA_CHECK(p.dim() > 0 && !p.is_complex(), "SparseAdam: a parameter must have rows of real numbers, got shape {}",
               p.sizes());
  make_moments(p, s);
}

void SparseAdam::take_step(const Members& members, const SparseAdamOptions& o) const {
  const auto [beta1, beta2] = o.betas();
  for (const auto& m : members) {
    m.state->step(m.state->step() + 1);
    const Tensor& grad = m.param.grad();
    const Tensor rows = grad.ne(0).reshape({grad.size(0), -1}).any(1).nonzero().squeeze(1);
    if (rows.numel() == 0) continue;
    Tensor param = m.param, mean = m.state->exp_avg(), square = m.state->exp_avg_sq();
    Tensor p = param.index_select(0, rows), first = mean.index_select(0, rows), second = square.index_select(0, rows);
    const Tensor g = grad.index_select(0, rows);
    Tensor none;
    // PyTorch adds eps before the second moment is corrected, so that it is corrected too.
    const double correction = std::sqrt(1 - std::pow(beta2, static_cast<double>(m.state->step())));
    AdamStep s{o.lr(), beta1, beta2, o.eps() / correction, 0, m.state->step()};
    s.maximize = o.maximize();
    adam_step_(p, g, first, second, none, s);
    param.index_copy_(0, rows, p);
    mean.index_copy_(0, rows, first);
    square.index_copy_(0, rows, second);
  }
}

}  // namespace strata::optim
