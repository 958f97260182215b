// Singular values: reduced to bidiagonal matrices and solved by LAPACK, rotated back by the product engine.
#include "kernels/cpu/linalg/svd.h"

#include "kernels/cpu/linalg/reflections.h"
#include "kernels/cpu/linalg/scaling.h"

namespace strata::cpu::linalg {

// LAPACK sees the transpose of what is stored by rows: the (n, m) matrix A^T = V S U^T. Its left side is V here, whose
// columns are the rows of Vh, its right side U.

namespace {

/// The square corner of `x` is to be filled; the rest becomes the identity's.
template <class T>
void fill_around_corner(Matrix<T> x, int64_t rows, int64_t cols, int64_t corner) {
  fill_elements(x, rows, cols, T(0));
  for (int64_t i = corner; i < std::min(rows, cols); ++i) x.data[i * (x.row + x.col)] = T(1);
}

}  // namespace

template <class T>
SquareSvd<T>::SquareSvd(int64_t m, int64_t n, int64_t u_cols, int64_t vh_rows)
    : m_(m), n_(n), k_(std::min(m, n)), u_cols_(u_cols), vh_rows_(vh_rows) {
  a_ = memory_[0].make(m, n), u_ = memory_[1].make(m, u_cols), vh_ = memory_[2].make(vh_rows, n);
  values_ = memory_[3].make(4, k_).data;
  beside_ = values_ + k_, tau_left_ = beside_ + k_, tau_right_ = tau_left_ + k_;
  T wanted = 1;
  reduce(&wanted, -1);
  work_length_ = std::max(work_size(wanted), to_blas(3 * k_ * k_ + 4 * k_));  // as gebrd and bdsdc ask for
  work_ = memory_[4].make(1, work_length_).data;
  integer_work_ = integer_memory_.make(8, k_).data;
}

template <class T>
bool SquareSvd<T>::run(Matrix<T> a) {
  copy_elements(a_, a, m_, n_);
  const T largest = largest_magnitude(a_.data, m_ * n_);
  if (!std::isfinite(largest)) return false;
  const T back = scale_to_one(a_.data, m_ * n_, largest);
  reduce(work_, work_length_);
  if (!solve_bidiagonal()) return false;
  for (int64_t i = 0; i < k_; ++i) values_[i] *= back;
  rotate_back();
  return true;
}

template <class T>
void SquareSvd<T>::reduce(T* work, blasint length) {
  const blasint rows = to_blas(n_), cols = to_blas(m_);
  blasint info = 0;
  Lapack<T>::gebrd(&rows, &cols, a_.data, &rows, values_, beside_, tau_left_, tau_right_, work, &length, &info);
  accepted(info);
}

template <class T>
bool SquareSvd<T>::solve_bidiagonal() {
  const blasint k = to_blas(k_), left_step = to_blas(n_), right_step = to_blas(u_cols_);
  fill_around_corner(vh_, vh_rows_, n_, k_);
  fill_around_corner(u_, m_, u_cols_, k_);
  T no_factors;
  blasint no_integers, info = 0;
  Lapack<T>::bdsdc(n_ >= m_ ? "U" : "L", "I", &k, values_, beside_, vh_.data, &left_step, u_.data, &right_step,
                   &no_factors, &no_integers, work_, integer_work_, &info, 1, 1);
  return accepted(info) == 0;
}

/// Each of the two sides has reflections that leave its first row alone where the bidiagonal matrix has its second
/// diagonal: the right one of a matrix that LAPACK sees as tall or square, the left one of others.
template <class T>
void SquareSvd<T>::rotate_back() {
  const int64_t left_skip = n_ < m_ ? 1 : 0, right_skip = 1 - left_skip;
  const Matrix<T> v = transposed(vh_);
  apply<T>({{a_.data + left_skip, 1, n_}, tau_left_, n_ - left_skip, k_ - left_skip}, false,
           {v.data + left_skip * v.row, v.row, v.col}, vh_rows_);
  apply<T>({{a_.data + right_skip * n_, n_, 1}, tau_right_, m_ - right_skip, k_ - right_skip}, false,
           {u_.data + right_skip * u_.row, u_.row, u_.col}, u_cols_);
}

template class SquareSvd<float>;
template class SquareSvd<double>;

}  // namespace strata::cpu::linalg
