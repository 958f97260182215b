// Readers and writers of short runs, and the vectorized conversions of the 16-bit types.
#include "kernels/cpu/common/blocks.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "kernels/visit_item.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/common/blocks.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "dispatcher/half_loops.h"
#include "kernels/cpu/common/vec_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using F = hn::ScalableTag<float>;
using U = hn::RebindToUnsigned<F>;
using U16 = hn::Rebind<uint16_t, F>;

/// Is `a` below `bound`, both being below 2^31? Comparisons of signed numbers are what all processors have.
HWY_INLINE hn::Mask<U> is_below(hn::Vec<U> a, uint32_t bound) {
  const hn::RebindToSigned<U> i;
  return hn::RebindMask(U(), hn::Lt(hn::BitCast(i, a), hn::Set(i, static_cast<int32_t>(bound))));
}

// The same bits as core/half.h on every instruction set.
struct HalfCodec {
  static HWY_INLINE hn::Vec<F> widen(hn::Vec<U16> h) {
    const F f;
    const U u;
    const auto bits = hn::PromoteTo(u, h);
    const auto sign = hn::ShiftLeft<16>(hn::And(bits, hn::Set(u, 0x8000)));
    const auto magnitude = hn::And(bits, hn::Set(u, 0x7fff));
    const auto shifted = hn::ShiftLeft<13>(magnitude);
    const auto normal = hn::Add(shifted, hn::Set(u, 0x38000000));
    const auto special = hn::Or(shifted, hn::Set(u, 0x7f800000));
    const auto small =
        hn::Mul(hn::ConvertTo(f, hn::BitCast(hn::RebindToSigned<F>(), magnitude)), hn::Set(f, 5.9604644775390625e-8f));
    const auto below = hn::IfThenElse(hn::Lt(magnitude, hn::Set(u, 0x400)), hn::BitCast(u, small), normal);
    const auto any = hn::IfThenElse(hn::Lt(magnitude, hn::Set(u, 0x7c00)), below, special);
    return hn::BitCast(f, hn::Or(any, sign));
  }
  /// The 16 bits of the result, as a number below 2^16.
  static HWY_INLINE hn::Vec<U> narrow(hn::Vec<F> v) {
    const F f;
    const U u;
    const auto x = hn::BitCast(u, v);
    const auto sign = hn::And(hn::ShiftRight<16>(x), hn::Set(u, 0x8000));
    const auto a = hn::And(x, hn::Set(u, 0x7fffffff));
    const auto odd = hn::And(hn::ShiftRight<13>(a), hn::Set(u, 1));
    const auto normal = hn::ShiftRight<13>(hn::Add(hn::Add(a, hn::Set(u, 0xc8000fff)), odd));
    const auto small = hn::Sub(hn::BitCast(u, hn::Add(hn::BitCast(f, a), hn::Set(f, 0.5f))), hn::Set(u, 0x3f000000));
    auto r = hn::IfThenElse(is_below(a, 0x38800000), small, normal);
    r = hn::IfThenElse(is_below(a, 0x477ff000), r, hn::Set(u, 0x7c00));
    r = hn::IfThenElse(is_below(a, 0x7f800001), r, hn::Set(u, 0x7e00));
    return hn::Or(r, sign);
  }
  /// widen(narrow(v)), without the way to 16 bits and back. From 0.5 on, floats lie as far apart as the smallest
  /// halves do.
  static HWY_INLINE hn::Vec<F> round(hn::Vec<F> v) {
    const F f;
    const U u;
    const auto x = hn::BitCast(u, v);
    const auto a = hn::And(x, hn::Set(u, 0x7fffffff));
    const auto odd = hn::And(hn::ShiftRight<13>(a), hn::Set(u, 1));
    const auto normal = hn::And(hn::Add(hn::Add(a, hn::Set(u, 0xfff)), odd), hn::Set(u, 0xffffe000));
    const auto half = hn::Set(f, 0.5f);
    const auto small = hn::BitCast(u, hn::Sub(hn::Add(hn::BitCast(f, a), half), half));
    auto r = hn::IfThenElse(is_below(a, 0x38800000), small, normal);
    r = hn::IfThenElse(is_below(a, 0x477ff000), r, hn::Set(u, 0x7f800000));
    r = hn::IfThenElse(is_below(a, 0x7f800001), r, hn::Set(u, 0x7fc00000));
    return hn::BitCast(f, hn::Or(r, hn::And(x, hn::Set(u, 0x80000000))));
  }
};

struct BFloat16Codec {
  static HWY_INLINE hn::Vec<F> widen(hn::Vec<U16> h) {
    return hn::BitCast(F(), hn::ShiftLeft<16>(hn::PromoteTo(U(), h)));
  }
  /// The result's bits above those of the fraction that it has not.
  static HWY_INLINE hn::Vec<U> rounded_bits(hn::Vec<F> v) {
    const U u;
    const auto x = hn::BitCast(u, v);
    const auto odd = hn::And(hn::ShiftRight<16>(x), hn::Set(u, 1));
    const auto rounded = hn::Add(hn::Add(x, hn::Set(u, 0x7fff)), odd);
    return hn::IfThenElse(hn::RebindMask(u, hn::IsNaN(v)), hn::Or(x, hn::Set(u, 0x400000)), rounded);
  }
  static HWY_INLINE hn::Vec<U> narrow(hn::Vec<F> v) { return hn::ShiftRight<16>(rounded_bits(v)); }
  static HWY_INLINE hn::Vec<F> round(hn::Vec<F> v) {
    return hn::BitCast(F(), hn::And(rounded_bits(v), hn::Set(U(), 0xffff0000)));
  }
};

// core/float8.h's rounding, without its branches.
template <class T>
struct Float8Format;
template <int fraction, int bias, detail::Float8Codes codes>
struct Float8Format<detail::Float8<fraction, bias, codes>> {
  static constexpr int kFraction = fraction, kBias = bias;
  static constexpr bool kHasSigns = codes != detail::Float8Codes::kUnsignedZero;  // of zero and NaN
  static constexpr uint32_t kLargest = codes == detail::Float8Codes::kFinite ? 0x7e
                                       : codes == detail::Float8Codes::kIeee ? 0x7b
                                                                             : 0x7f;
};

template <class T>
HWY_INLINE hn::Vec<U> float8_codes(hn::Vec<F> v) {
  using Format = Float8Format<T>;
  constexpr int kShift = 23 - Format::kFraction, kBias = Format::kBias;
  constexpr uint32_t kDown = (127u - kBias) << 23, kLeastNormal = (128u - kBias) << 23;
  constexpr uint32_t kRounder = (151u - kBias - Format::kFraction) << 23;
  const F f;
  const U u;
  const auto x = hn::BitCast(u, v);
  const auto sign = hn::And(hn::ShiftRight<24>(x), hn::Set(u, 0x80));
  const auto a = hn::And(x, hn::Set(u, 0x7fffffff));
  const auto odd = hn::And(hn::ShiftRight<kShift>(a), hn::Set(u, 1));
  const auto normal = hn::ShiftRight<kShift>(hn::Add(hn::Add(a, hn::Set(u, (1u << (kShift - 1)) - 1 - kDown)), odd));
  const auto rounder = hn::Set(u, kRounder);
  const auto small = hn::Sub(hn::BitCast(u, hn::Add(hn::BitCast(f, a), hn::BitCast(f, rounder))), rounder);
  auto code = hn::IfThenElse(hn::Lt(a, hn::Set(u, kLeastNormal)), small, normal);
  code = hn::IfThenElse(hn::Gt(code, hn::Set(u, Format::kLargest)), hn::Set(u, T(3e38f).bits), code);
  code = hn::IfThenElse(hn::Gt(a, hn::Set(u, 0x7f800000)), hn::Set(u, T(std::numeric_limits<float>::quiet_NaN()).bits),
                        code);
  if (Format::kHasSigns) return hn::Or(code, sign);
  const auto none = hn::Eq(hn::And(code, hn::Set(u, 0x7f)), hn::Zero(u));
  return hn::IfThenElse(none, code, hn::Or(code, sign));
}

template <class T>
void narrow_to_float8(const float* from, uint8_t* to, int64_t n) {
  const F f;
  const hn::Rebind<uint8_t, F> bytes;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(f));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto codes = float8_codes<T>(hn::LoadU(f, from + i));
    hn::StoreU(hn::DemoteTo(bytes, hn::BitCast(hn::RebindToSigned<F>(), codes)), bytes, to + i);
  }
  for (; i < n; ++i) to[i] = T(from[i]).bits;
}

template <class Codec>
void widen_all(const uint16_t* from, float* to, int64_t n) {
  const F f;
  const U16 h;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(f));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(Codec::widen(hn::LoadU(h, from + i)), f, to + i);
  if (i == n) return;
  if (n > lanes) return hn::StoreU(Codec::widen(hn::LoadU(h, from + n - lanes)), f, to + n - lanes);
  HWY_ALIGN uint16_t in[hn::MaxLanes(F())] = {};
  HWY_ALIGN float out[hn::MaxLanes(F())];
  std::memcpy(in, from + i, static_cast<size_t>(n - i) * sizeof(uint16_t));
  hn::Store(Codec::widen(hn::LoadU(h, in)), f, out);
  std::memcpy(to + i, out, static_cast<size_t>(n - i) * sizeof(float));
}

/// Numbers are below 2^16: saturation does nothing.
template <class Codec>
HWY_INLINE void narrow_vector(const float* from, uint16_t* to) {
  const hn::Vec<U> bits = Codec::narrow(hn::LoadU(F(), from));
  hn::StoreU(hn::DemoteTo(U16(), hn::BitCast(hn::RebindToSigned<U>(), bits)), U16(), to);
}

template <class Codec>
void narrow_all(const float* from, uint16_t* to, int64_t n) {
  const F f;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(f));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) narrow_vector<Codec>(from + i, to + i);
  if (i == n) return;
  if (n > lanes) return narrow_vector<Codec>(from + n - lanes, to + n - lanes);
  HWY_ALIGN float in[hn::MaxLanes(F())] = {};
  HWY_ALIGN uint16_t out[hn::MaxLanes(F())];
  std::memcpy(in, from + i, static_cast<size_t>(n - i) * sizeof(float));
  narrow_vector<Codec>(in, out);
  std::memcpy(to + i, out, static_cast<size_t>(n - i) * sizeof(uint16_t));
}

template <class Codec>
void round_all(const LoopArgs& a) {
  const F f;
  const float* const from = static_cast<const float*>(a.in[0]);
  float* const to = static_cast<float*>(a.out);
  const size_t lanes = hn::Lanes(f), n = static_cast<size_t>(a.n);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(Codec::round(hn::LoadU(f, from + i)), f, to + i);
  if (i < n) store_n(f, Codec::round(load_n(f, from + i, n - i)), to + i, n - i);
}
static Loop round_to_half() { return &round_all<HalfCodec>; }
static Loop round_to_bfloat16() { return &round_all<BFloat16Codec>; }

void widen_half(const uint16_t* from, float* to, int64_t n) { widen_all<HalfCodec>(from, to, n); }
void narrow_half(const float* from, uint16_t* to, int64_t n) { narrow_all<HalfCodec>(from, to, n); }
void widen_bfloat16(const uint16_t* from, float* to, int64_t n) { widen_all<BFloat16Codec>(from, to, n); }
void narrow_bfloat16(const float* from, uint16_t* to, int64_t n) { narrow_all<BFloat16Codec>(from, to, n); }
void narrow_e5m2(const float* from, uint8_t* to, int64_t n) { narrow_to_float8<Float8_e5m2>(from, to, n); }
void narrow_e4m3fn(const float* from, uint8_t* to, int64_t n) { narrow_to_float8<Float8_e4m3fn>(from, to, n); }
void narrow_e5m2fnuz(const float* from, uint8_t* to, int64_t n) { narrow_to_float8<Float8_e5m2fnuz>(from, to, n); }
void narrow_e4m3fnuz(const float* from, uint8_t* to, int64_t n) { narrow_to_float8<Float8_e4m3fnuz>(from, to, n); }

}  // namespace strata::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu {
HWY_EXPORT(widen_half);
HWY_EXPORT(narrow_half);
HWY_EXPORT(widen_bfloat16);
HWY_EXPORT(narrow_bfloat16);
HWY_EXPORT(round_to_half);
HWY_EXPORT(round_to_bfloat16);
HWY_EXPORT(narrow_e5m2);
HWY_EXPORT(narrow_e4m3fn);
HWY_EXPORT(narrow_e5m2fnuz);
HWY_EXPORT(narrow_e4m3fnuz);

void half_to_float(const Half* from, float* to, int64_t n) { HWY_DYNAMIC_DISPATCH(widen_half)(&from->bits, to, n); }
void half_to_float(const BFloat16* from, float* to, int64_t n) {
  HWY_DYNAMIC_DISPATCH(widen_bfloat16)(&from->bits, to, n);
}
void float_to_half(const float* from, Half* to, int64_t n) { HWY_DYNAMIC_DISPATCH(narrow_half)(from, &to->bits, n); }
void float_to_half(const float* from, BFloat16* to, int64_t n) {
  HWY_DYNAMIC_DISPATCH(narrow_bfloat16)(from, &to->bits, n);
}

namespace {

/// For programs.
template <class T>
dispatch::HalfLoops half_loops(Loop round) {
  return {[](const LoopArgs& a) { half_to_float(static_cast<const T*>(a.in[0]), static_cast<float*>(a.out), a.n); },
          [](const LoopArgs& a) { float_to_half(static_cast<const float*>(a.in[0]), static_cast<T*>(a.out), a.n); },
          round};
}
[[maybe_unused]] const bool installed =
    (dispatch::set_half_loops(half_loops<Half>(HWY_DYNAMIC_DISPATCH(round_to_half)()),
                              half_loops<BFloat16>(HWY_DYNAMIC_DISPATCH(round_to_bfloat16)())),
     true);

/// Rows that lie one after the other are one.
Rows joined(Rows r) {
  if (r.row_stride == r.length * r.stride) r.length *= r.rows, r.rows = 1;
  return r;
}

/// read_row(to, from, stride, length) for all rows; one that repeats is read once and copied.
template <class Out, class F>
void read_rows(Out* out, const char* from, const Rows& rows, F read_row) {
  const Rows r = joined(rows);
  const int64_t count = r.rows * r.length, read = r.row_stride == 0 ? std::min(r.length, count) : count;
  for (int64_t done = 0; done < read; done += r.length, from += r.row_stride)
    read_row(out + done, from, r.stride, r.length);
  for (int64_t done = read; done > 0 && done < count; done += std::min(done, count - done))
    std::memcpy(out + done, out, static_cast<size_t>(std::min(done, count - done)) * sizeof(Out));
}
/// write_row(to, from, stride, length) for all rows.
template <class In, class F>
void write_rows(char* to, const Rows& rows, const In* in, F write_row) {
  const Rows r = joined(rows);
  if (r.length == 0) return;
  for (int64_t j = 0; j < r.rows; ++j, to += r.row_stride, in += r.length) write_row(to, in, r.stride, r.length);
}

/// Rows of n elements that lie side by side in rows and in `out`, for n that a call or a loop would take longer for.
template <int64_t n, class Bits>
void read_short_rows(Bits* out, const char* from, int64_t row_stride, int64_t rows) {
  for (int64_t i = 0; i < rows; ++i, out += n, from += row_stride) std::memcpy(out, from, n * sizeof(Bits));
}

// Bits of a size; copied without regard to what they mean.
template <class Bits>
void read_bits(void* to, const char* from, const Rows& rows) {
  const bool are_dense = rows.stride == sizeof(Bits) && rows.row_stride != 0;
  Bits* const dense = static_cast<Bits*>(to);
  if (are_dense && rows.length == 2) return read_short_rows<2>(dense, from, rows.row_stride, rows.rows);
  if (are_dense && rows.length == 3) return read_short_rows<3>(dense, from, rows.row_stride, rows.rows);
  if (are_dense && rows.length == 4) return read_short_rows<4>(dense, from, rows.row_stride, rows.rows);
  read_rows(dense, from, rows, [](Bits* out, const char* in, int64_t stride, int64_t n) {
    if (stride == sizeof(Bits)) {
      std::memcpy(out, in, static_cast<size_t>(n) * sizeof(Bits));
    } else if (stride == 0) {
      std::fill_n(out, n, *reinterpret_cast<const Bits*>(in));
    } else {
      for (int64_t i = 0; i < n; ++i) out[i] = *reinterpret_cast<const Bits*>(in + i * stride);
    }
  });
}
template <class Bits>
void write_bits(char* to, const Rows& rows, const void* from) {
  write_rows(to, rows, static_cast<const Bits*>(from), [](char* out, const Bits* in, int64_t stride, int64_t n) {
    if (stride == sizeof(Bits)) {
      std::memcpy(out, in, static_cast<size_t>(n) * sizeof(Bits));
    } else {
      for (int64_t i = 0; i < n; ++i) *reinterpret_cast<Bits*>(out + i * stride) = in[i];
    }
  });
}

template <class T>
void read_half(void* to, const char* from, const Rows& rows) {
  read_rows(static_cast<float*>(to), from, rows, [](float* out, const char* in, int64_t stride, int64_t n) {
    const T* const first = reinterpret_cast<const T*>(in);
    if (stride == sizeof(T)) {
      half_to_float(first, out, n);
    } else if (stride == 0) {
      std::fill_n(out, n, static_cast<float>(*first));
    } else {
      for (int64_t i = 0; i < n; ++i) out[i] = *reinterpret_cast<const T*>(in + i * stride);
    }
  });
}
template <class T>
void write_half(char* to, const Rows& rows, const void* from) {
  write_rows(to, rows, static_cast<const float*>(from), [](char* out, const float* in, int64_t stride, int64_t n) {
    if (stride == sizeof(T)) {
      float_to_half(in, reinterpret_cast<T*>(out), n);
    } else {
      for (int64_t i = 0; i < n; ++i) *reinterpret_cast<T*>(out + i * stride) = T(in[i]);
    }
  });
}

template <class T>
constexpr std::array<float, 256> all_values() {
  std::array<float, 256> values{};
  for (size_t i = 0; i < 256; ++i) values[i] = T::from_bits(static_cast<uint8_t>(i));
  return values;
}

template <class T>
void read_float8(void* to, const char* from, const Rows& rows) {
  static constexpr std::array<float, 256> kValues = all_values<T>();
  read_rows(static_cast<float*>(to), from, rows, [](float* out, const char* in, int64_t stride, int64_t n) {
    for (int64_t i = 0; i < n; ++i) out[i] = kValues[static_cast<uint8_t>(in[i * stride])];
  });
}
void float_to_float8(const float* from, Float8_e5m2* to, int64_t n) {
  HWY_DYNAMIC_DISPATCH(narrow_e5m2)(from, &to->bits, n);
}
void float_to_float8(const float* from, Float8_e4m3fn* to, int64_t n) {
  HWY_DYNAMIC_DISPATCH(narrow_e4m3fn)(from, &to->bits, n);
}
void float_to_float8(const float* from, Float8_e5m2fnuz* to, int64_t n) {
  HWY_DYNAMIC_DISPATCH(narrow_e5m2fnuz)(from, &to->bits, n);
}
void float_to_float8(const float* from, Float8_e4m3fnuz* to, int64_t n) {
  HWY_DYNAMIC_DISPATCH(narrow_e4m3fnuz)(from, &to->bits, n);
}

template <class T>
void write_float8(char* to, const Rows& rows, const void* from) {
  write_rows(to, rows, static_cast<const float*>(from), [](char* out, const float* in, int64_t stride, int64_t n) {
    if (stride == 1) {
      float_to_float8(in, reinterpret_cast<T*>(out), n);
    } else {
      for (int64_t i = 0; i < n; ++i) out[i * stride] = static_cast<char>(T(in[i]).bits);
    }
  });
}

/// Those of the types that are widened, by dtype.
struct FloatCodec {
  BlockReader read;
  BlockWriter write;
};
template <class T>
constexpr FloatCodec codec() {
  if constexpr (Float8Like<T>)
    return {&read_float8<T>, &write_float8<T>};
  else
    return {&read_half<T>, &write_half<T>};
}
FloatCodec codec_of(DType dtype) {
  switch (dtype) {
    case kHalf:
      return codec<Half>();
    case kBFloat16:
      return codec<BFloat16>();
    case kFloat8_e5m2:
      return codec<Float8_e5m2>();
    case kFloat8_e4m3fn:
      return codec<Float8_e4m3fn>();
    case kFloat8_e5m2fnuz:
      return codec<Float8_e5m2fnuz>();
    default:
      return codec<Float8_e4m3fnuz>();
  }
}

}  // namespace

BlockReader block_reader(DType dtype, bool as_float) {
  if (as_float) return codec_of(dtype).read;
  switch (item_size(dtype)) {
    case 1:
      return &read_bits<uint8_t>;
    case 2:
      return &read_bits<uint16_t>;
    case 4:
      return &read_bits<uint32_t>;
    case 16:
      return &read_bits<Bits128>;
    default:
      return &read_bits<uint64_t>;
  }
}

BlockWriter block_writer(DType dtype, bool as_float) {
  if (as_float) return codec_of(dtype).write;
  switch (item_size(dtype)) {
    case 1:
      return &write_bits<uint8_t>;
    case 2:
      return &write_bits<uint16_t>;
    case 4:
      return &write_bits<uint32_t>;
    case 16:
      return &write_bits<Bits128>;
    default:
      return &write_bits<uint64_t>;
  }
}

}  // namespace strata::cpu
#endif
