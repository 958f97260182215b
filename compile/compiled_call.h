// One program of a compiled function with what surrounds a run of it: the gradients that it leaves in leaves, and
// numbers of the host that it reads.
#pragma once
#include <atomic>

#include "../core/replay.h"
#include "../transforms/trace.h"
#include "executable.h"
#include "results.h"

namespace strata::func::compiling {

/// What a trace has found out.
struct TracedCall {
  Program program;
  std::vector<GradientEffect> gradients;
  bool passes_gradients;  ///< do its results pass gradients on to leaves, or has a backward pass inside used them up?
  Aftermath aftermath;
};

/// Do ops of this thread choose their precision now?
inline bool is_autocast_active() { return (thread_state.included - thread_state.excluded).has(Key::Autocast); }

/// Collects what is to be brought up to date before each run.
class Refreshes final : public strata::detail::Replay {
 public:
  using Refresh = strata::detail::Function<void()>;
  void before_each(Refresh refresh) override { list_.push_back(std::move(refresh)); }
  const std::vector<Refresh>& list() const { return list_; }

 private:
  std::vector<Refresh> list_;
};

class CompiledCall {
 public:
  CompiledCall(TracedCall traced, std::vector<Refreshes::Refresh> refreshes, std::vector<bool> donated);
  /// Is it the program for these arguments, of its kind? Leaves that got or lost their gradients, or that require none
  /// any more, make another one.
  bool fits(TensorList inputs) const;
  /// Brings numbers of the host up to date, before each run. False, from then on for ever, where what keeps one is
  /// gone, as an optimizer's options are once a state was loaded: the function has to be traced again.
  bool refresh() const;
  std::vector<Tensor> operator()(std::vector<Tensor> inputs) const;
  const Program& program() const { return run_.program(); }
  const std::vector<GradientEffect>& gradients() const { return gradients_; }

 private:
  std::vector<Tensor> run(std::vector<Tensor> inputs) const;

  const std::vector<GradientEffect> gradients_;
  const std::vector<Refreshes::Refresh> refreshes_;
  mutable std::atomic<bool> is_stale_{false};
  const bool passes_gradients_;
  const Aftermath aftermath_;
  const Executable run_;
  std::vector<bool> require_grad_;  ///< of the captured tensors, in order
};

}  // namespace strata::func::compiling
