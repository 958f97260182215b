// Control flow in a plan: branches and steps of loops that are plans themselves.
#pragma once
#include "plan.h"

namespace strata::func::compiling {

using List = std::vector<Tensor>;

/// What runs of one piece of control flow work with, which the frame around it keeps.
struct NestedFrame {
  virtual ~NestedFrame() = default;
};

/// A `cond`, `while` or `scan` whose programs are bodies: Note [Bodies].
class Nested {
 public:
  /// For operands that lie as `in` do. Null where a body cannot be planned, or where how a result lies depends on what
  /// decides, or would leave gaps.
  static std::shared_ptr<const Nested> make(const Program::Equation& e, const List& in);
  virtual ~Nested() = default;

  /// How each result lies.
  const std::vector<Geometry>& results() const { return results_; }
  virtual std::shared_ptr<NestedFrame> make_frame() const = 0;
  virtual void run(NestedFrame& frame, const List& in, const List& out) const = 0;

 protected:
  std::vector<Geometry> results_;
};

}  // namespace strata::func::compiling
