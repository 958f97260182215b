// CPU kernels of the random ops: Note [Random elements].
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/parallel.h"
#include "dispatcher/half_loops.h"
#include "dispatcher/kernel.h"
#include "dispatcher/loops.h"
#include "kernels/arithmetic.h"
#include "kernels/cpu/common/strided_copy.h"
#include "kernels/cpu/random/blocks.h"
#include "kernels/cpu/random/vec_philox.h"
#include "kernels/visit_floating.h"
#include "ops/random_def.h"

namespace strata::cpu::random {
namespace {

/// Random bits of a uniform value, as many as its type holds.
int uniform_bits(DType dtype) { return dtype == kHalf ? 11 : dtype == kBFloat16 ? 8 : 24; }

/// Fills `out` with blocks of C made from words by `make(words, count, block)`, converted to T.
template <class T, class C, class Make>
void fill_blocks(const Tensor& out, const RandomParams& p, Make make) {
  constexpr int64_t kPerElement = sizeof(C) / sizeof(uint32_t);
  write_row_major(out, [&](char* data) {
    for_blocks(out.numel(), [&](int64_t first, int64_t count) {
      alignas(64) uint32_t words[kRandomBlock * kPerElement];
      alignas(64) C block[kRandomBlock];
      philox_words(p.seed, p.offset, first * kPerElement, made(count) * kPerElement, words);
      make(words, made(count), block);
      T* to = reinterpret_cast<T*>(data) + first;
      for (int64_t i = 0; i < count; ++i) to[i] = static_cast<T>(block[i]);
    });
  });
}

void uniform_cpu(Tensors& out, Args, const RandomParams& p) {
  visit_floating("uniform", p.dtype, [&]<class T>() {
    using C = arithmetic::Compute<T>;
    const C low = static_cast<C>(p.a), high = static_cast<C>(p.b), last = high > low ? std::nextafter(high, low) : low;
    const int bits = uniform_bits(p.dtype);
    fill_blocks<T, C>(out[0], p, [=](const uint32_t* words, int64_t n, C* block) {
      uniform_block(words, n, bits, low, high - low, last, block);
    });
  });
}

void normal_cpu(Tensors& out, Args, const RandomParams& p) {
  visit_floating("normal", p.dtype, [&]<class T>() {
    using C = arithmetic::Compute<T>;
    const C mean = static_cast<C>(p.a), std = static_cast<C>(p.b);
    fill_blocks<T, C>(out[0], p,
                      [=](const uint32_t* words, int64_t n, C* block) { normal_block(words, n, mean, std, block); });
  });
}

template <class T>
void below_limit(const uint32_t* words, uint32_t limit, int64_t n, T* __restrict to) {
  const T one = static_cast<T>(1.0f), zero = static_cast<T>(0.0f);
  for (int64_t i = 0; i < n; ++i) to[i] = words[i] < limit ? one : zero;
}

void bernoulli_cpu(Tensors& out, Args, const RandomParams& p) {
  const double below = std::ceil(p.a * 0x1p32);
  visit_dtype(p.dtype, [&]<class T>() {
    const T one = static_cast<T>(1.0f);
    if (below > 0xffffffffu) return fill_strided(memory_of(out[0]), out[0].sizes(), &one, sizeof(T));  // above any word
    write_row_major(out[0], [&](char* data) {
      for_blocks(out[0].numel(), [&](int64_t first, int64_t count) {
        alignas(64) uint32_t words[kRandomBlock];
        philox_words(p.seed, p.offset, first, made(count), words);
        below_limit(words, static_cast<uint32_t>(below), count, reinterpret_cast<T*>(data) + first);
      });
    });
  });
}

uint64_t bounded_draw(const uint32_t* words, int64_t i, uint64_t range) {
  if (range != 0 && range <= uint64_t{1} << 32) return words[i] * range >> 32;
  const uint64_t both = words[2 * i] | uint64_t{words[2 * i + 1]} << 32;
  return range == 0 ? both : both % range;
}

void randint_cpu(Tensors& out, Args, const RandintParams& p) {
  const int64_t per_element = p.range != 0 && p.range <= uint64_t{1} << 32 ? 1 : 2;
  visit_dtype(p.dtype, [&]<class T>() {
    write_row_major(out[0], [&](char* data) {
      for_blocks(out[0].numel(), [&](int64_t first, int64_t count) {
        alignas(64) uint32_t words[2 * kRandomBlock];
        philox_words(p.seed, p.offset, first * per_element, made(count) * per_element, words);
        T* to = reinterpret_cast<T*>(data) + first;
        for (int64_t i = 0; i < count; ++i)
          to[i] = static_cast<T>(static_cast<int64_t>(static_cast<uint64_t>(p.low) + bounded_draw(words, i, p.range)));
      });
    });
  });
}

/// Fisher-Yates: place i takes one of the values 0 to i that are left.
template <class T>
void permute_line(T* line, int64_t n, int64_t row, const RandomParams& p) {
  for (int64_t i = 0; i < n; ++i) line[i] = static_cast<T>(i);
  alignas(64) uint32_t words[2 * kRandomBlock];
  const int64_t per_draw = n <= int64_t{1} << 32 ? 1 : 2;
  int64_t cached = -1;
  for (int64_t i = n - 1; i > 0; --i) {
    const int64_t draw = row * n + i, block = draw / kRandomBlock;
    if (block != cached)
      philox_words(p.seed, p.offset, block * kRandomBlock * per_draw, kRandomBlock * per_draw, words);
    cached = block;
    const uint64_t at = draw % kRandomBlock, range = static_cast<uint64_t>(i) + 1;
    const uint64_t j =
        per_draw == 1 ? words[at] * range >> 32 : (words[2 * at] | uint64_t{words[2 * at + 1]} << 32) % range;
    std::swap(line[i], line[j]);
  }
}

void randperm_cpu(Tensors& out, Args, const RandomParams& p) {
  const int64_t n = p.sizes.back();
  if (out[0].numel() == 0) return;
  visit_dtype(p.dtype, [&]<class T>() {
    write_row_major(out[0], [&](char* data) {
      for (int64_t row = 0; row < out[0].numel() / n; ++row)
        permute_line(reinterpret_cast<T*>(data) + row * n, n, row, p);
    });
  });
}

template <class T, class C>
void masked_scale(const T* x, const uint8_t* mask, C scale, int64_t n, T* to) {
  for (int64_t i = 0; i < n; ++i) to[i] = static_cast<T>(static_cast<C>(x[i]) * (static_cast<C>(mask[i]) * scale));
}

void masked_scale_cpu(Tensors& out, Args in, const MaskedScaleParams& p) {
  Tensor x_holder, mask_holder;
  const char *x = row_major(in[0], x_holder), *mask = row_major(in[1], mask_holder);
  visit_floating("masked_scale", in[0].dtype(), [&]<class T>() {
    using C = arithmetic::Compute<T>;
    const T* from = reinterpret_cast<const T*>(x);
    const auto* keep = reinterpret_cast<const uint8_t*>(mask);
    write_row_major(out[0], [&](char* data) {
      T* to = reinterpret_cast<T*>(data);
      parallel_for(0, out[0].numel(), 32768, [&](int64_t b, int64_t e) {
        masked_scale(from + b, keep + b, static_cast<C>(p.scale), e - b, to + b);
      });
    });
  });
}

/// The same for programs; one value of x or of the mask may stand for all.
template <class C>
void masked_scale_loop(const dispatch::LoopArgs& a) {
  const auto* x = static_cast<const C*>(a.in[0]);
  const auto* mask = static_cast<const uint8_t*>(a.in[1]);
  auto* to = static_cast<C*>(a.out);
  const C scale = static_cast<C>(a.params[0]);
  if (a.step[0] == 1 && a.step[1] == 1) return masked_scale(x, mask, scale, a.n, to);
  for (int64_t i = 0; i < a.n; ++i) masked_scale(x + i * a.step[0], mask + i * a.step[1], scale, 1, to + i);
}

dispatch::OpLoop find_masked_scale_loop(DType dtype, const void* params) {
  dispatch::OpLoop found;
  if (params) found.numbers[0] = static_cast<const MaskedScaleParams*>(params)->scale;
  if (dtype == kDouble) found.loop = &masked_scale_loop<double>;
  if (dtype == kFloat || dispatch::is_half16(dtype)) found.loop = &masked_scale_loop<float>;
  return found;
}
const dispatch::LoopRegistrar masked_scale_loops(masked_scale_op, &find_masked_scale_loop);

}  // namespace

STRATA_KERNEL(uniform_op, CPU, uniform_cpu);
STRATA_KERNEL(normal_op, CPU, normal_cpu);
STRATA_KERNEL(bernoulli_op, CPU, bernoulli_cpu);
STRATA_KERNEL(randint_op, CPU, randint_cpu);
STRATA_KERNEL(randperm_op, CPU, randperm_cpu);
STRATA_KERNEL(masked_scale_op, CPU, masked_scale_cpu);

}  // namespace strata::cpu::random
