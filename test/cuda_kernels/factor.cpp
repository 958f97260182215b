// Factorizations of matrices and solving with them on a CUDA device against the CPU's: shapes, batches, layouts, ways.
#include "ops/factor.h"

#include <cublas_v2.h>

#include "core/cuda.h"
#include "core/cuda_graph.h"
#include "ops/creation.h"
#include "ops/factor_rules.h"
#include "test/cuda_kernels/gauge.h"
#include "test/cuda_kernels/near.h"

namespace strata::test {
namespace {

constexpr DType kReal[] = {kFloat, kDouble};

Tensor random_values(IntArrayRef sizes, DType dtype, unsigned seed) {
  return uniform_values(sizes, -1, 1, seed, dtype);
}

struct Shape {
  DimVector batch;
  int64_t m, n;
  DimVector sizes() const {
    DimVector all = batch;
    all.push_back(m);
    all.push_back(n);
    return all;
  }
};
/// Among them those at which kernels change their way.
const std::vector<Shape> kShapes = {{{}, 0, 0},   {{}, 0, 3},   {{2}, 3, 0},  {{0}, 3, 3},  {{}, 1, 1},
                                    {{3}, 1, 1},  {{}, 5, 3},   {{}, 3, 5},   {{}, 4, 4},   {{2, 3}, 5, 3},
                                    {{3}, 3, 5},  {{4}, 6, 6},  {{2}, 33, 9}, {{2}, 9, 33}, {{2}, 33, 33},
                                    {{}, 70, 40}, {{}, 40, 70}, {{}, 64, 64}};
std::vector<Shape> square_shapes() {
  std::vector<Shape> square;
  for (const Shape& s : kShapes)
    if (s.m == s.n) square.push_back(s);
  return square;
}

/// The same numbers in another layout.
using View = Tensor (*)(const Tensor&);
const View kViews[] = {[](const Tensor& t) { return t; }, [](const Tensor& t) { return t.mT().contiguous().mT(); },
                       [](const Tensor& t) {
                         return slice(cat({t, t}, -1), -1, 0, std::nullopt, 2);
                       },
                       [](const Tensor& t) { return expand(t, t.sizes()); }};

/// f(matrices) -> List on both devices for all dtypes and shapes, and all layouts of the small ones.
template <class F>
void check_shapes(const std::vector<Shape>& shapes, F f) {
  for (DType dtype : kReal) {
    for (const Shape& s : shapes) {
      for (const View view : kViews) {
        CAPTURE(name(dtype), s.batch, s.m, s.n);
        check_near({random_values(s.sizes(), dtype, 7)}, [&](const List& in) { return f(view(in[0])); });
        if (s.m > 8) break;
      }
    }
  }
}

/// Positive definite, or far from singular.
Tensor definite(const Tensor& a) {
  return matmul(a, a.mT()).add(eye(a.size(-1), a.options()).mul(static_cast<double>(a.size(-1))));
}
Tensor regular(const Tensor& a) { return a.add(eye(a.size(-1), a.options()).mul(2 + a.size(-1))); }

/// Square matrices as far from singular, whose rows have to be exchanged; of a singular one, which those with a few
/// small integers may be, rounding decides the last pivots.
Tensor with_clear_pivots(const Tensor& a) { return a.size(-1) == a.size(-2) ? regular(a).flip({-2}) : a; }

Tensor solve(const Tensor& a, const Tensor& b, const Tensor& lu, const Tensor& pivots, const SolveParams& p) {
  return call1(op_named("solve"), {&a, &b, &lu, &pivots}, p);
}

template <class Tuple>
List list_of(const Tuple& tuple) {
  return std::apply([](const auto&... t) { return List{t...}; }, tuple);
}

}  // namespace

TEST_CASE("Cholesky factors on both devices") {
  check_shapes(square_shapes(), [](const Tensor& a) {
    List out = list_of(linalg::cholesky_ex(definite(a)));
    for (const Tensor& t : list_of(linalg::cholesky_ex(definite(a).mT(), true))) out.push_back(t);
    return out;
  });
}

TEST_CASE("what is not positive definite gets the CPU's info") {
  for (DType dtype : kReal) {
    for (int64_t count : {1, 3}) {
      Tensor a = definite(random_values({count, 5, 5}, dtype, 3));
      a[count - 1][2][2] = -1;
      check_near({a}, [](const List& in) { return without_gauge("cholesky_ex", list_of(linalg::cholesky_ex(in[0]))); });
    }
  }
}

TEST_CASE("LU factors on both devices") {
  check_shapes(kShapes, [](const Tensor& a) { return list_of(linalg::lu_factor_ex(with_clear_pivots(a))); });
  for (int64_t n : {511, 512})
    check_near({regular(random_values({2, n, n}, kDouble, 1))},
               [](const List& in) { return list_of(linalg::lu_factor_ex(in[0])); });
  check_near({zeros({3, 4, 4})}, [](const List& in) { return list_of(linalg::lu_factor_ex(in[0])); });
}

TEST_CASE("permutations of pivots on both devices") {
  check_shapes(kShapes, [](const Tensor& a) {
    return List{std::get<0>(lu_unpack(a, std::get<1>(linalg::lu_factor(with_clear_pivots(a)))))};
  });
  for (int64_t rows : {300, 8192, 9000}) {
    const Tensor pivots = arange(300, 0, -1, kInt);
    check_both({expand(pivots, {2, 300})}, [&](const List& in) { return List{factor::lu_permutation(in[0], rows)}; });
  }
}

TEST_CASE("a pivot out of range is an error of a later call") {
  for (int64_t k : {2, 100}) {
    const Tensor a = regular(random_values({4, 4}, kFloat, 1)).to(kCUDA), b = ones({4, k}).to(kCUDA);
    for (int32_t bad : {0, 5, 1 << 30}) {
      const Tensor pivots = tensor({1, bad, 3, 4}, kInt).to(kCUDA);
      CHECK_THROWS_WITH(linalg::lu_solve(a, pivots, b).cpu(),
                        Catch::Matchers::ContainsSubstring("out of range for 4 rows"));
      CHECK_THROWS_WITH(solve(a, b, a, pivots, {true, false}).cpu(),
                        Catch::Matchers::ContainsSubstring("out of range for 4 rows"));
    }
    const Tensor good = tensor({1, 2, 3, 4}, kInt).to(kCUDA);
    CHECK(solve(a, b, a, good, {true, false}).cpu().isfinite().all().item<bool>());
  }
}

TEST_CASE("solving with LU factors on both devices") {
  for (int64_t k : {0, 1, 2, 5, 16, 17}) {
    check_shapes(square_shapes(), [k](const Tensor& x) {
      const Tensor a = roll(regular(x), {1}, {-2});  // rows have to be swapped
      const auto [lu, pivots] = linalg::lu_factor(a);
      const Shape s{DimVector(a.sizes().slice(0, a.sizes().size() - 2)), a.size(-1), k};
      const Tensor b = full(s.sizes(), 0.5, a.options()).add(arange(k, a.options())).add(x.sum({-1}, true));
      List out;
      for (bool adjoint : {false, true}) {
        out.push_back(solve(a, b, lu, pivots, {true, adjoint}));
        out.push_back(solve(a, b.mT(), lu.mT().contiguous().mT(), pivots, {false, adjoint}));
      }
      return out;
    });
  }
}

TEST_CASE("solving with triangles on both devices") {
  check_shapes(square_shapes(), [](const Tensor& a) {
    const Tensor r = regular(a), b = narrow(cat({a, a}, -1), -1, 0, std::min<int64_t>(a.size(-1) + 2, 2 * a.size(-1)));
    List out;
    for (int bits = 0; bits < 8; ++bits) {
      const bool upper = bits & 1, unit = bits & 2;
      const Tensor triangle = (bits & 4) ? r.mT() : r, x = unit ? triangle.div(100) : triangle;
      out.push_back(linalg::solve_triangular(x, b, upper, true, unit));
      out.push_back(linalg::solve_triangular(x, b.mT(), upper, false, unit));
    }
    return out;
  });
}

TEST_CASE("one triangle for a batch, and layouts of right hand sides") {
  for (int64_t n : {3, 70}) {
    for (int64_t count : {1, 2, 9}) {
      const Tensor a = regular(random_values({n, n}, kDouble, 1)), b = random_values({4, count, n}, kDouble, 2);
      check_near({a, b}, [&](const List& in) {
        return List{linalg::solve_triangular(in[0], in[1].permute({1, 2, 0}), true),
                    linalg::solve_triangular(expand(in[0], {count, n, n}), in[1].transpose(0, 1), false, false)};
      });
    }
  }
}

TEST_CASE("QR factors on both devices") {
  for (const char* mode : {"reduced", "complete"})
    check_shapes(kShapes, [&](const Tensor& a) { return without_gauge("qr", list_of(linalg::qr(a, mode))); });
}

TEST_CASE("eigenvalues and eigenvectors on both devices") {
  for (const char* part : {"L", "U"}) {
    check_shapes(square_shapes(), [&](const Tensor& a) {
      List out = without_gauge("eigh", list_of(linalg::eigh(a, part)));
      out.push_back(linalg::eigvalsh(a, part));
      return out;
    });
  }
}

TEST_CASE("singular values and vectors on both devices") {
  for (bool full : {false, true}) {
    check_shapes(kShapes, [&](const Tensor& a) {
      List out = without_gauge("svd", list_of(linalg::svd(a, full)));
      out.push_back(linalg::svdvals(a));
      return out;
    });
  }
  for (const auto& [m, n] : {std::pair<int64_t, int64_t>{1030, 3}, {3, 1030}}) {
    for (DType dtype : kReal) {
      check_near({random_values({2, m, n}, dtype, 1)}, [](const List& in) {
        List out = without_gauge("svd", list_of(linalg::svd(in[0], false)));
        out.push_back(linalg::svdvals(in[0]));
        return out;
      });
    }
  }
}

TEST_CASE("a matrix that holds NaN or inf spoils its own results alone, and is an error on the CPU") {
  const auto results = [](const Tensor& x) {
    List out = without_gauge("svd", list_of(linalg::svd(x)));
    out.push_back(linalg::svdvals(x));
    for (const Tensor& t : without_gauge("eigh", list_of(linalg::eigh(x, "L")))) out.push_back(t);
    out.push_back(linalg::eigvalsh(x, "L"));
    return out;
  };
  for (int64_t n : {4, 40}) {
    for (double value : {NAN, INFINITY}) {
      Tensor a = random_values({3, n, n}, kFloat, 1);
      const List expected = results(a);
      a[1][n - 1][0] = value;
      CHECK_THROWS_WITH(linalg::svd(a),
                        Catch::Matchers::ContainsSubstring("matrix 1 of the batch has elements that are not finite"));
      const List got = results(a.to(kCUDA));
      REQUIRE(got.size() == expected.size());
      for (size_t i = 0; i < got.size(); ++i)
        for (int64_t matrix : {0, 2}) CHECK(allclose(got[i][matrix].to(kCPU), expected[i][matrix], 1e-3, 1e-4));
      CHECK(linalg::svdvals(a.to(kCUDA)).to(kCPU)[1].isnan().all().item<bool>());
      // Where it is not read, it does no harm.
      const Tensor upper = linalg::eigvalsh(a.to(kCUDA), "U").to(kCPU);
      CHECK(allclose(upper, linalg::eigvalsh(a, "U"), 1e-3, 1e-4));
    }
  }
}

TEST_CASE("determinants on both devices") {
  check_shapes(square_shapes(), [](const Tensor& a) {
    const Tensor small = regular(a).div(a.size(-1) + 2);
    List out = list_of(linalg::slogdet(small));
    out.push_back(linalg::det(small));
    return out;
  });
  check_near({zeros({2, 3, 3})}, [](const List& in) {
    List out = list_of(linalg::slogdet(in[0]));
    out.push_back(linalg::det(in[0]));
    return out;
  });
}

TEST_CASE("more small matrices than the libraries take in one call") {
  const Tensor a = random_values({65540, 2, 2}, kFloat, 1);
  const auto last = [](const List& all) {
    List some;
    for (const Tensor& t : all) some.push_back(narrow(t, 0, 65530, 10));
    return some;
  };
  check_near({a}, [&](const List& in) { return last(list_of(linalg::cholesky_ex(definite(in[0])))); });
  check_near({a}, [&](const List& in) { return last(list_of(linalg::lu_factor_ex(in[0]))); });
  check_near({a}, [&](const List& in) { return without_gauge("eigh", last(list_of(linalg::eigh(in[0])))); });
  check_near({a}, [&](const List& in) { return without_gauge("svd", last(list_of(linalg::svd(in[0])))); });
}

TEST_CASE("batches of small matrices take one call of a library") {
  if (!emulated) return;
  const Tensor a = definite(random_values({50, 6, 6}, kFloat, 1)).to(kCUDA);
  const auto calls = [](auto f) {
    const int64_t before = emulator::library_calls();
    f();
    return emulator::library_calls() - before;
  };
  CHECK(calls([&] { linalg::cholesky_ex(a); }) == 1);
  CHECK(calls([&] { linalg::lu_factor_ex(a); }) == 1);
  CHECK(calls([&] { linalg::solve_ex(a, a); }) == 2);
  CHECK(calls([&] { linalg::solve_triangular(a, a, true); }) == 1);
  CHECK(calls([&] { linalg::eigh(a); }) == 1);
  CHECK(calls([&] { linalg::svd(narrow(a, -1, 0, 4), false); }) == 1);
  CHECK(calls([&] { linalg::qr(a); }) == 1 + 50);
}

TEST_CASE("errors of the libraries name the op and the function, and the next call goes on") {
  if (!emulated) return;
  const Tensor a = eye(4, TensorOptions(kCUDA)), stack = expand(a, {2, 4, 4});
  const std::string solver = "failed: CUSOLVER_STATUS_NOT_INITIALIZED", blas = "failed: CUBLAS_STATUS_EXECUTION_FAILED";
  emulator::refuse_library_calls(true);
  CHECK_THROWS_WITH(linalg::svd(a), Catch::Matchers::ContainsSubstring("svd: cuSOLVER's gesvdj_bufferSize " + solver));
  CHECK_THROWS_WITH(linalg::cholesky_ex(stack),
                    Catch::Matchers::ContainsSubstring("cholesky_ex: cuSOLVER's potrfBatched " + solver));
  CHECK_THROWS_WITH(linalg::lu_factor_ex(stack),
                    Catch::Matchers::ContainsSubstring("lu_factor_ex: cuBLAS's getrfBatched " + blas));
  emulator::refuse_library_calls(false);
  CHECK(std::get<1>(linalg::svd(a)).cpu().equal(ones({4})));
  CHECK(std::get<0>(linalg::lu_factor_ex(stack)).cpu().equal(stack.cpu()));
}

TEST_CASE("factorizations run on the current stream and are captured") {
  if (!emulated) return;  // which of cuSOLVER's functions take part in a capture is up to its version
  const cuda::StreamGuard guard(cuda::Stream::from_pool());
  Tensor a = definite(random_values({3, 5, 5}, kDouble, 1)).to(kCUDA), x, w, s, q;
  const auto work = [&] {
    x = std::get<0>(linalg::solve_ex(std::get<0>(linalg::cholesky_ex(a)), a));
    w = linalg::eigvalsh(a), s = linalg::svdvals(a), q = std::get<1>(linalg::qr(a));
  };
  work();
  cuda::Graph graph;
  graph.capture(work);
  a.copy_(definite(random_values({3, 5, 5}, kDouble, 2)).to(kCUDA));
  graph.replay();
  const List captured{x.cpu(), w.cpu(), s.cpu(), q.cpu()};
  work();
  const List eager{x.cpu(), w.cpu(), s.cpu(), q.cpu()};
  for (size_t i = 0; i < eager.size(); ++i) CHECK(same_bits(captured[i], eager[i]));
}

}  // namespace strata::test
