// A plan: a program for inputs of one layout, with its memory laid out and its kernels found, which runs without the
// dispatcher.
#pragma once
#include <atomic>
#include <memory>
#include <variant>
#include <vector>

#include "../transforms/program.h"
#include "tape.h"

namespace strata::func::compiling {

using Variable = Program::Variable;

/// A kernel and what it is called with. `in` may hold the number behind the last variable, for undefined tensors.
struct KernelStep {
  const Op* op;
  dispatch::KernelFn kernel;
  OwnedParams params;
  bool draws;  ///< takes new random numbers in each run
  std::vector<Variable> in, out;
};

/// Tensors over memory: where they lie from the first element of another variable on, which has memory of its own.
struct Geometry {
  DType dtype = kFloat;
  DimVector sizes, strides;
  Variable root = Program::kNone;
  int64_t offset = 0;  ///< in bytes, from root's first element
  bool row_major = false;
};

/// Where the memory of a variable comes from in a run. `arena` is given back to other variables, `fresh` is the
/// caller's, `constant` is the program's own and `captured` may be another one in each run.
enum class Source : uint8_t { none, input, constant, captured, arena, fresh, view };

/// What one run works with. A plan keeps it for the next.
struct Frame {
  Storage arena;
  std::vector<Tensor> slots;  ///< by variable, and an undefined one behind the last
  std::vector<dispatch::Tensors> outs;
  std::vector<dispatch::ArgList> args;
  std::vector<OwnedParams> params;
};

/// Note [Plans]
/// Results have the bits of eager calls, because they come from the same kernels and, in tapes, the same inner loops.
/// Intermediate values share one arena, whose places are reused as soon as nothing needs what lies there; what the
/// caller gets is allocated anew in each run. Runs on several threads at once have a frame each.
class Plan {
 public:
  /// Null where the program cannot be planned for such inputs: it has custom rules, collectives, ops on other devices
  /// than the CPU, or views that their layout does not allow.
  static std::unique_ptr<Plan> make(const Program& program, TensorList inputs);
  ~Plan();
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  /// All tensors must be plain ones of the CPU that lie as those that the plan was made for.
  std::vector<Tensor> run(TensorList inputs) const;

 private:
  friend class Planner;
  friend class FrameLease;
  using Step = std::variant<KernelStep, Tape>;

  explicit Plan(const Program& program) : program_(program) {}
  std::unique_ptr<Frame> make_frame() const;
  void bind(Frame& frame, TensorList inputs) const;
  void run_steps(Frame& frame) const;
  void forget_fresh(Frame& frame) const;
  std::vector<Tensor> collect(Frame& frame) const;
  Tensor tensor_of(const Geometry& g, const Tensor& root) const;

  const Program program_;
  std::vector<Source> source_;      // of each variable
  std::vector<Geometry> geometry_;  // of each variable
  std::vector<Step> steps_;
  std::vector<Variable> varying_;  // fresh ones, then views of what is new in each run
  std::vector<Variable> bound_;    // inputs, captured constants and all that varies: nothing holds them between runs
  int64_t arena_bytes_ = 0;
  mutable std::atomic<Frame*> spare_{nullptr};
};

}  // namespace strata::func::compiling
