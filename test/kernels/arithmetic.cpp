// The scalar arithmetic that CUDA kernels run, on the host against the CPU's kernels: every element-wise op, special
// and random values.
#include "kernels/arithmetic.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <set>

#include "dispatcher/call.h"
#include "kernels/digits_formulas.h"
#include "kernels/op_formulas.h"
#include "ops/creation.h"
#include "ops/random_def.h"
#include "test/catch.h"

using namespace strata;
using namespace strata::arithmetic;

namespace {

constexpr size_t kCount = 6000;
enum class Domain { kAll, kDivisor, kIntegerPower, kUnit, kDegree };

/// How far a result may lie from the CPU's: `ulps` units in the last place of the larger of it and `floor`, which
/// counts in units of the first operand where `of_first`. 0 asks for the same bits.
struct Close {
  double ulps = 0, floor = 0;
  bool of_first = false;
};

template <class T>
T random_value(std::mt19937_64& engine) {
  if constexpr (std::is_integral_v<T>) {
    const uint64_t bits = engine();
    return static_cast<T>(bits % 3 ? bits >> 32 : bits >> 59);
  } else {
    const T unit = std::uniform_real_distribution<T>(-1, 1)(engine);
    const int kind = static_cast<int>(engine() % 3);
    if (kind == 2) return std::ldexp(unit, static_cast<int>(engine() % 80) - 40);
    return unit * T(kind == 0 ? 4 : 90);
  }
}

template <class T>
std::vector<T> special_values() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> v{T(0), T(1), Limits::max(), Limits::lowest()};
  if constexpr (std::is_integral_v<T>) {
    for (int i : {2, 3, 7, 8, 31, 63, 64, -1, -2, -3}) v.push_back(static_cast<T>(i));
  } else {
    const T inf = Limits::infinity(), tiny = Limits::min(), smallest = Limits::denorm_min();
    for (T x : {T(0.5), T(1.5), T(2), T(2.5), T(3), T(20), T(100), T(1000), inf, tiny, smallest, tiny / 2})
      v.push_back(x), v.push_back(-x);
    for (T x : {T(-0.0), T(-1), Limits::quiet_NaN()}) v.push_back(x);
  }
  return v;
}

template <class T>
Tensor operand(unsigned seed, Domain domain) {
  std::mt19937_64 engine(seed);
  const std::vector<T> special = special_values<T>();
  Tensor t = empty({static_cast<int64_t>(kCount)}, dtype_of<T>);
  T* const x = t.data_ptr<T>();
  for (size_t i = 0; i < kCount; ++i) {
    x[i] = engine() % 3 ? random_value<T>(engine) : special[engine() % special.size()];
    if (domain == Domain::kDivisor && std::is_integral_v<T> && x[i] == T(0)) x[i] = T(1);
    if (domain == Domain::kIntegerPower && std::is_integral_v<T>) x[i] = static_cast<T>(static_cast<uint8_t>(x[i]) & 7);
    // Of low degree: no angle is multiplied, whose rounding grows near 1 and -1.
    if (domain == Domain::kDegree && !(std::abs(static_cast<double>(x[i])) < 7)) x[i] = static_cast<T>(engine() % 7);
    if (domain == Domain::kUnit && !(x[i] >= T(0) && x[i] <= T(1)))
      x[i] = static_cast<T>(static_cast<double>(engine() % 1000) / 999);
  }
  return t;
}

template <class T>
bool is_close(T got, T expected, Close c) {
  if constexpr (std::is_floating_point_v<T>) {
    using Limits = std::numeric_limits<T>;
    if (std::isnan(got) || std::isnan(expected)) return std::isnan(got) && std::isnan(expected);
    if (c.ulps == 0) return std::memcmp(&got, &expected, sizeof(T)) == 0;
    if (got == expected) return true;
    if (std::isinf(got) || std::isinf(expected))  // one step beyond the largest
      return (got > 0) == (expected > 0) && std::min(std::abs(got), std::abs(expected)) > Limits::max() * (1 - 1e-6);
    const double size = std::max({std::abs(double(expected)), double(Limits::min()), c.floor});
    return std::abs(double(got) - double(expected)) <= c.ulps * double(Limits::epsilon()) * size;
  } else {
    return got == expected;
  }
}

template <class T, class... Rest>
double size_of(const T& first, const Rest&...) {
  return std::abs(static_cast<double>(first));
}

template <class R, class T, class F, class... In>
void compare(const Op& op, const Tensor& expected, F f, Close c, const In*... in) {
  int wrong = 0;
  for (size_t i = 0; i < kCount; ++i) {
    const R got = static_cast<R>(f(in[i]...)), want = expected.data_ptr<R>()[i];
    const Close close{c.ulps, c.of_first ? c.floor * size_of(in[i]...) : c.floor};
    if (is_close(got, want, close) || ++wrong > 3) continue;
    INFO(op.name() << "(" << (... + (std::to_string(in[i]) + " ")) << ") of " << name(dtype_of<T>));
    CHECK(+got == +want);
  }
  CHECK(wrong == 0);
}

template <int kInputs, class R, class T, class F, class P>
void check_type(const Op& op, F f, Close c, Domain domain, const P& params) {
  const Tensor x = operand<T>(1, domain == Domain::kUnit ? domain : Domain::kAll), y = operand<T>(2, domain),
               z = operand<T>(3, domain);
  const T *a = x.data_ptr<T>(), *b = y.data_ptr<T>(), *d = z.data_ptr<T>();
  if constexpr (kInputs == 1)
    compare<R, T>(op, call1(op, {&x}, params), f, c, a);
  else if constexpr (kInputs == 2)
    compare<R, T>(op, call1(op, {&x, &y}, params), f, c, a, b);
  else
    compare<R, T>(op, call1(op, {&x, &y, &z}, params), f, c, a, b, d);
}

/// What is asked of an op: the same bits, for any operands, unless something else is said.
struct Expected {
  Close close;
  Domain domain = Domain::kAll;
};
constexpr Close kFew{4}, kSome{12}, kCancels{16, 1}, kGradient{16, 1, true};

Expected expected_of(const Op& op, Close usual) {
  static const std::map<std::string_view, Expected> special{{"div_trunc", {{}, Domain::kDivisor}},
                                                            {"fmod", {{}, Domain::kDivisor}},
                                                            {"remainder", {{}, Domain::kDivisor}},
                                                            {"floor_divide", {{}, Domain::kDivisor}},
                                                            {"pow", {kFew, Domain::kIntegerPower}},
                                                            {"atan2", {kFew}},
                                                            {"hypot", {kFew}},
                                                            {"lerp", {kCancels}},
                                                            {"lerp_scalar", {kCancels}},
                                                            {"glu", {kGradient}},
                                                            {"glu_gate", {kGradient}},
                                                            {"log_sigmoid", {kSome}},
                                                            {"log_sigmoid_backward", {kGradient}},
                                                            {"logaddexp2", {kCancels}},
                                                            {"logit", {kCancels}},
                                                            {"erfc", {kSome}},
                                                            {"polynomial", {kCancels, Domain::kDegree}},
                                                            {"bessel", {kCancels}},
                                                            {"i0", {kCancels}},
                                                            {"xlog1py", {kFew}},
                                                            {"digamma", {kCancels}},
                                                            {"gammainc", {kCancels}},
                                                            {"gammaincc", {kCancels}},
                                                            {"gelu", {kCancels}},
                                                            {"gelu_backward", {kGradient}},
                                                            {"silu", {kSome}},
                                                            {"silu_backward", {kGradient}},
                                                            {"mish", {kSome}},
                                                            {"mish_backward", {kGradient}},
                                                            {"elu", {kFew}},
                                                            {"elu_backward", {kGradient}},
                                                            {"softplus_backward", {kGradient}},
                                                            {"softplus", {kSome}},
                                                            {"xlogy", {kFew}},
                                                            {"logaddexp", {kCancels}},
                                                            {"binary_cross_entropy", {kCancels, Domain::kUnit}},
                                                            {"binary_cross_entropy_with_logits", {kCancels}}};
  const auto found = special.find(op.name());
  return found == special.end() ? Expected{usual} : found->second;
}

// Params that ops are tried with.
std::vector<NoParams> samples(NoParams) { return {{}}; }
std::vector<GeluParams> samples(GeluParams) { return {{false}, {true}}; }
std::vector<LeakyReluParams> samples(LeakyReluParams) { return {{0.01}}; }
std::vector<EluParams> samples(EluParams) { return {{1.6, 1.05, 0.9}}; }
std::vector<SoftplusParams> samples(SoftplusParams) { return {{1.5, 20}}; }
std::vector<HardtanhParams> samples(HardtanhParams) { return {{-1, 2}, {-1, 2, 0}}; }
std::vector<ThresholdParams> samples(ThresholdParams) { return {{0.1, 20}}; }
std::vector<ShrinkParams> samples(ShrinkParams) { return {{0.5, 0.5}, {0.5, 0}}; }
std::vector<RoundToParams> samples(RoundToParams) { return {{100, 1}, {1, 100}}; }
std::vector<NanToNumParams> samples(NanToNumParams) { return {{0, 1e30, -7}}; }
std::vector<LogitParams> samples(LogitParams) { return {{false, 0}, {true, 0.1}}; }
std::vector<NumberParams> samples(NumberParams) { return {{3.7}}; }
std::vector<LerpParams> samples(LerpParams) { return {{0.3}, {0.8}}; }
std::vector<PolygammaParams> samples(PolygammaParams) { return {{1}, {2}, {5}}; }
template <class P>
std::vector<P> each_kind(int64_t count) {
  std::vector<P> all;
  for (int64_t k = 0; k < count; ++k) all.push_back({static_cast<decltype(P::kind)>(k)});
  return all;
}
std::vector<BesselParams> samples(BesselParams) { return each_kind<BesselParams>(13); }
std::vector<PolynomialParams> samples(PolynomialParams) { return each_kind<PolynomialParams>(12); }
std::vector<AddcParams> samples(AddcParams) { return {{0.7}}; }
std::vector<SmoothL1Params> samples(SmoothL1Params) { return {{0.8}}; }

std::set<std::string_view>& covered() {
  static std::set<std::string_view> ops;
  return ops;
}

template <class F, class O, class... T>
void check_formula(Expected e, const typename O::Params& p) {
  const auto numbers = numbers_of(p);
  const auto check = [&]<class E>(E) {
    const auto f = [&](auto... x) {
      return std::apply([&](auto... number) { return F::run(x..., static_cast<E>(number)...); }, numbers);
    };
    check_type<O::kInputs, Result<F, E>, E>(O::op, f, e.close, e.domain, p);
  };
  (check(T()), ...);
}

template <Op& op, int kInputs, unsigned types, class P, class... F>
void check_op(Close usual, OpFormulas<op, kInputs, types, P, F...> o) {
  using O = decltype(o);
  covered().insert(op.name());
  const Expected e = expected_of(op, usual);
  for (const P& p : samples(P())) {
    int which = 0;
    const auto check = [&]<class E>() {
      if (which++ != which_of(p)) return;
      if constexpr (types & kFloats) check_formula<E, O, float, double>(e, p);
      if constexpr (types & kIntegers) check_formula<E, O, uint8_t, int8_t, int16_t, int32_t, uint32_t, int64_t>(e, p);
      if constexpr (types & kBools) check_formula<E, O, bool>(e, p);
    };
    (check.template operator()<F>(), ...);
  }
}
/// Every op of a list.
template <class... O>
void check(List<O...>, Close usual = {}) {
  (check_op(usual, O()), ...);
}

template <class T>
void check_where() {
  const Tensor c = operand<bool>(4, Domain::kAll), x = operand<T>(1, Domain::kAll), y = operand<T>(2, Domain::kAll);
  compare<T, T>(
      where_op, call1(where_op, {&c, &x, &y}), [](bool k, T a, T b) { return Where::run(k, a, b); }, {},
      c.data_ptr<bool>(), x.data_ptr<T>(), y.data_ptr<T>());
}
template <class T>
void check_masked_scale() {
  const Tensor x = operand<T>(1, Domain::kAll), m = operand<bool>(4, Domain::kAll);
  const auto f = [](T a, bool keep) { return MaskedScale::run(a, keep, T(1.25)); };
  compare<T, T>(masked_scale_op, call1(masked_scale_op, {&x, &m}, MaskedScaleParams{1.25}), f, {}, x.data_ptr<T>(),
                m.data_ptr<bool>());
}
template <class T>
void check_integer_power() {
  const Tensor x = operand<T>(1, Domain::kAll);
  for (int64_t e : {0, 1, 2, 5, 40})
    compare<T, T>(
        pow_scalar_op, call1(pow_scalar_op, {&x}, PowParams{e}), [e](T a) { return integer_power(a, e); }, {},
        x.data_ptr<T>());
}

/// A power of floats that another formula computes.
template <class F, class... N>
void check_power(double exponent, Close c, N... numbers) {
  const auto check = [&]<class T>(T) {
    check_type<1, T, T>(
        pow_scalar_op, [&](T x) { return F::run(x, static_cast<T>(numbers)...); }, c, Domain::kAll,
        PowParams{exponent});
  };
  check(float()), check(double());
}

}  // namespace

TEST_CASE("the shared arithmetic gives what the CPU's kernels of formulas give") {
  check(Simple());
  check(Exponential(), kFew);
  check(Hyperbolic(), kFew);
  check(Trigonometric(), kFew);
  check(Activations());
  check(Arithmetic());
  check(Powers());
  check(Comparisons());
  check(Losses());
  check(OfNumbers());
  check(Divisions());
  check(SpecialFunctions(), kFew);
  check(BesselFunctions(), kFew);
  check(Polynomials(), kFew);
  check(Digits());
  // Optimizer steps and updates of lists have several outputs; complex numbers have no other arithmetic on the CPU.
  for (const char* other :
       {"cast", "cast_to_integer", "copy", "fill", "complex", "complex_abs", "where", "masked_scale", "pow_scalar"})
    covered().insert(other);
  for (const Op& op : all_ops()) {
    INFO(op.name());
    const bool several = op.name().ends_with("_step") || op.name().starts_with("foreach_");
    const bool computes =
        op.kernel(DeviceType::CPU) != nullptr;  // what is made of other ops has no arithmetic of its own
    if (op.is(kPointwise) && computes && !several) CHECK(covered().count(op.name()) == 1);
  }
}

TEST_CASE("the shared arithmetic gives what the CPU's other element-wise kernels give") {
  check_where<bool>(), check_where<int16_t>(), check_where<float>(), check_where<double>();
  check_masked_scale<float>(), check_masked_scale<double>();
  check_power<Pow>(1.7, kFew, 1.7);
  check_power<Square>(2, {}), check_power<Cube>(3, {}), check_power<Sqrt>(0.5, {});
  check_power<Rsqrt>(-0.5, {}), check_power<Reciprocal>(-1, {});
  check_integer_power<uint8_t>(), check_integer_power<int32_t>(), check_integer_power<int64_t>();
}

TEST_CASE("integer division by zero is an error on the host, and negative powers are truncated") {
  CHECK_THROWS_WITH(FloorDivide::run(1, 0),
                    Catch::Matchers::ContainsSubstring("floor_divide: integer division by zero"));
  CHECK_THROWS_WITH(Remainder::run(int64_t{1}, int64_t{0}),
                    Catch::Matchers::ContainsSubstring("remainder: integer division"));
  CHECK(integer_power(2, -1) == 0);
  CHECK(integer_power(1, -1) == 1);
  CHECK(integer_power(-1, -3) == -1);
}
