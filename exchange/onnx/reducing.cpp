// ONNX's reductions, searches and products.
#include <limits>

#include "exchange/onnx/ops.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/einsum.h"
#include "ops/factor.h"
#include "ops/indexing.h"
#include "ops/linalg.h"
#include "ops/reduce.h"
#include "ops/scan.h"
#include "ops/scatter_reduce.h"
#include "ops/sets.h"
#include "ops/shaping.h"
#include "ops/sort.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata::onnx {
namespace {

using A = const Arguments&;

/// `f(x, axes, keepdims)`, over all axes where none are given, unless the node says that this means no reduction.
/// Then, only `outer` is left of what is computed around the sum.
template <class F>
Tensor reduced(A a, F f) {
  const Tensor& x = a[0];
  const bool keeps = a.flag("keepdims", true), none_is_none = a.flag("noop_with_empty_axes");
  Ints axes = a.axes(1).value_or(Ints());
  if (axes.empty() && !none_is_none)
    for (int64_t d = 0; d < x.dim(); ++d) axes.push_back(d);
  return f(x, wrapped(std::move(axes), x.dim()), keeps);
}

/// The sum of what is computed in the dtype of x. No axes are none, which are not all.
Tensor summed(const Tensor& x, const Ints& axes, bool keeps) {
  return axes.empty() ? x : sum(x, OptionalIntArrayRef(axes), keeps, x.dtype());
}

Tensor averaged(const Tensor& x, const Ints& axes, bool keeps) {
  if (axes.empty()) return x;
  if (is_floating_point(x.dtype())) return mean(x, OptionalIntArrayRef(axes), keeps);
  int64_t count = 1;
  for (const int64_t d : axes) count *= x.size(d);
  return div(summed(x, axes, keeps), Scalar(count), "trunc");
}

Tensor multiplied(Tensor x, Ints axes, bool keeps) {
  std::sort(axes.rbegin(), axes.rend());
  const DType dtype = x.dtype();
  for (const int64_t d : axes) x = prod(x, d, keeps, dtype);
  return x;
}

/// What nothing has as its extreme: infinite, or the last number.
Scalar extreme_of_none(DType dtype, bool largest) {
  if (is_floating_point(dtype)) {
    const double infinity = std::numeric_limits<double>::infinity();
    return largest ? -infinity : infinity;
  }
  if (dtype == kBool) return !largest;
  const auto bits = static_cast<int>(8 * item_size(dtype));
  const int64_t most = dtype == kByte ? 255 : std::numeric_limits<int64_t>::max() >> (64 - bits);
  return largest ? (dtype == kByte ? 0 : -most - 1) : most;
}

Tensor extreme(const Tensor& x, const Ints& axes, bool keeps, bool largest) {
  if (axes.empty()) return x;
  bool is_of_none = false;
  for (const int64_t d : axes) is_of_none |= x.size(d) == 0;
  if (!is_of_none) return largest ? amax(x, axes, keeps) : amin(x, axes, keeps);
  Ints sizes;
  for (int64_t d = 0; d < x.dim(); ++d) {
    const bool goes = std::find(axes.begin(), axes.end(), d) != axes.end();
    if (!goes || keeps) sizes.push_back(goes ? 1 : x.size(d));
  }
  return full(sizes, extreme_of_none(x.dtype(), largest), x.options());
}

/// Exact for any size of numbers; the sum of nothing has the logarithm -infinity.
Tensor log_sum_exp(const Tensor& x, const Ints& axes, bool keeps) {
  if (axes.empty()) return x;
  bool is_of_none = false;
  for (const int64_t d : axes) is_of_none |= x.size(d) == 0;
  const Tensor real = is_floating_point(x.dtype()) ? x : cast(x, kFloat);
  const Tensor out = is_of_none ? log(summed(exp(real), axes, keeps)) : logsumexp(real, axes, keeps);
  return cast(out, x.dtype());
}

Tensor in_dtype(const Tensor& t, const Tensor& like) { return cast(t, like.dtype()); }

Tensor place_of_extreme(A a, bool largest) {
  const Tensor& x = a[0];
  const int64_t axis = wrapped(a.integer("axis", 0), x.dim());
  const bool keeps = a.flag("keepdims", true), last = a.flag("select_last_index");
  const Tensor searched = last ? flip(x, axis) : x;
  const Tensor place = largest ? argmax(searched, axis, keeps) : argmin(searched, axis, keeps);
  return last ? rsub(place, x.size(axis) - 1) : place;
}

template <class F>
Tensor accumulated(A a, F f, double neutral) {
  const Tensor& x = a[0];
  const int64_t axis = wrapped(a.int_in(1), x.dim());
  const bool reverse = a.flag("reverse"), exclusive = a.flag("exclusive");
  Tensor t = reverse ? flip(x, axis) : x;
  if (exclusive && x.size(axis) > 0) {
    Ints sizes(x.sizes().begin(), x.sizes().end());
    sizes[static_cast<size_t>(axis)] = 1;
    const Tensor first = full(sizes, neutral, x.options());
    t = cat({first, narrow(t, axis, 0, x.size(axis) - 1)}, axis);
  }
  t = in_dtype(f(t, axis), x);
  return reverse ? flip(t, axis) : t;
}

/// Of equal numbers, those with the smallest indices come first.
std::tuple<Tensor, Tensor> largest(A a) {
  const Tensor& x = a[0];
  const int64_t axis = wrapped(a.integer("axis", -1), x.dim()), k = a.int_in(1);
  a.ignore("sorted");
  STRATA_CHECK(0 <= k && k <= x.size(axis), "load_onnx: TopK of {} among {}", k, x.size(axis));
  const bool wide = x.dtype() == kUInt16 || x.dtype() == kUInt32 || x.dtype() == kUInt64;
  const auto [values, places] = sort(wide ? cast(x, kLong) : x, true, axis, a.flag("largest", true));
  return {in_dtype(narrow(values, axis, 0, k), x), narrow(places, axis, 0, k)};
}

/// The first place of each in `inverse`.
Tensor first_places(const Tensor& inverse, int64_t count) {
  Tensor first = full({count}, inverse.numel(), kLong);
  return scatter_reduce(first, 0, inverse, arange(inverse.numel(), kLong), "amin");
}

std::tuple<Tensor, Tensor, Tensor, Tensor> unique_of(A a) {
  const std::optional<int64_t> axis = a.maybe_integer("axis");
  const bool sorted = a.flag("sorted", true);
  const Tensor x = axis ? a[0] : a[0].reshape({-1});
  const int64_t dim = axis ? wrapped(*axis, x.dim()) : 0;
  auto [values, inverse, counts] = unique_dim(x, dim, true, true, true);
  Tensor first = first_places(inverse, values.size(dim));
  if (!sorted) {
    const Tensor order = argsort(first), place_of = argsort(order);
    values = index_select(values, dim, order);
    first = index_select(first, 0, order), counts = index_select(counts, 0, order);
    inverse = index_select(place_of, 0, inverse);
  }
  return {values, first, inverse, counts};
}

Tensor gemm(A a) {
  const Tensor x = a.flag("transA") ? transpose(a[0], 0, 1) : a[0];
  const Tensor y = a.flag("transB") ? transpose(a[1], 0, 1) : a[1];
  const double alpha = a.number("alpha", 1), beta = a.number("beta", 1);
  Tensor out = matmul(x, y);
  if (alpha != 1) out = mul(out, alpha);
  if (!a.has(2)) return out;
  return add(out, beta == 1 ? a[2] : mul(a[2], beta));
}

Tensor lp_norm(A a) {
  const int64_t p = a.integer("p", 2), axis = a.integer("axis", -1);
  return div(a[0], norm(a[0], Scalar(p), {axis}, true));
}

constexpr OpEntry kReducingOps[] = {
    {"ReduceSum", [](A a) { return reduced(a, summed); }},
    {"ReduceMean", [](A a) { return reduced(a, averaged); }},
    {"ReduceProd", [](A a) { return reduced(a, multiplied); }},
    {"ReduceMax",
     [](A a) {
       return reduced(a, [](const Tensor& x, const Ints& d, bool keeps) { return extreme(x, d, keeps, true); });
     }},
    {"ReduceMin",
     [](A a) {
       return reduced(a, [](const Tensor& x, const Ints& d, bool keeps) { return extreme(x, d, keeps, false); });
     }},
    {"ReduceL1",
     [](A a) { return reduced(a, [](const Tensor& x, const Ints& d, bool k) { return summed(abs(x), d, k); }); }},
    {"ReduceL2",
     [](A a) {
       return reduced(
           a, [](const Tensor& x, const Ints& d, bool k) { return in_dtype(sqrt(summed(mul(x, x), d, k)), x); });
     }},
    {"ReduceSumSquare",
     [](A a) { return reduced(a, [](const Tensor& x, const Ints& d, bool k) { return summed(mul(x, x), d, k); }); }},
    {"ReduceLogSum",
     [](A a) {
       return reduced(a, [](const Tensor& x, const Ints& d, bool k) { return in_dtype(log(summed(x, d, k)), x); });
     }},
    {"ReduceLogSumExp", [](A a) { return reduced(a, log_sum_exp); }},

    {"ArgMax", [](A a) { return place_of_extreme(a, true); }},
    {"ArgMin", [](A a) { return place_of_extreme(a, false); }},
    {"CumSum",
     [](A a) {
       return accumulated(
           a, [](const Tensor& x, int64_t d) { return cumsum(x, d); }, 0);
     }},
    {"CumProd",
     [](A a) {
       return accumulated(
           a, [](const Tensor& x, int64_t d) { return cumprod(x, d); }, 1);
     }},
    {"TopK", [](A a) { return largest(a); }},
    {"Unique", [](A a) { return unique_of(a); }},
    {"NonZero", [](A a) { return transpose(nonzero(a[0]), 0, 1); }},

    {"MatMul", [](A a) { return matmul(a[0], a[1]); }},
    {"Gemm", [](A a) { return gemm(a); }},
    {"Einsum", [](A a) { return einsum(a.text("equation"), a.tensors()); }},
    {"Det", [](A a) { return linalg::det(a[0]); }},
    {"LpNormalization", [](A a) { return lp_norm(a); }},
};

}  // namespace

std::span<const OpEntry> reducing_ops() { return kReducingOps; }

}  // namespace strata::onnx
