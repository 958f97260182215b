// Registers and memories of a tape.
#include "compile/tape_maker.h"

#include <algorithm>

namespace strata::func::compiling {
namespace {

/// Operands in registers are negative until the number of memories is known.
constexpr int16_t of_register(int r) { return static_cast<int16_t>(-1 - r); }

/// The type that a loop sees of it.
DType type_in_loop(const TapeMaker::Operand& o, bool in_float) {
  return in_float && dispatch::is_half16(o.dtype) ? kFloat : o.dtype;
}

}  // namespace

TapeMaker::TapeMaker(int64_t numel, int64_t width) {
  tape_.width = width ? width : numel;
  tape_.rows = numel / tape_.width;
}

void TapeMaker::keep_in_register(Variable v, int32_t uses) {
  if (left_[v] == uses) kept_.insert(v);
}

/// What is reduced keeps its register to itself.
int16_t TapeMaker::new_register(Registers& of, Variable v) {
  if (v == reduced_ || free_.empty()) return of_register(of[v] = tape_.registers++);
  of[v] = free_.back();
  free_.pop_back();
  return of_register(of[v]);
}

void TapeMaker::release(Registers& of, Variable v) {
  if (const auto at = of.find(v); at != of.end()) free_.push_back(at->second), of.erase(at);
}

void TapeMaker::release_read(const std::vector<Operand>& inputs) {
  for (const Operand& o : inputs)
    if (--left_[o.variable] == 0) release(stored_, o.variable), release(wide_, o.variable);
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

int16_t TapeMaker::written_memory(const Operand& o) {
  const int16_t m = memory(o);
  tape_.memories[static_cast<size_t>(m)].is_written = true;
  return m;
}

/// The operand as memory has it.
int16_t TapeMaker::stored(const Operand& o) {
  if (!is_in_register(o.variable)) return memory(o);
  if (const auto at = stored_.find(o.variable); at != stored_.end()) return of_register(at->second);
  const int16_t wide = of_register(wide_.at(o.variable)), to = new_register(stored_, o.variable);
  convert(dispatch::half_loops(o.dtype).narrow, wide, to);
  return to;
}

/// The floats that a 16-bit operand stands for.
int16_t TapeMaker::widened(const Operand& o) {
  if (const auto at = wide_.find(o.variable); at != wide_.end()) return of_register(at->second);
  const int16_t from = stored(o), to = new_register(wide_, o.variable);
  convert(dispatch::half_loops(o.dtype).widen, from, to, is_one_value(o));
  return to;
}

int16_t TapeMaker::operand(const Operand& o, bool in_float) {
  return in_float && dispatch::is_half16(o.dtype) ? widened(o) : stored(o);
}

/// Has each tile one value of it for all elements?
bool TapeMaker::is_one_value(const Operand& o) const {
  return o.pattern == Pattern::scalar || (o.pattern == Pattern::column && !tape_.has_short_rows());
}

void TapeMaker::convert(Loop loop, int16_t from, int16_t to, bool once) {
  tape_.ops.push_back({loop, {}, 1, to, {from}, false, once});
}

/// May the loop write to the register of an input? Elements have to be of one type, and that input none that is read
/// again and again.
bool TapeMaker::may_overwrite(const std::vector<Operand>& inputs, const Operand& output, bool in_float) const {
  const auto type = [&](const Operand& o) { return type_in_loop(o, in_float); };
  return std::all_of(inputs.begin(), inputs.end(), [&](const Operand& o) {
    return type(o) == type(output) && (type(o) == o.dtype || !is_one_value(o));
  });
}

void TapeMaker::add(const TapeLoop& loop, const std::vector<Operand>& inputs, const Operand& output) {
  TapeOp op{loop.loop.loop, loop.loop.numbers, static_cast<int16_t>(inputs.size()), 0, {}};
  std::transform(inputs.begin(), inputs.end(), op.in, [&](const Operand& o) { return operand(o, loop.in_float); });
  const bool overwrites = may_overwrite(inputs, output, loop.in_float);
  if (overwrites) release_read(inputs);
  const bool is_rounded = loop.in_float && dispatch::is_half16(output.dtype);
  if (is_rounded || is_in_register(output.variable)) {
    op.out = new_register(is_rounded ? wide_ : stored_, output.variable);
  } else {
    op.out = written_memory(output);
    op.stream = left_[output.variable] == 0 && tape_.rows == 1 &&
                tape_.width * static_cast<int64_t>(item_size(output.dtype)) >= dispatch::kStreamBytes;
  }
  if (!overwrites) release_read(inputs);
  const size_t item = item_size(type_in_loop(output, loop.in_float));
  if (std::all_of(inputs.begin(), inputs.end(),
                  [&](const Operand& o) { return item_size(type_in_loop(o, loop.in_float)) == item; }))
    op.item = static_cast<uint8_t>(item);
  tape_.ops.push_back(op);
  if (is_rounded) finish_rounded(output, op.out);
}

/// What was computed in float becomes the 16 bits that eager code would have.
void TapeMaker::finish_rounded(const Operand& o, int16_t wide) {
  const dispatch::HalfLoops& loops = dispatch::half_loops(o.dtype);
  const bool is_read = left_[o.variable] > 0;
  if (is_read) convert(loops.round, wide, wide);
  if (!is_in_register(o.variable)) convert(loops.narrow, wide, written_memory(o));
  if (!is_read) release(wide_, o.variable);
}

void TapeMaker::reduce(Reduction reduction, const Operand& input, const Operand& output) {
  reduction.operand = operand(input, true);
  if (dispatch::is_half16(input.dtype)) reduction.narrow = dispatch::half_loops(input.dtype).narrow;
  reduction.item = static_cast<uint8_t>(reduction.narrow ? sizeof(float) : item_size(input.dtype));
  reduction.result = written_memory(output);
  tape_.reduction = reduction;
}

// Note [Fetching ahead]
// The first op of a tile reads memory, the others compute in the cache, so memory would rest while they run. In a tape
// of many elements the first op that reads no memory therefore asks for the next tile's elements, some lines at a time:
// a processor waits for memory with its loads, and can wait for about 16 lines at once.
void TapeMaker::choose_fetching() {
  const auto memories = static_cast<int16_t>(tape_.memories.size());
  if (tape_.numel() < kFetchedFrom) return;
  const auto op = std::find_if(tape_.ops.begin(), tape_.ops.end(), [&](const TapeOp& o) {
    return !o.once && o.item != 0 && std::all_of(o.in, o.in + o.inputs, [&](int16_t in) { return in >= memories; });
  });
  if (op != tape_.ops.end()) op->fetches = true;
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
  choose_fetching();
  return std::move(tape_);
}

}  // namespace strata::func::compiling
