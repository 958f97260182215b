// The code that docs/control_flow.md and the docstrings of control flow show, as it stands there; test_architecture
// compares.
#include <strata/strata.h>

#include <cmath>
#include <functional>
#include <sstream>

#include "test/catch.h"

namespace strata {
namespace {

TEST_CASE("docs: a power by a loop of unknown length") {
  const auto power = [](Tensor x, Tensor n) {
    using Carry = std::pair<Tensor, Tensor>;
    return while_loop([](Carry c) { return c.first > 0; }, [x](Carry c) { return Carry(c.first - 1, c.second * x); },
                      Carry(n, ones_like(x)))
        .second;
  };
  const auto slope = [power](Tensor x, Tensor n) {
    return jvp(power, std::tuple(x, n), std::tuple(ones_like(x), Tensor())).second;
  };
  const Tensor x = tensor({2.0f, 3.0f, 5.0f}), n = tensor({3, 0, 2});
  CHECK(vmap(power)(x, n).equal(tensor({8.0f, 1.0f, 25.0f})));  // runs until the last is done
  CHECK(vmap(slope)(x, n).equal(tensor({12.0f, 0.0f, 10.0f})));
  CHECK(trace(vmap(slope))(x, n)(x, n).equal(vmap(slope)(x, n)));
}

TEST_CASE("docs: a power by a bounded loop") {
  const auto cube = [](Tensor x) {
    return fori_loop(
        0, 3, [x](Tensor, Tensor p) { return p * x; }, ones_like(x));
  };
  CHECK(trace(grad(cube))(2.0)(scalar_tensor(2.0)).item<double>() == 12);
  CHECK(compile(grad(grad(cube)))(2.0).item<double>() == 12);
}

TEST_CASE("docs: a branch that the data decides") {
  const auto root = [](Tensor x) {
    return cond(
        x > 0, [](Tensor v) { return v.sqrt(); }, [](Tensor v) { return v * 0; }, x);
  };
  CHECK(vmap(grad(root))(tensor({4.0f, 0.0f})).equal(tensor({0.25f, 0.0f})));
  std::ostringstream text;
  text << trace(root)(4.0);
  CHECK(text.str() ==
        "{ lambda ; a:f32[]. let\n"
        "    b:bool[] = gt a 0.0:f32[]\n"
        "    c:i64[] = cast_to_integer[dtype=int64] b\n"
        "    d:f32[] = cond[\n"
        "      branches=(\n"
        "        { lambda ; a:f32[]. let\n"
        "            b:f32[] = mul a 0.0:f32[]\n"
        "          in (b,) }\n"
        "        { lambda ; a:f32[]. let\n"
        "            b:f32[] = sqrt a\n"
        "          in (b,) }\n"
        "      )\n"
        "    ] c a\n"
        "  in (d,) }");
}

TEST_CASE("docs: recursion") {
  const auto fibonacci = [](Tensor n) {
    using Pair = std::pair<Tensor, Tensor>;
    const auto next = [](Tensor, Pair p) { return Pair(p.second, p.first + p.second); };
    return fori_loop(zeros({}, kLong), n, next, Pair(zeros({}, kLong), ones({}, kLong))).first;
  };
  const std::function<Tensor(int, Tensor)> nested_sines = [&](int depth, Tensor x) {
    return depth == 0 ? x : nested_sines(depth - 1, x).sin();
  };
  CHECK(vmap(fibonacci)(arange(10)).equal(tensor({0, 1, 1, 2, 3, 5, 8, 13, 21, 34}).to(kLong)));
  CHECK(nested_sines(3, scalar_tensor(1.0)).allclose(scalar_tensor(std::sin(std::sin(std::sin(1.0))))));
}

TEST_CASE("docs: a recurrent network") {
  const auto loss = [](Tensor w, Tensor xs) {  // w (3, 3), xs (T, 3)
    const auto step = [w](Tensor h, Tensor x) {
      const Tensor next = tanh(matmul(w, h) + x);
      return std::pair(next, next.square().sum());
    };
    return scan(step, zeros({3}), xs).second.sum();
  };
  const Tensor w = eye(3), xs = ones({100, 3});
  CHECK(trace(grad(loss))(w, xs)(w, xs).allclose(grad(loss)(w, xs)));
}

TEST_CASE("docstrings of control flow") {
  auto root = [](Tensor x) {
    return cond(
        x > 0, [](Tensor v) { return v.sqrt(); }, [](Tensor v) { return zeros_like(v); }, x);
  };
  Tensor slopes = vmap(grad(root))(tensor({4.0f, 0.0f}));  // 0.25, 0
  CHECK(slopes.equal(tensor({0.25f, 0.0f})));

  Tensor third =
      switch_(2, std::tuple([](Tensor x) { return x; }, [](Tensor x) { return -x; }, [](Tensor x) { return x * x; }),
              ones({2}) * 3);  // 9, 9
  CHECK(third.equal(full({2}, 9.0)));

  auto [total, sums] = scan([](Tensor sum, Tensor x) { return std::pair(sum + x, sum + x); }, zeros({}),
                            arange(4, kFloat));  // 6 and 0, 1, 3, 6
  CHECK(total.item<double>() == 6);
  CHECK(sums.equal(tensor({0.f, 1.f, 3.f, 6.f})));

  Tensor norms = func::map([](Tensor row) { return row.norm(); }, ones({3, 4}));  // 2, 2, 2
  CHECK(norms.equal(full({3}, 2.0)));

  Tensor products = associative_scan([](Tensor a, Tensor b) { return a * b; }, full({4}, 2.0));  // 2, 4, 8, 16
  CHECK(products.equal(tensor({2.f, 4.f, 8.f, 16.f})));
}

TEST_CASE("docstring of fori_loop") {
  auto power = [](Tensor x) {
    return fori_loop(
        0, 3, [x](Tensor, Tensor p) { return p * x; }, ones_like(x));
  };
  Tensor slope = grad(power)(2.0);  // 12
  CHECK(slope.item<double>() == 12);
}

TEST_CASE("docstring of while_loop") {
  auto power = [](Tensor x, Tensor n) {  // x to the n, for an integer n
    return std::get<1>(while_loop([](std::tuple<Tensor, Tensor> c) { return std::get<0>(c) > 0; },
                                  [x](std::tuple<Tensor, Tensor> c) {
                                    auto [left, product] = c;
                                    return std::tuple(left - 1, product * x);
                                  },
                                  std::tuple(n, ones_like(x))));
  };
  auto [cube, slope] =
      jvp(power, std::tuple(scalar_tensor(2.0), scalar_tensor(3)), std::tuple(scalar_tensor(1.0), Tensor()));  // 8, 12
  CHECK(cube.item<double>() == 8);
  CHECK(slope.item<double>() == 12);
}

}  // namespace
}  // namespace strata
