// CUDA kernels of the random ops under explicit keys: Note [Keyed elements].
#include "dispatcher/kernel.h"
#include "kernels/cuda/common/copy.h"
#include "kernels/cuda/common/strided.h"
#include "kernels/keyed.h"
#include "kernels/visit_floating.h"
#include "ops/keyed_random_def.h"

namespace strata::cuda::random {
namespace {

using keyed::Computed;
using keyed::Key;
using keyed::Words;

/// Keys, each with as many elements.
struct Keys {
  const Key* data;
  int64_t per_key;
  Divider divider;  ///< by per_key, where all numbers are below 2^31
  bool small;

  Keys(const Tensor& keys, int64_t per_key, int64_t n)
      : data(reinterpret_cast<const Key*>(keys.bytes())), per_key(per_key), small(n < (int64_t{1} << 31)) {
    if (small && per_key > 0) divider = Divider(static_cast<uint32_t>(per_key));
  }
  /// Number of the key of element i.
  __device__ int64_t number(int64_t i) const {
    return small ? int64_t{divider.quotient(static_cast<uint32_t>(i))} : i / per_key;
  }
};

/// out[i] = f(i, its key, its place among those of its key).
template <class T, class F>
__global__ void __launch_bounds__(kThreads) keyed_kernel(F f, Keys keys, T* out, int64_t n) {
  for (int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x; i < n; i += int64_t{gridDim.x} * kThreads) {
    const int64_t number = keys.number(i);
    out[i] = f(number, keys.data[number], i - number * keys.per_key);
  }
}

/// Fills `out` of elements T with f, `per_key` of them under each key of shape (*K, 2).
template <class T, class F>
void fill(const Op& op, const Tensor& out, const Tensor& key, int64_t per_key, const F& f) {
  const Tensor keys = row_major(key);
  write_row_major(out, [&](const Tensor& to) {
    const int64_t n = to.numel() * static_cast<int64_t>(to.element_size()) / static_cast<int64_t>(sizeof(T));
    if (n == 0) return;
    start(op.name(), keyed_kernel<T, F>, {grid(n)}, stream_of(to), f, Keys(keys, per_key, n),
          reinterpret_cast<T*>(to.bytes()), n);
  });
}

struct Split {
  __device__ Words operator()(int64_t, Key key, int64_t i) const { return keyed::threefry(key, i); }
};
struct FoldIn {
  const uint32_t* data;
  __device__ Words operator()(int64_t number, Key key, int64_t) const { return keyed::threefry(key, data[number]); }
};
template <class U>
struct Bits {
  __device__ U operator()(int64_t, Key key, int64_t i) const { return keyed::bits_of<U>(keyed::threefry(key, i)); }
};

/// Samples of T that Finish makes from values in [low, low + width).
template <class T, class Finish>
struct Sample {
  Computed<T> low = 0, width = 1;
  __device__ T operator()(int64_t, Key key, int64_t i) const {
    return static_cast<T>(
        Finish::template of<T>(keyed::stretch<T>(keyed::unit<T>(keyed::threefry(key, i)), low, width)));
  }
};
struct ToUniform {
  template <class T>
  __device__ static Computed<T> of(Computed<T> u) {
    return u;
  }
};
struct ToNormal {
  template <class T>
  __device__ static Computed<T> of(Computed<T> u) {
    return keyed::normal<T>(u);
  }
};
struct ToExponential {
  template <class T>
  __device__ static Computed<T> of(Computed<T> u) {
    return keyed::exponential<T>(u);
  }
};
struct ToGumbel {
  template <class T>
  __device__ static Computed<T> of(Computed<T> u) {
    return keyed::gumbel<T>(u);
  }
};

/// Two keys for each: for the upper and the lower bits.
template <class T, class U>
struct KeyedRandint {
  const Key *upper, *lower;
  U shift, span;
  int64_t low;
  __device__ T operator()(int64_t number, Key, int64_t i) const {
    const U a = keyed::bits_of<U>(keyed::threefry(upper[number], i));
    const U b = keyed::bits_of<U>(keyed::threefry(lower[number], i));
    return static_cast<T>(static_cast<uint64_t>(low) + keyed::randint_offset(a, b, shift, span));
  }
};
/// The key that `counter` folded into a key gives.
struct FoldConstant {
  uint32_t counter;
  __device__ Words operator()(int64_t, Key key, int64_t) const { return keyed::threefry(key, counter); }
};

void key_split_cuda(Tensors& out, Args in, const KeySplitParams& p) {
  fill<Words>(key_split_op, out[0], in[0], numel_of(p.sizes), Split());
}
void key_fold_in_cuda(Tensors& out, Args in, const NoParams&) {
  const Tensor data = row_major(in[1]);
  fill<Words>(key_fold_in_op, out[0], in[0], 1, FoldIn{reinterpret_cast<const uint32_t*>(data.bytes())});
}
void key_bits_cuda(Tensors& out, Args in, const KeyParams& p) {
  const auto with = [&]<class U>() { fill<U>(key_bits_op, out[0], in[0], numel_of(p.sizes), Bits<U>()); };
  switch (item_size(p.dtype)) {
    case 1:
      return with.operator()<uint8_t>();
    case 2:
      return with.operator()<uint16_t>();
    case 4:
      return with.operator()<uint32_t>();
    default:
      return with.operator()<uint64_t>();
  }
}

template <class Finish>
void sample(const Op& op, const Tensor& out, const Tensor& key, const DimVector& sizes, double from, double to) {
  visit_floating(op.name(), out.dtype(), [&]<class T>() {
    using C = Computed<T>;
    const C low = keyed::rounded<T>(static_cast<C>(from)), high = keyed::rounded<T>(static_cast<C>(to));
    fill<T>(op, out, key, numel_of(sizes), Sample<T, Finish>{low, keyed::rounded<T>(high - low)});
  });
}
void key_uniform_cuda(Tensors& out, Args in, const KeyIntervalParams& p) {
  sample<ToUniform>(key_uniform_op, out[0], in[0], p.sizes, p.low, p.high);
}
void key_normal_cuda(Tensors& out, Args in, const KeyIntervalParams& p) {
  sample<ToNormal>(key_normal_op, out[0], in[0], p.sizes, p.low, p.high);
}
void key_exponential_cuda(Tensors& out, Args in, const KeyParams& p) {
  sample<ToExponential>(key_exponential_op, out[0], in[0], p.sizes, 0, 1);
}
void key_gumbel_cuda(Tensors& out, Args in, const KeyParams& p) {
  sample<ToGumbel>(key_gumbel_op, out[0], in[0], p.sizes, 0, 1);
}

void key_randint_cuda(Tensors& out, Args in, const KeyRandintParams& p) {
  const Tensor& key = in[0];
  const Tensor upper = empty_on_device(key.sizes(), kUInt32, key.device());
  const Tensor lower = empty_on_device(key.sizes(), kUInt32, key.device());
  fill<Words>(key_randint_op, upper, key, 1, FoldConstant{0});
  fill<Words>(key_randint_op, lower, key, 1, FoldConstant{1});
  visit_dtype(p.dtype, [&]<class T>() {
    if constexpr (is_integral(dtype_of<T>)) {
      using U = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
      const U span = static_cast<U>(p.span);
      fill<T>(key_randint_op, out[0], key, numel_of(p.sizes),
              KeyedRandint<T, U>{reinterpret_cast<const Key*>(upper.bytes()),
                                 reinterpret_cast<const Key*>(lower.bytes()), keyed::randint_shift(span), span, p.low});
    }
  });
}

STRATA_KERNEL(key_split_op, CUDA, key_split_cuda);
STRATA_KERNEL(key_fold_in_op, CUDA, key_fold_in_cuda);
STRATA_KERNEL(key_bits_op, CUDA, key_bits_cuda);
STRATA_KERNEL(key_uniform_op, CUDA, key_uniform_cuda);
STRATA_KERNEL(key_normal_op, CUDA, key_normal_cuda);
STRATA_KERNEL(key_exponential_op, CUDA, key_exponential_cuda);
STRATA_KERNEL(key_gumbel_op, CUDA, key_gumbel_cuda);
STRATA_KERNEL(key_randint_op, CUDA, key_randint_cuda);

}  // namespace
}  // namespace strata::cuda::random
