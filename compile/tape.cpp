// Running a tape: tiles over rows, operands that repeat put together once, ops by the eager loops.
#include "compile/tape.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/parallel.h"
#include "dispatcher/names.h"

namespace strata::func::compiling {
namespace {

/// What the ops of one tile see: where each operand starts, and its step.
class Tile {
 public:
  /// `first` is the element that local memories begin with.
  Tile(const Tape& tape, char* const* data, int64_t first)
      : tape_(tape), data_(data), memories_(static_cast<int>(tape.memories.size())), first_(first) {
    for (int r = 0; r < tape.registers; ++r) at_[memories_ + r] = registers_[r];
    for (int m = 0; m < memories_; ++m) step_[m] = steps(memories(m)) ? 1 : 0;
  }

  /// Elements one tile after another. What is reduced is put to `collected`, unless it has memory of its own.
  void run(int64_t begin, int64_t end, char* collected = nullptr) {
    const bool is_collected = collected && tape_.reduction->operand >= memories_;
    const int64_t width = tape_.width, most = tape_.has_short_rows() ? kTile / width * width : kTile;
    for (int64_t at = begin, n; at < end; at += n) {
      const int64_t row = at / width, column = at % width;
      n = std::min(most, end - at);
      if (!tape_.has_short_rows()) n = std::min(n, width - column);
      if (is_collected) at_[tape_.reduction->operand] = collected + (at - begin) * tape_.reduction->item;
      place(row, column, n);
      run_ops();
    }
  }

 private:
  const Memory& memories(int m) const { return tape_.memories[static_cast<size_t>(m)]; }
  bool steps(const Memory& m) const {
    return m.pattern == Pattern::full || m.pattern == Pattern::row ||
           (m.pattern == Pattern::column && tape_.has_short_rows());
  }

  /// `n` elements of one row, or of whole rows where there are more.
  void place(int64_t row, int64_t column, int64_t n) {
    const bool several = n > tape_.width - column;
    for (int m = 0; m < memories_; ++m) {
      const Memory& memory = memories(m);
      const int64_t first = memory.is_local ? first_ : 0;
      switch (memory.pattern) {
        case Pattern::full:
          at_[m] = data_[m] + (row * tape_.width + column - first) * memory.item;
          break;
        case Pattern::scalar:
          at_[m] = data_[m];
          break;
        case Pattern::row:
          at_[m] = several ? repeated_row(m, n) : data_[m] + column * memory.item;
          break;
        case Pattern::column:
          at_[m] = column_at(m, row - first / tape_.width, n);
          break;
      }
    }
    n_ = n;
    filled_ = std::max(filled_, n);
  }

  void run_ops() {
    for (const TapeOp& op : tape_.ops) {
      dispatch::LoopArgs a{at_[op.out], {}, {}, op.once ? 1 : n_, op.numbers.data(), op.stream};
      for (int i = 0; i < op.inputs; ++i) {
        a.in[i] = at_[op.in[i]];
        a.step[i] = step_[op.in[i]];
      }
      if (op.fetches && n_ == kTile)
        run_and_fetch(op, a);
      else
        op.loop(a);
      step_[op.out] = op.once ? 0 : 1;
    }
  }

  void run_and_fetch(const TapeOp& op, dispatch::LoopArgs a) {
    constexpr int64_t kPart = 64;
    static_assert(kTile % kPart == 0);
    a.n = kPart;
    for (int64_t done = 0; done < kTile; done += kPart) {
      op.loop(a);
      a.out = static_cast<char*>(a.out) + kPart * op.item;
      for (int i = 0; i < op.inputs; ++i) a.in[i] = static_cast<const char*>(a.in[i]) + a.step[i] * kPart * op.item;
      for (int m = 0; m < memories_; ++m)
        if (memories(m).pattern == Pattern::full && !memories(m).is_written)
          fetch(at_[m] + (kTile + done) * memories(m).item, kPart * memories(m).item);
    }
  }
  /// Asks for memory, which need not be there.
  static void fetch(const char* at, int64_t bytes) {
    for (int64_t i = 0; i < bytes; i += 64) __builtin_prefetch(at + i);
  }

  /// The row again and again, which the first tile of the most rows puts together for all.
  char* repeated_row(int m, int64_t n) {
    char* const to = registers_[memories(m).reg];
    if (filled_ < n) {
      const int64_t row_bytes = tape_.width * memories(m).item;
      for (int64_t done = 0; done < n * memories(m).item; done += row_bytes)
        std::memcpy(to + done, data_[m], static_cast<size_t>(row_bytes));
    }
    return to;
  }

  template <class Bits>
  void spread(int m, int64_t row, int64_t n) {
    const Bits* from = reinterpret_cast<const Bits*>(data_[m]) + row;
    Bits* to = reinterpret_cast<Bits*>(registers_[memories(m).reg]);
    for (int64_t i = 0; i < n; i += tape_.width) std::fill_n(to + i, tape_.width, *from++);
  }
  /// The value of a row, or those of several, each as often as its row is wide.
  char* column_at(int m, int64_t row, int64_t n) {
    if (!tape_.has_short_rows()) return data_[m] + row * memories(m).item;
    switch (memories(m).item) {
      case 1:
        spread<uint8_t>(m, row, n);
        break;
      case 2:
        spread<uint16_t>(m, row, n);
        break;
      case 4:
        spread<uint32_t>(m, row, n);
        break;
      default:
        spread<uint64_t>(m, row, n);
    }
    return registers_[memories(m).reg];
  }

  const Tape& tape_;
  char* const* const data_;
  const int memories_;
  const int64_t first_;
  int64_t n_ = 0, filled_ = 0;
  char* at_[kMostOperands + kMostRegisters];
  int64_t step_[kMostOperands + kMostRegisters];
  alignas(64) char registers_[kMostRegisters][kTile * 8];
};

/// Folds what pieces gave, and narrows the results where they are 16-bit.
void finish_lines(const Reduction& r, int64_t lines, char* partial, char* results, char* to) {
  fold_pieces(r, lines, partial, results);
  if (r.narrow) r.narrow({to, {results}, {1}, lines, nullptr, false});
}

}  // namespace

void Tape::run(char* const* data) const {
  if (!reduction && numel() <= kTile) return run_part(data, 0, numel());  // one tile: nothing to divide
  const int64_t cost = kTile * std::max<int64_t>(1, static_cast<int64_t>(ops.size()));
  const int64_t grain = std::max<int64_t>(1, dispatch::kElementwiseGrain / cost);  // tiles worth a thread
  reduction ? run_and_reduce(data, 0, numel(), grain) : run_all(data, grain);
}

void Tape::run_part(char* const* data, int64_t begin, int64_t end) const {
  if (reduction) return run_and_reduce(data, begin, end, std::numeric_limits<int64_t>::max());
  Tile(*this, data, begin).run(begin, end);
}

void Tape::run_all(char* const* data, int64_t grain) const {
  const int64_t height = has_short_rows() ? kTile / width : 1, across = (height * width + kTile - 1) / kTile;
  const auto begin_of = [&](int64_t u) { return std::min(u / across * height * width + u % across * kTile, numel()); };
  parallel_for(0, (rows + height - 1) / height * across, grain,
               [&](int64_t first, int64_t last) { Tile(*this, data, 0).run(begin_of(first), begin_of(last)); });
}

/// Local memories begin with element `first_local`.
void Tape::reduce_pieces(char* const* data, int64_t first_local, const Pieces& p, int64_t first, int64_t last) const {
  const Reduction& r = *reduction;
  const auto operand = static_cast<size_t>(r.operand);
  const bool is_own = operand < memories.size();  // has memory, from which it is reduced
  const int64_t skipped = is_own && memories[operand].is_local ? p.begin - first_local : p.begin;
  Tile tile(*this, data, first_local);
  alignas(64) char buffer[kMostReduced * 8];
  for (int64_t i = first; i < last; ++i) {
    const Piece piece = piece_of(r, p.lines, i);
    if (!ops.empty()) tile.run(p.begin + piece.begin, p.begin + piece.end, buffer);
    const char* const x = is_own ? data[operand] + (skipped + piece.begin) * r.item : buffer;
    reduce_piece(r, p.lines, i, x, p.partial, p.results);
  }
}

/// Note [Reductions of tapes].
void Tape::run_and_reduce(char* const* data, int64_t begin, int64_t end, int64_t grain) const {
  const Reduction& r = *reduction;
  const int64_t lines = (end - begin) / r.length, pieces = r.pieces(lines);
  const Memory& result = memories[static_cast<size_t>(r.result)];
  char* const to = data[r.result] + (result.is_local ? 0 : begin / r.length) * result.item;
  std::vector<float> wide(static_cast<size_t>(r.narrow ? lines : 0));
  std::vector<char> partial(static_cast<size_t>(r.chunks() > 1 ? pieces * r.item : 0));
  const Pieces p{begin, lines, partial.data(), r.narrow ? reinterpret_cast<char*>(wide.data()) : to};
  const int64_t tiles = std::max<int64_t>(1, std::min(r.loop.chunk, lines * r.length) / kTile);
  parallel_for(0, pieces, std::max<int64_t>(1, grain / tiles),
               [&](int64_t first, int64_t last) { reduce_pieces(data, begin, p, first, last); });
  finish_lines(r, lines, p.partial, p.results, to);
}

void Tape::reduce_chunks(char* const* data, int64_t begin, int64_t end, char* partial) const {
  const int64_t chunk = reduction->loop.chunk;
  reduce_pieces(data, begin, {0, 1, partial, nullptr}, begin / chunk, (end + chunk - 1) / chunk);
}

void Tape::fold_chunks(char* const* data, char* partial) const {
  float wide;
  char* const to = data[reduction->result];
  finish_lines(*reduction, 1, partial, reduction->narrow ? reinterpret_cast<char*>(&wide) : to, to);
}

}  // namespace strata::func::compiling
