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

// Rows of the batch that are worth a run through the weights of their own.
constexpr int64_t kRowsOfPiece = 8;

class PackedSequence {
 public:
  explicit PackedSequence(const LstmSequence<float>& s)
      : s_(s), gate_size_(padded(s.n, v_.cols) * s.n), weight_(weight_memory_.make(kGates, gate_size_).data) {}

  /// Where each thread has enough rows it goes through all steps with them and meets no other; else the threads share
  /// the units of each step. Each sum is made in one order, so that both give the same bits.
  void run() {
    parallel_for(0, kGates, 1 + 65536 / gate_size_, [&](int64_t begin, int64_t end) {
      for (int64_t g = begin; g < end; ++g)
        v_.pack_cols(weight_ + g * gate_size_, {{s_.weight + g * s_.n * s_.n, s_.n, 1}, s_.n, s_.n});
    });
    const int64_t threads = get_num_threads(), rows = (s_.rows + threads - 1) / threads;
    if (rows < kRowsOfPiece) return Rows(*this, 0, s_.rows).run();
    parallel_for(0, s_.rows, rows, [&](int64_t begin, int64_t end) { Rows(*this, begin, end - begin).run(); });
  }

 private:
  /// All steps of some rows of the batch.
  class Rows {
   public:
    Rows(const PackedSequence& all, int64_t first, int64_t count)
        : all_(all),
          first_(first),
          count_(count),
          panels_((count + v_.rows - 1) / v_.rows),
          height_((count + panels_ - 1) / panels_),
          before_(before_memory_.make(s_.n, panels_ * v_.rows).data),
          after_(after_memory_.make(s_.n, panels_ * v_.rows).data) {}

    void run() {
      pack_states(before_, s_.hidden + first_ * s_.n, s_.n);
      const int64_t work = count_ * kGates * v_.cols * s_.n, grain = 1 + (int64_t{1} << 18) / work;
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
      const int64_t n = s_.n, count = std::min(v_.cols, n - unit), at = row_of(s_.time(i)) * n;
      for (int64_t g = 0; g < kGates; ++g) add_products(s_.time(i), g, unit, count);
      const float* const sums = sums_of(s_.time(i));
      const float* const cell = i == 0 ? s_.cell + first_ * n : s_.cells + row_of(s_.time(i - 1)) * n;
      for (int64_t r = 0; r < count_; ++r) {
        const int64_t state = r * n + unit;
        vec_lstm<float>().step(sums + r * kGates * n + unit, n, cell + state, s_.hiddens + at + state,
                               s_.cells + at + state, count);
      }
      if (i + 1 < s_.steps) pack_states(after_ + unit * v_.rows, s_.hiddens + at + unit, count);
    }

    /// sums = gates + hidden weight^T for one gate of some units.
    void add_products(int64_t time, int64_t gate, int64_t unit, int64_t count) const {
      const int64_t n = s_.n, row = kGates * n, at = gate * n + unit;
      const float* const gates = s_.gates + row_of(time) * row + at;
      float* const sums = sums_of(time) + at;
      const float* const weight = all_.weight_ + gate * all_.gate_size_ + unit * n;
      for (int64_t p = 0; p < panels_; ++p) {
        const int64_t r = p * height_;
        v_.tile({before_ + p * v_.rows * n,
                 weight,
                 std::min(height_, count_ - r),
                 count,
                 n,
                 {gates + r * row, row, 1},
                 {sums + r * row, row, 1}});
      }
    }

    /// Some units of all rows go to their places in the panels.
    void pack_states(float* to, const float* states, int64_t units) const {
      for (int64_t p = 0; p < panels_; ++p) {
        const int64_t r = p * height_;
        v_.pack_rows(to + p * v_.rows * s_.n, {{states + r * s_.n, s_.n, 1}, std::min(height_, count_ - r), units});
      }
    }

    /// The first row of a step in the arrays of all steps.
    int64_t row_of(int64_t time) const { return time * s_.rows + first_; }
    float* sums_of(int64_t time) const { return s_.sums_at(time) + first_ * kGates * s_.n; }

    const PackedSequence& all_;
    const VecGemm& v_ = all_.v_;
    const LstmSequence<float>& s_ = all_.s_;
    int64_t first_, count_;
    int64_t panels_, height_;  ///< how many tiles the rows are, and of how many rows each
    Scratch<float> before_memory_, after_memory_;
    float *before_, *after_;  ///< panels of the hidden states around a step
  };

  const VecGemm& v_ = vec_gemm();
  LstmSequence<float> s_;
  int64_t gate_size_;
  Scratch<float> weight_memory_;
  float* weight_;  ///< gates in turn, each its own panels
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
