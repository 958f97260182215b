// Values and gradients of matrix factors and functions against PyTorch's, which factor_torch.py wrote down.
#include <functional>
#include <map>

#include "autograd/autograd.h"
#include "ops/binary.h"
#include "ops/factor.h"
#include "ops/linalg.h"
#include "ops/reduce.h"
#include "ops/shaping.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "test/ops/matrices.h"
#include "test/ops/wave.h"

namespace strata::test::factors {
namespace {

namespace la = linalg;
using List = std::vector<Tensor>;

template <class F>
Tensor gradient(F f, List inputs) {
  for (Tensor& x : inputs) x = x.clone().requires_grad_();
  const Tensor y = f(inputs);
  std::vector<Tensor> flat;
  for (const Tensor& g : autograd::grad({(y * wave(y.sizes())).sum()}, inputs)) flat.push_back(g.reshape({-1}));
  return cat(flat);
}

Tensor flat_list(const std::vector<Tensor>& tensors) {
  std::vector<Tensor> flat;
  for (const Tensor& t : tensors) flat.push_back(t.to(kDouble).reshape({-1}));
  return cat(flat);
}

using Calls = std::map<std::string, std::function<Tensor()>>;

const Tensor a = wave({4, 4}), wide = wave({3, 5}), tall = wave({5, 3}), batch = wave({2, 3, 3}),
             thin = matmul(wave({5, 2}), wave({2, 4}));

/// Without a diagonal its pivots are blocks of two.
Tensor blocks() {
  const Tensor s = symmetric(a);
  return stack({s, s - diag(a.diagonal()) * 2});
}

Calls value_calls() {
  const double inf = INFINITY;
  return {
      {"ldl",
       [] {
         const auto [ld, pivots] = la::ldl_factor(blocks());
         return flat_list({ld, pivots});
       }},
      {"ldl_solve",
       [] {
         const auto [ld, pivots] = la::ldl_factor(blocks());
         return la::ldl_solve(ld, pivots, wave({2, 4, 3}));
       }},
      {"matrix_exp", [] { return la::matrix_exp(batch * 3); }},
      {"sqrth", [] { return la::matrix_sqrth(definite(batch)); }},
      {"pinv", [] { return la::pinv(thin); }},
      {"pinv_rtol", [] { return la::pinv(a, 0.5, 0.2); }},
      {"pinv_hermitian", [] { return la::pinv(symmetric(a), 1.0, 0.0, true); }},
      {"matrix_rank",
       [] {
         return flat_list({la::matrix_rank(thin), la::matrix_rank(a, 0.9, 0.0), la::matrix_rank(wide)});
       }},
      {"slogdet",
       [] {
         return flat_list({std::get<0>(slogdet(batch)), std::get<1>(slogdet(batch))});
       }},
      {"logdet", [] { return logdet(batch); }},
      {"cond",
       [=] {
         return flat_list({la::cond(a), la::cond(a, 1), la::cond(a, -1), la::cond(a, inf), la::cond(a, -inf),
                           la::cond(a, 2), la::cond(a, -2), la::cond(a, "fro"), la::cond(a, "nuc")});
       }},
      {"matrix_norm",
       [=] {
         std::vector<Tensor> norms;
         for (const double p : {1.0, -1.0, inf, -inf, 2.0, -2.0}) norms.push_back(la::matrix_norm(batch, p, {0, 2}));
         for (const char* p : {"fro", "nuc"}) norms.push_back(la::matrix_norm(batch, p, {0, 2}));
         return flat_list(norms);
       }},
      {"norm",
       [] {
         return flat_list(
             {la::norm(a), la::norm(a, 1), la::norm(a[0], 1), la::norm(a, 3, 1).sum(), la::norm(a, "nuc")});
       }},
      {"lstsq",
       [] {
         const auto [x, residuals, rank, s] = la::lstsq(tall, wave({5, 2}), std::nullopt, "gelsd");
         return flat_list({x, residuals, rank, s});
       }},
      {"lstsq_wide",
       [] {
         return std::get<0>(la::lstsq(wide, wave({3, 2}), std::nullopt, "gels"));
       }},
      {"lstsq_rank",
       [] {
         const auto [x, residuals, rank, s] = la::lstsq(thin, wave({5, 2}));
         return flat_list({x, residuals, rank, s});
       }},
      {"lstsq_rcond",
       [] {
         const auto [x, residuals, rank, s] = la::lstsq(tall, wave({5, 2}), 0.5);
         const auto [x2, residuals2, rank2, s2] = la::lstsq(wide, wave({3, 2}), 0.5);
         return flat_list({x, residuals, rank, s, x2, residuals2, rank2, s2});
       }},
      {"svdvals", [] { return la::svdvals(wide); }},
      {"eigvalsh", [] { return la::eigvalsh(batch, "U"); }},
      {"vander", [] { return la::vander(wide); }},
      {"cross",
       [] {
         return la::cross(wave({2, 3, 2}), wave({1, 3, 2}), 1);
       }},
      {"householder", [] { return la::householder_product(tall, wave({2})); }},
      {"matrix_power", [] { return la::matrix_power(batch, -3); }},
      {"tensorsolve",
       [] {
         return la::tensorsolve(wave({2, 3, 6}), wave({2, 3}));
       }},
      {"tensorinv",
       [] {
         return la::tensorinv(wave({6, 2, 3}), 1);
       }},
      {"lu_solve",
       [] {
         const auto [lu, pivots] = la::lu_factor(batch);
         return la::lu_solve(lu, pivots, wave({2, 2, 3}), false, true);
       }},
  };
}

Calls gradient_calls() {
  using In = const List&;
  const auto solution = [](In x) { return std::get<0>(la::lstsq(x[0], x[1])); };
  return {
      {"matrix_exp_grad", [] { return gradient([](In x) { return la::matrix_exp(x[0]); }, {a * 2}); }},
      {"sqrth_grad", [] { return gradient([](In x) { return la::matrix_sqrth(x[0]); }, {definite(batch)}); }},
      {"sqrth_equal_grad", [] { return gradient([](In x) { return la::matrix_sqrth(x[0]); }, {eye(3, kDouble) * 4}); }},
      {"pinv_grad", [] { return gradient([](In x) { return la::pinv(x[0]); }, {thin}); }},
      {"det_grad", [] { return gradient([](In x) { return la::det(x[0]); }, {batch}); }},
      {"lstsq_grad",
       [] {
         return gradient([](In x) { return std::get<0>(la::lstsq(x[0], x[1], std::nullopt, "gels")); },
                         {tall, wave({5, 2})});
       }},
      {"lstsq_rank_grad",
       [=] {
         return gradient(solution, {thin, wave({5, 2})});
       }},
      {"lstsq_wide_grad",
       [=] {
         return gradient(solution, {wide, wave({3, 2})});
       }},
      {"lstsq_tall_grad",
       [=] {
         return gradient(solution, {tall, wave({5, 2})});
       }},
      {"solve_grad",
       [] {
         return gradient([](In x) { return la::solve(x[0], x[1], false); }, {a, wave({2, 4})});
       }},
      {"cholesky_grad", [] { return gradient([](In x) { return la::cholesky(x[0]); }, {definite(batch)}); }},
      {"qr_grad",
       [] {
         return gradient(
             [](In x) {
               const auto [q, r] = la::qr(x[0]);
               return cat({q, r}, -2);
             },
             {tall});
       }},
      {"qr_wide_grad",
       [] {
         return gradient(
             [](In x) {
               const auto [q, r] = la::qr(x[0]);
               return cat({q, r}, -1);
             },
             {wide});
       }},
      {"lu_grad", [] { return gradient([](In x) { return std::get<0>(la::lu_factor(x[0])); }, {wide}); }},
      {"svd_grad",
       [] {
         return gradient(
             [](In x) {
               const auto [u, s, vh] = la::svd(x[0]);
               return cat({u * u, s.unsqueeze(1), (vh * vh).mT()}, -1);
             },
             {a});
       }},
      {"eigh_grad",
       [] {
         return gradient(
             [](In x) {
               const auto [w, v] = la::eigh(symmetric(x[0]));
               return v * v + w;
             },
             {a});
       }},
  };
}

}  // namespace

TEST_CASE("values and gradients of matrix functions are PyTorch's", "[lapack]") {
  Calls calls = value_calls();
  calls.merge(gradient_calls());
  check_answers("factor_torch.txt", calls, [](const auto& call) { return call().detach().reshape({-1}); });
}

}  // namespace strata::test::factors
