// Softmax and log-softmax: fused forward and backward ops and their rules.
#include "ops/softmax.h"

#include "core/called.h"
#include "ops/binary.h"
#include "ops/reduce.h"
#include "ops/rules.h"
#include "ops/softmax_def.h"
#include "ops/unary.h"

namespace strata {
namespace {

constexpr Builder<DimParams> along_dim(const char* schema) {
  return op<DimParams>(schema).infer([](Args in) { return meta_like(in[0]); }).batch(shift_dims<&DimParams::dim>);
}

/// Tensors without dims have one dim of one element; as examples of vmap they have it behind all others.
Tensor sum_along(const Tensor& x, int64_t dim) { return dim >= x.dim() ? x : sum(x, dim, true); }

/// x less the largest along the dim, so that no exponential of it overflows.
Tensor below_largest(const Tensor& x, int64_t dim) {
  return dim >= x.dim() || x.numel() == 0 ? x - x : x - amax(x, dim, true);
}

/// The derivative of g -> y (g - sum(g y)) in direction `t`, the Jacobian of softmax being symmetric.
Tensor softmax_jacobian(const Tensor& t, const Tensor& y, const DimParams& p) {
  return call1(softmax_backward_op, {&t, &y}, p);
}

/// (d/dy of the softmax backward at g) applied to `t`; `along` multiplies or is multiplied under the sum.
Tensor softmax_backward_dy(const Tensor& g, const Tensor& y, const Tensor& t, const DimParams& p, bool transposed) {
  const Tensor first = t * (g - sum_along(g * y, p.dim));
  return transposed ? first - g * sum_along(t * y, p.dim) : first - y * sum_along(g * t, p.dim);
}

}  // namespace

STRATA_OP(softmax_op) =
    along_dim("softmax(Tensor x, int dim) -> Tensor")
        .vjp([](const Vjp& c, const DimParams& p) -> Tensors { return softmax_jacobian(c.grad(), c.out(), p); })
        .jvp([](const Jvp& c, const DimParams& p) -> Tensors { return softmax_jacobian(c.tangent(), c.out(), p); })
        .saves(saves_out(0))
        .autocast(AutocastPolicy::kFloat32)
        .decompose([](Args in, const DimParams& p) {
          const Tensor e = exp(below_largest(in[0], p.dim));
          return Tensors(e / sum_along(e, p.dim));
        })
        .dtypes(kFloatingTypes);

STRATA_OP(log_softmax_op) = along_dim("log_softmax(Tensor x, int dim) -> Tensor")
                                .vjp([](const Vjp& c, const DimParams& p) -> Tensors {
                                  return call1(log_softmax_backward_op, {&c.grad(), &c.out()}, p);
                                })
                                .jvp([](const Jvp& c, const DimParams& p) -> Tensors {
                                  return c.tangent() - sum_along(exp(c.out()) * c.tangent(), p.dim);
                                })
                                .saves(saves_out(0))
                                .autocast(AutocastPolicy::kFloat32)
                                .decompose([](Args in, const DimParams& p) {
                                  const Tensor z = below_largest(in[0], p.dim);
                                  return Tensors(z - log(sum_along(exp(z), p.dim)));
                                })
                                .dtypes(kFloatingTypes);

STRATA_OP(softmax_backward_op) = along_dim("softmax_backward(Tensor grad, Tensor y, int dim) -> Tensor")
                                     .vjp([](const Vjp& c, const DimParams& p) {
                                       Tensors grads = Tensors::undefined(2);
                                       if (c.needs(0)) grads[0] = softmax_jacobian(c.grad(), c.in(1), p);
                                       if (c.needs(1))
                                         grads[1] = softmax_backward_dy(c.in(0), c.in(1), c.grad(), p, true);
                                       return grads;
                                     })
                                     .saves_for(0, saves_in(1))
                                     .saves_for(1, saves_in(0, 1))
                                     .jvp([](const Jvp& c, const DimParams& p) -> Tensors {
                                       Tensor dg, dy;
                                       if (c.tangent(0).defined()) dg = softmax_jacobian(c.tangent(0), c.in(1), p);
                                       if (c.tangent(1).defined())
                                         dy = softmax_backward_dy(c.in(0), c.in(1), c.tangent(1), p, false);
                                       return rules::add_defined(dg, dy);
                                     })
                                     .decompose([](Args in, const DimParams& p) {
                                       return Tensors(in[1] * (in[0] - sum_along(in[0] * in[1], p.dim)));
                                     })
                                     .dtypes(kFloatingTypes);

// dx = g - exp(y) sum(g)
STRATA_OP(log_softmax_backward_op) = along_dim("log_softmax_backward(Tensor grad, Tensor y, int dim) -> Tensor")
                                         .vjp([](const Vjp& c, const DimParams& p) {
                                           const Tensor& y = c.in(1);
                                           Tensors grads = Tensors::undefined(2);
                                           if (c.needs(0)) grads[0] = c.grad() - sum_along(exp(y) * c.grad(), p.dim);
                                           if (c.needs(1)) grads[1] = -(c.grad() * exp(y) * sum_along(c.in(0), p.dim));
                                           return grads;
                                         })
                                         .saves_for(0, saves_in(1))
                                         .saves_for(1, saves_in(0, 1))
                                         .jvp([](const Jvp& c, const DimParams& p) -> Tensors {
                                           const Tensor& y = c.in(1);
                                           Tensor dg, dy;
                                           if (c.tangent(0).defined())
                                             dg = call1(log_softmax_backward_op, {&c.tangent(0), &y}, p);
                                           if (c.tangent(1).defined())
                                             dy = -(c.tangent(1) * exp(y) * sum_along(c.in(0), p.dim));
                                           return rules::add_defined(dg, dy);
                                         })
                                         .decompose([](Args in, const DimParams& p) {
                                           return Tensors(in[0] - exp(in[1]) * sum_along(in[0], p.dim));
                                         })
                                         .dtypes(kFloatingTypes);

namespace {
Tensor softmax_of(const Op& op, const char* name, const Tensor& x, int64_t dim, std::optional<DType> dtype) {
  const DimParams p{wrap_dim(dim, x.dim(), name)};
  const Tensor y = dtype && *dtype != x.dtype() ? x.to(*dtype) : x;
  STRATA_CHECK_AS(NotImplementedError, y.is_floating_point(),
                  "{}: expected a floating point tensor, got {}; convert it or pass a dtype", name,
                  strata::name(y.dtype()));
  return call1(op, {&y}, p);
}
}  // namespace

Tensor softmax(const Tensor& x, int64_t dim, std::optional<DType> dtype) {
  return softmax_of(softmax_op, "softmax", x, dim, dtype);
}
Tensor log_softmax(const Tensor& x, int64_t dim, std::optional<DType> dtype) {
  return softmax_of(log_softmax_op, "log_softmax", x, dim, dtype);
}
Tensor softmin(const Tensor& x, int64_t dim, std::optional<DType> dtype) {
  const Called called;
  return softmax(-x, dim, dtype);
}

Tensor Tensor::softmax(int64_t dim, std::optional<DType> dtype) const { return strata::softmax(*this, dim, dtype); }
Tensor Tensor::log_softmax(int64_t dim, std::optional<DType> dtype) const {
  return strata::log_softmax(*this, dim, dtype);
}

}  // namespace strata
