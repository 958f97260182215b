// What the rules of control flow share.
#pragma once
#include "control_ops.h"
#include "control_programs.h"

namespace strata::func::control {

/// Reverse rules are custom rules that the grad layer and autograd alone call.
class ReverseRule : public autograd::CustomRule {
 public:
  List forward(const List& inputs) const final { return forward_with_residuals(inputs).outputs; }
  /// Forward mode asks the op.
  List jvp(const List&, const List&) const final { return {}; }
};

/// Tangents that start as zero and may become others.
List with_zeros(List tangents, const List& primals, const Mask& mask);
List to_list(dispatch::Args args);
dispatch::Tensors to_tensors(List list);
/// The same for each example.
Tensor repeated(const Tensor& t, int64_t size);
/// A batch's step of while_loop, in which examples that are done stay as they are. Takes the consts of the condition,
/// then those of the body, then the carry.
Program choosing(const Program& condition, const Program& body, size_t condition_consts, size_t carry);

}  // namespace strata::func::control
