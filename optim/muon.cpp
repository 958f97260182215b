// The steps of Muon.
#include "optim/muon.h"

#include <algorithm>
#include <cmath>

#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/linalg.h"
#include "ops/reduce.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata::optim {

template class OptimizerCloneableOptions<MuonOptions>;
template class OptimizerCloneableParamState<MuonParamState>;

namespace {

/// Nearly the orthogonal factor of a matrix: its singular values come near 1.
Tensor orthogonalized(const Tensor& matrix, const MuonOptions& o) {
  const auto [a, b, c] = o.ns_coefficients();
  const bool tall = matrix.size(0) > matrix.size(1);
  Tensor x = (tall ? matrix.t() : matrix).to(kBFloat16);
  x = x / x.norm().clamp_min(o.eps());
  for (int64_t i = 0; i < o.ns_steps(); ++i) {
    const Tensor gram = x.matmul(x.t());
    x = addmm(x, addmm(gram, gram, gram, b, c), x, a);
  }
  return tall ? x.t() : x;
}

double adjusted(double lr, const std::string& how, const Tensor& p) {
  const double rows = static_cast<double>(p.size(0)), columns = static_cast<double>(p.size(1));
  if (how == "match_rms_adamw") return lr * 0.2 * std::sqrt(std::max(rows, columns));
  const double ratio = rows / columns;
  return lr * std::sqrt(how == "original" ? std::max(1.0, ratio) : ratio);
}

}  // namespace

void MuonOptions::check() const {
  detail::check_not_negative("Muon", "the learning rate", lr());
  detail::check_not_negative("Muon", "momentum", momentum());
  detail::check_not_negative("Muon", "weight_decay", weight_decay());
  const std::string& how = adjust_lr_fn();
  STRATA_CHECK(how == "original" || how == "match_rms_adamw" || how == "spectral_unclamped",
               "Muon: adjust_lr_fn must be original, match_rms_adamw or spectral_unclamped, got {}", how);
}

void Muon::begin(const Tensor& p, MuonParamState& s, const MuonOptions&) const {
  STRATA_CHECK(p.dim() == 2 && !p.is_complex(), "Muon: parameters must be real matrices, got shape {}", p.sizes());
  if (!s.momentum_buffer().defined()) s.momentum_buffer(zeros_like(p));
}

void Muon::take_step(const Members& members, const MuonOptions& o) const {
  for (const auto& m : members) {
    Tensor p = m.param, buffer = m.state->momentum_buffer();
    const Tensor g = o.maximize() ? -m.param.grad() : m.param.grad();
    buffer.lerp_(g, 1 - o.momentum());
    const Tensor update = orthogonalized(o.nesterov() ? g.lerp(buffer, o.momentum()) : buffer, o);
    p.mul_(1 - o.lr() * o.weight_decay());
    p.sub_(update.to(p.dtype()), adjusted(o.lr(), o.adjust_lr_fn(), p));
  }
}

}  // namespace strata::optim
