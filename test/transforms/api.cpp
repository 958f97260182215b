// The shape of the API: nests, dims, options, results, and an error that says what to do for each misuse.
#include <strata/strata.h>

#include "test/catch.h"
#include "test/transforms/values.h"

namespace strata {
namespace {

struct ScaledLayer {
  Tensor weight, bias;
  double scale = 1;  // not a tensor: passed through
  auto fields() { return std::tie(weight, bias); }
};

TEST_CASE("vmap over every dim of its arguments and results") {
  const Tensor x = rand({2, 3, 4}), y = rand({4});
  const auto f = [](Tensor a, Tensor b) { return a * 2 + b; };
  for (int64_t d : {0, 1, -1, -3}) {
    const Tensor b = d == 0 || d == -3 || d == 1 ? y : scalar_tensor(1.0);
    const Tensor out = vmap(f, {.in_dims = {d, nullopt}, .out_dims = d})(x, b);
    CHECK(out.allclose(x * 2 + b));
  }
  CHECK(vmap(f, {.in_dims = {nullopt, 0}, .out_dims = 1})(x[0], y).sizes() == IntArrayRef({3, 4, 4}));
  CHECK(vmap([](Tensor a) { return vmap([](Tensor b) { return b.sum(); })(a); })(x).allclose(x.sum(2)));
  CHECK(vmap([](Tensor) { return scalar_tensor(1.0); })(x).equal(ones({2})));
  CHECK(vmap([](Tensor a, int n) { return a * n; })(y, 3).allclose(3 * y));
  CHECK(vmap([](Tensor a) { return a.square().sum(); }, {.chunk_size = 2})(x[0]).allclose(x[0].square().sum(1)));
  CHECK(vmap([](Tensor a) { return std::pair(a, scalar_tensor(7.0)); }, {.out_dims = {0, nullopt}, .chunk_size = 1})(y)
            .second.item<double>() == 7);
}

TEST_CASE("arguments and results are nests of any kind") {
  const Tensor x = rand({3});
  const auto as_vector = grad([](std::vector<Tensor> v) { return (v[0] * v[1]).sum(); })(std::vector{x, 2 * x});
  CHECK(as_vector[0].allclose(2 * x));
  const auto as_map = grad([](std::map<std::string, Tensor> m) { return (m["a"] * m["b"]).sum(); })(
      std::map<std::string, Tensor>{{"a", x}, {"b", 3 * x}});
  CHECK(as_map.at("a").allclose(3 * x));
  const ScaledLayer g =
      grad([](ScaledLayer l) { return (l.weight * l.scale + l.bias).square().sum(); })(ScaledLayer{x, x, 2});
  CHECK(g.weight.allclose(12 * x));
  CHECK(g.bias.allclose(6 * x));
  CHECK(g.scale == 2);
  const auto nested = vmap([](std::tuple<Tensor, std::array<Tensor, 2>> t) {
    return std::map<int, Tensor>{{1, std::get<0>(t)}, {2, std::get<1>(t)[1]}};
  })(std::tuple(x, std::array{x, 2 * x}));
  CHECK(nested.at(2).allclose(2 * x));
  const auto maybe = grad([](Tensor a, std::optional<Tensor> b) { return b ? (a * *b).sum() : a.sum(); });
  CHECK(maybe(x, std::optional<Tensor>()).equal(ones({3})));
  const auto dims = vmap([](std::pair<Tensor, Tensor> p) { return p.first * p.second; }, {.in_dims = {{0, nullopt}}});
  CHECK(dims(std::pair(x, scalar_tensor(2.0))).allclose(2 * x));
}

TEST_CASE("tree functions") {
  const std::map<std::string, std::vector<Tensor>> nest = {{"a", {ones({2}), ones({1, 2})}}, {"b", {zeros({1})}}};
  CHECK(tree::leaves(nest).size() == 3);
  const auto sum = tree::map([](const Tensor& a, const Tensor& b) { return a + b; }, nest, nest);
  CHECK(sum.at("a")[1].equal(full({1, 2}, 2.0)));
  const auto [flat, unravel] = tree::ravel(nest);
  CHECK(flat.sizes() == IntArrayRef({5}));
  CHECK(unravel(flat * 3).at("a")[1].equal(full({1, 2}, 3.0)));
  const auto [tensors, pattern] = tree::flatten(nest);
  CHECK(tree::unflatten(pattern, tensors).at("b")[0].equal(zeros({1})));
  const auto add = [](const Tensor& a, const Tensor& b) { return a + b; };
  const std::vector<Tensor> one(1, ones({2})), two(2, ones({2}));
  CHECK_THROWS_WITH(tree::map(add, two, one), Catch::Matchers::ContainsSubstring("a nest has only 1 tensors"));
  CHECK_THROWS_WITH(tree::map(add, one, two),
                    Catch::Matchers::ContainsSubstring("the first nest has 1 tensors, another 2"));
  CHECK_THROWS_WITH(tree::unflatten(pattern, {}), Catch::Matchers::ContainsSubstring("tensors are needed"));
}

TEST_CASE("which arguments grad differentiates") {
  const auto f = [](Tensor x, Tensor y) { return x * y * y; };
  CHECK(number(grad(f)(scalar(2), scalar(3))) == 9);
  CHECK(number(grad(f, {.argnums = 1})(scalar(2), scalar(3))) == 12);
  CHECK(number(grad<1>(f)(scalar(2), scalar(3))) == 12);
  const std::vector<Tensor> both = grad(f, {.argnums = {0, 1}})(scalar(2), scalar(3));
  CHECK(number(both[0]) == 9);
  CHECK(number(both[1]) == 12);
  const auto [value, g] = value_and_grad(f)(scalar(2), scalar(3));
  CHECK(number(value) == 18);
  CHECK(number(g) == 9);
  const auto with_aux = [&](Tensor x, Tensor y) { return std::pair(f(x, y), std::vector{x + y}); };
  const auto [dx, aux] = grad(with_aux, {.has_aux = true})(scalar(2), scalar(3));
  CHECK(number(dx) == 9);
  CHECK(number(aux[0]) == 5);
  CHECK(grad([](Tensor x) { return x * x; })(3.0).item<float>() == 6);
}

TEST_CASE("vjp can pull many times, jvp pushes") {
  const Tensor x = rand({3}, kDouble);
  const auto f = [](Tensor a, Tensor b) { return std::pair(a * b, b.sum()); };
  const auto [out, pull] = vjp(f, x, 2 * x);
  CHECK(out.first.allclose(2 * x * x));
  for (double by : {1.0, 5.0}) {
    const auto [ga, gb] = pull({full({3}, by, kDouble), Tensor()});
    CHECK(ga.allclose(by * 2 * x));
    CHECK(gb.allclose(by * x));
  }
  const auto [y, t] = jvp(f, std::tuple(x, x), std::tuple(ones_like(x), Tensor()));
  CHECK(t.first.allclose(x));
  CHECK(number(t.second) == 0);
}

TEST_CASE("random numbers inside vmap") {
  const Tensor x = zeros({4, 3});
  const auto noisy = [](Tensor v) { return v + randn({3}); };
  CHECK_THROWS_WITH(vmap(noisy)(x), Catch::Matchers::ContainsSubstring("random inside vmap"));
  const Tensor same = vmap(noisy, {.randomness = Randomness::same})(x);
  CHECK(same[0].equal(same[3]));
  const Tensor different = vmap(noisy, {.randomness = Randomness::different})(x);
  CHECK_FALSE(different[0].equal(different[1]));
  const auto keyed = [](Tensor key) { return random::normal(key, {3}); };
  CHECK(vmap(keyed)(random::split(random::key(0), 4)).sizes() == IntArrayRef({4, 3}));
}

TEST_CASE("vectorize broadcasts over all but the core dims") {
  const auto dot = func::vectorize([](Tensor a, Tensor b) { return (a * b).sum(); }, "(n),(n)->()");
  const Tensor a = rand({2, 1, 3}), b = rand({4, 3});
  CHECK(dot(a, b).allclose((a * b).sum(-1)));
  CHECK(dot(b[0], b[1]).dim() == 0);
  const auto matvec = func::vectorize([](Tensor m, Tensor v) { return matmul(m, v); }, "(n,m),(m)->(n)");
  CHECK(matvec(rand({5, 2, 3}), b[0]).sizes() == IntArrayRef({5, 2}));
  CHECK(func::vectorize([](Tensor v) { return where(v > 0, v, 0); })(b - 0.5).sizes() == b.sizes());
  CHECK_THROWS_WITH(dot(rand({3}), rand({4})),
                    Catch::Matchers::ContainsSubstring("core dim 'n' is 3 and, in argument 1, 4"));
  CHECK_THROWS_WITH(func::vectorize(dot, "n->")(a, b), Catch::Matchers::ContainsSubstring("is not of the form"));
}

TEST_CASE("misuse of vmap") {
  const Tensor x = rand({2, 3});
  const auto twice = [](Tensor a) { return a * 2; };
  const auto add = [](Tensor a, Tensor b) { return a + b; };
  CHECK_THROWS_WITH(vmap(twice, {.in_dims = 2})(x),
                    Catch::Matchers::ContainsSubstring("in_dims has dim 2 for argument 0"));
  CHECK_THROWS_WITH(vmap(twice, {.in_dims = nullopt})(x), Catch::Matchers::ContainsSubstring("no argument is mapped"));
  CHECK_THROWS_WITH(vmap(twice, {.in_dims = {0, 1}})(x),
                    Catch::Matchers::ContainsSubstring("2 entries for 1 arguments"));
  CHECK_THROWS_WITH(vmap(add)(x, rand({3})),
                    Catch::Matchers::ContainsSubstring("mapped sizes differ: 2 in argument 0, 3 in argument 1"));
  CHECK_THROWS_WITH(vmap(twice, {.out_dims = nullopt})(x), Catch::Matchers::ContainsSubstring("out_dims is nullopt"));
  CHECK_THROWS_WITH(vmap(twice, {.out_dims = 5})(x), Catch::Matchers::ContainsSubstring("out_dims"));
  CHECK_THROWS_WITH(vmap([](Tensor a) { return a.sum().item<float>() > 0 ? a : -a; })(x),
                    Catch::Matchers::ContainsSubstring("use where() instead of if"));
  CHECK_THROWS_WITH(vmap([](Tensor a) { return nonzero(a); })(x),
                    Catch::Matchers::ContainsSubstring("would differ between examples"));
  CHECK_THROWS_WITH(vmap([](Tensor a) { return tensor(a.data_ptr<float>()[0]); })(x),
                    Catch::Matchers::ContainsSubstring("cannot be read"));
  CHECK_THROWS_WITH(vmap([](Tensor a) { return a.sum().backward(), a; })(x),
                    Catch::Matchers::ContainsSubstring("does not require grad"));
}

TEST_CASE("misuse of grad and jvp") {
  const Tensor x = rand({2, 3});
  const auto id = [](Tensor a) { return a; };
  CHECK_THROWS_WITH(grad(id)(x), Catch::Matchers::ContainsSubstring("must return a scalar, it returned shape (2, 3)"));
  CHECK_THROWS_WITH(grad(id)(arange(3)),
                    Catch::Matchers::ContainsSubstring("only floating point and complex tensors have gradients"));
  CHECK_THROWS_WITH(grad([](Tensor a) { return a.argmax(); })(x),
                    Catch::Matchers::ContainsSubstring("floating point scalar"));
  CHECK_THROWS_WITH(grad(id, {.argnums = 1})(x), Catch::Matchers::ContainsSubstring("argnums has 1"));
  CHECK_THROWS_WITH(grad([](Tensor a, int) { return a.sum(); }, {.argnums = 1})(x, 3),
                    Catch::Matchers::ContainsSubstring("name it at compile time, grad<1>(f)"));
  CHECK_THROWS_WITH(grad([](Tensor a) { return std::pair(a.sum(), a); })(x),
                    Catch::Matchers::ContainsSubstring("say .has_aux = true"));
  CHECK_THROWS_WITH(grad([](Tensor a) { return a.sum(); }, {.has_aux = true})(x),
                    Catch::Matchers::ContainsSubstring("has_aux is set"));
  CHECK_THROWS_WITH(jvp(id, x, rand({3})), Catch::Matchers::ContainsSubstring("its tangent float32 of shape (3,)"));
  CHECK_THROWS_WITH(jvp([](std::vector<Tensor> v) { return v[0]; }, std::vector{x}, std::vector<Tensor>{}),
                    Catch::Matchers::ContainsSubstring("1 tensors and 0 tangents"));
  CHECK_THROWS_WITH(vjp(id, x).second(rand({3})),
                    Catch::Matchers::ContainsSubstring("its cotangent float32 of shape (3,)"));
}

TEST_CASE("a tensor that escapes its transform is recognised") {
  Tensor escaped;
  vmap([&](Tensor a) { return escaped = a * 2; })(rand({3}));
  CHECK_THROWS_WITH(escaped + 1, Catch::Matchers::ContainsSubstring("transform (vmap, grad, jvp, …) that is over"));
  CHECK_THROWS_WITH(escaped.item(), Catch::Matchers::ContainsSubstring("inside vmap"));
  grad([&](Tensor a) { return escaped = a * 2; })(scalar(1));
  CHECK_THROWS_WITH(escaped * escaped, Catch::Matchers::ContainsSubstring("return it from the function"));
  // A new level does not take it for one of its own.
  CHECK_THROWS_WITH(grad([&](Tensor a) { return a * escaped; })(scalar(1)),
                    Catch::Matchers::ContainsSubstring("that is over"));
}

TEST_CASE("an exception inside a function leaves no level behind") {
  for (int i = 0; i < 3; ++i) {
    CHECK_THROWS_WITH(
        vmap(grad([](Tensor a) -> Tensor { throw std::runtime_error("mine" + std::to_string(a.dim())); }))(rand({3})),
        "mine0");
    CHECK(thread_state.top_layer == nullptr);
    CHECK((rand({2}) + 1).defined());
  }
}

}  // namespace
}  // namespace strata
