// Symmetric eigenproblems: reduced to tridiagonal ones by reflections, and what solves those turned back.
#include "kernels/cpu/linalg/symmetric.h"

#include <tuple>
#include <utility>

#include "kernels/cpu/linalg/reflections.h"
#include "kernels/cpu/linalg/scaling.h"
#include "kernels/cpu/linalg/tridiagonal.h"
#include "kernels/cpu/linalg/vec_symmetric.h"

namespace strata::cpu::linalg {
namespace {

constexpr int64_t kReductionPanel = 32;  // rows that are reduced before the rest of the matrix is brought up to date
constexpr int64_t kBand = 128;           // rows that are brought up to date together

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
/// kReductionPanel reflections H = I - tau u u^T are found before they are applied to the rest, as
/// A - sum of u w^T + w u^T.
template <class T>
class Reduction {
 public:
  Reduction(T* a, int64_t n) : a_(a), n_(n) {
    u_and_w_ = memory_[0].make(2 * kReductionPanel, n).data;
    w_and_u_ = memory_[1].make(2 * kReductionPanel, n).data;
  }
  /// The diagonal, what is beside it, and the reflections, whose u take the place of the rows beyond the diagonal.
  void run(T* diagonal, T* beside, T* tau) {
    for (int64_t first = 0; first < n_ - 1; first += kReductionPanel) {
      const int64_t count = std::min(kReductionPanel, n_ - 1 - first);
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
    T factors[2 * kReductionPanel];
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
    T factors[2 * kReductionPanel];
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

}  // namespace

template <class T>
SymmetricEigen<T>::SymmetricEigen(int64_t n, bool upper) : n_(n), upper_(upper) {
  matrix_ = memory_[0].make(n, n);
  vectors_ = transposed(memory_[1].make(n, n));
  values_ = memory_[2].make(1, 3 * n).data;
  beside_ = values_ + n, tau_ = beside_ + n;
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
  if (!solve_tridiagonal(values_, beside_, vectors_, n_)) return false;
  for (int64_t i = 0; i < n_; ++i) values_[i] *= back;
  // The reflections leave the first row alone.
  const Matrix<T> rest{vectors_.data + 1, vectors_.row, vectors_.col};
  apply<T>({{matrix_.data + 1, 1, n_}, tau_, n_ - 1, n_ - 1}, false, rest, n_);
  return true;
}

template class SymmetricEigen<float>;
template class SymmetricEigen<double>;

}  // namespace strata::cpu::linalg
