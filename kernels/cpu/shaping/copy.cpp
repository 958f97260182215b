// CPU kernels that copy and convert.
#include <algorithm>
#include <cstring>

#include "core/parallel.h"
#include "dispatcher/kernel.h"
#include "kernels/convert.h"
#include "kernels/cpu/common/blocks.h"
#include "kernels/cpu/common/elementwise.h"
#include "kernels/cpu/common/plain_loop.h"
#include "kernels/cpu/common/strided_copy.h"
#include "kernels/cpu/shaping/vec_cast.h"
#include "kernels/visit_item.h"
#include "ops/binary_def.h"
#include "ops/cast_def.h"

namespace strata::cpu::shaping {
namespace {

template <class Bits>
void copy_loop(const LoopArgs& a) {
  Bits* out = static_cast<Bits*>(a.out);
  const Bits* x = static_cast<const Bits*>(a.in[0]);
  if (a.step[0] == 0)
    fill_run(out, a.n, *x);
  else if (out != x)
    std::memcpy(out, x, static_cast<size_t>(a.n) * sizeof(Bits));
}

template <class Bits>
void fill_loop(const LoopArgs& a) {
  Bits value;
  std::memcpy(&value, a.params, sizeof(Bits));
  fill_run(static_cast<Bits*>(a.out), a.n, value);
}

Loop fill_loop_of(size_t item) {
  switch (item) {
    case 1:
      return &fill_loop<uint8_t>;
    case 2:
      return &fill_loop<uint16_t>;
    case 4:
      return &fill_loop<uint32_t>;
    case 16:
      return &fill_loop<Bits128>;
    default:
      return &fill_loop<uint64_t>;
  }
}

Loop copy_loop_of(size_t item) {
  switch (item) {
    case 1:
      return &copy_loop<uint8_t>;
    case 2:
      return &copy_loop<uint16_t>;
    case 4:
      return &copy_loop<uint32_t>;
    case 16:
      return &copy_loop<Bits128>;
    default:
      return &copy_loop<uint64_t>;
  }
}

/// Of transfers, only those from CPU to CPU come here, unless a GPU backend has put its own kernel in place.
template <class P>
void copy_cpu(Tensors& out, Args in, const P&) {
  const Tensor &y = out[0], &x = in[0];
  const size_t item = item_size(x.dtype());
  if (y.is_contiguous() && simple_step(*x.impl()) >= 0)
    return elementwise<1>(y, in, copy_loop_of(item), nullptr, Half16::kAsIs);
  if (y.bytes() == x.bytes() && y.strides() == x.strides()) return;
  copy_strided(memory_of(y), memory_of(x), y.sizes(), item);
}

/// The value's bits, taken from the params; the output stands in for the operand that is not there.
void fill_cpu(Tensors& out, Args, const FillParams& p) {
  const DType t = out[0].dtype();
  double bits[2] = {};
  visit_stored_dtype(t, [&]<class T>() {
    const T value = p.value.wrapped_to<T>();
    std::memcpy(bits, &value, sizeof(T));
  });
  elementwise<1>(out[0], {&out[0]}, fill_loop_of(item_size(t)), bits, Half16::kAsIs);
}

template <class To>
struct Convert {
  template <class From>
  static To run(From x) {
    return convert<To>(x);
  }
};

/// The driver widens and narrows small floating point types, so that a cast between one of them and anything is one to
/// or from float. As integers wrap, those to uint16 are those to int16.
DType storage_of_loop(DType t) { return is_narrow_float(t) ? kFloat : t; }

template <class To, class From>
constexpr Loop kCastLoop = &plain_loop<Convert<To>, To, From, 1>;

/// Only to and from floating point and complex numbers does uint64 differ from int64.
template <class F>
Loop visit_inexact(DType t, F&& f) {
  if (is_complex(t)) return visit_complex(t, f);
  return t == kDouble ? f.template operator()<double>() : f.template operator()<float>();
}

/// To bool, by the vectors that compare with zero.
template <class From>
void nonzero_loop(const LoopArgs& a) {
  static const Loop differs = dispatch::loop_of(ne_op, dtype_of<From>).loop;
  constexpr From kZero(0);
  LoopArgs with_zero = a;
  with_zero.in[1] = &kZero, with_zero.step[1] = 0;
  differs(with_zero);
}
Loop to_bool(DType from) {
  switch (from) {
    case kFloat:
      return &nonzero_loop<float>;
    case kDouble:
      return &nonzero_loop<double>;
    case kLong:
    case kUInt64:
      return &nonzero_loop<int64_t>;
    case kInt:
      return &nonzero_loop<int32_t>;
    default:
      return nullptr;
  }
}

Loop cast_loop(DType from, DType to) {
  from = storage_of_loop(from);
  if (const Loop loop = to == kBool ? to_bool(from) : nullptr) return loop;
  if (to == kLong && from == kFloat) return float_to_int64();
  if (to == kLong && from == kDouble) return double_to_int64();
  to = to == kUInt16 ? kShort : storage_of_loop(to);
  if (to == kFloat && from == kDouble) return double_to_float();
  if (from == kUInt64 && is_differentiable(to))
    return visit_inexact(to, []<class To>() { return kCastLoop<To, uint64_t>; });
  if (to == kUInt64 && is_differentiable(from))
    return visit_inexact(from, []<class From>() { return kCastLoop<uint64_t, From>; });
  const auto to_any = [to = to == kUInt64 ? kLong : to]<class From>() {
    return visit_any_dtype(to, []<class To>() { return kCastLoop<To, From>; });
  };
  if (from == kUInt16) return to_any.template operator()<uint16_t>();
  return visit_any_dtype(from == kUInt64 ? kLong : from, to_any);
}

/// Dense floats to a 16-bit type. False, with nothing done, for other operands.
bool narrow_dense(const Tensor& y, const Tensor& x) {
  constexpr int64_t kGrain = 32768;
  if (x.dtype() != kFloat || !is_half16(y.dtype()) || !x.is_contiguous() || !y.is_contiguous()) return false;
  const float* from = x.data_ptr<float>();
  parallel_for(0, y.numel(), kGrain, [&](int64_t begin, int64_t end) {
    if (y.dtype() == kHalf)
      float_to_half(from + begin, y.data_ptr<Half>() + begin, end - begin);
    else
      float_to_half(from + begin, y.data_ptr<BFloat16>() + begin, end - begin);
  });
  return true;
}

void cast_cpu(Tensors& out, Args in, const CastParams&) {
  if (narrow_dense(out[0], in[0])) return;
  elementwise<1>(out[0], in, cast_loop(in[0].dtype(), out[0].dtype()));
}

OpLoop loop_of_cast(DType from, const void* params) {
  return {params ? cast_loop(from, static_cast<const CastParams*>(params)->dtype) : nullptr, {}};
}
const LoopRegistrar cast_loops[] = {{cast_op, loop_of_cast}, {cast_to_integer_op, loop_of_cast}};

STRATA_KERNEL(copy_op, CPU, copy_cpu<NoParams>);
STRATA_KERNEL(fill_op, CPU, fill_cpu);
STRATA_KERNEL(transfer_op, CPU, copy_cpu<TransferParams>);
STRATA_KERNEL(cast_op, CPU, cast_cpu);
STRATA_KERNEL(cast_to_integer_op, CPU, cast_cpu);

}  // namespace
}  // namespace strata::cpu::shaping
