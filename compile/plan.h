// A plan: a program for inputs of one layout, with its memory laid out and its kernels found, which runs without the
// dispatcher; or one whose chains a device runs as one kernel each.
#pragma once
#include <atomic>
#include <memory>
#include <variant>
#include <vector>

#include "../transforms/program.h"
#include "strip.h"

namespace strata::func::compiling {

using Variable = Program::Variable;

/// A kernel and what it is called with. `in` may hold the number behind the last variable, for undefined tensors.
struct KernelStep {
  const Op* op;
  dispatch::KernelFn kernel;
  OwnedParams params;
  bool draws;         ///< takes new random numbers in each run
  int32_t draw = -1;  ///< of a random one: whose numbers it takes, counted over those that draw
  std::vector<Variable> in, out;
};

class Nested;
struct NestedFrame;

/// Control flow, whose bodies are plans of their own: Note [Bodies].
struct NestedStep {
  std::shared_ptr<const Nested> nested;
  std::vector<Variable> in, out;
};

/// Tensors over memory: where they lie from the first element of another variable on, which has memory of its own.
struct Geometry {
  DType dtype = kFloat;
  DimVector sizes, strides;
  Variable root = Program::kNone;
  int64_t offset = 0;  ///< in bytes, from root's first element
  int32_t block = -1;  ///< of a root of the arena that has memory of its own: Note [Blocks]
  bool row_major = false;
};

/// Where the memory of a variable comes from in a run. `arena` is given back to other variables, `fresh` is the
/// caller's, `constant` is the program's own and `captured` may be another one in each run.
enum class Source : uint8_t { none, input, constant, captured, arena, fresh, view };

/// Note [Blocks]
/// Large values lie outside of the arena. Each has a storage whose bytes are taken before the step that makes it and
/// given back after the last one that reads it, so a run needs as much memory as eager code does that lets go of each
/// tensor as soon as it can, and nothing between calls. An input that the caller has moved in goes the same way.
struct Turn {
  std::vector<int32_t> take, give;  ///< blocks
  std::vector<Variable> drop;       ///< large inputs and views of them
  std::vector<Variable> fill;       ///< large results
};

/// Note [Steps in place]
/// A step of an optimizer whose results only become what its own tensors are after the run is taken on those tensors,
/// when all else is done.

/// What one run works with. A plan keeps it for the next.
struct Frame {
  Storage arena;
  std::vector<Storage> blocks;
  std::vector<Tensor> slots;  ///< by variable, and an undefined one behind the last
  std::vector<dispatch::Tensors> outs;
  std::vector<dispatch::ArgList> args;
  std::vector<OwnedParams> params;
  std::vector<std::shared_ptr<NestedFrame>> nested;
  std::vector<Tensor> results;  ///< of a body, by number: where each is to be
};

/// Note [Bodies]
/// A body is a plan that control flow runs, of a branch or of a loop's step. It takes what it reads and where its
/// results are to be from whoever runs it (`set_input`, `set_result`, then `run_body`), so a step of a loop costs
/// neither a result's tensor nor a call. Most results are written straight to their place; those that are views,
/// inputs, constants or given twice are copied there when the body has run.

/// Note [Plans]
/// Results have the bits of eager calls, because they come from the same kernels and, in tapes, the same inner loops.
/// Intermediate values share one arena, whose places are reused as soon as nothing needs what lies there; what the
/// caller gets is allocated anew in each run. Runs on several threads at once have a frame each.
class Plan {
 public:
  /// Null where the program cannot be planned for such inputs: it has custom rules, collectives, ops on devices that
  /// run no chains, or views that their layout does not allow.
  /// What `donated` inputs hold may be written over: Note [Donated arguments].
  static std::unique_ptr<Plan> make(const Program& program, TensorList inputs, const std::vector<bool>& donated = {});
  ~Plan();
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  /// All tensors must be plain ones of the program's devices that lie as those that the plan was made for.
  std::vector<Tensor> run(std::vector<Tensor> inputs) const;

  /// A body, whose results from number `first_row_major` on have to be row-major where they are put. Null where it
  /// cannot be planned, also where it writes to tensors from outside.
  static std::unique_ptr<const Plan> make_body(const Program& program, TensorList inputs, size_t first_row_major);
  std::unique_ptr<Frame> make_frame() const;
  void set_input(Frame& frame, size_t number, const Tensor& value) const;
  void set_result(Frame& frame, size_t number, const Tensor& place) const;
  void run_body(Frame& frame) const;
  /// Forgets what inputs and results were, after the last run or when one threw.
  void release(Frame& frame) const;
  /// How a result lies where the body makes it.
  const Geometry& result(size_t number) const { return geometry_[program_.outputs()[number]]; }
  /// Does it give this input as this result?
  bool passes(size_t input, size_t result) const { return program_.inputs()[input] == program_.outputs()[result]; }

 private:
  friend class Planner;
  friend class FrameLease;
  using Step = std::variant<KernelStep, Tape, Strip, NestedStep>;

  explicit Plan(const Program& program) : program_(program) {}
  void bind(Frame& frame, std::vector<Tensor> inputs) const;
  Tensor fresh(const Geometry& g) const;
  void begin(Frame& frame, const Turn& turn) const;
  void end(Frame& frame, const Turn& turn) const;
  void run_kernel(Frame& frame, const KernelStep& k, size_t number) const;
  void run_tape(const Frame& frame, const Tape& tape) const;
  void run_strip(const Frame& frame, const Strip& strip) const;
  void run_nested(Frame& frame, const NestedStep& step, size_t number) const;
  void run_steps(Frame& frame) const;
  void forget_fresh(Frame& frame) const;
  std::vector<Tensor> collect(Frame& frame) const;
  Tensor tensor_of(const Geometry& g, const Tensor& root) const;

  const Program program_;
  bool has_chains_ = false;         // of a device: the program runs call by call
  std::vector<Source> source_;      // of each variable
  std::vector<Geometry> geometry_;  // of each variable
  std::vector<Step> steps_;
  std::vector<Variable> varying_;  // fresh ones, then views of what is new in each run
  std::vector<Variable> bound_;    // inputs, captured constants and all that varies: nothing holds them between runs
  int64_t arena_bytes_ = 0;
  std::vector<int64_t> block_bytes_;
  std::vector<Turn> turns_;               // of each step, or none if nothing is large
  std::vector<Program::Effect> effects_;  // those that are written at the end
  std::vector<bool> is_direct_;           // of a body's results: is it written to where it is to be?
  std::vector<Variable> written_;         // what the last steps write to in place: Note [Steps in place]
  mutable std::atomic<Frame*> spare_{nullptr};
};

}  // namespace strata::func::compiling
