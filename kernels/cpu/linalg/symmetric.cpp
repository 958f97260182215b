// Symmetric eigenproblems: reduced to tridiagonal ones by reflections, which are solved by rotations or by LAPACK.
#include "kernels/cpu/linalg/symmetric.h"

#include <tuple>
#include <utility>

#include "kernels/cpu/linalg/reflections.h"
#include "kernels/cpu/linalg/scaling.h"
#include "kernels/cpu/linalg/vec_symmetric.h"

namespace strata::cpu::linalg {
namespace {

constexpr int64_t kPanel = 32;        // rows that are reduced before the rest of the matrix is brought up to date
constexpr int64_t kBand = 128;        // rows that are brought up to date together
constexpr int64_t kRotatedSide = 48;  // up to this side rotations are faster than LAPACK's division of the problem

/// out (1, n) = init - a (1, k) b (k, n), rows of b being `step` apart.
template <class T>
void subtract_rows(T* out, const T* init, const T* a, const T* b, int64_t step, int64_t k, int64_t n) {
  if (k == 0 && out != init) std::copy_n(init, n, out);
  if (k == 0) return;
  matmul::gemm<T>({.m = 1,
                   .n = n,
                   .k = k,
                   .a = {a, k, 1},
                   .b = {b, step, 1},
                   .init = {init, n, 1},
                   .out = {out, n, 1},
                   .alpha = -1});
}

/// out[i] is the product of row i of b (k, n) with x.
template <class T>
void dots(T* out, const T* x, const T* b, int64_t step, int64_t k, int64_t n) {
  if (k != 0)
    matmul::gemm<T>({.m = 1, .n = k, .k = n, .a = {x, n, 1}, .b = {b, 1, step}, .init = {}, .out = {out, k, 1}});
}
template <class T>
T dot(const T* x, const T* y, int64_t n) {
  T sum;
  dots(&sum, x, y, n, 1, n);
  return sum;
}

/// x (n) becomes u, which begins with 1, of the reflection that turns it into a multiple of the unit vector. Gives tau
/// and that multiple. What is too small to be squared counts as zero: the numbers it stands beside are near 1.
template <class T>
std::pair<T, T> reflection(T* x, int64_t n) {
  constexpr T kEpsilon = std::numeric_limits<T>::epsilon(),
              kLeast = std::numeric_limits<T>::min() / kEpsilon / kEpsilon;
  const T alpha = x[0], square = dot(x + 1, x + 1, n - 1);
  x[0] = 1;
  if (square < kLeast) {
    std::fill(x + 1, x + n, T(0));
    return {T(0), alpha};
  }
  const T beta = -std::copysign(std::sqrt(alpha * alpha + square), alpha), inverse = T(1) / (alpha - beta);
  for (int64_t i = 1; i < n; ++i) x[i] *= inverse;
  return {(beta - alpha) / beta, beta};
}

/// Reduces a symmetric matrix, whose rows are given from the diagonal on, to a tridiagonal one. As LAPACK's sytrd does,
/// kPanel reflections H = I - tau u u^T are found before they are applied to the rest, as A - sum of u w^T + w u^T.
template <class T>
class Reduction {
 public:
  Reduction(T* a, int64_t n) : a_(a), n_(n) {
    u_and_w_ = memory_[0].make(2 * kPanel, n).data;
    w_and_u_ = memory_[1].make(2 * kPanel, n).data;
  }
  /// The diagonal, what is beside it, and the reflections, whose u take the place of the rows beyond the diagonal.
  void run(T* diagonal, T* beside, T* tau) {
    for (int64_t first = 0; first < n_ - 1; first += kPanel) {
      const int64_t count = std::min(kPanel, n_ - 1 - first);
      for (int64_t k = 0; k < count; ++k) {
        const int64_t i = first + k;
        bring_up_to_date(i, k);
        diagonal[i] = a_[i * (n_ + 1)];
        std::tie(tau[i], beside[i]) = reflection(a_ + i * (n_ + 1) + 1, n_ - i - 1);
        add_reflection(i, k, tau[i]);
      }
      bring_up_to_date_from(first + count, count);
    }
    diagonal[n_ - 1] = a_[n_ * n_ - 1];
  }

 private:
  /// Row i, by the panel's k reflections so far.
  void bring_up_to_date(int64_t i, int64_t k) {
    T factors[2 * kPanel];
    for (int64_t r = 0; r < 2 * k; ++r) factors[r] = w_and_u_[r * n_ + i];
    T* const row = a_ + i * (n_ + 1);
    subtract_rows(row, row, factors, u_and_w_ + i, n_, 2 * k, n_ - i);
  }
  /// All rows from `first` on, by the panel's reflections.
  void bring_up_to_date_from(int64_t first, int64_t count) {
    for (int64_t i = first; i < n_; i += kBand) {
      const Matrix<T> rest{a_ + i * (n_ + 1), n_, 1};
      matmul::gemm<T>({.m = std::min(kBand, n_ - i),
                       .n = n_ - i,
                       .k = 2 * count,
                       .a = {u_and_w_ + i, 1, n_},
                       .b = {w_and_u_ + i, n_, 1},
                       .init = {rest.data, n_, 1},
                       .out = rest,
                       .alpha = -1});
    }
  }
  /// Number k of the panel, whose u is row i: with p = tau A u, w = p - tau / 2 (p u) u.
  void add_reflection(int64_t i, int64_t k, T tau) {
    const int64_t length = n_ - i - 1;
    const T* const u = a_ + i * (n_ + 1) + 1;
    T* const w = u_and_w_ + (2 * k + 1) * n_ + i + 1;
    T factors[2 * kPanel];
    vec_symmetric<T>().multiply(a_ + (i + 1) * (n_ + 1), n_, u, w, length);
    dots(factors, u, w_and_u_ + i + 1, n_, 2 * k, length);
    subtract_rows(w, w, factors, u_and_w_ + i + 1, n_, 2 * k, length);
    const T share = tau * tau / 2 * dot(static_cast<const T*>(w), u, length);
    for (int64_t j = 0; j < length; ++j) w[j] = tau * w[j] - share * u[j];
    std::copy_n(u, length, u_and_w_ + 2 * k * n_ + i + 1);
    std::copy_n(w, length, w_and_u_ + 2 * k * n_ + i + 1);
    std::copy_n(u, length, w_and_u_ + (2 * k + 1) * n_ + i + 1);
  }

  T* const a_;
  const int64_t n_;
  Scratch<T> memory_[2];
  T *u_and_w_, *w_and_u_;
};

/// Solves a tridiagonal problem by implicit QL steps with Wilkinson's shift (Martin and Wilkinson, The implicit QL
/// algorithm, 1968), which rotate the rows of z.
template <class T>
class Rotations {
 public:
  Rotations(T* diagonal, T* beside, T* z, int64_t n) : d_(diagonal), e_(beside), z_(z), n_(n) {}
  /// Leaves the values in order in the diagonal and their vectors in the rows of z. False if it does not converge.
  bool run() {
    constexpr int64_t kStepsPerRow = 30;  // as LAPACK's steqr allows, for all rows together
    int64_t steps = 0;
    e_[n_ - 1] = 0;
    for (int64_t low = 0; low < n_; ++low) {
      for (int64_t high; (high = end_of_block(low)) != low; step(low, high))
        if (++steps > kStepsPerRow * n_) return false;
    }
    sort();
    for (int64_t i = 0; i < n_; ++i) direct(z_ + i * n_);
    return true;
  }

 private:
  /// The first row from `low` on that is not coupled with the next.
  int64_t end_of_block(int64_t low) const {
    int64_t m = low;
    while (m < n_ - 1 && !(std::abs(e_[m]) <= kEpsilon * (std::abs(d_[m]) + std::abs(d_[m + 1])) + kLeast)) ++m;
    return m;
  }
  /// The length of (f, g), and the sine and cosine of its direction unless that is 0.
  static T rotation(T f, T g, T& sine, T& cosine) {
    constexpr bool kIsFloat = std::is_same_v<T, float>;
    constexpr T kSquareLeast = kIsFloat ? T(0x1p-80) : T(0x1p-918), kUp = kIsFloat ? T(0x1p+100) : T(0x1p+800);
    T square = f * f + g * g, down = 1;
    if (square < kSquareLeast) {  // squares that have lost digits
      f *= kUp, g *= kUp, down = T(1) / kUp;
      square = f * f + g * g;
      if (square == T(0)) return 0;
    }
    const T length = std::sqrt(square), inverse = T(1) / length;
    sine = f * inverse, cosine = g * inverse;
    return length * down;
  }
  /// One QL step on rows low to high.
  void step(int64_t low, int64_t high) {
    T cosines[kRotatedSide], sines[kRotatedSide];
    const T half = (d_[low + 1] - d_[low]) / (2 * e_[low]);
    T g = d_[high] - d_[low] + e_[low] / (half + std::copysign(std::sqrt(half * half + 1), half));
    T s = 1, c = 1, p = 0;
    int64_t i = high - 1;
    for (; i >= low; --i) {
      const T b = c * e_[i];
      e_[i + 1] = rotation(s * e_[i], g, s, c);
      if (e_[i + 1] == T(0)) break;
      sines[i] = s, cosines[i] = c;
      g = d_[i + 1] - p;
      const T t = (d_[i] - g) * s + 2 * c * b;
      p = s * t;
      d_[i + 1] = g + p;
      g = c * t - b;
    }
    // A rotation by nothing leaves row i + 1 split off; what is above it waits for the next step.
    d_[i + 1] -= p;
    if (i < low) e_[low] = g;
    e_[high] = 0;
    vec_symmetric<T>().rotate_rows(z_, n_, i + 1, high, cosines, sines, n_);
  }
  /// The signs of vectors depend on the number of steps, which rounding decides: the largest element is made positive.
  void direct(T* z) const {
    const auto by_size = [](T a, T b) { return std::abs(a) < std::abs(b); };
    if (*std::max_element(z, z + n_, by_size) > 0) return;
    for (int64_t j = 0; j < n_; ++j) z[j] = -z[j];
  }
  void sort() {
    for (int64_t i = 0; i + 1 < n_; ++i) {
      const int64_t least = std::min_element(d_ + i, d_ + n_) - d_;
      if (least == i) continue;
      std::swap(d_[i], d_[least]);
      std::swap_ranges(z_ + i * n_, z_ + (i + 1) * n_, z_ + least * n_);
    }
  }

  static constexpr T kEpsilon = std::numeric_limits<T>::epsilon() / 2;
  // Nothing beside a matrix of numbers near 1, and yet its square is a number of full precision.
  static constexpr T kLeast = std::is_same_v<T, float> ? T(0x1p-45) : T(0x1p-450);
  T *const d_, *const e_, *const z_;
  const int64_t n_;
};

}  // namespace

template <class T>
SymmetricEigen<T>::SymmetricEigen(int64_t n, bool upper) : n_(n), upper_(upper) {
  matrix_ = memory_[0].make(n, n);
  vectors_ = transposed(memory_[1].make(n, n));
  values_ = memory_[2].make(1, 3 * n).data;
  beside_ = values_ + n, tau_ = beside_ + n;
  if (n <= kRotatedSide) return;
  const blasint size = to_blas(n), unknown = -1;
  blasint info = 0;
  T wanted = 1;
  Lapack<T>::stedc("I", &size, values_, beside_, vectors_.data, &size, &wanted, &unknown, &integer_length_, &unknown,
                   &info, 1);
  accepted(info);
  work_length_ = work_size(wanted);
  work_ = memory_[3].make(1, work_length_).data;
  integer_work_ = integer_memory_.make(1, integer_length_).data;
}

template <class T>
bool SymmetricEigen<T>::solve_tridiagonal() {
  if (n_ <= kRotatedSide) {
    fill_elements(transposed(vectors_), n_, n_, T(0));
    for (int64_t i = 0; i < n_; ++i) vectors_.data[i * (n_ + 1)] = T(1);
    return Rotations<T>(values_, beside_, vectors_.data, n_).run();
  }
  const blasint size = to_blas(n_);
  blasint info = 0;
  Lapack<T>::stedc("I", &size, values_, beside_, vectors_.data, &size, work_, &work_length_, integer_work_,
                   &integer_length_, &info, 1);
  return accepted(info) == 0;
}

template <class T>
bool SymmetricEigen<T>::run(Matrix<T> a) {
  // The triangle that is read comes to lie above the diagonal.
  copy_elements(matrix_, upper_ ? a : transposed(a), n_, n_);
  T largest = 0;
  for (int64_t i = 0; i < n_; ++i) largest = largest_magnitude(matrix_.data + i * (n_ + 1), n_ - i, largest);
  if (!std::isfinite(largest)) return false;
  const T back = scale_to_one(matrix_.data, n_ * n_, largest);
  Reduction<T>(matrix_.data, n_).run(values_, beside_, tau_);
  if (!solve_tridiagonal()) return false;
  for (int64_t i = 0; i < n_; ++i) values_[i] *= back;
  // The reflections leave the first row alone.
  const Matrix<T> rest{vectors_.data + 1, vectors_.row, vectors_.col};
  apply<T>({{matrix_.data + 1, 1, n_}, tau_, n_ - 1, n_ - 1}, false, rest, n_);
  return true;
}

template class SymmetricEigen<float>;
template class SymmetricEigen<double>;

}  // namespace strata::cpu::linalg
