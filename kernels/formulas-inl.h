// The formulas of the element-wise ops, each written once: Note [Formulas].
//
// Included inside of a namespace, by arithmetic.h for single numbers and by vec_formulas-inl.h once per instruction
// set.

/// Functions whose result is bool.
struct Test {
  static constexpr bool kBool = true;
};
/// Functions of so few instructions that memory bounds them.
struct Cheap {
  static constexpr bool kCheap = true;
};
struct CheapTest : Test, Cheap {};

// --- one operand ----------------------------------------------------------------------------------------------------

struct Neg : Cheap {
  template <class T>
  STRATA_FORMULA T run(T x) {
    return static_cast<T>(-wrapping(x));
  }
};
struct Abs : Cheap {
  template <class T>
  STRATA_FORMULA T run(T x) {
    if constexpr (kIsInteger<T>)
      return is_negative(x) ? Neg::run(x) : x;
    else
      return math::abs(x);
  }
};
/// 0 for NaN.
struct Sign : Cheap {
  template <class T>
  STRATA_FORMULA T run(T x) {
    return static_cast<T>(math::select(x > T(0), T(1), T(0)) - math::select(is_negative(x), T(1), T(0)));
  }
};
struct Square : Cheap {
  template <class T>
  STRATA_FORMULA T run(T x) {
    return static_cast<T>(wrapping(x) * wrapping(x));
  }
};
struct Cube : Cheap {
  STRATA_FORMULA auto run(auto x) { return x * x * x; }
};
/// NaN stays NaN.
struct Relu : Cheap {
  template <class T>
  STRATA_FORMULA T run(T x) {
    return math::select(x <= T(0), T(0), x);
  }
};
struct Sqrt {
  STRATA_FORMULA auto run(auto x) { return math::sqrt(x); }
};
struct Rsqrt {
  template <class T>
  STRATA_FORMULA T run(T x) {
    return T(1) / math::sqrt(x);
  }
};
struct Reciprocal {
  template <class T>
  STRATA_FORMULA T run(T x) {
    return T(1) / x;
  }
};
struct Floor : Cheap {
  STRATA_FORMULA auto run(auto x) { return math::floor(x); }
};
struct Ceil : Cheap {
  STRATA_FORMULA auto run(auto x) { return math::ceil(x); }
};
/// Halves to even.
struct Round : Cheap {
  STRATA_FORMULA auto run(auto x) { return math::round(x); }
};
struct Trunc : Cheap {
  STRATA_FORMULA auto run(auto x) { return math::trunc(x); }
};
struct Frac : Cheap {
  STRATA_FORMULA auto run(auto x) { return x - math::trunc(x); }
};
/// Other numbers for NaN, infinity and minus infinity.
struct NanToNum : Cheap {
  template <class T>
  STRATA_FORMULA T run(T x, T nan, T top, T bottom) {
    const T finite = math::select(math::is_inf(x), math::select(is_negative(x), bottom, top), x);
    return math::select(x == x, finite, nan);
  }
};
struct IsNan : CheapTest {
  STRATA_FORMULA auto run(auto x) { return !(x == x); }
};
struct IsInf : CheapTest {
  STRATA_FORMULA auto run(auto x) { return math::is_inf(x); }
};
struct IsFinite : CheapTest {
  STRATA_FORMULA auto run(auto x) { return math::is_finite(x); }
};
struct LogicalNot : CheapTest {
  template <class T>
  STRATA_FORMULA auto run(T x) {
    return x == T(0);
  }
};

struct Exp {
  STRATA_FORMULA auto run(auto x) { return math::exp(x); }
};
struct Exp2 {
  STRATA_FORMULA auto run(auto x) { return math::exp2(x); }
};
struct Expm1 {
  STRATA_FORMULA auto run(auto x) { return math::expm1(x); }
};
struct Log {
  STRATA_FORMULA auto run(auto x) { return math::log(x); }
};
struct Log2 {
  STRATA_FORMULA auto run(auto x) { return math::log2(x); }
};
struct Log10 {
  STRATA_FORMULA auto run(auto x) { return math::log10(x); }
};
struct Log1p {
  STRATA_FORMULA auto run(auto x) { return math::log1p(x); }
};
struct Sin {
  STRATA_FORMULA auto run(auto x) { return math::sin(x); }
};
struct Cos {
  STRATA_FORMULA auto run(auto x) { return math::cos(x); }
};
struct Tan {
  STRATA_FORMULA auto run(auto x) { return math::tan(x); }
};
struct Asin {
  STRATA_FORMULA auto run(auto x) { return math::asin(x); }
};
struct Acos {
  STRATA_FORMULA auto run(auto x) { return math::acos(x); }
};
struct Atan {
  STRATA_FORMULA auto run(auto x) { return math::atan(x); }
};
struct Sinh {
  STRATA_FORMULA auto run(auto x) { return math::sinh(x); }
};
struct Cosh {
  STRATA_FORMULA auto run(auto x) { return math::cosh(x); }
};
struct Tanh {
  STRATA_FORMULA auto run(auto x) { return math::tanh(x); }
};
struct Asinh {
  STRATA_FORMULA auto run(auto x) { return math::asinh(x); }
};
struct Acosh {
  STRATA_FORMULA auto run(auto x) { return math::acosh(x); }
};
struct Atanh {
  STRATA_FORMULA auto run(auto x) { return math::atanh(x); }
};
struct Erf {
  STRATA_FORMULA auto run(auto x) { return math::erf(x); }
};
struct Sigmoid {
  template <class T>
  STRATA_FORMULA T run(T x) {
    const T e = math::exp(-math::abs(x));
    return math::select(x < T(0), e, T(1)) / (T(1) + e);
  }
  template <class T>
  STRATA_FORMULA Complex<T> run(Complex<T> z) {
    const bool negative = z.real() < 0;
    const Complex<T> e = math::exp(negative ? z : -z);
    return (negative ? e : Complex<T>(1)) / (T(1) + e);
  }
};

// --- activations: some take numbers after their operands ------------------------------------------------------------

struct Silu {
  STRATA_FORMULA auto run(auto x) { return x * Sigmoid::run(x); }
};

inline constexpr double kLog2OfE = 1.44269504088896340736;
inline constexpr double kRootTwoOverPi = 0.79788456080286535588, kOneOverRootTwoPi = 0.39894228040143267794,
                        kGeluCube = 0.044715;

/// x cdf(x) = x / 2 (1 + erf(x / sqrt(2)))
struct Gelu {
  template <class T>
  STRATA_FORMULA T run(T x) {
    return x * math::normal_cdf(x);
  }
};
/// x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))
struct GeluTanh {
  template <class T>
  STRATA_FORMULA T run(T x) {
    const T half = x * T(0.5), inner = math::fma(x * x * x, T(kGeluCube), x);
    return math::fma(half, math::tanh(inner * T(kRootTwoOverPi)), half);
  }
};
struct LeakyRelu : Cheap {
  template <class T>
  STRATA_FORMULA T run(T x, T slope) {
    return math::select(x > T(0), x, x * slope);
  }
};
/// The slope is an operand.
struct Prelu : LeakyRelu {};
/// `slope` is that of the negative side: alpha * scale.
struct Elu {
  template <class T>
  STRATA_FORMULA T run(T x, T slope, T scale, T input_scale) {
    return math::select(x > T(0), x * scale, slope * math::expm1(x * input_scale));
  }
};
/// log(1 + exp(z)) = max(z, 0) + log1p(exp(-|z|))
struct Softplus {
  template <class T>
  STRATA_FORMULA T run(T x, T beta, T threshold) {
    const T z = x * beta, positive = math::select(z < T(0), T(0), z);
    return math::select(z > threshold, x, (positive + math::log1p(math::exp(-math::abs(z)))) * (T(1) / beta));
  }
};
struct Hardtanh : Cheap {
  template <class T>
  STRATA_FORMULA T run(T x, T lo, T hi, T) {
    const T low = math::select(x < lo, lo, x);
    return math::select(low > hi, hi, low);
  }
};
struct Hardswish : Cheap {
  template <class T>
  STRATA_FORMULA T run(T x) {
    return x * Hardtanh::run(x + T(3), T(0), T(6), T(0)) / T(6);
  }
};
struct Threshold : Cheap {
  template <class T>
  STRATA_FORMULA T run(T x, T threshold, T value) {
    return math::select(x <= threshold, value, x);
  }
};

// Gradients: g is the output's gradient, y the forward output, x the forward input.
struct ReluBackward : Cheap {
  template <class T>
  STRATA_FORMULA T run(T g, T y) {
    return math::select(y <= T(0), T(0), g);
  }
};
struct TanhBackward : Cheap {
  template <class T>
  STRATA_FORMULA T run(T g, T y) {
    return g * (T(1) - y * y);
  }
};
struct SigmoidBackward : Cheap {
  template <class T>
  STRATA_FORMULA T run(T g, T y) {
    return g * ((T(1) - y) * y);
  }
};
/// cdf(x) + x pdf(x)
struct GeluBackward {
  template <class T>
  STRATA_FORMULA T run(T g, T x) {
    const T pdf = math::exp(x * x * T(-0.5)) * T(kOneOverRootTwoPi);
    return g * math::fma(x, pdf, math::normal_cdf(x));
  }
};
struct GeluTanhBackward {
  template <class T>
  STRATA_FORMULA T run(T g, T x) {
    const T x2 = x * x, root = T(kRootTwoOverPi);
    const T t = math::tanh(x * root * math::fma(x2, T(kGeluCube), T(1)));
    const T inner = root * math::fma(x2, T(3 * kGeluCube), T(1));
    return g * (T(0.5) * (T(1) + t) + T(0.5) * x * (math::fma(-t, t, T(1)) * inner));
  }
};
/// s (1 + x (1 - s))
struct SiluBackward {
  template <class T>
  STRATA_FORMULA T run(T g, T x) {
    const T s = Sigmoid::run(x);
    return g * (s * math::fma(x, T(1) - s, T(1)));
  }
};

struct LeakyReluBackward : Cheap {
  template <class T>
  STRATA_FORMULA T run(T g, T x, T slope) {
    return math::select(x > T(0), g, g * slope);
  }
};
struct EluBackward {
  template <class T>
  STRATA_FORMULA T run(T g, T x, T slope, T scale, T input_scale) {
    return g * math::select(x > T(0), scale, slope * input_scale * math::exp(x * input_scale));
  }
};
struct SoftplusBackward {
  template <class T>
  STRATA_FORMULA T run(T g, T x, T beta, T threshold) {
    const T z = x * beta;
    return math::select(z > threshold, g, g * Sigmoid::run(z));
  }
};
struct HardtanhBackward : Cheap {
  template <class T>
  STRATA_FORMULA T run(T g, T x, T lo, T hi, T nan_slope) {
    return math::select((x <= lo) | (x >= hi), T(0), math::select(x == x, g, g * nan_slope));
  }
};
/// Picked by where x is: infinity times the 0 outside would be NaN.
struct HardswishBackward : Cheap {
  template <class T>
  STRATA_FORMULA T run(T g, T x) {
    return math::select(x <= T(-3), T(0), math::select(x < T(3), g * (x / T(3) + T(0.5)), g));
  }
};
struct ThresholdBackward : Cheap {
  template <class T>
  STRATA_FORMULA T run(T g, T x, T threshold, T) {
    return math::select(x <= threshold, T(0), g);
  }
};

// --- two operands ---------------------------------------------------------------------------------------------------

struct Add : Cheap {
  template <class T>
  STRATA_FORMULA T run(T x, T y) {
    return static_cast<T>(wrapping(x) + wrapping(y));
  }
};
struct Sub : Cheap {
  template <class T>
  STRATA_FORMULA T run(T x, T y) {
    return static_cast<T>(wrapping(x) - wrapping(y));
  }
};
struct Mul : Cheap {
  template <class T>
  STRATA_FORMULA T run(T x, T y) {
    return static_cast<T>(wrapping(x) * wrapping(y));
  }
};
struct Div : Cheap {
  STRATA_FORMULA auto run(auto x, auto y) { return x / y; }
};
/// Rounds towards zero; the lowest integer over -1 wraps.
struct DivTrunc : Cheap {
  template <class T>
  STRATA_FORMULA T run(T x, T y) {
    if constexpr (kIsInteger<T>) {
      if (is_zero_divisor(y, "div")) return static_cast<T>(-1);
      return is_minus_one(y) ? Neg::run(x) : static_cast<T>(x / y);
    } else {
      return math::trunc(x / y);
    }
  }
};
/// The sign of the dividend.
struct Fmod {
  template <class T>
  STRATA_FORMULA T run(T x, T y) {
    if constexpr (kIsInteger<T>) {
      if (is_zero_divisor(y, "fmod")) return x;
      return is_minus_one(y) ? T(0) : static_cast<T>(x % y);
    } else {
      return math::fmod(x, y);
    }
  }
};
/// The sign of the divisor.
struct Remainder {
  template <class T>
  STRATA_FORMULA T run(T x, T y) {
    if constexpr (kIsInteger<T>) {
      if (is_zero_divisor(y, "remainder")) return x;
    }
    const T r = Fmod::run(x, y);
    const T moved = math::select(is_negative(r) ^ is_negative(y), Add::run(r, y), r);
    return math::select(r == T(0), r, moved);
  }
};
struct FloorDivide {
  template <class T>
  STRATA_FORMULA T run(T x, T y) {
    if constexpr (kIsInteger<T>) {
      if (is_zero_divisor(y, "floor_divide")) return static_cast<T>(-1);
      const T q = DivTrunc::run(x, y);
      return Fmod::run(x, y) != 0 && is_negative(x) != is_negative(y) ? static_cast<T>(q - 1) : q;
    } else {
      return of_floats(x, y);
    }
  }
  /// As Python and PyTorch do it: exact where x / y rounded up to an integer that is too large.
  template <class T>
  STRATA_FORMULA T of_floats(T x, T y) {
    const T mod = math::fmod(x, y), cut = (x - mod) / y;
    const T below = math::select(is_negative(y) ^ is_negative(mod), cut - T(1), cut);
    const T quotient = math::select(mod == T(0), cut, below);
    const T floor = math::floor(quotient), rounded = math::select(quotient - floor > T(0.5), floor + T(1), floor);
    const T whole = math::select(quotient == T(0), math::copysign(T(0), x / y), rounded);
    return math::select(y == T(0), x / y, whole);
  }
};
/// NaN in either operand is the result; so in Minimum.
struct Maximum : Cheap {
  STRATA_FORMULA auto run(auto x, auto y) { return math::select(x == x, math::select(x > y, x, y), x); }
};
struct Minimum : Cheap {
  STRATA_FORMULA auto run(auto x, auto y) { return math::select(x == x, math::select(x < y, x, y), x); }
};
struct Pow {
  STRATA_FORMULA auto run(auto x, auto y) { return math::pow(x, y); }
};
struct Atan2 {
  STRATA_FORMULA auto run(auto x, auto y) { return math::atan2(x, y); }
};
/// x log(y), and 0 where x is 0 whatever the logarithm is; NaN stays NaN.
struct Xlogy {
  template <class T>
  STRATA_FORMULA T run(T x, T y) {
    return math::select(x == T(0), math::select(y == y, T(0), y), x * math::log(y));
  }
};
/// log(exp(x) + exp(y)); the difference of equal infinities is none.
struct Logaddexp {
  template <class T>
  STRATA_FORMULA T run(T x, T y) {
    const T apart = math::select(x == y, T(0), x - y);
    return math::select(x < y, y, x) + math::log1p(math::exp(-math::abs(apart)));
  }
};
/// The same of powers of 2.
struct Logaddexp2 {
  template <class T>
  STRATA_FORMULA T run(T x, T y) {
    const T apart = math::select(x == y, T(0), x - y);
    return math::select(x < y, y, x) + math::log1p(math::exp2(-math::abs(apart))) * T(kLog2OfE);
  }
};
/// Infinite where an operand is, though the other be NaN.
struct Hypot {
  STRATA_FORMULA auto run(auto x, auto y) { return math::hypot(x, y); }
};
struct Copysign : Cheap {
  STRATA_FORMULA auto run(auto x, auto y) { return math::copysign(x, y); }
};
struct Nextafter {
  STRATA_FORMULA auto run(auto x, auto y) { return math::nextafter(x, y); }
};
/// The first half of a gated linear unit's input, weighed by the second.
struct Glu {
  template <class T>
  STRATA_FORMULA T run(T x, T gate) {
    return x * Sigmoid::run(gate);
  }
};
struct Eq : CheapTest {
  STRATA_FORMULA auto run(auto x, auto y) { return x == y; }
};
struct Ne : CheapTest {
  STRATA_FORMULA auto run(auto x, auto y) { return !(x == y); }
};
struct Lt : CheapTest {
  STRATA_FORMULA auto run(auto x, auto y) { return x < y; }
};
struct Le : CheapTest {
  STRATA_FORMULA auto run(auto x, auto y) { return x <= y; }
};
struct Gt : CheapTest {
  STRATA_FORMULA auto run(auto x, auto y) { return x > y; }
};
struct Ge : CheapTest {
  STRATA_FORMULA auto run(auto x, auto y) { return x >= y; }
};
struct LogicalAnd : CheapTest {
  template <class T>
  STRATA_FORMULA auto run(T x, T y) {
    const auto no_x = x == T(0), no_y = y == T(0);
    return !(no_x | no_y);
  }
};
struct LogicalOr : CheapTest {
  template <class T>
  STRATA_FORMULA auto run(T x, T y) {
    const auto no_x = x == T(0), no_y = y == T(0);
    return !(no_x & no_y);
  }
};
struct LogicalXor : CheapTest {
  template <class T>
  STRATA_FORMULA auto run(T x, T y) {
    return (x == T(0)) ^ (y == T(0));
  }
};

// Losses of a prediction x and a target t.
struct BinaryCrossEntropy {
  template <class T>
  STRATA_FORMULA T run(T x, T t) {
    return (t - T(1)) * cut(math::log1p(-x)) - t * cut(math::log(x));
  }
  /// At least -100; NaN stays NaN.
  template <class T>
  STRATA_FORMULA T cut(T log) {
    return math::select(log < T(-100), T(-100), log);
  }
};
struct BinaryCrossEntropyWithLogits {
  template <class T>
  STRATA_FORMULA T run(T x, T t) {
    const T negative = math::select(x > T(0), T(0), x);
    return (T(1) - t) * x - negative + math::log1p(math::exp(-math::abs(x)));
  }
};
/// Numbers: beta, 0.5 / beta, 0.5 * beta.
struct SmoothL1 : Cheap {
  template <class T>
  STRATA_FORMULA T run(T x, T t, T beta, T curvature, T shift) {
    const T size = math::abs(x - t);
    return math::select(size < beta, size * size * curvature, size - shift);
  }
};

/// g times the difference over beta, cut at -1 and 1.
struct SmoothL1Backward : Cheap {
  template <class T>
  STRATA_FORMULA T run(T g, T x, T t, T beta, T, T) {
    const T slope = (x - t) / beta, low = math::select(slope < T(-1), T(-1), slope);
    return g * math::select(low > T(1), T(1), low);
  }
};

// --- three operands -------------------------------------------------------------------------------------------------

/// min(max(x, lo), hi), NaN from any operand.
struct Clamp : Cheap {
  template <class T>
  STRATA_FORMULA T run(T x, T lo, T hi) {
    const T low = math::select(lo == lo, math::select(x < lo, lo, x), lo);
    return math::select(hi == hi, math::select(low > hi, hi, low), hi);
  }
};
/// From the nearer end, so that both ends are met exactly.
struct Lerp : Cheap {
  template <class T>
  STRATA_FORMULA T run(T a, T b, T w) {
    const T diff = b - a;
    return math::select(math::abs(w) < T(0.5), math::fma(w, diff, a), math::fma(-diff, T(1) - w, b));
  }
};
struct Addcmul : Cheap {
  STRATA_FORMULA auto run(auto x, auto a, auto b, auto value) { return x + value * a * b; }
};
struct Addcdiv : Cheap {
  STRATA_FORMULA auto run(auto x, auto a, auto b, auto value) { return x + value * a / b; }
};
