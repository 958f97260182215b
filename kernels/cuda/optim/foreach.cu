// CUDA kernels of the functions of lists of tensors: one launch for many.
#include "kernels/cuda/common/block_reduce.cuh"
#include "kernels/cuda/optim/step_slots.cuh"
#include "kernels/visit_floating.h"
#include "ops/foreach_def.h"

namespace strata::cuda::optim {
namespace {

/// Scales all but the last input, which holds the formula's rate.
template <class T, class Formula>
void scale(std::string_view op, const Tensor& out, Args in, const Formula& f) {
  using Rates = typename Formula::Rates;
  const InPlace tensors(out, Args(in.begin(), in.size() - 1));
  const auto* const rates = reinterpret_cast<const Rates*>(in[in.size() - 1].template data_ptr<double>());
  run_slots<T, 1>(op, tensors.args(), SlotStep<Formula, Rates>{f, rates});
}

void foreach_mul_cuda(Tensors& out, Args in, const NoParams&) {
  visit_floating("foreach_mul", in[0].dtype(),
                 [&]<class T>() { scale<T>("foreach_mul", out[0], in, steps::Scale<arithmetic::Compute<T>>()); });
}
void foreach_clip_norm_cuda(Tensors& out, Args in, const ForeachClipNormParams& p) {
  visit_floating("foreach_clip_norm", in[0].dtype(), [&]<class T>() {
    scale<T>("foreach_clip_norm", out[0], in, steps::ClipNorm<arithmetic::Compute<T>>{{}, p.max_norm});
  });
}
void foreach_clamp_cuda(Tensors& out, Args in, const ForeachClampParams& p) {
  const InPlace tensors(out[0], in);
  visit_floating("foreach_clamp", in[0].dtype(), [&]<class T>() {
    using C = arithmetic::Compute<T>;
    const steps::Clamp<C> clamp{static_cast<C>(p.min), static_cast<C>(p.max)};
    run_slots<T, 1>("foreach_clamp", tensors.args(), SlotStep<steps::Clamp<C>>{clamp});
  });
}
void foreach_zero_cuda(Tensors& out, Args in, const NoParams&) {
  const InPlace tensors(out[0], in);
  visit_floating("foreach_zero", in[0].dtype(), [&]<class T>() {
    run_slots<T, 1>("foreach_zero", tensors.args(), SlotStep<steps::Zero<arithmetic::Compute<T>>>{});
  });
}

/// What is added up or compared for a norm, in C.
template <class C>
struct NormPart {
  enum Kind { kSquares, kMagnitudes, kLargest } kind;

  __device__ C of(C x) const { return kind == kSquares ? x * x : std::abs(x); }
  __device__ C join(C a, C b) const { return kind != kLargest ? a + b : a > b || a != a ? a : b; }
  __device__ C finish(C x) const { return kind == kSquares ? std::sqrt(x) : x; }
};

template <class C>
NormPart<C> norm_part(double p) {
  return {p == 2 ? NormPart<C>::kSquares : p == 1 ? NormPart<C>::kMagnitudes : NormPart<C>::kLargest};
}

/// partial[block] = the block's part.
template <class T, class C>
__global__ void __launch_bounds__(kThreads) parts_kernel(const Slots<1> slots, NormPart<C> f, C* partial) {
  const BlockPart<T, 1> part(slots, blockIdx.x);
  const T* const x = static_cast<const T*>(part.data[0]);
  C sum = 0;
  for (int64_t i = int64_t{threadIdx.x} * kSlotPack<T>; i < part.in_packs; i += kThreads * kSlotPack<T>) {
    const auto pack = *reinterpret_cast<const Pack<T, kSlotPack<T>>*>(x + i);
    STRATA_UNROLL
    for (int j = 0; j < kSlotPack<T>; ++j) sum = f.join(sum, f.of(static_cast<C>(pack[j])));
  }
  for (int64_t i = part.in_packs + threadIdx.x; i < part.n; i += kThreads)
    sum = f.join(sum, f.of(static_cast<C>(x[i])));
  sum = block_reduce<kThreads>(sum, [&](C a, C b) { return f.join(a, b); });
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

template <class C>
__global__ void __launch_bounds__(kThreads) join_kernel(const C* partial, int64_t count, NormPart<C> f, C* out) {
  C sum = 0;
  for (int64_t i = threadIdx.x; i < count; i += kThreads) sum = f.join(sum, partial[i]);
  sum = block_reduce<kThreads>(sum, [&](C a, C b) { return f.join(a, b); });
  if (threadIdx.x == 0) *out = f.finish(sum);
}

/// The tensors, those that are not row-major replaced by copies.
class RowMajor {
 public:
  explicit RowMajor(Args in) {
    tensors_.reserve(in.size());
    for (const Tensor* t : in) tensors_.push_back(row_major(*t));
    for (const Tensor& t : tensors_) pointers_.push_back(&t);
  }
  Args args() const { return {pointers_.data(), pointers_.size()}; }

 private:
  std::vector<Tensor> tensors_;
  std::vector<const Tensor*> pointers_;
};

template <class T>
void total_norm(const Tensor& out, Args in, double p) {
  using C = arithmetic::Compute<T>;
  int64_t blocks = 0;
  for (const Tensor* t : in) blocks += (t->numel() + kPerBlock<T> - 1) / kPerBlock<T>;
  const Tensor partial = empty_on_device({blocks}, dtype_of<C>, out.device());
  C* to = partial.data_ptr<C>();
  for_each_launch<T, 1>(in, [&](const Slots<1>& slots, unsigned count) {
    start("total_norm", parts_kernel<T, C>, {count}, stream_of(out), slots, norm_part<C>(p), to);
    to += count;
  });
  start("total_norm", join_kernel<C>, {1}, stream_of(out), partial.data_ptr<C>(), blocks, norm_part<C>(p),
        out.data_ptr<C>());
}

void total_norm_cuda(Tensors& out, Args in, const TotalNormParams& p) {
  const RowMajor tensors(in);
  visit_floating("total_norm", in[0].dtype(), [&]<class T>() { total_norm<T>(out[0], tensors.args(), p.p); });
}

STRATA_KERNEL(foreach_mul_op, CUDA, foreach_mul_cuda);
STRATA_KERNEL(foreach_clip_norm_op, CUDA, foreach_clip_norm_cuda);
STRATA_KERNEL(foreach_clamp_op, CUDA, foreach_clamp_cuda);
STRATA_KERNEL(foreach_zero_op, CUDA, foreach_zero_cuda);
STRATA_KERNEL(total_norm_op, CUDA, total_norm_cuda);

}  // namespace
}  // namespace strata::cuda::optim
