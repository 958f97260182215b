// Scaling losses, unscaling gradients, and the rule by which the factor grows and falls.
#include "optim/grad_scaler.h"

#include <cmath>

#include "core/grad_mode.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/foreach.h"
#include "ops/unary.h"

namespace strata::optim {

GradScaler::GradScaler(GradScalerOptions options) : options_(options), scale_(options.init_scale()) {
  STRATA_CHECK(options.growth_factor() > 1, "GradScaler: the growth factor must be greater than 1, got {}",
               options.growth_factor());
  STRATA_CHECK(options.backoff_factor() < 1, "GradScaler: the backoff factor must be less than 1, got {}",
               options.backoff_factor());
  STRATA_CHECK(options.init_scale() > 0 && options.growth_interval() > 0,
               "GradScaler: the scale and the growth interval must be positive, got {} and {}", options.init_scale(),
               options.growth_interval());
}

Tensor GradScaler::scale(const Tensor& loss) const { return is_enabled() ? loss * scale_ : loss; }

void GradScaler::unscale_(Optimizer& optimizer) {
  if (!is_enabled()) return;
  Progress& progress = progress_[&optimizer];
  STRATA_CHECK(!progress.stepped, "GradScaler: unscale_() is called after step()");
  STRATA_CHECK(!progress.all_finite.defined(),
               "GradScaler: unscale_() was called for this optimizer since the last update() already");
  const NoGradGuard no_grad;
  std::vector<Tensor> grads;
  for (OptimizerParamGroup& group : optimizer.param_groups()) {
    for (const Tensor& p : group.params()) {
      if (!p.grad().defined()) continue;
      STRATA_CHECK(p.grad().dtype() != kHalf,
                   "GradScaler: a gradient is float16; keep parameters in float32 and compute under AutocastGuard");
      grads.push_back(p.grad().detach());
    }
  }
  STRATA_CHECK(!grads.empty(), "GradScaler: no parameter of the optimizer has a gradient");
  progress.all_finite = isfinite(total_norm(grads, INFINITY));
  foreach_mul_(grads, full({}, 1 / scale_, TensorOptions(kDouble).device(grads[0].device())));
}

bool GradScaler::overflowed(Progress& progress) {
  if (!progress.overflowed) progress.overflowed = !progress.all_finite.item<bool>();
  return *progress.overflowed;
}

bool GradScaler::step(Optimizer& optimizer) {
  if (!is_enabled()) {
    optimizer.step();
    return true;
  }
  Progress& progress = progress_[&optimizer];
  STRATA_CHECK(!progress.stepped, "GradScaler: step() was called since the last update() already");
  if (!progress.all_finite.defined()) unscale_(optimizer);
  progress.stepped = true;
  if (overflowed(progress)) return false;
  optimizer.step();
  return true;
}

void GradScaler::update(std::optional<double> new_scale) {
  if (!is_enabled()) return;
  if (new_scale) {
    scale_ = *new_scale;
  } else {
    bool any = false, checked = false;
    for (auto& [optimizer, progress] : progress_) {
      if (!progress.all_finite.defined()) continue;
      checked = true;
      any = overflowed(progress) || any;
    }
    STRATA_CHECK(checked, "GradScaler: no gradients were checked before update()");
    if (any) {
      scale_ *= options_.backoff_factor();
      growth_tracker_ = 0;
    } else if (++growth_tracker_ == options_.growth_interval()) {
      const double grown = scale_ * options_.growth_factor();
      if (std::isfinite(static_cast<float>(grown))) scale_ = grown;
      growth_tracker_ = 0;
    }
  }
  progress_.clear();
}

void GradScaler::save(serialize::OutputArchive& archive) const {
  archive.write("scale", scale_);
  archive.write("growth_factor", options_.growth_factor());
  archive.write("backoff_factor", options_.backoff_factor());
  archive.write("growth_interval", options_.growth_interval());
  archive.write("growth_tracker", growth_tracker_);
}

void GradScaler::load(serialize::InputArchive& archive) {
  archive.read("scale", scale_);
  archive.read("growth_factor", options_.growth_factor());
  archive.read("backoff_factor", options_.backoff_factor());
  archive.read("growth_interval", options_.growth_interval());
  archive.read("growth_tracker", growth_tracker_);
}

serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const GradScaler& scaler) {
  scaler.save(archive);
  return archive;
}
serialize::InputArchive& operator>>(serialize::InputArchive& archive, GradScaler& scaler) {
  scaler.load(archive);
  return archive;
}

}  // namespace strata::optim
