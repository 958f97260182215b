// Matrix factors and solvers: the factors' defining properties for every shape and layout, errors, and a likelihood by
// Cholesky. factor_torch.cpp has the rest.
#include "ops/factor.h"

#include <functional>

#include "autograd/autograd.h"
#include "ops/binary.h"
#include "ops/linalg.h"
#include "ops/reduce.h"
#include "ops/shaping.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "test/ops/matrices.h"
#include "transforms/func.h"

namespace strata::test {
namespace {

namespace la = linalg;
using Catch::Matchers::ContainsSubstring;

Tensor batch_of(const Tensor& one) { return stack({one, one * 2, one + 1}); }

bool near(const Tensor& a, const Tensor& b, double factor = 100) {
  const double size = a.numel() ? std::max(1.0, max(b.abs()).to(kDouble).item<double>()) : 1;
  return difference(a, b) <= factor * epsilon(b.dtype()) * size;
}
/// Are the columns orthonormal?
bool orthonormal(const Tensor& q) {
  const Tensor product = matmul(q.mT(), q);
  return near(product, expand(eye(q.size(-1), q.options()), product.sizes()));
}
bool throws(const std::function<void()>& f, const std::string& message) {
  try {
    f();
  } catch (const Error& e) {
    INFO(e.what());
    CHECK(std::string(e.what()) == message);
    return true;
  }
  return false;
}

/// Calls f with matrices of this shape in both dtypes, in every layout, alone and in a batch.
template <class F>
void for_matrices(int64_t m, int64_t n, F f) {
  for (const DType dtype : {kFloat, kDouble}) {
    for (int layout = 0; layout < kExpandedRow; ++layout) {
      const Tensor a = matrix(m, n, layout, dtype, 7);
      INFO(name(dtype) << " layout " << layout << " of " << m << " by " << n);
      f(a);
      f(batch_of(a));
      f(batch_of(a).permute({1, 2, 0}).contiguous().permute({2, 0, 1}));
    }
  }
}

constexpr std::pair<int64_t, int64_t> kShapes[] = {{1, 1}, {4, 4}, {5, 2}, {2, 5}, {0, 3}, {3, 0}, {0, 0}, {33, 20}};

}  // namespace

TEST_CASE("cholesky: L L^T is the matrix, and only one triangle is read", "[lapack]") {
  for (const int64_t n : {0, 1, 2, 5, 33})
    for_matrices(n, n, [](const Tensor& x) {
      const Tensor a = definite(x), l = la::cholesky(a), u = la::cholesky(a, true);
      CHECK(near(matmul(l, l.mT()), a));
      CHECK(near(matmul(u.mT(), u), a));
      CHECK(equal(l, tril(l)));
      CHECK(equal(u, triu(u)));
      CHECK(equal(la::cholesky(tril(a)), l));
      CHECK(equal(la::cholesky(triu(a), true), u));
    });
}

TEST_CASE("lu: P L U is the matrix, and lu_solve solves with it on any side") {
  for (const auto& [m, n] : kShapes)
    for_matrices(m, n, [](const Tensor& a) {
      const auto [p, l, u] = la::lu(a);
      CHECK(near(matmul(p, matmul(l, u)), a));
      CHECK(equal(u, triu(u)));
      CHECK(orthonormal(p));
      if (l.numel() > 0) CHECK(max(l.abs()).to(kDouble).item<double>() <= 1);
    });
  const Tensor a = random_matrix({2, 4, 4}, kDouble, 3), b = random_matrix({4, 3}, kDouble, 4);
  const auto [lu, pivots] = la::lu_factor(a);
  CHECK(pivots.dtype() == kInt);
  for (const bool adjoint : {false, true}) {
    const Tensor m = adjoint ? a.mT() : a;
    CHECK(near(matmul(m, la::lu_solve(lu, pivots, b, true, adjoint)), expand(b, {2, 4, 3})));
    CHECK(near(matmul(la::lu_solve(lu, pivots, b.mT(), false, adjoint), m), expand(b.mT(), {2, 3, 4})));
  }
}

TEST_CASE("qr: orthonormal times triangular is the matrix", "[lapack]") {
  for (const auto& [m, n] : kShapes)
    for_matrices(m, n, [](const Tensor& a) {
      for (const char* mode : {"reduced", "complete"}) {
        const auto [q, r] = la::qr(a, mode);
        CHECK(near(matmul(q, r), a));
        CHECK(orthonormal(q));
        CHECK(equal(r, triu(r)));
        CHECK(q.size(-1) == (std::string(mode) == "complete" ? a.size(-2) : std::min(a.size(-1), a.size(-2))));
      }
      CHECK(equal(std::get<1>(la::qr(a, "r")), std::get<1>(la::qr(a))));
    });
}

TEST_CASE("eigh: V diag(w) V^T is the matrix, eigenvalues ascend, one triangle is read", "[lapack]") {
  for (const int64_t n : {0, 1, 2, 5, 33})
    for_matrices(n, n, [](const Tensor& x) {
      const Tensor a = symmetric(x);
      const auto [w, v] = la::eigh(a);
      CHECK(near(matmul(v * w.unsqueeze(-2), v.mT()), a));
      CHECK(orthonormal(v));
      CHECK(near(std::get<0>(w.sort()), w, 0));
      CHECK(near(la::eigvalsh(a), w));
      CHECK(near(std::get<0>(la::eigh(triu(a), "U")), w));
      CHECK(near(std::get<0>(la::eigh(tril(a), "L")), w));
    });
}

TEST_CASE("svd: U diag(S) Vh is the matrix, singular values descend", "[lapack]") {
  for (const auto& [m, n] : kShapes)
    for_matrices(m, n, [](const Tensor& a) {
      for (const bool full : {false, true}) {
        const auto [u, s, vh] = la::svd(a, full);
        const int64_t k = s.size(-1);
        CHECK(near(matmul(narrow(u, -1, 0, k) * s.unsqueeze(-2), narrow(vh, -2, 0, k)), a));
        CHECK(orthonormal(u));
        CHECK(orthonormal(vh.mT()));
        CHECK(u.size(-1) == (full ? a.size(-2) : k));
        CHECK(near(std::get<0>(s.sort(-1, true)), s, 0));
        CHECK(near(la::svdvals(a), s));
      }
      const auto [u, s, v] = svd(a);
      CHECK(near(matmul(u * s.unsqueeze(-2), v.mT()), a));
    });
}

TEST_CASE("solve, inv and solve_triangular solve, for vectors and batches that broadcast", "[lapack]") {
  for (const int64_t n : {1, 2, 5, 33})
    for_matrices(n, n, [n](const Tensor& x) {
      const Tensor a = x + 2 * n * eye(n, x.options()), b = random_matrix({n, 4}, x.dtype(), 5), v = b.select(1, 0);
      const auto solves = [&](const Tensor& product, const Tensor& rhs) {
        return near(product, expand(rhs, product.sizes()));
      };
      CHECK(solves(matmul(a, la::solve(a, b)), b));
      CHECK(solves(matmul(la::solve(a, b.mT(), false), a), b.mT()));
      CHECK(solves(matmul(a, la::solve(a, v).unsqueeze(-1)), v.unsqueeze(-1)));
      CHECK(solves(matmul(a, la::inv(a)), eye(n, x.options())));
      for (const bool upper : {false, true}) {
        const Tensor t = upper ? triu(a) : tril(a);
        CHECK(solves(matmul(t, la::solve_triangular(a, b, upper)), b));
        CHECK(solves(matmul(la::solve_triangular(a, b.mT(), upper, false), t), b.mT()));
        CHECK(solves(matmul(t.mT(), la::solve_triangular(a.mT(), b, !upper)), b));
        CHECK(solves(matmul(t, std::get<0>(triangular_solve(b, a, upper))), b));
        CHECK(!std::get<1>(triangular_solve(b, a, upper)).is_same(a));
        CHECK(solves(matmul(t.mT(), std::get<0>(triangular_solve(b, a, upper, true))), b));
        const Tensor l = la::cholesky(definite(x), upper);
        CHECK(near(matmul(definite(x), cholesky_solve(b, l, upper)), expand(b, cholesky_solve(b, l, upper).sizes()),
                   1e4));
      }
    });
  CHECK(la::solve(zeros({2, 0, 0}), zeros({0, 3})).sizes() == IntArrayRef({2, 0, 3}));
  CHECK(la::solve(zeros({0, 2, 2}), zeros({2, 3})).sizes() == IntArrayRef({0, 2, 3}));
}

TEST_CASE("the gradient of an inverse is made of the inverse: the matrix may be written over, the inverse may not") {
  const Tensor leaf = (random_matrix({2, 3, 3}, kDouble, 3) + 6 * eye(3, kDouble)).requires_grad_();
  const Tensor weight = random_matrix({3, 3}, kDouble, 4), by_solve = la::solve(leaf, eye(3, kDouble));
  const Tensor wanted = autograd::grad({sum(by_solve * weight)}, {leaf})[0];
  const auto gradient = [&](Tensor (*invert)(const Tensor&)) {
    const Tensor a = leaf * 1, x = invert(a);
    a.zero_();
    return autograd::grad({sum(x * weight)}, {leaf})[0];
  };
  CHECK(near(gradient(la::inv), wanted));
  CHECK(near(gradient(inverse), wanted));
  CHECK(near(gradient([](const Tensor& a) { return std::get<0>(la::inv_ex(a)); }), wanted));
  const Tensor x = la::inv(leaf);
  x.zero_();
  CHECK_THROWS_WITH(autograd::grad({sum(x)}, {leaf}), ContainsSubstring("modified in place since"));
}

TEST_CASE("determinants of small, empty and singular matrices, with the gradient of the singular ones") {
  const Tensor a = tensor({4.0, 7.0, 2.0, 6.0}, kDouble).view({2, 2});
  CHECK(det(a).item<double>() == Approx(10));
  CHECK(logdet(a).item<double>() == Approx(std::log(10.0)));
  CHECK(std::isnan(logdet(a.flip({0})).item<double>()));
  CHECK(det(zeros({0, 0})).item<float>() == 1);
  const auto [sign, size] = slogdet(zeros({3, 3}));
  CHECK(sign.item<float>() == 0);
  CHECK(size.item<float>() == -std::numeric_limits<float>::infinity());
  const Tensor x = tensor({1.0, 2.0, 3.0, 6.0}, kDouble).view({2, 2}).requires_grad_();
  det(x).backward();
  CHECK(difference(x.grad(), tensor({6.0, -3.0, -2.0, 1.0}, kDouble).view({2, 2})) < 1e-12);
  const Tensor corner = tensor({0.0, 0.0, 0.0, 5.0}, kDouble).view({2, 2}).requires_grad_();
  det(corner).backward();
  CHECK(difference(corner.grad(), tensor({5.0, 0.0, 0.0, 0.0}, kDouble).view({2, 2})) < 1e-12);
}

TEST_CASE("an infinite gradient of a vector along itself is none of eigh's and svd's", "[lapack]") {
  const Tensor x = tensor({2.0, 3.0}, kDouble).reshape({2, 1, 1}).requires_grad_();
  const Tensor g = tensor({1.0, kInf}, kDouble).reshape({2, 1, 1});
  const auto [w, v] = linalg::eigh(x);
  matmul(v * w.unsqueeze(-2), v.mT()).backward(g);
  CHECK(x.grad().equal(g));
  x.mutable_grad() = Tensor();
  const auto [u, s, vh] = linalg::svd(x, false);
  matmul(u * s.unsqueeze(-2), vh).backward(g);
  CHECK(x.grad().equal(g));
}

TEST_CASE("matrices that are not finite are an error of eigh and svd, and no hang", "[lapack]") {
  for (const double bad : {double(NAN), double(INFINITY)}) {
    Tensor a = batch_of(symmetric(random_matrix({4, 4}, kDouble, 1)));
    a[1][2][1] = bad;
    const auto is_named = ContainsSubstring("matrix 1 of the batch has elements that are not finite");
    CHECK_THROWS_WITH(la::eigh(a), is_named);
    CHECK_THROWS_WITH(la::eigvalsh(a), is_named);
    CHECK_THROWS_WITH(la::svd(a), is_named);
    CHECK_THROWS_WITH(la::svdvals(a), is_named);
    CHECK_THROWS_WITH(la::pinv(a), is_named);
    CHECK_THROWS_WITH(la::matrix_rank(a), ContainsSubstring("svdvals: matrix 1 of the batch"));
    CHECK_THROWS_WITH(la::cond(a), ContainsSubstring("matrix 1 of the batch"));
    CHECK(la::eigvalsh(a[0]).isfinite().all().item<bool>());
    la::lu_factor(a), la::qr(a), la::matrix_exp(a), la::det(a);
    CHECK_THROWS_WITH(la::cholesky(a * a.mT() + 9 * eye(4, kDouble)), ContainsSubstring("matrix 1 of the batch"));
  }
}

TEST_CASE("the same bits for any number of threads", "[lapack]") {
  const Tensor one = random_matrix({70, 70}, kDouble, 1), many = random_matrix({9, 24, 24}, kFloat, 2);
  const Tensor large = random_matrix({300, 300}, kFloat, 3);
  for (const Tensor& a : {one, many, large}) {
    const std::function<Tensor()> calls[] = {
        [&] { return la::cholesky(definite(a)); },        [&] { return la::inv(a); },
        [&] { return std::get<0>(la::qr(a)); },           [&] { return std::get<1>(la::eigh(symmetric(a))); },
        [&] { return std::get<0>(la::svd(a)); },          [&] { return la::svdvals(a); },
        [&] { return la::solve_triangular(a, a, true); }, [&] { return la::det(a); }};
    for (const auto& f : calls) CHECK(same_bits(with_threads(1, f), with_threads(3, f)));
  }
}

TEST_CASE("errors of factors name the matrix and what is wrong with it", "[lapack]") {
  const Tensor good = eye(3, kDouble);
  Tensor bad = stack({good, good, good, good}), singular = bad.clone();
  bad[3][1][1] = -1;
  singular[2][1][1] = 0;
  CHECK(throws([&] { la::cholesky(bad); },
               "linalg.cholesky: matrix 3 of the batch is not positive-definite (its leading minor of order 2)"));
  CHECK(throws([&] { la::cholesky(bad[3]); },
               "linalg.cholesky: the matrix is not positive-definite (its leading minor of order 2)"));
  CHECK(throws(
      [&] {
        la::inv(singular.view({2, 2, 3, 3}));
      },
      "linalg.inv: matrix (1, 0) of the batch is singular (U[1, 1] is zero)"));
  CHECK(throws([&] { la::solve(singular[2], good); }, "linalg.solve: the matrix is singular (U[1, 1] is zero)"));
  CHECK(throws([&] { la::cholesky_ex(bad[3], false, true); },
               "linalg.cholesky: the matrix is not positive-definite (its leading minor of order 2)"));
  CHECK(std::get<1>(la::cholesky_ex(bad)).equal(tensor({0, 0, 0, 2}, kInt)));
  CHECK(std::get<1>(la::inv_ex(singular)).equal(tensor({0, 0, 2, 0}, kInt)));
  CHECK(std::get<2>(la::lu_factor_ex(singular)).equal(tensor({0, 0, 2, 0}, kInt)));
  const Tensor wide = random_matrix({3, 2}, kDouble, 1).requires_grad_();
  CHECK_THROWS_WITH(std::get<0>(la::qr(wide, "complete")).sum().backward(), ContainsSubstring("complete"));
  CHECK_THROWS_WITH(la::lu_solve(good, tensor({1, 2, 9}, kInt), good), ContainsSubstring("pivot 9"));
}

TEST_CASE("under vmap a factor that fails is NaN, others are themselves; under grad the check is made", "[lapack]") {
  const Tensor good = definite(random_matrix({3, 3}, kDouble, 1)), both = stack({good, -good});
  const auto factor = [](Tensor a) { return la::cholesky(a); };
  const Tensor l = func::vmap(factor)(both);
  CHECK(near(l[0], la::cholesky(good)));
  CHECK(l[1].isnan().all().item<bool>());
  CHECK(same_bits(func::trace(factor)(good)(good), la::cholesky(good)));
  const auto trace_of = [](Tensor a) { return la::inv(a).sum(); };
  CHECK_THROWS_WITH(func::grad(trace_of)(zeros({2, 2}, kDouble)), ContainsSubstring("singular"));
  const Tensor power = func::vmap([](Tensor a) { return la::matrix_exp(a); })(both * 10);
  CHECK(near(power[1], la::matrix_exp(good * -10), 1e4));
}

TEST_CASE("a Gaussian process' likelihood by cholesky has the gradient that finite differences give") {
  const Tensor x = linspace(0, 3, 12, kDouble), y = sin(x * 2);
  // log p(y | x) with kernel a^2 exp(-d^2 / 2 l^2) + s^2 I; parameters are the logarithms of a, l and s.
  const auto likelihood = [&](const Tensor& log_parameters) {
    const Tensor p = exp(log_parameters), distance = (x.unsqueeze(1) - x.unsqueeze(0)) / p[1];
    const Tensor k = p[0] * p[0] * exp(distance * distance * -0.5) + p[2] * p[2] * eye(12, kDouble);
    const Tensor l = la::cholesky(k), alpha = cholesky_solve(y.unsqueeze(1), l);
    return y.dot(alpha.squeeze(1)) * -0.5 - diagonal(l).log().sum() - 6 * std::log(2 * M_PI);
  };
  const Tensor at = tensor({0.1, -0.2, -1.5}, kDouble), parameters = at.clone().requires_grad_();
  likelihood(parameters).backward();
  for (int64_t i = 0; i < 3; ++i) {
    Tensor step = zeros({3}, kDouble);
    step[i] = 1e-5;
    const double numeric = (likelihood(at + step) - likelihood(at - step)).item<double>() / 2e-5;
    CHECK(parameters.grad()[i].item<double>() == Approx(numeric).epsilon(1e-6));
  }
}

TEST_CASE("methods and older names") {
  const Tensor m = definite(random_matrix({3, 3}, kDouble, 2)), b = random_matrix({3, 2}, kDouble, 3);
  CHECK(equal(m.inverse(), linalg_inv(m)));
  CHECK(equal(m.det(), linalg_det(m)));
  CHECK(equal(m.logdet(), std::get<1>(m.slogdet())));
  CHECK(near(m.cholesky().cholesky_inverse(), m.inverse()));
  CHECK(near(m.matrix_power(-2), m.inverse().matmul(m.inverse())));
  CHECK(near(m.matrix_exp(), linalg_matrix_exp(m)));
  CHECK(near(b.cholesky_solve(m.cholesky()), linalg_solve(m, b)));
  CHECK(near(la::multi_dot({m, b, b.mT()}), matmul(matmul(m, b), b.mT())));
  CHECK(equal(vander(tensor({1.0, 2.0}), 3, true), la::vander(tensor({1.0, 2.0}), 3)));
  CHECK(equal(la::vander(tensor({3, 2}, kInt)), tensor({1, 3, 1, 2}, kLong).view({2, 2})));
}

TEST_CASE("methods and older names of what LAPACK computes", "[lapack]") {
  const Tensor m = definite(random_matrix({3, 3}, kDouble, 2));
  CHECK(near(m.pinverse(), m.inverse(), 1e4));
  CHECK(near(std::get<0>(m.qr()).matmul(std::get<1>(m.qr())), m));
  CHECK(la::norm(m, 2, {0, 1}, true).sizes() == IntArrayRef({1, 1}));
}

}  // namespace strata::test
