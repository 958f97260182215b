// What a compiled function runs: a program, planned for the layouts that its inputs come in.
#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "plan.h"

namespace strata::func::compiling {

/// Runs a program by a plan where the tensors are plain ones of the CPU and nothing watches the calls; through the
/// dispatcher where autograd records, a transform, autocast or the profiler is active, or tensors are on other devices.
class Executable {
 public:
  explicit Executable(Program program);
  ~Executable();
  std::vector<Tensor> operator()(std::vector<Tensor> inputs) const;
  const Program& program() const { return program_; }

 private:
  /// Plans are made once and stay; the newest comes first.
  struct Planned {
    std::unique_ptr<Plan> plan;
    const Planned* next;
  };
  bool is_plain(TensorList inputs) const;
  const Plan* plan_for(TensorList inputs) const;

  const Program program_;
  mutable std::atomic<const Planned*> plans_{nullptr};
  mutable std::atomic<bool> may_plan_{true};
  mutable std::mutex making_;
};

}  // namespace strata::func::compiling
