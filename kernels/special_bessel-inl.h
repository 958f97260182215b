// The formulas of Bessel functions: Chebyshev series between 0 and infinity, divided as in Cephes.
//
// Included like special_formulas-inl.h, after it and special_series-inl.h.

/// exp(-|x|) I0(x)
struct BesselI0e : Long {
  STRATA_FORMULA auto run(auto x) { return math::in_double<BesselI0e>(x); }
  template <class Goal, class V>
  STRATA_FORMULA V of(V x) {
    const V size = math::abs(x), near = series::i0e_near<Goal>(math::mul_add(size, V(0.25), V(-1)));
    const auto is_far = size > V(8);
    if (!math::any(is_far)) return near;
    return math::select(is_far, series::i0e_far<Goal>(V(16) / size - V(1)) / math::sqrt(size), near);
  }
};
/// exp(-|x|) I1(x)
struct BesselI1e : Long {
  STRATA_FORMULA auto run(auto x) { return math::in_own<BesselI1e>(x); }
  template <class Goal, class V>
  STRATA_FORMULA V of(V x) {
    const V size = math::abs(x), near = x * series::i1e_near<Goal>(math::mul_add(size, V(0.25), V(-1)));
    const auto is_far = size > V(8);
    if (!math::any(is_far)) return near;
    const V far = series::i1e_far<Goal>(V(16) / size - V(1)) / math::sqrt(size);
    return math::select(is_far, math::copysign(far, x), near);
  }
  template <class V>
  STRATA_FORMULA V of_floats(V x) {
    const V size = math::abs(x), near = x * series::i1e_near_of_floats(size);
    const auto is_far = size > V(8);
    if (!math::any(is_far)) return near;
    const V far = series::i1e_far<series::InFloats>(V(16) / size - V(1)) / math::sqrt(size);
    return math::select(is_far, math::copysign(far, x), near);
  }
};
/// exp(|x|) times `scaled`, which may be small enough for a result where the power alone has none.
template <class V>
STRATA_FORMULA V unscaled(V x, V scaled) {
  const V root = math::exp(math::abs(x) * V(0.5));
  return math::select(math::is_inf(x), math::copysign(V(math::kInf<double>), scaled), root * scaled * root);
}
struct BesselI0 : Long {
  STRATA_FORMULA auto run(auto x) { return math::in_double<BesselI0>(x); }
  template <class Goal, class V>
  STRATA_FORMULA V of(V x) {
    return unscaled(x, BesselI0e::of<Goal>(x));
  }
};
struct BesselI1 : Long {
  STRATA_FORMULA auto run(auto x) { return math::in_double<BesselI1>(x); }
  template <class Goal, class V>
  STRATA_FORMULA V of(V x) {
    return unscaled(x, BesselI1e::of<Goal>(x));
  }
};

/// y of a function of the second kind at x > 0; `at_zero` at 0, NaN below.
template <class V>
STRATA_FORMULA V right_of_zero(V x, V y, double at_zero) {
  const V beyond = math::select(x == V(0), V(at_zero), V(math::kNaN<double>));
  return math::select(x <= V(0), beyond, y);
}

/// K0(x), times exp(x) where `scaled`.
template <bool scaled>
struct BesselK0 : Long {
  STRATA_FORMULA auto run(auto x) { return math::in_double<BesselK0>(x); }
  template <class Goal, class V>
  STRATA_FORMULA V of(V x) {
    const V power = math::exp(scaled ? x : -x);
    V y = series::k0e_far<Goal>(V(4) / x - V(1)) / math::sqrt(x);
    if (!scaled) y = y * power;
    const auto is_near = x <= V(2);
    if (math::any(is_near)) {
      const V half = x * V(0.5), sum = series::k0_near<Goal>(math::mul_add(half, x, V(-1)));
      const V i0 = math::exp(x) * series::i0e_near<Goal>(math::mul_add(x, V(0.25), V(-1)));
      const V near = sum - math::log(half) * i0;
      y = math::select(is_near, scaled ? near * power : near, y);
    }
    return right_of_zero(x, y, math::kInf<double>);
  }
};
/// K1(x), times exp(x) where `scaled`.
template <bool scaled>
struct BesselK1 : Long {
  STRATA_FORMULA auto run(auto x) { return math::in_double<BesselK1>(x); }
  template <class Goal, class V>
  STRATA_FORMULA V of(V x) {
    const V power = math::exp(scaled ? x : -x);
    V y = series::k1e_far<Goal>(V(4) / x - V(1)) / math::sqrt(x);
    if (!scaled) y = y * power;
    const auto is_near = x <= V(2);
    if (math::any(is_near)) {
      const V half = x * V(0.5), sum = series::k1_near<Goal>(math::mul_add(half, x, V(-1)));
      const V i1 = math::exp(x) * x * series::i1e_near<Goal>(math::mul_add(x, V(0.25), V(-1)));
      const V near = math::mul_add(math::log(half), i1, sum / x);
      y = math::select(is_near, scaled ? near * power : near, y);
    }
    return right_of_zero(x, y, math::kInf<double>);
  }
};

/// J and Y of order 0 or 1 beyond 5, where they are waves: DLMF 10.17.3 and 10.17.4, the sine and cosine of x - pi / 4
/// made without the rounding of that difference.
template <int order, bool second, class V>
STRATA_FORMULA V bessel_wave(V x) {
  const V inverse = V(1) / x, t = math::mul_add(inverse * inverse, V(50), V(-1));
  const V s = math::sin(x), c = math::cos(x), sum = s + c, apart = s - c;
  const V p = order == 0 ? series::wave0_p<double>(t) : series::wave1_p<double>(t);
  const V q = inverse * (order == 0 ? series::wave0_q<double>(t) : series::wave1_q<double>(t));
  // The cosine and sine of the wave's own angle, times the root of 2.
  const V co = order == 0 ? sum : apart, si = order == 0 ? apart : -sum;
  const V y = (second ? p * si + q * co : p * co - q * si) / math::sqrt(x * V(kPi));
  return math::select(math::is_inf(x), V(0), y);
}

// All digits of the series count: those of floats next to a zero are the last ones of what is subtracted.
struct BesselJ0 : Long {
  STRATA_FORMULA auto run(auto x) { return math::in_double_or<BesselJ0, &special::bessel_j0>(x); }
  template <class Goal, class V>
  STRATA_FORMULA V of(V x) {
    const V size = math::abs(x), near = series::j0_near<double>(math::mul_add(size * size, V(0.08), V(-1)));
    const auto is_far = size > V(5);
    return math::any(is_far) ? math::select(is_far, bessel_wave<0, false>(size), near) : near;
  }
};
struct BesselJ1 : Long {
  STRATA_FORMULA auto run(auto x) { return math::in_double_or<BesselJ1, &special::bessel_j1>(x); }
  template <class Goal, class V>
  STRATA_FORMULA V of(V x) {
    const V size = math::abs(x), near = size * series::j1_near<double>(math::mul_add(size * size, V(0.08), V(-1)));
    const auto is_far = size > V(5);
    const V y = math::any(is_far) ? math::select(is_far, bessel_wave<1, false>(size), near) : near;
    return math::select(x < V(0), -y, y);
  }
};
struct BesselY0 : Long {
  STRATA_FORMULA auto run(auto x) { return math::in_double_or<BesselY0, &special::bessel_y0>(x); }
  template <class Goal, class V>
  STRATA_FORMULA V of(V x) {
    const V t = math::mul_add(x * x, V(0.08), V(-1)), log = math::log(x) * V(2 / kPi);
    const V near = math::mul_add(log, series::j0_near<double>(t), series::y0_near<double>(t));
    const auto is_far = x > V(5);
    const V y = math::any(is_far) ? math::select(is_far, bessel_wave<0, true>(x), near) : near;
    return right_of_zero(x, y, -math::kInf<double>);
  }
};
struct BesselY1 : Long {
  STRATA_FORMULA auto run(auto x) { return math::in_double_or<BesselY1, &special::bessel_y1>(x); }
  template <class Goal, class V>
  STRATA_FORMULA V of(V x) {
    const V t = math::mul_add(x * x, V(0.08), V(-1)), log = math::log(x) * V(2 / kPi);
    const V sum = math::mul_add(log, series::j1_near<double>(t), series::y1_near<double>(t));
    const V near = math::mul_add(sum, x, V(-2 / kPi) / x);
    const auto is_far = x > V(5);
    const V y = math::any(is_far) ? math::select(is_far, bessel_wave<1, true>(x), near) : near;
    return right_of_zero(x, y, -math::kInf<double>);
  }
};

/// 2/3 |x|^(3/2), of which both parts of an Airy function are made, and its place in the series beyond 2.
template <class V>
struct AiryPlace {
  V root, zeta, t;
};
template <class V>
STRATA_FORMULA AiryPlace<V> airy_place(V size) {
  constexpr double kZetaAtTwo = 1.8856180831641267317;
  const V root = math::sqrt(size), zeta = size * root * V(2.0 / 3);
  return {root, zeta, V(2 * kZetaAtTwo) / zeta - V(1)};
}
inline constexpr double kRootPi = 1.7724538509055160273;

/// Airy's function of the first kind; NaN at infinity, as in PyTorch. Where it oscillates, the sine and cosine of
/// zeta + pi / 4 are made without the rounding of that sum.
struct AiryAi : Long {
  STRATA_FORMULA auto run(auto x) { return math::in_double<AiryAi>(x); }
  template <class Goal, class V>
  STRATA_FORMULA V of(V x) {
    const V size = math::abs(x), middle = series::airy_middle<Goal>(x * V(0.5));
    const auto is_far = size > V(2);
    if (!math::any(is_far)) return middle;
    const AiryPlace<V> p = airy_place(size);
    V far = math::exp(-p.zeta) * series::airy_decaying<Goal>(p.t) * V(0.5);
    const auto is_negative = x < V(-2);
    if (math::any(is_negative)) {
      const V s = math::sin(p.zeta), c = math::cos(p.zeta);
      const V wave = series::airy_sine<double>(p.t) * (s + c) - series::airy_cosine<double>(p.t) * (c - s);
      far = math::select(is_negative, wave * V(1 / std::numbers::sqrt2), far);
    }
    const V y = math::select(is_far, far / (math::sqrt(p.root) * V(kRootPi)), middle);
    return math::select(math::is_inf(x), V(math::kNaN<double>), y);
  }
};
/// Its derivative.
struct AiryAiSlope : Long {
  STRATA_FORMULA auto run(auto x) { return math::in_double<AiryAiSlope>(x); }
  template <class Goal, class V>
  STRATA_FORMULA V of(V x) {
    const V size = math::abs(x), middle = series::airy_slope_middle<Goal>(x * V(0.5));
    const auto is_far = size > V(2);
    if (!math::any(is_far)) return middle;
    const AiryPlace<V> p = airy_place(size);
    V far = math::exp(-p.zeta) * series::airy_slope_decaying<Goal>(p.t) * V(0.5);
    const auto is_negative = x < V(-2);
    if (math::any(is_negative)) {
      const V s = math::sin(p.zeta), c = math::cos(p.zeta);
      const V wave = series::airy_slope_sine<double>(p.t) * (c - s) + series::airy_slope_cosine<double>(p.t) * (s + c);
      far = math::select(is_negative, wave * V(-1 / std::numbers::sqrt2), far);
    }
    const V y = math::select(is_far, far * math::sqrt(p.root) * V(1 / kRootPi), middle);
    return math::select(math::is_inf(x), V(math::kNaN<double>), y);
  }
};
