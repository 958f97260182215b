// The ops of two operands: rules, promotion, broadcasting and the public functions.
#include "ops/binary.h"

#include <limits>
#include <string>

#include "core/called.h"
#include "dispatcher/undefined.h"
#include "ops/binary_def.h"
#include "ops/cast.h"
#include "ops/complex.h"
#include "ops/creation.h"
#include "ops/in_place.h"
#include "ops/out.h"
#include "ops/overwrite.h"
#include "ops/promote.h"
#include "ops/rules.h"
#include "ops/run_broadcast.h"
#include "ops/ternary.h"
#include "ops/ternary_def.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata {
namespace {

Tensor zero_where(const Tensor& condition, const Tensor& x) { return where(condition, 0, x); }

/// What maximum (`ahead` = gt) and minimum (lt) pass on of `t` to the operand `mine`: all, half where both are equal,
/// nothing.
template <Tensor (*kBehind)(const Tensor&, const Tensor&)>
Tensor share(const Tensor& t, const Tensor& mine, const Tensor& other) {
  return zero_where(kBehind(mine, other), where(mine == other, t * 0.5, t));
}
template <Tensor (*kBehind)(const Tensor&, const Tensor&)>
constexpr auto extremum(const char* schema) {
  return pointwise(schema, one, one)
      .vjp([](const Vjp& c) {
        Tensors grads = Tensors::undefined(2);
        for (size_t i = 0; i < 2; ++i)
          if (c.needs(i)) grads[i] = share<kBehind>(c.grad(), c.in(i), c.in(1 - i));
        return grads;
      })
      .saves(saves_in(0, 1))
      .jvp([](const Jvp& c) {
        Tensor sum;
        for (size_t i = 0; i < 2; ++i)
          if (c.tangent(i).defined()) sum = rules::add_defined(sum, share<kBehind>(c.tangent(i), c.in(i), c.in(1 - i)));
        return Tensors(sum);
      })
      .dtypes(kRealTypes | kUnsignedStorageTypes);
}

/// d x^e / dx, 0 where e is 0 whatever x.
Tensor power_slope(const Tensor& x, const Tensor& e) { return zero_where(e == 0, e * pow(x, e - 1)); }
/// d x^e / de = x^e log(x), 0 at x = 0 for real e >= 0.
Tensor power_growth(const Primals& c) {
  const Tensor& e = c.in(1);
  Tensor flat = logical_and(c.in(0) == 0, real(e) >= 0);
  if (is_complex(e)) flat = logical_and(flat, imag(e) == 0);
  return zero_where(flat, c.out() * log(c.in(0)));
}

/// part / (a^2 + b^2), 0 where both are.
Tensor angle_slope(const Tensor& part, const Primals& c) {
  const Tensor length = square(c.in(0)) + square(c.in(1));
  return part / where(length == 0, 1, length);
}

}  // namespace

STRATA_OP(add_op) = pointwise("add(Tensor a, Tensor b) -> Tensor", one, one).dtypes(kAllTypes);
STRATA_OP(sub_op) = pointwise("sub(Tensor a, Tensor b) -> Tensor", one, minus_one).dtypes(kNumberTypes);
STRATA_OP(mul_op) = pointwise(
                        "mul(Tensor a, Tensor b) -> Tensor", [](const Primals& c) { return c.in(1); },
                        [](const Primals& c) { return c.in(0); })
                        .saves_for(0, saves_in(1))
                        .saves_for(1, saves_in(0))
                        .dtypes(kStoredTypes);
STRATA_OP(div_op) = pointwise(
                        "div(Tensor a, Tensor b) -> Tensor", [](const Primals& c) { return reciprocal(c.in(1)); },
                        [](const Primals& c) { return -((c.in(0) / c.in(1)) / c.in(1)); })
                        .vjp([](const Vjp& c) {
                          // The quotient is divided again, as in PyTorch: 0 over little stays 0 beside an infinite 1 /
                          // b.
                          const auto by_divisor = [&] { return -(c.grad() * conj((c.in(0) / c.in(1)) / c.in(1))); };
                          return Tensors(c.needs(0) ? c.grad() / conj(c.in(1)) : Tensor(),
                                         c.needs(1) ? by_divisor() : Tensor());
                        })
                        .jvp([](const Jvp& c) -> Tensors {
                          // One quotient, as in PyTorch: of two by 0 one is taken from the other.
                          if (!c.tangent(1).defined()) return c.tangent(0) / c.in(1);
                          const Tensor moved = -(c.tangent(1) * c.out());
                          return rules::add_defined(c.tangent(0), moved) / c.in(1);
                        })
                        .saves_for(0, saves_in(1))
                        .saves_for(1, saves_in(0, 1))
                        .dtypes(kFloatingTypes | kComplexTypes);
STRATA_OP(pow_op) = pointwise(
                        "pow(Tensor a, Tensor b) -> Tensor",
                        [](const Primals& c) { return power_slope(c.in(0), c.in(1)); },
                        [](const Primals& c) { return power_growth(c); })
                        .vjp([](const Vjp& c) {
                          // To a power of 0 nothing goes back, not even of an infinite gradient, as in PyTorch.
                          const auto to_base = [&] {
                            const Tensor& e = c.in(1);
                            return zero_where(e == 0, c.grad() * conj(e * pow(c.in(0), e - 1)));
                          };
                          return Tensors(c.needs(0) ? to_base() : Tensor(),
                                         c.needs(1) ? c.grad() * conj(power_growth(c)) : Tensor());
                        })
                        .saves_for(0, saves_in(0, 1))
                        .saves_for(1, saves_in(0, 1) | saves_out(0))
                        .autocast(AutocastPolicy::kFloat32)
                        .dtypes(kNumberTypes);
STRATA_OP(fmod_op) = pointwise("fmod(Tensor a, Tensor b) -> Tensor", one,
                               [](const Primals& c) { return -div(c.in(0), c.in(1), "trunc"); })
                         .saves_for(1, saves_in(0, 1))
                         .dtypes(kRealNumberTypes);
STRATA_OP(remainder_op) = pointwise("remainder(Tensor a, Tensor b) -> Tensor", one,
                                    [](const Primals& c) { return -floor_divide(c.in(0), c.in(1)); })
                              .saves_for(1, saves_in(0, 1))
                              .dtypes(kRealNumberTypes);
STRATA_OP(floor_divide_op) =
    pointwise("floor_divide(Tensor a, Tensor b) -> Tensor", zero, zero).dtypes(kRealNumberTypes);
STRATA_OP(div_trunc_op) = pointwise("div_trunc(Tensor a, Tensor b) -> Tensor", zero, zero).dtypes(kRealNumberTypes);
STRATA_OP(maximum_op) = extremum<&lt>("maximum(Tensor a, Tensor b) -> Tensor");
STRATA_OP(minimum_op) = extremum<&gt>("minimum(Tensor a, Tensor b) -> Tensor");
STRATA_OP(atan2_op) = pointwise(
                          "atan2(Tensor a, Tensor b) -> Tensor",
                          [](const Primals& c) { return angle_slope(c.in(1), c); },
                          [](const Primals& c) { return angle_slope(-c.in(0), c); })
                          .saves(saves_in(0, 1))
                          .autocast(AutocastPolicy::kWidest)
                          .dtypes(kFloatingTypes);

STRATA_OP(logaddexp_op) = pointwise(
                              "logaddexp(Tensor a, Tensor b) -> Tensor",
                              [](const Primals& c) { return sigmoid(c.in(0) - c.in(1)); },
                              [](const Primals& c) { return sigmoid(c.in(1) - c.in(0)); })
                              .saves_for(0, saves_in(0, 1))
                              .saves_for(1, saves_in(0, 1))
                              .decompose([](Args in) {
                                const Tensor &a = in[0], &b = in[1], apart = where(a == b, 0, a - b);
                                return Tensors(where(a < b, b, a) + log1p(exp(-abs(apart))));
                              })
                              .dtypes(kFloatingTypes);

STRATA_OP(eq_op) = pointwise_constant<NoParams, kBool>("eq(Tensor a, Tensor b) -> Tensor").dtypes(kStoredTypes);
STRATA_OP(ne_op) = pointwise_constant<NoParams, kBool>("ne(Tensor a, Tensor b) -> Tensor").dtypes(kStoredTypes);
STRATA_OP(lt_op) = pointwise_constant<NoParams, kBool>("lt(Tensor a, Tensor b) -> Tensor");
STRATA_OP(le_op) = pointwise_constant<NoParams, kBool>("le(Tensor a, Tensor b) -> Tensor");
STRATA_OP(gt_op) = pointwise_constant<NoParams, kBool>("gt(Tensor a, Tensor b) -> Tensor");
STRATA_OP(ge_op) = pointwise_constant<NoParams, kBool>("ge(Tensor a, Tensor b) -> Tensor");
STRATA_OP(logical_and_op) =
    pointwise_constant<NoParams, kBool>("logical_and(Tensor a, Tensor b) -> Tensor").dtypes(kAllTypes);
STRATA_OP(logical_or_op) =
    pointwise_constant<NoParams, kBool>("logical_or(Tensor a, Tensor b) -> Tensor").dtypes(kAllTypes);
STRATA_OP(logical_xor_op) =
    pointwise_constant<NoParams, kBool>("logical_xor(Tensor a, Tensor b) -> Tensor").dtypes(kAllTypes);
STRATA_OP(bitwise_and_op) =
    pointwise_constant("bitwise_and(Tensor a, Tensor b) -> Tensor").dtypes(kIntegralTypes | kUnsignedStorageTypes);
STRATA_OP(bitwise_or_op) =
    pointwise_constant("bitwise_or(Tensor a, Tensor b) -> Tensor").dtypes(kIntegralTypes | kUnsignedStorageTypes);
STRATA_OP(bitwise_xor_op) =
    pointwise_constant("bitwise_xor(Tensor a, Tensor b) -> Tensor").dtypes(kIntegralTypes | kUnsignedStorageTypes);
STRATA_OP(shift_left_op) = pointwise_constant("bitwise_left_shift(Tensor a, Tensor b) -> Tensor").dtypes(kIntegerTypes);
STRATA_OP(shift_right_op) =
    pointwise_constant("bitwise_right_shift(Tensor a, Tensor b) -> Tensor").dtypes(kIntegerTypes);

namespace {

/// What an op computes in, given the promoted dtype of its operands.
enum class Computes : uint8_t { kPromoted, kFloating };

DType computed_in(Computes rule, DType promoted) {
  return rule == Computes::kFloating ? float_type(promoted) : promoted;
}

bool has_16_bits(const Tensor& a) { return a.dtype() == kHalf || a.dtype() == kBFloat16; }
/// Is a product or quotient with this number one of a 16-bit dtype, for which the number must not be rounded?
bool keeps_number(const Tensor& a, const Scalar& number) { return has_16_bits(a) && !number.is_complex(); }
/// The number may be a tensor without dims. As in libtorch one that stands first is rounded.
bool keeps_number(const Op& op, const Tensor& a, const Tensor& b) {
  return (&op == &mul_op || &op == &div_op) && has_16_bits(a) && a.dim() > 0 && b.dim() == 0 &&
         a.dtype() != b.dtype() && !b.is_complex();
}

[[gnu::noinline]] Tensor run_mixed(const Op& op, const Tensor& a, const Tensor& b, Computes rule) {
  const std::string name(op.name());
  if (keeps_number(op, a, b))
    return cast(detail::run_broadcast(op, name.c_str(), cast(a, kFloat), b, kFloat), a.dtype());
  return detail::run_broadcast(op, name.c_str(), a, b, computed_in(rule, result_type(a, b)));
}

inline Tensor run(const Op& op, const Tensor& a, const Tensor& b, Computes rule = Computes::kPromoted) {
  dispatch::check_defined(op, a, b);
  if (detail::alike(a, b) && (rule == Computes::kPromoted || is_differentiable(a.dtype()))) [[likely]]
    return call1(op, {&a, &b});
  return run_mixed(op, a, b, rule);
}
/// The number becomes a constant of the result's dtype.
inline Tensor run(const Op& op, const Tensor& a, const Scalar& b, Computes rule = Computes::kPromoted) {
  const DType t = is_floating_point(a.dtype()) && !b.is_complex() ? a.dtype() : computed_in(rule, result_type(a, b));
  const Tensor y = constant(b, t, a.device(), a.sizes());
  if (a.dtype() == t) [[likely]]
    return call1(op, {&a, &y});
  const Tensor x = cast(a, t);
  return call1(op, {&x, &y});
}
inline Tensor run(const Op& op, const Scalar& a, const Tensor& b, Computes rule = Computes::kPromoted) {
  const DType t = is_floating_point(b.dtype()) && !a.is_complex() ? b.dtype() : computed_in(rule, result_type(a, b));
  const Tensor x = constant(a, t, b.device(), b.sizes()), y = cast(b, t);
  return call1(op, {&x, &y});
}

void check_stores(const Op& op, const Tensor& self, DType result) {
  STRATA_CHECK(can_cast(result, self.dtype()), "{}_: result type {} can't be cast to the desired output type {}",
               op.name(), name(result), name(self.dtype()));
}

[[gnu::noinline]] Tensor& run_mixed_(const Op& op, Tensor& self, const Tensor& b, Computes rule) {
  const std::string name(op.name());
  const DType t = computed_in(rule, result_type(self, b));
  check_stores(op, self, t);
  const DimVector sizes = broadcast_shapes(self.sizes(), b.sizes(), name.c_str());
  STRATA_CHECK(self.sizes() == IntArrayRef(sizes),
               "{}_: the result has shape {}, which does not fit the tensor's own {}", name, IntArrayRef(sizes),
               self.sizes());
  if (t != self.dtype() || keeps_number(op, self, b))
    return detail::overwrite(self, (name + "_").c_str(), [&] { return run(op, self, b, rule); });
  const Tensor y = detail::prepare(b, t, self.device(), sizes, name.c_str());
  call_inplace(op, self, {&self, &y});
  return self;
}

inline Tensor& run_(const Op& op, Tensor& self, const Tensor& b, Computes rule = Computes::kPromoted) {
  if (!detail::alike(self, b) || (rule == Computes::kFloating && !is_differentiable(self.dtype())))
    return run_mixed_(op, self, b, rule);
  call_inplace(op, self, {&self, &b});
  return self;
}
inline Tensor& run_(const Op& op, Tensor& self, const Scalar& b, Computes rule = Computes::kPromoted) {
  check_stores(op, self, computed_in(rule, result_type(self, b)));
  const Tensor y = constant(b, self.dtype(), self.device(), self.sizes());
  call_inplace(op, self, {&self, &y});
  return self;
}
/// The method named `method`, or like the op, with an underscore.
template <class Name, class B>
inline Tensor& run_as_(const Name& method, const Op& op, Tensor& self, const B& b,
                       Computes rule = Computes::kPromoted) {
  return detail::in_place(method, [&]() -> Tensor& { return run_(op, self, b, rule); });
}
template <class B>
inline Tensor& run_method_(const Op& op, Tensor& self, const B& b, Computes rule = Computes::kPromoted) {
  return run_as_(op, op, self, b, rule);
}

/// Where the result is written into an operand, that keeps its shape, as in libtorch.
void check_keeps_shape(const char* name, const Tensor& out, const Tensor& a, const Tensor& b, IntArrayRef sizes) {
  STRATA_CHECK(out.sizes() == sizes || !(out.is_same(a) || out.is_same(b)),
               "{}_out: the result has shape {}, and the operand that it is written into {}", name, sizes, out.sizes());
}

[[gnu::noinline]] Tensor& run_out(const Op& op, Tensor& out, const Tensor& a, const Tensor& b,
                                  Computes rule = Computes::kPromoted) {
  const std::string name(op.name());
  const DType t = computed_in(rule, result_type(a, b));
  const DimVector sizes = broadcast_shapes(a.sizes(), b.sizes(), name.c_str());
  check_keeps_shape(name.c_str(), out, a, b, sizes);
  if (t != out.dtype() || out.sizes() != IntArrayRef(sizes) || keeps_number(op, a, b))
    return detail::write_out((name + "_out").c_str(), out, run(op, a, b, rule));
  const Tensor x = detail::prepare(a, t, out.device(), sizes, name.c_str()),
               y = detail::prepare(b, t, out.device(), sizes, name.c_str());
  return detail::call_out(op, out, {&x, &y});
}

[[gnu::noinline]] bool is_real_one(const Scalar& s) { return s == Scalar(1.0); }
bool is_one(const Scalar& s) { return s.type() == kLong ? s.toLong() == 1 : is_real_one(s); }

/// `alpha` may not bring a category that the operands lack, but bools take integers.
template <class B>
void check_alpha(const char* op, const Tensor& a, const B& b, const Scalar& alpha) {
  const DType t = result_type(a, b);
  STRATA_CHECK(category(alpha.type()) <= std::max(category(t), 1), "{}: alpha is {}, but the operands are {}", op,
               name(alpha.type()), name(t));
  alpha.check_fits(op, t);
}
/// alpha * b in the dtype that a and b promote to.
Tensor scaled(const char* op, const Tensor& a, const Tensor& b, const Scalar& alpha) {
  check_alpha(op, a, b, alpha);
  const DType t = result_type(a, b);
  return mul(cast(b, t), t == kBool ? Scalar(alpha.toBool()) : alpha);
}
/// a + alpha * b into `out`, or their difference.
Tensor& run_scaled_out(const Op& op, Tensor& out, const Tensor& a, const Tensor& b, const Scalar& alpha) {
  if (is_one(alpha)) return run_out(op, out, a, b);
  const std::string name(op.name());
  check_keeps_shape(name.c_str(), out, a, b, broadcast_shapes(a.sizes(), b.sizes(), name.c_str()));
  return run_out(op, out, a, scaled((name + "_out").c_str(), a, b, alpha));
}
Scalar scaled(const char* op, const Tensor& a, const Scalar& b, const Scalar& alpha) {
  check_alpha(op, a, b, alpha);
  if (result_type(a, b) == kBool) return b.toBool() && alpha.toBool();
  if (b.is_complex() || alpha.is_complex()) return b.toComplexDouble() * alpha.toComplexDouble();
  if (b.is_floating_point() || alpha.is_floating_point()) return b.toDouble() * alpha.toDouble();
  return static_cast<int64_t>(static_cast<uint64_t>(b.toLong()) * static_cast<uint64_t>(alpha.toLong()));
}

void check_subtracts(const Tensor& a, DType b) {
  STRATA_CHECK_AS(NotImplementedError, a.dtype() != kBool && b != kBool,
                  "sub: not implemented for bool; use logical_xor, or logical_not to invert a mask");
}

/// x + alpha * b in one pass for floats that are alike: through addcmul with ones.
bool one_pass(const Tensor& a, const Tensor& b) { return is_floating_point(a.dtype()) && detail::alike(a, b); }
Tensor& add_scaled_(Tensor& self, const Tensor& b, double alpha) {
  Scalar(alpha).check_fits("add_", self.dtype());
  const Tensor ones = constant(1, b.dtype(), b.device(), b.sizes());
  call_inplace(addcmul_op, self, {&self, &b, &ones}, AddcParams{alpha});
  return self;
}

}  // namespace

// --- arithmetic ------------------------------------------------------------------------------------------------------

Tensor add(const Tensor& a, const Tensor& b, const Scalar& alpha) {
  return is_one(alpha) ? run(add_op, a, b) : run(add_op, a, scaled("add", a, b, alpha));
}
Tensor add(const Tensor& a, const Scalar& b, const Scalar& alpha) {
  return is_one(alpha) ? run(add_op, a, b) : run(add_op, a, scaled("add", a, b, alpha));
}
Tensor add(const Scalar& a, const Tensor& b) { return run(add_op, a, b); }
Tensor sub(const Tensor& a, const Tensor& b, const Scalar& alpha) {
  check_subtracts(a, b.dtype());
  return is_one(alpha) ? run(sub_op, a, b) : run(sub_op, a, scaled("sub", a, b, alpha));
}
Tensor sub(const Tensor& a, const Scalar& b, const Scalar& alpha) {
  check_subtracts(a, b.type());
  return is_one(alpha) ? run(sub_op, a, b) : run(sub_op, a, scaled("sub", a, b, alpha));
}
Tensor sub(const Scalar& a, const Tensor& b) {
  check_subtracts(b, a.type());
  return run(sub_op, a, b);
}
Tensor rsub(const Tensor& a, const Tensor& b, const Scalar& alpha) {
  const Called called;
  return sub(b, a, alpha);
}
Tensor rsub(const Tensor& a, const Scalar& b, const Scalar& alpha) {
  const Called called;
  check_alpha("rsub", a, b, alpha);
  check_subtracts(a, b.type());
  return is_one(alpha) ? sub(b, a) : sub(b, mul(cast(a, result_type(a, b)), alpha));
}
Tensor mul(const Tensor& a, const Tensor& b) { return run(mul_op, a, b); }
Tensor mul(const Tensor& a, const Scalar& b) {
  return keeps_number(a, b) ? call1(mul_scalar_op, {&a}, NumberParams{b.toDouble()}) : run(mul_op, a, b);
}
Tensor mul(const Scalar& a, const Tensor& b) { return mul(b, a); }
Tensor div(const Tensor& a, const Tensor& b) { return run(div_op, a, b, Computes::kFloating); }
Tensor div(const Tensor& a, const Scalar& b) {
  if (keeps_number(a, b)) return call1(div_scalar_op, {&a}, NumberParams{b.toDouble()});
  return run(div_op, a, b, Computes::kFloating);
}
Tensor div(const Scalar& a, const Tensor& b) { return run(div_op, a, b, Computes::kFloating); }

namespace {
template <class B>
Tensor div_rounded(const Tensor& a, const B& b, std::optional<std::string_view> mode) {
  if (!mode) return div(a, b);
  STRATA_CHECK(*mode == "trunc" || *mode == "floor", "div: rounding_mode must be \"trunc\" or \"floor\", got \"{}\"",
               *mode);
  return run(*mode == "floor" ? floor_divide_op : div_trunc_op, a, b);
}
}  // namespace
Tensor div(const Tensor& a, const Tensor& b, std::optional<std::string_view> rounding_mode) {
  return div_rounded(a, b, rounding_mode);
}
Tensor div(const Tensor& a, const Scalar& b, std::optional<std::string_view> rounding_mode) {
  return div_rounded(a, b, rounding_mode);
}

Tensor pow(const Tensor& a, const Tensor& b) { return run(pow_op, a, b); }
Tensor pow(const Scalar& a, const Tensor& b) { return run(pow_op, a, b).contiguous(); }
Tensor fmod(const Tensor& a, const Tensor& b) { return run(fmod_op, a, b); }
Tensor fmod(const Tensor& a, const Scalar& b) { return run(fmod_op, a, b); }
Tensor remainder(const Tensor& a, const Tensor& b) { return run(remainder_op, a, b); }
Tensor remainder(const Tensor& a, const Scalar& b) { return run(remainder_op, a, b); }
Tensor remainder(const Scalar& a, const Tensor& b) { return run(remainder_op, a, b); }
Tensor floor_divide(const Tensor& a, const Tensor& b) { return run(floor_divide_op, a, b); }
Tensor floor_divide(const Tensor& a, const Scalar& b) { return run(floor_divide_op, a, b); }
Tensor maximum(const Tensor& a, const Tensor& b) { return run(maximum_op, a, b); }
Tensor minimum(const Tensor& a, const Tensor& b) { return run(minimum_op, a, b); }
Tensor max(const Tensor& a, const Tensor& b) { return maximum(a, b); }
Tensor min(const Tensor& a, const Tensor& b) { return minimum(a, b); }
Tensor fmax(const Tensor& a, const Tensor& b) { return run(fmax_op, a, b); }
Tensor fmin(const Tensor& a, const Tensor& b) { return run(fmin_op, a, b); }
Tensor atan2(const Tensor& a, const Tensor& b) { return run(atan2_op, a, b, Computes::kFloating); }
Tensor hypot(const Tensor& a, const Tensor& b) { return run(hypot_op, a, b, Computes::kFloating); }
Tensor xlogy(const Tensor& a, const Tensor& b) { return run(xlogy_op, a, b, Computes::kFloating); }
Tensor xlogy(const Tensor& a, const Scalar& b) {
  const DType t = float_type(result_type(a, b));
  return xlogy(cast(a, t), constant(b, t, a.device(), {}));
}
Tensor xlogy(const Scalar& a, const Tensor& b) {
  const DType t = float_type(result_type(a, b));
  return xlogy(constant(a, t, b.device(), {}), cast(b, t));
}
namespace {
Tensor logaddexp_of_complex(const Tensor& x, const Tensor& y) {
  const Tensor is_behind = real(x) < real(y), top = where(is_behind, y, x), low = where(is_behind, x, y);
  const Tensor is_alone = isinf(real(top));
  return where(is_alone, where(real(top) < 0, low, top), top + log1p(exp(where(is_alone, 0, low - top))));
}
}  // namespace
Tensor logaddexp(const Tensor& a, const Tensor& b) {
  const DType t = result_type(a, b);
  STRATA_CHECK(is_differentiable(t), "logaddexp: expected floating point or complex tensors, got {} and {}",
               name(a.dtype()), name(b.dtype()));
  return is_complex(t) ? logaddexp_of_complex(cast(a, t), cast(b, t)) : run(logaddexp_op, a, b);
}

// --- comparisons, logic and bits -------------------------------------------------------------------------------------

#define STRATA_BINARY(f, op)                                           \
  Tensor f(const Tensor& a, const Tensor& b) { return run(op, a, b); } \
  Tensor f(const Tensor& a, const Scalar& b) { return run(op, a, b); }
#define STRATA_COMPARISON(f)                                                      \
  STRATA_BINARY(f, f##_op)                                                        \
  Tensor Tensor::f(const Tensor& other) const { return strata::f(*this, other); } \
  Tensor Tensor::f(const Scalar& other) const { return strata::f(*this, other); }
STRATA_COMPARISON(eq)
STRATA_COMPARISON(ne)
STRATA_COMPARISON(lt)
STRATA_COMPARISON(le)
STRATA_COMPARISON(gt)
STRATA_COMPARISON(ge)
#define STRATA_BITWISE(f, op) \
  STRATA_BINARY(f, op)        \
  Tensor f(const Scalar& a, const Tensor& b) { return run(op, a, b); }
STRATA_BITWISE(bitwise_and, bitwise_and_op)
STRATA_BITWISE(bitwise_or, bitwise_or_op)
STRATA_BITWISE(bitwise_xor, bitwise_xor_op)
STRATA_BITWISE(bitwise_left_shift, shift_left_op)
STRATA_BITWISE(bitwise_right_shift, shift_right_op)
#undef STRATA_BITWISE
#undef STRATA_COMPARISON
#undef STRATA_BINARY

Tensor logical_and(const Tensor& a, const Tensor& b) { return run(logical_and_op, a, b); }
Tensor logical_or(const Tensor& a, const Tensor& b) { return run(logical_or_op, a, b); }
Tensor logical_xor(const Tensor& a, const Tensor& b) { return run(logical_xor_op, a, b); }
Tensor Tensor::logical_and(const Tensor& other) const { return strata::logical_and(*this, other); }
Tensor Tensor::logical_or(const Tensor& other) const { return strata::logical_or(*this, other); }
Tensor Tensor::logical_xor(const Tensor& other) const { return strata::logical_xor(*this, other); }
Tensor Tensor::bitwise_and(const Scalar& other) const { return strata::bitwise_and(*this, other); }
Tensor Tensor::bitwise_or(const Scalar& other) const { return strata::bitwise_or(*this, other); }
Tensor Tensor::bitwise_xor(const Scalar& other) const { return strata::bitwise_xor(*this, other); }
Tensor Tensor::bitwise_and(const Tensor& other) const { return strata::bitwise_and(*this, other); }
Tensor Tensor::bitwise_or(const Tensor& other) const { return strata::bitwise_or(*this, other); }
Tensor Tensor::bitwise_xor(const Tensor& other) const { return strata::bitwise_xor(*this, other); }

// --- out= ------------------------------------------------------------------------------------------------------------

Tensor& add_out(Tensor& out, const Tensor& a, const Tensor& b, const Scalar& alpha) {
  return run_scaled_out(add_op, out, a, b, alpha);
}
Tensor& sub_out(Tensor& out, const Tensor& a, const Tensor& b, const Scalar& alpha) {
  check_subtracts(a, b.dtype());
  return run_scaled_out(sub_op, out, a, b, alpha);
}
Tensor& mul_out(Tensor& out, const Tensor& a, const Tensor& b) { return run_out(mul_op, out, a, b); }
Tensor& div_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return run_out(div_op, out, a, b, Computes::kFloating);
}
Tensor& pow_out(Tensor& out, const Tensor& a, const Tensor& b) { return run_out(pow_op, out, a, b); }
Tensor& maximum_out(Tensor& out, const Tensor& a, const Tensor& b) { return run_out(maximum_op, out, a, b); }
Tensor& minimum_out(Tensor& out, const Tensor& a, const Tensor& b) { return run_out(minimum_op, out, a, b); }

// --- methods ---------------------------------------------------------------------------------------------------------

Tensor Tensor::add(const Tensor& other, const Scalar& alpha) const { return strata::add(*this, other, alpha); }
Tensor Tensor::add(const Scalar& other, const Scalar& alpha) const { return strata::add(*this, other, alpha); }
Tensor Tensor::sub(const Tensor& other, const Scalar& alpha) const { return strata::sub(*this, other, alpha); }
Tensor Tensor::sub(const Scalar& other, const Scalar& alpha) const { return strata::sub(*this, other, alpha); }
Tensor Tensor::mul(const Tensor& other) const { return strata::mul(*this, other); }
Tensor Tensor::mul(const Scalar& other) const { return strata::mul(*this, other); }
Tensor Tensor::div(const Tensor& other) const { return strata::div(*this, other); }
Tensor Tensor::div(const Scalar& other) const { return strata::div(*this, other); }
Tensor Tensor::div(const Tensor& other, std::optional<std::string_view> mode) const {
  return strata::div(*this, other, mode);
}
Tensor Tensor::pow(const Tensor& exponent) const { return strata::pow(*this, exponent); }
Tensor Tensor::pow(const Scalar& exponent) const { return strata::pow(*this, exponent); }
Tensor Tensor::fmod(const Tensor& other) const { return strata::fmod(*this, other); }
Tensor Tensor::fmod(const Scalar& other) const { return strata::fmod(*this, other); }
Tensor Tensor::remainder(const Tensor& other) const { return strata::remainder(*this, other); }
Tensor Tensor::remainder(const Scalar& other) const { return strata::remainder(*this, other); }
Tensor Tensor::floor_divide(const Tensor& other) const { return strata::floor_divide(*this, other); }
Tensor Tensor::floor_divide(const Scalar& other) const { return strata::floor_divide(*this, other); }
Tensor Tensor::maximum(const Tensor& other) const { return strata::maximum(*this, other); }
Tensor Tensor::minimum(const Tensor& other) const { return strata::minimum(*this, other); }
Tensor Tensor::max(const Tensor& other) const { return strata::maximum(*this, other); }
Tensor Tensor::min(const Tensor& other) const { return strata::minimum(*this, other); }
Tensor Tensor::fmax(const Tensor& other) const { return strata::fmax(*this, other); }
Tensor Tensor::fmin(const Tensor& other) const { return strata::fmin(*this, other); }
Tensor Tensor::hypot(const Tensor& other) const { return strata::hypot(*this, other); }
Tensor Tensor::xlogy(const Tensor& other) const { return strata::xlogy(*this, other); }
Tensor Tensor::atan2(const Tensor& other) const { return strata::atan2(*this, other); }

Tensor& Tensor::add_(const Tensor& other, const Scalar& alpha) const {
  return detail::in_place(add_op, [&]() -> Tensor& {
    if (is_one(alpha)) return run_(add_op, self(), other);
    if (one_pass(self(), other)) return add_scaled_(self(), other, alpha.toDouble());
    return run_(add_op, self(), scaled("add_", self(), other, alpha));
  });
}
Tensor& Tensor::add_(const Scalar& other, const Scalar& alpha) const {
  return detail::in_place(add_op, [&]() -> Tensor& {
    return run_(add_op, self(), is_one(alpha) ? other : scaled("add_", self(), other, alpha));
  });
}
Tensor& Tensor::sub_(const Tensor& other, const Scalar& alpha) const {
  return detail::in_place(sub_op, [&]() -> Tensor& {
    check_subtracts(self(), other.dtype());
    if (is_one(alpha)) return run_(sub_op, self(), other);
    if (one_pass(self(), other)) return add_scaled_(self(), other, -alpha.toDouble());
    return run_(sub_op, self(), scaled("sub_", self(), other, alpha));
  });
}
Tensor& Tensor::sub_(const Scalar& other, const Scalar& alpha) const {
  return detail::in_place(sub_op, [&]() -> Tensor& {
    check_subtracts(self(), other.type());
    return run_(sub_op, self(), is_one(alpha) ? other : scaled("sub_", self(), other, alpha));
  });
}
Tensor& Tensor::mul_(const Tensor& other) const { return run_method_(mul_op, self(), other); }
// Of 16-bit numbers mul_ rounds the number first, as in libtorch, where it is the first operand.
Tensor& Tensor::mul_(const Scalar& other) const { return run_method_(mul_op, self(), other); }
Tensor& Tensor::div_(const Tensor& other) const { return run_method_(div_op, self(), other, Computes::kFloating); }
Tensor& Tensor::div_(const Scalar& other) const {
  if (!keeps_number(self(), other)) return run_method_(div_op, self(), other, Computes::kFloating);
  return detail::in_place(div_op, [&]() -> Tensor& {
    call_inplace(div_scalar_op, self(), {this}, NumberParams{other.toDouble()});
    return self();
  });
}
Tensor& Tensor::pow_(const Tensor& exponent) const { return run_method_(pow_op, self(), exponent); }
Tensor& Tensor::pow_(const Scalar& exponent) const {
  return detail::in_place(pow_op, [&]() -> Tensor& {
    check_stores(pow_op, self(), result_type(self(), exponent));
    if (is_integral(dtype()) || detail::opmath_dtype(dtype()) != dtype()) exponent.check_fits("pow_", dtype());
    STRATA_CHECK(is_differentiable(dtype()) || exponent.toLong() >= 0,
                 "pow_: integers to negative integer powers are not allowed");
    if (dtype() == kBool) return copy_(strata::pow(self(), exponent));
    call_inplace(pow_scalar_op, self(), {this}, PowParams{exponent});
    return self();
  });
}

Tensor& Tensor::fmod_(const Tensor& other) const { return run_method_(fmod_op, self(), other); }
Tensor& Tensor::fmod_(const Scalar& other) const { return run_method_(fmod_op, self(), other); }
Tensor& Tensor::remainder_(const Tensor& other) const { return run_method_(remainder_op, self(), other); }
Tensor& Tensor::remainder_(const Scalar& other) const { return run_method_(remainder_op, self(), other); }
Tensor& Tensor::floor_divide_(const Tensor& other) const { return run_method_(floor_divide_op, self(), other); }
Tensor& Tensor::floor_divide_(const Scalar& other) const { return run_method_(floor_divide_op, self(), other); }
Tensor& Tensor::atan2_(const Tensor& other) const { return run_method_(atan2_op, self(), other, Computes::kFloating); }
Tensor& Tensor::bitwise_and_(const Tensor& other) const { return run_method_(bitwise_and_op, self(), other); }
Tensor& Tensor::bitwise_or_(const Tensor& other) const { return run_method_(bitwise_or_op, self(), other); }
Tensor& Tensor::bitwise_xor_(const Tensor& other) const { return run_method_(bitwise_xor_op, self(), other); }
Tensor& Tensor::bitwise_and_(const Scalar& other) const { return run_method_(bitwise_and_op, self(), other); }
Tensor& Tensor::bitwise_or_(const Scalar& other) const { return run_method_(bitwise_or_op, self(), other); }
Tensor& Tensor::bitwise_xor_(const Scalar& other) const { return run_method_(bitwise_xor_op, self(), other); }
Tensor& Tensor::bitwise_left_shift_(const Tensor& other) const {
  return run_as_("bitwise_left_shift_", shift_left_op, self(), other);
}
Tensor& Tensor::bitwise_left_shift_(const Scalar& other) const {
  return run_as_("bitwise_left_shift_", shift_left_op, self(), other);
}
Tensor& Tensor::bitwise_right_shift_(const Tensor& other) const {
  return run_as_("bitwise_right_shift_", shift_right_op, self(), other);
}
Tensor& Tensor::bitwise_right_shift_(const Scalar& other) const {
  return run_as_("bitwise_right_shift_", shift_right_op, self(), other);
}

Tensor& Tensor::operator+=(const Tensor& other) { return add_(other); }
Tensor& Tensor::operator+=(const Scalar& other) { return add_(other); }
Tensor& Tensor::operator-=(const Tensor& other) { return sub_(other); }
Tensor& Tensor::operator-=(const Scalar& other) { return sub_(other); }
Tensor& Tensor::operator*=(const Tensor& other) { return mul_(other); }
Tensor& Tensor::operator*=(const Scalar& other) { return mul_(other); }
Tensor& Tensor::operator/=(const Tensor& other) { return div_(other); }
Tensor& Tensor::operator/=(const Scalar& other) { return div_(other); }

}  // namespace strata
