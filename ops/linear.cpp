// Linear layers: the product with a transposed weight and a bias, alone and with an activation in the same op.
#include <algorithm>

#include "dispatcher/gradient_places.h"
#include "dispatcher/undefined.h"
#include "ops/activation.h"
#include "ops/activation_def.h"
#include "ops/complex.h"
#include "ops/linalg.h"
#include "ops/linalg_def.h"
#include "ops/rules.h"
#include "ops/unary.h"
#include "ops/unary_def.h"
#include "ops/view.h"

namespace strata {
namespace {

constexpr GeluParams kByTanh{true};

Meta linear_meta(const char* op, Args in) {
  for (size_t i = 1; i < in.size(); ++i) {
    STRATA_CHECK(in[i].dtype() == in[0].dtype(), "{}: the input is {} and the {} {}; convert one with to()", op,
                 name(in[0].dtype()), i == 1 ? "weight" : "bias", name(in[i].dtype()));
  }
  Meta m = meta_like(in[0]);
  m.sizes.back() = in[1].sizes()[0];
  return m;
}

/// `(..., k)` as a matrix `(rows, k)`.
Tensor as_rows(const Tensor& x) {
  if (x.dim() == 2) return x;
  return reshape(x, {numel_of(x.sizes().slice(0, x.dim() - 1)), x.sizes().back()});
}

Tensor sum_of_rows(const Tensor& g) {
  DimVector dims;
  for (int64_t d = 0; d + 1 < g.dim(); ++d) dims.push_back(d);
  return dims.empty() ? g : g.sum(dims);
}

// The rules of linear, which the ops with an activation go on from; g is the cotangent of the sums.

Tensors linear_vjp(const Vjp& c, const Tensor& g) {
  Tensors grads = Tensors::undefined(c.arity());
  if (c.needs(0)) grads[0] = linear_of(g, conj(t(c.in(1))));
  if (c.needs(1)) {
    const Tensor rows = t(as_rows(g)), x = conj(as_rows(c.in(0)));
    grads[1] = product_at(dispatch::gradient_place(1), rows, x);
  }
  if (c.arity() > 2 && c.needs(2)) grads[2] = sum_of_rows(g);
  return grads;
}

Tensor linear_jvp(const Jvp& c) {
  Tensor sum;
  if (c.tangent(0).defined()) sum = linear_of(c.tangent(0), c.in(1));
  if (c.tangent(1).defined()) sum = rules::add_defined(sum, linear_of(c.in(0), c.tangent(1)));
  if (c.inputs.size() < 3 || !c.tangent(2).defined()) return sum;
  return rules::add_defined(sum, expand(c.tangent(2), c.out().sizes()));
}

/// One weight and bias for the whole batch: it is more rows.
bool shares_weights(const Batch& c) { return !c.batched(1) && !(c.arity() > 2 && c.batched(2)); }

/// The sums where each of the batch has its own weight or bias.
Tensor linear_batch(const Batch& c) {
  const Tensor &x = c.in(0), &w = c.in(1);
  DimVector sizes = x.sizes();
  if (!c.batched(0)) sizes.insert(0, c.size);
  sizes.back() = w.sizes()[w.dim() - 2];
  const int64_t rows = numel_of(IntArrayRef(sizes).slice(1, sizes.size() - 2));
  // Every operand as (B or 1, rows, columns), so that matmul broadcasts what is not batched.
  const Tensor x3 = reshape(x, {c.batched(0) ? c.size : 1, rows, x.sizes().back()});
  Tensor y = matmul(x3, c.batched(1) ? w.mT() : t(w));
  if (c.arity() > 2) y = y.add(c.batched(2) ? unsqueeze(c.in(2), 1) : c.in(2));
  return reshape(expanded(y, {c.size, rows, sizes.back()}), sizes);
}

Tensor relu_slope(const Tensor& t, const Tensor& y) { return call1(relu_backward_op, {&t, &y}); }
Tensor gelu_slope(const Tensor& t, const Tensor& sums) { return call1(gelu_backward_op, {&t, &sums}, kByTanh); }

/// `op` on operands that are checked for the function `name`.
Tensor call_linear(const Op& op, std::string_view name, const Tensor& x, const Tensor& weight, const Tensor& bias) {
  STRATA_CHECK(x.dim() > 0 && weight.dim() == 2, "{}: expected x (..., in) and weight (out, in), got shapes {} and {}",
               name, x.sizes(), weight.sizes());
  STRATA_CHECK(x.sizes().back() == weight.sizes()[1],
               "{}: x {} and weight {}: mat1 and mat2 shapes cannot be multiplied ({}x{} and {}x{})", name, x.sizes(),
               weight.sizes(), x.numel() / std::max<int64_t>(x.sizes().back(), 1), x.sizes().back(), weight.sizes()[1],
               weight.sizes()[0]);
  if (!bias.defined()) return call1(op, {&x, &weight});
  STRATA_CHECK(bias.dim() <= 1 && (bias.dim() == 0 || bias.sizes()[0] == 1 || bias.sizes()[0] == weight.sizes()[0]),
               "{}: bias {} does not fit weight {}", name, bias.sizes(), weight.sizes());
  const Tensor b = expanded(bias, {weight.sizes()[0]});
  return call1(op, {&x, &weight, &b});
}

}  // namespace

STRATA_OP(linear_op) = op("linear(Tensor x, Tensor w, Tensor? bias) -> Tensor")
                           .infer([](Args in) { return linear_meta("linear", in); })
                           .vjp([](const Vjp& c) { return linear_vjp(c, c.grad()); })
                           .saves_for(0, saves_in(1))
                           .saves_for(1, saves_in(0))
                           .jvp([](const Jvp& c) -> Tensors { return linear_jvp(c); })
                           .batch([](const Batch& c) -> Tensors {
                             return shares_weights(c) ? call(c.op, c.inputs) : Tensors(linear_batch(c));
                           })
                           .autocast(AutocastPolicy::kLower)
                           .decompose([](Args in) {
                             const Tensor y = matmul(in[0], t(in[1]));
                             return Tensors(in.size() > 2 ? y.add(in[2]) : y);
                           })
                           .dtypes(kNumberTypes)
                           .flag(kNamedByDims);

STRATA_OP(linear_relu_op) = op("linear_relu(Tensor x, Tensor w, Tensor? bias) -> Tensor")
                                .infer([](Args in) { return linear_meta("linear_relu", in); })
                                .vjp([](const Vjp& c) { return linear_vjp(c, relu_slope(c.grad(), c.out())); })
                                .saves_for(0, saves_in(1) | saves_out(0))
                                .saves_for(1, saves_in(0) | saves_out(0))
                                .saves_for(2, saves_out(0))
                                .jvp([](const Jvp& c) -> Tensors { return relu_slope(linear_jvp(c), c.out()); })
                                .batch([](const Batch& c) -> Tensors {
                                  return shares_weights(c) ? call(c.op, c.inputs) : Tensors(relu(linear_batch(c)));
                                })
                                .autocast(AutocastPolicy::kLower)
                                .decompose([](Args in) { return Tensors(relu(call1(linear_op, in))); })
                                .dtypes(kRealNumberTypes);

STRATA_OP(linear_gelu_op) = op("linear_gelu(Tensor x, Tensor w, Tensor? bias) -> (Tensor, Tensor)")
                                .infer([](Args in) -> Metas {
                                  return {linear_meta("linear_gelu", in), linear_meta("linear_gelu", in)};
                                })
                                .vjp([](const Vjp& c) {
                                  const Tensor slope = c.grad(0).defined() ? gelu_slope(c.grad(0), c.out(1)) : Tensor();
                                  return linear_vjp(c, rules::add_defined(slope, c.grad(1)));
                                })
                                .saves_for(0, saves_in(1) | saves_out(1))
                                .saves_for(1, saves_in(0) | saves_out(1))
                                .saves_for(2, saves_out(1))
                                .jvp([](const Jvp& c) -> Tensors {
                                  const Tensor sums = linear_jvp(c);
                                  return {gelu_slope(sums, c.out(1)), sums};
                                })
                                .batch([](const Batch& c) -> Tensors {
                                  if (shares_weights(c)) return call(c.op, c.inputs);
                                  const Tensor sums = linear_batch(c);
                                  return {gelu(sums, "tanh"), sums};
                                })
                                .autocast(AutocastPolicy::kLower)
                                .decompose([](Args in) -> Tensors {
                                  const Tensor sums = call1(linear_op, in);
                                  return {gelu(sums, "tanh"), sums};
                                })
                                .dtypes(kFloatingTypes);

Tensor linear(const Tensor& x, const Tensor& weight, OptionalTensorRef bias) {
  check_defined(linear_op, x, weight);
  if (weight.dim() == 1 && !bias.defined()) return matmul(x, weight);
  return call_linear(linear_op, "linear", rows_of(x, weight), weight, bias);
}

Tensor linear_relu(const Tensor& x, const Tensor& weight, OptionalTensorRef bias) {
  return call_linear(linear_relu_op, "linear_relu", x, weight, bias);
}

Tensor linear_gelu(const Tensor& x, const Tensor& weight, OptionalTensorRef bias) {
  // The op refuses what is not floating point; linear, which takes its place, would not.
  if (!x.is_floating_point() || !keys_of({&x, &weight, &*bias}).is_plain_cpu())
    return call_linear(linear_gelu_op, "linear_gelu", x, weight, bias);
  // Nobody asks for the sums.
  Tensor y = call_linear(linear_op, "linear_gelu", x, weight, bias);
  call_inplace(gelu_op, y, {&y}, kByTanh);
  return y;
}

Tensor _addmm_activation(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha,
                         bool use_gelu) {
  const bool is_row = self.dim() < 2 || (self.dim() == 2 && self.sizes()[0] == 1);
  if (is_row && beta == Scalar(1) && alpha == Scalar(1) && a.dim() == 2 && b.dim() == 2) {
    const Tensor bias = self.dim() == 2 ? squeeze(self, 0) : self;
    return use_gelu ? linear_gelu(a, t(b), bias) : linear_relu(a, t(b), bias);
  }
  const Tensor sums = addmm(self, a, b, beta, alpha);
  return use_gelu ? gelu(sums, "tanh") : relu(sums);
}

}  // namespace strata
