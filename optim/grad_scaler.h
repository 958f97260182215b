// Loss scaling: keeps the gradients of float16 out of the range where they vanish, and skips steps where they overflow.
#pragma once
#include <optional>
#include <unordered_map>

#include "optimizer.h"

namespace strata::optim {

/// The factor at first; by how much it grows after `growth_interval` steps without an overflow, and falls after one.
struct GradScalerOptions {
  STRATA_ARG(double, init_scale) = 65536;
  STRATA_ARG(double, growth_factor) = 2;
  STRATA_ARG(double, backoff_factor) = 0.5;
  STRATA_ARG(int64_t, growth_interval) = 2000;
  /// Without it `scale` and `step` do what they would do alone.
  STRATA_ARG(bool, enabled) = true;
};

/// Scales losses so that their gradients fit float16 (PyTorch's torch.amp.GradScaler). Per step of training, in order:
/// `scale(loss).backward()`, `unscale_(optimizer)` where gradients are clipped, `step(optimizer)`, `update()`.
class GradScaler {
 public:
  explicit GradScaler(GradScalerOptions options = {});

  /// `loss` times the factor, in its dtype.
  Tensor scale(const Tensor& loss) const;
  /// Divides the gradients of the optimizer's parameters by the factor, in place, and notes on the device whether all
  /// are finite. Throws when it was called since the last update, and for float16 gradients: parameters are float32.
  void unscale_(Optimizer& optimizer);
  /// The optimizer's step, unless a gradient is infinite or NaN; unscales first where `unscale_` has not. Reads from
  /// the device once. Returns whether the step was taken.
  bool step(Optimizer& optimizer);
  /// Adjusts the factor by what was found since the last time, or sets it.
  void update(std::optional<double> new_scale = std::nullopt);

  double get_scale() const { return options_.enabled() ? scale_ : 1; }
  bool is_enabled() const { return options_.enabled(); }
  const GradScalerOptions& options() const { return options_; }
  /// Steps since the factor changed last.
  int64_t growth_tracker() const { return growth_tracker_; }

  /// The factor, how it changes, and how long it has been what it is.
  void save(serialize::OutputArchive& archive) const;
  void load(serialize::InputArchive& archive);

 private:
  /// What happened to one optimizer since the last update.
  struct Progress {
    Tensor all_finite;  ///< 0-dim, bool, on the device; undefined until the gradients are unscaled
    std::optional<bool> overflowed;
    bool stepped = false;
  };
  static bool overflowed(Progress& progress);

  GradScalerOptions options_;
  double scale_;
  int64_t growth_tracker_ = 0;
  std::unordered_map<const Optimizer*, Progress> progress_;
};

serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const GradScaler& scaler);
serialize::InputArchive& operator>>(serialize::InputArchive& archive, GradScaler& scaler);

}  // namespace strata::optim
