// What the results of a compiled function are beside their values: the caller's own tensors, or tensors that require a
// gradient although nothing of the program passes one on.
#pragma once
#include <optional>
#include <vector>

#include "../transforms/trace.h"

namespace strata::func::compiling {

/// One result, as the trace left it.
struct ResultKind {
  /// What eager code would give for the result, which the program does not: one of the caller's tensors.
  TraceLayer::Identity is;
  enum class History : uint8_t {
    none,     ///< it requires no gradient
    leaf,     ///< it is one that requires a gradient
    ends,     ///< it requires one and passes none on, as a view made under NoGradGuard
    used_up,  ///< the backward pass through its graph ran inside of the function
    passes    ///< its gradient flows on
  } history = History::none;
};

/// What is left to do after a run, which the program does not say.
class Aftermath {
 public:
  Aftermath() = default;
  /// Before the layer's `finish`, of the results of the function.
  Aftermath(const TraceLayer& layer, TensorList results);
  /// The results without those that are the caller's tensors, of which the program says nothing.
  std::vector<Tensor> left_to_program(std::vector<Tensor> results) const;
  /// The arguments and captured tensors that `settle` needs.
  std::vector<Tensor> callers_tensors(TensorList inputs) const;
  /// Makes of what a run gave what eager code gives: the caller's tensors in their places, requires_grad of the others,
  /// and the shapes of arguments.
  void settle(const std::vector<Tensor>& callers, std::vector<Tensor>& results) const;

 private:
  std::vector<ResultKind> kinds_;
  std::vector<TraceLayer::ShapeChange> shapes_;
  bool needs_callers_ = false;
};

}  // namespace strata::func::compiling
