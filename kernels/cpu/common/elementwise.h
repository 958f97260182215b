// Runs inner loops over tensors of any strides: one output, up to three inputs of the same shape.
#pragma once
#include "dispatcher/names.h"
#include "dispatcher/op.h"
#include "kernels/cpu/common/loop.h"

namespace strata::cpu {

using dispatch::kElementwiseGrain;

/// An operation's loops by element type of its last input; null where there is none.
struct DTypeLoops {
  Loop loops[kNumDTypes] = {};
  constexpr Loop& operator[](DType t) { return loops[static_cast<int>(t)]; }
  constexpr Loop operator[](DType t) const { return loops[static_cast<int>(t)]; }
  DTypeLoops() = default;
  /// The dtypes for storage run through the loops that give their bits.
  constexpr void add_stored() {
    for (DType t : {kUInt16, kUInt64}) (*this)[t] = (*this)[with_same_sums(t)];
    for (DType t : {kFloat8_e5m2, kFloat8_e4m3fn, kFloat8_e5m2fnuz, kFloat8_e4m3fnuz}) (*this)[t] = (*this)[kFloat];
  }
  /// float16 and bfloat16 run through the float loop.
  constexpr DTypeLoops(FloatLoops f) {
    (*this)[kHalf] = (*this)[kBFloat16] = (*this)[kFloat] = f.f32;
    (*this)[kDouble] = f.f64;
  }
  /// Puts those that are there in the place of what was.
  constexpr void replace(const IntegerLoops& f) {
    const auto put = [this](DType t, Loop loop) {
      if (loop) (*this)[t] = loop;
    };
    put(kByte, f.u8), put(kChar, f.i8), put(kShort, f.i16), put(kInt, f.i32), put(kLong, f.i64);
  }
};

/// What happens to operands of the 16-bit and 8-bit floating point types.
enum class Half16 : bool { kThroughFloat, kAsIs };

constexpr bool is_half16(DType t) { return t == kHalf || t == kBFloat16; }
/// Floating point types that no loop computes in.
constexpr bool is_narrow_float(DType t) { return is_half16(t) || is_float8(t); }

/// The general case: any strides, 16-bit types, many threads.
void elementwise_any(const Tensor& out, Args in, Loop loop, const double* params, Half16 half16);

/// 1 if the elements lie in a row, 0 if all share one place, else -1.
inline int64_t simple_step(const TensorImpl& t) {
  if (t.is_contiguous()) return 1;
  for (int64_t s : t.strides())
    if (s != 0) return -1;
  return 0;
}

/// out[i] = loop(in[0][i], ...), calling the loop at once when everything is small and in a row.
template <int kInputs>
inline void elementwise(const Tensor& out, Args in, Loop loop, const double* params = nullptr,
                        Half16 half16 = Half16::kThroughFloat) {
  LoopArgs a{out.bytes(), {}, {}, out.numel(), params, false};
  bool simple =
      a.n <= kElementwiseGrain && out.is_contiguous() && (half16 == Half16::kAsIs || !is_narrow_float(out.dtype()));
  for (int i = 0; i < kInputs; ++i) {
    a.in[i] = in[i].bytes();
    a.step[i] = simple_step(*in[i].impl());
    simple &= a.step[i] >= 0 && (half16 == Half16::kAsIs || !is_narrow_float(in[i].dtype()));
  }
  if (simple) [[likely]]
    return loop(a);
  elementwise_any(out, Args(in.begin(), kInputs), loop, params, half16);
}

[[noreturn, gnu::cold]] void fail_no_loop(const Op& op, DType dtype);

/// The same with the loop of the last input's dtype.
template <int kInputs>
inline void elementwise(const Op& op, const Tensor& out, Args in, const DTypeLoops& loops,
                        const double* params = nullptr) {
  const DType dtype = in[kInputs - 1].dtype();
  const Loop loop = loops[dtype];
  if (!loop) [[unlikely]]
    fail_no_loop(op, dtype);
  elementwise<kInputs>(out, in, loop, params);
}

}  // namespace strata::cpu
