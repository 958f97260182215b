// The ops of control flow: what they hold, how they run, and the rules of the transforms for them.
#pragma once
#include "../autograd/custom.h"
#include "control_stage.h"
#include "program_field.h"

namespace strata::func::control {

/// Note [Control flow]
/// Eager code, and a program that runs in it, branch and loop as C++ does; nothing below applies to them. Where a
/// trace writes down what decides or what is looped over, the call is an op whose params hold programs. The layers ask
/// the rules here for new programs: those of a derivative or of a batch are traced from the old ones, so a nest of
/// transforms over a nest of loops is one call of an op of the same kind.

/// `cond(index, operands...)`: runs branch number `index`, which is clamped.
struct CondParams {
  std::vector<Program> branches;  ///< of the operands
  auto fields() const { return std::tie(branches); }
};
/// `while(consts of condition, consts of body, carry...)`.
struct WhileParams {
  Program condition, body;  ///< of their consts and the carry
  int64_t condition_consts = 0, body_consts = 0;
  auto fields() const { return std::tie(condition, body, condition_consts, body_consts); }
};
/// `scan(consts, carry, xs...)` gives the carry and ys.
struct ScanParams {
  Program body;  ///< of consts, carry and elements of xs, gives the carry and elements of ys
  int64_t consts = 0, carry = 0, length = 0;
  bool reverse = false;
  bool recompute = false;  ///< reverse mode keeps the carry of each step and runs the body again
  auto fields() const { return std::tie(body, consts, carry, length, reverse, recompute); }
};

extern Op cond_op, while_op, scan_op;
inline bool is_cond(const Op& op) { return &op == &cond_op; }
inline bool is_while(const Op& op) { return &op == &while_op; }

/// The ops where something is traced, else what they stand for, call by call.
List run(const CondParams& p, const List& args);
List run(const WhileParams& p, const List& args);
List run(const ScanParams& p, const List& args);
/// The ops, whatever is known.
List call_op(const Op& op, const List& args, Params params);

/// What code that knows more than types does: the branch of that number or, where examples of a vmap differ, all of
/// them and the choice of each; loops until all examples are done.
List choose(const char* who, const Tensor& index, ArrayRef<ListRef> branches, const List& operands);
List select(const char* who, const Tensor& index, ArrayRef<ListRef> branches, const List& operands);
List loop(const char* who, ListRef condition, ListRef body, List carry);

/// Throws where branches give other types than the first, or a body another carry than it gets.
void check_branches(const char* who, const std::vector<Types>& outputs);
void check_carry(const char* who, const Types& before, const Types& after);

/// Outputs and tangents of outputs (undefined = zero).
struct Duals {
  List primals, tangents;
};
Duals jvp(const CondParams& p, const List& primals, const List& tangents);
Duals jvp(const WhileParams& p, const List& primals, const List& tangents);
Duals jvp(const ScanParams& p, const List& primals, const List& tangents);

List batch(const CondParams& p, const dispatch::Batch& c);
List batch(const WhileParams& p, const dispatch::Batch& c);
List batch(const ScanParams& p, const dispatch::Batch& c);

/// Reverse mode for the inputs that are wanted.
using Rule = std::shared_ptr<const autograd::CustomRule>;
Rule reverse_rule(const CondParams& p, Mask wanted);
Rule reverse_rule(const WhileParams& p, Mask wanted);
Rule reverse_rule(const ScanParams& p, Mask wanted);

/// Makes an equation of control flow one that gives the live outputs alone, and what those need.
void drop_dead_outputs(Program::Equation& e, const Mask& live);

}  // namespace strata::func::control

namespace strata::func::detail {

[[gnu::pure]] bool is_one_of_control_flow(const Op& op);
/// Is it an op whose rules need the programs in its params? The layers ask below instead of the op.
inline bool is_control_flow(const Op& op) { return op.decompose && is_one_of_control_flow(op); }
/// Outputs and their tangents, from one run of both.
std::pair<dispatch::Tensors, dispatch::Tensors> control_jvp(const Op& op, Args primals, Args tangents, Params params);
/// The rule that keeps what a backward needs, for the inputs that have an edge.
control::Rule control_rule(const Op& op, Params params, control::Mask wanted);

}  // namespace strata::func::detail
