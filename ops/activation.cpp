// Activation functions: fused ops where speed or numerical safety asks for one, else compositions.
#include "ops/activation.h"

#include <limits>
#include <numbers>

#include "core/called.h"
#include "ops/activation_def.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/glu_def.h"
#include "ops/gradient_op.h"
#include "ops/promote.h"
#include "ops/rules.h"
#include "ops/shaping.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/unary_def.h"
#include "ops/view.h"

namespace strata {
namespace {

constexpr double kGeluRoot = 0.79788456080286535588, kGeluCube = 0.044715;  // sqrt(2 / pi)

/// What gelu multiplies x by: the normal distribution up to x, or nearly that.
Tensor gelu_share(const Tensor& x, bool by_tanh) {
  const Tensor inner = by_tanh ? tanh(x * (1 + square(x) * kGeluCube) * kGeluRoot) : erf(x * (1 / std::numbers::sqrt2));
  return 0.5 * (1 + inner);
}

/// The derivative of gelu.
Tensor gelu_derivative(const Tensor& x, bool by_tanh) {
  const Tensor share = gelu_share(x, by_tanh), x2 = square(x);
  if (!by_tanh) return share + x * exp(x2 * -0.5) * (std::numbers::inv_sqrtpi / std::numbers::sqrt2);
  return share + 2 * x * share * (1 - share) * (1 + x2 * (3 * kGeluCube)) * kGeluRoot;
}

/// The derivative of gelu's derivative.
Tensor gelu_curvature(const Tensor& x, bool by_tanh) {
  const Tensor x2 = square(x);
  if (!by_tanh) return exp(x2 * -0.5) * (2 - x2) * (std::numbers::inv_sqrtpi / std::numbers::sqrt2);
  const Tensor t = tanh(x * (1 + x2 * kGeluCube) * kGeluRoot), slope = (1 + x2 * (3 * kGeluCube)) * kGeluRoot;
  const Tensor bend = x * (6 * kGeluCube * kGeluRoot) - 2 * t * square(slope);
  return (1 - square(t)) * (slope + 0.5 * x * bend);
}

/// A one of the same shape and dtype, one element of memory.
Tensor one_like(const Tensor& x) { return constant(1, x.dtype(), x.device(), x.sizes()); }
Tensor gelu_slope(const Tensor& t, const Tensor& x, const GeluParams& p) {
  return call1(gelu_backward_op, {&t, &x}, p);
}
Tensor silu_slope(const Tensor& t, const Tensor& x) { return call1(silu_backward_op, {&t, &x}); }

/// What mish multiplies x by.
Tensor mish_share(const Tensor& x) { return tanh(softplus(x)); }
/// The derivative of that, given it.
Tensor mish_share_slope(const Tensor& x, const Tensor& share) { return sigmoid(x) * (1 - square(share)); }

/// The halves of x along a dim.
struct Halves {
  Tensor first, second;
  Halves(const Tensor& x, int64_t dim) {
    const int64_t half = x.size(dim) / 2;
    first = narrow(x, dim, 0, half), second = narrow(x, dim, half, half);
  }
};
constexpr Builder<GluParams> along_halves(const char* schema) {
  return op<GluParams>(schema).batch(shift_dims<&GluParams::dim>).dtypes(kFloatingTypes);
}
/// How glu grows at x in direction t.
Tensor glu_along(const Tensor& t, const Tensor& x, int64_t dim) {
  const Halves u(t, dim), v(x, dim);
  return call1(glu_op, {&u.first, &v.second}) + call1(glu_gate_op, {&u.second, &v.first, &v.second});
}
/// How the gradient of glu, whose result's is g, grows at x in direction t: a symmetric map of t.
Tensor glu_curve(const Tensor& t, const Tensor& g, const Tensor& x, int64_t dim) {
  const Halves u(t, dim), v(x, dim);
  const Tensor s = sigmoid(v.second), slope = g * (s * (1 - s));
  return cat({slope * u.second, slope * (u.first + v.first * (1 - 2 * s) * u.second)}, dim);
}

/// An op whose derivative times a cotangent or tangent is `backward` of it and the input.
template <Op& backward, class P>
constexpr auto activation(const char* schema) {
  return pointwise<P>(schema, one)
      .vjp([](const Vjp& c, const P& p) {
        return Tensors(call1(backward, {&c.grad(), &c.in(0)}, p));
      })
      .saves(saves_in(0))
      .jvp([](const Jvp& c, const P& p) {
        return Tensors(call1(backward, {&c.tangent(), &c.in(0)}, p));
      });
}

}  // namespace

STRATA_OP(gelu_op) =
    pointwise<GeluParams>("gelu(Tensor x, bool tanh) -> Tensor", one)
        .vjp([](const Vjp& c, const GeluParams& p) { return Tensors(gelu_slope(c.grad(), c.in(0), p)); })
        .saves(saves_in(0))
        .jvp([](const Jvp& c, const GeluParams& p) { return Tensors(gelu_slope(c.tangent(), c.in(0), p)); })
        .decompose([](Args in, const GeluParams& p) { return Tensors(in[0] * gelu_share(in[0], p.tanh)); })
        .dtypes(kFloatingTypes);
STRATA_OP(gelu_backward_op) =
    gradient_op<GeluParams>("gelu_backward(Tensor grad, Tensor x, bool tanh) -> Tensor", [](const Primals& c,
                                                                                            const GeluParams& p) {
      return c.in(0) * gelu_curvature(c.in(1), p.tanh);
    }).decompose([](Args in, const GeluParams& p) {
        return Tensors(in[0] * gelu_derivative(in[1], p.tanh));
      }).dtypes(kFloatingTypes);
STRATA_OP(silu_op) = pointwise("silu(Tensor x) -> Tensor", one)
                         .vjp([](const Vjp& c) { return Tensors(silu_slope(c.grad(), c.in(0))); })
                         .saves(saves_in(0))
                         .jvp([](const Jvp& c) { return Tensors(silu_slope(c.tangent(), c.in(0))); })
                         .decompose([](Args in) { return Tensors(in[0] * sigmoid(in[0])); })
                         .dtypes(kFloatingTypes);
STRATA_OP(silu_backward_op) = gradient_op("silu_backward(Tensor grad, Tensor x) -> Tensor",
                                          [](const Primals& c) {
                                            const Tensor s = sigmoid(c.in(1));
                                            return c.in(0) * (s * (1 - s) * (2 + c.in(1) * (1 - 2 * s)));
                                          })
                                  .decompose([](Args in) {
                                    const Tensor s = sigmoid(in[1]);
                                    return Tensors(in[0] * (s * (1 + in[1] * (1 - s))));
                                  })
                                  .dtypes(kFloatingTypes);
STRATA_OP(mish_op) = activation<mish_backward_op, NoParams>("mish(Tensor x) -> Tensor")
                         .decompose([](Args in) { return Tensors(in[0] * mish_share(in[0])); })
                         .dtypes(kFloatingTypes);
STRATA_OP(mish_backward_op) = gradient_op("mish_backward(Tensor grad, Tensor x) -> Tensor",
                                          [](const Primals& c) {
                                            const Tensor &x = c.in(1), share = mish_share(x),
                                                         slope = mish_share_slope(x, share);
                                            return c.in(0) * (slope * (2 + x * (1 - sigmoid(x) * (1 + 2 * share))));
                                          })
                                  .decompose([](Args in) {
                                    const Tensor share = mish_share(in[1]);
                                    return Tensors(in[0] * (share + in[1] * mish_share_slope(in[1], share)));
                                  })
                                  .dtypes(kFloatingTypes);
STRATA_OP(hardswish_op) = activation<hardswish_backward_op, NoParams>("hardswish(Tensor x) -> Tensor")
                              .decompose([](Args in) { return Tensors(in[0] * relu6(in[0] + 3) / 6); })
                              .dtypes(kFloatingTypes);

STRATA_OP(glu_op) =
    pointwise("glu(Tensor x, Tensor gate) -> Tensor", one, one)
        .vjp([](const Vjp& c) {
          Tensors grads = Tensors::undefined(2);
          if (c.needs(0)) grads[0] = call1(glu_op, {&c.grad(), &c.in(1)});
          if (c.needs(1)) grads[1] = call1(glu_gate_op, {&c.grad(), &c.in(0), &c.in(1)});
          return grads;
        })
        .saves_for(0, saves_in(1))
        .saves_for(1, saves_in(0, 1))
        .jvp([](const Jvp& c) {
          Tensor sum;
          if (c.tangent(0).defined()) sum = call1(glu_op, {&c.tangent(0), &c.in(1)});
          if (!c.tangent(1).defined()) return Tensors(sum);
          return Tensors(rules::add_defined(sum, call1(glu_gate_op, {&c.tangent(1), &c.in(0), &c.in(1)})));
        })
        .decompose([](Args in) { return Tensors(in[0] * sigmoid(in[1])); })
        .dtypes(kFloatingTypes);
STRATA_OP(glu_gate_op) = pointwise(
                             "glu_gate(Tensor t, Tensor x, Tensor gate) -> Tensor",
                             [](const Primals& c) {
                               const Tensor one = one_like(c.in(1));
                               return call1(glu_gate_op, {&one, &c.in(1), &c.in(2)});
                             },
                             [](const Primals& c) {
                               const Tensor one = one_like(c.in(0));
                               return call1(glu_gate_op, {&c.in(0), &one, &c.in(2)});
                             },
                             [](const Primals& c) {
                               return call1(glu_gate_op, {&c.in(0), &c.in(1), &c.in(2)}) * (1 - 2 * sigmoid(c.in(2)));
                             })
                             .saves_for(0, saves_in(1, 2))
                             .saves_for(1, saves_in(0, 2))
                             .saves_for(2, saves_in(0, 1, 2))
                             .dtypes(kFloatingTypes);
STRATA_OP(split_glu_op) = along_halves("split_glu(Tensor x, int dim) -> Tensor")
                              .infer([](Args in, const GluParams& p) {
                                Meta half = meta_like(in[0]);
                                half.sizes[p.dim] /= 2;
                                return half;
                              })
                              .vjp([](const Vjp& c, const GluParams& p) {
                                return Tensors(call1(split_glu_backward_op, {&c.grad(), &c.in(0)}, p));
                              })
                              .saves(saves_in(0))
                              .jvp([](const Jvp& c, const GluParams& p) {
                                return Tensors(glu_along(c.tangent(), c.in(0), p.dim));
                              })
                              .decompose([](Args in, const GluParams& p) {
                                const Halves x(in[0], p.dim);
                                return Tensors(x.first * sigmoid(x.second));
                              });
STRATA_OP(split_glu_backward_op) = along_halves("split_glu_backward(Tensor grad, Tensor x, int dim) -> Tensor")
                                       .infer([](Args in) { return meta_like(in[1]); })
                                       .vjp([](const Vjp& c, const GluParams& p) {
                                         Tensors grads = Tensors::undefined(2);
                                         if (c.needs(0)) grads[0] = glu_along(c.grad(), c.in(1), p.dim);
                                         if (c.needs(1)) grads[1] = glu_curve(c.grad(), c.in(0), c.in(1), p.dim);
                                         return grads;
                                       })
                                       .saves_for(0, saves_in(1))
                                       .saves_for(1, saves_in(0, 1))
                                       .jvp([](const Jvp& c, const GluParams& p) {
                                         Tensor sum;
                                         if (c.tangent(0).defined())
                                           sum = call1(split_glu_backward_op, {&c.tangent(0), &c.in(1)}, p);
                                         if (!c.tangent(1).defined()) return Tensors(sum);
                                         return Tensors(
                                             rules::add_defined(sum, glu_curve(c.tangent(1), c.in(0), c.in(1), p.dim)));
                                       })
                                       .decompose([](Args in, const GluParams& p) {
                                         const Halves x(in[1], p.dim);
                                         const Tensor s = sigmoid(x.second);
                                         return Tensors(cat({in[0] * s, in[0] * x.first * (s * (1 - s))}, p.dim));
                                       });
STRATA_OP(log_sigmoid_op) = activation<log_sigmoid_backward_op, NoParams>("log_sigmoid(Tensor x) -> Tensor")
                                .flag(kRowMajor)
                                .autocast(AutocastPolicy::kFloat32)
                                .dtypes(kFloatingTypes);
STRATA_OP(hardsigmoid_op) =
    activation<hardsigmoid_backward_op, NoParams>("hardsigmoid(Tensor x) -> Tensor").dtypes(kFloatingTypes);
STRATA_OP(shrink_op) =
    activation<shrink_backward_op, ShrinkParams>("shrink(Tensor x, float limit, float step) -> Tensor")
        .dtypes(kFloatingTypes);
STRATA_OP(logit_op) = activation<logit_backward_op, LogitParams>("logit(Tensor x, bool holds, float eps) -> Tensor")
                          .dtypes(kFloatingTypes);
STRATA_OP(leaky_relu_op) =
    activation<leaky_relu_backward_op, LeakyReluParams>("leaky_relu(Tensor x, float slope) -> Tensor")
        .decompose([](Args in, const LeakyReluParams& p) { return Tensors(where(in[0] > 0, in[0], in[0] * p.slope)); })
        .dtypes(kFloatingTypes);
STRATA_OP(prelu_op) = pointwise(
                          "prelu(Tensor x, Tensor weight) -> Tensor",
                          [](const Primals& c) { return where(c.in(0) > 0, 1, c.in(1)); },
                          [](const Primals& c) { return where(c.in(0) > 0, 0, c.in(0)); })
                          .vjp([](const Vjp& c) {
                            // What is not taken counts as 0 before it is multiplied: it may be infinite.
                            const Tensor positive = c.in(0) > 0, below = where(positive, 0, c.grad());
                            Tensors grads = Tensors::undefined(2);
                            if (c.needs(0)) grads[0] = where(positive, c.grad(), below * c.in(1));
                            if (c.needs(1)) grads[1] = below * where(positive, 0, c.in(0));
                            return grads;
                          })
                          .jvp([](const Jvp& c) {
                            Tensor below;
                            if (c.tangent(0).defined()) below = c.tangent(0) * c.in(1);
                            if (c.tangent(1).defined()) below = rules::add_defined(below, c.tangent(1) * c.in(0));
                            const Tensor positive = c.in(0) > 0, &t = c.tangent(0);
                            return Tensors(t.defined() ? where(positive, t, below) : where(positive, 0, below));
                          })
                          .saves_for(0, saves_in(0, 1))
                          .saves_for(1, saves_in(0))
                          .decompose([](Args in) { return Tensors(where(in[0] > 0, in[0], in[0] * in[1])); })
                          .dtypes(kFloatingTypes);
STRATA_OP(elu_op) =
    activation<elu_backward_op, EluParams>("elu(Tensor x, float alpha, float scale, float input_scale) -> Tensor")
        .dtypes(kFloatingTypes);
STRATA_OP(softplus_op) =
    activation<softplus_backward_op, SoftplusParams>("softplus(Tensor x, float beta, float threshold) -> Tensor")
        .autocast(AutocastPolicy::kFloat32)
        .dtypes(kFloatingTypes);
STRATA_OP(hardtanh_op) = activation<hardtanh_backward_op, HardtanhParams>(
                             "hardtanh(Tensor x, float min, float max, float nan_slope) -> Tensor")
                             .decompose([](Args in, const HardtanhParams& p) {
                               const Tensor low = where(in[0] < p.min, p.min, in[0]);
                               return Tensors(where(low > p.max, p.max, low));
                             })
                             .dtypes(kFloatingTypes);
STRATA_OP(threshold_op) =
    activation<threshold_backward_op, ThresholdParams>("threshold(Tensor x, float threshold, float value) -> Tensor")
        .decompose([](Args in, const ThresholdParams& p) {
          return Tensors(where(in[0] <= p.threshold, p.value, in[0]));
        })
        .dtypes(kFloatingTypes);

// Second derivatives are picked by `where`, so that the other branch cannot spoil them.
STRATA_OP(log_sigmoid_backward_op) =
    gradient_op("log_sigmoid_backward(Tensor grad, Tensor x) -> Tensor", [](const Primals& c) {
      const Tensor s = sigmoid(c.in(1));
      return -(c.in(0) * (s * (1 - s)));
    }).dtypes(kFloatingTypes);
STRATA_OP(hardsigmoid_backward_op) =
    gradient_op("hardsigmoid_backward(Tensor grad, Tensor x) -> Tensor", zero).dtypes(kFloatingTypes);
STRATA_OP(shrink_backward_op) =
    gradient_op<ShrinkParams>("shrink_backward(Tensor grad, Tensor x, float limit, float step) -> Tensor", zero)
        .dtypes(kFloatingTypes);
STRATA_OP(logit_backward_op) =
    gradient_op<LogitParams>("logit_backward(Tensor grad, Tensor x, bool holds, float eps) -> Tensor",
                             [](const Primals& c, const LogitParams& p) {
                               const Tensor& x = c.in(1);
                               const Tensor is_outside = logical_or(x<p.low(), x> p.high());
                               return where(is_outside, p.outside(), c.in(0) * (2 * x - 1) / square(x * (1 - x)));
                             })
        .dtypes(kFloatingTypes);
STRATA_OP(leaky_relu_backward_op) =
    gradient_op<LeakyReluParams>("leaky_relu_backward(Tensor grad, Tensor x, float slope) -> Tensor", zero)
        .dtypes(kFloatingTypes);
STRATA_OP(hardswish_backward_op) =
    gradient_op("hardswish_backward(Tensor grad, Tensor x) -> Tensor", [](const Primals& c) {
      return where(abs(c.in(1)) < 3, c.in(0) / 3, 0);
    }).dtypes(kFloatingTypes);
STRATA_OP(elu_backward_op) =
    gradient_op<EluParams>("elu_backward(Tensor grad, Tensor x, float alpha, float scale, float input_scale) -> Tensor",
                           [](const Primals& c, const EluParams& p) {
                             const double factor = p.alpha * p.scale * p.input_scale * p.input_scale;
                             return where(c.in(1) >= 0, 0,
                                          c.in(0) * (exp(clamp_max(c.in(1), 0) * p.input_scale) * factor));
                           })
        .dtypes(kFloatingTypes);
STRATA_OP(softplus_backward_op) =
    gradient_op<SoftplusParams>("softplus_backward(Tensor grad, Tensor x, float beta, float threshold) -> Tensor",
                                [](const Primals& c, const SoftplusParams& p) {
                                  const Tensor z = c.in(1) * p.beta, s = sigmoid(z);
                                  return where(z >= p.threshold, 0, c.in(0) * (s * (1 - s) * p.beta));
                                })
        .dtypes(kFloatingTypes);
STRATA_OP(hardtanh_backward_op) =
    gradient_op<HardtanhParams>(
        "hardtanh_backward(Tensor grad, Tensor x, float min, float max, float nan_slope) -> Tensor", zero)
        .dtypes(kFloatingTypes);
STRATA_OP(threshold_backward_op) =
    gradient_op<ThresholdParams>("threshold_backward(Tensor grad, Tensor x, float threshold, float value) -> Tensor",
                                 zero)
        .dtypes(kFloatingTypes);

Tensor gelu(const Tensor& x, std::string_view approximate) {
  STRATA_CHECK(approximate == "none" || approximate == "tanh",
               "gelu: approximate must be \"none\" or \"tanh\", got \"{}\"", approximate);
  return call1(gelu_op, {&x}, GeluParams{approximate == "tanh"});
}
Tensor silu(const Tensor& x) { return is_complex(x.dtype()) ? x * sigmoid(x) : call1(silu_op, {&x}); }
Tensor leaky_relu(const Tensor& x, const Scalar& negative_slope) {
  return call1(leaky_relu_op, {&x}, LeakyReluParams{negative_slope.toDouble()});
}
Tensor elu(const Tensor& x, const Scalar& alpha, const Scalar& scale, const Scalar& input_scale) {
  return call1(elu_op, {&x}, EluParams{alpha.toDouble(), scale.toDouble(), input_scale.toDouble()});
}
Tensor selu(const Tensor& x) {
  const Called called;
  return elu(x, 1.6732632423543772848170429916717, 1.0507009873554804934193349852946);
}
Tensor celu(const Tensor& x, const Scalar& alpha) {
  const Called called;
  STRATA_CHECK(alpha.toDouble() != 0, "celu: alpha must not be zero");
  return elu(x, alpha, 1, 1 / alpha.toDouble());
}
Tensor softplus(const Tensor& x, const Scalar& beta, const Scalar& threshold) {
  STRATA_CHECK(beta.toDouble() != 0, "softplus: beta must not be zero");
  return call1(softplus_op, {&x}, SoftplusParams{beta.toDouble(), threshold.toDouble()});
}
Tensor hardtanh(const Tensor& x, const Scalar& min_val, const Scalar& max_val) {
  STRATA_CHECK(min_val.toDouble() <= max_val.toDouble(), "hardtanh: min_val {} is above max_val {}", min_val.toDouble(),
               max_val.toDouble());
  if (is_integral(x.dtype())) return clamp(x, min_val.toLong(), max_val.toLong());
  return call1(hardtanh_op, {&x}, HardtanhParams{min_val.toDouble(), max_val.toDouble()});
}
Tensor threshold(const Tensor& x, const Scalar& threshold, const Scalar& value) {
  threshold.check_fits("threshold", detail::opmath_dtype(x.dtype()));
  value.check_fits("threshold", x.dtype());
  if (is_integral(x.dtype())) return where(x <= threshold.toLong(), value.toLong(), x);
  return call1(threshold_op, {&x}, ThresholdParams{threshold.toDouble(), value.toDouble()});
}

Tensor relu6(const Tensor& x) {
  const Called called;
  return hardtanh(x, 0, 6);
}
Tensor hardsigmoid(const Tensor& x) {
  const Called called;
  return is_floating_point(x.dtype()) ? call1(hardsigmoid_op, {&x}) : relu6(x + 3) / 6;
}
Tensor hardswish(const Tensor& x) { return call1(hardswish_op, {&x}); }
Tensor mish(const Tensor& x) { return call1(mish_op, {&x}); }
Tensor softsign(const Tensor& x) {
  const Called called;
  return x / (1 + abs(x));
}
Tensor log_sigmoid(const Tensor& x) { return call1(log_sigmoid_op, {&x}); }
Tensor tanhshrink(const Tensor& x) {
  const Called called;
  return x - tanh(x);
}
Tensor softshrink(const Tensor& x, const Scalar& lambda) {
  const Called called;
  const double l = lambda.toDouble();
  STRATA_CHECK(l >= 0, "softshrink: lambda must not be negative, got {}", l);
  return is_floating_point(x.dtype()) ? call1(shrink_op, {&x}, ShrinkParams{l, l})
                                      : where(logical_and(x >= -l, x <= l), 0, where(x > l, x - l, x + l));
}
Tensor hardshrink(const Tensor& x, const Scalar& lambda) {
  const Called called;
  const double l = lambda.toDouble();
  return is_floating_point(x.dtype()) ? call1(shrink_op, {&x}, ShrinkParams{l, 0})
                                      : where(logical_and(x >= -l, x <= l), 0, x);
}

Tensor prelu(const Tensor& x, const Tensor& weight) {
  STRATA_CHECK(weight.dim() <= 1, "prelu: the weight must have at most one dim, got shape {}", weight.sizes());
  // One weight stands for all elements, whatever their shape.
  Tensor w = weight.dim() == 1 && weight.numel() == 1 ? squeeze(weight, 0) : weight;
  if (weight.numel() != 1) {
    STRATA_CHECK(x.dim() >= 2 && x.size(1) == weight.numel(), "prelu: {} weights for an input of shape {}",
                 weight.numel(), x.sizes());
    DimVector sizes(static_cast<size_t>(x.dim()), 1);
    sizes[1] = weight.numel();
    w = view(weight, sizes);
  }
  const DType dtype = result_type(x, w);
  const Device device = detail::common_device({&x, &w});
  const Tensor a = detail::prepare(x, dtype, device, x.sizes(), "prelu"),
               b = detail::prepare(w, dtype, device, x.sizes(), "prelu");
  return call1(prelu_op, {&a, &b});
}

Tensor glu(const Tensor& x, int64_t dim) {
  const int64_t d = wrap_dim(dim, x.dim(), "glu");
  STRATA_CHECK(x.dim() > 0 && x.size(d) % 2 == 0, "glu: dim {} of shape {} must be even", dim, x.sizes());
  if (is_floating_point(x.dtype())) return call1(split_glu_op, {&x}, GluParams{d});
  const Halves halves(x, d);
  return halves.first * sigmoid(halves.second);
}

Tensor logit(const Tensor& x, std::optional<double> eps) {
  const Tensor p = cast(x, float_type(x.dtype()));
  return call1(logit_op, {&p}, LogitParams{eps.has_value(), eps.value_or(0)});
}

}  // namespace strata
