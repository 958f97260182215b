// CUDA kernels of the random ops and of counted tensors: Note [Random elements].
#include "kernels/cuda/random/random.h"

#include "kernels/cuda/common/elementwise.cuh"
#include "kernels/visit_floating.h"
#include "ops/creation_def.h"
#include "ops/random_def.h"

namespace strata::cuda::random {
namespace {

using namespace arithmetic;

template <class C>
struct Uniform {
  Draw words;
  int bits;
  C low, width, last;
  STRATA_HD C operator()(int64_t i) const {
    C u;
    if constexpr (sizeof(C) == 8)
      u = words.unit(i);
    else
      u = static_cast<float>(words.word(i) >> (32 - bits)) * (1.0f / static_cast<float>(1 << bits));
    const C x = std::fma(u, width, low);
    return x < last ? x : last;
  }
};

template <class C>
struct Normal {
  Draw words;
  C mean, std;
  STRATA_HD C operator()(int64_t i) const {
    const int64_t j = i / 2;
    C u, v;
    if constexpr (sizeof(C) == 8) {
      u = words.unit(2 * j) + 0x1p-54;
      v = words.unit(2 * j + 1);
    } else {
      const uint64_t both = words.pair(j);
      u = std::fma(static_cast<float>(static_cast<uint32_t>(both) >> 1), 0x1p-31f, 0x1p-32f);
      v = static_cast<float>(both >> 40) * 0x1p-24f;
    }
    const C r = std::sqrt(C(-2) * std::log(u)) * std, t = v * C(6.283185307179586);
    return std::fma(r, i % 2 ? std::sin(t) : std::cos(t), mean);
  }
};

struct Bernoulli {
  Draw words;
  uint64_t below;
  STRATA_HD float operator()(int64_t i) const { return words.word(i) < below ? 1.0f : 0.0f; }
};

struct Randint {
  Draw words;
  uint64_t low, range;
  STRATA_HD int64_t operator()(int64_t i) const { return static_cast<int64_t>(low + draw(i)); }
  STRATA_HD uint64_t draw(int64_t i) const {
    if (range != 0 && range <= uint64_t{1} << 32) return words.word(i) * range >> 32;
    const uint64_t both = words.pair(i);
    return range == 0 ? both : both % range;
  }
};

template <class Wide>
struct Arange {
  Wide start, step;
  STRATA_HD Wide operator()(int64_t i) const { return start + static_cast<Wide>(i) * step; }
};

/// Counted from the nearer end, so that both ends are exact.
struct Linspace {
  double start, end, step;
  int64_t count;
  STRATA_HD double operator()(int64_t i) const {
    return i < count / 2 || count == 1 ? start + static_cast<double>(i) * step
                                       : end - static_cast<double>(count - 1 - i) * step;
  }
};

/// out[offset 0] = f(first + offset 1), the row-major place.
template <class T, class F>
__global__ void __launch_bounds__(kThreads) fill_kernel(F f, T* out, Strided<2> walk, int64_t first) {
  if constexpr (requires { f.words; }) f.words.find();
  const uint32_t step = gridDim.x * kThreads;
  for (uint64_t i = blockIdx.x * kThreads + threadIdx.x; i < walk.numel; i += step) {
    const Offsets<2> at = walk.at(static_cast<uint32_t>(i));
    out[at[0]] = static_cast<T>(f(first + at[1]));
  }
}

/// Fills `out` of any strides with f(row-major place).
template <class T, class F>
void fill_places(const Op& op, const Tensor& out, const F& f) {
  const DimVector rows = contiguous_strides(out.sizes());
  const IntArrayRef strides[2] = {out.strides(), rows};
  for_each_piece(collapse<2>(out.sizes(), strides), [&](const Strided<2>& piece, const int64_t(&first)[2]) {
    start(op.name(), fill_kernel<T, F>, {grid(piece.numel)}, stream_of(out), f, out.data_ptr<T>() + first[0], piece,
          first[1]);
  });
}

void uniform_cuda(Tensors& out, Args, const RandomParams& p) {
  const int bits = p.dtype == kHalf ? 11 : p.dtype == kBFloat16 ? 8 : 24;
  visit_floating("uniform", p.dtype, [&]<class T>() {
    using C = arithmetic::Compute<T>;
    const C low = static_cast<C>(p.a), high = static_cast<C>(p.b), last = high > low ? std::nextafter(high, low) : low;
    fill_places<T>(uniform_op, out[0], Uniform<C>{Draw::of(p.seed, p.offset), bits, low, high - low, last});
  });
}
void normal_cuda(Tensors& out, Args, const RandomParams& p) {
  visit_floating("normal", p.dtype, [&]<class T>() {
    using C = arithmetic::Compute<T>;
    fill_places<T>(normal_op, out[0], Normal<C>{Draw::of(p.seed, p.offset), static_cast<C>(p.a), static_cast<C>(p.b)});
  });
}
void bernoulli_cuda(Tensors& out, Args, const RandomParams& p) {
  const auto below = static_cast<uint64_t>(std::ceil(p.a * 0x1p32));
  visit_dtype(p.dtype, [&]<class T>() {
    fill_places<T>(bernoulli_op, out[0], Bernoulli{Draw::of(p.seed, p.offset), below});
  });
}
void randint_cuda(Tensors& out, Args, const RandintParams& p) {
  const Randint f{Draw::of(p.seed, p.offset), static_cast<uint64_t>(p.low), p.range};
  visit_dtype(p.dtype, [&]<class T>() { fill_places<T>(randint_op, out[0], f); });
}
void arange_cuda(Tensors& out, Args, const ArangeParams& p) {
  visit_dtype(p.dtype, [&]<class T>() {
    using Wide = std::conditional_t<is_integral(dtype_of<T>, true), int64_t, double>;
    fill_places<T>(arange_op, out[0], Arange<Wide>{p.start.to<Wide>(), p.step.to<Wide>()});
  });
}
void linspace_cuda(Tensors& out, Args, const LinspaceParams& p) {
  const double step = p.count > 1 ? (p.end - p.start) / static_cast<double>(p.count - 1) : 0;
  const Linspace f{p.start, p.end, step, p.count};
  visit_dtype(p.dtype, [&]<class T>() { fill_places<T>(linspace_op, out[0], f); });
}

template <class C>
struct Masked {
  C scale;
  STRATA_HD C operator()(C x, bool mask) const { return MaskedScale::run(x, mask, scale); }
};
void masked_scale_cuda(Tensors& out, Args in, const MaskedScaleParams& p) {
  visit_floating("masked_scale", in[0].dtype(), [&]<class T>() {
    using C = arithmetic::Compute<T>;
    launch<T, T, bool>(masked_scale_op, out[0], in, Masked<C>{static_cast<C>(p.scale)});
  });
}

__global__ void position_kernel(uint64_t* words, uint64_t seed, uint64_t offset) {
  if (threadIdx.x > 0) return;
  words[0] = seed;
  words[1] = offset;
}

STRATA_KERNEL(uniform_op, CUDA, uniform_cuda);
STRATA_KERNEL(normal_op, CUDA, normal_cuda);
STRATA_KERNEL(bernoulli_op, CUDA, bernoulli_cuda);
STRATA_KERNEL(randint_op, CUDA, randint_cuda);
STRATA_KERNEL(arange_op, CUDA, arange_cuda);
STRATA_KERNEL(linspace_op, CUDA, linspace_cuda);
STRATA_KERNEL(masked_scale_op, CUDA, masked_scale_cuda);

}  // namespace

void write_position(uint64_t* words, Generator::Position at, cudaStream_t stream) {
  start("Graph::replay", position_kernel, {1, 32}, stream, words, at.seed, at.offset);
}

}  // namespace strata::cuda::random
