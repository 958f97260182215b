// The functions of lists of tensors: which of them go to a kernel together, and the ops.
#include "ops/foreach.h"

#include <algorithm>
#include <cmath>
#include <list>
#include <vector>

#include "ops/as_reals.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/foreach_def.h"
#include "ops/reduce.h"
#include "ops/rules.h"
#include "ops/shaping.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata {

namespace {

DType norm_type_of(DType t) { return t == kDouble ? kDouble : kFloat; }

}  // namespace

STRATA_OP(total_norm_op) =
    op<TotalNormParams>("total_norm(Tensor[] tensors, float p) -> Tensor")
        .flag(kNotDifferentiable)
        .infer([](Args in) { return meta({}, norm_type_of(in[0].dtype()), in[0].device()); })
        .batch([](const Batch& c, const TotalNormParams& p) {
          std::vector<Tensor> norms;
          for (size_t i = 0; i < c.arity(); ++i) {
            const int64_t count = c.batched(i) ? c.size : 1;
            const int64_t numel = numel_of(c.batched(i) ? c.in(i).sizes().slice(1) : c.in(i).sizes());
            const Tensor rows = cast(c.in(i).reshape({count, numel}), norm_type_of(c.in(i).dtype()));
            norms.push_back(norm(rows, p.p, {1}).expand({c.size}));
          }
          return Tensors(norm(stack(norms), p.p, {0}));
        })
        .dtypes(kFloatingTypes);
STRATA_OP(foreach_mul_op) = pointwise_constant("foreach_mul(Tensor[] tensors, Tensor factor) -> Tensor")
                                .flag(kUpdatesInput0 | kUpdatesInputs)
                                .dtypes(kFloatingTypes);
STRATA_OP(foreach_clip_norm_op) = pointwise_constant<ForeachClipNormParams>(
                                      "foreach_clip_norm(Tensor[] tensors, Tensor norm, float max_norm) -> Tensor")
                                      .flag(kUpdatesInput0 | kUpdatesInputs)
                                      .dtypes(kFloatingTypes);
STRATA_OP(foreach_clamp_op) =
    pointwise_constant<ForeachClampParams>("foreach_clamp(Tensor[] tensors, float min, float max) -> Tensor")
        .flag(kUpdatesInput0 | kUpdatesInputs)
        .dtypes(kFloatingTypes);
STRATA_OP(foreach_zero_op) = pointwise_constant("foreach_zero(Tensor[] tensors) -> Tensor")
                                 .flag(kUpdatesInput0 | kUpdatesInputs)
                                 .dtypes(kFloatingTypes);

namespace {

void check_floating(const char* name_of, ArrayRef<Tensor> tensors, DTypes taken = kFloatingTypes | kComplexTypes) {
  for (const Tensor& t : tensors)
    STRATA_CHECK(t.defined() && taken.has(t.dtype()), "{}: the tensors must be floating point{}, got {}", name_of,
                 taken == kFloatingTypes ? "" : " or complex", t.defined() ? name(t.dtype()) : "an undefined one");
}

using Pointers = std::vector<const Tensor*>;

/// use(tensors) for those of each dtype and device, in the order of their first.
template <class Use>
void for_each_kind(Pointers rest, Use use) {
  while (!rest.empty()) {
    const auto end = std::stable_partition(rest.begin(), rest.end(), [first = rest[0]](const Tensor* t) {
      return t->dtype() == first->dtype() && t->device() == first->device();
    });
    use(Pointers(rest.begin(), end));
    rest.erase(rest.begin(), end);
  }
}

/// Updates the tensors in place: by `op`, and by `one` those that its kernels do not take as they are, and all of them
/// inside of a transform, which sees single results. `more` gives the op's other inputs on a device.
template <class P, class More, class One>
void update(const Op& op, ArrayRef<Tensor> tensors, const P& params, More more, One one) {
  const NoGradGuard no_grad;
  const bool one_by_one = thread_state.included.has(Key::Transform);
  Pointers direct;
  direct.reserve(tensors.size() + 1);
  std::list<Tensor> pairs;  // whose addresses stay
  for (const Tensor& t : tensors) {
    if (t.is_contiguous() && !one_by_one) {
      direct.push_back(t.is_complex() ? &pairs.emplace_back(view_as_real(t)) : &t);
      continue;
    }
    Tensor to = as_reals(t);
    one(to);
  }
  for_each_kind(std::move(direct), [&](Pointers alike) {
    const size_t count = alike.size();
    const Tensor extra = more(alike[0]->device());
    if (extra.defined()) alike.push_back(&extra);
    Tensor first = *alike[0];
    call_inplace(op, first, Args(alike.data(), alike.size()), params);
    for (size_t i = 1; i < count; ++i) alike[i]->storage()->bump_version();
  });
}
constexpr auto kNothingMore = [](Device) { return Tensor(); };

/// The norm of norms, on the first one's device.
Tensor norm_of_norms(std::vector<Tensor> norms, double p) {
  if (norms.size() == 1) return norms[0];
  const auto is_double = [](const Tensor& t) { return t.dtype() == kDouble; };
  const DType type = std::any_of(norms.begin(), norms.end(), is_double) ? kDouble : kFloat;
  for (Tensor& t : norms) t = t.to(norms[0].device(), type);
  return norm(stack(norms), p);
}

}  // namespace

Tensor total_norm(ArrayRef<Tensor> tensors, double p) {
  check_floating("total_norm", tensors);
  const NoGradGuard no_grad;
  std::vector<Tensor> with_elements, norms;
  with_elements.reserve(tensors.size());
  for (const Tensor& t : tensors)
    if (t.numel() > 0) with_elements.push_back(!t.is_complex() ? t : p == 2 ? view_as_real(t) : abs(t));
  if (with_elements.empty())
    return tensors.empty() ? zeros({})
                           : zeros({}, tensors[0].options().dtype(norm_type_of(to_real_dtype(tensors[0].dtype()))));
  if (p != 1 && p != 2 && p != INFINITY) {
    for (const Tensor& t : with_elements) norms.push_back(norm(cast(t, norm_type_of(t.dtype())), p));
    return norm_of_norms(std::move(norms), p);
  }
  Pointers all;
  for (const Tensor& t : with_elements) all.push_back(&t);
  for_each_kind(std::move(all), [&](const Pointers& alike) {
    norms.push_back(call1(total_norm_op, Args(alike.data(), alike.size()), TotalNormParams{p}));
  });
  return norm_of_norms(std::move(norms), p);
}

namespace {

/// A number as the kernels take it.
Tensor number(const char* name, const Tensor& t) {
  STRATA_CHECK(t.defined() && t.numel() == 1, "{}: the factor or norm must have one element", name);
  return t.detach().to(kDouble).contiguous();
}

void scale(Tensor& t, const Tensor& factor) {
  const DType wide = norm_type_of(t.dtype());
  t.copy_(cast(t, wide).mul(factor.reshape({}).to(t.device(), wide)));
}

}  // namespace

void foreach_mul_(ArrayRef<Tensor> tensors, const Tensor& factor) {
  check_floating("foreach_mul_", tensors);
  const NoGradGuard no_grad;
  const Tensor f = number("foreach_mul_", factor);
  update(
      foreach_mul_op, tensors, NoParams(), [&](Device d) { return f.to(d); }, [&](Tensor& t) { scale(t, f); });
}

void foreach_clip_norm_(ArrayRef<Tensor> tensors, const Tensor& norm, double max_norm) {
  check_floating("foreach_clip_norm_", tensors);
  const NoGradGuard no_grad;
  const Tensor n = number("foreach_clip_norm_", norm);
  update(
      foreach_clip_norm_op, tensors, ForeachClipNormParams{max_norm}, [&](Device d) { return n.to(d); },
      [&](Tensor& t) { scale(t, ((n + 1e-6).reciprocal() * max_norm).clamp_max(1)); });
}

void foreach_clamp_(ArrayRef<Tensor> tensors, double min, double max) {
  check_floating("foreach_clamp_", tensors, kFloatingTypes);
  update(foreach_clamp_op, tensors, ForeachClampParams{min, max}, kNothingMore, [&](Tensor& t) { t.clamp_(min, max); });
}

void foreach_zero_(ArrayRef<Tensor> tensors) {
  check_floating("foreach_zero_", tensors);
  update(foreach_zero_op, tensors, NoParams(), kNothingMore, [](Tensor& t) { t.zero_(); });
}

}  // namespace strata
