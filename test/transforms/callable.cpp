// Functions at the door of transforms: one type for a list of parameters, numbers, what can be called, and the options
// that all derivatives share.
#include <strata/strata.h>

#include "test/catch.h"
#include "test/transforms/values.h"

namespace strata {
namespace {

Tensor cube(const Tensor& x) { return x * x * x; }

const auto square_sum = [](Tensor x) { return x.square().sum(); };
const auto sine_sum = [](const Tensor& x) { return x.sin().sum(); };
const auto product = [](Tensor a, Tensor b) { return a * b * b; };

TEST_CASE("transforms of functions with the same parameters are of one type") {
  STATIC_REQUIRE(std::is_same_v<decltype(grad(square_sum)), decltype(grad(sine_sum))>);
  STATIC_REQUIRE(std::is_same_v<decltype(grad(square_sum)), decltype(grad(cube))>);
  using Nest = decltype(vmap(jacfwd(vmap(grad(square_sum)))));
  STATIC_REQUIRE(std::is_same_v<Nest, decltype(vmap(jacfwd(vmap(grad(sine_sum)))))>);
  STATIC_REQUIRE(!std::is_same_v<decltype(grad(square_sum)), decltype(grad(product))>);
  Nest (*const make)(int) = [](int which) {
    return which == 0 ? vmap(jacfwd(vmap(grad(square_sum)))) : vmap(jacfwd(vmap(grad(sine_sum))));
  };
  const Tensor x = rand({2, 3, 4}, kDouble);
  CHECK(make(0)(x).sizes() == IntArrayRef({2, 3, 4, 3, 4}));
  CHECK(make(0)(x)[1][2][3][2][3].item<double>() == 2);
  CHECK(make(1)(x)[1][2][3][2][3].allclose(-x[1][2][3].sin()));
}

TEST_CASE("a transform can be asked what it can be called with") {
  using Derivative = decltype(grad(product));
  STATIC_REQUIRE(std::is_invocable_v<const Derivative&, Tensor, Tensor>);
  STATIC_REQUIRE(std::is_invocable_v<const Derivative&, double, const Tensor&>);
  STATIC_REQUIRE(!std::is_invocable_v<const Derivative&, Tensor>);
  STATIC_REQUIRE(!std::is_invocable_v<const Derivative&, std::tuple<Tensor, Tensor>>);
  STATIC_REQUIRE(!std::is_invocable_v<decltype(vmap(square_sum)), std::string>);
}

TEST_CASE("forward mode over every transform takes tuples of arguments") {
  const auto at = std::tuple(scalar(2), scalar(3)), along = std::tuple(scalar(1), scalar(0.5));
  CHECK(number(jvp(grad(product), at, along).second) == 3);  // d(b b) = 2 b db
  CHECK(number(jvp(grad<1>(product), at, along).second) == 8);
  CHECK(number(jvp(grad(grad<1>(product)), at, along).second) == 1);
  CHECK(number(jvp(jacrev<1>(product), at, along).second) == 8);
  CHECK(number(jvp(vmap(product), std::tuple(ones({1}), ones({1})), std::tuple(ones({1}), ones({1}))).second) == 3);
  CHECK(number(jvp(checkpoint(product), at, along).second) == 15);
  const auto generic = [](const auto& a, const auto& b) { return (a * b * b).sum(); };
  CHECK(number(jvp(grad(generic), at, along).second) == 3);
  const auto of_pair = [](std::pair<Tensor, Tensor> p) { return product(p.first, p.second); };
  CHECK(number(jvp(of_pair, std::pair(scalar(2), scalar(3)), std::pair(scalar(1), scalar(0.5))).second) == 15);
}

TEST_CASE("numbers are tensors where tensors are wanted") {
  CHECK(number(grad(cube)(2.0)) == 12);
  CHECK(number(std::get<1>(grad<0, 1>(product)(2.0, 3.0))) == 12);
  CHECK(number(jvp(cube, 2.0, 1.0).second) == 12);
  CHECK(number(jvp(product, std::tuple(2.0, 3.0), std::tuple(1.0, 0.5)).second) == 15);
  CHECK(number(jacfwd(cube)(2.0)) == 12);
  CHECK(number(jacrev<1>(product)(2.0, 3.0)) == 12);
  CHECK(number(hessian(cube)(2.0)) == 12);
  auto [y, pullback] = vjp(product, 2.0, 3.0);
  CHECK(number(y) == 18);
  CHECK(number(std::get<1>(pullback(ones({})))) == 12);
  CHECK(number(linearize(cube, 2.0).second(ones({}))) == 12);
  CHECK(vmap(product, {.in_dims = {0, nullopt}})(ones({2}), 3.0).equal(full({2}, 9.0)));
  const auto scaled = [](Tensor x, int n) { return x * n; };
  CHECK(number(grad(scaled)(2.0, 3)) == 3);
  CHECK(number(jvp(scaled, std::tuple(scalar(2), 3), std::tuple(scalar(1), 0)).second) == 3);
}

TEST_CASE("which arguments derivatives are taken with respect to") {
  const auto f = [](Tensor x, Tensor y, std::vector<Tensor> z) { return x * y * z[0]; };
  const Tensor x = scalar(2), y = scalar(3);
  const std::vector<Tensor> z = {scalar(5)};
  CHECK(number(jacrev(f, {.argnums = 1})(x, y, z)) == 10);
  CHECK(number(jacfwd(f, {.argnums = -2})(x, y, z)) == 10);
  CHECK(number(jacfwd(f, {.argnums = {0, 1}})(x, y, z)[1]) == 10);
  const auto [by_y, by_z] = jacrev<1, 2>(f)(x, y, z);
  CHECK(number(by_y) == 10);
  CHECK(number(by_z[0]) == 6);
  const auto blocks = hessian(f, {.argnums = {0, 1}})(x, y, z);
  CHECK(number(blocks[0][0]) == 0);
  CHECK(number(blocks[0][1]) == 5);
  CHECK(number(std::get<1>(std::get<0>(hessian<0, 2>(f)(x, y, z)))[0]) == 3);
  CHECK(number(std::get<1>(vjp<0, 1>(f, x, y, z).second(scalar(1)))) == 10);
  CHECK(number(vjp<2>(f, x, y, z).second(scalar(1))[0]) == 6);
  CHECK(number(jvp<1>(f, std::tuple(x, y, z), scalar(2)).second) == 20);
  CHECK(number(jvp<0, 1>(f, std::tuple(x, y, z), std::tuple(scalar(1), scalar(1))).second) == 25);
  CHECK_THROWS_WITH(jacrev(f, {.argnums = 3})(x, y, z), Catch::Matchers::ContainsSubstring("jacrev: argnums has 3"));
  CHECK_THROWS_WITH(jacfwd(f, {.argnums = 2})(x, y, z), Catch::Matchers::ContainsSubstring("jacfwd<2>(f)"));
}

TEST_CASE("aux comes back beside a derivative, and is not differentiated") {
  const auto f = [](Tensor x, Tensor y) { return std::pair(x * y, std::vector{x + y, ones({2})}); };
  const Tensor x = scalar(2), y = scalar(3);
  const auto check = [&](const std::vector<Tensor>& aux) {
    CHECK(number(aux[0]) == 5);
    CHECK(aux[1].equal(ones({2})));
  };
  const auto [rows, aux_of_rows] = jacrev(f, {.has_aux = true})(x, y);
  CHECK(number(rows) == 3);
  check(aux_of_rows);
  const auto [columns, aux_of_columns] = jacfwd(f, {.argnums = {0, 1}, .has_aux = true})(x, y);
  CHECK(number(columns[1]) == 2);
  check(aux_of_columns);
  const auto [second, aux_of_second] = hessian<1>(f, {.has_aux = true})(x, y);
  CHECK(number(second) == 0);
  check(aux_of_second);
  const auto [out, pullback, aux] = vjp(f, {.has_aux = true}, x, y);
  CHECK(number(out) == 6);
  CHECK(number(std::get<0>(pullback(scalar(1)))) == 3);
  check(aux);
  const auto [primal, tangent, aux_of_jvp] =
      jvp(f, std::tuple(x, y), std::tuple(scalar(1), scalar(1)), {.has_aux = true});
  CHECK(number(primal) == 6);
  CHECK(number(tangent) == 5);
  check(aux_of_jvp);
  const auto [each, aux_of_each] = vmap(jacrev(f, {.has_aux = true}))(stack({x, y}), stack({y, x}));
  CHECK(each.equal(stack({y, x})));
  CHECK(aux_of_each[0].equal(full({2}, 5.0, kDouble)));
  // A pair without has_aux is two outputs.
  CHECK(number(jacrev(f)(x, y).second[0]) == 1);
}

TEST_CASE("Jacobians in chunks are those taken at once") {
  const auto f = [](Tensor x) { return std::tuple(x.cumsum(0).sin(), x.sum()); };
  const Tensor x = rand({7}, kDouble);
  const auto rows = tree::leaves(jacrev(f)(x));
  for (int64_t size : {1, 3, 7, 100}) {
    const auto by_rows = tree::leaves(jacrev(f, {.chunk_size = size})(x));
    const auto by_columns = tree::leaves(jacfwd<0>(f, {.chunk_size = size})(x));
    for (size_t i = 0; i < rows.size(); ++i) {
      CHECK(by_rows[i].equal(rows[i]));
      CHECK(by_columns[i].allclose(rows[i], 1e-12, 1e-14));
    }
    CHECK(hessian(square_sum, {.chunk_size = size})(x).equal(2 * eye(7, kDouble)));
  }
  CHECK(std::get<1>(jacrev(f, {.chunk_size = 2})(zeros({0}, kDouble))).sizes() == IntArrayRef({0}));
  CHECK_THROWS_WITH(jacfwd(f, {.chunk_size = 0})(x), Catch::Matchers::ContainsSubstring("jacfwd: chunk_size is 0"));
}

TEST_CASE("integers are constants to vjp and jvp, errors to gradients") {
  const auto f = [](Tensor x, Tensor n) { return x * n; };
  const auto [y, pullback] = vjp(f, scalar(2), scalar_tensor(3, kLong));
  CHECK(number(y) == 6);
  const auto [by_x, by_n] = pullback(scalar(1));
  CHECK(number(by_x) == 3);
  CHECK(!by_n.defined());
  CHECK(number(jvp(f, std::tuple(scalar(2), scalar_tensor(3, kLong)), std::tuple(scalar(1), Tensor())).second) == 3);
  CHECK_THROWS_WITH(grad<1>(f)(scalar(2), scalar_tensor(3, kLong)),
                    Catch::Matchers::ContainsSubstring("only floating point"));
  CHECK_THROWS_WITH(jacrev<1>(f)(scalar(2), scalar_tensor(3, kLong)),
                    Catch::Matchers::ContainsSubstring("jacrev: only floating point"));
}

}  // namespace
}  // namespace strata
