// Rows of the matrix factors and solvers. Values are the matter of ops/factor.cpp; here are the rules. What is not
// unique (signs of vectors, bases) goes through functions that do not depend on it.
#include <cmath>
#include <limits>

#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/factor.h"
#include "ops/linalg.h"
#include "ops/unary.h"
#include "ops/view.h"
#include "test/op_samples.h"

namespace strata::test {
namespace {

/// x x^T + I: symmetric and positive-definite.
Tensor definite(const Tensor& x) { return add(matmul(x, x.mT()), eye(x.size(-1), x.options())); }
Tensor symmetric(const Tensor& x) { return add(x, x.mT()); }
/// Far from singular.
Tensor solvable(const Tensor& x) { return add(x, mul(eye(x.size(-1), x.options()), 2)); }
Tensor squared(const Tensor& x) { return mul(x, x); }

Sample sample(std::vector<DimVector> sizes, Function f) {
  List inputs;
  unsigned seed = 11;
  for (const DimVector& s : sizes) inputs.push_back(uniform_values(s, -1, 1, seed++));
  return {inputs, std::move(f)};
}

Row cholesky_row() {
  Row row{"cholesky_ex", {}};
  for (const bool upper : {false, true}) {
    const Function f = [upper](const List& in) { return List{linalg::cholesky(definite(in[0]), upper)}; };
    for (const DimVector& s : {DimVector{3, 3}, DimVector{2, 2, 2}}) row.samples.push_back(sample({s}, f));
  }
  row.samples.push_back(sample({{0, 0}}, [](const List& in) { return List{linalg::cholesky(in[0])}; }));
  row.samples.push_back(sample({{3, 3}}, [](const List& in) {
    const auto [l, info] = linalg::cholesky_ex(definite(in[0]));
    return List{l, info};
  }));
  row.samples.push_back(sample({{3, 3}, {3, 2}}, [](const List& in) {
    return List{cholesky_solve(in[1], cholesky(definite(in[0]))),
                cholesky_inverse(cholesky(definite(in[0]), true), true)};
  }));
  row.errors = {{[] {
                   linalg::cholesky(uniform_values({2, 3}));
                 },
                 "(2, 3)"},
                {[] { linalg::cholesky(neg(eye(2, kDouble))); }, "order 1"},
                {[] { linalg::cholesky(eye(2, kLong)); }, "int64"}};
  return row;
}

Row lu_row() {
  Row row{"lu_factor_ex", {}};
  const Function f = [](const List& in) {
    const auto [lu, pivots] = linalg::lu_factor(in[0]);
    return List{lu, pivots};
  };
  for (const DimVector& s : {DimVector{3, 3}, DimVector{4, 2}, DimVector{2, 4}, DimVector{2, 2, 2}, DimVector{0, 2}})
    row.samples.push_back(sample({s}, f));
  row.errors = {{[] { linalg::lu_factor(uniform_values({2})); }, "matrix"}};
  return row;
}

Row plain_lu_row() {
  Row row{"lu_factor_without_pivots", {}};
  const Function f = [](const List& in) {
    const auto [p, l, u] = linalg::lu(in[0], false);
    return List{l, u};
  };
  for (const DimVector& s : {DimVector{3, 3}, DimVector{4, 2}, DimVector{2, 4}, DimVector{2, 2, 2}, DimVector{0, 2}})
    row.samples.push_back(sample({s}, f));
  row.errors = {{[] { linalg::lu_factor(uniform_values({2}), false); }, "matrix"}};
  return row;
}

Row ldl_row() {
  Row row{"ldl_factor_ex", {}};
  for (const bool hermitian : {false, true})
    for (const DimVector& s : {DimVector{3, 3}, DimVector{2, 2, 2}, DimVector{0, 0}})
      row.samples.push_back(sample({s}, [hermitian](const List& in) {
        const auto [ld, pivots] = linalg::ldl_factor(in[0].detach(), hermitian);
        return List{ld, pivots};
      }));
  row.errors = {{[] {
                   linalg::ldl_factor(uniform_values({2, 3}));
                 },
                 "(2, 3)"},
                {[] {
                   linalg::ldl_factor(zeros({2, 2}, kDouble));
                 },
                 "is singular"}};
  return row;
}

Row ldl_solve_row() {
  Row row{"ldl_solve", {}};
  row.samples.push_back(sample({{2, 3, 3}, {3, 2}}, [](const List& in) {
    const auto [ld, pivots] = linalg::ldl_factor(symmetric(in[0].detach()));
    return List{linalg::ldl_solve(ld, pivots, in[1].detach())};
  }));
  row.errors = {{[] { linalg::ldl_solve(eye(2, kDouble), tensor({1, 5}, kInt), eye(2, kDouble)); }, "pivot 5"}};
  return row;
}

Row permutation_row() {
  Row row{"lu_pivots_to_permutation", {}};
  const Function f = [](const List& in) {
    const auto [p, l, u] = linalg::lu(in[0]);
    return List{p, l, u};
  };
  for (const DimVector& s : {DimVector{3, 3}, DimVector{2, 4, 2}}) row.samples.push_back(sample({s}, f));
  row.errors = {{[] { lu_unpack(uniform_values({2, 2}), integers({2}, 1, 2)); }, "int32"}};
  return row;
}

Row solve_row() {
  Row row{"solve", {}};
  const Function left = [](const List& in) { return List{linalg::solve(solvable(in[0]), in[1])}; };
  const Function right = [](const List& in) { return List{linalg::solve(solvable(in[0]), in[1], false)}; };
  row.samples = {sample({{3, 3}, {3, 2}}, left),    sample({{3, 3}, {3}}, left),
                 sample({{2, 3, 3}, {3, 1}}, left), sample({{2, 2}, {2, 2, 3}}, left),
                 sample({{3, 3}, {2, 3}}, right),   sample({{2, 2, 2}, {2, 3, 2}}, right),
                 sample({{0, 0}, {0, 2}}, left),    sample({{0, 2, 2}, {2, 1}}, left)};
  row.errors = {{[] {
                   linalg::solve(uniform_values({2, 2}), uniform_values({3, 1}));
                 },
                 "2 vs 3"},
                {[] {
                   linalg::solve(uniform_values({2, 2}), uniform_values({2}), false);
                 },
                 "left"},
                {[] {
                   linalg::solve(uniform_values({2, 2}), uniform_values({2, 1}, 0, 1, 1, kFloat));
                 },
                 "float"}};
  return row;
}

Row inverse_row() {
  Row row{"inverse", {}};
  const Function f = [](const List& in) {
    const auto [inverse, info] = linalg::inv_ex(solvable(in[0]));
    return List{inverse, info};
  };
  row.samples = {sample({{3, 3}}, [](const List& in) { return List{linalg::inv(solvable(in[0]))}; }),
                 sample({{2, 2, 2}}, f), sample({{0, 0}}, f), sample({{0, 2, 2}}, f)};
  row.errors = {{[] {
                   linalg::inv(zeros({2, 2}, kDouble));
                 },
                 "U[0, 0] is zero"},
                {[] {
                   linalg::inv(uniform_values({2, 3}));
                 },
                 "(2, 3)"}};
  return row;
}

Row triangular_row() {
  Row row{"triangular_solve", {}};
  for (const bool upper : {false, true})
    for (const bool left : {true, false})
      for (const bool unit : {false, true})
        row.samples.push_back(sample({{3, 3}, left ? DimVector{3, 2} : DimVector{2, 3}}, [=](const List& in) {
          return List{linalg::solve_triangular(solvable(in[0]), in[1], upper, left, unit)};
        }));
  row.samples.push_back(sample({{2, 2, 2}, {2, 1}}, [](const List& in) {
    return List{linalg::solve_triangular(solvable(in[0]).mT(), in[1], true)};
  }));
  for (const bool left : {true, false})
    for (const bool adjoint : {false, true})
      row.samples.push_back(sample({{3, 3}, left ? DimVector{3, 1} : DimVector{1, 3}}, [=](const List& in) {
        const auto [lu, pivots] = linalg::lu_factor(solvable(in[0]));
        return List{linalg::lu_solve(lu, pivots, in[1], left, adjoint)};
      }));
  row.errors = {{[] { linalg::solve_triangular(uniform_values({2, 2}), uniform_values({3, 1}), true); }, "2 vs 3"}};
  return row;
}

Row qr_row() {
  Row row{"qr", {}};
  const auto add = [&](const DimVector& s, std::string_view mode) {
    row.samples.push_back(sample({s}, [mode](const List& in) {
      const auto [q, r] = linalg::qr(in[0], mode);
      return mode == "r" ? List{r} : List{q, r};
    }));
  };
  for (const DimVector& s : {DimVector{3, 3}, DimVector{4, 2}, DimVector{2, 4}, DimVector{2, 3, 2}}) add(s, "reduced");
  add({2, 3}, "complete");
  add({3, 2}, "r");
  add({3, 0}, "reduced");
  row.errors = {{[] { linalg::qr(uniform_values({2, 2}), "raw"); }, "raw"}};
  return row;
}

Row eigh_row() {
  Row row{"eigh", {}};
  const Function f = [](const List& in) {
    const auto [w, v] = linalg::eigh(symmetric(in[0]));
    return List{w, squared(v)};
  };
  for (const DimVector& s : {DimVector{3, 3}, DimVector{2, 2, 2}, DimVector{0, 0}})
    row.samples.push_back(sample({s}, f));
  row.samples.push_back(sample({{3, 3}}, [](const List& in) {
    const auto [w, v] = linalg::eigh(symmetric(in[0]), "U");
    return List{matmul(mul(v, unsqueeze(exp(w), -2)), v.mT())};
  }));
  row.errors = {{[] { linalg::eigh(uniform_values({2, 2}), "x"); }, "UPLO"}};
  return row;
}

Row svd_row() {
  Row row{"svd", {}};
  const Function reduced = [](const List& in) {
    const auto [u, s, vh] = linalg::svd(in[0], false);
    return List{squared(u), s, squared(vh)};
  };
  // The bases beyond the singular vectors through the projections on what they span.
  const Function full = [](const List& in) {
    const auto [u, s, vh] = linalg::svd(in[0]);
    const int64_t k = s.size(-1);
    const Tensor u2 = narrow(u, -1, k, u.size(-1) - k), v2 = narrow(vh, -2, k, vh.size(-2) - k);
    return List{squared(narrow(u, -1, 0, k)), s, matmul(u2, u2.mT()), matmul(v2.mT(), v2)};
  };
  for (const DimVector& s : {DimVector{3, 3}, DimVector{4, 2}, DimVector{2, 4}, DimVector{2, 3, 2}, DimVector{0, 2}})
    row.samples.push_back(sample({s}, reduced));
  for (const DimVector& s : {DimVector{4, 2}, DimVector{2, 3}}) row.samples.push_back(sample({s}, full));
  row.errors = {{[] { linalg::svd(uniform_values({2})); }, "matrix"},
                {[] {
                   linalg::svdvals(uniform_values({2, 2}, 0, 1, 1, kHalf));
                 },
                 "float16"},
                {[] { linalg::eigvalsh(uniform_values({2})); }, "matrix"},
                {[] {
                   linalg::det(uniform_values({2, 3}));
                 },
                 "(2, 3)"}};
  return row;
}

Row values_row(const char* op, Tensor (*f)(const Tensor&), std::initializer_list<DimVector> sizes) {
  Row row{op, {}};
  for (const DimVector& s : sizes) row.samples.push_back(sample({s}, [f](const List& in) { return List{f(in[0])}; }));
  return row;
}

Row slogdet_row() {
  Row row{"slogdet", {}};
  for (const DimVector& s : {DimVector{3, 3}, DimVector{2, 2, 2}, DimVector{0, 0}})
    row.samples.push_back(sample({s}, [](const List& in) {
      const auto [sign, logabsdet] = linalg::slogdet(in[0]);
      return List{sign, logabsdet};
    }));
  return row;
}

Row sqrth_row() {
  Row row{"matrix_sqrth", {}};
  for (const DimVector& s : {DimVector{3, 3}, DimVector{2, 2, 2}, DimVector{0, 0}})
    row.samples.push_back(sample({s}, [](const List& in) { return List{linalg::matrix_sqrth(definite(in[0]))}; }));
  row.errors = {{[] {
                   linalg::matrix_sqrth(uniform_values({2, 3}));
                 },
                 "(2, 3)"},
                {[] { linalg::matrix_sqrth(eye(2, kLong)); }, "int64"}};
  return row;
}

Row pinv_row() {
  Row row{"pinv", {}};
  const Function f = [](const List& in) { return List{linalg::pinv(in[0])}; };
  for (const DimVector& s : {DimVector{3, 3}, DimVector{3, 2}, DimVector{2, 3, 4}, DimVector{0, 2}})
    row.samples.push_back(sample({s}, f));
  // Rank 1, on both sides of the matrix; and all singular values equal.
  row.samples.push_back(
      sample({{3, 1}, {1, 2}}, [](const List& in) { return List{linalg::pinv(matmul(in[0], in[1]))}; }));
  row.samples.push_back(
      sample({{2, 1}, {1, 3}}, [](const List& in) { return List{linalg::pinv(matmul(in[0], in[1]))}; }));
  row.samples.push_back(
      sample({{1}}, [](const List& in) { return List{linalg::pinv(mul(eye(3, kDouble), add(in[0], 2)))}; }));
  return row;
}

/// Values by the pseudo-inverse, which has another algorithm.
Row lstsq_row() {
  Row row{"lstsq", {}};
  const auto solve = [](const Tensor& a, const Tensor& b) {
    const auto [x, residuals, rank, values] = linalg::lstsq(a, b);
    return List{x, rank};
  };
  const auto by_inverse = [](const Tensor& a, const Tensor& b) {
    return List{matmul(linalg::pinv(a), b), linalg::matrix_rank(a)};
  };
  using Sizes = std::vector<DimVector>;
  for (const Sizes& s : {Sizes{{3, 3}, {3, 2}},
                         {{4, 2}, {4, 1}},
                         {{2, 2, 4}, {2, 2, 2}},
                         {{2, 3, 2}, {2, 3, 2}},
                         {{0, 2}, {0, 2}},
                         {{2, 0}, {2, 2}},
                         {{3, 2}, {3, 0}}}) {
    row.samples.push_back(sample(s, [=](const List& in) { return solve(in[0], in[1]); }));
    row.samples.back().reference = [=](const List& in) { return by_inverse(in[0], in[1]); };
  }
  row.errors = {{[] {
                   linalg::lstsq(uniform_values({3, 2}), uniform_values({2, 2}));
                 },
                 "(3 vs 2)"},
                {[] {
                   linalg::lstsq(full({2, 2}, std::nan(""), kDouble), ones({2, 1}, kDouble));
                 },
                 "not finite"}};
  return row;
}

Row factor_composites() {
  Row row{"", {}};
  const auto add = [&](std::vector<DimVector> sizes, Function f) {
    row.samples.push_back(sample(std::move(sizes), std::move(f)));
  };
  for (const char* driver : {"gels", "gelsd"})
    for (const DimVector& s : {DimVector{4, 2}, DimVector{2, 3}})
      add({s, {s[0], 2}},
          [driver](const List& in) { return List{std::get<0>(linalg::lstsq(in[0], in[1], std::nullopt, driver))}; });
  add({{3, 3}}, [](const List& in) { return List{matrix_power(in[0], 5), matrix_power(solvable(in[0]), -2)}; });
  add({{2, 3, 3}}, [](const List& in) { return List{matrix_exp(mul(in[0], 3))}; });
  add({{3, 2}}, [](const List& in) {
    return List{linalg::matrix_norm(in[0]),
                linalg::matrix_norm(in[0], "nuc"),
                linalg::matrix_norm(in[0], 2),
                linalg::matrix_norm(in[0], -1),
                linalg::norm(in[0], std::numeric_limits<double>::infinity()),
                linalg::norm(in[0])};
  });
  add({{3, 3}}, [](const List& in) {
    const Tensor a = solvable(in[0]);
    return List{linalg::cond(a), linalg::cond(a, 1), linalg::cond(a, "fro"), logdet(a)};
  });
  add({{4}, {4, 2}, {2, 3}}, [](const List& in) { return List{linalg::multi_dot(in)}; });
  add({{2, 3}, {2, 3}}, [](const List& in) {
    return List{linalg::cross(in[0], in[1]), linalg::vecdot(in[0], in[1], 0), linalg::vander(in[0], 4)};
  });
  add({{3, 2}, {2}}, [](const List& in) { return List{linalg::householder_product(in[0], in[1])}; });
  add({{2, 3, 6}, {2, 3}}, [](const List& in) { return List{linalg::tensorsolve(in[0], in[1])}; });
  add({{2, 2, 4}}, [](const List& in) { return List{linalg::tensorinv(in[0])}; });
  return row;
}

}  // namespace

void add_factor(Table& t) {
  t.push_back(cholesky_row());
  t.push_back(lu_row());
  t.push_back(plain_lu_row());
  t.push_back(ldl_row());
  t.push_back(ldl_solve_row());
  t.push_back(lstsq_row());
  t.push_back(permutation_row());
  t.push_back(solve_row());
  t.push_back(inverse_row());
  t.push_back(triangular_row());
  t.push_back(qr_row());
  t.push_back(eigh_row());
  t.push_back(values_row("eigvalsh", [](const Tensor& x) { return linalg::eigvalsh(symmetric(x)); },
                         {{3, 3}, {2, 2, 2}, {0, 0}}));
  t.push_back(svd_row());
  t.push_back(
      values_row("svdvals", [](const Tensor& x) { return linalg::svdvals(x); }, {{3, 3}, {2, 2, 3}, {4, 2}, {0, 3}}));
  t.push_back(values_row("det", [](const Tensor& x) { return linalg::det(x); },
                         {{1, 1}, {3, 3}, {2, 2, 2}, {0, 0}, {2, 0, 0}}));
  t.push_back(slogdet_row());
  t.push_back(sqrth_row());
  t.push_back(pinv_row());
  t.push_back(factor_composites());
}

}  // namespace strata::test
