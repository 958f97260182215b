// The CPU kernel of least squares by LAPACK's gelsy. Of a tall real matrix it sees R alone, which has the same singular
// values: QR by products first is faster than exchanging long columns.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "dispatcher/kernel.h"
#include "kernels/cpu/linalg/factor.h"
#include "kernels/cpu/linalg/reflections.h"
#include "ops/lstsq_def.h"

namespace strata::cpu::linalg {
namespace {

/// gelsy for matrices (m, n) and k right sides, one after the other. Without a right side it would not tell the rank,
/// so there is always one.
template <class T>
class Gelsy {
 public:
  Gelsy(int64_t m, int64_t n, int64_t k, double rcond)
      : m_(to_blas(m)),
        n_(to_blas(n)),
        k_(std::max<blasint>(1, to_blas(k))),
        ld_(std::max(m_, n_)),
        rcond_(static_cast<RealOf<T>>(rcond)),
        matrix_(static_cast<size_t>(m * n)),
        sides_(static_cast<size_t>(ld_) * static_cast<size_t>(k_)),
        order_(static_cast<size_t>(n)),
        rwork_(static_cast<size_t>(2 * n)) {
    T wanted = T(1);
    call(&wanted, -1);
    work_.resize(static_cast<size_t>(work_size(wanted)));
  }
  /// A and B as LAPACK reads them, to be filled before `run`.
  Matrix<T> matrix() { return {matrix_.data(), 1, m_}; }
  Matrix<T> sides() { return {sides_.data(), 1, ld_}; }
  /// The rank; the solution is in `sides`.
  int64_t run() {
    std::fill(order_.begin(), order_.end(), 0);
    call(work_.data(), static_cast<blasint>(work_.size()));
    return rank_;
  }

 private:
  void call(T* work, blasint lwork) {
    blasint info = 0;
    if constexpr (kIsComplex<T>)
      Lapack<T>::gelsy(&m_, &n_, &k_, matrix_.data(), &m_, sides_.data(), &ld_, order_.data(), &rcond_, &rank_, work,
                       &lwork, rwork_.data(), &info);
    else
      Lapack<T>::gelsy(&m_, &n_, &k_, matrix_.data(), &m_, sides_.data(), &ld_, order_.data(), &rcond_, &rank_, work,
                       &lwork, &info);
    accepted(info);
  }

  const blasint m_, n_, k_, ld_;
  const RealOf<T> rcond_;
  blasint rank_ = 0;
  std::vector<T> matrix_, sides_, work_;
  std::vector<blasint> order_;
  std::vector<RealOf<T>> rwork_;
};

/// R and Q^T B of tall A = Q R into what `solver` reads.
template <class T>
void reduce(Matrix<T> a, Matrix<T> b, int64_t m, int64_t n, int64_t k, Gelsy<T>& solver) {
  Scratch<T> a_scratch, b_scratch, tau_scratch;
  const Matrix<T> factors = a_scratch.make(m, n), sides = b_scratch.make(m, k);
  T* const tau = tau_scratch.make(1, n).data;
  copy_elements(factors, a, m, n);
  copy_elements(sides, b, m, k);
  qr_in_place(factors, m, n, tau);
  apply(Reflections<T>{read_only(factors), tau, m, n}, true, sides, k);
  const Matrix<T> r = solver.matrix();
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) r.data[i + j * n] = j < i ? T(0) : factors.data[i * factors.row + j];
  copy_elements(solver.sides(), sides, n, k);
}

template <class T>
void least_squares(const Tensor& x, const Tensor& rank, const Tensor& a, const Tensor& b, double rcond) {
  const Stack<T> from(a, 2), right(b, 2), to(x, 2);
  const Stack<int64_t> ranks(rank, 0);
  const int64_t m = from.size(0), n = from.size(1), k = right.size(1);
  if (m == 0 || n == 0) {
    for (int64_t i = 0; i < from.count(); ++i) {
      *ranks.at(i) = 0;
      fill_elements(to.matrix(i), n, k, T(0));
    }
    return;
  }
  const bool is_tall = !kIsComplex<T> && m > n;
  const double work = 4 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(std::min(m, n) + k);
  for_matrices(from.count(), work, [&](int64_t begin, int64_t end) {
    Gelsy<T> solver(is_tall ? n : m, n, k, rcond);
    for (int64_t i = begin; i < end; ++i) {
      if (!all_finite(from.matrix(i), m, n)) {
        *ranks.at(i) = -1;
        fill_elements(to.matrix(i), n, k, T(std::numeric_limits<RealOf<T>>::quiet_NaN()));
        continue;
      }
      if constexpr (!kIsComplex<T>)
        if (is_tall) reduce(from.matrix(i), right.matrix(i), m, n, k, solver);
      if (!is_tall) {
        copy_elements(solver.matrix(), from.matrix(i), m, n);
        copy_elements(solver.sides(), right.matrix(i), m, k);
      }
      *ranks.at(i) = solver.run();
      copy_elements(to.matrix(i), solver.sides(), n, k);
    }
  });
}

void lstsq_cpu(Tensors& out, Args in, const LstsqParams& p) {
  visit_factored(in[0].dtype(), [&]<class T>() { least_squares<T>(out[0], out[1], in[0], in[1], p.rcond); });
}

STRATA_KERNEL(lstsq_op, CPU, lstsq_cpu);

}  // namespace
}  // namespace strata::cpu::linalg
