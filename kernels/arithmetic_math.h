// The mathematical functions, activations and losses of the element-wise ops, one float or double at a time; those that
// complex numbers have too take them as well.
#pragma once
#include "kernels/arithmetic.h"

namespace strata::arithmetic {

// Note [Shared mathematics]
// These are the formulas of the CPU's vector code (kernels/cpu/vec_*), on the scalar functions of the C and CUDA
// libraries: FMA where that has it, the same choice of branch at every limit.

/// A mathematical function of the library under the name of its op.
struct Exp {
  template <class T>
  STRATA_HD static T run(T x) {
    return math::exp(x);
  }
};
struct Exp2 {
  template <class T>
  STRATA_HD static T run(T x) {
    return math::exp2(x);
  }
};
struct Expm1 {
  template <class T>
  STRATA_HD static T run(T x) {
    return math::expm1(x);
  }
};
struct Log {
  template <class T>
  STRATA_HD static T run(T x) {
    return math::log(x);
  }
};
struct Log2 {
  template <class T>
  STRATA_HD static T run(T x) {
    return math::log2(x);
  }
};
struct Log10 {
  template <class T>
  STRATA_HD static T run(T x) {
    return math::log10(x);
  }
};
struct Log1p {
  template <class T>
  STRATA_HD static T run(T x) {
    return math::log1p(x);
  }
};
struct Sin {
  template <class T>
  STRATA_HD static T run(T x) {
    return math::sin(x);
  }
};
struct Cos {
  template <class T>
  STRATA_HD static T run(T x) {
    return math::cos(x);
  }
};
struct Tan {
  template <class T>
  STRATA_HD static T run(T x) {
    return math::tan(x);
  }
};
struct Asin {
  template <class T>
  STRATA_HD static T run(T x) {
    return math::asin(x);
  }
};
struct Acos {
  template <class T>
  STRATA_HD static T run(T x) {
    return math::acos(x);
  }
};
struct Atan {
  template <class T>
  STRATA_HD static T run(T x) {
    return math::atan(x);
  }
};
struct Sinh {
  template <class T>
  STRATA_HD static T run(T x) {
    return math::sinh(x);
  }
};
struct Cosh {
  template <class T>
  STRATA_HD static T run(T x) {
    return math::cosh(x);
  }
};
struct Tanh {
  template <class T>
  STRATA_HD static T run(T x) {
    return math::tanh(x);
  }
};
struct Asinh {
  template <class T>
  STRATA_HD static T run(T x) {
    return math::asinh(x);
  }
};
struct Acosh {
  template <class T>
  STRATA_HD static T run(T x) {
    return math::acosh(x);
  }
};
struct Atanh {
  template <class T>
  STRATA_HD static T run(T x) {
    return math::atanh(x);
  }
};
struct Erf {
  template <class T>
  STRATA_HD static T run(T x) {
    return std::erf(x);
  }
};
struct Erfc {
  template <class T>
  STRATA_HD static T run(T x) {
    return std::erfc(x);
  }
};
struct Sigmoid {
  template <class T>
  STRATA_HD static T run(T x) {
    const T e = std::exp(-std::abs(x));
    return (x < T(0) ? e : T(1)) / (T(1) + e);
  }
  template <class T>
  STRATA_HD static Complex<T> run(Complex<T> z) {
    const bool negative = z.real() < 0;
    const Complex<T> e = math::exp(negative ? z : -z);
    return (negative ? e : Complex<T>(1)) / (T(1) + e);
  }
};
struct Silu {
  template <class T>
  STRATA_HD static T run(T x) {
    return x * Sigmoid::run(x);
  }
};

inline constexpr double kRootHalf = 0.70710678118654752440, kRootTwoOverPi = 0.79788456080286535588,
                        kOneOverRootTwoPi = 0.39894228040143267794, kGeluCube = 0.044715;

/// x / 2 (1 + erf(x / sqrt(2)))
struct Gelu {
  template <class T>
  STRATA_HD static T run(T x) {
    const T half = x * T(0.5);
    return std::fma(half, std::erf(x * T(kRootHalf)), half);
  }
};
/// x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))
struct GeluTanh {
  template <class T>
  STRATA_HD static T run(T x) {
    const T half = x * T(0.5), inner = std::fma(x * x * x, T(kGeluCube), x);
    return std::fma(half, std::tanh(inner * T(kRootTwoOverPi)), half);
  }
};

struct Pow {
  template <class T>
  STRATA_HD static T run(T x, T y) {
    return math::pow(x, y);
  }
};
struct Atan2 {
  template <class T>
  STRATA_HD static T run(T x, T y) {
    return std::atan2(x, y);
  }
};

// Gradients: g is the output's gradient, y the forward output, x the forward input.
struct ReluBackward {
  template <class T>
  STRATA_HD static T run(T g, T y) {
    return y <= T(0) ? T(0) : g;
  }
};
struct TanhBackward {
  template <class T>
  STRATA_HD static T run(T g, T y) {
    return g * (T(1) - y * y);
  }
};
struct SigmoidBackward {
  template <class T>
  STRATA_HD static T run(T g, T y) {
    return g * ((T(1) - y) * y);
  }
};
/// cdf(x) + x pdf(x)
struct GeluBackward {
  template <class T>
  STRATA_HD static T run(T g, T x) {
    const T cdf = std::fma(std::erf(x * T(kRootHalf)), T(0.5), T(0.5));
    const T pdf = std::exp(x * x * T(-0.5)) * T(kOneOverRootTwoPi);
    return g * std::fma(x, pdf, cdf);
  }
};
struct GeluTanhBackward {
  template <class T>
  STRATA_HD static T run(T g, T x) {
    const T x2 = x * x, root = T(kRootTwoOverPi);
    const T t = std::tanh(x * root * std::fma(x2, T(kGeluCube), T(1)));
    const T inner = root * std::fma(x2, T(3 * kGeluCube), T(1));
    return g * (T(0.5) * (T(1) + t) + T(0.5) * x * (std::fma(-t, t, T(1)) * inner));
  }
};
/// s (1 + x (1 - s))
struct SiluBackward {
  template <class T>
  STRATA_HD static T run(T g, T x) {
    const T s = Sigmoid::run(x);
    return g * (s * std::fma(x, T(1) - s, T(1)));
  }
};

// Activations with numbers.
struct LeakyRelu {
  template <class T>
  STRATA_HD static T run(T x, T slope) {
    return x > T(0) ? x : x * slope;
  }
};
/// `slope` is that of the negative side: alpha * scale.
struct Elu {
  template <class T>
  STRATA_HD static T run(T x, T slope, T scale, T input_scale) {
    return x > T(0) ? x * scale : slope * std::expm1(x * input_scale);
  }
};
/// log(1 + exp(z)) = max(z, 0) + log1p(exp(-|z|))
struct Softplus {
  template <class T>
  STRATA_HD static T run(T x, T beta, T threshold) {
    const T z = x * beta, positive = z < T(0) ? T(0) : z;
    return z > threshold ? x : (positive + std::log1p(std::exp(-std::abs(z)))) / beta;
  }
};
struct Hardtanh {
  template <class T>
  STRATA_HD static T run(T x, T lo, T hi) {
    const T low = x < lo ? lo : x;
    return low > hi ? hi : low;
  }
};
struct Threshold {
  template <class T>
  STRATA_HD static T run(T x, T threshold, T value) {
    return x <= threshold ? value : x;
  }
};

// Losses of a prediction x and a target t.
struct BinaryCrossEntropy {
  template <class T>
  STRATA_HD static T run(T x, T t) {
    return (t - T(1)) * cut(std::log1p(-x)) - t * cut(std::log(x));
  }
  /// At least -100; NaN stays NaN.
  template <class T>
  STRATA_HD static T cut(T log) {
    return log < T(-100) ? T(-100) : log;
  }
};
struct BinaryCrossEntropyWithLogits {
  template <class T>
  STRATA_HD static T run(T x, T t) {
    const T positive = x < T(0) ? T(0) : x;
    return positive - x * t + std::log1p(std::exp(-std::abs(x)));
  }
};
/// Numbers: beta, 0.5 / beta, 0.5 * beta.
struct SmoothL1 {
  template <class T>
  STRATA_HD static T run(T x, T t, T beta, T curvature, T shift) {
    const T size = std::abs(x - t);
    return size < beta ? size * size * curvature : size - shift;
  }
};

}  // namespace strata::arithmetic
