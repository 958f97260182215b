// Symmetric tridiagonal eigenproblems: small ones by rotations; large ones are divided into halves, which are solved
// apart from each other and merged (Cuppen, A divide and conquer method for the symmetric tridiagonal eigenproblem,
// 1981).
#include "kernels/cpu/linalg/tridiagonal.h"

#include <atomic>
#include <numeric>

#include "kernels/cpu/linalg/scaling.h"
#include "kernels/cpu/linalg/vec_symmetric.h"

namespace strata::cpu::linalg {
namespace {

constexpr int64_t kRotatedSide = 48;   // up to this side rotations are faster than dividing
constexpr int64_t kLeafSide = 64;      // up to this side LAPACK solves a part of what was divided
constexpr int64_t kStripVectors = 64;  // eigenvectors that one thread takes at a time

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

/// In several sums, so that the compiler can do it by vectors.
template <class T>
T sum_of_squares(const T* x, int64_t n) {
  constexpr int64_t kSums = 16;
  T sums[kSums] = {};
  int64_t i = 0;
  for (; i + kSums <= n; i += kSums)
    for (int64_t j = 0; j < kSums; ++j) sums[j] += x[i + j] * x[i + j];
  for (; i < n; ++i) sums[i % kSums] += x[i] * x[i];
  return std::accumulate(sums, sums + kSums, T(0));
}

/// The eigenproblem of two solved halves beside each other plus rho v v^T, v being the last row of the first half's
/// vectors and then the first row of the second's. As LAPACK's laed1 does, but on all threads: vectors that are good as
/// they are (deflated) are put last; the values of the others are the roots of the secular equation.
template <class T>
class Merge {
 public:
  /// The halves are the first `cut` and the other rows and columns of z (n, n), and of the diagonal; `order` (n) sorts
  /// the values of each half, counted from 1 within it.
  Merge(T* diagonal, Matrix<T> z, blasint* order, int64_t cut, int64_t n)
      : values_(diagonal), z_(z), order_(order), cut_(cut), n_(n) {
    poles_ = number_memory_.make(3, n).data;
    weights_ = poles_ + n, joint_ = weights_ + n;
    vectors_ = vector_memory_.make(n, n).data;
    group_ = integer_memory_.make(4, n).data;
  }
  /// Leaves the values with `order` sorting all of them, and the vectors that belong to them in the columns of z.
  bool run(T rho) {
    deflate(rho);
    if (kept_ != 0) {
      gaps_ = transposed(gap_memory_.make(kept_, kept_));
      if (!solve_secular(rho)) return false;
      if (kept_ > 2) weigh();
      multiply();
    }
    std::iota(order_, order_ + n_, 1);
    std::stable_sort(order_, order_ + n_, [&](blasint a, blasint b) { return values_[a - 1] < values_[b - 1]; });
    return true;
  }

 private:
  /// Separates what is good as it is. The rest is left in four groups of columns: of the first half, of both, of the
  /// second half, deflated.
  void deflate(T& rho) {
    for (int64_t j = 0; j < cut_; ++j) joint_[j] = z_.data[cut_ - 1 + j * z_.col];
    for (int64_t j = cut_; j < n_; ++j) joint_[j] = z_.data[cut_ + j * z_.col];
    const blasint n = to_blas(n_), cut = to_blas(cut_), step = to_blas(z_.col);
    blasint kept = 0, info = 0;
    blasint *const index = group_ + n_, *const by_pole = index + n_, *const type = by_pole + n_;
    Lapack<T>::laed2(&kept, &n, &cut, values_, z_.data, &step, order_, &rho, joint_, poles_, weights_, vectors_, index,
                     group_, by_pole, type, &info);
    accepted(info);
    kept_ = kept;
    if (kept == 0) return;
    in_first_ = type[0] + type[1], in_second_ = type[1] + type[2], only_first_ = type[0];
  }
  /// Every root by itself, with its distances from the poles, which are more exact than differences would be.
  bool solve_secular(T rho) {
    std::atomic<bool> converged = true;
    for_strips([&](int64_t begin, int64_t end) {
      const blasint kept = to_blas(kept_);
      for (int64_t j = begin; j < end; ++j) {
        const blasint number = to_blas(j + 1);
        blasint info = 0;
        Lapack<T>::laed4(&kept, &number, poles_, weights_, gaps_.data + j * kept_, &rho, values_ + j, &info);
        if (accepted(info) != 0) converged = false;
      }
    });
    return converged;
  }
  /// The weights of which the roots found are the exact ones, so that the vectors come out orthogonal (Gu and
  /// Eisenstat, A stable and efficient algorithm for the rank-one modification of the symmetric eigenproblem, 1994).
  void weigh() {
    for_strips([&](int64_t begin, int64_t end) {
      T exact[kStripVectors];
      for (int64_t i = begin; i < end; ++i) exact[i - begin] = gaps_.data[i * (kept_ + 1)];
      for (int64_t j = 0; j < kept_; ++j) {
        const T* const gap = gaps_.data + j * kept_;
        for (int64_t i = begin; i < std::min(end, j); ++i) exact[i - begin] *= gap[i] / (poles_[i] - poles_[j]);
        for (int64_t i = std::max(begin, j + 1); i < end; ++i) exact[i - begin] *= gap[i] / (poles_[i] - poles_[j]);
      }
      for (int64_t i = begin; i < end; ++i) weights_[i] = std::copysign(std::sqrt(-exact[i - begin]), weights_[i]);
    });
  }
  /// The halves' vectors times those of the secular equation.
  void multiply() {
    for_strips([&](int64_t begin, int64_t end) {
      Scratch<T> scratch;
      const Matrix<T> secular = transposed(scratch.make(end - begin, kept_));
      for (int64_t j = begin; j < end; ++j) secular_vector(secular.data + (j - begin) * kept_, j);
      const auto product = [&](const T* half, int64_t rows, int64_t count, int64_t skip, T* out) {
        matmul::gemm<T>({.m = rows,
                         .n = end - begin,
                         .k = count,
                         .a = {half, 1, rows},
                         .b = {secular.data + skip, 1, kept_},
                         .init = {},
                         .out = {out + begin * z_.col, 1, z_.col}});
      };
      product(vectors_, cut_, in_first_, 0, z_.data);
      product(vectors_ + cut_ * in_first_, n_ - cut_, in_second_, only_first_, z_.data + cut_);
    });
  }
  /// Vector j of the secular equation in the order of the groups. Of one or two poles, the gaps are the vectors.
  void secular_vector(T* out, int64_t j) const {
    T* const gap = gaps_.data + j * kept_;
    if (kept_ > 2) {
      for (int64_t i = 0; i < kept_; ++i) gap[i] = weights_[i] / gap[i];
      const T inverse = T(1) / std::sqrt(sum_of_squares(gap, kept_));
      for (int64_t i = 0; i < kept_; ++i) gap[i] *= inverse;
    }
    for (int64_t i = 0; i < kept_; ++i) out[i] = gap[group_[i] - 1];
  }
  /// Calls f(begin, end) for the strips of the vectors that are kept.
  template <class F>
  void for_strips(F f) const {
    parallel_for(0, (kept_ + kStripVectors - 1) / kStripVectors, 1, [&](int64_t first, int64_t last) {
      const OneThread guard;
      for (int64_t s = first; s < last; ++s) f(s * kStripVectors, std::min((s + 1) * kStripVectors, kept_));
    });
  }

  T* const values_;
  const Matrix<T> z_;
  blasint* const order_;
  const int64_t cut_, n_;
  Scratch<T> number_memory_, vector_memory_, gap_memory_;
  Scratch<blasint> integer_memory_;
  T *poles_, *weights_, *joint_, *vectors_;
  blasint* group_;
  Matrix<T> gaps_;
  int64_t kept_ = 0, in_first_ = 0, in_second_ = 0, only_first_ = 0;
};

template <class T>
bool solve_leaf(T* diagonal, T* beside, Matrix<T> z, int64_t n) {
  Scratch<T> scratch;
  Scratch<blasint> integer_scratch;
  // As stedc asks for where it gives vectors.
  const blasint size = to_blas(n), step = to_blas(z.col), length = to_blas(1 + 4 * n + n * n),
                integer_length = to_blas(3 + 5 * n);
  blasint info = 0;
  Lapack<T>::stedc("I", &size, diagonal, beside, z.data, &step, scratch.make(1, length).data, &length,
                   integer_scratch.make(1, integer_length).data, &integer_length, &info, 1);
  return accepted(info) == 0;
}

/// The values and the columns of z in the order of the indices, which count from 1.
template <class T>
void put_in_order(T* values, Matrix<T> z, const blasint* order, int64_t n) {
  Scratch<T> value_memory, vector_memory;
  T* const old_values = value_memory.make(1, n).data;
  const Matrix<T> old = vector_memory.make(n, n);
  std::copy_n(values, n, old_values);
  copy_elements(old, transposed(z), n, n);
  for (int64_t j = 0; j < n; ++j) {
    values[j] = old_values[order[j] - 1];
    std::copy_n(old.data + (order[j] - 1) * n, n, z.data + j * z.col);
  }
}

/// Halves of halves down to leaves, which are merged level by level. Where the matrix is cut depends on n alone.
template <class T>
bool divide_and_conquer(T* diagonal, T* beside, Matrix<T> z, int64_t n) {
  int64_t parts = 1;
  while (n > kLeafSide * parts) parts *= 2;
  const auto bound = [n](int64_t part, int64_t of) { return part * n / of; };
  // What couples two parts is rho v v^T with v = (1, sign of rho), which goes off the diagonal.
  for (int64_t p = 1; p < parts; ++p) {
    const int64_t i = bound(p, parts);
    diagonal[i - 1] -= std::abs(beside[i - 1]);
    diagonal[i] -= std::abs(beside[i - 1]);
  }
  Scratch<blasint> order_memory;
  blasint* const order = order_memory.make(1, n).data;
  fill_elements(transposed(z), n, n, T(0));
  std::atomic<bool> converged = true;
  const auto for_parts = [&](int64_t count, auto f) {
    parallel_for(0, count, 1, [&](int64_t first, int64_t last) {
      const OneThread guard;
      for (int64_t p = first; p < last && converged; ++p)
        if (!f(p, bound(p, count), bound(p + 1, count))) converged = false;
    });
  };
  const auto corner = [&](int64_t i) { return moved(z, i, i); };
  for_parts(parts, [&](int64_t, int64_t begin, int64_t end) {
    std::iota(order + begin, order + end, 1);
    return solve_leaf(diagonal + begin, beside + begin, corner(begin), end - begin);
  });
  for (int64_t pairs = parts / 2; pairs > 0 && converged; pairs /= 2)
    for_parts(pairs, [&](int64_t p, int64_t begin, int64_t end) {
      const int64_t cut = bound(2 * p + 1, 2 * pairs);
      return Merge<T>(diagonal + begin, corner(begin), order + begin, cut - begin, end - begin).run(beside[cut - 1]);
    });
  if (converged) put_in_order(diagonal, z, order, n);
  return converged;
}

}  // namespace

template <class T>
bool solve_tridiagonal(T* diagonal, T* beside, Matrix<T> z, int64_t n) {
  if (n <= kRotatedSide) {
    fill_elements(transposed(z), n, n, T(0));
    for (int64_t i = 0; i < n; ++i) z.data[i * (n + 1)] = T(1);
    return Rotations<T>(diagonal, beside, z.data, n).run();
  }
  // What is small beside 1 is taken for nothing.
  const T largest = largest_magnitude(beside, n - 1, largest_magnitude(diagonal, n));
  const T back = scale_to_one(diagonal, n, largest);
  scale_to_one(beside, n - 1, largest);
  if (!divide_and_conquer(diagonal, beside, z, n)) return false;
  for (int64_t i = 0; i < n; ++i) diagonal[i] *= back;
  return true;
}

template bool solve_tridiagonal(float*, float*, Matrix<float>, int64_t);
template bool solve_tridiagonal(double*, double*, Matrix<double>, int64_t);

}  // namespace strata::cpu::linalg
