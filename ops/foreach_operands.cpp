// Functions of lists of tensors with numbers or other lists, as loops over those of one.
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/factor.h"
#include "ops/foreach_functions.h"
#include "ops/foreach_loops.h"
#include "ops/overwrite.h"
#include "ops/promote.h"
#include "ops/ternary.h"

namespace strata {

using foreach::check_length;
using foreach::each;
using foreach::each_in_place;

namespace {

using detail::before;
using detail::overwrite;
using Extreme = Tensor(const Tensor&, const Tensor&);
using ExtremeOfNumber = Tensor(const Tensor&, const Scalar&);

/// The larger or smaller of a tensor's elements and a number, of the dtype that they have together. Where both are
/// equal maximum and minimum share the gradient between them, which clamp_min and clamp_max do not. Integers have none,
/// and the clamps know what numbers are beyond them.
template <Extreme* kExtreme, ExtremeOfNumber* kClamp>
Tensor extreme_of(const Tensor& t, const Scalar& number) {
  const DType dtype = result_type(t, number);
  return is_differentiable(dtype) ? kExtreme(t, constant(number, dtype, t.device(), {})) : kClamp(t, number);
}
constexpr ExtremeOfNumber *kLarger = extreme_of<maximum, clamp_min>, *kSmaller = extreme_of<minimum, clamp_max>;

/// The numbers of a 1-dim tensor, one for each place of the list.
std::vector<Scalar> numbers_of(const char* name, const Tensor& values, TensorList tensors) {
  STRATA_CHECK(values.dim() == 1 && values.size(0) == static_cast<int64_t>(tensors.size()),
               "{}: Expected length of scalars to match input of length {} but got shape {}", name, tensors.size(),
               values.sizes());
  std::vector<Scalar> out;
  for (int64_t i = 0; i < values.size(0); ++i) out.push_back(values.select(0, i).item());
  return out;
}

/// Writes over each tensor what `extreme` gives for it, the i-th.
void write_extremes(const char* name, TensorList tensors, const auto& extreme) {
  each_in_place(name, tensors, [&](size_t i) {
    Tensor t = tensors[i];
    overwrite(t, name, [&] { return extreme(t, i); });
  });
}

}  // namespace

std::vector<Tensor> _foreach_add(TensorList tensors, const Scalar& scalar) {
  return each("_foreach_add", tensors, [&](size_t i) { return tensors[i].add(scalar); });
}
void _foreach_add_(TensorList tensors, const Scalar& scalar) {
  each_in_place("_foreach_add_", tensors, [&](size_t i) { tensors[i].add_(scalar); });
}
std::vector<Tensor> _foreach_add(TensorList tensors, TensorList others, const Scalar& alpha) {
  check_length("_foreach_add", tensors, others);
  return each("_foreach_add", tensors, [&](size_t i) { return tensors[i].add(others[i], alpha); });
}
void _foreach_add_(TensorList tensors, TensorList others, const Scalar& alpha) {
  check_length("_foreach_add_", tensors, others);
  each_in_place("_foreach_add_", tensors, [&](size_t i) { tensors[i].add_(others[i], alpha); });
}
std::vector<Tensor> _foreach_add(TensorList tensors, ArrayRef<Scalar> scalars) {
  check_length("_foreach_add", tensors, scalars);
  return each("_foreach_add", tensors, [&](size_t i) { return tensors[i].add(scalars[i]); });
}
void _foreach_add_(TensorList tensors, ArrayRef<Scalar> scalars) {
  check_length("_foreach_add_", tensors, scalars);
  each_in_place("_foreach_add_", tensors, [&](size_t i) { tensors[i].add_(scalars[i]); });
}
std::vector<Tensor> _foreach_sub(TensorList tensors, const Scalar& scalar) {
  return each("_foreach_sub", tensors, [&](size_t i) { return tensors[i].sub(scalar); });
}
void _foreach_sub_(TensorList tensors, const Scalar& scalar) {
  each_in_place("_foreach_sub_", tensors, [&](size_t i) { tensors[i].sub_(scalar); });
}
std::vector<Tensor> _foreach_sub(TensorList tensors, TensorList others, const Scalar& alpha) {
  check_length("_foreach_sub", tensors, others);
  return each("_foreach_sub", tensors, [&](size_t i) { return tensors[i].sub(others[i], alpha); });
}
void _foreach_sub_(TensorList tensors, TensorList others, const Scalar& alpha) {
  check_length("_foreach_sub_", tensors, others);
  each_in_place("_foreach_sub_", tensors, [&](size_t i) { tensors[i].sub_(others[i], alpha); });
}
std::vector<Tensor> _foreach_sub(TensorList tensors, ArrayRef<Scalar> scalars) {
  check_length("_foreach_sub", tensors, scalars);
  return each("_foreach_sub", tensors, [&](size_t i) { return tensors[i].sub(scalars[i]); });
}
void _foreach_sub_(TensorList tensors, ArrayRef<Scalar> scalars) {
  check_length("_foreach_sub_", tensors, scalars);
  each_in_place("_foreach_sub_", tensors, [&](size_t i) { tensors[i].sub_(scalars[i]); });
}
std::vector<Tensor> _foreach_add(TensorList tensors, const Tensor& other, const Scalar& alpha) {
  return each("_foreach_add", tensors, [&](size_t i) { return tensors[i].add(other, alpha); });
}
void _foreach_add_(TensorList tensors, const Tensor& other, const Scalar& alpha) {
  each_in_place("_foreach_add_", tensors, [&](size_t i) { tensors[i].add_(other, alpha); });
}
std::vector<Tensor> _foreach_mul(TensorList tensors, const Scalar& scalar) {
  return each("_foreach_mul", tensors, [&](size_t i) { return tensors[i].mul(scalar); });
}
void _foreach_mul_(TensorList tensors, const Scalar& scalar) {
  each_in_place("_foreach_mul_", tensors, [&](size_t i) { tensors[i].mul_(scalar); });
}
std::vector<Tensor> _foreach_mul(TensorList tensors, TensorList others) {
  check_length("_foreach_mul", tensors, others);
  return each("_foreach_mul", tensors, [&](size_t i) { return tensors[i].mul(others[i]); });
}
void _foreach_mul_(TensorList tensors, TensorList others) {
  check_length("_foreach_mul_", tensors, others);
  each_in_place("_foreach_mul_", tensors, [&](size_t i) { tensors[i].mul_(others[i]); });
}
std::vector<Tensor> _foreach_mul(TensorList tensors, ArrayRef<Scalar> scalars) {
  check_length("_foreach_mul", tensors, scalars);
  return each("_foreach_mul", tensors, [&](size_t i) { return tensors[i].mul(scalars[i]); });
}
void _foreach_mul_(TensorList tensors, ArrayRef<Scalar> scalars) {
  check_length("_foreach_mul_", tensors, scalars);
  each_in_place("_foreach_mul_", tensors, [&](size_t i) { tensors[i].mul_(scalars[i]); });
}
std::vector<Tensor> _foreach_mul(TensorList tensors, const Tensor& other) {
  return each("_foreach_mul", tensors, [&](size_t i) { return tensors[i].mul(other); });
}
void _foreach_mul_(TensorList tensors, const Tensor& other) {
  each_in_place("_foreach_mul_", tensors, [&](size_t i) { tensors[i].mul_(other); });
}
std::vector<Tensor> _foreach_div(TensorList tensors, const Scalar& scalar) {
  return each("_foreach_div", tensors, [&](size_t i) { return tensors[i].div(scalar); });
}
void _foreach_div_(TensorList tensors, const Scalar& scalar) {
  each_in_place("_foreach_div_", tensors, [&](size_t i) { tensors[i].div_(scalar); });
}
std::vector<Tensor> _foreach_div(TensorList tensors, TensorList others) {
  check_length("_foreach_div", tensors, others);
  return each("_foreach_div", tensors, [&](size_t i) { return tensors[i].div(others[i]); });
}
void _foreach_div_(TensorList tensors, TensorList others) {
  check_length("_foreach_div_", tensors, others);
  each_in_place("_foreach_div_", tensors, [&](size_t i) { tensors[i].div_(others[i]); });
}
std::vector<Tensor> _foreach_div(TensorList tensors, ArrayRef<Scalar> scalars) {
  check_length("_foreach_div", tensors, scalars);
  return each("_foreach_div", tensors, [&](size_t i) { return tensors[i].div(scalars[i]); });
}
void _foreach_div_(TensorList tensors, ArrayRef<Scalar> scalars) {
  check_length("_foreach_div_", tensors, scalars);
  each_in_place("_foreach_div_", tensors, [&](size_t i) { tensors[i].div_(scalars[i]); });
}
std::vector<Tensor> _foreach_div(TensorList tensors, const Tensor& other) {
  return each("_foreach_div", tensors, [&](size_t i) { return tensors[i].div(other); });
}
void _foreach_div_(TensorList tensors, const Tensor& other) {
  each_in_place("_foreach_div_", tensors, [&](size_t i) { tensors[i].div_(other); });
}
std::vector<Tensor> _foreach_clamp_max(TensorList tensors, const Scalar& scalar) {
  return each("_foreach_clamp_max", tensors, [&](size_t i) { return tensors[i].clamp_max(scalar); });
}
void _foreach_clamp_max_(TensorList tensors, const Scalar& scalar) {
  each_in_place("_foreach_clamp_max_", tensors, [&](size_t i) { tensors[i].clamp_max_(scalar); });
}
std::vector<Tensor> _foreach_clamp_max(TensorList tensors, TensorList others) {
  check_length("_foreach_clamp_max", tensors, others);
  return each("_foreach_clamp_max", tensors, [&](size_t i) { return tensors[i].clamp_max(others[i]); });
}
void _foreach_clamp_max_(TensorList tensors, TensorList others) {
  check_length("_foreach_clamp_max_", tensors, others);
  each_in_place("_foreach_clamp_max_", tensors, [&](size_t i) { tensors[i].clamp_max_(others[i]); });
}
std::vector<Tensor> _foreach_clamp_max(TensorList tensors, ArrayRef<Scalar> scalars) {
  check_length("_foreach_clamp_max", tensors, scalars);
  return each("_foreach_clamp_max", tensors, [&](size_t i) { return tensors[i].clamp_max(scalars[i]); });
}
void _foreach_clamp_max_(TensorList tensors, ArrayRef<Scalar> scalars) {
  check_length("_foreach_clamp_max_", tensors, scalars);
  each_in_place("_foreach_clamp_max_", tensors, [&](size_t i) { tensors[i].clamp_max_(scalars[i]); });
}
std::vector<Tensor> _foreach_clamp_min(TensorList tensors, const Scalar& scalar) {
  return each("_foreach_clamp_min", tensors, [&](size_t i) { return tensors[i].clamp_min(scalar); });
}
void _foreach_clamp_min_(TensorList tensors, const Scalar& scalar) {
  each_in_place("_foreach_clamp_min_", tensors, [&](size_t i) { tensors[i].clamp_min_(scalar); });
}
std::vector<Tensor> _foreach_clamp_min(TensorList tensors, TensorList others) {
  check_length("_foreach_clamp_min", tensors, others);
  return each("_foreach_clamp_min", tensors, [&](size_t i) { return tensors[i].clamp_min(others[i]); });
}
void _foreach_clamp_min_(TensorList tensors, TensorList others) {
  check_length("_foreach_clamp_min_", tensors, others);
  each_in_place("_foreach_clamp_min_", tensors, [&](size_t i) { tensors[i].clamp_min_(others[i]); });
}
std::vector<Tensor> _foreach_clamp_min(TensorList tensors, ArrayRef<Scalar> scalars) {
  check_length("_foreach_clamp_min", tensors, scalars);
  return each("_foreach_clamp_min", tensors, [&](size_t i) { return tensors[i].clamp_min(scalars[i]); });
}
void _foreach_clamp_min_(TensorList tensors, ArrayRef<Scalar> scalars) {
  check_length("_foreach_clamp_min_", tensors, scalars);
  each_in_place("_foreach_clamp_min_", tensors, [&](size_t i) { tensors[i].clamp_min_(scalars[i]); });
}
std::vector<Tensor> _foreach_maximum(TensorList tensors, const Scalar& scalar) {
  return each("_foreach_maximum", tensors, [&](size_t i) { return kLarger(tensors[i], scalar); });
}
void _foreach_maximum_(TensorList tensors, const Scalar& scalar) {
  write_extremes("_foreach_maximum_", tensors, [&](const Tensor& t, size_t) { return kLarger(before(t), scalar); });
}
std::vector<Tensor> _foreach_maximum(TensorList tensors, TensorList others) {
  check_length("_foreach_maximum", tensors, others);
  return each("_foreach_maximum", tensors, [&](size_t i) { return maximum(tensors[i], others[i]); });
}
void _foreach_maximum_(TensorList tensors, TensorList others) {
  check_length("_foreach_maximum_", tensors, others);
  write_extremes("_foreach_maximum_", tensors,
                 [&](const Tensor& t, size_t i) { return maximum(before(t, others[i]), others[i]); });
}
std::vector<Tensor> _foreach_maximum(TensorList tensors, ArrayRef<Scalar> scalars) {
  check_length("_foreach_maximum", tensors, scalars);
  return each("_foreach_maximum", tensors, [&](size_t i) { return kLarger(tensors[i], scalars[i]); });
}
void _foreach_maximum_(TensorList tensors, ArrayRef<Scalar> scalars) {
  check_length("_foreach_maximum_", tensors, scalars);
  write_extremes("_foreach_maximum_", tensors,
                 [&](const Tensor& t, size_t i) { return kLarger(before(t), scalars[i]); });
}
std::vector<Tensor> _foreach_minimum(TensorList tensors, const Scalar& scalar) {
  return each("_foreach_minimum", tensors, [&](size_t i) { return kSmaller(tensors[i], scalar); });
}
void _foreach_minimum_(TensorList tensors, const Scalar& scalar) {
  write_extremes("_foreach_minimum_", tensors, [&](const Tensor& t, size_t) { return kSmaller(before(t), scalar); });
}
std::vector<Tensor> _foreach_minimum(TensorList tensors, TensorList others) {
  check_length("_foreach_minimum", tensors, others);
  return each("_foreach_minimum", tensors, [&](size_t i) { return minimum(tensors[i], others[i]); });
}
void _foreach_minimum_(TensorList tensors, TensorList others) {
  check_length("_foreach_minimum_", tensors, others);
  write_extremes("_foreach_minimum_", tensors,
                 [&](const Tensor& t, size_t i) { return minimum(before(t, others[i]), others[i]); });
}
std::vector<Tensor> _foreach_minimum(TensorList tensors, ArrayRef<Scalar> scalars) {
  check_length("_foreach_minimum", tensors, scalars);
  return each("_foreach_minimum", tensors, [&](size_t i) { return kSmaller(tensors[i], scalars[i]); });
}
void _foreach_minimum_(TensorList tensors, ArrayRef<Scalar> scalars) {
  check_length("_foreach_minimum_", tensors, scalars);
  write_extremes("_foreach_minimum_", tensors,
                 [&](const Tensor& t, size_t i) { return kSmaller(before(t), scalars[i]); });
}
std::vector<Tensor> _foreach_pow(TensorList tensors, const Scalar& scalar) {
  return each("_foreach_pow", tensors, [&](size_t i) { return tensors[i].pow(scalar); });
}
void _foreach_pow_(TensorList tensors, const Scalar& scalar) {
  each_in_place("_foreach_pow_", tensors, [&](size_t i) { tensors[i].pow_(scalar); });
}
std::vector<Tensor> _foreach_pow(TensorList tensors, TensorList others) {
  check_length("_foreach_pow", tensors, others);
  return each("_foreach_pow", tensors, [&](size_t i) { return tensors[i].pow(others[i]); });
}
void _foreach_pow_(TensorList tensors, TensorList others) {
  check_length("_foreach_pow_", tensors, others);
  each_in_place("_foreach_pow_", tensors, [&](size_t i) { tensors[i].pow_(others[i]); });
}
std::vector<Tensor> _foreach_pow(TensorList tensors, ArrayRef<Scalar> scalars) {
  check_length("_foreach_pow", tensors, scalars);
  return each("_foreach_pow", tensors, [&](size_t i) { return tensors[i].pow(scalars[i]); });
}
void _foreach_pow_(TensorList tensors, ArrayRef<Scalar> scalars) {
  check_length("_foreach_pow_", tensors, scalars);
  each_in_place("_foreach_pow_", tensors, [&](size_t i) { tensors[i].pow_(scalars[i]); });
}
std::vector<Tensor> _foreach_pow(const Scalar& self, TensorList exponents) {
  return each("_foreach_pow", exponents, [&](size_t i) { return pow(self, exponents[i]); });
}
std::vector<Tensor> _foreach_addcdiv(TensorList tensors, TensorList a, TensorList b, const Scalar& value) {
  check_length("_foreach_addcdiv", tensors, a);
  check_length("_foreach_addcdiv", tensors, b);
  return each("_foreach_addcdiv", tensors, [&](size_t i) { return tensors[i].addcdiv(a[i], b[i], value); });
}
std::vector<Tensor> _foreach_addcdiv(TensorList tensors, TensorList a, TensorList b, ArrayRef<Scalar> scalars) {
  check_length("_foreach_addcdiv", tensors, a);
  check_length("_foreach_addcdiv", tensors, b);
  check_length("_foreach_addcdiv", tensors, scalars);
  return each("_foreach_addcdiv", tensors, [&](size_t i) { return tensors[i].addcdiv(a[i], b[i], scalars[i]); });
}
std::vector<Tensor> _foreach_addcdiv(TensorList tensors, TensorList a, TensorList b, const Tensor& scalars) {
  return _foreach_addcdiv(tensors, a, b, ArrayRef<Scalar>(numbers_of("_foreach_addcdiv", scalars, tensors)));
}
void _foreach_addcdiv_(TensorList tensors, TensorList a, TensorList b, const Scalar& value) {
  check_length("_foreach_addcdiv_", tensors, a);
  check_length("_foreach_addcdiv_", tensors, b);
  each_in_place("_foreach_addcdiv_", tensors, [&](size_t i) { tensors[i].addcdiv_(a[i], b[i], value); });
}
void _foreach_addcdiv_(TensorList tensors, TensorList a, TensorList b, ArrayRef<Scalar> scalars) {
  check_length("_foreach_addcdiv_", tensors, a);
  check_length("_foreach_addcdiv_", tensors, b);
  check_length("_foreach_addcdiv_", tensors, scalars);
  each_in_place("_foreach_addcdiv_", tensors, [&](size_t i) { tensors[i].addcdiv_(a[i], b[i], scalars[i]); });
}
void _foreach_addcdiv_(TensorList tensors, TensorList a, TensorList b, const Tensor& scalars) {
  _foreach_addcdiv_(tensors, a, b, ArrayRef<Scalar>(numbers_of("_foreach_addcdiv_", scalars, tensors)));
}
std::vector<Tensor> _foreach_addcmul(TensorList tensors, TensorList a, TensorList b, const Scalar& value) {
  check_length("_foreach_addcmul", tensors, a);
  check_length("_foreach_addcmul", tensors, b);
  return each("_foreach_addcmul", tensors, [&](size_t i) { return tensors[i].addcmul(a[i], b[i], value); });
}
std::vector<Tensor> _foreach_addcmul(TensorList tensors, TensorList a, TensorList b, ArrayRef<Scalar> scalars) {
  check_length("_foreach_addcmul", tensors, a);
  check_length("_foreach_addcmul", tensors, b);
  check_length("_foreach_addcmul", tensors, scalars);
  return each("_foreach_addcmul", tensors, [&](size_t i) { return tensors[i].addcmul(a[i], b[i], scalars[i]); });
}
std::vector<Tensor> _foreach_addcmul(TensorList tensors, TensorList a, TensorList b, const Tensor& scalars) {
  return _foreach_addcmul(tensors, a, b, ArrayRef<Scalar>(numbers_of("_foreach_addcmul", scalars, tensors)));
}
void _foreach_addcmul_(TensorList tensors, TensorList a, TensorList b, const Scalar& value) {
  check_length("_foreach_addcmul_", tensors, a);
  check_length("_foreach_addcmul_", tensors, b);
  each_in_place("_foreach_addcmul_", tensors, [&](size_t i) { tensors[i].addcmul_(a[i], b[i], value); });
}
void _foreach_addcmul_(TensorList tensors, TensorList a, TensorList b, ArrayRef<Scalar> scalars) {
  check_length("_foreach_addcmul_", tensors, a);
  check_length("_foreach_addcmul_", tensors, b);
  check_length("_foreach_addcmul_", tensors, scalars);
  each_in_place("_foreach_addcmul_", tensors, [&](size_t i) { tensors[i].addcmul_(a[i], b[i], scalars[i]); });
}
void _foreach_addcmul_(TensorList tensors, TensorList a, TensorList b, const Tensor& scalars) {
  _foreach_addcmul_(tensors, a, b, ArrayRef<Scalar>(numbers_of("_foreach_addcmul_", scalars, tensors)));
}
std::vector<Tensor> _foreach_lerp(TensorList tensors, TensorList ends, TensorList weights) {
  check_length("_foreach_lerp", tensors, ends);
  check_length("_foreach_lerp", tensors, weights);
  return each("_foreach_lerp", tensors, [&](size_t i) { return tensors[i].lerp(ends[i], weights[i]); });
}
std::vector<Tensor> _foreach_lerp(TensorList tensors, TensorList ends, const Scalar& weight) {
  check_length("_foreach_lerp", tensors, ends);
  return each("_foreach_lerp", tensors, [&](size_t i) { return tensors[i].lerp(ends[i], weight); });
}
std::vector<Tensor> _foreach_lerp(TensorList tensors, TensorList ends, ArrayRef<Scalar> weights) {
  check_length("_foreach_lerp", tensors, ends);
  check_length("_foreach_lerp", tensors, weights);
  return each("_foreach_lerp", tensors, [&](size_t i) { return tensors[i].lerp(ends[i], weights[i]); });
}
void _foreach_lerp_(TensorList tensors, TensorList ends, TensorList weights) {
  check_length("_foreach_lerp_", tensors, ends);
  check_length("_foreach_lerp_", tensors, weights);
  each_in_place("_foreach_lerp_", tensors, [&](size_t i) { tensors[i].lerp_(ends[i], weights[i]); });
}
void _foreach_lerp_(TensorList tensors, TensorList ends, const Scalar& weight) {
  check_length("_foreach_lerp_", tensors, ends);
  each_in_place("_foreach_lerp_", tensors, [&](size_t i) { tensors[i].lerp_(ends[i], weight); });
}
void _foreach_lerp_(TensorList tensors, TensorList ends, ArrayRef<Scalar> weights) {
  check_length("_foreach_lerp_", tensors, ends);
  check_length("_foreach_lerp_", tensors, weights);
  each_in_place("_foreach_lerp_", tensors, [&](size_t i) { tensors[i].lerp_(ends[i], weights[i]); });
}

std::vector<Tensor> _foreach_norm(TensorList tensors, const Scalar& ord, std::optional<DType> dtype) {
  return each("_foreach_norm", tensors,
              [&](size_t i) { return linalg::vector_norm(tensors[i], ord, std::nullopt, /*keepdim=*/false, dtype); });
}
std::vector<Tensor> _foreach_max(TensorList tensors) {
  return each("_foreach_max", tensors, [&](size_t i) { return tensors[i].max(); });
}
void _foreach_zero_(TensorList tensors) {
  each_in_place("_foreach_zero_", tensors, [&](size_t i) { tensors[i].zero_(); });
}
void _foreach_copy_(TensorList tensors, TensorList sources, bool non_blocking) {
  check_length("_foreach_copy_", tensors, sources);
  each_in_place("_foreach_copy_", tensors, [&](size_t i) { tensors[i].copy_(sources[i], non_blocking); });
}

}  // namespace strata
