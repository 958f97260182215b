// Anomaly mode: backward errors name the forward call, and NaN gradients are errors.
#pragma once
#include <string>

namespace strata::dispatch {
struct Op;
}

namespace strata::autograd {

/// Process-wide switch; slows everything down, for finding where a NaN or an error in backward comes from.
class AnomalyMode {
 public:
  static bool is_enabled();
  static void set_enabled(bool on, bool check_nan = true);
  static bool should_check_nan();
  /// Op and call stack at this moment.
  static std::string describe_call(const dispatch::Op& op);
};

/// Anomaly mode until the end of the scope.
class DetectAnomalyGuard {
 public:
  explicit DetectAnomalyGuard(bool check_nan = true)
      : was_on_(AnomalyMode::is_enabled()), checked_nan_(AnomalyMode::should_check_nan()) {
    AnomalyMode::set_enabled(true, check_nan);
  }
  ~DetectAnomalyGuard() { AnomalyMode::set_enabled(was_on_, checked_nan_); }
  DetectAnomalyGuard(const DetectAnomalyGuard&) = delete;
  DetectAnomalyGuard& operator=(const DetectAnomalyGuard&) = delete;

 private:
  bool was_on_, checked_nan_;
};

}  // namespace strata::autograd
