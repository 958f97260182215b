// CPU kernels of eigenvalues of matrices of any kind, and of packed reflections, by LAPACK.
#include "dispatcher/kernel.h"
#include "kernels/cpu/linalg/factor.h"
#include "kernels/cpu/linalg/vec_schur.h"
#include "ops/eigen_def.h"

namespace strata::cpu::linalg {
namespace {

template <class T>
using ComplexOf = Complex<RealOf<T>>;

/// LAPACK's geev for matrices of one size, one after the other.
template <class T>
class Geev {
 public:
  Geev(int64_t n, bool vectors)
      : n_(to_blas(n)),
        ld_(std::max<blasint>(1, n_)),
        job_(vectors ? "V" : "N"),
        matrix_(static_cast<size_t>(n * n)),
        found_(vectors ? matrix_.size() : 1),
        values_(static_cast<size_t>(2 * n)),
        rwork_(static_cast<size_t>(2 * n)) {
    T wanted = T(1);
    accepted(run(&wanted, -1));
    work_.resize(static_cast<size_t>(work_size(wanted)));
  }
  /// Did it converge?
  bool run(Matrix<T> a) {
    copy_elements(Matrix<T>{matrix_.data(), n_, 1}, transposed(a), n_, n_);
    if (!all_finite(Matrix<T>{matrix_.data(), n_, 1}, n_, n_)) return false;
    if constexpr (!kIsComplex<T>)
      if (n_ <= kMostBySteps && is_of_usual_size()) {
        if (run_by_steps()) return true;
        copy_elements(Matrix<T>{matrix_.data(), n_, 1}, transposed(a), n_, n_);  // LAPACK tries more before it gives up
      }
    return accepted(run(work_.data(), static_cast<blasint>(work_.size()))) == 0;
  }
  ComplexOf<T> value(int64_t i) const {
    const size_t at = static_cast<size_t>(i);
    if constexpr (kIsComplex<T>)
      return values_[at];
    else
      return {values_[at], values_[at + static_cast<size_t>(n_)]};
  }
  /// Element i of eigenvector j: of a real matrix two columns hold the parts of a pair of conjugates.
  ComplexOf<T> vector(int64_t i, int64_t j) const {
    const auto at = [&](int64_t column) { return found_[static_cast<size_t>(column * n_ + i)]; };
    if constexpr (kIsComplex<T>) {
      return at(j);
    } else {
      const T turn = value(j).imag();
      if (turn == 0) return {at(j), 0};
      // Of a pair of conjugates LAPACK gives the one of positive imaginary part first.
      return turn < 0 ? ComplexOf<T>(at(j - 1), -at(j)) : ComplexOf<T>(at(j), at(j + 1));
    }
  }

 private:
  blasint run(T* work, blasint lwork) {
    blasint info = 0;
    T none{};
    const blasint one = 1;
    if constexpr (kIsComplex<T>)
      Lapack<T>::geev("N", job_, &n_, matrix_.data(), &ld_, values_.data(), &none, &one, found_.data(), &ld_, work,
                      &lwork, rwork_.data(), &info, 1, 1);
    else
      Lapack<T>::geev("N", job_, &n_, matrix_.data(), &ld_, values_.data(), values_.data() + n_, &none, &one,
                      found_.data(), &ld_, work, &lwork, &info, 1, 1);
    return info;
  }

  /// The side up to which our QR iteration is faster than LAPACK's.
  static constexpr blasint kMostBySteps = 384;

  /// Does geev take it as it is, without bringing its elements to another range?
  bool is_of_usual_size() const {
    const T least = std::sqrt(std::numeric_limits<T>::min()) / std::numeric_limits<T>::epsilon();
    T most = 0;
    for (T x : matrix_) most = std::max(most, std::abs(x));
    return most == 0 || (most >= least && most <= 1 / least);
  }
  /// Numbers from row to row such that the elements of a column do not meet in the same places of the cache.
  int64_t row_step() const {
    constexpr int64_t kLine = 64 / sizeof(T);
    const int64_t lines = (n_ + kLine - 1) / kLine;
    return (lines | 1) * kLine;
  }
  /// What geev does, with a QR iteration of our own.
  bool run_by_steps() {
    blasint low = 0, high = 0, columns = 0, info = 0;
    const bool vectors = *job_ == 'V';
    const blasint lwork = static_cast<blasint>(work_.size());
    T* const work = work_.data();
    std::vector<T> scale(static_cast<size_t>(n_)), tau(scale.size());
    Lapack<T>::gebal("B", &n_, matrix_.data(), &ld_, &low, &high, scale.data(), &info, 1);
    Lapack<T>::gehrd(&n_, &low, &high, matrix_.data(), &ld_, tau.data(), work, &lwork, &info);
    if (vectors) {
      found_ = matrix_;
      Lapack<T>::orghr(&n_, &low, &high, found_.data(), &ld_, tau.data(), work, &lwork, &info);
    }
    const int64_t step = row_step();
    Scratch<T> scratch;
    T* const rows = scratch.make(n_, step).data;
    copy_transposed(rows, step, matrix_.data(), n_, n_, n_);
    for (int64_t i = 2; i < n_; ++i) std::fill_n(rows + i * step, i - 1, T(0));
    T* const values = values_.data();
    if (!vec_schur<T>().run(rows, step, n_, low - 1, high, vectors ? found_.data() : nullptr, values, values + n_))
      return false;
    if (!vectors) return true;
    copy_transposed(matrix_.data(), n_, rows, step, n_, n_);
    Lapack<T>::trevc3("R", "B", nullptr, &n_, matrix_.data(), &ld_, nullptr, &ld_, found_.data(), &ld_, &n_, &columns,
                      work, &lwork, &info, 1, 1);
    Lapack<T>::gebak("B", "R", &n_, &low, &high, scale.data(), &n_, found_.data(), &ld_, &info, 1, 1);
    for (int64_t j = 0; j < n_; j += is_pair(j) ? 2 : 1) normalize(j);
    return accepted(info) == 0;
  }
  bool is_pair(int64_t j) const { return values_[static_cast<size_t>(n_ + j)] != 0; }
  /// Eigenvector j gets length 1; one of a pair also the phase that makes its largest element real.
  void normalize(int64_t j) {
    T *const x = found_.data() + j * n_, *const y = is_pair(j) ? x + n_ : nullptr;
    T scale = 0;  // squares of what gebak has scaled back may be out of range
    for (int64_t i = 0; i < n_; ++i) scale = std::max({scale, std::abs(x[i]), y ? std::abs(y[i]) : T(0)});
    if (scale == 0) return;
    for (int64_t i = 0; i < n_; ++i) {
      x[i] /= scale;
      if (y) y[i] /= scale;
    }
    T square = 0, largest = -1;
    int64_t at = 0;
    for (int64_t i = 0; i < n_; ++i) {
      const T size = x[i] * x[i] + (y ? y[i] * y[i] : T(0));
      square += size;
      if (size > largest) largest = size, at = i;
    }
    const T length = std::sqrt(square);
    if (!y) {
      for (int64_t i = 0; i < n_; ++i) x[i] /= length;
      return;
    }
    const T size = std::hypot(x[at], y[at]), cosine = x[at] / size / length, sine = y[at] / size / length;
    for (int64_t i = 0; i < n_; ++i) {
      const T old = x[i];
      x[i] = cosine * old + sine * y[i];
      y[i] = cosine * y[i] - sine * old;
    }
    y[at] = 0;
  }

  const blasint n_, ld_;
  const char* const job_;
  std::vector<T> matrix_, found_, values_, work_;
  std::vector<RealOf<T>> rwork_;
};

/// `v` is undefined where the vectors are not wanted.
template <class T>
void eigen(const Tensor& w, const Tensor& v, const Tensor& a) {
  using C = ComplexOf<T>;
  const Stack<T> from(a, 2);
  const Stack<C> values(w, 1);
  const int64_t n = from.size(0);
  if (n == 0) return;
  const RealOf<T> nan = std::numeric_limits<RealOf<T>>::quiet_NaN();
  const double size = static_cast<double>(n);
  for_matrices(from.count(), 25 * size * size * size, [&](int64_t begin, int64_t end) {
    Geev<T> one(n, v.defined());
    for (int64_t i = begin; i < end; ++i) {
      const bool ok = one.run(from.matrix(i));
      for (int64_t j = 0; j < n; ++j) values.at(i)[j * values.stride(0)] = ok ? one.value(j) : C(nan, nan);
      if (!v.defined()) continue;
      const Matrix<C> to = Stack<C>(v, 2).matrix(i);
      for (int64_t r = 0; r < n; ++r)
        for (int64_t j = 0; j < n; ++j) to.data[r * to.row + j * to.col] = ok ? one.vector(r, j) : C(nan, nan);
    }
  });
}

void eig_cpu(Tensors& out, Args in, const NoParams&) {
  visit_factored(in[0].dtype(), [&]<class T>() { eigen<T>(out[0], out[1], in[0]); });
}
void eigvals_cpu(Tensors& out, Args in, const NoParams&) {
  visit_factored(in[0].dtype(), [&]<class T>() { eigen<T>(out[0], Tensor(), in[0]); });
}

template <class T>
void geqrf(const Tensor& packed, const Tensor& tau, const Tensor& a) {
  const Stack<T> from(a, 2), to(packed, 2), scales(tau, 1);
  const int64_t m = from.size(0), n = from.size(1), k = std::min(m, n);
  if (k == 0) return;
  const double work = static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  for_matrices(from.count(), work, [&](int64_t begin, int64_t end) {
    const blasint rows = to_blas(m), cols = to_blas(n), query = -1;
    std::vector<T> columns(static_cast<size_t>(m * n)), factors(static_cast<size_t>(k));
    blasint info = 0;
    T wanted = T(1);
    Lapack<T>::geqrf(&rows, &cols, columns.data(), &rows, factors.data(), &wanted, &query, &info);
    const blasint length = work_size(wanted);
    std::vector<T> space(static_cast<size_t>(length));
    const Matrix<T> transposed_copy{columns.data(), m, 1};
    for (int64_t i = begin; i < end; ++i) {
      copy_elements(transposed_copy, transposed(from.matrix(i)), n, m);
      Lapack<T>::geqrf(&rows, &cols, columns.data(), &rows, factors.data(), space.data(), &length, &info);
      accepted(info);
      copy_elements(to.matrix(i), transposed(transposed_copy), m, n);
      for (int64_t j = 0; j < k; ++j) scales.at(i)[j * scales.stride(0)] = factors[static_cast<size_t>(j)];
    }
  });
}

void geqrf_cpu(Tensors& out, Args in, const NoParams&) {
  visit_factored(in[0].dtype(), [&]<class T>() { geqrf<T>(out[0], out[1], in[0]); });
}

STRATA_KERNEL(eig_op, CPU, eig_cpu);
STRATA_KERNEL(eigvals_op, CPU, eigvals_cpu);
STRATA_KERNEL(geqrf_op, CPU, geqrf_cpu);

}  // namespace
}  // namespace strata::cpu::linalg
