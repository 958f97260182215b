// Scans: running sums, products, extremes, and the affine recurrence that the derivatives of products need.
#include "ops/scan.h"

#include <cmath>

#include "ops/binary.h"
#include "ops/complex.h"
#include "ops/creation.h"
#include "ops/indexing.h"
#include "ops/rules.h"
#include "ops/scan_def.h"
#include "ops/shaping.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"
#include "ops/without_dims.h"

namespace strata {
namespace {

constexpr DType scan_dtype(DType t) { return is_differentiable(t) ? t : kLong; }

constexpr Builder<ScanParams> scan(const char* schema) {
  return op<ScanParams>(schema)
      .infer([](Args in) { return meta_like(in[0], scan_dtype(in[0].dtype())); })
      .batch(shift_dims<&ScanParams::dim>);
}

Tensor run(const Op& op, const Tensor& x, const ScanParams& p) { return call1(op, {&x}, p); }
/// y[i] = a[i] y[i - 1] + b[i]
Tensor affine_scan(const Tensor& a, const Tensor& b, const ScanParams& p) { return call1(affine_scan_op, {&a, &b}, p); }
ScanParams reversed(const ScanParams& p) { return {p.dim, !p.reverse}; }

/// At each element the one that a scan meets before it; `fill` at the start.
Tensor previous(const Tensor& x, const ScanParams& p, double fill) {
  if (is_without(x, p.dim)) return constant(fill, x.dtype(), x.device(), x.sizes());
  const int64_t n = x.sizes()[p.dim];
  if (n == 0) return x;
  DimVector edge_sizes = x.sizes();
  edge_sizes[p.dim] = 1;
  const Tensor edge = constant(fill, x.dtype(), x.device(), edge_sizes);
  const Tensor rest = narrow(x, p.dim, p.reverse ? 1 : 0, n - 1);
  return p.reverse ? cat({rest, edge}, p.dim) : cat({edge, rest}, p.dim);
}

/// (values, indices) of a running extreme.
constexpr Builder<ScanParams> extreme_scan(const char* schema) {
  return op<ScanParams>(schema)
      .infer([](Args in) { return Metas(meta_like(in[0]), meta_like(in[0], kLong)); })
      .vjp([](const Vjp& c, const ScanParams& p) -> Tensors {
        if (is_without(c.in(0), p.dim)) return c.grad();
        return scatter_add(rules::zero_like(c.in(0)), p.dim, c.out(1), c.grad());
      })
      .saves(saves_shape(0) | saves_out(1))
      .jvp([](const Jvp& c, const ScanParams& p) -> Tensors {
        return {is_without(c.in(0), p.dim) ? c.tangent() : gather(c.tangent(), p.dim, c.out(1)), Tensor()};
      })
      .batch(shift_dims<&ScanParams::dim>);
}

}  // namespace

STRATA_OP(cumsum_op) = scan("cumsum(Tensor x, int dim, bool reverse) -> Tensor")
                           .vjp([](const Vjp& c, const ScanParams& p) -> Tensors {
                             return run(cumsum_op, c.grad(), reversed(p));
                           })
                           .jvp(linear_rule)
                           .dtypes(kAllTypes)
                           .autocast(AutocastPolicy::kFloat32);

// dx[k] = (product before k) * S[k] with S[k] = g[k] + x[k + 1] S[k + 1]: no division, so zeros are no special case.
STRATA_OP(cumprod_op) = scan("cumprod(Tensor x, int dim, bool reverse) -> Tensor")
                            .vjp([](const Vjp& c, const ScanParams& p) -> Tensors {
                              const ScanParams back = reversed(p);
                              return conj(previous(c.out(), p, 1)) *
                                     affine_scan(conj(previous(c.in(0), back, 0)), c.grad(), back);
                            })
                            .saves(saves_in(0) | saves_out(0))
                            .jvp([](const Jvp& c, const ScanParams& p) -> Tensors {
                              return affine_scan(c.in(0), c.tangent() * previous(c.out(), p, 1), p);
                            })
                            .dtypes(kAllTypes)
                            .autocast(AutocastPolicy::kFloat32);

STRATA_OP(affine_scan_op) = scan("affine_scan(Tensor a, Tensor b, int dim, bool reverse) -> Tensor")
                                .vjp([](const Vjp& c, const ScanParams& p) {
                                  const ScanParams back = reversed(p);
                                  const Tensor db = affine_scan(conj(previous(c.in(0), back, 0)), c.grad(), back);
                                  Tensors grads = Tensors::undefined(2);
                                  if (c.needs(0)) grads[0] = db * conj(previous(c.out(), p, 0));
                                  if (c.needs(1)) grads[1] = db;
                                  return grads;
                                })
                                .saves_for(0, saves_in(0) | saves_out(0))
                                .saves_for(1, saves_in(0))
                                .jvp([](const Jvp& c, const ScanParams& p) -> Tensors {
                                  Tensor b = c.tangent(1);
                                  if (c.tangent(0).defined())
                                    b = rules::add_defined(b, c.tangent(0) * previous(c.out(), p, 0));
                                  return affine_scan(c.in(0), b, p);
                                })
                                .dtypes(kAllTypes);

// dx[k] = exp(x[k] - y[k]) S[k] with S[k] = g[k] + exp(y[k] - y[k + 1]) S[k + 1]: no exponential is above 1.
STRATA_OP(logcumsumexp_op) = op<ScanParams>("logcumsumexp(Tensor x, int dim, bool reverse) -> Tensor")
                                 .infer([](Args in) { return meta_like(in[0]); })
                                 .vjp([](const Vjp& c, const ScanParams& p) -> Tensors {
                                   const ScanParams back = reversed(p);
                                   const Tensor &x = c.in(0), &y = c.out(), next = previous(y, back, INFINITY),
                                                none = eq(y, -INFINITY);
                                   // What is infinite stays so: nothing is lost from there on.
                                   const Tensor kept = where(none, 0, where(eq(y, INFINITY), 1, exp(y - next)));
                                   return where(none, 0, exp(x - y)) * affine_scan(kept, c.grad(), back);
                                 })
                                 .saves(saves_in(0) | saves_out(0))
                                 .jvp([](const Jvp& c, const ScanParams& p) -> Tensors {
                                   const Tensor &x = c.in(0), &y = c.out(), before = previous(y, p, -INFINITY),
                                                none = eq(y, -INFINITY);
                                   const Tensor kept = where(none, 0, exp(before - y));
                                   return affine_scan(kept, where(none, 0, exp(x - y)) * c.tangent(), p);
                                 })
                                 .batch(shift_dims<&ScanParams::dim>)
                                 .dtypes(kFloatingTypes)
                                 .autocast(AutocastPolicy::kFloat32);

STRATA_OP(cummax_op) = extreme_scan("cummax(Tensor x, int dim, bool reverse) -> (Tensor values, Tensor indices)");
STRATA_OP(cummin_op) = extreme_scan("cummin(Tensor x, int dim, bool reverse) -> (Tensor values, Tensor indices)");

Tensor product_of_others(const Tensor& x, int64_t dim) {
  if (is_without(x, dim) || x.sizes()[dim] < 2) return ones_like(x);
  const int64_t n = x.sizes()[dim];
  const Tensor before = run(cumprod_op, x, ScanParams{dim, false}), behind = run(cumprod_op, x, ScanParams{dim, true});
  const Tensor inner = narrow(before, dim, 0, n - 2) * narrow(behind, dim, 2, n - 2);
  return cat({narrow(behind, dim, 1, 1), inner, narrow(before, dim, n - 2, 1)}, dim);
}

namespace {
Tensor scan_with(const Op& op, const char* name, const Tensor& x, int64_t dim, std::optional<DType> dtype) {
  if (kUnsignedStorageTypes.has(x.dtype())) return scan_with(op, name, x.to(kLong), dim, dtype);
  const ScanParams p{wrap_dim(dim, x.dim(), name)};
  const Tensor y = run(op, dtype ? x.to(*dtype) : x, p);
  return dtype ? y.to(*dtype) : y;  // integers run in int64 whatever comes out
}
std::tuple<Tensor, Tensor> extreme_with(const Op& op, const char* name, const Tensor& x, int64_t dim) {
  Tensors r = call(op, {&x}, ScanParams{wrap_dim(dim, x.dim(), name)});
  return {std::move(r[0]), std::move(r[1])};
}
}  // namespace

Tensor cumsum(const Tensor& x, int64_t dim, std::optional<DType> dtype) {
  return scan_with(cumsum_op, "cumsum", x, dim, dtype);
}
Tensor cumprod(const Tensor& x, int64_t dim, std::optional<DType> dtype) {
  return scan_with(cumprod_op, "cumprod", x, dim, dtype);
}
Tensor logcumsumexp(const Tensor& x, int64_t dim) {
  return run(logcumsumexp_op, x, ScanParams{wrap_dim(dim, x.dim(), "logcumsumexp")});
}
std::tuple<Tensor, Tensor> cummax(const Tensor& x, int64_t dim) { return extreme_with(cummax_op, "cummax", x, dim); }
std::tuple<Tensor, Tensor> cummin(const Tensor& x, int64_t dim) { return extreme_with(cummin_op, "cummin", x, dim); }

Tensor Tensor::cumsum(int64_t dim, std::optional<DType> dtype) const { return strata::cumsum(*this, dim, dtype); }
Tensor Tensor::cumprod(int64_t dim, std::optional<DType> dtype) const { return strata::cumprod(*this, dim, dtype); }
Tensor Tensor::logcumsumexp(int64_t dim) const { return strata::logcumsumexp(*this, dim); }
std::tuple<Tensor, Tensor> Tensor::cummax(int64_t dim) const { return strata::cummax(*this, dim); }
std::tuple<Tensor, Tensor> Tensor::cummin(int64_t dim) const { return strata::cummin(*this, dim); }

}  // namespace strata
