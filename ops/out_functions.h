// The `_out` forms of element-wise functions that have no kernel of their own for it.
#pragma once
#include <optional>

#include "../core/tensor.h"
#include "binary.h"
#include "ternary.h"
#include "unary.h"
#include "write_out.h"

namespace strata {

// Each writes the function's result into `out`, which has its shape or no elements, and a dtype that holds it.

// Of one tensor.
inline Tensor& absolute_out(Tensor& out, const Tensor& x) {
  return detail::write_out(out, absolute(x), "absolute_out");
}
inline Tensor& negative_out(Tensor& out, const Tensor& x) {
  return detail::write_out(out, negative(x), "negative_out");
}
inline Tensor& deg2rad_out(Tensor& out, const Tensor& x) { return detail::write_out(out, deg2rad(x), "deg2rad_out"); }
inline Tensor& rad2deg_out(Tensor& out, const Tensor& x) { return detail::write_out(out, rad2deg(x), "rad2deg_out"); }
inline Tensor& logit_out(Tensor& out, const Tensor& x, std::optional<double> eps = std::nullopt) {
  return detail::write_out(out, logit(x, eps), "logit_out");
}
inline Tensor& nan_to_num_out(Tensor& out, const Tensor& x, std::optional<double> nan = std::nullopt,
                              std::optional<double> posinf = std::nullopt,
                              std::optional<double> neginf = std::nullopt) {
  return detail::write_out(out, nan_to_num(x, nan, posinf, neginf), "nan_to_num_out");
}

// Of two.
inline Tensor& atan2_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out(out, atan2(a, b), "atan2_out");
}
inline Tensor& arctan2_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out(out, arctan2(a, b), "arctan2_out");
}
inline Tensor& bitwise_and_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out(out, bitwise_and(a, b), "bitwise_and_out");
}
inline Tensor& bitwise_and_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out(out, bitwise_and(a, b), "bitwise_and_out");
}
inline Tensor& bitwise_or_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out(out, bitwise_or(a, b), "bitwise_or_out");
}
inline Tensor& bitwise_or_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out(out, bitwise_or(a, b), "bitwise_or_out");
}
inline Tensor& bitwise_xor_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out(out, bitwise_xor(a, b), "bitwise_xor_out");
}
inline Tensor& bitwise_xor_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out(out, bitwise_xor(a, b), "bitwise_xor_out");
}
inline Tensor& bitwise_left_shift_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out(out, bitwise_left_shift(a, b), "bitwise_left_shift_out");
}
inline Tensor& bitwise_left_shift_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out(out, bitwise_left_shift(a, b), "bitwise_left_shift_out");
}
inline Tensor& bitwise_right_shift_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out(out, bitwise_right_shift(a, b), "bitwise_right_shift_out");
}
inline Tensor& bitwise_right_shift_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out(out, bitwise_right_shift(a, b), "bitwise_right_shift_out");
}
inline Tensor& floor_divide_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out(out, floor_divide(a, b), "floor_divide_out");
}
inline Tensor& floor_divide_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out(out, floor_divide(a, b), "floor_divide_out");
}
inline Tensor& fmod_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out(out, fmod(a, b), "fmod_out");
}
inline Tensor& fmod_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out(out, fmod(a, b), "fmod_out");
}
inline Tensor& remainder_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out(out, remainder(a, b), "remainder_out");
}
inline Tensor& remainder_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out(out, remainder(a, b), "remainder_out");
}
inline Tensor& fmax_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out(out, fmax(a, b), "fmax_out");
}
inline Tensor& fmin_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out(out, fmin(a, b), "fmin_out");
}
inline Tensor& hypot_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out(out, hypot(a, b), "hypot_out");
}
inline Tensor& logaddexp_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out(out, logaddexp(a, b), "logaddexp_out");
}
inline Tensor& logical_and_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out(out, logical_and(a, b), "logical_and_out");
}
inline Tensor& logical_or_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out(out, logical_or(a, b), "logical_or_out");
}
inline Tensor& logical_xor_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out(out, logical_xor(a, b), "logical_xor_out");
}
inline Tensor& eq_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out(out, eq(a, b), "eq_out");
}
inline Tensor& eq_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out(out, eq(a, b), "eq_out");
}
inline Tensor& ne_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out(out, ne(a, b), "ne_out");
}
inline Tensor& ne_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out(out, ne(a, b), "ne_out");
}
inline Tensor& lt_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out(out, lt(a, b), "lt_out");
}
inline Tensor& lt_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out(out, lt(a, b), "lt_out");
}
inline Tensor& le_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out(out, le(a, b), "le_out");
}
inline Tensor& le_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out(out, le(a, b), "le_out");
}
inline Tensor& gt_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out(out, gt(a, b), "gt_out");
}
inline Tensor& gt_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out(out, gt(a, b), "gt_out");
}
inline Tensor& ge_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out(out, ge(a, b), "ge_out");
}
inline Tensor& ge_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out(out, ge(a, b), "ge_out");
}
inline Tensor& xlogy_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out(out, xlogy(a, b), "xlogy_out");
}
inline Tensor& xlogy_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out(out, xlogy(a, b), "xlogy_out");
}

// Of three.
inline Tensor& where_out(Tensor& out, const Tensor& condition, const Tensor& a, const Tensor& b) {
  return detail::write_out(out, where(condition, a, b), "where_out");
}
inline Tensor& lerp_out(Tensor& out, const Tensor& start, const Tensor& end, const Tensor& weight) {
  return detail::write_out(out, lerp(start, end, weight), "lerp_out");
}
inline Tensor& lerp_out(Tensor& out, const Tensor& start, const Tensor& end, const Scalar& weight) {
  return detail::write_out(out, lerp(start, end, weight), "lerp_out");
}
inline Tensor& addcmul_out(Tensor& out, const Tensor& x, const Tensor& a, const Tensor& b, const Scalar& value = 1) {
  return detail::write_out(out, addcmul(x, a, b, value), "addcmul_out");
}
inline Tensor& addcdiv_out(Tensor& out, const Tensor& x, const Tensor& a, const Tensor& b, const Scalar& value = 1) {
  return detail::write_out(out, addcdiv(x, a, b, value), "addcdiv_out");
}
inline Tensor& clamp_out(Tensor& out, const Tensor& x, const std::optional<Scalar>& min,
                         const std::optional<Scalar>& max = std::nullopt) {
  return detail::write_out(out, clamp(x, min, max), "clamp_out");
}
inline Tensor& clamp_out(Tensor& out, const Tensor& x, OptionalTensorRef min = {}, OptionalTensorRef max = {}) {
  return detail::write_out(out, clamp(x, min, max), "clamp_out");
}
inline Tensor& clip_out(Tensor& out, const Tensor& x, const std::optional<Scalar>& min,
                        const std::optional<Scalar>& max = std::nullopt) {
  return detail::write_out(out, clip(x, min, max), "clip_out");
}
inline Tensor& clip_out(Tensor& out, const Tensor& x, OptionalTensorRef min = {}, OptionalTensorRef max = {}) {
  return detail::write_out(out, clip(x, min, max), "clip_out");
}
inline Tensor& clamp_min_out(Tensor& out, const Tensor& x, const Scalar& bound) {
  return detail::write_out(out, clamp_min(x, bound), "clamp_min_out");
}
inline Tensor& clamp_min_out(Tensor& out, const Tensor& x, const Tensor& bound) {
  return detail::write_out(out, clamp_min(x, bound), "clamp_min_out");
}
inline Tensor& clamp_max_out(Tensor& out, const Tensor& x, const Scalar& bound) {
  return detail::write_out(out, clamp_max(x, bound), "clamp_max_out");
}
inline Tensor& clamp_max_out(Tensor& out, const Tensor& x, const Tensor& bound) {
  return detail::write_out(out, clamp_max(x, bound), "clamp_max_out");
}

}  // namespace strata
