// libtorch's schedulers, whose steps count from 0: the first `step()` sets the rates of step 0, not of step 1.
#pragma once
#include <strata/strata.h>

#include <vector>

namespace strata::compat {

/// The base of a program's own schedulers: `get_lrs()` gives the rates after `step_count_` steps.
class LRScheduler : public optim::LRScheduler {
 public:
  using optim::LRScheduler::LRScheduler;
  void step() {
    set_optimizer_lrs(get_lrs());
    ++step_count_;
  }
};

/// Multiplies the rates by gamma every step_size steps.
class StepLR : public LRScheduler {
 public:
  StepLR(optim::Optimizer& optimizer, unsigned step_size, double gamma = 0.1)
      : LRScheduler(optimizer), step_size_(step_size), gamma_(gamma) {}

 private:
  std::vector<double> get_lrs() override {
    return step_count_ > 0 && step_count_ % step_size_ == 0 ? scaled(gamma_) : get_current_lrs();
  }
  unsigned step_size_;
  double gamma_;
};

}  // namespace strata::compat
