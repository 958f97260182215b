// Kernels of softmax and log-softmax, forward and backward.
#include "dispatcher/call.h"
#include "dispatcher/kernel.h"
#include "dispatcher/layout.h"
#include "dispatcher/line_loops.h"
#include "kernels/cpu/common/line_map.h"
#include "kernels/cpu/common/widen.h"
#include "kernels/cpu/softmax/vec_softmax.h"
#include "ops/cast_def.h"
#include "ops/softmax_def.h"

namespace strata::cpu::softmax {
namespace {

/// Columns that one task takes: a few cache lines of every row, more where rows are walked one by one.
int64_t column_block(int64_t run, int64_t rows) {
  constexpr int64_t kFew = 64;
  if (rows < kTallColumns) return kFew;
  const int64_t share = run / get_num_threads();
  return std::clamp(share / kFew * kFew, kFew, kMostColumns);
}

/// Columns are summed in another order than rows, and which of them lines are must not depend on gaps between elements:
/// a compiled function has none where eager code has written to a tensor that has some. Lines of the last dim whose
/// elements lie side by side are rows either way.
Tensor without_gaps(const Tensor& t, int64_t dim) {
  const bool are_rows = dim + 1 == t.dim() && t.strides()[dim] == 1 && t.sizes()[dim] > 1;
  if (are_rows || t.is_contiguous() || dispatch::is_dense(t.sizes(), t.strides())) return t;
  return call_backend(copy_op, {&t}, Params::of(NoParams()))[0];
}

/// Are the lines of all tensors columns of matrices of type C? Then runs `columns` on blocks of them.
template <class C>
bool map_columns(const Tensor& out, Args in, int64_t dim, void (*columns)(const Columns<C>&)) {
  const size_t inputs = in.size();
  Lines lines[3];
  for (size_t k = 0; k <= inputs; ++k) {
    const Tensor& t = k < inputs ? in[k] : out;
    lines[k] = make_lines(t, dim);
    if (t.dtype() != dtype_of<C> || !lines[k].interleaved() || lines[k].size.back() != lines[0].size.back())
      return false;
  }
  const Lines &x = lines[0], &y = lines[inputs - 1], &o = lines[inputs];
  const int64_t run = x.size.back(), block = column_block(run, x.length), blocks = (run + block - 1) / block;
  const int64_t grain = std::max<int64_t>(1, kLineGrain / 4 / (x.length * std::min(run, block)));
  parallel_for(0, x.count / run * blocks, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t at = i % blocks * block, first = i / blocks * run + at;
      columns({in[0].data_ptr<C>() + x.offset(first), in[inputs - 1].data_ptr<C>() + y.offset(first),
               out.data_ptr<C>() + o.offset(first), x.line_stride[0], y.line_stride[0], o.line_stride[0], x.length,
               std::min(block, run - at)});
    }
  });
  return true;
}

template <class C>
void forward(const Tensor& out, Args in, int64_t dim, void (*row)(const C*, C*, int64_t),
             void (*columns)(const Columns<C>&)) {
  const Tensor dense = without_gaps(in[0], dim);
  if (out.numel() == 0 || map_columns<C>(out, {&dense}, dim, columns)) return;
  map_lines<C>(out, std::array{&dense}, dim, [=](const auto& x, C* y, int64_t n) { row(x[0], y, n); });
}

template <class C>
void backward(const Tensor& out, Args in, int64_t dim, void (*row)(const C*, const C*, C*, int64_t),
              void (*columns)(const Columns<C>&)) {
  const Tensor first = without_gaps(in[0], dim), second = without_gaps(in[1], dim);
  if (out.numel() == 0 || map_columns<C>(out, {&first, &second}, dim, columns)) return;
  map_lines<C>(out, std::array{&first, &second}, dim, [=](const auto& x, C* y, int64_t n) { row(x[0], x[1], y, n); });
}

/// f with the functions of the type that `dtype` is computed in.
template <class F>
void visit_softmax(DType dtype, F f) {
  if (dtype == kDouble) return f(vec_softmax<double>());
  f(vec_softmax<float>());
}

void softmax_cpu(Tensors& out, Args in, const DimParams& p) {
  visit_softmax(in[0].dtype(), [&](const auto& v) { forward(out[0], in, p.dim, v.softmax, v.softmax_columns); });
}
void log_softmax_cpu(Tensors& out, Args in, const DimParams& p) {
  visit_softmax(in[0].dtype(),
                [&](const auto& v) { forward(out[0], in, p.dim, v.log_softmax, v.log_softmax_columns); });
}
void softmax_backward_cpu(Tensors& out, Args in, const DimParams& p) {
  visit_softmax(in[0].dtype(),
                [&](const auto& v) { backward(out[0], in, p.dim, v.softmax_backward, v.softmax_backward_columns); });
}
void log_softmax_backward_cpu(Tensors& out, Args in, const DimParams& p) {
  visit_softmax(in[0].dtype(), [&](const auto& v) {
    backward(out[0], in, p.dim, v.log_softmax_backward, v.log_softmax_backward_columns);
  });
}

/// Rows by the function that `forward` and `backward` call for each.
template <class T, auto kRow>
void run_rows(const dispatch::LineArgs& a) {
  const auto row = vec_softmax<T>().*kRow;
  const T *const x = static_cast<const T*>(a.in[0]), *const y = static_cast<const T*>(a.in[1]);
  T* const out = static_cast<T*>(a.out[0]);
  for (int64_t i = 0; i < a.lines * a.length; i += a.length) {
    if constexpr (std::is_invocable_v<decltype(row), const T*, T*, int64_t>)
      row(x + i, out + i, a.length);
    else
      row(x + i, y + i, out + i, a.length);
  }
}

template <auto kFloatRow, auto kDoubleRow>
dispatch::LineLoop rows_of(Args in, const void* params) {
  const Tensor& x = in[0];
  if (x.dim() == 0 || static_cast<const DimParams*>(params)->dim != x.dim() - 1) return {};
  if (x.dtype() == kFloat) return {&run_rows<float, kFloatRow>, x.sizes().back()};
  if (x.dtype() == kDouble) return {&run_rows<double, kDoubleRow>, x.sizes().back()};
  return {};
}

template <auto kFloatRow, auto kDoubleRow>
struct Rows : dispatch::LineLoopRegistrar {
  explicit Rows(const Op& op) : LineLoopRegistrar(op, &rows_of<kFloatRow, kDoubleRow>) {}
};
using F = VecSoftmax<float>;
using D = VecSoftmax<double>;
const Rows<&F::softmax, &D::softmax> softmax_rows(softmax_op);
const Rows<&F::log_softmax, &D::log_softmax> log_softmax_rows(log_softmax_op);
const Rows<&F::softmax_backward, &D::softmax_backward> softmax_backward_rows(softmax_backward_op);
const Rows<&F::log_softmax_backward, &D::log_softmax_backward> log_softmax_backward_rows(log_softmax_backward_op);

STRATA_KERNEL(softmax_op, CPU, run_along_lines<softmax_cpu>);
STRATA_KERNEL(log_softmax_op, CPU, run_along_lines<log_softmax_cpu>);
STRATA_KERNEL(softmax_backward_op, CPU, run_along_lines<softmax_backward_cpu>);
STRATA_KERNEL(log_softmax_backward_op, CPU, run_along_lines<log_softmax_backward_cpu>);

}  // namespace
}  // namespace strata::cpu::softmax
