// The ops of three operands: rules and public functions.
#include "ops/ternary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/autocast.h"
#include "ops/activation_def.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/in_place.h"
#include "ops/indexing.h"
#include "ops/promote.h"
#include "ops/rules.h"
#include "ops/run_broadcast.h"
#include "ops/ternary_def.h"
#include "ops/unary.h"

namespace strata {
namespace {

// What clamp passes on of a gradient t: PyTorch's rules, by which x and a bound that it equals share it, unless both
// bounds are equal: then x has all of it.
Tensor halved(const Primals& c, const Tensor& tied, const Tensor& t) {
  return where(logical_and(tied, c.in(1) < c.in(2)), t * 0.5, t);
}
Tensor of_x(const Primals& c, const Tensor& t) {
  const Tensor &x = c.in(0), &min = c.in(1), &max = c.in(2);
  return where(logical_or(x<min, x> max), 0, halved(c, logical_or(x == min, x == max), t));
}
Tensor of_min(const Primals& c, const Tensor& t) {
  const Tensor &x = c.in(0), &min = c.in(1), &max = c.in(2);
  const Tensor tied = logical_and(x == min, min < max);
  return where(logical_or(tied, logical_and(x < min, min <= max)), halved(c, tied, t), 0);
}
Tensor of_max(const Primals& c, const Tensor& t) {
  const Tensor &x = c.in(0), &min = c.in(1), &max = c.in(2);
  const Tensor tied = logical_and(x == max, min < max), above = logical_and(x > max, min <= max);
  return where(logical_or(logical_or(tied, above), min > max), halved(c, tied, t), 0);
}
constexpr Tensor (*kClampShares[])(const Primals&, const Tensor&) = {&of_x, &of_min, &of_max};

}  // namespace

STRATA_OP(where_op) = pointwise("where(Tensor condition, Tensor a, Tensor b) -> Tensor", zero, one, one)
                          .infer([](Args in) { return meta_like(in[1]); })
                          .vjp([](const Vjp& c) {
                            return Tensors(Tensor(), c.needs(1) ? where(c.in(0), c.grad(), 0) : Tensor(),
                                           c.needs(2) ? where(c.in(0), 0, c.grad()) : Tensor());
                          })
                          .saves(saves_in(0))
                          .jvp([](const Jvp& c) {
                            const auto tangent = [&](size_t i) {
                              return c.tangent(i).defined() ? c.tangent(i) : rules::zero_like(c.in(i));
                            };
                            return Tensors(where(c.in(0), tangent(1), tangent(2)));
                          })
                          .autocast(AutocastPolicy::kWidest)
                          .dtypes(kStoredTypes)
                          .dtypes_for(0, DTypes(kBool));

STRATA_OP(clamp_op) = pointwise("clamp(Tensor x, Tensor min, Tensor max) -> Tensor", one, one, one)
                          .vjp([](const Vjp& c) {
                            Tensors grads = Tensors::undefined(3);
                            for (size_t i = 0; i < 3; ++i)
                              if (c.needs(i)) grads[i] = kClampShares[i](c, c.grad());
                            return grads;
                          })
                          .saves(saves_in(0, 1, 2))
                          .jvp([](const Jvp& c) {
                            Tensor sum;
                            for (size_t i = 0; i < 3; ++i)
                              if (c.tangent(i).defined())
                                sum = rules::add_defined(sum, kClampShares[i](c, c.tangent(i)));
                            return Tensors(sum);
                          })
                          .decompose([](Args in) { return Tensors(minimum(maximum(in[0], in[1]), in[2])); });

STRATA_OP(lerp_op) = pointwise(
                         "lerp(Tensor start, Tensor end, Tensor weight) -> Tensor",
                         [](const Primals& c) { return 1 - c.in(2); }, [](const Primals& c) { return c.in(2); },
                         [](const Primals& c) { return c.in(1) - c.in(0); })
                         .saves_for(0, saves_in(2))
                         .saves_for(1, saves_in(2))
                         .saves_for(2, saves_in(0, 1))
                         .autocast(AutocastPolicy::kWidest)
                         .decompose([](Args in) { return Tensors(in[0] + in[2] * (in[1] - in[0])); })
                         .dtypes(kFloatingTypes);

STRATA_OP(lerp_scalar_op) = pointwise<LerpParams>("lerp_scalar(Tensor start, Tensor end, float weight) -> Tensor", one,
                                                  one)
                                .vjp([](const Vjp& c, const LerpParams& p) {
                                  Tensors grads = Tensors::undefined(2);
                                  if (c.needs(0)) grads[0] = c.grad() * (1 - p.weight);
                                  if (c.needs(1)) grads[1] = c.grad() * p.weight;
                                  return grads;
                                })
                                .jvp([](const Jvp& c, const LerpParams& p) {
                                  Tensor sum;
                                  if (c.tangent(0).defined()) sum = c.tangent(0) * (1 - p.weight);
                                  if (!c.tangent(1).defined()) return Tensors(sum);
                                  return Tensors(rules::add_defined(sum, c.tangent(1) * p.weight));
                                })
                                .autocast(AutocastPolicy::kWidest)
                                .decompose([](Args in, const LerpParams& p) {
                                  return Tensors(in[0] + (in[1] - in[0]) * p.weight);
                                })
                                .dtypes(kFloatingTypes);

STRATA_OP(addcmul_op) = pointwise<AddcParams>(
                            "addcmul(Tensor x, Tensor a, Tensor b, Scalar value) -> Tensor", one,
                            [](const Primals& c, const AddcParams& p) { return c.in(2) * p.value; },
                            [](const Primals& c, const AddcParams& p) { return c.in(1) * p.value; })
                            .saves_for(1, saves_in(2))
                            .saves_for(2, saves_in(1))
                            .autocast(AutocastPolicy::kWidest)
                            .decompose([](Args in, const AddcParams& p) {
                              return Tensors(in[0] + in[1] * in[2] * p.value);
                            })
                            .dtypes(kFloatingTypes);

STRATA_OP(addcdiv_op) = pointwise<AddcParams>(
                            "addcdiv(Tensor x, Tensor a, Tensor b, Scalar value) -> Tensor", one,
                            [](const Primals& c, const AddcParams& p) { return p.value / c.in(2); },
                            [](const Primals& c, const AddcParams& p) { return c.in(1) * -p.value / square(c.in(2)); })
                            .saves_for(1, saves_in(2))
                            .saves_for(2, saves_in(1, 2))
                            .autocast(AutocastPolicy::kWidest)
                            .decompose([](Args in, const AddcParams& p) {
                              return Tensors(in[0] + in[1] / in[2] * p.value);
                            })
                            .dtypes(kFloatingTypes);

namespace {

/// The dtype of arithmetic between three: 0-dim tensors count after those with dims, in whatever order they come.
DType result_type_of(const Tensor& a, const Tensor& b, const Tensor& c) {
  DType ranks[2] = {DType::Undefined, DType::Undefined};  // of the 0-dim tensors, of those with dims
  for (const Tensor* t : {&a, &b, &c}) {
    DType& rank = ranks[t->dim() > 0];
    rank = rank == DType::Undefined ? t->dtype() : promote_types(rank, t->dtype());
  }
  if (ranks[0] == DType::Undefined) return ranks[1];
  if (ranks[1] == DType::Undefined) return ranks[0];
  return result_type(constant(0, ranks[1], kCPU, {1}), constant(0, ranks[0], kCPU, {}));
}

Tensor where_of(const Tensor& condition, const Tensor& a, const Tensor& b, DType t) {
  if (condition.dtype() == kBool && detail::alike(a, b) && condition.sizes() == a.sizes() &&
      condition.device() == a.device())
    return call1(where_op, {&condition, &a, &b});
  STRATA_CHECK(condition.dtype() == kBool || condition.dtype() == kByte,
               "where: expected condition to be a boolean tensor, but got a tensor with dtype {}",
               name(condition.dtype()));
  if (condition.dtype() == kByte) warn_once("where: a condition of dtype uint8 is deprecated; give a bool one");
  const DimVector sizes = broadcast_shapes(condition.sizes(), broadcast_shapes(a.sizes(), b.sizes(), "where"), "where");
  const Device device = detail::common_device({&condition, &a, &b});
  const Tensor c = detail::prepare(condition, kBool, device, sizes, "where");
  const Tensor x = detail::prepare(a, t, device, sizes, "where"), y = detail::prepare(b, t, device, sizes, "where");
  return call1(where_op, {&c, &x, &y});
}

/// Brings three operands to one dtype and shape and runs the op.
template <class... P>
Tensor run3(const Op& op, const char* name, const Tensor& a, const Tensor& b, const Tensor& c, const P&... params) {
  if (detail::alike(a, b) && detail::alike(a, c)) return call1(op, {&a, &b, &c}, params...);
  const DType t = result_type_of(a, b, c);
  const DimVector sizes = broadcast_shapes(broadcast_shapes(a.sizes(), b.sizes(), name), c.sizes(), name);
  const Device device = detail::common_device({&a, &b, &c});
  const Tensor x = detail::prepare(a, t, device, sizes, name), y = detail::prepare(b, t, device, sizes, name),
               z = detail::prepare(c, t, device, sizes, name);
  return call1(op, {&x, &y, &z}, params...);
}

int64_t lowest(DType t) {
  return visit_dtype(t, []<class T>() { return static_cast<int64_t>(std::numeric_limits<T>::lowest()); });
}
int64_t highest(DType t) {
  return visit_dtype(t, []<class T>() { return static_cast<int64_t>(std::numeric_limits<T>::max()); });
}

/// The dtype that clamping x by numbers gives.
DType clamp_type(const Tensor& x, const std::optional<Scalar>& min, const std::optional<Scalar>& max) {
  STRATA_CHECK_AS(NotImplementedError, !is_complex(x.dtype()),
                  "clamp: not implemented for {}; give it abs(), real() or view_as_real() of the tensor",
                  name(x.dtype()));
  STRATA_CHECK(min || max, "clamp: at least one of min and max must be given");
  const DType low = min ? result_type(x, *min) : x.dtype(), high = max ? result_type(x, *max) : x.dtype();
  return promote_types(low, high);
}

constexpr double kNoBound = std::numeric_limits<double>::quiet_NaN();

/// Floats clamped by numbers: no bound is a tensor, and none takes a share of the gradient. What is compared with an
/// absent bound, a NaN, lies inside, infinities too.
HardtanhParams between(const std::optional<Scalar>& min, const std::optional<Scalar>& max) {
  return {min ? min->toDouble() : kNoBound, max ? max->toDouble() : kNoBound, 0};
}

bool is_nan(const std::optional<Scalar>& bound) { return bound && std::isnan(bound->toDouble()); }

/// The bounds as integers of the dtype `t`: what lies beyond its range is held within, if it leaves a number to clamp
/// to.
std::array<Scalar, 2> bounds_in(DType t, const std::optional<Scalar>& min, const std::optional<Scalar>& max) {
  const int64_t lo = lowest(t), hi = highest(t), low = min ? min->toLong() : lo, high = max ? max->toLong() : hi;
  STRATA_CHECK(low <= hi && high >= lo, "clamp: no {} is between {} and {}", name(t), low, high);
  return {std::max(low, lo), std::min(high, hi)};
}

/// Clamps `x`, of the result's dtype, by `run(op, operands, params...)`. A bound of NaN makes all NaN, constants.
template <class Run>
void clamp_by(const Tensor& x, const std::optional<Scalar>& min, const std::optional<Scalar>& max, Run run) {
  const DType t = x.dtype();
  const auto filled = [&](const Scalar& value, DType dtype) { return constant(value, dtype, x.device(), x.sizes()); };
  if (is_nan(min) || is_nan(max)) {
    const Tensor everywhere = filled(true, kBool), nan = filled(kNoBound, t);
    run(where_op, Args{&everywhere, &nan, &x});
  } else if (is_floating_point(t)) {
    for (const std::optional<Scalar>& bound : {min, max})
      if (bound) bound->check_fits("clamp", t);
    run(hardtanh_op, Args{&x}, between(min, max));
  } else {
    const auto [lowest, highest] = bounds_in(t, min, max);
    const Tensor low = filled(lowest, t), high = filled(highest, t);
    run(clamp_op, Args{&x, &low, &high});
  }
}

/// A number as a tensor; one too large for a small floating point type becomes infinity there.
Tensor chosen_number(const Scalar& value, DType t, Device device, IntArrayRef sizes) {
  if (detail::opmath_dtype(t) == t) value.check_fits("where", t);
  return constant(value, t, device, sizes);
}

}  // namespace

Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b) {
  return where_of(condition, a, b, result_type(a, b));
}
Tensor where(const Tensor& condition, const Tensor& a, const Scalar& b) {
  const DType t = result_type(a, b);
  return where_of(condition, a, chosen_number(b, t, condition.device(), a.sizes()), t);
}
Tensor where(const Tensor& condition, const Scalar& a, const Tensor& b) {
  const DType t = result_type(a, b);
  return where_of(condition, chosen_number(a, t, condition.device(), b.sizes()), b, t);
}
Tensor where(const Tensor& condition, const Scalar& a, const Scalar& b) {
  const DType t = result_type(a, b);
  const IntArrayRef sizes = condition.sizes();
  return where_of(condition, chosen_number(a, t, condition.device(), sizes),
                  chosen_number(b, t, condition.device(), sizes), t);
}

Tensor clamp(const Tensor& x, const std::optional<Scalar>& min, const std::optional<Scalar>& max) {
  const Tensor y = cast(x, clamp_type(x, min, max));
  Tensor result;
  clamp_by(y, min, max, [&](const Op& op, Args in, const auto&... p) { result = call1(op, in, p...); });
  return result;
}
Tensor clamp(const Tensor& x, OptionalTensorRef min, OptionalTensorRef max) {
  STRATA_CHECK(min.defined() || max.defined(), "clamp: at least one of min and max must be given");
  if (!max.defined()) return maximum(x, *min);
  if (!min.defined()) return minimum(x, *max);
  return run3(clamp_op, "clamp", x, min, max);
}
Tensor clamp_min(const Tensor& x, const Scalar& min) { return clamp(x, min, std::nullopt); }
Tensor clamp_min(const Tensor& x, const Tensor& min) { return clamp(x, min); }
Tensor clamp_max(const Tensor& x, const Tensor& max) { return clamp(x, std::nullopt, max); }
Tensor clamp_max(const Tensor& x, const Scalar& max) { return clamp(x, std::nullopt, max); }
Tensor& clamp_(Tensor& x, const std::optional<Scalar>& min, const std::optional<Scalar>& max) {
  return detail::in_place("clamp_", [&]() -> Tensor& {
    const DType t = clamp_type(x, min, max);
    STRATA_CHECK(can_cast(t, x.dtype()), "clamp_: result type {} can't be cast to the desired output type {}", name(t),
                 name(x.dtype()));
    clamp_by(x, min, max, [&](const Op& op, Args in, const auto&... p) { call_inplace(op, x, in, p...); });
    return x;
  });
}

namespace {
void check_floating(const char* op, DType t) {
  STRATA_CHECK_AS(NotImplementedError, is_floating_point(t), "{}: expected a floating point tensor, got {}", op,
                  name(t));
}
/// lerp alone among functions of several tensors does not promote, as in libtorch; autocast brings them to one dtype.
void check_lerp_dtype(const char* which, const Tensor& start, const Tensor& t) {
  STRATA_CHECK(t.dtype() == start.dtype() || autocast::active_dtype(start.device().type()),
               "lerp: expected dtype {} for `{}` but got dtype {}", name(start.dtype()), which, name(t.dtype()));
}
}  // namespace

Tensor lerp(const Tensor& start, const Tensor& end, const Tensor& weight) {
  check_lerp_dtype("end", start, end);
  if (weight.dim() > 0) check_lerp_dtype("weight", start, weight);
  if (is_complex(start.dtype())) return start + weight * (end - start);
  check_floating("lerp", result_type_of(start, end, weight));
  return run3(lerp_op, "lerp", start, end, weight);
}
Tensor lerp(const Tensor& start, const Tensor& end, const Scalar& weight) {
  check_lerp_dtype("end", start, end);
  if (is_complex(start.dtype())) return start + weight * (end - start);
  check_floating("lerp", start.dtype());
  const LerpParams p{weight.toDouble()};
  if (detail::alike(start, end)) return call1(lerp_scalar_op, {&start, &end}, p);
  const DType t = result_type_of(start, end, constant(weight, start.dtype(), start.device(), end.sizes()));
  return detail::run_broadcast(lerp_scalar_op, "lerp", start, end, t, p);
}
Tensor addcmul(const Tensor& x, const Tensor& a, const Tensor& b, const Scalar& value) {
  const DType t = result_type_of(x, a, b);
  value.check_fits("addcmul", detail::opmath_dtype(t));
  if (is_complex(t)) return x + (cast(a, t) * value) * cast(b, t);
  if (!is_floating_point(t)) return cast(x, t) + (cast(a, t) * cast(b, t)) * value.toLong();
  return run3(addcmul_op, "addcmul", cast(x, t), a, b, AddcParams{value.toDouble()});
}
namespace {
void check_divides(const Tensor& a, const Tensor& b) {
  STRATA_CHECK(is_differentiable(a.dtype()) || is_differentiable(b.dtype()),
               "addcdiv: Integer division with addcdiv is no longer supported: expected a floating point or complex "
               "operand, got {} and {}",
               name(a.dtype()), name(b.dtype()));
}
}  // namespace
Tensor addcdiv(const Tensor& x, const Tensor& a, const Tensor& b, const Scalar& value) {
  const DType t = result_type_of(x, a, b);
  check_divides(a, b);
  value.check_fits("addcdiv", detail::opmath_dtype(t));
  if (is_complex(t)) return x + (cast(a, t) * value) / cast(b, t);
  return run3(addcdiv_op, "addcdiv", cast(x, t), a, b, AddcParams{value.toDouble()});
}

namespace {
/// Writes over x with the op's result, which must keep x's shape and dtype.
template <class... P>
Tensor& run3_(const Op& op, const char* name, Tensor& x, const Tensor& a, const Tensor& b, const P&... params) {
  const DType t = result_type_of(x, a, b);
  STRATA_CHECK(can_cast(t, x.dtype()), "{}: result type {} can't be cast to the desired output type {}", name,
               strata::name(t), strata::name(x.dtype()));
  const Tensor y = detail::prepare(a, x.dtype(), x.device(), x.sizes(), name),
               z = detail::prepare(b, x.dtype(), x.device(), x.sizes(), name);
  check_floating(name, x.dtype());
  call_inplace(op, x, {&x, &y, &z}, params...);
  return x;
}
}  // namespace

Tensor Tensor::clamp(const std::optional<Scalar>& min, const std::optional<Scalar>& max) const {
  return strata::clamp(*this, min, max);
}
Tensor& Tensor::clamp_(const std::optional<Scalar>& min, const std::optional<Scalar>& max) const {
  return strata::clamp_(self(), min, max);
}
Tensor Tensor::clamp(OptionalTensorRef min, OptionalTensorRef max) const { return strata::clamp(*this, min, max); }
Tensor Tensor::clamp_min(const Tensor& min) const { return strata::clamp(*this, min); }
Tensor Tensor::clamp_max(const Tensor& max) const { return strata::clamp(*this, std::nullopt, max); }
Tensor Tensor::clamp_min(const Scalar& min) const { return strata::clamp_min(*this, min); }
Tensor& Tensor::clamp_min_(const Scalar& min) const {
  return detail::in_place("clamp_min_", [&]() -> Tensor& { return strata::clamp_(self(), min, std::nullopt); });
}
Tensor Tensor::clamp_max(const Scalar& max) const { return strata::clamp_max(*this, max); }
Tensor& Tensor::clamp_max_(const Scalar& max) const {
  return detail::in_place("clamp_max_", [&]() -> Tensor& { return strata::clamp_(self(), std::nullopt, max); });
}
Tensor Tensor::where(const Tensor& condition, const Tensor& other) const {
  return strata::where(condition, *this, other);
}
Tensor Tensor::lerp(const Tensor& end, const Scalar& weight) const { return strata::lerp(*this, end, weight); }
Tensor Tensor::lerp(const Tensor& end, const Tensor& weight) const { return strata::lerp(*this, end, weight); }
Tensor& Tensor::lerp_(const Tensor& end, const Scalar& weight) const {
  return detail::in_place("lerp_", [&]() -> Tensor& {
    check_lerp_dtype("end", self(), end);
    if (is_complex()) return copy_(strata::lerp(self(), end, weight));
    return run3_(lerp_op, "lerp_", self(), end, constant(weight, dtype(), device(), sizes()));
  });
}
Tensor Tensor::addcmul(const Tensor& a, const Tensor& b, const Scalar& value) const {
  return strata::addcmul(*this, a, b, value);
}
Tensor& Tensor::addcmul_(const Tensor& a, const Tensor& b, const Scalar& value) const {
  return detail::in_place("addcmul_", [&]() -> Tensor& {
    value.check_fits("addcmul_", detail::opmath_dtype(dtype()));
    if (is_floating_point()) return run3_(addcmul_op, "addcmul_", self(), a, b, AddcParams{value.toDouble()});
    const Tensor result = strata::addcmul(self(), a, b, value);
    STRATA_CHECK(can_cast(result.dtype(), dtype()),
                 "addcmul_: result type {} can't be cast to the desired output type {}", strata::name(result.dtype()),
                 strata::name(dtype()));
    return copy_(result);
  });
}
Tensor Tensor::addcdiv(const Tensor& a, const Tensor& b, const Scalar& value) const {
  return strata::addcdiv(*this, a, b, value);
}
Tensor& Tensor::addcdiv_(const Tensor& a, const Tensor& b, const Scalar& value) const {
  return detail::in_place("addcdiv_", [&]() -> Tensor& {
    check_divides(a, b);
    value.check_fits("addcdiv_", detail::opmath_dtype(dtype()));
    if (is_complex()) return copy_(strata::addcdiv(self(), a, b, value));
    return run3_(addcdiv_op, "addcdiv_", self(), a, b, AddcParams{value.toDouble()});
  });
}

}  // namespace strata
