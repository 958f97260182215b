// Householder reflections in blocks: Q = I - V T V^T, where T^-1 is the upper triangle of V^T V with 1 / tau on its
// diagonal (Joffrain, Low, Quintana-Orti, van de Geijn and Van Zee, Accumulating Householder transformations,
// revisited, 2006).
#include "kernels/cpu/linalg/reflections.h"

namespace strata::cpu::linalg {
namespace {

constexpr int64_t kBlock = 64;          // reflections that are applied together
constexpr int64_t kStripColumns = 128;  // columns that one thread applies them to

/// Neighbouring reflections out of q, by which any number of matrices can be multiplied.
template <class T>
class Block {
 public:
  Block(const Reflections<T>& q, int64_t first, int64_t count) : m_(q.m - first), k_(count) {
    v_ = v_memory_.make(m_, k_);
    const Matrix<const T> from = moved(q.below, first, first);
    copy_elements(v_, Matrix<T>{const_cast<T*>(from.data), from.row, from.col}, m_, k_);
    for (int64_t i = 0; i < k_; ++i) {
      v_.data[i * k_ + i] = T(1);
      std::fill(v_.data + i * k_ + i + 1, v_.data + (i + 1) * k_, T(0));
    }
    gram_ = gram_memory_.make(k_, k_);
    matmul::gemm<T>(
        {.m = k_, .n = k_, .k = m_, .a = read_only(transposed(v_)), .b = read_only(v_), .init = {}, .out = gram_});
    for (int64_t i = 0; i < k_; ++i) gram_.data[i * k_ + i] = T(1) / q.tau[first + i];
  }
  /// c (m, n) becomes the product of the reflections, or its transpose, times c. Works on rows as c does.
  void apply(bool transpose, Matrix<T> c, int64_t n) const {
    constexpr int64_t kGrainWork = 1 << 18;
    parallel_for(0, (n + kStripColumns - 1) / kStripColumns,
                 std::max<int64_t>(1, kGrainWork / (m_ * k_ * kStripColumns)), [&](int64_t begin, int64_t end) {
                   const OneThread guard;
                   for (int64_t i = begin * kStripColumns; i < std::min(end * kStripColumns, n); i += kStripColumns)
                     apply_to_strip(transpose, moved(c, 0, i), std::min(kStripColumns, n - i));
                 });
  }

 private:
  void apply_to_strip(bool transpose, Matrix<T> c, int64_t n) const {
    Scratch<T> scratch;
    const bool by_rows = c.col == 1;
    Matrix<T> w = by_rows ? scratch.make(k_, n) : transposed(scratch.make(n, k_));
    matmul::gemm<T>(
        {.m = k_, .n = n, .k = m_, .a = read_only(transposed(v_)), .b = read_only(c), .init = {}, .out = w});
    const Triangle<T> inverse{gram_.data, to_blas(k_), true, false, false};
    if (by_rows)
      solve_with(inverse, true, transpose, w.data, k_, n, n);
    else
      solve_with(inverse, false, !transpose, w.data, n, k_, k_);
    matmul::gemm<T>(
        {.m = m_, .n = n, .k = k_, .a = read_only(v_), .b = read_only(w), .init = read_only(c), .out = c, .alpha = -1});
  }

  const int64_t m_, k_;
  Scratch<T> v_memory_, gram_memory_;
  Matrix<T> v_, gram_;
};

/// Calls f(first, count) for the blocks of k reflections, in order or backwards.
template <class F>
void for_blocks(int64_t k, bool backwards, F f) {
  const int64_t blocks = (k + kBlock - 1) / kBlock;
  for (int64_t i = 0; i < blocks; ++i) {
    const int64_t first = (backwards ? blocks - 1 - i : i) * kBlock;
    f(first, std::min(kBlock, k - first));
  }
}

/// QR of up to kBlock columns and no less rows: halves, down to what SIMD code factors.
template <class T>
void factor_columns(Matrix<T> a, int64_t m, int64_t n, T* tau) {
  if (n <= kQrColumns) {
    Scratch<T> scratch;
    const Matrix<T> panel = scratch.make(m, kQrColumns);
    for (int64_t i = 0; i < m; ++i)
      std::fill(std::copy_n(a.data + i * a.row, n, panel.data + i * kQrColumns), panel.data + (i + 1) * kQrColumns,
                T(0));
    vec_factor<T>().qr_panel(panel.data, m, n, tau);
    return copy_elements(a, panel, m, n);
  }
  const int64_t head = (n / 2 + kQrColumns - 1) / kQrColumns * kQrColumns;
  factor_columns(a, m, head, tau);
  Block<T>({read_only(a), tau, m, head}, 0, head).apply(true, moved(a, 0, head), n - head);
  factor_columns(moved(a, head, head), m - head, n - head, tau + head);
}

}  // namespace

template <class T>
void apply(const Reflections<T>& q, bool transpose, Matrix<T> c, int64_t n) {
  for_blocks(q.k, !transpose,
             [&](int64_t first, int64_t count) { Block<T>(q, first, count).apply(transpose, moved(c, first, 0), n); });
}

template <class T>
void form(const Reflections<T>& reflections, Matrix<T> q, int64_t n) {
  fill_elements(q, reflections.m, n, T(0));
  for (int64_t i = 0; i < std::min(reflections.m, n); ++i) q.data[i * (q.row + q.col)] = T(1);
  // The columns in front of a block's are still the identity's, zero where its reflections are not.
  for_blocks(reflections.k, true, [&](int64_t first, int64_t count) {
    Block<T>(reflections, first, count).apply(false, moved(q, first, first), n - first);
  });
}

template <class T>
void qr_in_place(Matrix<T> a, int64_t m, int64_t n, T* tau) {
  for_blocks(std::min(m, n), false, [&](int64_t first, int64_t count) {
    const Matrix<T> rest = moved(a, first, first);
    factor_columns(rest, m - first, count, tau + first);
    const int64_t right = n - first - count;
    if (right == 0) return;
    const Reflections<T> q{read_only(rest), tau + first, m - first, count};
    Block<T>(q, 0, count).apply(true, moved(rest, 0, count), right);
  });
}

template void apply(const Reflections<float>&, bool, Matrix<float>, int64_t);
template void apply(const Reflections<double>&, bool, Matrix<double>, int64_t);
template void form(const Reflections<float>&, Matrix<float>, int64_t);
template void form(const Reflections<double>&, Matrix<double>, int64_t);
template void qr_in_place(Matrix<float>, int64_t, int64_t, float*);
template void qr_in_place(Matrix<double>, int64_t, int64_t, double*);

}  // namespace strata::cpu::linalg
