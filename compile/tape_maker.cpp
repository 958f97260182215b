// Registers and memories of a tape.
#include "compile/tape_maker.h"

#include <algorithm>

namespace strata::func::compiling {
namespace {

/// Operands in registers are negative until the number of memories is known.
constexpr int16_t of_register(int r) { return static_cast<int16_t>(-1 - r); }

}  // namespace

TapeMaker::TapeMaker(int64_t numel, int64_t width) {
  tape_.width = width ? width : numel;
  tape_.rows = numel / tape_.width;
}

void TapeMaker::keep_in_register(Variable v, int32_t uses) {
  if (left_[v] == uses) registers_[v] = -1;
}

int TapeMaker::take_register() {
  if (free_.empty()) return tape_.registers++;
  const int r = free_.back();
  free_.pop_back();
  return r;
}

int16_t TapeMaker::memory(const Operand& o) {
  const auto [at, is_new] = memories_.emplace(o.variable, static_cast<int>(tape_.memories.size()));
  if (is_new) {
    const bool repeats = o.pattern == Pattern::row || o.pattern == Pattern::column;
    // It is filled before the tape's first op runs, so no op may have had the register before.
    const int reg = repeats && tape_.has_short_rows() ? tape_.registers++ : -1;
    tape_.memories.push_back(
        {o.variable, o.pattern, static_cast<uint8_t>(item_size(o.dtype)), static_cast<int16_t>(reg)});
  }
  return static_cast<int16_t>(at->second);
}

int16_t TapeMaker::operand(const Operand& o) {
  const auto at = registers_.find(o.variable);
  return at == registers_.end() ? memory(o) : of_register(at->second);
}

void TapeMaker::release_read(const std::vector<Operand>& inputs) {
  for (const Operand& o : inputs)
    if (--left_[o.variable] == 0 && is_in_register(o.variable)) free_.push_back(registers_[o.variable]);
}

void TapeMaker::add(const dispatch::OpLoop& loop, const std::vector<Operand>& inputs, const Operand& output) {
  TapeOp op{loop.loop, loop.numbers, static_cast<int16_t>(inputs.size()), 0, {}, false};
  std::transform(inputs.begin(), inputs.end(), op.in, [&](const Operand& o) { return operand(o); });
  // A loop may write over what it reads where elements have one size.
  const auto item = item_size(output.dtype);
  const bool may_overwrite =
      std::all_of(inputs.begin(), inputs.end(), [&](const Operand& o) { return item_size(o.dtype) == item; });
  if (may_overwrite) release_read(inputs);
  if (is_in_register(output.variable)) {
    registers_[output.variable] = output.variable == reduced_ ? tape_.registers++ : take_register();
    op.out = of_register(registers_[output.variable]);
  } else {
    op.out = memory(output);
    tape_.memories[static_cast<size_t>(op.out)].is_written = true;
    op.stream = left_[output.variable] == 0 && tape_.rows == 1 &&
                tape_.width * static_cast<int64_t>(item) >= dispatch::kStreamBytes;
  }
  if (!may_overwrite) release_read(inputs);
  tape_.ops.push_back(op);
}

void TapeMaker::reduce(Reduction reduction, const Operand& input, const Operand& output) {
  reduction.item = static_cast<uint8_t>(item_size(input.dtype));
  reduction.operand = operand(input);
  reduction.result = memory(output);
  tape_.memories[static_cast<size_t>(reduction.result)].is_written = true;
  tape_.reduction = reduction;
}

std::optional<Tape> TapeMaker::take() {
  if (tape_.registers > kMostRegisters || tape_.memories.size() > kMostOperands) return std::nullopt;
  const auto number = [&](int16_t& operand) {
    if (operand < 0) operand = static_cast<int16_t>(static_cast<int>(tape_.memories.size()) - 1 - operand);
  };
  for (TapeOp& op : tape_.ops) {
    number(op.out);
    for (int k = 0; k < op.inputs; ++k) number(op.in[k]);
  }
  if (tape_.reduction) number(tape_.reduction->operand);
  return std::move(tape_);
}

}  // namespace strata::func::compiling
