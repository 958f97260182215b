// Writing a tape down: registers for what nobody sees after it, memories for the rest.
#pragma once
#include <map>
#include <optional>
#include <vector>

#include "plan.h"

namespace strata::func::compiling {

/// Is told first what the tape's equations read (`expect`) and which of their results it may keep to itself
/// (`keep_in_register`), then the equations in order.
class TapeMaker {
 public:
  struct Operand {
    Variable variable;
    Pattern pattern;
    DType dtype;
  };
  /// Of tensors with `numel` elements; `width` is that of the rows of operands that repeat, 0 if none does.
  TapeMaker(int64_t numel, int64_t width);
  /// One more equation will read v.
  void expect(Variable v) { ++left_[v]; }
  /// The tape makes v, which is read `uses` times in all: it needs no memory if the tape alone reads it.
  void keep_in_register(Variable v, int32_t uses);
  bool is_in_register(Variable v) const { return registers_.count(v) != 0; }
  void add(const dispatch::OpLoop& loop, const std::vector<Operand>& inputs, const Operand& output);
  /// The tape's end reduces v, which it has made, and was told that one more equation reads. Before the equations: v
  /// keeps its register to itself.
  void will_reduce(Variable v) { reduced_ = v; }
  void reduce(Reduction reduction, const Operand& input, const Operand& output);
  /// The tape; none if it has more operands than a tape can.
  std::optional<Tape> take();

 private:
  int16_t memory(const Operand& o);
  int16_t operand(const Operand& o);
  int take_register();
  void release_read(const std::vector<Operand>& inputs);

  Tape tape_;
  std::map<Variable, int32_t> left_;   // reads that are still to come
  std::map<Variable, int> memories_;   // by number
  std::map<Variable, int> registers_;  // by number; -1 until they are written
  std::vector<int> free_;
  Variable reduced_ = Program::kNone;
};

}  // namespace strata::func::compiling
