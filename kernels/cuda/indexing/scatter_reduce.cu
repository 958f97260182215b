// CUDA kernel of products and extremes at indexed places.
#include "kernels/cuda/indexing/indexing.cuh"
#include "ops/scatter_reduce_def.h"

namespace strata::cuda::indexing {
namespace {

struct Product {
  template <class T>
  static __device__ T of(T a, T b) {
    if constexpr (std::is_same_v<T, bool>)
      return a && b;
    else if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
    else
      return static_cast<T>(a * b);
  }
};
/// A NaN on either side stays.
template <bool kLargest>
struct Extreme {
  template <class T>
  static __device__ T of(T a, T b) {
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
      return static_cast<T>(of(static_cast<float>(a), static_cast<float>(b)));
    else
      return (kLargest ? b > a : b < a) || b != b ? b : a;
  }
};

/// Sets the word at `p`, which holds `T` from bit `shift` on, to what `F` makes of it; others may do so meanwhile.
template <class F, class T, class Word>
__device__ void join_in_word(Word* p, int shift, const T& value) {
  constexpr Word kMask = sizeof(T) == sizeof(Word) ? ~Word{0} : (Word{1} << (8 * sizeof(T) % (8 * sizeof(Word)))) - 1;
  Word old = *reinterpret_cast<volatile Word*>(p);
  for (;;) {
    const Word bits = (old >> shift) & kMask;
    T held{};
    memcpy(static_cast<void*>(&held), &bits, sizeof(T));
    const T joined = F::of(held, value);
    Word changed = 0;
    memcpy(&changed, static_cast<const void*>(&joined), sizeof(T));
    const Word wanted = (old & ~(kMask << shift)) | (changed << shift);
    if (wanted == old) return;
    const Word found = atomicCAS(p, old, wanted);
    if (found == old) return;
    old = found;
  }
}

/// In any order, so that the last bits of a product of floats may differ from run to run.
template <class F>
struct Join {
  template <class T>
  static __device__ void run(const T& row, T* x) {
    if (!x) return;
    if constexpr (sizeof(T) == 8) {
      join_in_word<F>(reinterpret_cast<unsigned long long*>(x), 0, row);
    } else {
      const uintptr_t at = reinterpret_cast<uintptr_t>(x), word = at & ~uintptr_t{3};
      join_in_word<F>(reinterpret_cast<unsigned*>(word), static_cast<int>(at - word) * 8, row);
    }
  }
};

template <class F>
void join_all(const IndexedMove& m, const Tensor& y) {
  visit_dtype(y.dtype(), [&]<class T>() { run_move<Join<F>, T>(scatter_reduce_op.name(), m, stream_of(y)); });
}

void scatter_reduce_cuda(Tensors& out, Args in, const ScatterReduceParams& p) {
  const Tensor &y = out[0], &index = in[1], &source = in[2];
  if (y.bytes() != in[0].bytes()) copy_strided(y, in[0]);
  if (index.numel() == 0) return;
  const IndexedMove m =
      move_along(y, index, source, p.dim, "scatter_reduce: index {} is out of bounds for dimension {} with size {}");
  if (p.kind == kScatterProduct) return join_all<Product>(m, y);
  is_of_largest(p.kind) ? join_all<Extreme<true>>(m, y) : join_all<Extreme<false>>(m, y);
}

STRATA_KERNEL(scatter_reduce_op, CUDA, scatter_reduce_cuda);

}  // namespace
}  // namespace strata::cuda::indexing
