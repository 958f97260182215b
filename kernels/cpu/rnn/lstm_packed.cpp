// LSTM steps over packed weights: the gates of some units follow their sums while those are in the caches, and their
// hidden states are packed for the next step.
#include "kernels/cpu/rnn/lstm_packed.h"

#include <algorithm>
#include <utility>

#include "core/parallel.h"
#include "kernels/cpu/matmul/scratch.h"
#include "kernels/cpu/matmul/vec_gemm.h"
#include "kernels/cpu/rnn/vec_lstm.h"

namespace strata::cpu::rnn {
namespace {

using matmul::padded, matmul::Scratch, matmul::vec_gemm, matmul::VecGemm;

constexpr int64_t kGates = 4;

class PackedSequence {
 public:
  explicit PackedSequence(const LstmSequence<float>& s)
      : s_(s),
        gate_size_(padded(s.n, v_.cols) * s.n),
        weight_(weight_memory_.make(kGates, gate_size_).data),
        before_(before_memory_.make(s.n, padded(s.rows, v_.rows)).data),
        after_(after_memory_.make(s.n, padded(s.rows, v_.rows)).data) {}

  void run() {
    parallel_for(0, kGates, 1 + 65536 / gate_size_, [&](int64_t begin, int64_t end) {
      for (int64_t g = begin; g < end; ++g)
        v_.pack_cols(weight_ + g * gate_size_, {{s_.weight + g * s_.n * s_.n, s_.n, 1}, s_.n, s_.n});
    });
    v_.pack_rows(before_, {{s_.hidden, s_.n, 1}, s_.rows, s_.n});
    const int64_t work = s_.rows * kGates * v_.cols * s_.n, grain = 1 + (int64_t{1} << 18) / work;
    for (int64_t i = 0; i < s_.steps; ++i) {
      parallel_for(0, padded(s_.n, v_.cols) / v_.cols, grain, [&](int64_t begin, int64_t end) {
        for (int64_t panel = begin; panel < end; ++panel) run_units(i, panel * v_.cols);
      });
      std::swap(before_, after_);
    }
  }

 private:
  /// Step i of the units from `unit` on that share panels of the weight.
  void run_units(int64_t i, int64_t unit) const {
    const int64_t n = s_.n, at = s_.time(i) * s_.rows * n, count = std::min(v_.cols, n - unit);
    for (int64_t g = 0; g < kGates; ++g) add_products(s_.time(i), g, unit, count);
    const float* const cell = i == 0 ? s_.cell : s_.cells + s_.time(i - 1) * s_.rows * n;
    for (int64_t r = 0; r < s_.rows; ++r) {
      const int64_t state = r * n + unit;
      vec_lstm<float>().step(s_.sums + kGates * (at + r * n) + unit, n, cell + state, s_.hiddens + at + state,
                             s_.cells + at + state, count);
    }
    if (i + 1 < s_.steps) pack_hidden(s_.hiddens + at + unit, unit, count);
  }

  /// sums = gates + hidden weight^T for one gate of some units.
  void add_products(int64_t time, int64_t gate, int64_t unit, int64_t count) const {
    const int64_t n = s_.n, row = kGates * n, at = time * s_.rows * row + gate * n + unit;
    const float* const weight = weight_ + gate * gate_size_ + unit * n;
    for (int64_t r = 0; r < s_.rows; r += v_.rows) {
      v_.tile({before_ + r * n,
               weight,
               std::min(v_.rows, s_.rows - r),
               count,
               n,
               {s_.gates + at + r * row, row, 1},
               {s_.sums + at + r * row, row, 1}});
    }
  }

  /// The hidden states of some units go to their places in all panels of rows.
  void pack_hidden(const float* hidden, int64_t unit, int64_t count) const {
    for (int64_t r = 0; r < s_.rows; r += v_.rows) {
      v_.pack_rows(after_ + r * s_.n + unit * v_.rows,
                   {{hidden + r * s_.n, s_.n, 1}, std::min(v_.rows, s_.rows - r), count});
    }
  }

  const VecGemm& v_ = vec_gemm();
  LstmSequence<float> s_;
  int64_t gate_size_;
  Scratch<float> weight_memory_, before_memory_, after_memory_;
  float* weight_;           ///< gates in turn, each its own panels
  float *before_, *after_;  ///< panels of the hidden states around a step
};

}  // namespace

bool packing_pays(const LstmSequence<float>& s) {
  // A library packs the weight in each step, which shows less the more rows there are.
  constexpr int64_t kFewRows = 4, kManyRows = 96, kFewUses = 128, kFewUnits = 16;
  const bool shows = s.rows >= kFewRows && s.rows <= kManyRows;
  return shows && s.rows * s.steps >= kFewUses && s.n >= kFewUnits;
}

void packed_sequence(const LstmSequence<float>& s) { PackedSequence(s).run(); }

}  // namespace strata::cpu::rnn
