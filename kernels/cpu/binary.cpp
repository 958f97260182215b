// CPU kernels of the ops of two operands.
#include <cmath>
#include <cstring>

#include "core/error.h"
#include "dispatcher/kernel.h"
#include "kernels/cpu/elementwise.h"
#include "kernels/cpu/plain_loop.h"
#include "kernels/cpu/vec_binary.h"
#include "kernels/cpu/vec_unary.h"
#include "ops/binary_def.h"

namespace strata::cpu {
namespace {

template <class T>
constexpr bool is_negative(T x) {
  if constexpr (std::is_signed_v<T>)
    return x < 0;
  else
    return false;
}
[[noreturn, gnu::cold]] void fail_zero(const char* op) { STRATA_THROW("{}: integer division by zero", op); }
[[noreturn, gnu::cold]] void fail_power() { STRATA_THROW("pow: integers to negative integer powers are not allowed"); }

struct Add {
  template <class T>
  static T run(T x, T y) {
    return static_cast<T>(static_cast<Wrapping<T>>(x) + static_cast<Wrapping<T>>(y));
  }
};
struct Sub {
  template <class T>
  static T run(T x, T y) {
    return static_cast<T>(static_cast<Wrapping<T>>(x) - static_cast<Wrapping<T>>(y));
  }
};
struct Mul {
  template <class T>
  static T run(T x, T y) {
    return static_cast<T>(static_cast<Wrapping<T>>(x) * static_cast<Wrapping<T>>(y));
  }
};
struct Maximum {
  template <class T>
  static T run(T x, T y) {
    return x > y ? x : y;
  }
};
struct Minimum {
  template <class T>
  static T run(T x, T y) {
    return x < y ? x : y;
  }
};
/// Rounds towards zero; the lowest integer over -1 wraps.
struct DivTrunc {
  static constexpr const char* kName = "div";
  template <class T>
  static T run(T x, T y) {
    if constexpr (std::is_floating_point_v<T>)
      return std::trunc(x / y);
    else {
      if (y == 0) [[unlikely]]
        fail_zero(kName);
      if (is_negative(y) && y == static_cast<T>(-1)) return Sub::run(T(0), x);
      return static_cast<T>(x / y);
    }
  }
};
/// The sign of the dividend.
struct Fmod {
  template <class T>
  static T run(T x, T y) {
    if constexpr (std::is_floating_point_v<T>)
      return std::fmod(x, y);
    else {
      if (y == 0) [[unlikely]]
        fail_zero("fmod");
      if (is_negative(y) && y == static_cast<T>(-1)) return 0;
      return static_cast<T>(x % y);
    }
  }
};
/// The sign of the divisor.
struct Remainder {
  template <class T>
  static T run(T x, T y) {
    if constexpr (!std::is_floating_point_v<T>) {
      if (y == 0) [[unlikely]]
        fail_zero("remainder");
    }
    const T r = Fmod::run(x, y);
    return r != 0 && (r < 0) != (y < 0) ? static_cast<T>(r + y) : r;
  }
};
struct FloorDivide {
  template <class T>
  static T run(T x, T y) {
    if constexpr (std::is_floating_point_v<T>)
      return of_floats(x, y);
    else {
      if (y == 0) [[unlikely]]
        fail_zero("floor_divide");
      const T q = DivTrunc::run(x, y);
      return Fmod::run(x, y) != 0 && is_negative(x) != is_negative(y) ? static_cast<T>(q - 1) : q;
    }
  }
  /// As Python and PyTorch do it: exact where x / y rounded up to an integer that is too large.
  template <class T>
  static T of_floats(T x, T y) {
    if (y == 0) return x / y;
    const T mod = std::fmod(x, y);
    T quotient = (x - mod) / y;
    if (mod != 0 && (y < 0) != (mod < 0)) quotient -= 1;
    if (quotient == 0) return std::copysign(T(0), x / y);
    const T floored = std::floor(quotient);
    return quotient - floored > T(0.5) ? floored + 1 : floored;
  }
};
struct PowInteger {
  template <class T, class E>
  static T run(T x, E y) {
    if (is_negative(y)) {
      if (x == T(1)) return 1;
      if (is_negative(x) && x == static_cast<T>(-1)) return y % 2 ? x : T(1);
      fail_power();
    }
    T result = 1;
    for (; y; y = static_cast<E>(y / 2), x = Mul::run(x, x)) {
      if (y % 2) result = Mul::run(result, x);
    }
    return result;
  }
};

struct Test {
  static constexpr bool kBool = true;
};
struct Eq : Test {
  template <class T>
  static bool run(T x, T y) {
    return x == y;
  }
};
struct Ne : Test {
  template <class T>
  static bool run(T x, T y) {
    return x != y;
  }
};
struct Lt : Test {
  template <class T>
  static bool run(T x, T y) {
    return x < y;
  }
};
struct Le : Test {
  template <class T>
  static bool run(T x, T y) {
    return x <= y;
  }
};
struct Gt : Test {
  template <class T>
  static bool run(T x, T y) {
    return x > y;
  }
};
struct Ge : Test {
  template <class T>
  static bool run(T x, T y) {
    return x >= y;
  }
};
struct LogicalAnd : Test {
  template <class T>
  static bool run(T x, T y) {
    return (x != 0) & (y != 0);
  }
};
struct LogicalOr : Test {
  template <class T>
  static bool run(T x, T y) {
    return (x != 0) | (y != 0);
  }
};
struct LogicalXor : Test {
  template <class T>
  static bool run(T x, T y) {
    return (x != 0) != (y != 0);
  }
};
struct BitwiseAnd {
  template <class T>
  static T run(T x, T y) {
    return static_cast<T>(x & y);
  }
};
struct BitwiseOr {
  template <class T>
  static T run(T x, T y) {
    return static_cast<T>(x | y);
  }
};
struct BitwiseXor {
  template <class T>
  static T run(T x, T y) {
    return static_cast<T>(x ^ y);
  }
};
/// Shifts by a negative count, or by all bits or more, push everything out.
template <class T>
constexpr bool pushes_all_out(T count) {
  return is_negative(count) || static_cast<uint64_t>(count) >= sizeof(T) * 8;
}
struct ShiftLeft {
  template <class T>
  static T run(T x, T count) {
    return pushes_all_out(count) ? T(0) : static_cast<T>(static_cast<Wrapping<T>>(x) << count);
  }
};
struct ShiftRight {
  template <class T>
  static T run(T x, T count) {
    return static_cast<T>(x >> (pushes_all_out(count) ? static_cast<T>(sizeof(T) * 8 - 1) : count)) *
           static_cast<T>(!std::is_unsigned_v<T> || !pushes_all_out(count));
  }
};

template <class Integer, bool kWithBool>
void add_plain(DTypeLoops& t) {
  add_integer_loops<Integer, 2>(t);
  if constexpr (kWithBool) add_bool_loop<Integer, 2>(t);
}

/// Vector loops for floats, plain ones for integers and, where `kWithBool`, for bool.
template <const Op& op, VecBinary f, class Integer, bool kWithBool = true>
void binary(Tensors& out, Args in, const NoParams&) {
  static const DTypeLoops loops = [] {
    DTypeLoops t(vec_binary(f));
    add_plain<Integer, kWithBool>(t);
    return t;
  }();
  elementwise<2>(op, out[0], in, loops);
}

/// Vector loops for floats only.
template <const Op& op, VecBinary f>
void float_binary(Tensors& out, Args in, const NoParams&) {
  static const DTypeLoops loops(vec_binary(f));
  elementwise<2>(op, out[0], in, loops);
}

/// Plain loops for floats and integers.
template <const Op& op, class F>
void plain_binary(Tensors& out, Args in, const NoParams&) {
  static const DTypeLoops loops = [] {
    DTypeLoops t(plain_float_loops<F, 2>());
    add_plain<F, false>(t);
    return t;
  }();
  elementwise<2>(op, out[0], in, loops);
}

/// Plain loops for integers and, where `kWithBool`, bool.
template <const Op& op, class F, bool kWithBool>
void integer_binary(Tensors& out, Args in, const NoParams&) {
  static const DTypeLoops loops = [] {
    DTypeLoops t;
    add_plain<F, kWithBool>(t);
    return t;
  }();
  elementwise<2>(op, out[0], in, loops);
}

/// The unary function that x^e is for a few exponents, exact in all of them.
const VecUnary* power_shortcut(double e) {
  static constexpr VecUnary kSquareFn = VecUnary::kSquare, kSqrtFn = VecUnary::kSqrt,
                            kReciprocalFn = VecUnary::kReciprocal;
  if (e == 2) return &kSquareFn;
  if (e == 0.5) return &kSqrtFn;
  if (e == -1) return &kReciprocalFn;
  return nullptr;
}

template <class T>
void integer_power_loop(const LoopArgs& a) {
  const T* x = static_cast<const T*>(a.in[0]);
  int64_t exponent = 0;
  std::memcpy(&exponent, a.params, sizeof(exponent));
  for (int64_t i = 0; i < a.n; ++i) static_cast<T*>(a.out)[i] = PowInteger::run(x[i * a.step[0]], exponent);
}

/// The exponent of an integer power travels as its bits.
void integer_power(const Tensor& out, Args in, int64_t exponent) {
  const Loop loop = visit_dtype(in[0].dtype(), []<class T>() -> Loop {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
      return &integer_power_loop<T>;
    else
      return nullptr;
  });
  if (!loop) fail_no_loop(pow_scalar_op, in[0].dtype());
  double bits = 0;
  std::memcpy(&bits, &exponent, sizeof(bits));
  elementwise<1>(out, in, loop, &bits);
}

void pow_scalar(Tensors& out, Args in, const PowParams& p) {
  if (!is_floating_point(in[0].dtype())) return integer_power(out[0], in, p.exponent.toLong());
  const double e = p.exponent.toDouble();
  const VecUnary* shortcut = power_shortcut(e);
  elementwise<1>(pow_scalar_op, out[0], in, DTypeLoops(shortcut ? vec_unary(*shortcut) : vec_param(VecParam::kPow)),
                 &e);
}

using enum VecBinary;
STRATA_KERNEL(add_op, CPU, (binary<add_op, kAdd, Add>));
STRATA_KERNEL(sub_op, CPU, (binary<sub_op, kSub, Sub, false>));
STRATA_KERNEL(mul_op, CPU, (binary<mul_op, kMul, Mul>));
STRATA_KERNEL(div_op, CPU, (float_binary<div_op, kDiv>));
STRATA_KERNEL(pow_op, CPU, (binary<pow_op, kPow, PowInteger, false>));
STRATA_KERNEL(pow_scalar_op, CPU, pow_scalar);
STRATA_KERNEL(fmod_op, CPU, (plain_binary<fmod_op, Fmod>));
STRATA_KERNEL(remainder_op, CPU, (plain_binary<remainder_op, Remainder>));
STRATA_KERNEL(floor_divide_op, CPU, (plain_binary<floor_divide_op, FloorDivide>));
STRATA_KERNEL(div_trunc_op, CPU, (plain_binary<div_trunc_op, DivTrunc>));
STRATA_KERNEL(maximum_op, CPU, (binary<maximum_op, kMaximum, Maximum>));
STRATA_KERNEL(minimum_op, CPU, (binary<minimum_op, kMinimum, Minimum>));
STRATA_KERNEL(atan2_op, CPU, (float_binary<atan2_op, kAtan2>));
STRATA_KERNEL(eq_op, CPU, (binary<eq_op, kEq, Eq>));
STRATA_KERNEL(ne_op, CPU, (binary<ne_op, kNe, Ne>));
STRATA_KERNEL(lt_op, CPU, (binary<lt_op, kLt, Lt>));
STRATA_KERNEL(le_op, CPU, (binary<le_op, kLe, Le>));
STRATA_KERNEL(gt_op, CPU, (binary<gt_op, kGt, Gt>));
STRATA_KERNEL(ge_op, CPU, (binary<ge_op, kGe, Ge>));
STRATA_KERNEL(logical_and_op, CPU, (binary<logical_and_op, kLogicalAnd, LogicalAnd>));
STRATA_KERNEL(logical_or_op, CPU, (binary<logical_or_op, kLogicalOr, LogicalOr>));
STRATA_KERNEL(logical_xor_op, CPU, (binary<logical_xor_op, kLogicalXor, LogicalXor>));
STRATA_KERNEL(bitwise_and_op, CPU, (integer_binary<bitwise_and_op, BitwiseAnd, true>));
STRATA_KERNEL(bitwise_or_op, CPU, (integer_binary<bitwise_or_op, BitwiseOr, true>));
STRATA_KERNEL(bitwise_xor_op, CPU, (integer_binary<bitwise_xor_op, BitwiseXor, true>));
STRATA_KERNEL(shift_left_op, CPU, (integer_binary<shift_left_op, ShiftLeft, false>));
STRATA_KERNEL(shift_right_op, CPU, (integer_binary<shift_right_op, ShiftRight, false>));

}  // namespace
}  // namespace strata::cpu
