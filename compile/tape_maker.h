// Writing a tape down: registers for what nobody sees after it, memories for the rest.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "../dispatcher/half_loops.h"
#include "plan.h"

namespace strata::func::compiling {

/// Note [16-bit values of a tape]
/// Eager kernels widen float16 and bfloat16, compute in float, and round what they give. A tape has the floats that the
/// 16 bits stand for in registers: a loop reads them as they are, and what it gives is rounded where it lies.
/// Conversions are ops of the tape, so that only what comes from memory is widened, once, and only what goes there is
/// narrowed. Ops that move bits, whose eager kernels convert nothing, take the 16 bits.

/// An op's loop, which works on floats where values have 16 bits, or on those bits.
struct TapeLoop {
  dispatch::OpLoop loop;
  bool in_float;
};

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
  bool is_in_register(Variable v) const { return kept_.count(v) != 0; }
  void add(const TapeLoop& loop, const std::vector<Operand>& inputs, const Operand& output);
  /// The tape's end reduces v, which it has made, and was told that one more equation reads. Before the equations: v
  /// keeps its register to itself.
  void will_reduce(Variable v) { reduced_ = v; }
  void reduce(Reduction reduction, const Operand& input, const Operand& output);
  /// The tape; none if it has more operands than a tape can.
  std::optional<Tape> take();

 private:
  using Registers = std::map<Variable, int>;

  int16_t memory(const Operand& o);
  int16_t written_memory(const Operand& o);
  int16_t stored(const Operand& o);
  int16_t widened(const Operand& o);
  int16_t operand(const Operand& o, bool in_float);
  bool is_one_value(const Operand& o) const;
  bool may_overwrite(const std::vector<Operand>& inputs, const Operand& output, bool in_float) const;
  void choose_fetching();
  int16_t new_register(Registers& of, Variable v);
  void release(Registers& of, Variable v);
  void release_read(const std::vector<Operand>& inputs);
  void convert(Loop loop, int16_t from, int16_t to, bool once = false);
  void finish_rounded(const Operand& o, int16_t wide);

  Tape tape_;
  std::map<Variable, int32_t> left_;  // reads that are still to come
  std::map<Variable, int> memories_;  // by number
  std::set<Variable> kept_;           // those without memory
  Registers stored_, wide_;           // by number: of those kept, as memory would have them; as floats
  std::vector<int> free_;
  Variable reduced_ = Program::kNone;
};

}  // namespace strata::func::compiling
