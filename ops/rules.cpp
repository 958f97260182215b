// The shared parts of the rule combinators.
#include "ops/rules.h"

#include "ops/binary_def.h"
#include "ops/complex.h"
#include "ops/creation.h"
#include "ops/unary_def.h"
#include "ops/view_def.h"

namespace strata::dispatch::rules {

Tensor add(const Tensor& a, const Tensor& b) { return call1(add_op, {&a, &b}); }
Tensor mul(const Tensor& a, const Tensor& b) { return call1(mul_op, {&a, &b}); }
/// Note [Gradients of complex numbers]
/// The gradient of a real loss L at z = x + iy is dL/dx + i dL/dy, as in PyTorch and JAX's conj(grad), so that
/// z - lr * grad descends. For y = f(z) with f' the complex derivative it is grad(y) * conj(f'(z)): every vjp rule
/// multiplies by conjugates, every jvp rule by the derivative itself. `conj` of a real tensor is the tensor.
Tensor mul_conj(const Tensor& a, const Tensor& b) {
  return is_complex(b.dtype()) ? rules::mul(a, conj(b)) : rules::mul(a, b);
}
Tensor neg(const Tensor& a) { return call1(neg_op, {&a}); }
Tensor zero_like(const Tensor& t) { return constant(0, t.dtype(), t.device(), t.sizes()); }

Tensor add_defined(const Tensor& a, const Tensor& b) {
  if (!a.defined()) return b;
  return b.defined() ? rules::add(a, b) : a;
}

Tensor batched(const Batch& c, size_t i) {
  const Tensor& t = c.in(i);
  if (!t.defined() || c.batched(i)) return t;
  ViewParams p;
  p.sizes.push_back(c.size);
  for (int64_t s : t.sizes()) p.sizes.push_back(s);
  return call1(expand_op, {&t}, p);
}

Tensors call_on_batched(const Batch& c, Params params) {
  Tensors expanded = Tensors::undefined(c.arity());
  ArgList inputs;
  for (size_t i = 0; i < c.arity(); ++i) {
    const bool as_it_is = c.batched(i) || !c.in(i).defined();
    if (!as_it_is) expanded[i] = batched(c, i);
    inputs.push_back(as_it_is ? c.in(i) : expanded[i]);
  }
  return call(c.op, inputs, params);
}

Tensors linear_in_first(const Jvp& c, Params params) {
  ArgList args;
  args.push_back(c.tangent(0));
  for (size_t i = 1; i < c.inputs.size(); ++i) args.push_back(c.in(i));
  return call(c.op, args, params);
}

Tensors linear_in_all(const Jvp& c, Params params) {
  Tensors tangents = Tensors::undefined(c.inputs.size());
  for (size_t i = 0; i < tangents.size(); ++i) tangents[i] = c.tangent(i).defined() ? c.tangent(i) : zero_like(c.in(i));
  return call(c.op, ArgList(tangents), params);
}

Tensors bilinear(const Jvp& c, Params params) {
  Tensor sum;
  if (c.tangent(0).defined()) sum = call(c.op, {&c.tangent(0), &c.in(1)}, params)[0];
  if (c.tangent(1).defined()) sum = add_defined(sum, call(c.op, {&c.in(0), &c.tangent(1)}, params)[0]);
  return sum;
}

}  // namespace strata::dispatch::rules
