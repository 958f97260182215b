// CPU kernels of the functions of lists of tensors.
#include <cmath>
#include <vector>

#include "dispatcher/kernel.h"
#include "kernels/cpu/common/lines.h"
#include "kernels/cpu/common/strided_copy.h"
#include "kernels/cpu/common/vec_reduce.h"
#include "kernels/cpu/optim/step_slots.h"
#include "ops/foreach_def.h"

namespace strata::cpu::optim {
namespace {

template <class F>
void visit_type(const Tensor& t, F f) {
  if (t.dtype() == kDouble) return f.template operator()<double>();
  f.template operator()<float>();
}

/// Scales all but the last input, which holds the formula's rate.
template <class Formula>
void scale(Tensors& out, Args in, Formula f) {
  f.take({*reinterpret_cast<const double*>(in[in.size() - 1].bytes())});
  if (f.is_idle() && out[0].bytes() == in[0].bytes()) return;
  step_slots<steps::Scale<typename Formula::Value>>(out, Args(in.begin(), in.size() - 1), f);
}

void foreach_mul_cpu(Tensors& out, Args in, const NoParams&) {
  visit_type(in[0], [&]<class C>() { scale(out, in, steps::Scale<C>()); });
}
void foreach_clip_norm_cpu(Tensors& out, Args in, const ForeachClipNormParams& p) {
  visit_type(in[0], [&]<class C>() { scale(out, in, steps::ClipNorm<C>{{}, p.max_norm}); });
}
void foreach_clamp_cpu(Tensors& out, Args in, const ForeachClampParams& p) {
  visit_type(in[0], [&]<class C>() {
    step_slots(out, in, steps::Clamp<C>{static_cast<C>(p.min), static_cast<C>(p.max)});
  });
}
void foreach_zero_cpu(Tensors& out, Args in, const NoParams&) {
  visit_type(in[0], [&]<class C>() { step_slots(out, in, steps::Zero<C>()); });
}

/// A piece of one of the tensors.
template <class C>
struct Piece {
  const C* x;
  int64_t n;
};

/// Row-major copies, and float ones of 16-bit tensors, where those are needed, live in `copies`.
template <class C>
std::vector<Piece<C>> pieces_of(Args in, std::vector<Tensor>& copies) {
  std::vector<Piece<C>> pieces;
  for (const Tensor* t : in) {
    check_dtype(in[0], *t);
    Tensor copy = is_half16(t->dtype()) ? widened(*t) : Tensor();
    const C* const x = reinterpret_cast<const C*>(copy.defined() ? copy.bytes() : row_major(*t, copy));
    if (copy.defined()) copies.push_back(copy);
    for (int64_t begin = 0; begin < t->numel(); begin += kReduceChunk)
      pieces.push_back({x + begin, std::min(kReduceChunk, t->numel() - begin)});
  }
  return pieces;
}

/// The larger one; NaN if one is.
template <class C>
C larger(C a, C b) {
  return a > b || std::isnan(a) ? a : b;
}

template <class C>
C part_of_norm(const Piece<C>& piece, double p) {
  const VecReduce<C>& reduce = vec_reduce<C>();
  if (p == 2) return reduce.sum_square(piece.x, piece.n, 0);
  if (p == 1) return reduce.sum_abs(piece.x, piece.n);
  return larger(reduce.max(piece.x, piece.n), -reduce.min(piece.x, piece.n));
}

/// Folds the values pairwise.
template <class C, class F>
C fold(std::vector<C>& values, F f) {
  for (size_t step = 1; step < values.size(); step *= 2)
    for (size_t i = 0; i + step < values.size(); i += 2 * step) values[i] = f(values[i], values[i + step]);
  return values[0];
}

template <class C>
C norm_of_all(Args in, double p) {
  std::vector<Tensor> copies;
  const std::vector<Piece<C>> pieces = pieces_of<C>(in, copies);
  std::vector<C> parts(pieces.size());
  parallel_for(0, static_cast<int64_t>(pieces.size()), kLineGrain / kReduceChunk, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const size_t at = static_cast<size_t>(i);
      parts[at] = part_of_norm(pieces[at], p);
    }
  });
  if (std::isinf(p)) return fold(parts, larger<C>);
  const C sum = fold(parts, [](C a, C b) { return a + b; });
  return p == 2 ? std::sqrt(sum) : sum;
}

void total_norm_cpu(Tensors& out, Args in, const TotalNormParams& p) {
  visit_type(in[0], [&]<class C>() { *reinterpret_cast<C*>(out[0].bytes()) = norm_of_all<C>(in, p.p); });
}

STRATA_KERNEL(foreach_mul_op, CPU, foreach_mul_cpu);
STRATA_KERNEL(foreach_clip_norm_op, CPU, foreach_clip_norm_cpu);
STRATA_KERNEL(foreach_clamp_op, CPU, foreach_clamp_cpu);
STRATA_KERNEL(foreach_zero_op, CPU, foreach_zero_cpu);
STRATA_KERNEL(total_norm_op, CPU, total_norm_cpu);

}  // namespace
}  // namespace strata::cpu::optim
