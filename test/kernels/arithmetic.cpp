// The scalar arithmetic that CUDA kernels run, on the host against the CPU's kernels: every element-wise op, special
// and random values.
#include "kernels/arithmetic.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <random>
#include <set>

#include "dispatcher/call.h"
#include "kernels/arithmetic_math.h"
#include "kernels/arithmetic_special.h"
#include "ops/activation_def.h"
#include "ops/binary_def.h"
#include "ops/creation.h"
#include "ops/loss_def.h"
#include "ops/random_def.h"
#include "ops/ternary_def.h"
#include "ops/unary_def.h"
#include "test/catch.h"

using namespace strata;
using namespace strata::arithmetic;

namespace {

constexpr size_t kCount = 6000;
enum Types : unsigned { kFloats = 1, kIntegers = 2, kBools = 4 };
enum class Domain { kAll, kDivisor, kIntegerPower, kFirstInUnit };

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
    if (domain == Domain::kFirstInUnit && !(x[i] >= T(0) && x[i] <= T(1)))
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

struct Row {
  const Op* op;
  std::function<void()> check;
};

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
  const bool first = domain == Domain::kFirstInUnit;
  const Tensor x = operand<T>(1, first ? domain : Domain::kAll), y = operand<T>(2, first ? Domain::kAll : domain),
               z = operand<T>(3, domain);
  const T *a = x.data_ptr<T>(), *b = y.data_ptr<T>(), *d = z.data_ptr<T>();
  if constexpr (kInputs == 1)
    compare<R, T>(op, call1(op, {&x}, params), f, c, a);
  else if constexpr (kInputs == 2)
    compare<R, T>(op, call1(op, {&x, &y}, params), f, c, a, b);
  else
    compare<R, T>(op, call1(op, {&x, &y, &z}, params), f, c, a, b, d);
}

template <class F, int kInputs, class T, class P, class... N>
void check_function(const Op& op, Close c, Domain domain, const P& params, N... numbers) {
  const auto f = [=](auto... x) { return F::run(x..., static_cast<T>(numbers)...); };
  check_type<kInputs, Result<F, T>, T>(op, f, c, domain, params);
}

/// A row of F with these numbers, which follow the operands.
template <class F, int kInputs, unsigned types, class P = NoParams, class... N>
Row row(const Op& op, Close c = {}, Domain domain = Domain::kAll, P params = {}, N... numbers) {
  return {&op, [=, &op] {
            const auto each = [&]<class... T>() {
              const auto one = [&]<class E>(E) { check_function<F, kInputs, E>(op, c, domain, params, numbers...); };
              (one(T()), ...);
            };
            if constexpr (types & kFloats) each.template operator()<float, double>();
            if constexpr (types & kIntegers)
              each.template operator()<uint8_t, int8_t, int16_t, int32_t, uint32_t, int64_t>();
            if constexpr (types & kBools) each.template operator()<bool>();
          }};
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
void check_polygamma() {
  const Tensor x = operand<T>(1, Domain::kAll);
  for (int n : {1, 2, 5})
    compare<T, T>(
        polygamma_op, call1(polygamma_op, {&x}, PolygammaParams{n}), [n](T a) { return Polygamma::run(a, n); }, {},
        x.data_ptr<T>());
}
template <class T>
void check_integer_power() {
  const Tensor x = operand<T>(1, Domain::kAll);
  for (int64_t e : {0, 1, 2, 5, 40})
    compare<T, T>(
        pow_scalar_op, call1(pow_scalar_op, {&x}, PowParams{e}), [e](T a) { return PowInteger::run(a, e); }, {},
        x.data_ptr<T>());
}

constexpr unsigned kNumbers = kFloats | kIntegers, kEverything = kNumbers | kBools, kBits = kIntegers | kBools;
constexpr Close kFew{4}, kSome{12}, kCancels{16, 1}, kGradient{16, 1, true};

const std::vector<Row>& unary_rows() {
  static const std::vector<Row> rows{row<Neg, 1, kNumbers>(neg_op),
                                     row<Abs, 1, kNumbers>(abs_op),
                                     row<Sign, 1, kNumbers>(sign_op),
                                     row<Square, 1, kNumbers>(square_op),
                                     row<Relu, 1, kNumbers>(relu_op),
                                     row<Sqrt, 1, kFloats>(sqrt_op),
                                     row<Rsqrt, 1, kFloats>(rsqrt_op),
                                     row<Reciprocal, 1, kFloats>(reciprocal_op),
                                     row<Floor, 1, kNumbers>(floor_op),
                                     row<Ceil, 1, kNumbers>(ceil_op),
                                     row<Round, 1, kNumbers>(round_op),
                                     row<Trunc, 1, kNumbers>(trunc_op),
                                     row<Frac, 1, kFloats>(frac_op),
                                     row<IsNan, 1, kEverything>(isnan_op),
                                     row<IsInf, 1, kEverything>(isinf_op),
                                     row<IsFinite, 1, kEverything>(isfinite_op),
                                     row<LogicalNot, 1, kEverything>(logical_not_op),
                                     row<BitwiseNot, 1, kBits>(bitwise_not_op),
                                     row<Exp, 1, kFloats>(exp_op, kFew),
                                     row<Exp2, 1, kFloats>(exp2_op, kFew),
                                     row<Expm1, 1, kFloats>(expm1_op, kFew),
                                     row<Log, 1, kFloats>(log_op, kFew),
                                     row<Log2, 1, kFloats>(log2_op, kFew),
                                     row<Log10, 1, kFloats>(log10_op, kFew),
                                     row<Log1p, 1, kFloats>(log1p_op, kFew),
                                     row<Sin, 1, kFloats>(sin_op, kFew),
                                     row<Cos, 1, kFloats>(cos_op, kFew),
                                     row<Tan, 1, kFloats>(tan_op, kFew),
                                     row<Asin, 1, kFloats>(asin_op, kFew),
                                     row<Acos, 1, kFloats>(acos_op, kFew),
                                     row<Atan, 1, kFloats>(atan_op, kFew),
                                     row<Sinh, 1, kFloats>(sinh_op, kFew),
                                     row<Cosh, 1, kFloats>(cosh_op, kFew),
                                     row<Tanh, 1, kFloats>(tanh_op, kFew),
                                     row<Asinh, 1, kFloats>(asinh_op, kFew),
                                     row<Acosh, 1, kFloats>(acosh_op, kFew),
                                     row<Atanh, 1, kFloats>(atanh_op, kFew),
                                     row<Sigmoid, 1, kFloats>(sigmoid_op, kFew),
                                     row<Erf, 1, kFloats>(erf_op, kFew),
                                     row<Erfc, 1, kFloats>(erfc_op),
                                     row<Erfinv, 1, kFloats>(erfinv_op),
                                     row<Lgamma, 1, kFloats>(lgamma_op),
                                     row<Digamma, 1, kFloats>(digamma_op),
                                     {&polygamma_op, [] { check_polygamma<float>(), check_polygamma<double>(); }}};
  return rows;
}

const std::vector<Row>& binary_rows() {
  constexpr Domain kDivisor = Domain::kDivisor;
  static const std::vector<Row> rows{row<Add, 2, kEverything>(add_op),
                                     row<Sub, 2, kNumbers>(sub_op),
                                     row<Mul, 2, kEverything>(mul_op),
                                     row<Div, 2, kFloats>(div_op),
                                     row<Maximum, 2, kEverything>(maximum_op),
                                     row<Minimum, 2, kEverything>(minimum_op),
                                     row<DivTrunc, 2, kNumbers>(div_trunc_op, {}, kDivisor),
                                     row<Fmod, 2, kNumbers>(fmod_op, {}, kDivisor),
                                     row<Remainder, 2, kNumbers>(remainder_op, {}, kDivisor),
                                     row<FloorDivide, 2, kNumbers>(floor_divide_op, {}, kDivisor),
                                     row<Pow, 2, kFloats>(pow_op, kFew),
                                     row<PowInteger, 2, kIntegers>(pow_op, {}, Domain::kIntegerPower),
                                     row<Atan2, 2, kFloats>(atan2_op, kFew),
                                     row<Eq, 2, kEverything>(eq_op),
                                     row<Ne, 2, kEverything>(ne_op),
                                     row<Lt, 2, kEverything>(lt_op),
                                     row<Le, 2, kEverything>(le_op),
                                     row<Gt, 2, kEverything>(gt_op),
                                     row<Ge, 2, kEverything>(ge_op),
                                     row<LogicalAnd, 2, kEverything>(logical_and_op),
                                     row<LogicalOr, 2, kEverything>(logical_or_op),
                                     row<LogicalXor, 2, kEverything>(logical_xor_op),
                                     row<BitwiseAnd, 2, kBits>(bitwise_and_op),
                                     row<BitwiseOr, 2, kBits>(bitwise_or_op),
                                     row<BitwiseXor, 2, kBits>(bitwise_xor_op),
                                     row<ShiftLeft, 2, kIntegers>(shift_left_op),
                                     row<ShiftRight, 2, kIntegers>(shift_right_op),
                                     row<ReluBackward, 2, kFloats>(relu_backward_op),
                                     row<TanhBackward, 2, kFloats>(tanh_backward_op),
                                     row<SigmoidBackward, 2, kFloats>(sigmoid_backward_op),
                                     row<Pow, 1, kFloats>(pow_scalar_op, kFew, {}, PowParams{1.7}, 1.7),
                                     row<Square, 1, kFloats>(pow_scalar_op, {}, {}, PowParams{2.0}),
                                     row<Sqrt, 1, kFloats>(pow_scalar_op, {}, {}, PowParams{0.5}),
                                     row<Reciprocal, 1, kFloats>(pow_scalar_op, {}, {}, PowParams{-1.0}),
                                     {&pow_scalar_op, [] {
                                        check_integer_power<uint8_t>(), check_integer_power<int32_t>(),
                                            check_integer_power<int64_t>();
                                      }}};
  return rows;
}

const std::vector<Row>& other_rows() {
  static const std::vector<Row> rows{
      {&where_op, [] { check_where<bool>(), check_where<int16_t>(), check_where<float>(), check_where<double>(); }},
      {&masked_scale_op, [] { check_masked_scale<float>(), check_masked_scale<double>(); }},
      row<Clamp, 3, kEverything>(clamp_op),
      row<Lerp, 3, kFloats>(lerp_op, kCancels),
      row<Addcmul, 3, kFloats>(addcmul_op, {}, {}, AddcParams{0.7}, 0.7),
      row<Addcdiv, 3, kFloats>(addcdiv_op, {}, {}, AddcParams{0.7}, 0.7),
      row<Gelu, 1, kFloats>(gelu_op, kCancels, {}, GeluParams{false}),
      row<GeluTanh, 1, kFloats>(gelu_op, kCancels, {}, GeluParams{true}),
      row<GeluBackward, 2, kFloats>(gelu_backward_op, kGradient, {}, GeluParams{false}),
      row<GeluTanhBackward, 2, kFloats>(gelu_backward_op, kGradient, {}, GeluParams{true}),
      row<Silu, 1, kFloats>(silu_op, kSome),
      row<SiluBackward, 2, kFloats>(silu_backward_op, kGradient),
      row<LeakyRelu, 1, kFloats>(leaky_relu_op, {}, {}, LeakyReluParams{0.01}, 0.01),
      row<Elu, 1, kFloats>(elu_op, kFew, {}, EluParams{1.6, 1.05, 0.9}, 1.6 * 1.05, 1.05, 0.9),
      row<Softplus, 1, kFloats>(softplus_op, kSome, {}, SoftplusParams{1.5, 20}, 1.5, 20),
      row<Hardtanh, 1, kFloats>(hardtanh_op, {}, {}, HardtanhParams{-1, 2}, -1, 2),
      row<Threshold, 1, kFloats>(threshold_op, {}, {}, ThresholdParams{0.1, 20}, 0.1, 20),
      row<BinaryCrossEntropy, 2, kFloats>(binary_cross_entropy_op, kCancels, Domain::kFirstInUnit),
      row<BinaryCrossEntropyWithLogits, 2, kFloats>(binary_cross_entropy_with_logits_op, kCancels),
      row<SmoothL1, 2, kFloats>(smooth_l1_op, {}, {}, SmoothL1Params{0.8}, 0.8, 0.5 / 0.8, 0.5 * 0.8)};
  return rows;
}

}  // namespace

TEST_CASE("the shared arithmetic gives what the CPU's kernels of one operand give") {
  for (const Row& r : unary_rows()) r.check();
}
TEST_CASE("the shared arithmetic gives what the CPU's kernels of two operands give") {
  for (const Row& r : binary_rows()) r.check();
}
TEST_CASE("the shared arithmetic gives what the CPU's activations, losses and kernels of three operands give") {
  for (const Row& r : other_rows()) r.check();
}

TEST_CASE("every element-wise op has its arithmetic") {
  // Conversions have no arithmetic, optimizer steps and updates of lists several outputs; complex numbers have no other
  // on the CPU.
  std::set<std::string_view> covered{"cast", "cast_to_integer", "copy", "fill", "conj", "complex", "complex_abs"};
  for (const auto* rows : {&unary_rows(), &binary_rows(), &other_rows()})
    for (const Row& r : *rows) covered.insert(r.op->name());
  for (const Op& op : all_ops()) {
    INFO(op.name());
    const bool several = op.name().ends_with("_step") || op.name().starts_with("foreach_");
    if (op.is(kPointwise) && !several) CHECK(covered.count(op.name()) == 1);
  }
}

TEST_CASE("integer division by zero is an error on the host, and negative powers are truncated") {
  CHECK_THROWS_WITH(FloorDivide::run(1, 0),
                    Catch::Matchers::ContainsSubstring("floor_divide: integer division by zero"));
  CHECK_THROWS_WITH(Remainder::run(int64_t{1}, int64_t{0}),
                    Catch::Matchers::ContainsSubstring("remainder: integer division"));
  CHECK(PowInteger::run(2, -1) == 0);
  CHECK(PowInteger::run(1, -1) == 1);
  CHECK(PowInteger::run(-1, -3) == -1);
}
