// Distances between pairs of vectors: the op with its rules, and the functions made of it.
#include "ops/distance.h"

#include <cmath>
#include <limits>

#include "core/autocast.h"
#include "core/grad_mode.h"
#include "core/thread_state.h"
#include "ops/as_result.h"
#include "ops/binary.h"
#include "ops/complex.h"
#include "ops/creation.h"
#include "ops/distance_def.h"
#include "ops/indexing.h"
#include "ops/linalg.h"
#include "ops/reduce.h"
#include "ops/rules.h"
#include "ops/shaping.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata {
namespace {

/// `factor / d` where the distance d is not 0, and 0 where it is.
Tensor over_distance(const Tensor& factor, const Tensor& d) {
  const Tensor zero = eq(d, 0);
  return where(zero, 0, div(factor, where(zero, 1, d)));
}

Tensor differences(const Tensor& a, const Tensor& b) { return sub(unsqueeze(a, -2), unsqueeze(b, -3)); }

/// The derivatives `(..., m, n, k)` of the distances d by the differences.
Tensor slopes(const Tensor& difference, const Tensor& d, double p) {
  const Tensor each = unsqueeze(d, -1);
  if (p == 0) return zeros_like(difference);
  if (p == 1) return sgn(difference);
  if (std::isinf(p)) return mul(sgn(difference), eq(abs(difference), each).to(d.dtype()));
  if (p == 2) return over_distance(difference, each);
  const Tensor zero = logical_or(eq(difference, 0), eq(each, 0));
  const Tensor ratio = div(where(zero, 1, abs(difference)), where(zero, 1, each));
  return where(zero, 0, mul(sgn(difference), pow(ratio, p - 1)));
}

Tensor pull_differences(const Tensor& g, const Tensor& a, const Tensor& b) {
  return call1(pull_differences_op, {&g, &a, &b});
}

/// The gradient by a of distances d between all pairs of a and b, from that by d.
Tensor by_first(const Tensor& grad, const Tensor& a, const Tensor& b, const Tensor& d, double p) {
  if (p == 2) return pull_differences(over_distance(grad, d), a, b);
  if (p == 1) return call1(pull_signs_op, {&grad, &a, &b});
  return mul(unsqueeze(grad, -1), slopes(differences(a, b), d, p)).sum({-2});
}

Tensors cdist_vjp(const Vjp& c, const CdistParams& p) {
  const Tensor &a = c.in(0), &b = c.in(1), &d = c.out();
  Tensors grads = Tensors::undefined(2);
  if (p.p == 0) return {rules::zero_like(a), rules::zero_like(b)};  // slopes of 0 times a gradient may be NaN
  if (p.p != 1 && p.p != 2 && c.needs(0) && c.needs(1)) {
    const Tensor g = mul(unsqueeze(c.grad(), -1), slopes(differences(a, b), d, p.p));
    return {g.sum({-2}), g.sum({-3}).neg()};
  }
  if (c.needs(0)) grads[0] = by_first(c.grad(), a, b, d, p.p);
  if (c.needs(1)) grads[1] = by_first(c.grad().mT(), b, a, d.mT(), p.p);
  return grads;
}

Tensor cdist_jvp(const Jvp& c, const CdistParams& p) {
  const Tensor &a = c.in(0), &b = c.in(1);
  const Tensor ta = c.tangent(0).defined() ? c.tangent(0) : rules::zero_like(a);
  const Tensor tb = c.tangent(1).defined() ? c.tangent(1) : rules::zero_like(b);
  return mul(slopes(differences(a, b), c.out(), p.p), differences(ta, tb)).sum({-1});
}

/// Elements `(..., m, m)` of all pairs, of those i < j.
Tensor of_pairs(const Tensor& all, int64_t m) {
  const Tensor places = empty({m * (m - 1) / 2}, TensorOptions(kLong));
  int64_t* to = places.data_ptr<int64_t>();
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = i + 1; j < m; ++j) *to++ = i * m + j;
  return index_select(flatten(all, -2), -1, places.to(all.device()));
}
/// For each of m^2 places (i, j) that of its pair, (j, i) being the same, and for (i, i) one behind all pairs.
Tensor places_of_pairs(int64_t m, Device device) {
  const Tensor places = empty({m * m}, TensorOptions(kLong));
  int64_t* to = places.data_ptr<int64_t>();
  const auto place = [m](int64_t i, int64_t j) { return i * (2 * m - i - 1) / 2 + j - i - 1; };
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < i; ++j) *to++ = place(j, i);
    *to++ = m * (m - 1) / 2;
    for (int64_t j = i + 1; j < m; ++j) *to++ = place(i, j);
  }
  return places.to(device);
}
/// The reverse of of_pairs: (i, j) and (j, i) have what the pair has, and (i, i) is 0.
Tensor for_all_pairs(const Tensor& pairs, int64_t m, const Tensor& places) {
  return unflatten(index_select(constant_pad_nd(pairs, {0, 1}), -1, places), -1, {m, m});
}

}  // namespace

STRATA_OP(pdist_op) = op<CdistParams>("pdist(Tensor x, float p) -> Tensor")
                          .infer([](Args in) {
                            DimVector sizes = in[0].sizes();
                            const int64_t m = in[0].size(-2);
                            sizes.erase(in[0].dim() - 1);
                            sizes.back() = m * (m - 1) / 2;
                            return meta(sizes, in[0].dtype(), in[0].device());
                          })
                          .vjp([](const Vjp& c, const CdistParams& p) -> Tensors {
                            if (p.p == 0) return rules::zero_like(c.in(0));  // as cdist's
                            const int64_t m = c.in(0).size(-2);
                            const Tensor &x = c.in(0), &d = c.out();
                            const Tensor places = places_of_pairs(m, x.device());
                            const auto for_all = [&](const Tensor& pairs) { return for_all_pairs(pairs, m, places); };
                            if (p.p == 2) return pull_differences(for_all(over_distance(c.grad(), d)), x, x);
                            if (p.p == 1) {  // d is not looked at
                              // Infinity less itself has no sign, but (i, i) is no pair: x counts as finite.
                              const Tensor finite = nan_to_num(x, std::numeric_limits<double>::quiet_NaN());
                              return by_first(for_all(c.grad()), finite, finite, d, p.p);
                            }
                            return by_first(for_all(c.grad()), x, x, for_all(d), p.p);
                          })
                          .saves(saves_in(0) | saves_out(0))
                          .jvp([](const Jvp& c, const CdistParams& p) -> Tensors {
                            const Tensor &x = c.in(0), &t = c.tangent();
                            const int64_t m = x.size(-2);
                            const Tensor d = for_all_pairs(c.out(), m, places_of_pairs(m, x.device()));
                            return of_pairs(mul(slopes(differences(x, x), d, p.p), differences(t, t)).sum({-1}),
                                            x.size(-2));
                          })
                          .batch(pointwise_batch)
                          .autocast(AutocastPolicy::kFloat32)
                          .dtypes(kSingleAndDouble)
                          .decompose([](Args in, const CdistParams& p) -> Tensors {
                            return of_pairs(call1(cdist_op, {&in[0], &in[0]}, p), in[0].size(-2));
                          });

STRATA_OP(cdist_op) = op<CdistParams>("cdist(Tensor x1, Tensor x2, float p) -> Tensor")
                          .infer([](Args in) {
                            DimVector sizes = in[0].sizes();
                            sizes.back() = in[1].size(-2);
                            return meta(sizes, in[0].dtype(), in[0].device());
                          })
                          .vjp([](const Vjp& c, const CdistParams& p) { return cdist_vjp(c, p); })
                          .saves(saves_in(0, 1) | saves_out(0))
                          .jvp([](const Jvp& c, const CdistParams& p) -> Tensors { return cdist_jvp(c, p); })
                          .batch(pointwise_batch)
                          .autocast(AutocastPolicy::kFloat32)
                          .dtypes(kSingleAndDouble);

// Linear in g; between its steps a sign does not change.
STRATA_OP(pull_signs_op) = op("pull_signs(Tensor g, Tensor a, Tensor b) -> Tensor")
                               .infer([](Args in) { return meta_like(in[1]); })
                               .vjp([](const Vjp& c, const NoParams&) -> Tensors {
                                 Tensors grads = Tensors::undefined(3);
                                 const Tensor signs = sgn(differences(c.in(1), c.in(2)));
                                 if (c.needs(0)) grads[0] = mul(unsqueeze(c.grad(), -2), signs).sum({-1});
                                 return grads;
                               })
                               .saves(saves_in(1, 2))
                               .jvp([](const Jvp& c, const NoParams&) -> Tensors {
                                 if (!c.tangent(0).defined()) return Tensor();
                                 return call1(pull_signs_op, {&c.tangent(0), &c.in(1), &c.in(2)});
                               })
                               .batch(pointwise_batch)
                               .autocast(AutocastPolicy::kFloat32)
                               .dtypes(kSingleAndDouble)
                               .decompose([](Args in) -> Tensors {
                                 return mul(unsqueeze(in[0], -1), sgn(differences(in[1], in[2]))).sum({-2});
                               });

STRATA_OP(pull_differences_op) =
    op("pull_differences(Tensor g, Tensor a, Tensor b) -> Tensor")
        .infer([](Args in) { return meta_like(in[1]); })
        .vjp([](const Vjp& c, const NoParams&) -> Tensors {
          const Tensor &g = c.in(0), &a = c.in(1), &b = c.in(2);
          Tensors grads = Tensors::undefined(3);
          if (c.needs(0)) grads[0] = mul(unsqueeze(c.grad(), -2), differences(a, b)).sum({-1});
          if (c.needs(1)) grads[1] = mul(c.grad(), g.sum({-1}, true));
          if (c.needs(2)) grads[2] = matmul(g.mT(), c.grad()).neg();
          return grads;
        })
        .saves(saves_in(0, 1, 2))
        .jvp([](const Jvp& c, const NoParams&) -> Tensors {
          const auto tangent = [&](int i) { return c.tangent(i).defined() ? c.tangent(i) : rules::zero_like(c.in(i)); };
          const bool moved = c.tangent(1).defined() || c.tangent(2).defined();
          const Tensor by_points = moved ? pull_differences(c.in(0), tangent(1), tangent(2)) : Tensor();
          if (!c.tangent(0).defined()) return by_points;
          const Tensor by_factors = pull_differences(c.tangent(0), c.in(1), c.in(2));
          return moved ? add(by_factors, by_points) : by_factors;
        })
        .batch(pointwise_batch)
        .autocast(AutocastPolicy::kFloat32)
        .dtypes(kSingleAndDouble)
        .decompose([](Args in) -> Tensors { return mul(unsqueeze(in[0], -1), differences(in[1], in[2])).sum({-2}); });

namespace {

/// |a|^2 + |b|^2 - 2 a b, all summed by one product, and its root, whose derivative is 0 at 0.
Tensor by_products(const Tensor& a, const Tensor& b) {
  const Tensor squares_a = a.square().sum({-1}, true), squares_b = b.square().sum({-1}, true);
  const Tensor left = cat({mul(a, -2), squares_a, ones_like(squares_a)}, -1);
  const Tensor right = cat({b, ones_like(squares_b), squares_b}, -1);
  Tensor squares = matmul(left, right.mT());
  const bool derived = (GradMode::is_enabled() && (a.requires_grad() || b.requires_grad())) ||
                       a.keys().has(Key::Transform) || b.keys().has(Key::Transform);
  if (!derived) return squares.clamp_min_(0).sqrt_();
  squares = clamp_min(squares, 0);
  const Tensor zero = eq(squares, 0);
  return where(zero, 0, sqrt(where(zero, 1, squares)));
}

Tensor in_float(const Tensor& x) { return x.dtype() == kDouble ? x : x.to(kFloat); }

Tensor with_leading(const Tensor& x, DimVector lead) {
  lead.push_back(x.size(-2)), lead.push_back(x.size(-1));
  return x.sizes() == IntArrayRef(lead) ? x : expand(x, lead);
}

}  // namespace

Tensor cdist(const Tensor& x1, const Tensor& x2, double p, std::optional<int64_t> compute_mode) {
  STRATA_CHECK(x1.is_floating_point(), "cdist: only supports floating-point dtypes, X1 got: {}", name(x1.dtype()));
  STRATA_CHECK(x2.is_floating_point(), "cdist: only supports floating-point dtypes, X2 got: {}", name(x2.dtype()));
  if (autocast::active_dtype(x1.device().type())) {
    // What the op's policy says also where products are in its place, which autocast would compute in 16 bits.
    const KeyOff as_given(Key::Autocast);
    return cdist(in_float(x1), in_float(x2), p, compute_mode);
  }
  STRATA_CHECK(x1.dim() >= 2 && x2.dim() >= 2, "cdist: only supports at least 2D tensors, got shapes {} and {}",
               x1.sizes(), x2.sizes());
  STRATA_CHECK(x1.dtype() == x2.dtype(), "cdist: expected operands of the same dtype, but got {} and {}",
               name(x1.dtype()), name(x2.dtype()));
  STRATA_CHECK(x1.size(-1) == x2.size(-1), "cdist: X1 and X2 must have the same number of columns, got {} and {}",
               x1.sizes(), x2.sizes());
  STRATA_CHECK(p >= 0, "cdist: only supports non-negative p values, got {}", p);
  const int64_t mode = compute_mode.value_or(0);
  STRATA_CHECK(mode >= 0 && mode <= 2, "cdist: possible modes are 0, 1 and 2, but was {}", mode);
  const DimVector lead =
      broadcast_shapes(x1.sizes().slice(0, x1.sizes().size() - 2), x2.sizes().slice(0, x2.sizes().size() - 2), "cdist");
  const Tensor a = with_leading(x1, lead), b = with_leading(x2, lead);
  const bool many = a.size(-2) > 25 || b.size(-2) > 25;
  if (p == 2 && a.size(-1) > 0 && (mode == 1 || (mode == 0 && many))) return by_products(a, b);
  return call1(cdist_op, {&a, &b}, CdistParams{p});
}

Tensor pdist(const Tensor& x, double p) {
  STRATA_CHECK(x.dim() == 2, "pdist: only supports 2D tensors, got shape {}", x.sizes());
  STRATA_CHECK(x.is_floating_point(), "pdist: only supports floating-point dtypes, got {}", name(x.dtype()));
  STRATA_CHECK(p >= 0, "pdist: only supports non-negative p values, got {}", p);
  const int64_t m = x.size(0);
  if (m <= 1) return narrow(reshape(x, {-1}), 0, 0, 0).clone();
  return call1(pdist_op, {&x}, CdistParams{p});
}

}  // namespace strata
