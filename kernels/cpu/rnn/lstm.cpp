// CPU kernels of the steps of an LSTM, one and all of them: rows over the threads.
#include <algorithm>

#include "core/parallel.h"
#include "dispatcher/kernel.h"
#include "kernels/cpu/common/dense.h"
#include "kernels/cpu/common/widen.h"
#include "kernels/cpu/matmul/gemm.h"
#include "kernels/cpu/rnn/lstm_packed.h"
#include "kernels/cpu/rnn/vec_lstm.h"
#include "ops/rnn_def.h"

namespace strata::cpu::rnn {
namespace {

/// f(row) for all rows of `n` elements each.
template <class F>
void for_rows(int64_t rows, int64_t n, F f) {
  constexpr int64_t kGrain = 2048;  // elements, of five transcendental functions each
  parallel_for(0, rows, std::max<int64_t>(1, kGrain / n), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) f(r);
  });
}

template <class T>
void step(const Tensors& out, Args in) {
  const int64_t n = in[1].size(-1);
  const T *gates = in[0].data_ptr<T>(), *cell = in[1].data_ptr<T>();
  T *hidden = out[0].data_ptr<T>(), *next = out[1].data_ptr<T>();
  for_rows(in[1].numel() / n, n,
           [&](int64_t r) { vec_lstm<T>().step(gates + 4 * r * n, n, cell + r * n, hidden + r * n, next + r * n, n); });
}

template <class T>
void step_backward(const Tensors& out, Args in) {
  const int64_t n = in[1].size(-1);
  const T *gates = in[0].data_ptr<T>(), *cell = in[1].data_ptr<T>(), *grad_hidden = in[2].data_ptr<T>(),
          *grad_next = in[3].data_ptr<T>();
  T *grad_gates = out[0].data_ptr<T>(), *grad_cell = out[1].data_ptr<T>();
  for_rows(in[1].numel() / n, n, [&](int64_t r) {
    vec_lstm<T>().step_backward(gates + 4 * r * n, cell + r * n, grad_hidden + r * n, grad_next + r * n,
                                grad_gates + 4 * r * n, grad_cell + r * n, n);
  });
}

/// Each step's sums go where the gradient finds them, and its states where the next step and the result want them.
template <class T>
void sequence(const LstmSequence<T>& s) {
  const int64_t rows = s.rows, n = s.n;
  const matmul::Matrix<const T> weight{s.weight, 1, n};
  const T *hidden = s.hidden, *cell = s.cell;
  for (int64_t i = 0; i < s.steps; ++i) {
    const int64_t at = s.time(i) * rows * n;
    T *sums = s.sums_at(s.time(i)), *next_hidden = s.hiddens + at, *next = s.cells + at;
    matmul::gemm<T>({rows, 4 * n, n, {hidden, n, 1}, weight, {s.gates + 4 * at, 4 * n, 1}, {sums, 4 * n, 1}});
    for_rows(rows, n, [&](int64_t r) {
      vec_lstm<T>().step(sums + 4 * r * n, n, cell + r * n, next_hidden + r * n, next + r * n, n);
    });
    hidden = next_hidden, cell = next;
  }
}

template <class T>
LstmSequence<T> arrays(const Tensors& out, Args in, const LstmParams& p) {
  return {in[0].size(0),       in[3].size(0),        in[3].size(1),        p.reverse,
          p.keeps_sums,        in[0].data_ptr<T>(),  in[1].data_ptr<T>(),  in[2].data_ptr<T>(),
          in[3].data_ptr<T>(), out[0].data_ptr<T>(), out[1].data_ptr<T>(), out[2].data_ptr<T>()};
}

void lstm_gates_cpu(Tensors& out, Args in, const NoParams& p) {
  if (in[1].numel() == 0) return;
  if (is_half16(in[1].dtype()))
    return run_in_float(out, in, [&](Tensors& wide, Args args) { lstm_gates_cpu(wide, args, p); });
  in[1].dtype() == kDouble ? step<double>(out, in) : step<float>(out, in);
}
void lstm_gates_backward_cpu(Tensors& out, Args in, const NoParams& p) {
  if (in[1].numel() == 0) return;
  if (is_half16(in[1].dtype()))
    return run_in_float(out, in, [&](Tensors& wide, Args args) { lstm_gates_backward_cpu(wide, args, p); });
  in[1].dtype() == kDouble ? step_backward<double>(out, in) : step_backward<float>(out, in);
}

void lstm_sequence_cpu(Tensors& out, Args in, const LstmParams& p) {
  if (in[3].numel() == 0) return;
  if (is_half16(in[3].dtype()))
    return run_in_float(out, in, [&](Tensors& wide, Args args) { lstm_sequence_cpu(wide, args, p); });
  if (in[3].dtype() == kDouble) return sequence(arrays<double>(out, in, p));
  const LstmSequence<float> s = arrays<float>(out, in, p);
  packing_pays(s) ? packed_sequence(s) : sequence(s);
}

STRATA_KERNEL(lstm_gates_op, CPU, RowMajor<lstm_gates_cpu>::run);
STRATA_KERNEL(lstm_gates_backward_op, CPU, RowMajor<lstm_gates_backward_cpu>::run);
STRATA_KERNEL(lstm_sequence_op, CPU, RowMajor<lstm_sequence_cpu>::run);

}  // namespace
}  // namespace strata::cpu::rnn
