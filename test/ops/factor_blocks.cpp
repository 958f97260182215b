// Factors and solutions of matrices whose sides lie around those of the blocks and vectors that they are computed in.
#include "ops/binary.h"
#include "ops/factor.h"
#include "ops/linalg.h"
#include "ops/reduce.h"
#include "ops/shaping.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "test/ops/matrices.h"

namespace strata::test {
namespace {

namespace la = linalg;

constexpr int64_t kSides[] = {7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 97, 130, 257};
/// Those of them that the matrices are of which are hard to compute with.
constexpr int64_t kHardSides[] = {7, 17, 33, 48, 65, 150};

double epsilon_of(DType dtype) { return dtype == kFloat ? 0x1p-23 : 0x1p-52; }

/// Do they differ by no more than rounding, in sums of `terms` numbers about as large as the largest?
bool within_rounding(const Tensor& a, const Tensor& b, int64_t terms) {
  const double size = std::max(1.0, max(b.abs()).to(kDouble).item<double>());
  return max((a - b).abs()).to(kDouble).item<double>() <= static_cast<double>(4 * terms) * epsilon_of(b.dtype()) * size;
}

/// A triangle that is far from singular, with other numbers where it is not to be read.
Tensor triangle_of(int64_t n, DType dtype, bool unitriangular) {
  const Tensor x = random_matrix({n, n}, dtype, 3) / static_cast<double>(n);
  return x + eye(n, x.options()) * (unitriangular ? 7 : 2);
}

/// Are the columns orthonormal?
bool has_orthonormal_columns(const Tensor& q) {
  return within_rounding(matmul(q.mT(), q), eye(q.size(-1), q.options()), q.size(-2));
}

/// Matrices that are hard on reflections and rotations: of tiny and huge numbers, of columns that are zero, equal, or
/// of very different sizes.
std::vector<Tensor> hard_matrices(int64_t m, int64_t n, DType dtype) {
  const Tensor x = random_matrix({m, n}, dtype, static_cast<unsigned>(m + 7 * n));
  Tensor zero_columns = x.clone(), steps = x.clone();
  for (int64_t j = 0; j < n; j += 3) narrow(zero_columns, 1, j, 1).fill_(0);
  for (int64_t j = 0; j < n; ++j) narrow(steps, 1, j, 1).mul_(std::pow(2.0, static_cast<double>(j % 60) - 30));
  const double far = dtype == kFloat ? 0x1p+90 : 0x1p+800;
  return {x,
          x * far,
          x / far,
          zero_columns,
          steps,
          zeros_like(x),
          expand(narrow(x, 1, 0, 1), {m, n}),
          eye(m, n, x.options())};
}

/// Wilkinson's matrices W21 along the diagonal, which have pairs of eigenvalues that differ in the last digits, coupled
/// by so little that the pairs become clusters.
Tensor glued_wilkinson(int64_t n, DType dtype) {
  Tensor a = zeros({n, n}, dtype);
  for (int64_t i = 0; i < n; ++i) a[i][i] = std::abs(static_cast<double>(i % 21) - 10);
  for (int64_t i = 0; i + 1 < n; ++i) a[i][i + 1] = a[i + 1][i] = i % 21 == 20 ? std::sqrt(epsilon_of(dtype)) : 1;
  return a;
}

/// The same made symmetric, one whose rows and columns are of very different sizes, and one of clusters.
std::vector<Tensor> symmetric_matrices(int64_t n, DType dtype) {
  std::vector<Tensor> all = hard_matrices(n, n, dtype);
  for (Tensor& x : all) x = symmetric(x);
  Tensor graded = all[0].clone();
  for (int64_t j = 0; j < n; ++j)
    for (const int64_t dim : {0, 1}) narrow(graded, dim, j, 1).mul_(std::pow(2.0, static_cast<double>(j % 40) - 20));
  all.push_back(graded);
  all.push_back(glued_wilkinson(n, dtype));
  return all;
}

/// Is a, whatever the size of its numbers, the same as b?
bool near_scaled(const Tensor& a, const Tensor& b, int64_t terms) {
  const double size = max(b.abs()).to(kDouble).item<double>();
  return size == 0 ? equal(a, b) : within_rounding(a / size, b / size, terms);
}

/// A is Q R, Q is orthonormal, R is triangular.
void check_qr(const Tensor& a) {
  const int64_t m = a.size(0), n = a.size(1);
  INFO(name(a.dtype()) << " " << m << " by " << n);
  const auto [q, r] = la::qr(a, m == n + 1 ? "complete" : "reduced");
  CHECK(near_scaled(matmul(q, r), a, m + n));
  CHECK(has_orthonormal_columns(q));
  CHECK(equal(r, triu(r)));
}

/// A is V diag(w) V^T, V is orthonormal, w ascends, and either triangle is enough.
void check_eigh(const Tensor& a) {
  const int64_t n = a.size(0);
  INFO(name(a.dtype()) << " of " << n);
  const auto [w, v] = la::eigh(a);
  CHECK(near_scaled(matmul(v * w.unsqueeze(0), t(v)), a, 4 * n));
  CHECK(has_orthonormal_columns(v));
  CHECK(same_bits(std::get<0>(w.sort()), w));
  CHECK(near_scaled(la::eigvalsh(a), w, 4 * n));
  const auto [w2, v2] = la::eigh(where(triu(ones_like(a)).eq(1), a, NAN), "U");
  CHECK(near_scaled(w2, w, 4 * n));
  CHECK(has_orthonormal_columns(v2));
}

}  // namespace

TEST_CASE("qr around the blocks: orthonormal times triangular is the matrix", "[lapack]") {
  for (const DType dtype : {kFloat, kDouble})
    for (const int64_t n : kSides)
      for (const int64_t m : {n, n + 1, n / 2, 2 * n}) check_qr(random_matrix({m, n}, dtype, 1));
  for (const DType dtype : {kFloat, kDouble})
    for (const int64_t n : kHardSides)
      for (const int64_t m : {n, n + 1, n / 2, 3 * n})
        for (const Tensor& a : hard_matrices(m, n, dtype)) check_qr(a);
}

TEST_CASE("eigh around the blocks: orthonormal vectors that the matrix scales by ascending values", "[lapack]") {
  for (const DType dtype : {kFloat, kDouble})
    for (const int64_t n : kSides) check_eigh(symmetric(random_matrix({n, n}, dtype, 1)));
  check_eigh(symmetric(random_matrix({200, 200}, kFloat, 2)));
  for (const DType dtype : {kFloat, kDouble})
    for (const int64_t n : kHardSides)
      for (const Tensor& a : symmetric_matrices(n, dtype)) check_eigh(a);
}

TEST_CASE("eigh of matrices whose rows and columns differ in size by many powers of two", "[lapack]") {
  for (const DType dtype : {kFloat, kDouble})
    for (unsigned seed = 0; seed < 200; ++seed) {
      const int64_t n = 2 + seed % 51;
      const double range = dtype == kFloat ? seed % 61 : seed % 301;
      const Tensor x = random_matrix({n, n}, dtype, seed);
      const Tensor exponents = random_matrix({n}, kDouble, seed + 1) * (range / 2);
      const Tensor sizes = exp(exponents * std::log(2.0)).to(dtype);
      const Tensor a = symmetric(x) * sizes.unsqueeze(0) * sizes.unsqueeze(1);
      INFO(name(dtype) << " of " << n << ", seed " << seed);
      const auto [w, v] = la::eigh(a);
      CHECK(has_orthonormal_columns(v));
      CHECK(near_scaled(matmul(v * w.unsqueeze(0), t(v)), a, 4 * n));
    }
}

TEST_CASE("svd around the blocks: U diag(S) Vh is the matrix, its factors are orthonormal", "[lapack]") {
  for (const DType dtype : {kFloat, kDouble})
    for (const int64_t n : {1, 2, 7, 17, 33, 65})
      for (const int64_t m : {n, n + n / 2, 2 * n, n - n / 3})
        for (const Tensor& a : hard_matrices(m, n, dtype))
          for (const bool full : {false, true}) {
            INFO(name(dtype) << " " << m << " by " << n << (full ? ", full" : ""));
            const auto [u, s, vh] = la::svd(a, full);
            const int64_t k = s.size(0);
            CHECK(near_scaled(matmul(narrow(u, 1, 0, k) * s.unsqueeze(0), narrow(vh, 0, 0, k)), a, 2 * (m + n)));
            CHECK(has_orthonormal_columns(u));
            CHECK(has_orthonormal_columns(t(vh)));
            CHECK(same_bits(std::get<0>(s.sort(0, true)), s));
            CHECK(near_scaled(la::svdvals(a), s, 2 * (m + n)));
          }
}

TEST_CASE("lu around the blocks: P L U is the matrix, L's elements are at most 1", "[lapack]") {
  for (const DType dtype : {kFloat, kDouble})
    for (const int64_t n : kSides)
      for (const int64_t m : {n, n + 1, n / 2, 3 * n}) {
        const Tensor a = random_matrix({m, n}, dtype, static_cast<unsigned>(n));
        INFO(name(dtype) << " " << m << " by " << n);
        const auto [p, l, u] = la::lu(a);
        CHECK(within_rounding(matmul(p, matmul(l, u)), a, n));
        CHECK(max(l.abs()).to(kDouble).item<double>() == 1);
        CHECK(equal(u, triu(u)));
        const auto [p2, l2, u2] = la::lu(t(t(a).contiguous()));
        CHECK(same_bits(l2, l));
        CHECK(same_bits(u2, u));
      }
}

TEST_CASE("lu around the blocks: the first zero pivot is named, numbers that are not finite are kept") {
  for (const DType dtype : {kFloat, kDouble})
    for (const int64_t n : kSides)
      for (const int64_t at : {int64_t{0}, n / 2, n - 1}) {
        Tensor a = random_matrix({n, n}, dtype, 5);
        INFO(name(dtype) << " of " << n << " at " << at);
        narrow(a, 1, at, 1).fill_(0);
        CHECK(std::get<2>(la::lu_factor_ex(a)).item<int32_t>() == at + 1);
        narrow(a, 1, at, 1).fill_(NAN);
        const auto [lu, pivots, info] = la::lu_factor_ex(a);
        CHECK(lu.isnan().any().item<bool>());
        CHECK(pivots.le(n).all().item<bool>());
        CHECK(pivots.ge(1).all().item<bool>());
      }
}

TEST_CASE("lu of subnormal pivots divides by them") {
  const double tiny = 0x1p-140;
  const Tensor a = tensor({tiny, 1.0, -tiny / 2, 3.0}, kDouble).to(kFloat).view({2, 2});
  const auto [p, l, u] = la::lu(a);
  CHECK(equal(matmul(p, matmul(l, u)), a));
}

TEST_CASE("solve_triangular around the blocks, from both sides, of both triangles, as stored and transposed") {
  for (const DType dtype : {kFloat, kDouble})
    for (const int64_t n : kSides)
      for (const int64_t width : {1, 16, 33, 70})
        for (const bool upper : {false, true})
          for (const bool unitriangular : {false, true}) {
            const Tensor a = triangle_of(n, dtype, unitriangular), b = random_matrix({n, width}, dtype, 9);
            INFO(name(dtype) << " of " << n << " and " << width << ", upper " << upper << ", unit " << unitriangular);
            const Tensor strict = upper ? triu(a, 1) : tril(a, -1), full = upper ? triu(a) : tril(a);
            const Tensor read = unitriangular ? strict + eye(n, a.options()) : full;
            CHECK(within_rounding(matmul(read, la::solve_triangular(a, b, upper, true, unitriangular)), b, n));
            const Tensor right = la::solve_triangular(a, t(b).contiguous(), upper, false, unitriangular);
            CHECK(within_rounding(matmul(right, read), t(b), n));
            CHECK(within_rounding(matmul(t(read), la::solve_triangular(t(a), b, !upper, true, unitriangular)), b, n));
            CHECK(within_rounding(matmul(la::solve_triangular(t(a), t(b), !upper, false, unitriangular), t(read)), t(b),
                                  n));
          }
}

TEST_CASE("solve and inv around the blocks") {
  for (const DType dtype : {kFloat, kDouble})
    for (const int64_t n : kSides) {
      const Tensor a = random_matrix({n, n}, dtype, 4) + eye(n, dtype) * static_cast<double>(n);
      INFO(name(dtype) << " of " << n);
      for (const int64_t width : {1, 17, 65}) {
        const Tensor b = random_matrix({n, width}, dtype, 5);
        CHECK(within_rounding(matmul(a, la::solve(a, b)), b, n));
        CHECK(within_rounding(matmul(la::solve(a, t(b), false), a), t(b), n));
      }
      CHECK(within_rounding(matmul(a, la::inv(a)), eye(n, dtype), n));
    }
}

}  // namespace strata::test
