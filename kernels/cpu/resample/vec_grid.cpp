// Places in images for many points of a grid at once, and sums of the rows that stand there.
#include "kernels/cpu/resample/vec_grid.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/resample/vec_grid.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/common/vec_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::resample::HWY_NAMESPACE {
using namespace cpu::HWY_NAMESPACE;

/// Places are 64-bit integers, so vectors of points have as many lanes as those.
using PlaceTag = hn::ScalableTag<int64_t>;
using Places = hn::Vec<PlaceTag>;

HWY_INLINE Places to_places(hn::Vec<hn::ScalableTag<double>> whole) { return hn::ConvertTo(PlaceTag(), whole); }
HWY_INLINE Places to_places(hn::Vec<hn::Rebind<float, PlaceTag>> whole) {
  return hn::PromoteTo(PlaceTag(), hn::ConvertTo(hn::Rebind<int32_t, PlaceTag>(), whole));
}

/// Elements of one dim that count for the places of a vector; -1 with weight 0 for one that does not exist.
template <int kTaps, class D>
struct DimTaps {
  Places element[kTaps];
  hn::Vec<D> weight[kTaps];
};

/// One dim of the image and how a grid's numbers are places in it.
template <class D>
class Dim {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  static constexpr D d{};

 public:
  HWY_INLINE Dim(int64_t size, const GridParams& p)
      : size_(static_cast<T>(size)),
        last_(std::min(size_ - 1, std::nextafter(size_, T(0)))),
        padding_(p.padding),
        corners_(p.align_corners) {}

  /// 1, 2 and 4 taps are the nearest element, linear and cubic interpolation.
  template <int kTaps>
  HWY_INLINE DimTaps<kTaps, D> taps(V coordinate) const {
    const V one = hn::Set(d, T(1)), moved = hn::Add(coordinate, one);
    const V place = corners_ ? hn::Mul(moved, hn::Set(d, last_ / 2))
                             : hn::Mul(hn::Sub(hn::Mul(moved, hn::Set(d, size_)), one), hn::Set(d, T(0.5)));
    DimTaps<kTaps, D> taps;
    if constexpr (kTaps == 4) {
      const V first = hn::Floor(place), t = hn::Sub(place, first), two = hn::Set(d, T(2));
      set(taps.element[0], taps.weight[0], inside(hn::Sub(first, one)), far(hn::Add(t, one)));
      set(taps.element[1], taps.weight[1], inside(first), near(t));
      set(taps.element[2], taps.weight[2], inside(hn::Add(first, one)), near(hn::Sub(one, t)));
      set(taps.element[3], taps.weight[3], inside(hn::Add(first, two)), far(hn::Sub(two, t)));
    } else if constexpr (kTaps == 2) {
      const V p = inside(place), low = hn::Floor(p), high = hn::Add(low, one);
      set(taps.element[0], taps.weight[0], low, hn::Sub(high, p));
      set(taps.element[1], taps.weight[1], high, hn::Sub(p, low));
    } else {
      set(taps.element[0], taps.weight[0], hn::Round(inside(place)), one);
    }
    return taps;
  }

 private:
  /// `e` holds whole numbers, or NaN.
  HWY_INLINE void set(Places& element, V& weight, V e, V w) const {
    // Sides beyond what T counts are rounded, and no number of T lies between a side and what it is rounded to.
    const auto exists = hn::And(hn::Ge(e, hn::Zero(d)), hn::Lt(e, hn::Set(d, size_)));
    element = to_places(hn::IfThenElse(exists, e, hn::Set(d, T(-1))));
    weight = hn::IfThenElseZero(exists, w);
  }

  /// Keys' cubic convolution with -0.75, up to 1 and from there to 2 elements away.
  static HWY_INLINE V near(V x) {
    const V sum = hn::Sub(hn::Mul(hn::Set(d, kA + 2), x), hn::Set(d, kA + 3));
    return hn::Add(hn::Mul(hn::Mul(sum, x), x), hn::Set(d, T(1)));
  }
  static HWY_INLINE V far(V x) {
    const V sum = hn::Add(hn::Mul(hn::Sub(hn::Mul(hn::Set(d, kA), x), hn::Set(d, 5 * kA)), x), hn::Set(d, 8 * kA));
    return hn::Sub(hn::Mul(sum, x), hn::Set(d, 4 * kA));
  }

  /// Brought into the image by the padding's rule; NaN becomes 0 where it brings anything.
  HWY_INLINE V inside(V p) const {
    if (padding_ == GridPadding::Zeros) return p;
    if (padding_ == GridPadding::Reflection) p = reflect(p);
    return hn::IfThenElseZero(hn::Gt(p, hn::Zero(d)), hn::Min(p, hn::Set(d, last_)));
  }
  HWY_INLINE V reflect(V p) const {
    const T low = corners_ ? T(0) : T(-0.5), span = corners_ ? last_ : size_;
    if (span == 0) return hn::Zero(d);
    const V distance = hn::Abs(hn::Sub(p, hn::Set(d, low)));
    // Beyond so many turns their number is not exact enough to tell the rest by.
    const V quotient = hn::Div(distance, hn::Set(d, span)), whole = hn::Floor(quotient);
    V left = hn::NegMulAdd(whole, hn::Set(d, span), distance);
    if (HWY_UNLIKELY(!hn::AllFalse(d, hn::Gt(quotient, hn::Set(d, T(1 << 12)))))) {
      HWY_ALIGN T rest[hn::MaxLanes(D())];
      hn::Store(distance, d, rest);
      for (T& x : rest) x = std::fmod(x, span);
      left = hn::Load(d, rest);
    }
    const V half = hn::Mul(whole, hn::Set(d, T(0.5)));
    const auto is_turned = hn::Ne(hn::Floor(half), half);
    return hn::Add(hn::IfThenElse(is_turned, hn::Sub(hn::Set(d, span), left), left), hn::Set(d, low));
  }

  static constexpr T kA = static_cast<T>(-0.75);
  T size_, last_;
  GridPadding padding_;
  bool corners_;
};

/// The block's points with each coordinate on its own, z, y, x, and zeros up to a whole vector.
template <class T>
struct Coordinates {
  HWY_ALIGN T of_dim[3][kGridPoints];

  Coordinates(const T* grid, int64_t points, int64_t dims) {
    const int64_t end =
        std::min(kGridPoints, (points + HWY_MAX_BYTES / 8 - 1) / (HWY_MAX_BYTES / 8) * (HWY_MAX_BYTES / 8));
    for (int64_t k = 0; k < dims; ++k) {
      T* const to = of_dim[dims - 1 - k];
      for (int64_t i = 0; i < points; ++i) to[i] = grid[i * dims + k];
      std::fill(to + points, to + end, T(0));
    }
  }
};

/// What exists in a dim and in those further in: places count on over `size` elements of these.
HWY_INLINE Places join(Places outer, Places inner, Places size) {
  const PlaceTag di;
  const auto is_missing = hn::Lt(hn::Or(outer, inner), hn::Zero(di));
  return hn::IfThenElse(is_missing, hn::Set(di, -1), hn::Add(hn::Mul(outer, size), inner));
}

template <int kTaps, class T>
void find_taps(const GridParams& p, const T* grid, int64_t points, GridTaps<T>& taps) {
  const hn::Rebind<T, PlaceTag> d;
  using D = std::remove_const_t<decltype(d)>;
  const PlaceTag di;
  const auto dims = static_cast<int64_t>(p.image.size());
  const Coordinates<T> at(grid, points, dims);
  const Dim<D> z(p.image[0], p), y(p.image[dims - 2], p), x(p.image[dims - 1], p);
  const Places height = hn::Set(di, p.image[dims - 2]), width = hn::Set(di, p.image[dims - 1]);
  taps.count = dims == 2 ? kTaps * kTaps : kTaps * kTaps * kTaps;
  for (int64_t i = 0; i < points; i += static_cast<int64_t>(hn::Lanes(di))) {
    const auto load = [&](int64_t k) __attribute__((always_inline)) { return hn::LoadU(d, at.of_dim[k] + i); };
    const auto of_x = x.template taps<kTaps>(load(dims - 1)), of_y = y.template taps<kTaps>(load(dims - 2));
    int64_t* element = taps.element.data() + i;
    T* weight = taps.weight.data() + i;
    const auto put = [&](const Places& row, const hn::Vec<D>& of_row) __attribute__((always_inline)) {
      for (int k = 0; k < kTaps; ++k, element += kGridPoints, weight += kGridPoints) {
        hn::StoreU(join(row, of_x.element[k], width), di, element);
        hn::StoreU(hn::Mul(of_row, of_x.weight[k]), d, weight);
      }
    };
    if (dims == 2) {
      for (int k = 0; k < kTaps; ++k) put(of_y.element[k], of_y.weight[k]);
    } else if constexpr (kTaps < 4) {
      const auto of_z = z.template taps<kTaps>(load(0));
      for (int s = 0; s < kTaps; ++s)
        for (int k = 0; k < kTaps; ++k)
          put(join(of_z.element[s], of_y.element[k], height), hn::Mul(of_z.weight[s], of_y.weight[k]));
    }
  }
}

template <class T>
void find(const GridParams& p, const T* grid, int64_t points, GridTaps<T>& taps) {
  if (p.mode == GridInterpolation::Bicubic) return find_taps<4>(p, grid, points, taps);
  if (p.mode == GridInterpolation::Bilinear) return find_taps<2>(p, grid, points, taps);
  find_taps<1>(p, grid, points, taps);
}

/// Calls f(d, number of vectors, first column) for groups of whole vectors and, at the end, units of 16 bytes. `f` is
/// always_inline: GCC 12 takes some of such functions, left apart, for ones that store nothing, and leaves them out.
template <class T, class F>
HWY_INLINE void for_columns(int64_t step, F f) {
  const hn::ScalableTag<T> d;
  const hn::CappedTag<T, static_cast<size_t>(VecGrid<T>::kRowUnit)> unit;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d)), unit_lanes = static_cast<int64_t>(hn::Lanes(unit));
  int64_t c = 0;
  for (; c + 4 * lanes <= step; c += 4 * lanes) f(d, std::integral_constant<int, 4>(), c);
  if (c + 2 * lanes <= step) f(d, std::integral_constant<int, 2>(), c), c += 2 * lanes;
  if (c + lanes <= step) f(d, std::integral_constant<int, 1>(), c), c += lanes;
  for (; c < step; c += unit_lanes) f(unit, std::integral_constant<int, 1>(), c);
}

template <int kVectors, class D, class T>
HWY_INLINE void gather_columns(D d, const T* image, int64_t step, const GridTaps<T>& taps, int64_t points, T* rows) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t i = 0; i < points; ++i) {
    hn::Vec<D> sum[kVectors];
    const T* row = image + taps.element[i] * step;
    const auto first = hn::Set(d, taps.weight[i]);
    unrolled<kVectors>([&](auto v)
                           __attribute__((always_inline)) { sum[v] = hn::Mul(first, hn::LoadU(d, row + v * lanes)); });
    for (int64_t t = 1; t < taps.count; ++t) {
      row = image + taps.element[t * kGridPoints + i] * step;
      const auto w = hn::Set(d, taps.weight[t * kGridPoints + i]);
      unrolled<kVectors>([&](auto v) __attribute__((always_inline)) {
        sum[v] = hn::MulAdd(w, hn::LoadU(d, row + v * lanes), sum[v]);
      });
    }
    unrolled<kVectors>([&](auto v)
                           __attribute__((always_inline)) { hn::StoreU(sum[v], d, rows + i * step + v * lanes); });
  }
}

template <class T>
void gather(const T* image, int64_t step, const GridTaps<T>& taps, int64_t points, T* rows) {
  for_columns<T>(
      step, [&](auto d, auto vectors, int64_t c) __attribute__((always_inline)) {
        gather_columns<vectors()>(d, image + c, step, taps, points, rows + c);
      });
}

template <int kVectors, class D, class T>
HWY_INLINE void scatter_columns(D d, T* image, int64_t step, const GridTaps<T>& taps, int64_t points, const T* rows) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t i = 0; i < points; ++i) {
    hn::Vec<D> row[kVectors];
    unrolled<kVectors>([&](auto v)
                           __attribute__((always_inline)) { row[v] = hn::LoadU(d, rows + i * step + v * lanes); });
    for (int64_t t = 0; t < taps.count; ++t) {
      T* const to = image + taps.element[t * kGridPoints + i] * step;
      const auto w = hn::Set(d, taps.weight[t * kGridPoints + i]);
      unrolled<kVectors>([&](auto v) __attribute__((always_inline)) {
        hn::StoreU(hn::MulAdd(w, row[v], hn::LoadU(d, to + v * lanes)), d, to + v * lanes);
      });
    }
  }
}

template <class T>
void scatter(T* image, int64_t step, const GridTaps<T>& taps, int64_t points, const T* rows) {
  for_columns<T>(
      step, [&](auto d, auto vectors, int64_t c) __attribute__((always_inline)) {
        scatter_columns<vectors()>(d, image + c, step, taps, points, rows + c);
      });
}

template <class T>
const VecGrid<T>* table() {
  static constexpr VecGrid<T> functions{.find = find<T>, .gather = gather<T>, .scatter = scatter<T>};
  return &functions;
}
const VecGrid<float>* grid_f32() { return table<float>(); }
const VecGrid<double>* grid_f64() { return table<double>(); }

}  // namespace strata::cpu::resample::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::resample {
HWY_EXPORT(grid_f32);
HWY_EXPORT(grid_f64);

template <>
const VecGrid<float>& vec_grid<float>() {
  static const VecGrid<float>* functions = HWY_DYNAMIC_DISPATCH(grid_f32)();
  return *functions;
}
template <>
const VecGrid<double>& vec_grid<double>() {
  static const VecGrid<double>* functions = HWY_DYNAMIC_DISPATCH(grid_f64)();
  return *functions;
}
}  // namespace strata::cpu::resample
#endif
