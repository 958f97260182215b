// The random ops and the functions that draw from them.
#include "ops/random.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "core/called.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/complex.h"
#include "ops/creation.h"
#include "ops/in_place.h"
#include "ops/libtorch_random.h"
#include "ops/memory_format.h"
#include "ops/random_def.h"
#include "ops/rules.h"
#include "ops/view.h"
#include "ops/without_slope.h"

namespace strata {
namespace {

/// Every example of a batch gets numbers of its own.
template <class P>
Tensors draw_per_example(const Batch& c, const P& p) {
  P batched = p;
  batched.sizes.insert(0, c.size);
  return call(c.op, {}, batched);
}

template <class P>
constexpr Builder<P> random_op(const char* schema) {
  return op<P>(schema)
      .flag(kRandom | kNotDifferentiable)
      .infer([](Args, const P& p) { return meta(p.sizes, p.dtype, p.device); })
      .batch([](const Batch& c, const P& p) { return draw_per_example(c, p); });
}

/// What numbers for `x` are drawn in: in float64 for tensors of doubles, else in float32.
TensorOptions drawn_for(const Tensor& x) {
  return TensorOptions(x.dtype() == kDouble ? kDouble : kFloat).device(x.device());
}
/// Uniform numbers of x's shape on [0, 1).
Tensor uniform_for(const Tensor& x, Generator& generator) { return rand(x.sizes(), generator, drawn_for(x)); }

Tensor masked_scale(const Tensor& x, const Tensor& mask, double scale) {
  if (x.is_complex()) return x.mul(mask.to(to_real_dtype(x.dtype())).mul(scale));
  return call1(masked_scale_op, {&x, &mask}, MaskedScaleParams{scale});
}

}  // namespace

STRATA_OP(uniform_op) = random_op<RandomParams>(
    "uniform(int[] sizes, ScalarType dtype, Device device, int seed, int offset, float low, float high) -> Tensor");
STRATA_OP(normal_op) = random_op<RandomParams>(
    "normal(int[] sizes, ScalarType dtype, Device device, int seed, int offset, float mean, float std) -> Tensor");
STRATA_OP(bernoulli_op) = random_op<RandomParams>(
    "bernoulli(int[] sizes, ScalarType dtype, Device device, int seed, int offset, float p) -> Tensor");
STRATA_OP(randint_op) = random_op<RandintParams>(
    "randint(int[] sizes, ScalarType dtype, Device device, int seed, int offset, int low, int range) -> Tensor");
STRATA_OP(randperm_op) =
    random_op<RandomParams>("randperm(int[] sizes, ScalarType dtype, Device device, int seed, int offset) -> Tensor");

STRATA_OP(masked_scale_op) = op<MaskedScaleParams>("masked_scale(Tensor x, Tensor mask, float scale) -> Tensor")
                                 .infer([](Args in) { return meta_like(in[0]); })
                                 .vjp([](const Vjp& c, const MaskedScaleParams& p) {
                                   return Tensors(masked_scale(c.grad(), c.in(1), p.scale), {});
                                 })
                                 .saves(saves_in(1))
                                 .jvp(linear_rule)
                                 .batch(pointwise_batch)
                                 .flag(kPointwise)
                                 .dtypes(kFloatingTypes)
                                 .dtypes_for(1, DTypes(kBool));

namespace {

/// What libtorch's functions check themselves; of the others it is a kernel that is missing.
void check_continuous(DType dtype, const char* op) {
  STRATA_CHECK(is_floating_point(dtype), "{}: needs a floating point dtype, got {}", op, name(dtype));
}
void check_floating(DType dtype, const char* op) {
  STRATA_CHECK_AS(NotImplementedError, is_floating_point(dtype), "{}: needs a floating point dtype, got {}", op,
                  name(dtype));
}

/// A program draws from the default generator in each run, by the op; libtorch's numbers are drawn without one.
void check_recordable(Generator& generator) {
  if (!dispatch::is_recorded()) return;
  STRATA_CHECK(
      &generator == &default_generator() && !generator.draw_as_libtorch([](Mt19937&) {}),
      "inside trace random numbers are those of the default generator, which is not to be libtorch's: leave the "
      "generator out, or draw by keys (strata::random)");
}

RandomParams draw(IntArrayRef sizes, DType dtype, Device device, double a, double b, Generator& generator) {
  check_recordable(generator);
  const Generator::Position at = generator.next(device);
  return {sizes, dtype, device, at.seed, at.offset, a, b};
}
RandomParams draw_for(const Tensor& x, double a, double b, Generator& generator) {
  return draw(x.sizes(), x.dtype(), x.device(), a, b, generator);
}

/// A fresh tensor that `fill(x, source)`, one of libtorch's own draws, fills; undefined where Philox draws.
template <class F>
Tensor drawn(Generator& generator, IntArrayRef sizes, const TensorOptions& options, F fill) {
  check_recordable(generator);
  Tensor x;
  generator.draw_as_libtorch([&](Mt19937& source) {
    x = empty(sizes, options.requires_grad(false));
    fill(x, source);
  });
  return x.defined() ? detail::finished(x, options) : x;
}

/// Writes over `x` by one of libtorch's own draws, or by the op.
template <class Fill, class P>
void write_over(Generator& generator, Tensor& x, Fill fill, const Op& op, P params) {
  check_recordable(generator);
  if (!generator.draw_as_libtorch([&](Mt19937& source) { fill(source); })) call_inplace(op, x, {}, params());
}

/// Writes over `x` by one of libtorch's own draws, or what a formula makes of Strata's numbers.
template <class Fill, class Formula>
Tensor& write_by_formula(Generator& generator, Tensor& x, Fill fill, Formula formula) {
  check_recordable(generator);
  return generator.draw_as_libtorch([&](Mt19937& source) { fill(source); }) ? x : x.copy_(formula());
}

/// Complex numbers have independent parts, drawn as real numbers of shape `(..., 2)`.
Tensor sample(const Op& op, IntArrayRef sizes, const TensorOptions& options, double a, double b, Generator& generator,
              const char* name) {
  if (is_complex(options.dtype())) {
    DimVector pairs = sizes;
    pairs.push_back(2);
    const TensorOptions real = TensorOptions(to_real_dtype(options.dtype())).device(options.device());
    const Tensor parts = sample(op, pairs, real, a, b, generator, name);
    return detail::finished(clone(view_as_complex(parts)), options);
  }
  check_floating(options.dtype(), name);
  const auto fill = [&](const Tensor& x, Mt19937& source) {
    &op == &uniform_op ? libtorch_random::uniform_(x, a, b, source) : libtorch_random::normal_(x, a, b, source);
  };
  if (const Tensor x = drawn(generator, sizes, options, fill); x.defined()) return x;
  return detail::finished(call1(op, {}, draw(sizes, options.dtype(), options.device(), a, b, generator)), options);
}

void check_holds(DType dtype, int64_t value, const char* op) {
  STRATA_CHECK_AS(NotImplementedError, !is_complex(dtype),
                  "{}: not implemented for {}; make real numbers and convert them with to()", op, name(dtype));
  visit_dtype(dtype, [&]<class T>() {
    const bool exact =
        Scalar(value).fits<T>() && static_cast<double>(Scalar(value).wrapped_to<T>()) == static_cast<double>(value);
    STRATA_CHECK(exact, "{}: {} does not fit in {}", op, value, name(dtype));
  });
}

void check_integers(DType dtype, int64_t low, int64_t high, const char* op) {
  STRATA_CHECK(low < high, "{}: needs low < high, got [{}, {})", op, low, high);
  check_holds(dtype, low, op);
  if (is_integral(dtype, true)) check_holds(dtype, high - 1, op);
}

RandintParams draw_integers(IntArrayRef sizes, DType dtype, Device device, int64_t low, int64_t high,
                            Generator& generator) {
  check_recordable(generator);
  const Generator::Position at = generator.next(device);
  return {sizes, dtype, device, at.seed, at.offset, low, static_cast<uint64_t>(high) - static_cast<uint64_t>(low)};
}

/// One more than the largest integer up to which a dtype holds all.
int64_t random_limit(DType dtype) {
  STRATA_CHECK_AS(NotImplementedError, !is_complex(dtype),
                  "random_: not implemented for {}; draw its parts through view_as_real", name(dtype));
  switch (dtype) {
    case DType::Half:
      return (int64_t{1} << 11) + 1;
    case DType::BFloat16:
      return (int64_t{1} << 8) + 1;
    case DType::Float:
      return (int64_t{1} << 24) + 1;
    case DType::Double:
      return (int64_t{1} << 53) + 1;
    case DType::Bool:
      return 2;
    default:
      break;
  }
  const bool is_signed = dtype != kUInt8 && dtype != kUInt32;
  const size_t bits = 8 * item_size(dtype) - is_signed;
  return bits == 63 ? INT64_MAX : int64_t{1} << bits;
}

Tensor permutation(int64_t n, const TensorOptions& options, Generator& generator) {
  STRATA_CHECK(n >= 0, "randperm: n must not be negative, got {}", n);
  const DType dtype = options.dtype_opt().value_or(kLong);
  if (n > 0) check_holds(dtype, n - 1, "randperm");
  if (const Tensor x = drawn(generator, {n}, options.dtype(dtype), &libtorch_random::permute_); x.defined()) return x;
  return detail::finished(call1(randperm_op, {}, draw({n}, dtype, options.device(), 0, 0, generator)), options);
}

void check_probability(double p, const char* op) {
  STRATA_CHECK(p >= 0 && p <= 1, "{}: the probability must lie in [0, 1], got {}", op, p);
}

/// True with probability 1 - p.
Tensor keep_mask(IntArrayRef sizes, Device device, double p) {
  Generator& generator = default_generator();
  const auto fill = [&](const Tensor& x, Mt19937& source) { libtorch_random::bernoulli_(x, 1 - p, source); };
  if (const Tensor x = drawn(generator, sizes, TensorOptions(kBool).device(device), fill); x.defined()) return x;
  return call1(bernoulli_op, {}, draw(sizes, kBool, device, 1 - p, 0, generator));
}

/// One mask element per channel of (N, C, ...), expanded.
Tensor channel_mask(const Tensor& x, double p, const char* op) {
  STRATA_CHECK(x.dim() >= 2, "{}: needs shape (N, C, ...), got {}", op, x.sizes());
  DimVector sizes(x.dim(), 1);
  sizes[0] = x.sizes()[0];
  sizes[1] = x.sizes()[1];
  return expand(keep_mask(sizes, x.device(), p), x.sizes());
}

/// Dropout takes complex numbers too, of which it keeps or drops both parts.
void check_droppable(DType dtype, const char* op) {
  if (!is_complex(dtype)) check_floating(dtype, op);
}

/// Has x elements that dropout may drop?
bool may_drop(const Tensor& x, double p, bool train) { return train && p != 0 && x.numel() != 0; }

/// What dropout gives where there is nothing to draw: x itself where it drops nothing, zeros where all.
std::optional<Tensor> undrawn(const char* op, const Tensor& x, double p, bool train) {
  check_probability(p, op);
  if (!may_drop(x, p, train)) return x;
  if (p == 1) return x.mul(0);
  return std::nullopt;
}

/// Dropped elements take SELU's limit; then mean and variance are put right.
Tensor apply_alpha(const Tensor& x, const Tensor& mask, double p) {
  constexpr double kLimit = -1.7580993408473766;
  const double a = 1 / std::sqrt((kLimit * kLimit * p + 1) * (1 - p));
  return x.masked_fill(mask.logical_not(), kLimit).mul(a).add(-kLimit * a * p);
}

}  // namespace

namespace {
/// A fresh tensor, drawn in the order of memory, of x's sizes, laid out as x or in the format that is given.
Tensor in_order_of(const Tensor& x, const Tensor& drawn, std::optional<MemoryFormat> format) {
  const MemoryFormat wanted = format.value_or(MemoryFormat::Preserve);
  const bool plain = wanted == MemoryFormat::Preserve && x.is_contiguous();
  if (!plain && drawn.is_cpu() && drawn.has_storage())
    detail::set_strides(drawn, detail::strides_in(wanted, x.sizes(), x));
  return drawn;
}

/// The two parts of a complex number share its variance.
double part_deviation(DType dtype, double std) { return is_complex(dtype) ? std / std::sqrt(2.0) : std; }
}  // namespace

Tensor rand(IntArrayRef sizes, OptionalGenerator generator, const TensorOptions& options) {
  return sample(uniform_op, sizes, options, 0, 1, generator.get(), "rand");
}
Tensor rand(IntArrayRef sizes, const TensorOptions& options) { return rand(sizes, default_generator(), options); }
Tensor rand_like(const Tensor& x, const TensorOptions& options, std::optional<MemoryFormat> memory_format) {
  return in_order_of(x, rand(x.sizes(), detail::options_like(x, options)), memory_format);
}
Tensor randn(IntArrayRef sizes, OptionalGenerator generator, const TensorOptions& options) {
  return sample(normal_op, sizes, options, 0, part_deviation(options.dtype(), 1), generator.get(), "randn");
}
Tensor randn(IntArrayRef sizes, const TensorOptions& options) { return randn(sizes, default_generator(), options); }
Tensor randn_like(const Tensor& x, const TensorOptions& options, std::optional<MemoryFormat> memory_format) {
  return in_order_of(x, randn(x.sizes(), detail::options_like(x, options)), memory_format);
}

Tensor randint(int64_t low, int64_t high, IntArrayRef sizes, OptionalGenerator generator,
               const TensorOptions& options) {
  const DType dtype = options.dtype_opt().value_or(kLong);
  check_integers(dtype, low, high, "randint");
  const auto fill = [&](const Tensor& x, Mt19937& source) { libtorch_random::integers_(x, low, high, source); };
  if (const Tensor x = drawn(generator.get(), sizes, options.dtype(dtype), fill); x.defined()) return x;
  const RandintParams params = draw_integers(sizes, dtype, options.device(), low, high, generator.get());
  return detail::finished(call1(randint_op, {}, params), options);
}
Tensor randint(int64_t high, IntArrayRef sizes, OptionalGenerator generator, const TensorOptions& options) {
  return randint(0, high, sizes, generator, options);
}
Tensor randint(int64_t low, int64_t high, IntArrayRef sizes, const TensorOptions& options) {
  return randint(low, high, sizes, OptionalGenerator(), options);
}
Tensor randint(int64_t high, IntArrayRef sizes, const TensorOptions& options) {
  return randint(0, high, sizes, OptionalGenerator(), options);
}
Tensor randint_like(const Tensor& x, int64_t low, int64_t high, const TensorOptions& options,
                    std::optional<MemoryFormat> memory_format) {
  return in_order_of(x, randint(low, high, x.sizes(), detail::options_like(x, options)), memory_format);
}
Tensor randint_like(const Tensor& x, int64_t high, const TensorOptions& options,
                    std::optional<MemoryFormat> memory_format) {
  return randint_like(x, 0, high, options, memory_format);
}

Tensor randperm(int64_t n, const TensorOptions& options) { return permutation(n, options, default_generator()); }
Tensor randperm(int64_t n, OptionalGenerator generator, const TensorOptions& options) {
  return permutation(n, options, generator.get());
}

Tensor normal(const Tensor& mean, const Tensor& std, OptionalGenerator generator) {
  const DimVector sizes = broadcast_shapes(mean.sizes(), std.sizes(), "normal");
  return randn(sizes, generator.get(), detail::options_like(mean, {})).mul(std).add(mean);
}
Tensor normal(const Tensor& mean, double std, OptionalGenerator generator) {
  return randn(mean.sizes(), generator.get(), detail::options_like(mean, {})).mul(std).add(mean);
}
Tensor normal(double mean, const Tensor& std, OptionalGenerator generator) {
  return randn(std.sizes(), generator.get(), detail::options_like(std, {})).mul(std).add(mean);
}
Tensor normal(double mean, double std, IntArrayRef sizes, const TensorOptions& options) {
  return normal(mean, std, sizes, OptionalGenerator(), options);
}
Tensor normal(double mean, double std, IntArrayRef sizes, OptionalGenerator generator, const TensorOptions& options) {
  STRATA_CHECK(std >= 0, "normal: the deviation must not be negative, got {}", std);
  if (is_complex(options.dtype()))
    return detail::finished(randn(sizes, generator.get(), options.requires_grad(false)) * std + mean, options);
  return sample(normal_op, sizes, options, mean, std, generator.get(), "normal");
}

Tensor bernoulli(const Tensor& x, OptionalGenerator generator) {
  check_floating(x.dtype(), "bernoulli");
  STRATA_CHECK(!is_readable(x) || x.detach().ge(0).logical_and(x.detach().le(1)).all().item<bool>(),
               "bernoulli: probabilities must lie in [0, 1]");
  const Tensor y = rand(x.sizes(), generator.get(), detail::options_like(x, {})).lt(x).to(x.dtype());
  return without_slope(y, x, NoSlope::kBernoulli);
}
Tensor bernoulli(const Tensor& x, double p, OptionalGenerator generator) {
  check_probability(p, "bernoulli");
  const auto fill = [&](const Tensor& y, Mt19937& source) { libtorch_random::bernoulli_(y, p, source); };
  Tensor y = drawn(generator.get(), x.sizes(), detail::options_like(x, {}), fill);
  if (!y.defined()) y = call1(bernoulli_op, {}, draw_for(x, p, 0, generator.get()));
  return without_slope(y, x, NoSlope::kBernoulliOfNumber);
}

namespace {
bool draws_as_libtorch(Generator& generator) {
  return generator.draw_as_libtorch([](Mt19937&) {});
}

/// Each weight over an exponential variable: the largest is a category drawn by weight, the next one drawn from the
/// others, and so on. libtorch rounds them to the dtype of the probabilities.
Tensor race(const Tensor& probs, const Tensor& weights, Generator& generator) {
  if (draws_as_libtorch(generator)) {
    const Tensor rates = probs.detach();
    return rates.div(empty_like(rates, {}, MemoryFormat::Preserve).exponential_(1, generator));
  }
  const TensorOptions wide = TensorOptions(kDouble).device(probs.device());
  return weights.div(rand(probs.sizes(), generator, wide).neg().log1p().neg().clamp_min(1e-300));
}
}  // namespace

Tensor multinomial(const Tensor& probs, int64_t num_samples, bool replacement, OptionalGenerator generator) {
  check_continuous(probs.dtype(), "multinomial");
  STRATA_CHECK(probs.dim() == 1 || probs.dim() == 2, "multinomial: needs shape (C,) or (rows, C), got {}",
               probs.sizes());
  const int64_t categories = probs.size(-1);
  STRATA_CHECK(num_samples > 0 && (replacement || num_samples <= categories),
               "multinomial: cannot draw {} samples from {} categories", num_samples, categories);
  const Tensor weights = probs.detach().to(kDouble);
  STRATA_CHECK(!is_readable(weights) || (weights.isfinite().all().item<bool>() && weights.ge(0).all().item<bool>() &&
                                         weights.sum({-1}).gt(0).all().item<bool>()),
               "multinomial: weights must be finite and not negative, and not all zero in a row");
  if (!replacement || (num_samples == 1 && draws_as_libtorch(generator.get()))) {
    const Tensor ahead = race(probs, weights, generator.get());
    return num_samples == 1 ? ahead.argmax(-1, /*keepdim=*/true) : std::get<1>(ahead.topk(num_samples));
  }
  DimVector sizes = probs.sizes();
  sizes.back() = num_samples;
  const auto fill = [&](const Tensor& x, Mt19937& source) { libtorch_random::choose_(x, probs, source); };
  const TensorOptions indices = TensorOptions(kLong).device(probs.device());
  if (const Tensor chosen = drawn(generator.get(), sizes, indices, fill); chosen.defined()) return chosen;
  const Tensor cumulative = weights.cumsum(-1);
  const Tensor u = rand(sizes, generator.get(), TensorOptions(kDouble).device(probs.device()))
                       .mul(cumulative.narrow(-1, categories - 1, 1));
  return u.unsqueeze(-1).ge(cumulative.unsqueeze(-2)).sum({-1}).clamp_max(categories - 1);
}

Tensor& trunc_normal_(Tensor& x, double mean, double std, double a, double b) {
  STRATA_CHECK(std > 0 && a <= b, "trunc_normal_: needs std > 0 and a <= b, got std {}, [{}, {}]", std, a, b);
  const auto below = [&](double v) { return std::erf((v - mean) / (std * std::sqrt(2.0))); };
  x.uniform_(below(a), below(b)).erfinv_();
  x.mul_(std * std::sqrt(2.0)).add_(mean);
  return x.clamp_(a, b);
}

Tensor dropout(const Tensor& x, double p, bool train) {
  if (may_drop(x, p, train)) check_droppable(x.dtype(), "dropout");
  if (auto result = undrawn("dropout", x, p, train)) return *std::move(result);
  return masked_scale(x, keep_mask(x.sizes(), x.device(), p), 1 / (1 - p));
}
Tensor& dropout_(Tensor& x, double p, bool train) {
  return detail::in_place("dropout_", [&]() -> Tensor& {
    check_probability(p, "dropout_");
    if (!may_drop(x, p, train)) return x;
    check_droppable(x.dtype(), "dropout_");
    if (p == 1) return x.mul_(0);
    const Tensor mask = keep_mask(x.sizes(), x.device(), p);
    if (x.is_complex()) return x.copy_(masked_scale(x, mask, 1 / (1 - p)));
    call_inplace(masked_scale_op, x, {&x, &mask}, MaskedScaleParams{1 / (1 - p)});
    return x;
  });
}
Tensor feature_dropout(const Tensor& x, double p, bool train) {
  if (auto result = undrawn("feature_dropout", x, p, train)) return *std::move(result);
  return masked_scale(x, channel_mask(x, p, "feature_dropout"), 1 / (1 - p));
}
Tensor alpha_dropout(const Tensor& x, double p, bool train) {
  if (auto result = undrawn("alpha_dropout", x, p, train)) return *std::move(result);
  return apply_alpha(x, keep_mask(x.sizes(), x.device(), p), p);
}
Tensor feature_alpha_dropout(const Tensor& x, double p, bool train) {
  if (auto result = undrawn("feature_alpha_dropout", x, p, train)) return *std::move(result);
  return apply_alpha(x, channel_mask(x, p, "feature_alpha_dropout"), p);
}

Tensor& Tensor::uniform_(double from, double to, OptionalGenerator generator) const {
  const Called called;
  return detail::in_place("uniform_", [&]() -> Tensor& {
    if (strata::is_complex(dtype())) {
      view_as_real(self()).uniform_(from, to, generator);
      return self();
    }
    check_floating(dtype(), "uniform_");
    STRATA_CHECK(from <= to, "uniform_: needs from <= to, got [{}, {})", from, to);
    write_over(
        generator.get(), self(), [&](Mt19937& source) { libtorch_random::uniform_(self(), from, to, source); },
        uniform_op, [&] { return draw_for(self(), from, to, generator.get()); });
    return self();
  });
}
Tensor& Tensor::normal_(double mean, double std, OptionalGenerator generator) const {
  const Called called;
  return detail::in_place("normal_", [&]() -> Tensor& {
    if (!strata::is_complex(dtype())) check_floating(dtype(), "normal_");
    STRATA_CHECK(std >= 0, "normal_: the deviation must not be negative, got {}", std);
    if (strata::is_complex(dtype())) {
      view_as_real(self()).normal_(0, part_deviation(dtype(), std), generator);
      return add_(mean);
    }
    write_over(
        generator.get(), self(), [&](Mt19937& source) { libtorch_random::normal_(self(), mean, std, source); },
        normal_op, [&] { return draw_for(self(), mean, std, generator.get()); });
    return self();
  });
}
Tensor& Tensor::bernoulli_(double p, OptionalGenerator generator) const {
  const Called called;
  return detail::in_place("bernoulli_", [&]() -> Tensor& {
    check_probability(p, "bernoulli_");
    write_over(
        generator.get(), self(), [&](Mt19937& source) { libtorch_random::bernoulli_(self(), p, source); }, bernoulli_op,
        [&] { return draw_for(self(), p, 0, generator.get()); });
    return self();
  });
}
Tensor& Tensor::bernoulli_(const Tensor& p, OptionalGenerator generator) const {
  const Called called("bernoulli_.Tensor");
  return detail::in_place("bernoulli_",
                          [&]() -> Tensor& { return copy_(strata::bernoulli(p.expand(sizes()), generator)); });
}
Tensor& Tensor::random_(int64_t from, int64_t to, OptionalGenerator generator) const {
  const Called called("random_.from");
  return detail::in_place("random_", [&]() -> Tensor& {
    check_integers(dtype(), from, to, "random_");
    write_over(
        generator.get(), self(), [&](Mt19937& source) { libtorch_random::integers_(self(), from, to, source); },
        randint_op, [&] { return draw_integers(sizes(), dtype(), device(), from, to, generator.get()); });
    return self();
  });
}
Tensor& Tensor::random_(int64_t from, std::optional<int64_t> to, OptionalGenerator generator) const {
  return random_(from, to ? *to : random_limit(dtype()), generator);
}
Tensor& Tensor::random_(int64_t to, OptionalGenerator generator) const {
  const Called called("random_.to");
  return random_(0, to, generator);
}
Tensor& Tensor::random_(OptionalGenerator generator) const {
  const Called called;
  return random_(0, random_limit(dtype()), generator);
}
Tensor& Tensor::exponential_(double lambda, OptionalGenerator generator) const {
  const Called called;
  return detail::in_place("exponential_", [&]() -> Tensor& {
    check_continuous(dtype(), "exponential_");
    STRATA_CHECK(lambda > 0, "exponential_: the rate must be positive, got {}", lambda);
    return write_by_formula(
        generator.get(), self(), [&](Mt19937& source) { libtorch_random::exponential_(self(), lambda, source); },
        [&] {
          const Tensor u = uniform_for(self(), generator.get());
          return u.neg().log1p().neg().clamp_min(std::numeric_limits<float>::epsilon() / 2).div(lambda);
        });
  });
}
Tensor& Tensor::cauchy_(double median, double sigma, OptionalGenerator generator) const {
  const Called called;
  return detail::in_place("cauchy_", [&]() -> Tensor& {
    check_continuous(dtype(), "cauchy_");
    STRATA_CHECK(sigma > 0, "cauchy_: sigma must be positive, got {}", sigma);
    return write_by_formula(
        generator.get(), self(), [&](Mt19937& source) { libtorch_random::cauchy_(self(), median, sigma, source); },
        [&] { return ((uniform_for(self(), generator.get()) - 0.5) * std::numbers::pi).tan() * sigma + median; });
  });
}
Tensor& Tensor::log_normal_(double mean, double std, OptionalGenerator generator) const {
  const Called called;
  return detail::in_place("log_normal_", [&]() -> Tensor& {
    check_continuous(dtype(), "log_normal_");
    STRATA_CHECK(std > 0, "log_normal_: std must be positive, got {}", std);
    return write_by_formula(
        generator.get(), self(), [&](Mt19937& source) { libtorch_random::log_normal_(self(), mean, std, source); },
        [&] { return (randn(sizes(), generator.get(), drawn_for(self())) * std + mean).exp_(); });
  });
}
Tensor& Tensor::geometric_(double p, OptionalGenerator generator) const {
  const Called called;
  return detail::in_place("geometric_", [&]() -> Tensor& {
    STRATA_CHECK(!is_complex() && dtype() != kBool,
                 "geometric_: counts need a tensor of integers or floating point numbers, got {}",
                 strata::name(dtype()));
    STRATA_CHECK(p > 0 && p < 1, "geometric_: p must be in (0, 1), got {}", p);
    return write_by_formula(
        generator.get(), self(), [&](Mt19937& source) { libtorch_random::geometric_(self(), p, source); },
        // A uniform number of 0 would be a success before the first trial.
        [&] { return (uniform_for(self(), generator.get()).neg().log1p() / std::log1p(-p)).ceil().clamp_min(1); });
  });
}
Tensor Tensor::bernoulli(OptionalGenerator generator) const { return strata::bernoulli(*this, generator); }
Tensor Tensor::bernoulli(double p, OptionalGenerator generator) const { return strata::bernoulli(*this, p, generator); }
Tensor Tensor::multinomial(int64_t num_samples, bool replacement, OptionalGenerator generator) const {
  return strata::multinomial(*this, num_samples, replacement, generator);
}

}  // namespace strata
