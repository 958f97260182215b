// Vector code of the random number generator.
#include "kernels/cpu/random/vec_philox.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/random/vec_philox.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/common/vec_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::random::HWY_NAMESPACE {
using namespace cpu::HWY_NAMESPACE;

/// The four words of one block per 64-bit lane. Multiplication reads the lower halves only, so the upper ones may hold
/// anything.
template <class V>
struct Counters {
  V c0, c1, c2, c3;
};

/// The lower half of each lane times m, in full.
template <class D, class V>
HWY_INLINE V times(D d, uint32_t m, V v) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(d, uint64_t{m} * static_cast<uint32_t>(hn::GetLane(v)));
#else
  const hn::Repartition<uint32_t, D> d32;
  return hn::MulEven(hn::BitCast(d32, hn::Set(d, uint64_t{m})), hn::BitCast(d32, v));
#endif
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE Counters<V> philox_rounds(D d, Counters<V> c, uint32_t k0, uint32_t k1) {
  for (int round = 0; round < 10; ++round) {
    const V p0 = times(d, 0xD2511F53u, c.c0), p1 = times(d, 0xCD9E8D57u, c.c2);
    c = {hn::Xor(hn::Xor(hn::ShiftRight<32>(p1), c.c1), hn::Set(d, uint64_t{k0})), p1,
         hn::Xor(hn::Xor(hn::ShiftRight<32>(p0), c.c3), hn::Set(d, uint64_t{k1})), p0};
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return c;
}

void PhiloxWords(uint64_t seed, uint64_t offset, uint64_t first_word, int64_t words, uint32_t* out) {
  const hn::ScalableTag<uint64_t> d;
  const size_t lanes = hn::Lanes(d);
  const auto low = hn::Set(d, 0xffffffffu);
  const uint32_t k0 = static_cast<uint32_t>(seed), k1 = static_cast<uint32_t>(seed >> 32);
  auto* to = reinterpret_cast<uint64_t*>(out);
  for (int64_t w = 0; w < words; w += 4 * lanes) {
    const auto block = hn::Iota(d, (first_word + w) / 4);
    const auto c =
        philox_rounds(d, {block, hn::ShiftRight<32>(block), hn::Set(d, offset), hn::Set(d, offset >> 32)}, k0, k1);
    const auto a = hn::Or(hn::And(c.c0, low), hn::ShiftLeft<32>(c.c1)),
               b = hn::Or(hn::And(c.c2, low), hn::ShiftLeft<32>(c.c3));
    hn::StoreInterleaved2(a, b, d, to + w / 2);
  }
}

/// The upper 53 bits of 64 as a number in [0, 1).
template <class D>
HWY_INLINE hn::Vec<D> unit_double(D d, const uint32_t* words) {
  const hn::RebindToUnsigned<D> du;
  const hn::RebindToSigned<D> di;
  const auto bits = hn::ShiftRight<11>(hn::LoadU(du, reinterpret_cast<const uint64_t*>(words)));
  return hn::Mul(hn::ConvertTo(d, hn::BitCast(di, bits)), hn::Set(d, 0x1p-53));
}

void UniformF32(const uint32_t* words, int64_t n, int bits, float low, float width, float last, float* out) {
  const hn::ScalableTag<float> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::RebindToSigned<decltype(d)> di;
  const auto unit = hn::Set(d, 1.0f / static_cast<float>(1 << bits));
  for (int64_t i = 0; i < n; i += hn::Lanes(d)) {
    const auto w = hn::ShiftRightSame(hn::LoadU(du, words + i), 32 - bits);
    const auto u = hn::Mul(hn::ConvertTo(d, hn::BitCast(di, w)), unit);
    hn::StoreU(hn::Min(hn::MulAdd(u, hn::Set(d, width), hn::Set(d, low)), hn::Set(d, last)), d, out + i);
  }
}

void UniformF64(const uint32_t* words, int64_t n, int, double low, double width, double last, double* out) {
  const hn::ScalableTag<double> d;
  for (int64_t i = 0; i < n; i += hn::Lanes(d)) {
    const auto u = unit_double(d, words + 2 * i);
    hn::StoreU(hn::Min(hn::MulAdd(u, hn::Set(d, width), hn::Set(d, low)), hn::Set(d, last)), d, out + i);
  }
}

/// Two independent normal values from two uniform ones (Box and Muller).
template <class D, class V>
HWY_INLINE void store_normal_pairs(D d, V u, V v, V mean, V std, hn::TFromD<D>* out) {
  const V r = hn::Mul(hn::Sqrt(hn::Mul(hn::Set(d, -2), log(d, u))), std);
  const V t = hn::Mul(v, hn::Set(d, hn::TFromD<D>(6.283185307179586)));
  hn::StoreInterleaved2(hn::MulAdd(r, sin_shifted<1>(d, t), mean), hn::MulAdd(r, sin_shifted<0>(d, t), mean), d, out);
}

void NormalF32(const uint32_t* words, int64_t n, float mean, float std, float* out) {
  const hn::ScalableTag<float> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::RebindToSigned<decltype(d)> di;
  for (int64_t i = 0; i < n; i += 2 * hn::Lanes(d)) {
    hn::VFromD<decltype(du)> a, b;
    hn::LoadInterleaved2(du, words + i, a, b);
    const auto u =
        hn::MulAdd(hn::ConvertTo(d, hn::BitCast(di, hn::ShiftRight<1>(a))), hn::Set(d, 0x1p-31f), hn::Set(d, 0x1p-32f));
    const auto v = hn::Mul(hn::ConvertTo(d, hn::BitCast(di, hn::ShiftRight<8>(b))), hn::Set(d, 0x1p-24f));
    store_normal_pairs(d, u, v, hn::Set(d, mean), hn::Set(d, std), out + i);
  }
}

void NormalF64(const uint32_t* words, int64_t n, double mean, double std, double* out) {
  const hn::ScalableTag<double> d;
  HWY_ALIGN double unit[2 * HWY_MAX_BYTES / sizeof(double)];
  for (int64_t i = 0; i < n; i += 2 * hn::Lanes(d)) {
    hn::Store(unit_double(d, words + 2 * i), d, unit);
    hn::Store(unit_double(d, words + 2 * i + 2 * hn::Lanes(d)), d, unit + hn::Lanes(d));
    hn::VFromD<decltype(d)> u, v;
    hn::LoadInterleaved2(d, unit, u, v);
    store_normal_pairs(d, hn::Add(u, hn::Set(d, 0x1p-54)), v, hn::Set(d, mean), hn::Set(d, std), out + i);
  }
}

}  // namespace strata::cpu::random::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::random {

HWY_EXPORT(PhiloxWords);
HWY_EXPORT(UniformF32);
HWY_EXPORT(UniformF64);
HWY_EXPORT(NormalF32);
HWY_EXPORT(NormalF64);

void philox_words(uint64_t seed, uint64_t offset, uint64_t first_word, int64_t words, uint32_t* out) {
  HWY_DYNAMIC_DISPATCH(PhiloxWords)(seed, offset, first_word, words, out);
}
void uniform_block(const uint32_t* words, int64_t n, int bits, float low, float width, float last, float* out) {
  HWY_DYNAMIC_DISPATCH(UniformF32)(words, n, bits, low, width, last, out);
}
void uniform_block(const uint32_t* words, int64_t n, int bits, double low, double width, double last, double* out) {
  HWY_DYNAMIC_DISPATCH(UniformF64)(words, n, bits, low, width, last, out);
}
void normal_block(const uint32_t* words, int64_t n, float mean, float std, float* out) {
  HWY_DYNAMIC_DISPATCH(NormalF32)(words, n, mean, std, out);
}
void normal_block(const uint32_t* words, int64_t n, double mean, double std, double* out) {
  HWY_DYNAMIC_DISPATCH(NormalF64)(words, n, mean, std, out);
}

}  // namespace strata::cpu::random
#endif
