// Francis' QR iteration with double shifts, after LAPACK's lahqr (with Ahues and Tisseur's criterion, 1997): rows lie
// side by side, so that reflections from the left and those of the transformations run over vectors.
#include "kernels/cpu/linalg/vec_schur.h"

#include <algorithm>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/linalg/vec_schur.cpp"
#include <hwy/foreach_target.h>
// Read again for each instruction set, so it comes after foreach_target.h.
#include <hwy/highway.h>

#include "kernels/cpu/linalg/lapack.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::linalg::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// I - t (1, v2, v3) (1, v2, v3)^T, which takes a vector to a multiple of the first unit vector.
template <class T>
struct Reflection {
  T v2, v3, t;
};

/// `x` of `count` elements, 2 or 3, becomes that multiple.
template <class T>
HWY_INLINE Reflection<T> reflection(T* x, int64_t count) {
  const T third = count == 3 ? x[2] : T(0), rest = std::max(std::abs(x[1]), std::abs(third));
  if (rest == 0) return {0, 0, 0};
  const T scale = std::max(std::abs(x[0]), rest), a = x[0] / scale, b = x[1] / scale, c = third / scale;
  const T beta = -std::copysign(std::sqrt(a * a + b * b + c * c), a);
  x[0] = beta * scale;
  return {b / (a - beta), c / (a - beta), (beta - a) / beta};
}

/// Applies it to n triples (or pairs, where c is null) of elements of a, b and c.
template <bool kThree, class T>
HWY_INLINE void reflect(const Reflection<T>& r, T* a, T* b, T* c, int64_t n) {
  const T t2 = r.t * r.v2, t3 = r.t * r.v3;
  const auto run = [&](auto d, int64_t i) __attribute__((always_inline)) {
    const auto x = hn::LoadU(d, a + i), y = hn::LoadU(d, b + i);
    auto sum = hn::MulAdd(hn::Set(d, r.v2), y, x);
    if constexpr (kThree) {
      const auto z = hn::LoadU(d, c + i);
      sum = hn::MulAdd(hn::Set(d, r.v3), z, sum);
      hn::StoreU(hn::NegMulAdd(hn::Set(d, t3), sum, z), d, c + i);
    }
    hn::StoreU(hn::NegMulAdd(hn::Set(d, r.t), sum, x), d, a + i);
    hn::StoreU(hn::NegMulAdd(hn::Set(d, t2), sum, y), d, b + i);
  };
  const hn::ScalableTag<T> d;
  const hn::CappedTag<T, 4> few;
  const hn::CappedTag<T, 1> one;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d)), some = static_cast<int64_t>(hn::Lanes(few));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) run(d, i);
  for (; i + some <= n; i += some) run(few, i);
  for (; i < n; ++i) run(one, i);
}

/// The same for n rows of three (or two) neighbours, `step` apart.
template <bool kThree, class T>
HWY_INLINE void reflect_rows(const Reflection<T>& r, T* x, int64_t step, int64_t n) {
  const hn::CappedTag<T, 1> d;
  const auto v2 = hn::Set(d, r.v2), v3 = hn::Set(d, r.v3), t1 = hn::Set(d, r.t), t2 = hn::Set(d, r.t * r.v2),
             t3 = hn::Set(d, r.t * r.v3);
  for (int64_t i = 0; i < n; ++i, x += step) {
    const auto a = hn::LoadU(d, x), b = hn::LoadU(d, x + 1);
    auto sum = hn::MulAdd(v2, b, a);
    if constexpr (kThree) {
      const auto c = hn::LoadU(d, x + 2);
      sum = hn::MulAdd(v3, c, sum);
      hn::StoreU(hn::NegMulAdd(t3, sum, c), d, x + 2);
    }
    hn::StoreU(hn::NegMulAdd(t1, sum, a), d, x);
    hn::StoreU(hn::NegMulAdd(t2, sum, b), d, x + 1);
  }
}

template <class T>
class Schur {
 public:
  Schur(T* h, int64_t step, int64_t n, int64_t low, int64_t high, T* z, T* re, T* im)
      : h_(h), step_(step), n_(n), low_(low), high_(high), z_(z), re_(re), im_(im) {
    const T n_active = static_cast<T>(std::max<int64_t>(1, high - low));
    small_ = std::numeric_limits<T>::min() * (n_active / kUlp);
  }

  bool run() {
    for (int64_t i = 0; i < n_; ++i)
      if (i < low_ || i >= high_) re_[i] = at(i, i), im_[i] = 0;
    int64_t last = high_ - 1;
    while (last >= low_) {
      const int64_t first = isolate(last);
      if (first < 0) return false;
      if (first == last)
        re_[last] = at(last, last), im_[last] = 0;
      else
        standardize(last);
      last = first - 1;
    }
    return true;
  }

 private:
  static constexpr T kUlp = std::numeric_limits<T>::epsilon();
  T& at(int64_t i, int64_t j) const { return h_[i * step_ + j]; }
  T size(int64_t i, int64_t j) const { return std::abs(at(i, j)); }

  /// Iterates until a block of one or two splits off that ends at `last`; where it begins, or -1.
  int64_t isolate(int64_t last) {
    const int64_t most = 30 * std::max<int64_t>(10, high_ - low_);
    int64_t first = low_;
    for (int64_t turn = 1; turn <= most; ++turn) {
      first = split(first, last);
      if (first > low_) at(first, first - 1) = 0;
      if (first >= last - 1) return first;
      step(first, last, turn);
    }
    return -1;
  }

  /// The row whose element below the diagonal is negligible, or `first`.
  int64_t split(int64_t first, int64_t last) const {
    for (int64_t k = last; k > first; --k) {
      const T below = size(k, k - 1);
      if (below <= small_) return k;
      T sum = size(k - 1, k - 1) + size(k, k);
      if (sum == 0) {
        if (k - 2 >= low_) sum += size(k - 1, k - 2);
        if (k + 1 < high_) sum += size(k + 1, k);
      }
      if (below > kUlp * sum) continue;
      const T above = size(k - 1, k), ab = std::max(below, above), ba = std::min(below, above);
      const T own = size(k, k), apart = std::abs(at(k - 1, k - 1) - at(k, k));
      const T aa = std::max(own, apart), bb = std::min(own, apart), s = aa + ab;
      if (ba * (ab / s) <= std::max(small_, kUlp * (bb * (aa / s)))) return k;
    }
    return first;
  }

  struct Shifts {
    T re1, im1, re2, im2;
  };
  /// The eigenvalues of the last block of two, or other numbers where that has not helped for long.
  Shifts shifts(int64_t first, int64_t last, int64_t turn) const {
    T h11 = at(last - 1, last - 1), h21 = at(last, last - 1), h12 = at(last - 1, last), h22 = at(last, last);
    if (turn % 10 == 0) {
      const bool at_end = turn % 20 == 0;
      const T s = at_end ? size(last, last - 1) + size(last - 1, last - 2)
                         : size(first + 1, first) + size(first + 2, first + 1);
      h11 = h22 = T(0.75) * s + (at_end ? at(last, last) : at(first, first));
      h12 = T(-0.4375) * s, h21 = s;
    }
    const T s = std::abs(h11) + std::abs(h12) + std::abs(h21) + std::abs(h22);
    if (s == 0) return {0, 0, 0, 0};
    h11 /= s, h21 /= s, h12 /= s, h22 /= s;
    const T mean = (h11 + h22) / 2, det = (h11 - mean) * (h22 - mean) - h12 * h21, root = std::sqrt(std::abs(det));
    if (det >= 0) return {mean * s, root * s, mean * s, -root * s};
    const T one = mean + root, other = mean - root;
    const T nearer = std::abs(one - h22) <= std::abs(other - h22) ? one * s : other * s;
    return {nearer, 0, nearer, 0};
  }

  /// One double step on rows `first` to `last`, begun further down where two neighbours below the diagonal are small.
  void step(int64_t first, int64_t last, int64_t turn) {
    const Shifts e = shifts(first, last, turn);
    T v[3];
    int64_t start = last - 2;
    for (;; --start) {
      const int64_t m = start;
      const T s = std::abs(at(m, m) - e.re2) + std::abs(e.im2) + size(m + 1, m), below = at(m + 1, m) / s;
      v[0] = below * at(m, m + 1) + (at(m, m) - e.re1) * ((at(m, m) - e.re2) / s) - e.im1 * (e.im2 / s);
      v[1] = below * (at(m, m) + at(m + 1, m + 1) - e.re1 - e.re2);
      v[2] = below * at(m + 2, m + 1);
      const T sum = std::abs(v[0]) + std::abs(v[1]) + std::abs(v[2]);
      for (T& x : v) x /= sum;
      if (m == first) break;
      const T around = size(m - 1, m - 1) + size(m, m) + size(m + 1, m + 1);
      if (size(m, m - 1) * (std::abs(v[1]) + std::abs(v[2])) <= kUlp * std::abs(v[0]) * around) break;
    }
    chase(first, last, start, v);
  }

  /// Moves the bulge that the reflection of v makes at `start` down and out.
  void chase(int64_t first, int64_t last, int64_t start, T* v) {
    const int64_t top = z_ ? 0 : first, right = z_ ? n_ : last + 1;
    for (int64_t k = start; k < last; ++k) {
      const int64_t count = std::min<int64_t>(3, last - k + 1);
      if (k > start)
        for (int64_t i = 0; i < count; ++i) v[i] = at(k + i, k - 1);
      const Reflection<T> r = reflection(v, count);
      if (k > start) {
        at(k, k - 1) = v[0];
        for (int64_t i = 1; i < count; ++i) at(k + i, k - 1) = 0;
      } else if (start > first) {
        at(k, k - 1) *= 1 - r.t;  // not -, which would be wrong where v2 and v3 are negligible
      }
      const int64_t bottom = std::min(k + 3, last) + 1;
      T* const row = &at(k, k);
      T* const column = &at(top, k);
      if (count == 3) {
        reflect<true>(r, row, row + step_, row + 2 * step_, right - k);
        reflect_rows<true>(r, column, step_, bottom - top);
        if (z_) reflect<true>(r, z_ + k * n_, z_ + (k + 1) * n_, z_ + (k + 2) * n_, n_);
      } else {
        reflect<false>(r, row, row + step_, static_cast<T*>(nullptr), right - k);
        reflect_rows<false>(r, column, step_, bottom - top);
        if (z_) reflect<false>(r, z_ + k * n_, z_ + (k + 1) * n_, static_cast<T*>(nullptr), n_);
      }
    }
  }

  /// The block of two that ends at `last` becomes triangular, or of equal diagonal elements where its eigenvalues are
  /// conjugates.
  void standardize(int64_t last) {
    const int64_t k = last - 1;
    T cosine, sine;
    Lapack<T>::lanv2(&at(k, k), &at(k, last), &at(last, k), &at(last, last), &re_[k], &im_[k], &re_[last], &im_[last],
                     &cosine, &sine);
    if (!z_) return;
    const auto rotate = [&](T* x, T* y, int64_t step, int64_t n) {
      for (int64_t i = 0; i < n; ++i, x += step, y += step) {
        const T old = *x;
        *x = cosine * old + sine * *y;
        *y = cosine * *y - sine * old;
      }
    };
    rotate(&at(k, last) + 1, &at(last, last) + 1, 1, n_ - last - 1);
    rotate(&at(0, k), &at(0, last), step_, k);
    rotate(z_ + k * n_, z_ + last * n_, 1, n_);
  }

  T* const h_;
  const int64_t step_, n_, low_, high_;
  T *const z_, *const re_, *const im_;
  T small_;
};

template <class T>
bool run(T* h, int64_t step, int64_t n, int64_t low, int64_t high, T* z, T* re, T* im) {
  return Schur<T>(h, step, n, low, high, z, re, im).run();
}

template <class T>
const VecSchur<T>* table() {
  static constexpr VecSchur<T> functions{.run = run<T>};
  return &functions;
}
const VecSchur<float>* schur_f32() { return table<float>(); }
const VecSchur<double>* schur_f64() { return table<double>(); }

}  // namespace strata::cpu::linalg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::linalg {
HWY_EXPORT(schur_f32);
HWY_EXPORT(schur_f64);

template <>
const VecSchur<float>& vec_schur<float>() {
  static const VecSchur<float>* functions = HWY_DYNAMIC_DISPATCH(schur_f32)();
  return *functions;
}
template <>
const VecSchur<double>& vec_schur<double>() {
  static const VecSchur<double>* functions = HWY_DYNAMIC_DISPATCH(schur_f64)();
  return *functions;
}
}  // namespace strata::cpu::linalg
#endif
