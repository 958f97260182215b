// The reductions as users call them: arguments checked, dims normalised, dtypes promoted.
#include <cmath>

#include "core/called.h"
#include "core/warning.h"
#include "dispatcher/call.h"
#include "ops/as_result.h"
#include "ops/binary.h"
#include "ops/complex.h"
#include "ops/indexing.h"
#include "ops/memory_format.h"
#include "ops/reduce.h"
#include "ops/reduce_def.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata {
namespace {

/// For functions that users know by another name than their op's.
void refuse_complex(const char* op, const Tensor& x) {
  STRATA_CHECK_AS(NotImplementedError, !is_complex(x),
                  "{}: not implemented for {}; give it abs(), real() or view_as_real() of the tensor", op,
                  name(x.dtype()));
}

void check_float(const char* op, const Tensor& x) {
  refuse_complex(op, x);
  STRATA_CHECK_AS(NotImplementedError, x.is_floating_point(),
                  "{}: expected a floating point tensor, got {}; convert it or pass a dtype", op, name(x.dtype()));
}

void check_dim_not_empty(std::string_view op, const Tensor& x, int64_t d) {
  STRATA_CHECK_INDEX(x.dim() == 0 || x.sizes()[d] > 0, "{}: dim {} of shape {} has no elements to choose from", op, d,
                     x.sizes());
}

void check_not_empty(std::string_view op, const Tensor& x) {
  STRATA_CHECK(x.numel() > 0,
               "{}: Expected reduction dim to be specified for input.numel() == 0, got an input of shape {}", op,
               x.sizes());
}

Tensor cast_if(const Tensor& x, std::optional<DType> dtype) { return dtype && *dtype != x.dtype() ? x.to(*dtype) : x; }

ReduceParams over_all_dims(const Tensor& x) {
  ReduceParams p;
  for (int64_t d = 0; d < x.dim(); ++d) p.dims.push_back(d);
  return p;
}
ReduceParams reduce_params(const Tensor& x, OptionalIntArrayRef dims, bool keepdim, const char* op) {
  return {wrap_dims(dims.value_or(IntArrayRef()), x.dim(), op), keepdim};
}

Tensor sum_with(const Tensor& x, const ReduceParams& p, std::optional<DType> dtype) {
  if (kUnsignedStorageTypes.has(x.dtype())) return sum_with(x.to(kLong), p, dtype);
  // Integers are summed in int64 whatever comes out, but for bools: whether any is true is no matter of their sum.
  if (dtype && is_integral(*dtype) && is_integral(x.dtype(), true)) return cast_if(call1(sum_op, {&x}, p), dtype);
  const Tensor y = cast_if(x, dtype);
  return cast_if(call1(sum_op, {&y}, p), dtype);
}

Tensor mean_with(const Tensor& x, const ReduceParams& p, std::optional<DType> dtype) {
  const Tensor y = cast_if(x, dtype);
  STRATA_CHECK_AS(
      NotImplementedError, is_complex(y) || y.is_floating_point(),
      "mean(): could not infer output dtype of {} values; convert them or pass a floating point or complex dtype",
      name(y.dtype()));
  return call1(mean_op, {&y}, p);
}

Tensor extreme(const Op& op, const Tensor& x, const ReduceParams& p) {
  for (const int64_t d : p.dims) check_dim_not_empty(op.name(), x, d);
  return call1(op, {&x}, p);
}

std::tuple<Tensor, Tensor> extreme_dim(const Op& op, const char* name, const Tensor& x, int64_t dim, bool keepdim) {
  refuse_complex(name, x);
  const ReduceDimParams p{wrap_dim(dim, x.dim(), name), keepdim};
  check_dim_not_empty(name, x, p.dim);
  Tensors r = call(op, {&x}, p);
  return {std::move(r[0]), std::move(r[1])};
}

Tensor arg_extreme(const Op& op, const char* name, const Tensor& x, std::optional<int64_t> dim, bool keepdim) {
  if (dim) {
    const ReduceDimParams p{wrap_dim(*dim, x.dim(), name), keepdim};
    check_dim_not_empty(name, x, p.dim);
    return call1(op, {&x}, p);
  }
  const Tensor flat = x.dim() == 1 ? x : reshape(x, {-1});
  check_dim_not_empty(name, flat, 0);
  const Tensor index = call1(op, {&flat}, ReduceDimParams{0, false});
  return keepdim ? as_result(reshape(index, DimVector(x.dim(), 1))) : index;
}

/// A root that is 0 with a derivative of 0 at 0.
Tensor root(const Tensor& x) {
  const Tensor zero = eq(x, 0);
  return where(zero, 0, sqrt(where(zero, 1, x)));
}

Tensor moment(const Op& op, const char* name, const Tensor& x, OptionalIntArrayRef dims,
              const std::optional<Scalar>& correction, bool keepdim) {
  check_float(name, x);
  const double c = correction ? correction->toDouble() : 1;
  const VarParams p{wrap_dims(dims.value_or(IntArrayRef()), x.dim(), name), keepdim, c};
  int64_t n = 1;
  for (const int64_t d : p.dims) n *= x.sizes()[d];
  if (static_cast<double>(n) <= c) warn("{}: {} values less a correction of {} leave no degree of freedom", name, n, c);
  return call1(op, {&x}, p);
}

/// That of the parts together.
Tensor complex_variance(const char* name, const Tensor& x, OptionalIntArrayRef dims,
                        const std::optional<Scalar>& correction, bool keepdim) {
  return moment(var_op, name, real(x), dims, correction, keepdim)
      .add(moment(var_op, name, imag(x), dims, correction, keepdim));
}

/// A bool, but uint8 for uint8, PyTorch's bool of old.
Tensor test_bools(const Op& op, const Tensor& x, const ReduceParams& p) {
  const Tensor bools = x.dtype() == kBool ? x : ne(x, 0);
  const Tensor tested = call1(op, {&bools}, p);
  return x.dtype() == kByte ? tested.to(kByte) : tested;
}
/// An empty list of dims leaves the elements as they are, unlike in other reductions.
Tensor test_bools(const Op& op, const char* name, const Tensor& x, OptionalIntArrayRef dims, bool keepdim) {
  if (dims && dims->empty())
    return detail::row_major_copy(x.dtype() == kBool ? x : x.to(kBool).to(x.dtype() == kByte ? kByte : kBool));
  return test_bools(op, x, reduce_params(x, dims, keepdim, name));
}
ReduceParams one_dim(const Tensor& x, int64_t dim, bool keepdim, const char* op) {
  ReduceParams p{{wrap_dim(dim, x.dim(), op)}, keepdim};
  if (x.dim() == 0) p.dims.clear();
  return p;
}

}  // namespace

Tensor sum(const Tensor& x, std::optional<DType> dtype) { return sum_with(x, over_all_dims(x), dtype); }
Tensor sum(const Tensor& x, OptionalIntArrayRef dims, bool keepdim, std::optional<DType> dtype) {
  return sum_with(x, reduce_params(x, dims, keepdim, "sum"), dtype);
}
Tensor nansum(const Tensor& x, OptionalIntArrayRef dims, bool keepdim, std::optional<DType> dtype) {
  refuse_complex("nansum", x);
  if (!x.is_floating_point()) return sum(x, dims, keepdim, dtype);
  if (dtype && !is_floating_point(*dtype)) return sum(masked_fill(x, isnan(x), 0), dims, keepdim, dtype);
  const Tensor y = cast_if(x, dtype);
  return call1(nansum_op, {&y}, reduce_params(x, dims, keepdim, "nansum"));
}

Tensor sum_to_size(const Tensor& x, IntArrayRef sizes) {
  const int64_t extra = x.dim() - static_cast<int64_t>(sizes.size());
  DimVector dims;
  for (int64_t d = 0; d < x.dim(); ++d) {
    const int64_t want = d < extra ? 1 : sizes[d - extra];
    STRATA_CHECK(extra >= 0 && (want == 1 || want == x.sizes()[d]),
                 "sum_to_size: shape {} does not come from broadcasting {}", x.sizes(), sizes);
    if (d < extra || want != x.sizes()[d]) dims.push_back(d);
  }
  STRATA_CHECK(extra >= 0, "sum_to_size: shape {} does not come from broadcasting {}", x.sizes(), sizes);
  if (sizes.empty()) return sum(x);  // as PyTorch does, of one number too: a copy, and integers as int64
  if (dims.empty()) return x;
  const Tensor y = sum(x, dims, true);
  return extra ? as_result(view(y, sizes)) : y;
}

Tensor mean(const Tensor& x, std::optional<DType> dtype) { return mean_with(x, over_all_dims(x), dtype); }
Tensor mean(const Tensor& x, OptionalIntArrayRef dims, bool keepdim, std::optional<DType> dtype) {
  return mean_with(x, reduce_params(x, dims, keepdim, "mean"), dtype);
}

Tensor prod(const Tensor& x, std::optional<DType> dtype) {
  return prod(x.dim() == 1 ? x : reshape(x, {-1}), 0, false, dtype);
}
Tensor prod(const Tensor& x, int64_t dim, bool keepdim, std::optional<DType> dtype) {
  if (kUnsignedStorageTypes.has(x.dtype())) return prod(x.to(kLong), dim, keepdim, dtype);
  const ReduceDimParams p{wrap_dim(dim, x.dim(), "prod"), keepdim};
  if (dtype && is_integral(*dtype, true) && is_integral(x.dtype(), true))
    return cast_if(call1(prod_op, {&x}, p), dtype);
  const Tensor y = cast_if(x, dtype);
  return cast_if(call1(prod_op, {&y}, p), dtype);
}

Tensor max(const Tensor& x) {
  const Called called;
  refuse_complex("max", x);
  check_not_empty("max", x);
  return call1(amax_op, {&x}, over_all_dims(x));
}
Tensor min(const Tensor& x) {
  const Called called;
  refuse_complex("min", x);
  check_not_empty("min", x);
  return call1(amin_op, {&x}, over_all_dims(x));
}
Tensor amax(const Tensor& x, IntArrayRef dims, bool keepdim) {
  if (dims.empty()) check_not_empty("amax", x);
  return extreme(amax_op, x, reduce_params(x, dims, keepdim, "amax"));
}
Tensor amin(const Tensor& x, IntArrayRef dims, bool keepdim) {
  if (dims.empty()) check_not_empty("amin", x);
  return extreme(amin_op, x, reduce_params(x, dims, keepdim, "amin"));
}
std::tuple<Tensor, Tensor> aminmax(const Tensor& x, std::optional<int64_t> dim, bool keepdim) {
  if (!dim) check_not_empty("aminmax", x);
  const ReduceParams p = reduce_params(x, dim ? IntArrayRef(*dim) : IntArrayRef(), keepdim, "aminmax");
  for (const int64_t d : p.dims) check_dim_not_empty("aminmax", x, d);
  Tensors r = call(aminmax_op, {&x}, p);
  return {std::move(r[0]), std::move(r[1])};
}
std::tuple<Tensor, Tensor> max(const Tensor& x, int64_t dim, bool keepdim) {
  return extreme_dim(max_dim_op, "max", x, dim, keepdim);
}
std::tuple<Tensor, Tensor> min(const Tensor& x, int64_t dim, bool keepdim) {
  return extreme_dim(min_dim_op, "min", x, dim, keepdim);
}
Tensor argmax(const Tensor& x, std::optional<int64_t> dim, bool keepdim) {
  return arg_extreme(argmax_op, "argmax", x, dim, keepdim);
}
Tensor argmin(const Tensor& x, std::optional<int64_t> dim, bool keepdim) {
  return arg_extreme(argmin_op, "argmin", x, dim, keepdim);
}

Tensor var(const Tensor& x, OptionalIntArrayRef dims, const std::optional<Scalar>& correction, bool keepdim) {
  return is_complex(x) ? complex_variance("var", x, dims, correction, keepdim)
                       : moment(var_op, "var", x, dims, correction, keepdim);
}
Tensor std(const Tensor& x, OptionalIntArrayRef dims, const std::optional<Scalar>& correction, bool keepdim) {
  return is_complex(x) ? root(complex_variance("std", x, dims, correction, keepdim))
                       : moment(std_op, "std", x, dims, correction, keepdim);
}
std::tuple<Tensor, Tensor> var_mean(const Tensor& x, OptionalIntArrayRef dims, const std::optional<Scalar>& correction,
                                    bool keepdim) {
  return {var(x, dims, correction, keepdim), mean(x, dims.value_or(IntArrayRef()), keepdim)};
}
std::tuple<Tensor, Tensor> std_mean(const Tensor& x, OptionalIntArrayRef dims, const std::optional<Scalar>& correction,
                                    bool keepdim) {
  return {strata::std(x, dims, correction, keepdim), mean(x, dims.value_or(IntArrayRef()), keepdim)};
}

Tensor norm(const Tensor& x, const Scalar& p) {
  const Called called;
  return linalg_vector_norm(x, p);
}
Tensor norm(const Tensor& x, const std::optional<Scalar>& p, IntArrayRef dims, bool keepdim) {
  const Called called;
  return linalg_vector_norm(x, p.value_or(Scalar(2)), dims, keepdim);
}
Tensor norm(const Tensor& x, const std::optional<Scalar>& p, DType dtype) {
  const Called called;
  return linalg_vector_norm(x, p.value_or(Scalar(2)), {}, false, dtype);
}
Tensor norm(const Tensor& x, const std::optional<Scalar>& p, IntArrayRef dims, bool keepdim, DType dtype) {
  const Called called;
  return linalg_vector_norm(x, p.value_or(Scalar(2)), dims, keepdim, dtype);
}
Tensor linalg_vector_norm(const Tensor& x, const Scalar& ord, OptionalIntArrayRef dims, bool keepdim,
                          std::optional<DType> dtype) {
  const Called called;
  if (!is_complex(x)) check_float("linalg_vector_norm", x);
  STRATA_CHECK(!dtype || is_complex(*dtype) == is_complex(x), "linalg_vector_norm: the dtype {} does not go with {}",
               name(*dtype), name(x.dtype()));
  STRATA_CHECK(!dtype || promote_types(x.dtype(), *dtype) == *dtype,
               "linalg_vector_norm: the dtype {} is narrower than that of the tensor, {}", name(*dtype),
               name(x.dtype()));
  const Tensor converted = cast_if(x, dtype), y = is_complex(converted) ? abs(converted) : converted;
  check_float("norm", y);
  const NormParams p{wrap_dims(dims.value_or(IntArrayRef()), y.dim(), "norm"), keepdim, ord.toDouble()};
  if (p.p < 0 || std::isinf(p.p))
    for (const int64_t d : p.dims) check_dim_not_empty("norm", y, d);
  return call1(norm_op, {&y}, p);
}
namespace {
/// Scaled by the largest real part, which is a constant to the derivative.
Tensor logsumexp_of_complex(const Tensor& x, const ReduceParams& p) {
  if (x.numel() == 0) return log(sum(x, p.dims, p.keepdim));
  const Tensor largest = amax(real(stop_gradient(x)), p.dims, true);
  const Tensor shift = where(isinf(largest), 0, largest), logs = log(sum(exp(x - shift), p.dims, true)) + shift;
  return p.keepdim ? logs : as_result(p.dims.empty() ? squeeze(logs) : squeeze(logs, p.dims));
}
}  // namespace

Tensor logsumexp(const Tensor& x, IntArrayRef dims, bool keepdim) {
  if (is_complex(x)) return logsumexp_of_complex(x, reduce_params(x, dims, keepdim, "logsumexp"));
  const Tensor y = x.is_floating_point() ? x : x.to(get_default_dtype());
  return call1(logsumexp_op, {&y}, reduce_params(y, dims, keepdim, "logsumexp"));
}

Tensor all(const Tensor& x) { return test_bools(all_op, x, over_all_dims(x)); }
Tensor all(const Tensor& x, int64_t dim, bool keepdim) {
  return test_bools(all_op, x, one_dim(x, dim, keepdim, "all"));
}
Tensor any(const Tensor& x) { return test_bools(any_op, x, over_all_dims(x)); }
Tensor any(const Tensor& x, int64_t dim, bool keepdim) {
  return test_bools(any_op, x, one_dim(x, dim, keepdim, "any"));
}
Tensor all(const Tensor& x, OptionalIntArrayRef dims, bool keepdim) {
  return test_bools(all_op, "all", x, dims, keepdim);
}
Tensor any(const Tensor& x, OptionalIntArrayRef dims, bool keepdim) {
  return test_bools(any_op, "any", x, dims, keepdim);
}
Tensor count_nonzero(const Tensor& x, OptionalIntArrayRef dims) { return sum(x.dtype() == kBool ? x : ne(x, 0), dims); }

Tensor isclose(const Tensor& a, const Tensor& b, double rtol, double atol, bool equal_nan) {
  STRATA_CHECK(rtol >= 0 && atol >= 0, "isclose: rtol {} and atol {} must not be negative", rtol, atol);
  STRATA_CHECK(a.dtype() == b.dtype(), "isclose: {} and {} differ; convert one first", name(a.dtype()),
               name(b.dtype()));
  const DType dtype = is_differentiable(a.dtype()) ? a.dtype() : kDouble;
  const Tensor x = cast_if(a, dtype), y = cast_if(b, dtype);
  const Tensor difference = abs(x - y);
  Tensor close = logical_or(eq(a, b), logical_and(isfinite(difference), le(difference, abs(y) * rtol + atol)));
  return equal_nan ? logical_or(close, logical_and(isnan(x), isnan(y))) : close;
}
bool allclose(const Tensor& a, const Tensor& b, double rtol, double atol, bool equal_nan) {
  return all(isclose(a, b, rtol, atol, equal_nan)).item<bool>();
}
bool equal(const Tensor& a, const Tensor& b) { return a.sizes() == b.sizes() && all(eq(a, b)).item<bool>(); }
bool is_nonzero(const Tensor& x) { return x.item().toBool(); }

// --- methods ---

Tensor Tensor::sum(std::optional<DType> dtype) const { return strata::sum(*this, dtype); }
Tensor Tensor::sum(OptionalIntArrayRef dims, bool keepdim, std::optional<DType> dtype) const {
  return strata::sum(*this, dims, keepdim, dtype);
}
Tensor Tensor::mean(std::optional<DType> dtype) const { return strata::mean(*this, dtype); }
Tensor Tensor::mean(OptionalIntArrayRef dims, bool keepdim, std::optional<DType> dtype) const {
  return strata::mean(*this, dims, keepdim, dtype);
}
Tensor Tensor::nansum(OptionalIntArrayRef dims, bool keepdim, std::optional<DType> dtype) const {
  return strata::nansum(*this, dims, keepdim, dtype);
}
Tensor Tensor::prod(std::optional<DType> dtype) const { return strata::prod(*this, dtype); }
Tensor Tensor::prod(int64_t dim, bool keepdim, std::optional<DType> dtype) const {
  return strata::prod(*this, dim, keepdim, dtype);
}
Tensor Tensor::max() const { return strata::max(*this); }
Tensor Tensor::min() const { return strata::min(*this); }
std::tuple<Tensor, Tensor> Tensor::max(int64_t dim, bool keepdim) const { return strata::max(*this, dim, keepdim); }
std::tuple<Tensor, Tensor> Tensor::min(int64_t dim, bool keepdim) const { return strata::min(*this, dim, keepdim); }
Tensor Tensor::amax(IntArrayRef dims, bool keepdim) const { return strata::amax(*this, dims, keepdim); }
Tensor Tensor::amin(IntArrayRef dims, bool keepdim) const { return strata::amin(*this, dims, keepdim); }
Tensor Tensor::argmax(std::optional<int64_t> dim, bool keepdim) const { return strata::argmax(*this, dim, keepdim); }
Tensor Tensor::argmin(std::optional<int64_t> dim, bool keepdim) const { return strata::argmin(*this, dim, keepdim); }
Tensor Tensor::var(OptionalIntArrayRef dims, const std::optional<Scalar>& correction, bool keepdim) const {
  return strata::var(*this, dims, correction, keepdim);
}
Tensor Tensor::std(OptionalIntArrayRef dims, const std::optional<Scalar>& correction, bool keepdim) const {
  return strata::std(*this, dims, correction, keepdim);
}
Tensor Tensor::norm(const Scalar& p) const { return strata::norm(*this, p); }
Tensor Tensor::norm(const std::optional<Scalar>& p, IntArrayRef dims, bool keepdim) const {
  return strata::norm(*this, p, dims, keepdim);
}
Tensor Tensor::norm(const std::optional<Scalar>& p, DType dtype) const { return strata::norm(*this, p, dtype); }
Tensor Tensor::norm(const std::optional<Scalar>& p, IntArrayRef dims, bool keepdim, DType dtype) const {
  return strata::norm(*this, p, dims, keepdim, dtype);
}
Tensor Tensor::logsumexp(IntArrayRef dims, bool keepdim) const { return strata::logsumexp(*this, dims, keepdim); }
Tensor Tensor::all() const { return strata::all(*this); }
Tensor Tensor::all(int64_t dim, bool keepdim) const { return strata::all(*this, dim, keepdim); }
Tensor Tensor::any() const { return strata::any(*this); }
Tensor Tensor::any(int64_t dim, bool keepdim) const { return strata::any(*this, dim, keepdim); }
Tensor Tensor::all(OptionalIntArrayRef dims, bool keepdim) const { return strata::all(*this, dims, keepdim); }
Tensor Tensor::any(OptionalIntArrayRef dims, bool keepdim) const { return strata::any(*this, dims, keepdim); }
Tensor Tensor::count_nonzero(OptionalIntArrayRef dims) const { return strata::count_nonzero(*this, dims); }
std::tuple<Tensor, Tensor> Tensor::aminmax(std::optional<int64_t> dim, bool keepdim) const {
  return strata::aminmax(*this, dim, keepdim);
}
Tensor Tensor::sum_to_size(IntArrayRef sizes) const { return strata::sum_to_size(*this, sizes); }
bool Tensor::equal(const Tensor& other) const { return strata::equal(*this, other); }
bool Tensor::allclose(const Tensor& other, double rtol, double atol, bool equal_nan) const {
  return strata::allclose(*this, other, rtol, atol, equal_nan);
}
Tensor Tensor::isclose(const Tensor& other, double rtol, double atol, bool equal_nan) const {
  return strata::isclose(*this, other, rtol, atol, equal_nan);
}
bool Tensor::is_nonzero() const { return strata::is_nonzero(*this); }

}  // namespace strata
