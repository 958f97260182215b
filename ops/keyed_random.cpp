// The random ops under explicit keys, and what is composed of them: Note [Keyed elements].
#include "ops/keyed_random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ops/as_result.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/indexing.h"
#include "ops/keyed_random_def.h"
#include "ops/reduce.h"
#include "ops/rules.h"
#include "ops/scan.h"
#include "ops/shaping.h"
#include "ops/sort.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata {
namespace {

DimVector join(IntArrayRef a, IntArrayRef b) {
  DimVector all = a;
  for (int64_t n : b) all.push_back(n);
  return all;
}
/// The dims K of keys (*K, 2).
IntArrayRef batch_of(const Tensor& key) { return key.sizes().slice(0, key.sizes().size() - 1); }

template <class P>
constexpr Builder<P> keyed_op(const char* schema) {
  return op<P>(schema)
      .flag(kNotDifferentiable)
      .infer([](Args in, const P& p) { return meta(join(batch_of(in[0]), p.sizes), p.dtype, in[0].device()); })
      .batch(pointwise_batch);
}

}  // namespace

STRATA_OP(key_split_op) = op<KeySplitParams>("key_split(Tensor key, int[] sizes) -> Tensor")
                              .flag(kNotDifferentiable)
                              .infer([](Args in, const KeySplitParams& p) {
                                return meta(join(join(batch_of(in[0]), p.sizes), {2}), kUInt32, in[0].device());
                              })
                              .batch(pointwise_batch)
                              .dtypes(DTypes(kUInt32));
STRATA_OP(key_fold_in_op) = op("key_fold_in(Tensor key, Tensor data) -> Tensor")
                                .flag(kNotDifferentiable)
                                .infer([](Args in) { return meta_like(in[0]); })
                                .batch(pointwise_batch)
                                .dtypes(DTypes(kUInt32));
STRATA_OP(key_bits_op) =
    keyed_op<KeyParams>("key_bits(Tensor key, int[] sizes, ScalarType dtype) -> Tensor").dtypes(DTypes(kUInt32));
STRATA_OP(key_uniform_op) =
    keyed_op<KeyIntervalParams>(
        "key_uniform(Tensor key, int[] sizes, ScalarType dtype, float low, float high) -> Tensor")
        .dtypes(DTypes(kUInt32));
STRATA_OP(key_normal_op) = keyed_op<KeyIntervalParams>(
                               "key_normal(Tensor key, int[] sizes, ScalarType dtype, float low, float high) -> Tensor")
                               .dtypes(DTypes(kUInt32));
STRATA_OP(key_exponential_op) =
    keyed_op<KeyParams>("key_exponential(Tensor key, int[] sizes, ScalarType dtype) -> Tensor").dtypes(DTypes(kUInt32));
STRATA_OP(key_gumbel_op) =
    keyed_op<KeyParams>("key_gumbel(Tensor key, int[] sizes, ScalarType dtype) -> Tensor").dtypes(DTypes(kUInt32));
STRATA_OP(key_randint_op) =
    keyed_op<KeyRandintParams>("key_randint(Tensor key, int[] sizes, ScalarType dtype, int low, int span) -> Tensor")
        .dtypes(DTypes(kUInt32));

namespace random {
namespace {

void check_key(const Tensor& key, const char* op) {
  STRATA_CHECK(key.dtype() == kUInt32 && key.dim() >= 1 && key.sizes().back() == 2,
               "{}: the key must be uint32 of shape (..., 2), as random::key makes it, got {}{}", op, name(key.dtype()),
               key.sizes());
}
void check_one_key(const Tensor& key, const char* op) {
  check_key(key, op);
  STRATA_CHECK(key.dim() == 1, "{}: needs one key of shape (2,), got {}; use vmap for a batch", op, key.sizes());
}
void check_sizes(IntArrayRef sizes, const char* op) {
  for (int64_t n : sizes) STRATA_CHECK(n >= 0, "{}: shape {} has a negative size", op, sizes);
}
DType floating(std::optional<DType> dtype, const char* op) {
  const DType type = dtype.value_or(get_default_dtype());
  STRATA_CHECK(is_floating_point(type), "{}: needs a floating point dtype, got {}", op, name(type));
  return type;
}

/// One call of a keyed op, checked.
template <class P>
Tensor draw(const Op& op, const Tensor& key, const P& p, const char* name) {
  check_key(key, name);
  check_sizes(p.sizes, name);
  return call1(op, {&key}, p);
}

/// How many bits of fraction a floating point type stores.
int fraction_bits(DType dtype) { return dtype == kHalf ? 10 : dtype == kBFloat16 ? 7 : dtype == kFloat ? 23 : 52; }

}  // namespace

// ---- Keys and bits --------------------------------------------------------------------------------------------------

Tensor key(int64_t seed) { return key(scalar_tensor(seed, kLong)); }

Tensor key(const Tensor& seed) {
  STRATA_CHECK(is_integral(seed.dtype()), "key: the seed must be an integer, got {}", name(seed.dtype()));
  const Tensor upper = seed.dtype() == kLong ? bitwise_right_shift(seed, 32) : zeros_like(seed);
  return stack({upper, seed}, -1).to(kUInt32);
}

Tensor split(const Tensor& key, IntArrayRef shape) { return draw(key_split_op, key, KeySplitParams{shape}, "split"); }
Tensor split(const Tensor& key, int64_t num) { return random::split(key, IntArrayRef(num)); }

Tensor fold_in(const Tensor& key, int64_t data) {
  STRATA_CHECK(data >= 0 && data <= int64_t{0xffffffff}, "fold_in: data must be an unsigned 32-bit number, got {}",
               data);
  return fold_in(key, constant(data, kUInt32, key.device(), {}));
}

Tensor fold_in(const Tensor& key, const Tensor& data) {
  check_key(key, "fold_in");
  STRATA_CHECK(is_integral(data.dtype()), "fold_in: data must be integers, got {}", name(data.dtype()));
  const DimVector batch = broadcast_shapes(batch_of(key), data.sizes(), "fold_in");
  const Tensor keys = expand(key, join(batch, {2})), counters = expand(data.to(kUInt32), batch);
  return call1(key_fold_in_op, {&keys, &counters});
}

Tensor bits(const Tensor& key, IntArrayRef shape, DType dtype) {
  STRATA_CHECK(is_integral(dtype), "bits: needs an integer dtype, got {}", name(dtype));
  return draw(key_bits_op, key, KeyParams{shape, dtype}, "bits");
}

// ---- Distributions --------------------------------------------------------------------------------------------------

Tensor uniform(const Tensor& key, IntArrayRef shape, DType dtype, double minval, double maxval) {
  floating(dtype, "uniform");
  return draw(key_uniform_op, key, KeyIntervalParams{shape, dtype, minval, maxval}, "uniform");
}
Tensor uniform(const Tensor& key, IntArrayRef shape, UniformOptions options) {
  return random::uniform(key, shape, options.dtype.value_or(get_default_dtype()), options.minval, options.maxval);
}

Tensor normal(const Tensor& key, IntArrayRef shape, std::optional<DType> dtype) {
  const DType type = floating(dtype, "normal");
  const double after_minus_one = -1 + std::ldexp(0.5, -fraction_bits(type));
  return draw(key_normal_op, key, KeyIntervalParams{shape, type, after_minus_one, 1}, "normal");
}

Tensor exponential(const Tensor& key, IntArrayRef shape, std::optional<DType> dtype) {
  return draw(key_exponential_op, key, KeyParams{shape, floating(dtype, "exponential")}, "exponential");
}
Tensor gumbel(const Tensor& key, IntArrayRef shape, std::optional<DType> dtype) {
  return draw(key_gumbel_op, key, KeyParams{shape, floating(dtype, "gumbel")}, "gumbel");
}

namespace {

/// erf as XLA computes it in float32, so that the bounds below equal JAX's.
float erf32(float x) {
  if (std::abs(x) >= 3.832507f) return std::copysign(1.0f, x);
  const auto horner = [z = x * x](std::initializer_list<float> coefficients) {
    float sum = 0;
    for (float c : coefficients) sum = std::fma(sum, z, c);
    return sum;
  };
  const float above = horner({2.2905065861350646e-4f, 3.4082910107109506e-3f, 5.0955695062380861e-2f,
                              1.8520832239976145e-1f, 1.128379143519084f});
  const float below = horner({-1.1791602954361697e-7f, 2.3547966471313185e-5f, 1.0179625278914885e-3f,
                              1.4070470171167667e-2f, 1.1098505178285362e-1f, 4.9746925110067538e-1f, 1.0f});
  return x * above / below;
}

/// The nearest value of T beyond x towards `to`.
template <class T>
T next_after(T x, double to) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::nextafter(x, static_cast<T>(to));
  } else {
    const auto value = static_cast<float>(x);
    if (value == 0) return std::copysign(static_cast<float>(T::from_bits(1)), static_cast<float>(to));
    return T::from_bits(static_cast<uint16_t>(x.bits + ((value < to) == (value > 0) ? 1 : -1)));
  }
}

/// erf(bound / sqrt(2)), and the nearest value of the type inside the bound.
struct Bound {
  double erf, inside;
};
template <class T>
Bound bound_of(double bound, double inwards) {
  using C = std::conditional_t<std::is_same_v<T, double>, double, float>;
  const T at = static_cast<T>(static_cast<C>(bound)), root = static_cast<T>(static_cast<C>(1.4142135623730951));
  const C scaled = static_cast<T>(at / root);
  if constexpr (std::is_same_v<T, double>)
    return {std::erf(scaled), next_after(at, inwards)};
  else
    return {static_cast<T>(erf32(scaled)), next_after(at, inwards)};
}
Bound bound_of(DType dtype, double bound, double inwards) {
  return visit_dtype(dtype, [&]<class T>() -> Bound {
    if constexpr (is_floating_point(dtype_of<T>)) return bound_of<T>(bound, inwards);
    return {};
  });
}

}  // namespace

Tensor truncated_normal(const Tensor& key, double lower, double upper, IntArrayRef shape, std::optional<DType> dtype) {
  STRATA_CHECK(lower < upper, "truncated_normal: needs lower < upper, got ({}, {})", lower, upper);
  const DType type = floating(dtype, "truncated_normal");
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const Bound a = bound_of(type, lower, kInf), b = bound_of(type, upper, -kInf);
  const Tensor x = draw(key_normal_op, key, KeyIntervalParams{shape, type, a.erf, b.erf}, "truncated_normal");
  return x.clamp(a.inside, b.inside);
}

Tensor randint(const Tensor& key, IntArrayRef shape, int64_t minval, int64_t maxval, DType dtype) {
  STRATA_CHECK(is_integral(dtype), "randint: needs an integer dtype, got {}", name(dtype));
  const auto [low, high, beyond] = visit_dtype(dtype, [&]<class T>() -> std::array<int64_t, 3> {
    if constexpr (is_integral(dtype_of<T>)) {
      constexpr int64_t least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
      return {std::clamp(minval, least, most), std::clamp(maxval, least, most), maxval > most};
    }
    return {};
  });
  const uint64_t span =
      high > low ? static_cast<uint64_t>(high) - static_cast<uint64_t>(low) + static_cast<uint64_t>(beyond) : 1;
  return draw(key_randint_op, key, KeyRandintParams{shape, dtype, low, span}, "randint");
}

Tensor bernoulli(const Tensor& key, double p, IntArrayRef shape) {
  STRATA_CHECK(p >= 0 && p <= 1, "bernoulli: the probability must lie in [0, 1], got {}", p);
  return random::uniform(key, shape).lt(p);
}
Tensor bernoulli(const Tensor& key, const Tensor& p, IntArrayRef shape) {
  check_one_key(key, "bernoulli");
  floating(p.dtype(), "bernoulli");
  STRATA_CHECK(broadcast_shapes(p.sizes(), shape, "bernoulli") == shape,
               "bernoulli: p of shape {} does not broadcast to {}", p.sizes(), shape);
  return random::uniform(key, shape, p.dtype()).lt(p);
}
Tensor bernoulli(const Tensor& key, const Tensor& p) { return random::bernoulli(key, p, p.sizes()); }

// ---- Orders and choices ---------------------------------------------------------------------------------------------

namespace {

/// Calls `step(bits)` as often as `n` elements need until two of them hardly share all their sort keys, with new bits
/// each time.
template <class F>
void shuffle_rounds(Tensor key, int64_t n, IntArrayRef shape, F step) {
  const double rounds = std::ceil(3 * std::log(static_cast<double>(std::max<int64_t>(1, n))) / std::log(4294967295.0));
  for (int i = 0; i < static_cast<int>(rounds); ++i) {
    const Tensor keys = random::split(key);
    key = select(keys, -2, 0);
    step(bits(select(keys, -2, 1), shape));
  }
}

}  // namespace

Tensor permutation(const Tensor& key, int64_t n) {
  check_key(key, "permutation");
  STRATA_CHECK(n >= 0, "permutation: n must not be negative, got {}", n);
  Tensor order = expand(arange(n, kLong), join(batch_of(key), {n}));
  shuffle_rounds(key, n, {n}, [&](const Tensor& words) { order = gather(order, -1, argsort(words)); });
  return order;
}

Tensor permutation(const Tensor& key, const Tensor& x, int64_t axis, bool independent) {
  check_one_key(key, "permutation");
  STRATA_CHECK(x.dim() > 0, "permutation: needs an integer or a tensor with dims, got a 0-dim tensor");
  const int64_t dim = wrap_dim(axis, x.dim(), "permutation");
  if (!independent) return index_select(x, dim, permutation(key, x.sizes()[dim]));
  Tensor shuffled = x;
  shuffle_rounds(key, x.numel(), x.sizes(),
                 [&](const Tensor& words) { shuffled = gather(shuffled, dim, argsort(words, dim)); });
  return shuffled;
}

namespace {

/// Positions chosen with the probabilities p.
Tensor choose_weighted(const Tensor& key, int64_t n, IntArrayRef shape, bool replace, const Tensor& p) {
  STRATA_CHECK(p.dim() == 1 && p.sizes()[0] == n, "choice: p must have shape ({},), got {}", n, p.sizes());
  const Tensor weights = p.is_floating_point() ? p : p.to(get_default_dtype());
  if (!replace)
    return as_result(
        reshape(std::get<1>(topk(gumbel(key, {n}, weights.dtype()) + log(weights), numel_of(shape))), shape));
  const Tensor sums = cumsum(weights, 0);
  return searchsorted(sums, select(sums, 0, n - 1) * (1 - random::uniform(key, shape, weights.dtype())));
}

}  // namespace

Tensor choice(const Tensor& key, int64_t n, IntArrayRef shape, bool replace, const Tensor& p) {
  check_one_key(key, "choice");
  check_sizes(shape, "choice");
  const int64_t draws = numel_of(shape);
  if (draws == 0) return zeros(shape, kLong);
  STRATA_CHECK(n > 0, "choice: there is nothing to choose from (n = {})", n);
  STRATA_CHECK(replace || draws <= n, "choice: cannot draw {} of {} without replacement", draws, n);
  if (p.defined()) return choose_weighted(key, n, shape, replace, p);
  if (!replace) return as_result(reshape(narrow(permutation(key, n), 0, 0, draws), shape));
  return random::randint(key, shape, 0, n, n > std::numeric_limits<int32_t>::max() ? kLong : kInt).to(kLong);
}

Tensor choice(const Tensor& key, const Tensor& x, IntArrayRef shape, bool replace, const Tensor& p, int64_t axis) {
  STRATA_CHECK(x.dim() > 0, "choice: needs an integer or a tensor with dims, got a 0-dim tensor");
  const int64_t dim = wrap_dim(axis, x.dim(), "choice");
  const Tensor chosen = choice(key, x.sizes()[dim], shape, replace, p);
  const IntArrayRef before = x.sizes().slice(0, dim), after = x.sizes().slice(dim + 1, x.dim() - dim - 1);
  return as_result(reshape(index_select(x, dim, reshape(chosen, {chosen.numel()})), join(join(before, shape), after)));
}

namespace {

/// Numbers of the largest `prefix` entries along the last dim, as (*prefix, ...).
Tensor draw_without_replacement(const Tensor& key, const Tensor& logits, int64_t dim, IntArrayRef prefix,
                                IntArrayRef shape) {
  const int64_t draws = numel_of(prefix), categories = logits.sizes()[dim];
  STRATA_CHECK(draws <= categories, "categorical: cannot draw {} of {} categories without replacement", draws,
               categories);
  const Tensor scores = gumbel(key, logits.sizes(), logits.dtype()) + logits;
  const Tensor largest = std::get<1>(topk(movedim(scores, dim, -1), draws));
  return as_result(reshape(movedim(largest, -1, 0), shape));
}

}  // namespace

Tensor categorical(const Tensor& key, const Tensor& logits, int64_t axis, IntArrayRef shape, bool replace) {
  check_one_key(key, "categorical");
  floating(logits.dtype(), "categorical");
  const int64_t dim = wrap_dim(axis, logits.dim(), "categorical");
  DimVector batch = logits.sizes();
  batch.erase(dim);
  STRATA_CHECK(shape.size() >= batch.size() && broadcast_shapes(batch, shape, "categorical") == shape,
               "categorical: logits without the axis have shape {}, which does not broadcast to {}", batch, shape);
  const size_t extra = shape.size() - batch.size();
  if (!replace) return draw_without_replacement(key, logits, dim, shape.slice(0, extra), shape);
  DimVector sizes = shape;
  sizes.insert(extra + dim, logits.sizes()[dim]);
  return argmax(gumbel(key, sizes, logits.dtype()) + logits, dim - logits.dim());
}

Tensor categorical(const Tensor& key, const Tensor& logits, int64_t axis) {
  DimVector batch = logits.sizes();
  batch.erase(wrap_dim(axis, logits.dim(), "categorical"));
  return categorical(key, logits, axis, batch);
}

}  // namespace random
}  // namespace strata
