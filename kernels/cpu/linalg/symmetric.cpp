// Symmetric eigenproblems: reduced to tridiagonal ones and solved by LAPACK, rotated back by the product engine.
#include "kernels/cpu/linalg/symmetric.h"

#include <bit>

#include "kernels/cpu/linalg/reflections.h"

namespace strata::cpu::linalg {
namespace {

/// The largest magnitude on and above the diagonal; inf or NaN if one there is. Compares the bits, which order
/// magnitudes, so that the compiler can do it by vectors.
template <class T>
T largest_above(Matrix<T> a, int64_t n) {
  using Bits = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
  Bits largest = 0;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = i; j < n; ++j)
      largest = std::max(largest, std::bit_cast<Bits>(a.data[i * a.row + j]) & std::numeric_limits<Bits>::max());
  return std::bit_cast<T>(largest);
}

}  // namespace

template <class T>
SymmetricEigen<T>::SymmetricEigen(int64_t n, bool upper) : n_(n), upper_(upper) {
  const blasint size = to_blas(n);
  matrix_ = memory_[0].make(n, n);
  vectors_ = transposed(memory_[1].make(n, n));
  values_ = memory_[2].make(1, 3 * n).data;
  beside_ = values_ + n, tau_ = beside_ + n;
  T wanted[2] = {1, 1};
  const blasint unknown = -1;
  blasint info = 0;
  Lapack<T>::sytrd("L", &size, matrix_.data, &size, values_, beside_, tau_, wanted, &unknown, &info, 1);
  Lapack<T>::stedc("I", &size, values_, beside_, vectors_.data, &size, wanted + 1, &unknown, &integer_length_, &unknown,
                   &info, 1);
  accepted(info);
  work_length_ = std::max(work_size(wanted[0]), work_size(wanted[1]));
  work_ = memory_[3].make(1, work_length_).data;
  integer_work_ = integer_memory_.make(1, integer_length_).data;
}

/// What the matrix is to be multiplied with so that squares of its elements neither overflow nor vanish; 0 if it is not
/// finite.
template <class T>
T SymmetricEigen<T>::scale() const {
  const T least = std::sqrt(std::numeric_limits<T>::min() / std::numeric_limits<T>::epsilon()), most = T(1) / least;
  const T largest = largest_above(matrix_, n_);
  if (!std::isfinite(largest)) return 0;
  if (largest > most) return most / largest;
  return largest > 0 && largest < least ? least / largest : T(1);
}

template <class T>
bool SymmetricEigen<T>::run(Matrix<T> a) {
  // LAPACK sees columns where rows are stored: what it takes for the lower triangle lies above the diagonal here.
  copy_elements(matrix_, upper_ ? a : transposed(a), n_, n_);
  const T by = scale();
  if (by == T(0)) return false;
  if (by != T(1))
    for (int64_t i = 0; i < n_ * n_; ++i) matrix_.data[i] *= by;
  const blasint size = to_blas(n_);
  blasint info = 0;
  Lapack<T>::sytrd("L", &size, matrix_.data, &size, values_, beside_, tau_, work_, &work_length_, &info, 1);
  Lapack<T>::stedc("I", &size, values_, beside_, vectors_.data, &size, work_, &work_length_, integer_work_,
                   &integer_length_, &info, 1);
  if (accepted(info) != 0) return false;
  for (int64_t i = 0; by != T(1) && i < n_; ++i) values_[i] /= by;
  // The reflections leave the first row alone.
  const Matrix<T> rest{vectors_.data + 1, vectors_.row, vectors_.col};
  apply<T>({{matrix_.data + 1, 1, n_}, tau_, n_ - 1, n_ - 1}, false, rest, n_);
  return true;
}

template class SymmetricEigen<float>;
template class SymmetricEigen<double>;

}  // namespace strata::cpu::linalg
