// CPU kernels of QR factors, eigenvalues of symmetric matrices and singular values.
#include <cmath>

#include "dispatcher/kernel.h"
#include "kernels/cpu/linalg/factor.h"
#include "kernels/cpu/linalg/reflections.h"
#include "kernels/cpu/linalg/svd.h"
#include "kernels/cpu/linalg/symmetric.h"
#include "ops/factor_def.h"

namespace strata::cpu::linalg {
namespace {

double work_of(int64_t m, int64_t n) {
  const double a = static_cast<double>(m), b = static_cast<double>(n);
  return 4 * a * b * std::min(a, b);
}

template <class T>
bool is_finite(T x) {
  if constexpr (kIsComplex<T>)
    return std::isfinite(x.real()) && std::isfinite(x.imag());
  else
    return std::isfinite(x);
}
template <class T>
bool is_finite(Matrix<T> m, int64_t rows, int64_t cols) {
  bool finite = true;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < cols; ++j) finite &= is_finite(m.data[i * m.row + j * m.col]);
  return finite;
}

template <class T>
constexpr T kNan = T(std::numeric_limits<RealOf<T>>::quiet_NaN());

/// QR of complex matrices (m, n) of one shape, one after the other, by LAPACK.
template <class T>
class Qr {
 public:
  Qr(int64_t m, int64_t n, int64_t k)
      : m_(m), n_(n), k_(k), ld_(std::max<blasint>(1, to_blas(m))), columns_(a_.make(std::max(n, k), m)) {
    tau_ = tau_memory_.make(1, std::min(m, n)).data;
    T wanted[2] = {1, 1};
    factor(wanted, -1);
    form_q(wanted + 1, -1);
    lwork_ = std::max(work_size(wanted[0]), work_size(wanted[1]));
    work_ = work_memory_.make(1, lwork_).data;
  }
  void run(Matrix<T> q, Matrix<T> r, Matrix<T> a) {
    copy_elements(columns_, transposed(a), n_, m_);
    factor(work_, lwork_);
    for (int64_t i = 0; i < k_; ++i)
      for (int64_t j = 0; j < n_; ++j) r.data[i * r.row + j * r.col] = i <= j ? columns_.data[j * m_ + i] : T(0);
    form_q(work_, lwork_);
    copy_elements(q, transposed(columns_), m_, k_);
  }

 private:
  void factor(T* work, blasint lwork) {
    const blasint m = to_blas(m_), n = to_blas(n_);
    blasint info = 0;
    Lapack<T>::geqrf(&m, &n, columns_.data, &ld_, tau_, work, &lwork, &info);
  }
  void form_q(T* work, blasint lwork) {
    const blasint m = to_blas(m_), k = to_blas(k_), reflections = to_blas(std::min(m_, n_));
    blasint info = 0;
    Lapack<T>::ungqr(&m, &k, &reflections, columns_.data, &ld_, tau_, work, &lwork, &info);
  }

  const int64_t m_, n_, k_;
  const blasint ld_;
  Scratch<T> a_, tau_memory_, work_memory_;
  const Matrix<T> columns_;
  T* tau_;
  T* work_;
  blasint lwork_;
};

/// The same of real ones, by the product engine.
template <class T>
class RealQr {
 public:
  RealQr(int64_t m, int64_t n, int64_t k) : m_(m), n_(n), k_(k) {
    work_ = memory_.make(m, n);
    tau_ = tau_memory_.make(1, std::min(m, n)).data;
  }
  void run(Matrix<T> q, Matrix<T> r, Matrix<T> a) {
    copy_elements(work_, a, m_, n_);
    qr_in_place(work_, m_, n_, tau_);
    copy_elements(r, work_, k_, n_);
    for (int64_t i = 0; i < k_; ++i)
      for (int64_t j = 0; j < std::min(i, n_); ++j) r.data[i * r.row + j * r.col] = T(0);
    form<T>({{work_.data, work_.row, 1}, tau_, m_, std::min(m_, n_)}, q, k_);
  }

 private:
  const int64_t m_, n_, k_;
  Scratch<T> memory_, tau_memory_;
  Matrix<T> work_;
  T* tau_;
};

template <class T>
void qr(const Tensor& q, const Tensor& r, const Tensor& a) {
  const Stack<T> from(a, 2), to_q(q, 2), to_r(r, 2);
  const int64_t m = from.size(0), n = from.size(1);
  for_matrices(from.count(), work_of(m, n), [&](int64_t begin, int64_t end) {
    std::conditional_t<kIsComplex<T>, Qr<T>, RealQr<T>> one(m, n, to_q.size(1));
    for (int64_t i = begin; i < end; ++i) one.run(to_q.matrix(i), to_r.matrix(i), from.matrix(i));
  });
}

/// Eigenvalues of Hermitian matrices (n, n), one after the other, and eigenvectors if `vectors`, by LAPACK.
template <class T>
class Eigh {
 public:
  Eigh(int64_t n, bool upper, bool vectors)
      : n_(to_blas(n)),
        ld_(std::max<blasint>(1, n_)),
        job_(vectors ? "V" : "N"),
        upper_(upper),
        uplo_(upper ? "L" : "U") {
    matrix_ = memory_.make(n, n);
    values_ = value_memory_.make(1, n).data;
    Space wanted;
    run(wanted);
    space_ = {work_size(wanted.first), work_size(wanted.first_real), std::max<blasint>(1, wanted.first_integer)};
    space_.work = work_memory_.make(1, space_.lwork).data;
    space_.rwork = rwork_memory_.make(1, space_.lrwork).data;
    space_.iwork = iwork_memory_.make(1, space_.liwork).data;
  }
  /// Did it converge? Results are in `values` and, as columns, in `vectors`.
  bool run(Matrix<T> a) {
    copy_triangle(a);
    return is_finite(matrix_, n_, n_) && run(space_) == 0;
  }
  const RealOf<T>* values() const { return values_; }
  Matrix<T> vectors() const { return transposed(matrix_); }

 private:
  /// What heevd works in; a length of -1 asks for the lengths, in the first elements.
  struct Space {
    blasint lwork = -1, lrwork = -1, liwork = -1;
    T* work = nullptr;
    RealOf<T>* rwork = nullptr;
    blasint* iwork = nullptr;
    T first = T(1);
    RealOf<T> first_real = 1;
    blasint first_integer = 1;
  };
  /// Both triangles are made of the one that is read, so that only that one has to be finite. LAPACK reads columns
  /// where rows are stored: the matrix it is to see lies here transposed, which is its conjugate.
  void copy_triangle(Matrix<T> a) {
    for (int64_t i = 0; i < n_; ++i) {
      for (int64_t j = 0; j <= i; ++j) {
        const T v = upper_ ? conjugate(a.data[j * a.row + i * a.col]) : a.data[i * a.row + j * a.col];
        matrix_.data[i * n_ + j] = conjugate(v);
        matrix_.data[j * n_ + i] = v;
      }
    }
  }
  blasint run(Space& s) {
    T* const work = s.work ? s.work : &s.first;
    blasint* const iwork = s.iwork ? s.iwork : &s.first_integer;
    blasint info = 0;
    if constexpr (kIsComplex<T>) {
      RealOf<T>* const rwork = s.rwork ? s.rwork : &s.first_real;
      Lapack<T>::heevd(job_, uplo_, &n_, matrix_.data, &ld_, values_, work, &s.lwork, rwork, &s.lrwork, iwork,
                       &s.liwork, &info, 1, 1);
    } else {
      Lapack<T>::heevd(job_, uplo_, &n_, matrix_.data, &ld_, values_, work, &s.lwork, iwork, &s.liwork, &info, 1, 1);
    }
    return accepted(info);
  }

  const blasint n_, ld_;
  const char* job_;
  const bool upper_;
  const char* uplo_;  // the triangle of what lies transposed
  Scratch<T> memory_, work_memory_;
  Scratch<RealOf<T>> value_memory_, rwork_memory_;
  Scratch<blasint> iwork_memory_;
  Matrix<T> matrix_;
  RealOf<T>* values_;
  Space space_;
};

template <class T>
void copy_values(const Stack<RealOf<T>>& to, int64_t index, const RealOf<T>* values, bool ok) {
  RealOf<T>* const line = to.at(index);
  for (int64_t j = 0; j < to.size(0); ++j) line[j * to.stride(0)] = ok ? values[j] : kNan<RealOf<T>>;
}

template <class T>
void eigh(const Tensor& w, const Tensor& v, const Tensor& a, bool upper) {
  const Stack<T> from(a, 2), vectors(v, 2);
  const Stack<RealOf<T>> values(w, 1);
  const int64_t n = from.size(0);
  if (n == 0) return;
  for_matrices(from.count(), 4 * work_of(n, n), [&](int64_t begin, int64_t end) {
    const auto run_all = [&](auto&& one) {
      for (int64_t i = begin; i < end; ++i) {
        const bool ok = one.run(from.matrix(i));
        copy_values<T>(values, i, one.values(), ok);
        if (ok)
          copy_elements(vectors.matrix(i), one.vectors(), n, n);
        else
          fill_elements(vectors.matrix(i), n, n, kNan<T>);
      }
    };
    if constexpr (kIsComplex<T>)
      run_all(Eigh<T>(n, upper, true));
    else
      run_all(SymmetricEigen<T>(n, upper));
  });
}

template <class T>
void eigvalsh(const Tensor& w, const Tensor& a, bool upper) {
  const Stack<T> from(a, 2);
  const Stack<RealOf<T>> values(w, 1);
  const int64_t n = from.size(0);
  if (n == 0) return;
  for_matrices(from.count(), 4 * work_of(n, n), [&](int64_t begin, int64_t end) {
    Eigh<T> one(n, upper, false);
    for (int64_t i = begin; i < end; ++i) {
      const bool ok = one.run(from.matrix(i));
      copy_values<T>(values, i, one.values(), ok);
    }
  });
}

/// Singular values of matrices (m, n), one after the other, with U (m, ucols) and Vh (vrows, n) if asked for. LAPACK
/// sees A^T = V S U^T, so what it writes by columns are the rows of Vh and U.
template <class T>
class Svd {
 public:
  Svd(int64_t m, int64_t n, const char* job, int64_t ucols, int64_t vrows)
      : m_(m), n_(n), ucols_(ucols), vrows_(vrows), job_(job) {
    a_ = memory_[0].make(m, n), u_ = memory_[1].make(m, ucols), vh_ = memory_[2].make(vrows, n);
    const int64_t k = std::min(m, n);
    s_ = value_memory_.make(1, k).data;
    iwork_ = iwork_memory_.make(8, k).data;
    if (kIsComplex<T>) rwork_ = rwork_memory_.make(1, real_work(k, std::max(m, n))).data;
    T wanted = T(1);
    run(&wanted, -1);
    lwork_ = work_size(wanted);
    work_ = memory_[3].make(1, lwork_).data;
  }
  /// Did it converge?
  bool run(Matrix<T> a) {
    copy_elements(a_, a, m_, n_);
    return is_finite(a_, m_, n_) && run(work_, lwork_) == 0;
  }
  const RealOf<T>* values() const { return s_; }
  const Matrix<T>& u() const { return u_; }
  const Matrix<T>& vh() const { return vh_; }

 private:
  /// The length that gesdd's documentation demands of its real work space, k being the smaller side.
  int64_t real_work(int64_t k, int64_t larger) const {
    if (*job_ == 'N') return 7 * k;
    return std::max(5 * k * k + 5 * k, 2 * larger * k + 2 * k * k + k);
  }
  blasint run(T* work, blasint lwork) {
    const blasint rows = to_blas(n_), cols = to_blas(m_), ldu = std::max<blasint>(1, rows),
                  ldv = std::max<blasint>(1, to_blas(ucols_));
    blasint info = 0;
    if constexpr (kIsComplex<T>)
      Lapack<T>::gesdd(job_, &rows, &cols, a_.data, &ldu, s_, vh_.data, &ldu, u_.data, &ldv, work, &lwork, rwork_,
                       iwork_, &info, 1);
    else
      Lapack<T>::gesdd(job_, &rows, &cols, a_.data, &ldu, s_, vh_.data, &ldu, u_.data, &ldv, work, &lwork, iwork_,
                       &info, 1);
    return accepted(info);
  }

  const int64_t m_, n_, ucols_, vrows_;
  const char* job_;
  Scratch<T> memory_[4];
  Scratch<RealOf<T>> value_memory_, rwork_memory_;
  Scratch<blasint> iwork_memory_;
  Matrix<T> a_, u_, vh_;
  RealOf<T>*s_, *rwork_ = nullptr;
  T* work_;
  blasint* iwork_;
  blasint lwork_;
};

template <class T>
void fill_identity(Matrix<T> m, int64_t n) {
  fill_elements(m, n, n, T(0));
  for (int64_t i = 0; i < n; ++i) m.data[i * (m.row + m.col)] = T(1);
}

template <class T>
void svd(const Tensor& u, const Tensor& s, const Tensor& vh, const Tensor& a, bool full) {
  const Stack<T> from(a, 2), to_u(u, 2), to_vh(vh, 2);
  const Stack<RealOf<T>> to_s(s, 1);
  const int64_t m = from.size(0), n = from.size(1), k = std::min(m, n), ucols = to_u.size(1), vrows = to_vh.size(0);
  for_matrices(from.count(), 4 * work_of(m, n), [&](int64_t begin, int64_t end) {
    if (k == 0) {
      for (int64_t i = begin; i < end; ++i) fill_identity(to_u.matrix(i), ucols), fill_identity(to_vh.matrix(i), vrows);
      return;
    }
    const auto run_all = [&](auto&& one) {
      for (int64_t i = begin; i < end; ++i) {
        const bool ok = one.run(from.matrix(i));
        copy_values<T>(to_s, i, one.values(), ok);
        if (ok) {
          copy_elements(to_u.matrix(i), one.u(), m, ucols);
          copy_elements(to_vh.matrix(i), one.vh(), vrows, n);
        } else {
          fill_elements(to_u.matrix(i), m, ucols, kNan<T>);
          fill_elements(to_vh.matrix(i), vrows, n, kNan<T>);
        }
      }
    };
    if constexpr (!kIsComplex<T>)
      if (SquareSvd<T>::takes(m, n)) return run_all(SquareSvd<T>(m, n, ucols, vrows));
    run_all(Svd<T>(m, n, full ? "A" : "S", ucols, vrows));
  });
}

template <class T>
void svdvals(const Tensor& s, const Tensor& a) {
  const Stack<T> from(a, 2);
  const Stack<RealOf<T>> to(s, 1);
  const int64_t m = from.size(0), n = from.size(1), k = std::min(m, n);
  if (k == 0) return;
  for_matrices(from.count(), work_of(m, n), [&](int64_t begin, int64_t end) {
    Svd<T> one(m, n, "N", 0, 0);
    for (int64_t i = begin; i < end; ++i) {
      const bool ok = one.run(from.matrix(i));
      copy_values<T>(to, i, one.values(), ok);
    }
  });
}

void qr_cpu(Tensors& out, Args in, const QrParams&) {
  visit_factored(in[0].dtype(), [&]<class T>() { qr<T>(out[0], out[1], in[0]); });
}
void eigh_cpu(Tensors& out, Args in, const EighParams& p) {
  visit_factored(in[0].dtype(), [&]<class T>() { eigh<T>(out[0], out[1], in[0], p.upper); });
}
void eigvalsh_cpu(Tensors& out, Args in, const EighParams& p) {
  visit_factored(in[0].dtype(), [&]<class T>() { eigvalsh<T>(out[0], in[0], p.upper); });
}
void svd_cpu(Tensors& out, Args in, const SvdParams& p) {
  visit_factored(in[0].dtype(), [&]<class T>() { svd<T>(out[0], out[1], out[2], in[0], p.full_matrices); });
}
void svdvals_cpu(Tensors& out, Args in, const NoParams&) {
  visit_factored(in[0].dtype(), [&]<class T>() { svdvals<T>(out[0], in[0]); });
}

STRATA_KERNEL(qr_op, CPU, qr_cpu);
STRATA_KERNEL(eigh_op, CPU, eigh_cpu);
STRATA_KERNEL(eigvalsh_op, CPU, eigvalsh_cpu);
STRATA_KERNEL(svd_op, CPU, svd_cpu);
STRATA_KERNEL(svdvals_op, CPU, svdvals_cpu);

}  // namespace
}  // namespace strata::cpu::linalg
