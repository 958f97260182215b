// What a compiled function runs: a program, planned for the layouts that its inputs come in.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "../transforms/program.h"

namespace strata::func::compiling {

class Plan;

/// Runs a program by a plan where the tensors are plain ones of the CPU and nothing watches the calls; through the
/// dispatcher where autograd records, a transform, autocast or the profiler is active, or tensors are on other devices.
class Executable {
 public:
  /// `donated` says which inputs are, as far as it goes: Note [Donated arguments].
  explicit Executable(Program program, std::vector<bool> donated = {});
  ~Executable();
  std::vector<Tensor> operator()(std::vector<Tensor> inputs) const;
  const Program& program() const { return program_; }

 private:
  /// The plan for a layout of inputs and captured tensors, null where there is none for it; the newest comes first.
  struct Planned {
    std::vector<DimVector> strides;
    std::unique_ptr<const Plan> plan;
    const Planned* next;
  };
  bool is_plain(TensorList inputs) const;
  const Planned* find(TensorList inputs) const;
  const Planned* add(TensorList inputs) const;
  std::unique_ptr<const Plan> make_plan(TensorList inputs) const;

  const Program program_;     // as it was traced, for the dispatcher: what is shared would round gradients otherwise
  const Program simplified_;  // for plans
  const std::vector<bool> donated_;
  mutable std::atomic<const Planned*> planned_{nullptr};
  mutable std::mutex adding_;
};

}  // namespace strata::func::compiling
