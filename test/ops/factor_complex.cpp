// Values and gradients of complex matrices' factors and functions against PyTorch's, which factor_complex.py wrote
// down.
#include <functional>
#include <map>

#include "autograd/autograd.h"
#include "ops/binary.h"
#include "ops/complex.h"
#include "ops/factor.h"
#include "ops/linalg.h"
#include "ops/reduce.h"
#include "ops/shaping.h"
#include "ops/unary.h"
#include "test/ops/matrices.h"
#include "test/ops/wave.h"
#include "transforms/func.h"

namespace strata::test::complex_factors {
namespace {

namespace la = linalg;
using List = std::vector<Tensor>;

Tensor matrix(DimVector sizes) {
  sizes.push_back(2);
  return view_as_complex(wave(sizes));
}

/// All elements in one row, two numbers for a complex one.
Tensor flat(const List& tensors) {
  List rows;
  for (const Tensor& t : tensors)
    rows.push_back((t.is_complex() ? view_as_real(t.contiguous()) : t.to(kDouble)).reshape({-1}));
  return cat(rows);
}

template <class... T>
List list(const std::tuple<T...>& tensors) {
  return std::apply([](const auto&... t) { return List{t...}; }, tensors);
}

Tensor gradient(const std::function<List(const List&)>& f, List inputs) {
  for (Tensor& x : inputs) x = x.clone().requires_grad_();
  const Tensor y = flat(f(inputs));
  return flat(autograd::grad({(y * wave(y.sizes())).sum()}, inputs));
}

Tensor definite(const Tensor& x) { return matmul(x, x.mH()) + eye(x.size(-1), x.options()); }
Tensor hermitian(const Tensor& x) { return x + x.mH(); }
Tensor squares(const Tensor& x) { return real(x * x.conj()); }

/// Of each pair of singular vectors only what their common phase leaves alone.
List svd_invariants(const Tensor& x, bool full = false) {
  const auto [u, s, vh] = la::svd(x, full);
  const Tensor left = u.narrow(-1, 0, s.size(-1)), right = vh.narrow(-2, 0, s.size(-1));
  return {squares(left), s, squares(right), left * right.narrow(-1, 0, 1).mT()};
}

using In = const List&;
using Calls = std::map<std::string, std::function<List()>>;

const Tensor a = matrix({4, 4}), wide = matrix({3, 5}), tall = matrix({5, 3}), batch = matrix({2, 3, 3}),
             thin = matmul(matrix({5, 2}), matrix({2, 4}));

/// As in factor_complex.py: no pivot but the diagonal's is taken.
Tensor dominant(const Tensor& x) { return x + eye(x.size(-2), x.size(-1), x.options()) * 9; }

Calls factor_calls() {
  return {
      {"sqrth", [] { return List{la::matrix_sqrth(definite(batch))}; }},
      {"ldl", [] { return list(la::ldl_factor(batch + batch.mT())); }},
      {"ldl_hermitian", [] { return list(la::ldl_factor(hermitian(batch), true)); }},
      {"ldl_solve",
       [] {
         const auto [ld, pivots] = la::ldl_factor(batch + batch.mT());
         return List{la::ldl_solve(ld, pivots, matrix({2, 3, 2}))};
       }},
      {"ldl_solve_hermitian",
       [] {
         const auto [ld, pivots] = la::ldl_factor(hermitian(a), true);
         return List{la::ldl_solve(ld, pivots, matrix({4, 3}), true)};
       }},
      {"lu_plain", [] { return list(la::lu_factor(dominant(wide), false)); }},
      {"cholesky", [] { return List{la::cholesky(definite(batch))}; }},
      {"cholesky_upper", [] { return List{la::cholesky(definite(batch), true)}; }},
      {"cholesky_solve",
       [] {
         return List{cholesky_solve(matrix({2, 3, 2}), la::cholesky(definite(batch)))};
       }},
      {"cholesky_inverse", [] { return List{cholesky_inverse(la::cholesky(definite(a), true), true)}; }},
      {"lu_factor", [] { return list(la::lu_factor(batch)); }},
      {"lu", [] { return list(la::lu(wide)); }},
      {"qr", [] { return list(la::qr(tall)); }},
      {"qr_complete", [] { return list(la::qr(wide, "complete")); }},
      {"eigvalsh", [] { return List{la::eigvalsh(batch)}; }},
      {"eigvalsh_upper", [] { return List{la::eigvalsh(batch, "U")}; }},
      {"eigh",
       [] {
         const auto [w, v] = la::eigh(hermitian(batch));
         return List{w, squares(v), matmul(v * w.unsqueeze(-2), v.mH())};
       }},
      {"svdvals", [] { return List{la::svdvals(wide)}; }},
      {"svd", [] { return svd_invariants(tall); }},
      {"svd_full", [] { return svd_invariants(wide, true); }},
      {"householder", [] { return List{la::householder_product(tall, matrix({2}))}; }},
  };
}

Calls solver_calls() {
  return {
      {"lu_solve",
       [] {
         const auto [lu, pivots] = la::lu_factor(batch);
         return List{la::lu_solve(lu, pivots, matrix({2, 2, 3}), false, true)};
       }},
      {"lu_solve_adjoint",
       [] {
         const auto [lu, pivots] = la::lu_factor(batch);
         return List{la::lu_solve(lu, pivots, matrix({2, 3, 1}), true, true)};
       }},
      {"solve",
       [] {
         return List{la::solve(batch, matrix({2, 3, 2}))};
       }},
      {"solve_right",
       [] {
         return List{la::solve(a, matrix({2, 4}), false)};
       }},
      {"solve_vector", [] { return List{la::solve(a, matrix({4}))}; }},
      {"inv", [] { return List{la::inv(batch)}; }},
      {"triangular",
       [] {
         return List{la::solve_triangular(a, matrix({4, 2}), true)};
       }},
      {"triangular_row",
       [] {
         return List{la::solve_triangular(a, matrix({1, 4}), false, false)};
       }},
      {"triangular_adjoint",
       [] {
         return List{la::solve_triangular(a.mH(), matrix({4, 1}), false)};
       }},
      {"triangular_solve",
       [] {
         return List{std::get<0>(triangular_solve(matrix({4, 2}), a, true, true))};
       }},
      {"lstsq",
       [] {
         return list(la::lstsq(tall, matrix({5, 2}), std::nullopt, "gelsd"));
       }},
      {"lstsq_default",
       [] {
         const auto [x, residuals, rank, s] = la::lstsq(tall, matrix({5, 2}));
         return List{x, residuals, rank, s, std::get<0>(la::lstsq(wide, matrix({3, 2})))};
       }},
      {"lstsq_wide",
       [] {
         return List{std::get<0>(la::lstsq(wide, matrix({3, 2}), std::nullopt, "gels"))};
       }},
      {"pinv", [] { return List{la::pinv(thin)}; }},
      {"pinv_hermitian", [] { return List{la::pinv(hermitian(a), 1.0, 0.0, true)}; }},
      {"tensorsolve",
       [] {
         return List{la::tensorsolve(matrix({2, 3, 6}), matrix({2, 3}))};
       }},
      {"tensorinv",
       [] {
         return List{la::tensorinv(matrix({6, 2, 3}), 1)};
       }},
  };
}

Calls number_calls() {
  const double inf = INFINITY;
  return {
      {"det", [] { return List{la::det(batch)}; }},
      {"slogdet", [] { return list(la::slogdet(batch)); }},
      {"logdet", [] { return List{logdet(batch)}; }},
      {"matrix_rank",
       [] {
         return List{la::matrix_rank(thin), la::matrix_rank(a), la::matrix_rank(wide)};
       }},
      {"cond",
       [=] {
         return List{la::cond(a),    la::cond(a, 1),  la::cond(a, -1),    la::cond(a, inf),  la::cond(a, -inf),
                     la::cond(a, 2), la::cond(a, -2), la::cond(a, "fro"), la::cond(a, "nuc")};
       }},
      {"matrix_norm",
       [=] {
         List norms;
         for (const double p : {1.0, -1.0, inf, -inf, 2.0, -2.0}) norms.push_back(la::matrix_norm(batch, p, {0, 2}));
         for (const char* p : {"fro", "nuc"}) norms.push_back(la::matrix_norm(batch, p, {0, 2}));
         return norms;
       }},
      {"norm",
       [] {
         return List{la::norm(a), la::norm(a, 1), la::norm(a[0], 1), la::norm(a, 3, 1).sum(), la::norm(a, "nuc")};
       }},
      {"matrix_exp", [] { return List{la::matrix_exp(batch * 2)}; }},
      {"matrix_power", [] { return List{la::matrix_power(batch, -3)}; }},
      {"multi_dot",
       [] {
         return List{la::multi_dot({{wide, tall, matrix({3, 2})}})};
       }},
  };
}

/// A function to differentiate and where.
struct Derived {
  std::function<List(In)> f;
  List at;
};

std::map<std::string, Derived> derived() {
  return {
      {"cholesky_grad", {[](In x) { return List{la::cholesky(definite(x[0]))}; }, {batch}}},
      {"cholesky_upper_grad", {[](In x) { return List{la::cholesky(definite(x[0]), true)}; }, {batch}}},
      {"lu_grad", {[](In x) { return List{std::get<0>(la::lu_factor(x[0]))}; }, {wide}}},
      {"sqrth_grad", {[](In x) { return List{la::matrix_sqrth(x[0])}; }, {definite(batch)}}},
      {"lu_plain_grad", {[](In x) { return List{std::get<0>(la::lu_factor(dominant(x[0]), false))}; }, {wide}}},
      {"lu_plain_tall_grad", {[](In x) { return List{std::get<0>(la::lu_factor(dominant(x[0]), false))}; }, {tall}}},
      {"lu_tall_grad", {[](In x) { return List{std::get<0>(la::lu_factor(x[0]))}; }, {tall}}},
      {"solve_grad", {[](In x) { return List{la::solve(x[0], x[1])}; }, {a, matrix({4, 2})}}},
      {"solve_right_grad", {[](In x) { return List{la::solve(x[0], x[1], false)}; }, {a, matrix({2, 4})}}},
      {"inv_grad", {[](In x) { return List{la::inv(x[0])}; }, {a}}},
      {"triangular_grad",
       {[](In x) { return List{la::solve_triangular(x[0], x[1], false, false, true)}; }, {a, matrix({2, 4})}}},
      {"det_grad", {[](In x) { return List{la::det(x[0])}; }, {batch}}},
      {"slogdet_grad", {[](In x) { return list(la::slogdet(x[0])); }, {batch}}},
      {"logdet_grad", {[](In x) { return List{logdet(x[0])}; }, {batch}}},
      {"qr_grad", {[](In x) { return list(la::qr(x[0])); }, {tall}}},
      {"qr_wide_grad", {[](In x) { return list(la::qr(x[0])); }, {wide}}},
      {"eigvalsh_grad", {[](In x) { return List{la::eigvalsh(hermitian(x[0]))}; }, {a}}},
      {"eigh_grad",
       {[](In x) {
          const auto [w, v] = la::eigh(hermitian(x[0]));
          return List{w, squares(v), v * v.narrow(0, 0, 1).conj()};
        },
        {a}}},
      {"svdvals_grad", {[](In x) { return List{la::svdvals(x[0])}; }, {wide}}},
      {"svd_grad", {[](In x) { return svd_invariants(x[0]); }, {a}}},
      {"svd_tall_grad", {[](In x) { return svd_invariants(x[0]); }, {tall}}},
      {"svd_wide_grad", {[](In x) { return svd_invariants(x[0]); }, {wide}}},
      {"pinv_grad", {[](In x) { return List{la::pinv(x[0])}; }, {thin}}},
      {"norm_grad",
       {[](In x) {
          return List{la::norm(x[0]), la::norm(x[0], 1), la::norm(x[0], "nuc")};
        },
        {a}}},
      {"lstsq_default_grad", {[](In x) { return List{std::get<0>(la::lstsq(x[0], x[1]))}; }, {tall, matrix({5, 2})}}},
      {"lstsq_grad",
       {[](In x) { return List{std::get<0>(la::lstsq(x[0], x[1], std::nullopt, "gels"))}; }, {tall, matrix({5, 2})}}},
      {"matrix_exp_grad", {[](In x) { return List{la::matrix_exp(x[0])}; }, {a}}},
      {"householder_grad", {[](In x) { return List{la::householder_product(x[0], x[1])}; }, {tall, matrix({2})}}},
  };
}

}  // namespace

TEST_CASE("values and gradients of complex matrix functions are PyTorch's", "[lapack]") {
  Calls calls = factor_calls();
  calls.merge(solver_calls());
  calls.merge(number_calls());
  for (const auto& [name, d] : derived()) calls[name] = [d = d] { return List{gradient(d.f, d.at)}; };
  check_answers("factor_complex.txt", calls, [](const auto& call) { return flat(call()).detach(); });
}

TEST_CASE("forward derivatives of complex matrix functions are the reverse ones' transposes", "[lapack]") {
  for (const auto& [name, d] : derived()) {
    INFO(name);
    List tangents;
    for (const Tensor& x : d.at) tangents.push_back(flip(x, {-1}) * 0.5);
    const auto f = [&f_of = d.f](const List& x) { return flat(f_of(x)); };
    const auto [y, dy] = jvp(f, std::make_tuple(d.at), std::make_tuple(tangents));
    const Tensor g = gradient(d.f, d.at);
    CHECK((dy * wave(y.sizes())).sum().item<double>() ==
          Approx((g * flat(tangents)).sum().item<double>()).epsilon(1e-9).margin(1e-10));
  }
}

TEST_CASE("complex64 matrices are factored as complex128 ones to float's rounding", "[lapack]") {
  const Tensor z = a.to(kComplexFloat), b = matrix({4, 2}).to(kComplexFloat);
  CHECK(allclose(la::solve(z, b), la::solve(a, matrix({4, 2})).to(kComplexFloat), 1e-3, 1e-4));
  CHECK(la::svdvals(z).dtype() == kFloat);
  CHECK(la::eigvalsh(z).dtype() == kFloat);
  CHECK(std::get<1>(la::slogdet(z)).dtype() == kFloat);
  CHECK(allclose(matmul(la::inv(z), z), eye(4, kComplexFloat), 1e-3, 1e-4));
}

TEST_CASE("complex matrices are factored under vmap as one by one", "[lapack]") {
  const auto each = [](const Tensor& x) {
    return List{la::inv(x), la::cholesky(definite(x)), la::svdvals(x), la::eigvalsh(hermitian(x)), la::det(x)};
  };
  const List together = vmap(each)(batch);
  for (int64_t i = 0; i < batch.size(0); ++i) {
    const List one = each(batch[i]);
    for (size_t k = 0; k < one.size(); ++k) CHECK(allclose(together[k][i], one[k], 1e-12, 1e-12));
  }
}

}  // namespace strata::test::complex_factors
