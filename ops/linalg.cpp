// Matrix products: three ops with their rules, and the products that are one call of them.
#include "ops/linalg.h"

#include "core/called.h"
#include "dispatcher/gradient_places.h"
#include "dispatcher/undefined.h"
#include "ops/as_result.h"
#include "ops/binary.h"
#include "ops/complex.h"
#include "ops/creation.h"
#include "ops/in_place.h"
#include "ops/linalg_def.h"
#include "ops/out.h"
#include "ops/rules.h"
#include "ops/shaping.h"
#include "ops/view.h"
#include "ops/view_strides.h"

namespace strata {
namespace {

void check_dtypes(const char* op, Args in) {
  for (size_t i = 1; i < in.size(); ++i) {
    STRATA_CHECK(in[i].dtype() == in[0].dtype(),
                 "{}: expected operands of the same dtype, but got {} and {}; convert one with to()", op,
                 name(in[0].dtype()), name(in[i].dtype()));
  }
}

void check_dims(const char* op, const Tensor& a, int64_t dims_a, const Tensor& b, int64_t dims_b) {
  STRATA_CHECK(a.dim() == dims_a && b.dim() == dims_b, "{}: expected tensors of {} and {} dims, got shapes {} and {}",
               op, dims_a, dims_b, a.sizes(), b.sizes());
}

void check_product(const char* op, const Tensor& a, const Tensor& b) {
  const int64_t k = a.sizes().back(), rows = b.sizes()[b.dim() > 1 ? b.dim() - 2 : 0];
  STRATA_CHECK(k == rows, "{}: shapes {} and {}: mat1 and mat2 shapes cannot be multiplied ({}x{} and {}x{})", op,
               a.sizes(), b.sizes(), a.dim() > 1 ? a.size(-2) : 1, k, rows, b.dim() > 1 ? b.size(-1) : 1);
}

/// `(..., m, n)` from a `(..., m, k)` and b `(..., k, n)`.
Meta product_meta(const Tensor& a, const Tensor& b) {
  Meta m = meta_like(a);
  m.sizes.back() = b.sizes().back();
  return m;
}

Tensor matmul_of(const Tensor& a, const Tensor& b) { return call1(matmul_op, {&a, &b}); }

Tensor addmm_of(const Tensor& init, const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha) {
  return call1(addmm_op, {&init, &a, &b}, AddmmParams{beta, alpha});
}

Scalar conj(const Scalar& s) { return s.is_complex() ? Scalar(conj(s.toComplexDouble())) : s; }
using strata::conj;

Tensor scaled(const Tensor& t, const Scalar& by) { return by == Scalar(1) ? t : t.mul(by); }

DimVector leading(IntArrayRef sizes, size_t last) { return sizes.slice(0, sizes.size() - last); }

Tensors addmm_vjp(const Vjp& c, const AddmmParams& p) {
  Tensors grads = Tensors::undefined(3);
  if (c.needs(0)) grads[0] = scaled(c.grad(), conj(p.beta));
  if (c.needs(1)) grads[1] = scaled(matmul_of(c.grad(), c.in(2).mH()), conj(p.alpha));
  if (c.needs(2)) grads[2] = scaled(matmul_of(c.in(1).mH(), c.grad()), conj(p.alpha));
  return grads;
}

Tensors addmm_jvp(const Jvp& c, const AddmmParams& p) {
  Tensor sum;
  if (c.tangent(0).defined()) sum = scaled(c.tangent(0), p.beta);
  if (c.tangent(1).defined()) sum = rules::add_defined(sum, scaled(matmul_of(c.tangent(1), c.in(2)), p.alpha));
  if (c.tangent(2).defined()) sum = rules::add_defined(sum, scaled(matmul_of(c.in(1), c.tangent(2)), p.alpha));
  return sum;
}

}  // namespace

Tensor product_at(Tensor place, const Tensor& a, const Tensor& b) {
  const bool fits =
      place.defined() && a.has_storage() && b.has_storage() && a.dtype() == place.dtype() && b.dtype() == place.dtype();
  if (!fits) return matmul_of(a, b);
  call_inplace(matmul_op, place, {&a, &b});
  return place;
}

STRATA_OP(matmul_op) = op("matmul(Tensor a, Tensor b) -> Tensor")
                           .infer([](Args in) {
                             check_dtypes("matmul", in);
                             return product_meta(in[0], in[1]);
                           })
                           .vjp([](const Vjp& c) {
                             const auto at = [](size_t i, const Tensor& a, const Tensor& b) {
                               return product_at(dispatch::gradient_place(i), a, b);
                             };
                             return Tensors(c.needs(0) ? at(0, c.grad(), c.in(1).mH()) : Tensor(),
                                            c.needs(1) ? at(1, c.in(0).mH(), c.grad()) : Tensor());
                           })
                           .saves_for(0, saves_in(1))
                           .saves_for(1, saves_in(0))
                           .jvp(bilinear_rule)
                           .batch([](const Batch& c) -> Tensors {
                             // A shared matrix on the right: all rows of the batch in one product, and one product
                             // again in its gradient.
                             if (!c.batched(1) && c.in(1).dim() == 2) return linear_of(c.in(0), t(c.in(1)));
                             return rules::call_on_batched(c, Params::of(NoParams()));
                           })
                           .autocast(AutocastPolicy::kLower)
                           .dtypes(kNumberTypes)
                           .flag(kNamedByDims);

STRATA_OP(addmm_op) = op<AddmmParams>("addmm(Tensor init, Tensor a, Tensor b, Scalar beta, Scalar alpha) -> Tensor")
                          .flag(kUpdatesInput0)
                          .infer([](Args in) {
                            check_dtypes("addmm", in);
                            return product_meta(in[1], in[2]);
                          })
                          .vjp([](const Vjp& c, const AddmmParams& p) { return addmm_vjp(c, p); })
                          .saves_for(0, kSavesNothing)
                          .saves_for(1, saves_in(2))
                          .saves_for(2, saves_in(1))
                          .jvp([](const Jvp& c, const AddmmParams& p) { return addmm_jvp(c, p); })
                          .batch(pointwise_batch)
                          .autocast(AutocastPolicy::kLower)
                          .dtypes(kNumberTypes);

namespace {

Tensor cross_of(const Tensor& a, const Tensor& b, const CrossParams& p) { return call1(cross_op, {&a, &b}, p); }
Tensor rolled(const Tensor& x, int64_t by, const CrossParams& p) { return roll(x, {-by}, {p.dim}); }

}  // namespace

STRATA_OP(cross_op) = op<CrossParams>("cross(Tensor a, Tensor b, int dim) -> Tensor")
                          .infer([](Args in) {
                            check_dtypes("cross", in);
                            return meta_like(in[0]);
                          })
                          .vjp([](const Vjp& c, const CrossParams& p) {
                            return Tensors(c.needs(0) ? cross_of(conj(c.in(1)), c.grad(), p) : Tensor(),
                                           c.needs(1) ? cross_of(c.grad(), conj(c.in(0)), p) : Tensor());
                          })
                          .saves_for(0, saves_in(1))
                          .saves_for(1, saves_in(0))
                          .jvp(bilinear_rule)
                          .batch(shift_dims<&CrossParams::dim>)
                          .decompose([](Args in, const CrossParams& p) {
                            return Tensors(rolled(in[0], 1, p) * rolled(in[1], 2, p) -
                                           rolled(in[0], 2, p) * rolled(in[1], 1, p));
                          })
                          .dtypes(kNumberTypes);
STRATA_OP(dot_op) = op("dot(Tensor a, Tensor b) -> Tensor")
                        .infer([](Args in) {
                          check_dtypes("dot", in);
                          return meta({}, in[0].dtype(), in[0].device());
                        })
                        .vjp([](const Vjp& c) {
                          const auto times_grad = [&](const Tensor& x) {
                            return rules::mul_conj(expand(c.grad(), x.sizes()), x);
                          };
                          return Tensors(c.needs(0) ? times_grad(c.in(1)) : Tensor(),
                                         c.needs(1) ? times_grad(c.in(0)) : Tensor());
                        })
                        .saves_for(0, saves_in(1))
                        .saves_for(1, saves_in(0))
                        .jvp(bilinear_rule)
                        .batch([](const Batch& c) -> Tensors {
                          if (!c.batched(1)) return linear_of(c.in(1), c.in(0));
                          if (!c.batched(0)) return linear_of(c.in(0), c.in(1));
                          return reshape(matmul_of(unsqueeze(c.in(0), 1), unsqueeze(c.in(1), 2)), {c.size});
                        })
                        .autocast(AutocastPolicy::kWidest)
                        .dtypes(kNumberTypes);

Tensor mm(const Tensor& a, const Tensor& b) {
  const Called called;
  check_dims("mm", a, 2, b, 2);
  check_product("mm", a, b);
  return matmul_of(a, b);
}

Tensor bmm(const Tensor& a, const Tensor& b) {
  const Called called;
  check_dims("bmm", a, 3, b, 3);
  STRATA_CHECK(a.sizes()[0] == b.sizes()[0], "bmm: shapes {} and {} have different batch sizes ({} vs {})", a.sizes(),
               b.sizes(), a.sizes()[0], b.sizes()[0]);
  check_product("bmm", a, b);
  return matmul_of(a, b);
}

Tensor mv(const Tensor& a, const Tensor& v) {
  const Called called;
  check_dims("mv", a, 2, v, 1);
  check_product("mv", a, v);
  return linear_of(v, a);
}

Tensor dot(const Tensor& a, const Tensor& b) {
  check_dims("dot", a, 1, b, 1);
  check_product("dot", a, b);
  return call1(dot_op, {&a, &b});
}

Tensor vdot(const Tensor& a, const Tensor& b) {
  const Called called;
  return dot(conj(a), b);
}

Tensor inner(const Tensor& a, const Tensor& b) {
  if (a.dim() == 0 || b.dim() == 0) return a.mul(b);
  return tensordot(a, b, {-1}, {-1});
}

Tensor outer(const Tensor& a, const Tensor& b) {
  check_dims("outer", a, 1, b, 1);
  return unsqueeze(a, 1).mul(b);
}

Tensor ger(const Tensor& a, const Tensor& b) { return outer(a, b); }

Tensor expanded(const Tensor& x, IntArrayRef sizes) { return x.sizes() == sizes ? x : expand(x, sizes); }

Tensor rows_of(const Tensor& x, const Tensor& other) {
  if (x.dim() < 3 || x.is_contiguous() || !dispatch::is_gradient_wanted(other)) return x;
  const DimVector rows{numel_of(x.sizes().slice(0, x.dim() - 1)), x.sizes().back()};
  DimVector strides;
  return view_strides(x, rows, strides) ? x : reshape(reshape(x, rows), x.sizes());
}

Tensor matmul(const Tensor& a, const Tensor& b) {
  const Called called;
  check_defined(matmul_op, a, b);
  const int64_t dims_a = a.dim(), dims_b = b.dim();
  STRATA_CHECK(dims_a > 0 && dims_b > 0, "matmul: expected tensors of 1 dim or more, got shapes {} and {}", a.sizes(),
               b.sizes());
  check_product("matmul", a, b);
  if (dims_a == 2 && dims_b == 2) return matmul_of(a, b);
  if (dims_b == 2) return linear_of(rows_of(a, b), t(b));
  if (dims_b == 1) {
    if (dims_a == 1) return call1(dot_op, {&a, &b});
    return dims_a == 2 ? linear_of(b, a) : as_result(squeeze(linear_of(a, unsqueeze(b, 0)), -1));
  }
  if (dims_a == 1) return as_result(squeeze(matmul(unsqueeze(a, 0), b), -2));
  const DimVector lead_a = leading(a.sizes(), 2), lead_b = leading(b.sizes(), 2);
  if (lead_a == lead_b) return matmul_of(a, b);
  const DimVector lead = broadcast_shapes(lead_a, lead_b, "matmul");
  // Of a matrix that is used for all others PyTorch saves a view, so may we. Several that are broadcast it lays out
  // anew and saves that: a copy, though here as one of its elements alone.
  const auto broadcast = [&](const Tensor& x, const Tensor& other) {
    DimVector sizes = lead;
    for (int64_t s : x.sizes().slice(x.dim() - 2)) sizes.push_back(s);
    if (x.sizes() == IntArrayRef(sizes)) return x;
    const bool is_one = numel_of(leading(x.sizes(), 2)) == 1;
    return expand(!is_one && dispatch::is_gradient_wanted(other) ? x.clone() : x, sizes);
  };
  return matmul_of(broadcast(a, b), broadcast(b, a));
}

Tensor addmm(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha) {
  check_dims("addmm", a, 2, b, 2);
  check_product("addmm", a, b);
  return addmm_of(expanded(self, {a.sizes()[0], b.sizes()[1]}), a, b, beta, alpha);
}

Tensor addmv(const Tensor& self, const Tensor& a, const Tensor& v, const Scalar& beta, const Scalar& alpha) {
  const Called called;
  check_dims("addmv", a, 2, v, 1);
  check_product("addmv", a, v);
  const Tensor init = unsqueeze(expanded(self, {a.sizes()[0]}), 1);
  return as_result(squeeze(addmm_of(init, a, unsqueeze(v, 1), beta, alpha), 1));
}

Tensor addr(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha) {
  const Called called;
  check_dims("addr", a, 1, b, 1);
  const DType t = promote_types(self.dtype(), promote_types(a.dtype(), b.dtype()));
  STRATA_CHECK(is_differentiable(t) || (is_integral(beta.type()) && is_integral(alpha.type())),
               "addr: beta and alpha of {} tensors must be integers, got {} and {}", name(t), name(beta.type()),
               name(alpha.type()));
  if (t == kBool)
    return logical_or(
        logical_and(expanded(self, {a.numel(), b.numel()}), constant(beta.toBool(), kBool, self.device(), {})),
        logical_and(outer(a, b), constant(alpha.toBool(), kBool, self.device(), {})));
  return addmm(self, unsqueeze(a, 1), unsqueeze(b, 0), beta, alpha);
}

Tensor baddbmm(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha) {
  const Called called;
  check_dims("baddbmm", a, 3, b, 3);
  STRATA_CHECK(a.sizes()[0] == b.sizes()[0], "baddbmm: shapes {} and {} have different batch sizes ({} vs {})",
               a.sizes(), b.sizes(), a.sizes()[0], b.sizes()[0]);
  check_product("baddbmm", a, b);
  return addmm_of(expanded(self, {a.sizes()[0], a.sizes()[1], b.sizes()[2]}), a, b, beta, alpha);
}

Tensor addbmm(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha) {
  const Called called;
  check_dims("addbmm", a, 3, b, 3);
  STRATA_CHECK(a.sizes()[0] == b.sizes()[0], "addbmm: shapes {} and {} have different batch sizes ({} vs {})",
               a.sizes(), b.sizes(), a.sizes()[0], b.sizes()[0]);
  check_product("addbmm", a, b);
  // The sum over the batch is a longer sum over k.
  const int64_t rows = a.sizes()[1], k = checked_mul(a.sizes()[0], a.sizes()[2], "addbmm");
  return addmm(self, reshape(transpose(a, 0, 1), {rows, k}), reshape(b, {k, b.sizes()[2]}), beta, alpha);
}

// --- out= ------------------------------------------------------------------------------------------------------------

namespace {

/// Can the product of a and b go straight into `out`?
bool is_shaped_for(const Tensor& out, const Tensor& a, const Tensor& b) {
  DimVector sizes = a.sizes();
  sizes.back() = b.sizes().back();
  return out.sizes() == IntArrayRef(sizes) && out.dtype() == a.dtype();
}

}  // namespace

Tensor& mm_out(Tensor& out, const Tensor& a, const Tensor& b) {
  check_dims("mm_out", a, 2, b, 2);
  return matmul_out(out, a, b);
}

Tensor& bmm_out(Tensor& out, const Tensor& a, const Tensor& b) {
  check_dims("bmm_out", a, 3, b, 3);
  return matmul_out(out, a, b);
}

Tensor& matmul_out(Tensor& out, const Tensor& a, const Tensor& b) {
  const bool as_they_are = a.dim() >= 2 && a.dim() == b.dim() && leading(a.sizes(), 2) == leading(b.sizes(), 2);
  if (as_they_are) check_product("matmul_out", a, b);
  if (!as_they_are || !is_shaped_for(out, a, b)) return detail::write_out("matmul_out", out, matmul(a, b));
  return detail::call_out(matmul_op, out, {&a, &b});
}

Tensor& addmm_out(Tensor& out, const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta,
                  const Scalar& alpha) {
  check_dims("addmm_out", a, 2, b, 2);
  check_product("addmm_out", a, b);
  if (!is_shaped_for(out, a, b)) return detail::write_out("addmm_out", out, addmm(self, a, b, beta, alpha));
  const Tensor init = expanded(self, out.sizes());
  return detail::call_out(addmm_op, out, {&init, &a, &b}, AddmmParams{beta, alpha});
}

// --- methods ---------------------------------------------------------------------------------------------------------

Tensor Tensor::mm(const Tensor& other) const { return strata::mm(*this, other); }
Tensor Tensor::bmm(const Tensor& other) const { return strata::bmm(*this, other); }
Tensor Tensor::matmul(const Tensor& other) const { return strata::matmul(*this, other); }
Tensor Tensor::mv(const Tensor& vec) const { return strata::mv(*this, vec); }
Tensor Tensor::dot(const Tensor& other) const { return strata::dot(*this, other); }
Tensor Tensor::outer(const Tensor& other) const { return strata::outer(*this, other); }
Tensor Tensor::inner(const Tensor& other) const { return strata::inner(*this, other); }
Tensor Tensor::ger(const Tensor& other) const { return strata::ger(*this, other); }
Tensor Tensor::vdot(const Tensor& other) const { return strata::vdot(*this, other); }
Tensor Tensor::addmv(const Tensor& a, const Tensor& v, const Scalar& beta, const Scalar& alpha) const {
  return strata::addmv(*this, a, v, beta, alpha);
}
Tensor Tensor::baddbmm(const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha) const {
  return strata::baddbmm(*this, a, b, beta, alpha);
}
Tensor Tensor::addmm(const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha) const {
  return strata::addmm(*this, a, b, beta, alpha);
}
Tensor& Tensor::addmm_(const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha) const {
  return detail::in_place("addmm_", [&]() -> Tensor& {
    check_dims("addmm_", a, 2, b, 2);
    check_product("addmm_", a, b);
    STRATA_CHECK(sizes() == IntArrayRef({a.sizes()[0], b.sizes()[1]}),
                 "addmm_: self {} does not hold a product of {} and {}", sizes(), a.sizes(), b.sizes());
    call_inplace(addmm_op, self(), {this, &a, &b}, AddmmParams{beta, alpha});
    return self();
  });
}

}  // namespace strata
