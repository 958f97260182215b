// The kernels that a slim build has in place of libraries, against plain loops in double.
#include <algorithm>
#include <complex>
#include <random>
#include <vector>

#include "kernels/cpu/conv/conv_own.h"
#include "kernels/cpu/linalg/own_lapack.h"
#include "kernels/cpu/matmul/gemm_library.h"
#include "test/catch.h"

using namespace strata;
using namespace strata::cpu;
using matmul::Gemm;
using matmul::Matrix;

namespace {

std::mt19937& random() {
  static std::mt19937 engine(7);
  return engine;
}

template <class T>
T drawn() {
  std::uniform_real_distribution<double> of(-1, 1);
  if constexpr (kIsComplex<T>) {
    const auto re = of(random());
    return T(static_cast<decltype(T().real())>(re), static_cast<decltype(T().real())>(of(random())));
  } else {
    return static_cast<T>(of(random()));
  }
}
template <class T>
std::vector<T> drawn_all(int64_t n) {
  std::vector<T> all(static_cast<size_t>(n));
  for (T& x : all) x = drawn<T>();
  return all;
}

using Wide = std::complex<double>;
template <class T>
Wide wide(T x) {
  if constexpr (kIsComplex<T>)
    return {static_cast<double>(x.real()), static_cast<double>(x.imag())};
  else
    return {static_cast<double>(x), 0};
}

/// How the elements of a matrix lie in memory.
enum class Lie { kRows, kColumns, kApart };
template <class T>
Matrix<T> laid(std::vector<T>& memory, Lie lie, int64_t rows, int64_t cols) {
  memory = drawn_all<std::remove_const_t<T>>(6 * rows * cols + 6);
  if (lie == Lie::kRows) return {memory.data(), cols + 3, 1};
  if (lie == Lie::kColumns) return {memory.data(), 1, rows + 1};
  return {memory.data(), 2, 2 * rows + 1};
}
template <class T>
Matrix<const T> read(Matrix<T> x) {
  return {x.data, x.row, x.col};
}

template <class T>
void check_product(int64_t m, int64_t n, int64_t k, Lie lie_a, Lie lie_b, bool adds) {
  CAPTURE(m, n, k, adds);
  std::vector<T> a_memory, b_memory, init_memory, out_memory;
  const Matrix<T> a = laid(a_memory, lie_a, m, k), b = laid(b_memory, lie_b, k, n);
  const Matrix<T> init = laid(init_memory, lie_b, m, n), out = laid(out_memory, Lie::kRows, m, n);
  Gemm<T> p{m, n, k, read(a), read(b), adds ? read(init) : Matrix<const T>{}, out};
  if (adds) p.alpha = T(-2), p.beta = T(3);
  const std::vector<T> before = out_memory;
  matmul::own_product(p);
  const double tolerance = sizeof(T) / (kIsComplex<T> ? 2 : 1) == 4 ? 2e-6 : 1e-14;
  double worst = 0;
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      Wide sum = 0;
      for (int64_t q = 0; q < k; ++q) sum += wide(*moved(a, i, q).data) * wide(*moved(b, q, j).data);
      if (adds) sum = -2.0 * sum + 3.0 * wide(*moved(init, i, j).data);
      worst = std::max(worst, std::abs(sum - wide(*moved(out, i, j).data)));
    }
    // Nothing beside the rows is written.
    for (int64_t j = n; j < out.row && i * out.row + j < static_cast<int64_t>(before.size()); ++j)
      REQUIRE(wide(out.data[i * out.row + j]) == wide(before[static_cast<size_t>(i * out.row + j)]));
  }
  CHECK(worst < tolerance * static_cast<double>(k + 4));
}

template <class T>
void check_products() {
  const int64_t shapes[][3] = {{1, 1, 1},    {1, 70, 9},   {3, 600, 40},  {40, 2, 300},
                               {6, 16, 256}, {7, 17, 257}, {250, 33, 20}, {61, 90, 513}};
  const Lie lies[] = {Lie::kRows, Lie::kColumns, Lie::kApart};
  for (const auto& [m, n, k] : shapes)
    for (const Lie a : lies)
      for (const Lie b : lies) check_product<T>(m, n, k, a, b, a != b);
}

/// y, or the gradient of x or w, by the definition: f(y place, x place, w place) for each product of the sum.
template <class F>
void for_terms(const conv::ConvShape& s, F f) {
  const int64_t ic = s.ic / s.groups, oc = s.oc / s.groups;
  for (int64_t n = 0; n < s.n; ++n)
    for (int64_t o = 0; o < s.oc; ++o)
      for (int64_t c = 0; c < ic; ++c)
        for (int64_t at = 0; at < s.y_channel(); ++at)
          for (int64_t tap = 0; tap < s.taps(); ++tap) {
            const int64_t d = at / s.ow / s.oh * s.sd + tap / s.kw / s.kh * s.dd - s.pd;
            const int64_t h = at / s.ow % s.oh * s.sh + tap / s.kw % s.kh * s.dh - s.ph;
            const int64_t w = at % s.ow * s.sw + tap % s.kw * s.dw - s.pw;
            if (d < 0 || d >= s.id || h < 0 || h >= s.ih || w < 0 || w >= s.iw) continue;
            f((n * s.oc + o) * s.y_channel() + at,
              ((n * s.ic + o / oc * ic + c) * s.id + d) * s.ih * s.iw + h * s.iw + w, (o * ic + c) * s.taps() + tap);
          }
}

void check_close(const std::vector<float>& got, const std::vector<double>& wanted) {
  double worst = 0, largest = 1;
  for (size_t i = 0; i < got.size(); ++i) {
    worst = std::max(worst, std::abs(static_cast<double>(got[i]) - wanted[i]));
    largest = std::max(largest, std::abs(wanted[i]));
  }
  CHECK(worst < 3e-6 * largest);
}

void check_conv(const conv::ConvShape& s) {
  CAPTURE(s.n, s.groups, s.ic, s.oc, s.ih, s.iw, s.kh, s.kw, s.sh, s.sw, s.ph, s.pw, s.dh, s.dw);
  const auto x = drawn_all<float>(s.n * s.x_image()), w = drawn_all<float>(s.w_size()), bias = drawn_all<float>(s.oc),
             gy = drawn_all<float>(s.n * s.y_image());
  std::vector<double> y(gy.size()), gx(x.size()), gw(w.size());
  for (size_t i = 0; i < y.size(); ++i) y[i] = bias[i / static_cast<size_t>(s.y_channel()) % bias.size()];
  for_terms(s, [&](size_t at_y, size_t at_x, size_t at_w) {
    y[at_y] += static_cast<double>(x[at_x]) * w[at_w];
    gx[at_x] += static_cast<double>(gy[at_y]) * w[at_w];
    gw[at_w] += static_cast<double>(gy[at_y]) * x[at_x];
  });
  std::vector<float> got_y(y.size(), NAN), got_gx(gx.size(), NAN), got_gw(gw.size(), NAN);
  conv::own_forward(s, x.data(), w.data(), bias.data(), got_y.data());
  conv::own_backward_input(s, gy.data(), w.data(), got_gx.data());
  conv::own_backward_weight(s, gy.data(), x.data(), got_gw.data());
  check_close(got_y, y);
  check_close(got_gx, gx);
  check_close(got_gw, gw);
}

/// A matrix (n, n) that Cholesky's factors exist of, stored by rows.
template <class T>
std::vector<T> positive(int64_t n) {
  const auto half = drawn_all<T>(n * n);
  std::vector<T> all(half.size());
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) {
      T sum = i == j ? T(static_cast<float>(n)) : T(0);
      for (int64_t q = 0; q < n; ++q)
        sum = sum + half[static_cast<size_t>(i * n + q)] * linalg::conjugate(half[static_cast<size_t>(j * n + q)]);
      all[static_cast<size_t>(i * n + j)] = sum;
    }
  return all;
}

template <class T>
void check_factors() {
  constexpr int n = 9;
  const std::vector<T> a = positive<T>(n);
  for (const char* uplo : {"U", "L"}) {
    std::vector<T> l = a;
    int info = -1;
    linalg::own::potrf<T, int>(uplo, &n, l.data(), &n, &info, 1);
    REQUIRE(info == 0);
    // As rows lie: 'U' leaves a lower triangle L with L L^H = a, 'L' an upper one with U^H U = a.
    double worst = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        Wide sum = 0;
        for (int q = 0; q <= std::min(i, j); ++q)
          sum += *uplo == 'U' ? wide(l[i * n + q]) * std::conj(wide(l[j * n + q]))
                              : std::conj(wide(l[q * n + i])) * wide(l[q * n + j]);
        worst = std::max(worst, std::abs(sum - wide(a[i * n + j])));
      }
    CHECK(worst < 1e-12);
    std::vector<T> bad = a;
    bad[4 * n + 4] = T(-1);
    linalg::own::potrf<T, int>(uplo, &n, bad.data(), &n, &info, 1);
    CHECK(info == 5);
  }
  // LU of a matrix (n, m) by columns.
  constexpr int m = 6;
  const std::vector<T> b = drawn_all<T>(n * m);
  std::vector<T> lu = b, permuted = b;
  std::vector<int> pivots(m);
  int info = -1;
  linalg::own::getrf<T, int>(&n, &m, lu.data(), &n, pivots.data(), &info);
  REQUIRE(info == 0);
  for (int j = 0; j < m; ++j)
    for (int c = 0; c < m; ++c) std::swap(permuted[c * n + j], permuted[c * n + pivots[j] - 1]);
  double worst = 0;
  for (int i = 0; i < n; ++i)
    for (int c = 0; c < m; ++c) {
      Wide sum = 0;
      for (int q = 0; q <= std::min(i, c); ++q) sum += (q == i ? 1.0 : wide(lu[q * n + i])) * wide(lu[c * n + q]);
      worst = std::max(worst, std::abs(sum - wide(permuted[c * n + i])));
      if (i > c) CHECK(std::abs(wide(lu[c * n + i])) < 1.5);
    }
  CHECK(worst < 1e-13);
}

/// Every kind of triangular system, by putting the result into it.
template <class T>
void check_triangles() {
  constexpr int n = 5, count = 3;
  const std::vector<T> t = positive<T>(n);
  for (int kind = 0; kind < 32; ++kind) {
    const int side = kind & 1, upper = kind >> 1 & 1, unit = kind >> 2 & 1, op = kind >> 3;
    const int rows = side == 0 ? n : count, cols = side == 0 ? count : n;
    const std::vector<T> b = drawn_all<T>(rows * cols);
    std::vector<T> x = b;
    linalg::own::trsm(0, side, upper ? 0 : 1, op, unit, rows, cols, T(1), t.data(), n, x.data(), cols);
    const auto of_t = [&](int i, int j) -> Wide {
      if (op == 1 || op == 2) std::swap(i, j);
      if (i == j && unit) return 1;
      if (upper ? i > j : i < j) return 0;
      return op >= 2 ? std::conj(wide(t[i * n + j])) : wide(t[i * n + j]);
    };
    double worst = 0, largest = 1;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < cols; ++j) {
        Wide sum = 0;
        for (int q = 0; q < n; ++q)
          sum += side == 0 ? of_t(i, q) * wide(x[q * cols + j]) : wide(x[i * cols + q]) * of_t(q, j);
        worst = std::max(worst, std::abs(sum - wide(b[i * cols + j])));
        largest = std::max(largest, std::abs(wide(x[i * cols + j])));
      }
    CAPTURE(side, upper, unit, op);
    CHECK(worst < 1e-13 * largest);
  }
}

}  // namespace

TEST_CASE("own products equal loops for all shapes, layouts and types") {
  check_products<float>();
  check_products<double>();
  check_products<Complex<float>>();
  check_products<Complex<double>>();
}

TEST_CASE("own convolutions and their gradients equal loops") {
  // n, groups, ic, oc; in: d, h, w; out: d, h, w; taps: d, h, w; stride; padding; dilation.
  check_conv({2, 1, 3, 8, 1, 9, 11, 1, 9, 11, 1, 3, 3, 1, 1, 1, 0, 1, 1, 1, 1, 1});
  check_conv({1, 1, 16, 5, 1, 12, 12, 1, 6, 6, 1, 3, 3, 1, 2, 2, 0, 1, 1, 1, 1, 1});
  check_conv({2, 2, 8, 8, 1, 10, 7, 1, 4, 3, 1, 3, 2, 1, 2, 1, 0, 0, 0, 1, 1, 4});
  check_conv({3, 1, 4, 6, 1, 8, 8, 1, 8, 8, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1});
  check_conv({1, 1, 2, 4, 5, 6, 7, 3, 3, 3, 2, 3, 3, 2, 2, 3, 1, 1, 2, 1, 1, 1});
  check_conv({2, 6, 6, 6, 1, 9, 9, 1, 9, 9, 1, 3, 3, 1, 1, 1, 0, 1, 1, 1, 1, 1});
  check_conv({1, 1, 64, 8, 1, 40, 40, 1, 38, 38, 1, 3, 3, 1, 1, 1, 0, 0, 0, 1, 1, 1});
  check_conv({1, 1, 3, 4, 1, 5, 5, 1, 9, 8, 1, 2, 2, 1, 1, 1, 0, 3, 2, 1, 1, 1});
}

TEST_CASE("own factors multiply to what was factored, own triangular solves fit their systems") {
  check_factors<double>();
  check_factors<Complex<double>>();
  check_triangles<double>();
  check_triangles<Complex<double>>();
}
