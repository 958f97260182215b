// Conjugates, parts, absolute values and the views between complex and real numbers.
#include "ops/complex.h"

#include <limits>
#include <numbers>

#include "core/called.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/complex_def.h"
#include "ops/creation.h"
#include "ops/indexing.h"
#include "ops/promote.h"
#include "ops/rules.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata {
namespace {

void real_view(const Tensor& x, ViewGeometry& g) {
  g.dtype = to_real_dtype(x.dtype());
  g.sizes = x.sizes();
  g.strides = x.strides();
  for (int64_t& s : g.strides) s *= 2;
  g.sizes.push_back(2);
  g.strides.push_back(1);
}

/// Do the numbers of the last dim stand as complex ones do?
bool pairs_up(const Tensor& x) {
  bool even = x.storage_offset() % 2 == 0;
  for (int64_t d = 0; d + 1 < x.dim(); ++d) even &= x.strides()[d] % 2 == 0 || x.sizes()[d] == 1;
  return even && x.strides().back() == 1;
}

void complex_view(const Tensor& x, ViewGeometry& g) {
  STRATA_CHECK(pairs_up(x),
               "view_as_complex: strides {} and offset {} do not pair up: the last dim must be contiguous, the rest "
               "even; use contiguous()",
               x.strides(), x.storage_offset());
  const size_t dims = static_cast<size_t>(x.dim()) - 1;
  g.dtype = to_complex_dtype(x.dtype());
  g.sizes = x.sizes().slice(0, dims);
  g.strides = x.strides().slice(0, dims);
  for (int64_t& s : g.strides) s /= 2;
}

}  // namespace

STRATA_OP(conj_op) = pointwise("conj(Tensor x) -> Tensor", one)
                         .vjp([](const Vjp& c) { return Tensors(conj(c.grad())); })
                         .jvp(linear_rule)
                         .dtypes(kComplexTypes);
STRATA_OP(complex_op) = op("complex(Tensor real, Tensor imag) -> Tensor")
                            .flag(kPointwise)
                            .infer([](Args in) { return meta_like(in[0], to_complex_dtype(in[0].dtype())); })
                            .vjp([](const Vjp& c) {
                              return Tensors(c.needs(0) ? real(c.grad()) : Tensor(),
                                             c.needs(1) ? imag(c.grad()) : Tensor());
                            })
                            .jvp([](const Jvp& c) {
                              const auto part = [&](size_t i) {
                                return c.tangent(i).defined() ? c.tangent(i) : rules::zero_like(c.in(i));
                              };
                              return complex(part(0), part(1));
                            })
                            .batch(pointwise_batch)
                            .dtypes(kSingleAndDouble);
// Note [polar]
// z = r u with the direction u = e^(i angle), which is saved beside z: so neither operand is, and both may be written
// to before backward, as in PyTorch. PyTorch takes z / |z| for u, which is another direction where r is negative, and
// none where it is 0.
STRATA_OP(polar_op) = op("polar(Tensor abs, Tensor angle) -> (Tensor, Tensor direction)")
                          .infer([](Args in) {
                            const DType t = to_complex_dtype(in[0].dtype());
                            return Metas(meta_like(in[0], t), meta_like(in[0], t));
                          })
                          .vjp([](const Vjp& c) {
                            const auto pulled = [&](size_t i, const Tensor& through) {
                              return c.grad(i).defined() ? conj(through) * c.grad(i) : Tensor();
                            };
                            const Tensor of_abs = c.needs(0) ? pulled(0, c.out(1)) : Tensor();
                            const Tensor of_angle =
                                c.needs(1) ? rules::add_defined(pulled(0, c.out(0)), pulled(1, c.out(1))) : Tensor();
                            return Tensors(of_abs.defined() ? real(of_abs) : Tensor(),
                                           of_angle.defined() ? imag(of_angle) : Tensor());
                          })
                          .jvp([](const Jvp& c) {
                            const auto turned = [&](const Tensor& t) {
                              const Tensor by = c.tangent(1);
                              return by.defined() ? complex(-imag(t) * by, real(t) * by) : rules::zero_like(t);
                            };
                            const Tensor z = turned(c.out(0));
                            return Tensors(c.tangent(0).defined() ? z + c.out(1) * c.tangent(0) : z, turned(c.out(1)));
                          })
                          .saves(saves_out(0, 1))
                          .batch([](const Batch& c) {
                            const Tensor r = rules::batched(c, 0), angle = rules::batched(c, 1);
                            return call(polar_op, {&r, &angle});
                          })
                          .decompose([](Args in) {
                            const Tensor re = cos(in[1]), im = sin(in[1]);
                            return Tensors(complex(in[0] * re, in[0] * im), complex(re, im));
                          })
                          .dtypes(kSingleAndDouble);
STRATA_OP(complex_abs_op) = op("complex_abs(Tensor x) -> Tensor")
                                .flag(kPointwise)
                                .infer([](Args in) { return meta_like(in[0], to_real_dtype(in[0].dtype())); })
                                .vjp([](const Vjp& c) { return Tensors(sgn(c.in(0)) * c.grad()); })
                                .saves(saves_in(0))
                                .jvp([](const Jvp& c) { return Tensors(real(conj(sgn(c.in(0))) * c.tangent())); })
                                .batch(pointwise_batch)
                                .dtypes(kComplexTypes);

STRATA_OP(view_as_real_op) = op("view_as_real(Tensor x) -> Tensor")
                                 .view([](const Tensor& x, const NoParams&, ViewGeometry& g) { real_view(x, g); })
                                 .vjp([](const Vjp& c) { return detail::complex_of_pairs(c.grad().contiguous()); })
                                 .jvp(linear_rule)
                                 .batch([](const Batch& c) { return view_as_real(c.in(0)); })
                                 .dtypes(kComplexTypes);
STRATA_OP(view_as_complex_op) =
    op("view_as_complex(Tensor x) -> Tensor")
        .view([](const Tensor& x, const NoParams&, ViewGeometry& g) { complex_view(x, g); })
        .replay([](const Replay& c) { return detail::complex_of_pairs(c.in(0)); })  // strides may be others now
        .vjp([](const Vjp& c) { return view_as_real(c.grad()); })
        .jvp([](const Jvp& c) { return complex(c.tangent().select(-1, 0), c.tangent().select(-1, 1)); })
        .batch([](const Batch& c) { return detail::complex_of_pairs(c.in(0)); })
        .dtypes(kSingleAndDouble);

Tensor conj(const Tensor& x) { return is_complex(x.dtype()) ? call1(conj_op, {&x}) : x; }
Tensor conj_physical(const Tensor& x) { return conj(x); }
Tensor resolve_conj(const Tensor& x) { return x; }
Tensor adjoint(const Tensor& x) {
  const Called called;
  return conj(transpose(x, -2, -1));
}

Tensor view_as_real(const Tensor& x) {
  STRATA_CHECK_AS(TypeError, is_complex(x.dtype()), "view_as_real: expected a complex tensor, got {}", name(x.dtype()));
  return call_view(view_as_real_op, x);
}
Tensor view_as_complex(const Tensor& x) {
  STRATA_CHECK(x.dtype() == kFloat || x.dtype() == kDouble, "view_as_complex: expected float32 or float64, got {}",
               name(x.dtype()));
  STRATA_CHECK(x.dim() > 0 && x.sizes().back() == 2, "view_as_complex: the last dim must have size 2, the shape is {}",
               x.sizes());
  return call_view(view_as_complex_op, x);
}
Tensor detail::complex_of_pairs(const Tensor& x) {
  // Not contiguous(), which is no copy of what only begins at an odd place.
  return view_as_complex(pairs_up(x) ? x : x.clone(MemoryFormat::Contiguous));
}
Tensor real(const Tensor& x) { return is_complex(x.dtype()) ? select(view_as_real(x), -1, 0) : x; }
Tensor imag(const Tensor& x) {
  STRATA_CHECK_AS(TypeError, is_complex(x.dtype()), "imag: expected a complex tensor, got {}", name(x.dtype()));
  return select(view_as_real(x), -1, 1);
}

namespace {
void check_parts(const char* op, const Tensor& a, const Tensor& b) {
  const auto is_part = [](const Tensor& t) { return t.dtype() == kFloat || t.dtype() == kDouble; };
  constexpr const char* kText = "{}: expected two float32 or two float64 tensors, got {} and {}";
  STRATA_CHECK_AS(NotImplementedError, is_part(a) && is_part(b), kText, op, name(a.dtype()), name(b.dtype()));
  STRATA_CHECK(a.dtype() == b.dtype(), kText, op, name(a.dtype()), name(b.dtype()));
}

Tensors of_parts(const Op& op, const char* name, const Tensor& a, const Tensor& b) {
  check_parts(name, a, b);
  if (a.sizes() == b.sizes()) return call(op, {&a, &b});
  const DimVector sizes = broadcast_shapes(a.sizes(), b.sizes(), name);
  const Tensor x = expand(a, sizes), y = expand(b, sizes);
  return call(op, {&x, &y});
}
}  // namespace

Tensor complex(const Tensor& real, const Tensor& imag) { return of_parts(complex_op, "complex", real, imag)[0]; }
Tensor polar(const Tensor& abs, const Tensor& angle) { return of_parts(polar_op, "polar", abs, angle)[0]; }
Tensor angle(const Tensor& x) {
  const Called called;
  if (is_complex(x.dtype())) return atan2(imag(x), real(x)).contiguous();
  // What of a real number the angle is a function of, the sign, has a history along which nothing moves.
  const Tensor y = cast(x, float_type(x.dtype())), s = sign(y);
  return where(isnan(y), std::numeric_limits<double>::quiet_NaN(), where(s < 0, std::numbers::pi, s - s));
}
Tensor sgn(const Tensor& x) {
  if (!is_complex(x.dtype())) return sign(x);
  const Tensor length = abs(x), zero = length == 0;
  return where(zero, 0, x / where(zero, 1, length));
}
Tensor isreal(const Tensor& x) { return is_complex(x.dtype()) ? imag(x) == 0 : ones_like(x, kBool); }

Tensor Tensor::conj() const { return strata::conj(*this); }
Tensor Tensor::conj_physical() const { return strata::conj(*this); }
Tensor Tensor::adjoint() const { return strata::adjoint(*this); }
Tensor Tensor::angle() const { return strata::angle(*this); }
Tensor Tensor::sgn() const { return strata::sgn(*this); }
Tensor Tensor::isreal() const { return strata::isreal(*this); }

}  // namespace strata
