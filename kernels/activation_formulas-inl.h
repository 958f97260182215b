// The formulas of activation functions and their gradients, each written once: Note [Formulas].
//
// A part of formulas-inl.h.

inline constexpr double kRootTwoOverPi = 0.79788456080286535588, kGeluCube = 0.044715;

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
/// x tanh(softplus(x)), where the tanh is ((1 + exp(x))^2 - 1) / ((1 + exp(x))^2 + 1). Where x is positive both are
/// divided by exp(2x): nothing overflows, and neither of them is a difference.
struct Mish {
  template <class T>
  struct Terms {
    T e, fall, numerator, denominator;  ///< exp(-|x|), that where x is positive and else 1, and the tanh's
  };
  template <class T>
  STRATA_FORMULA Terms<T> terms(T x) {
    const T e = math::exp(-math::abs(x)), one = T(1);
    const T rise = math::select(x < T(0), e, one), fall = math::select(x < T(0), one, e);
    const T numerator = math::fma(rise, rise, e + e);
    return {e, fall, numerator, math::fma(fall + fall, fall, numerator)};
  }
  template <class T>
  STRATA_FORMULA T run(T x) {
    const Terms<T> t = terms(x);
    return x * (t.numerator / t.denominator);
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
    return g * math::gelu_slope(x);
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
/// tanh(softplus(x)) and x times its slope, 4 exp(x) (1 + exp(x)) / ((1 + exp(x))^2 + 1)^2.
struct MishBackward {
  template <class T>
  STRATA_FORMULA T run(T g, T x) {
    const Mish::Terms<T> t = Mish::terms(x);
    const T slope = T(4) * t.e * t.fall * (T(1) + t.e) / t.denominator;
    return g * (math::fma(x, slope, t.numerator) / t.denominator);
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
/// Picked by the slope at NaN, which is 0 or 1: a gradient that is NaN or infinite times a slope of 0 would be NaN.
struct HardtanhBackward : Cheap {
  template <class T>
  STRATA_FORMULA T run(T g, T x, T lo, T hi, T nan_slope) {
    return math::select((x <= lo) | (x >= hi), T(0), math::select((x == x) | (nan_slope > T(0)), g, T(0)));
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

/// The first half of a gated linear unit's input, weighed by the second.
struct Glu {
  template <class T>
  STRATA_FORMULA T run(T x, T gate) {
    return x * Sigmoid::run(gate);
  }
};
/// t times the derivative of that by the gate.
struct GluGate {
  template <class T>
  STRATA_FORMULA T run(T t, T x, T gate) {
    const T s = Sigmoid::run(gate);
    return t * x * (s * (T(1) - s));
  }
};
struct LogSigmoid {
  template <class T>
  STRATA_FORMULA T run(T x) {
    return math::select(x < T(0), x, T(0)) - math::log1p(math::exp(-math::abs(x)));
  }
};
struct LogSigmoidBackward {
  template <class T>
  STRATA_FORMULA T run(T g, T x) {
    return g * Sigmoid::run(-x);
  }
};
struct Hardsigmoid : Cheap {
  template <class T>
  STRATA_FORMULA T run(T x) {
    return Hardtanh::run(x + T(3), T(0), T(6), T(0)) / T(6);
  }
};
struct HardsigmoidBackward : Cheap {
  template <class T>
  STRATA_FORMULA T run(T g, T x) {
    return math::select((x > T(-3)) & (x < T(3)), g / T(6), T(0));  // 0 for NaN, as in PyTorch
  }
};
/// 0 from -limit to limit, nearer to 0 by `step` elsewhere.
struct Shrink : Cheap {
  template <class T>
  STRATA_FORMULA T run(T x, T limit, T step) {
    return math::select((x >= -limit) & (x <= limit), T(0), x - math::copysign(step, x));
  }
};
struct ShrinkBackward : Cheap {
  template <class T>
  STRATA_FORMULA T run(T g, T x, T limit, T) {
    return math::select((x >= -limit) & (x <= limit), T(0), g);
  }
};
