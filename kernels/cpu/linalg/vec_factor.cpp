// Solving with small triangles and LU factors of panels, for each instruction set.
#include "kernels/cpu/linalg/vec_factor.h"

#include <cmath>
#include <limits>
#include <tuple>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/linalg/vec_factor.cpp"
#include <hwy/foreach_target.h>
// Read again for each instruction set, so it comes after foreach_target.h.
#include "kernels/cpu/common/vec_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::linalg::HWY_NAMESPACE {
using namespace cpu::HWY_NAMESPACE;
using matmul::Matrix;

constexpr int kTileRows = HWY_TARGET <= HWY_AVX3 ? 8 : 4;  // rows x 2 vectors of accumulators fit the register file
constexpr int kNarrow = 8;                                 // columns of a panel that are factored one by one

// --- triangles

/// Rows i to i + R of V vectors of columns from j, the last with `count` columns, where all rows above are solved.
template <int R, int V, class T>
HWY_INLINE void solve_tile(Matrix<const T> t, const T* inverses, Matrix<T> x, int64_t i, int64_t j, int64_t count) {
  const hn::ScalableTag<T> d;
  const auto load = [&](const T* row, auto v) __attribute__((always_inline)) {
    return load_row(row + v * lanes<T>(), 1, v == V - 1 ? count : lanes<T>());
  };
  const T* const a = t.data + i * t.row;
  T* const out = x.data + i * x.row + j;
  Vec<T> acc[R][V];
  unrolled<R * V>([&](auto at) __attribute__((always_inline)) {
    acc[at / V][at % V] = load(out + at / V * x.row, std::integral_constant<int, at % V>());
  });
  for (int64_t q = 0; q < i; ++q) {
    Vec<T> row[V];
    unrolled<V>([&](auto v) __attribute__((always_inline)) { row[v] = load(x.data + q * x.row + j, v); });
    unrolled<R>([&](auto r) __attribute__((always_inline)) {
      const auto factor = hn::Set(d, a[r * t.row + q * t.col]);
      unrolled<V>([&](auto v) __attribute__((always_inline)) { acc[r][v] = hn::NegMulAdd(factor, row[v], acc[r][v]); });
    });
  }
  unrolled<R>([&](auto r) __attribute__((always_inline)) {
    const auto inverse = hn::Set(d, inverses[i + r]);
    unrolled<V>([&](auto v) __attribute__((always_inline)) {
      acc[r][v] = hn::Mul(acc[r][v], inverse);
      store_row(acc[r][v], out + r * x.row + v * lanes<T>(), v == V - 1 ? count : lanes<T>());
    });
    unrolled<R - 1 - r>([&](auto below) __attribute__((always_inline)) {
      constexpr int s = r + 1 + below;
      const auto factor = hn::Set(d, a[s * t.row + (i + r) * t.col]);
      unrolled<V>([&](auto v)
                      __attribute__((always_inline)) { acc[s][v] = hn::NegMulAdd(factor, acc[r][v], acc[s][v]); });
    });
  });
}

/// All rows from i on of a strip of columns, R at a time, then R / 2, ...
template <int R, int V, class T>
HWY_INLINE void solve_strip(Matrix<const T> t, const T* inverses, Matrix<T> x, int64_t i, int64_t n, int64_t j,
                            int64_t count) {
  for (; i + R <= n; i += R) solve_tile<R, V>(t, inverses, x, i, j, count);
  if constexpr (R > 1) solve_strip<R / 2, V>(t, inverses, x, i, n, j, count);
}

template <class T>
void solve_lower(Matrix<const T> t, const T* inverses, Matrix<T> x, int64_t n, int64_t cols) {
  int64_t j = 0;
  for (; j + lanes<T>() < cols; j += 2 * lanes<T>())
    solve_strip<kTileRows, 2>(t, inverses, x, 0, n, j, cols - j - lanes<T>());
  if (j < cols) solve_strip<kTileRows, 1>(t, inverses, x, 0, n, j, cols - j);
}

// --- LU of panels

/// Which lanes of the vector at element i hold elements begin to end.
template <class T>
HWY_INLINE auto lanes_inside(int64_t i, int64_t begin, int64_t end) {
  const hn::ScalableTag<T> d;
  const auto before = hn::FirstN(d, static_cast<size_t>(std::max<int64_t>(0, begin - i)));
  return hn::AndNot(before, hn::FirstN(d, static_cast<size_t>(std::min(end - i, lanes<T>()))));
}

/// Calls f(i, lanes inside) for the vectors at multiples of their length that hold elements begin to end.
template <class T, class F>
HWY_INLINE void for_vectors(int64_t begin, int64_t end, F f) {
  for (int64_t i = begin / lanes<T>() * lanes<T>(); i < end; i += lanes<T>()) f(i, lanes_inside<T>(i, begin, end));
}

/// The first of the largest elements of a column by magnitude; `begin` if that one is NaN.
template <class T>
HWY_INLINE int64_t largest_of(const T* column, int64_t begin, int64_t end) {
  const hn::ScalableTag<T> d;
  auto most = hn::Zero(d);
  for_vectors<T>(
      begin, end, [&](int64_t i, auto inside) __attribute__((always_inline)) {
        most = hn::Max(most, hn::IfThenElseZero(inside, hn::Abs(hn::Load(d, column + i))));
      });
  const T size = hn::GetLane(hn::MaxOfLanes(d, most));
  if (!(size > std::abs(column[begin]))) return begin;
  for (int64_t i = begin / lanes<T>() * lanes<T>(); i < end; i += lanes<T>()) {
    const auto is_largest = hn::Eq(hn::Abs(hn::Load(d, column + i)), hn::Set(d, size));
    const auto at = hn::FindFirstTrue(d, hn::And(lanes_inside<T>(i, begin, end), is_largest));
    if (at >= 0) return i + at;
  }
  return begin;
}

template <class T>
struct Panel {
  T* data;
  int64_t step, rows, cols;
  T* column(int64_t j) const { return data + j * step; }
};

/// Divides column j below the diagonal by its pivot, and takes what it eliminates out of the columns up to `end`.
template <class T>
HWY_INLINE void eliminate_column(const Panel<T>& p, int64_t j, int64_t end) {
  const hn::ScalableTag<T> d;
  T* const l = p.column(j);
  const T pivot = l[j];
  const bool has_inverse = std::abs(pivot) >= std::numeric_limits<T>::min();
  const auto divisor = hn::Set(d, pivot), inverse = hn::Set(d, has_inverse ? T(1) / pivot : T(0));
  for_vectors<T>(
      j + 1, p.rows, [&](int64_t i, auto inside) __attribute__((always_inline)) {
        auto x = hn::Load(d, l + i);
        if (has_inverse)
          x = hn::Mul(x, inverse);
        else if (pivot != T(0))
          x = hn::Div(x, divisor);
        hn::BlendedStore(x, inside, d, l + i);
        for (int64_t c = j + 1; c < end; ++c) {
          T* const to = p.column(c);
          hn::BlendedStore(hn::NegMulAdd(x, hn::Set(d, to[j]), hn::Load(d, to + i)), inside, d, to + i);
        }
      });
}

/// Takes what kNarrow columns from `first` on eliminate out of all columns behind them.
template <class T>
HWY_INLINE void eliminate_columns(const Panel<T>& p, int64_t first) {
  const hn::ScalableTag<T> d;
  const int64_t end = first + kNarrow, last = std::min(end, p.rows);
  for (int64_t c = end; c < p.cols; ++c) {
    T* const x = p.column(c);
    for (int64_t j = first; j < last; ++j)
      for (int64_t i = j + 1; i < last; ++i) x[i] -= p.column(j)[i] * x[j];
  }
  for_vectors<T>(
      end, p.rows, [&](int64_t i, auto inside) __attribute__((always_inline)) {
        Vec<T> l[kNarrow];
        unrolled<kNarrow>([&](auto s) __attribute__((always_inline)) { l[s] = hn::Load(d, p.column(first + s) + i); });
        for (int64_t c = end; c < p.cols; ++c) {
          T* const to = p.column(c);
          auto x = hn::Load(d, to + i);
          unrolled<kNarrow>([&](auto s) __attribute__((always_inline)) {
            x = hn::NegMulAdd(l[s], hn::Set(d, to[first + s]), x);
          });
          hn::BlendedStore(x, inside, d, to + i);
        }
      });
}

template <class T>
int32_t factor_panel(T* columns, int64_t step, int64_t rows, int64_t cols, int32_t* pivots) {
  const Panel<T> p{columns, step, rows, cols};
  const int64_t k = std::min(rows, cols);
  int32_t zero = 0;
  for (int64_t first = 0; first < k; first += kNarrow) {
    const int64_t end = std::min(first + kNarrow, cols);
    for (int64_t j = first; j < std::min(end, k); ++j) {
      const int64_t row = largest_of(p.column(j), j, rows);
      pivots[j] = static_cast<int32_t>(row + 1);
      for (int64_t c = 0; row != j && c < cols; ++c) std::swap(p.column(c)[j], p.column(c)[row]);
      if (zero == 0 && p.column(j)[j] == T(0)) zero = static_cast<int32_t>(j + 1);
      eliminate_column(p, j, end);
    }
    if (end < cols) eliminate_columns(p, first);
  }
  return zero;
}

// --- QR of panels

template <class T>
constexpr int kQrVectors = static_cast<int>(kQrColumns / lanes<T>());

/// dots[c]: the product of columns j and c, of the rows below row j.
template <class T>
HWY_INLINE void dots_below(const T* a, int64_t rows, int64_t j, T* dots) {
  constexpr int V = kQrVectors<T>, kSums = 4;
  const hn::ScalableTag<T> d;
  Vec<T> sum[kSums][V];
  unrolled<kSums * V>([&](auto at) __attribute__((always_inline)) { sum[at / V][at % V] = hn::Zero(d); });
  const auto add = [&](const T* row, auto r) __attribute__((always_inline)) {
    const auto factor = hn::Set(d, row[j]);
    unrolled<V>([&](auto v) __attribute__((always_inline)) {
      sum[r][v] = hn::MulAdd(factor, hn::Load(d, row + v * lanes<T>()), sum[r][v]);
    });
  };
  int64_t i = j + 1;
  for (; i + kSums <= rows; i += kSums)
    unrolled<kSums>([&](auto r) __attribute__((always_inline)) { add(a + (i + r) * kQrColumns, r); });
  for (; i < rows; ++i) add(a + i * kQrColumns, std::integral_constant<int, 0>());
  unrolled<V>([&](auto v) __attribute__((always_inline)) {
    const auto all = hn::Add(hn::Add(sum[0][v], sum[1][v]), hn::Add(sum[2][v], sum[3][v]));
    hn::StoreU(all, d, dots + v * lanes<T>());
  });
}

template <class T>
HWY_INLINE bool is_zero_below(const T* a, int64_t rows, int64_t j) {
  for (int64_t i = j + 1; i < rows; ++i)
    if (a[i * kQrColumns + j] != T(0)) return false;
  return true;
}

/// Column j from row j on becomes u, which is 1 there, of the reflection that turns it into a multiple of the unit
/// vector, whatever the size of its numbers: as a multiple of a power of two that squares are safe with. Gives tau and
/// that multiple.
template <class T>
HWY_INLINE std::pair<T, T> reflection_of_any_size(T* a, int64_t rows, int64_t j) {
  T largest = 0, sum = 0;
  for (int64_t i = j; i < rows; ++i) largest = std::max(largest, std::abs(a[i * kQrColumns + j]));
  int exponent = 0;
  std::frexp(largest, &exponent);
  // In two steps, as the power of two itself may be too large to be a T.
  const T first = std::ldexp(T(1), -exponent / 2), second = std::ldexp(T(1), -exponent + exponent / 2);
  for (int64_t i = j; i < rows; ++i) a[i * kQrColumns + j] = a[i * kQrColumns + j] * first * second;
  for (int64_t i = j + 1; i < rows; ++i) sum += a[i * kQrColumns + j] * a[i * kQrColumns + j];
  const T alpha = a[j * kQrColumns + j], beta = -std::copysign(std::sqrt(alpha * alpha + sum), alpha);
  a[j * kQrColumns + j] = 1;
  for (int64_t i = j + 1; i < rows; ++i) a[i * kQrColumns + j] /= alpha - beta;
  return {(beta - alpha) / beta, beta / first / second};
}

/// Rows below row j lose what the reflection takes: column j times `factor` times w; column j is multiplied by `scale`.
template <class T>
HWY_INLINE void reflect_below(T* a, int64_t rows, int64_t j, const T* w, T factor, T scale) {
  constexpr int V = kQrVectors<T>;
  const hn::ScalableTag<T> d;
  for (int64_t i = j + 1; i < rows; ++i) {
    T* const row = a + i * kQrColumns;
    const auto x = hn::Set(d, row[j] * factor), scaled = hn::Set(d, row[j] * scale);
    unrolled<V>([&](auto v) __attribute__((always_inline)) {
      const auto is_j = hn::Eq(hn::Iota(d, static_cast<T>(v * lanes<T>())), hn::Set(d, static_cast<T>(j)));
      const auto rest = hn::NegMulAdd(x, hn::LoadU(d, w + v * lanes<T>()), hn::Load(d, row + v * lanes<T>()));
      hn::Store(hn::IfThenElse(is_j, scaled, rest), d, row + v * lanes<T>());
    });
  }
}

template <class T>
void qr_panel(T* a, int64_t rows, int64_t cols, T* tau) {
  constexpr T kLeast = T(0x1p-40), kMost = T(0x1p40);  // squares that leave room for products with other columns
  for (int64_t j = 0; j < cols; ++j) {
    T* const row = a + j * kQrColumns;
    T w[kQrColumns], scale = 1, beta = 0;
    dots_below(a, rows, j, w);
    const T alpha = row[j], square = alpha * alpha + w[j];
    if (w[j] >= kLeast && square <= kMost) {
      beta = -std::copysign(std::sqrt(square), alpha);
      tau[j] = (beta - alpha) / beta;
      scale = T(1) / (alpha - beta);
    } else if (is_zero_below(a, rows, j)) {
      tau[j] = 0;
      continue;
    } else {
      std::tie(tau[j], beta) = reflection_of_any_size(a, rows, j);
      dots_below(a, rows, j, w);
    }
    for (int64_t c = 0; c < kQrColumns; ++c) {
      w[c] = c > j ? row[c] + scale * w[c] : T(0);
      row[c] -= tau[j] * w[c];
    }
    row[j] = beta;
    reflect_below(a, rows, j, w, tau[j] * scale, scale);
  }
}

template <class T>
const VecFactor<T>* table() {
  static constexpr VecFactor<T> functions{
      .solve_lower = solve_lower<T>, .factor_panel = factor_panel<T>, .qr_panel = qr_panel<T>};
  return &functions;
}
const VecFactor<float>* factor_f32() { return table<float>(); }
const VecFactor<double>* factor_f64() { return table<double>(); }

}  // namespace strata::cpu::linalg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::linalg {
HWY_EXPORT(factor_f32);
HWY_EXPORT(factor_f64);

template <>
const VecFactor<float>& vec_factor<float>() {
  static const VecFactor<float>* functions = HWY_DYNAMIC_DISPATCH(factor_f32)();
  return *functions;
}
template <>
const VecFactor<double>& vec_factor<double>() {
  static const VecFactor<double>* functions = HWY_DYNAMIC_DISPATCH(factor_f64)();
  return *functions;
}
}  // namespace strata::cpu::linalg
#endif
