// linearize and linear_transpose: the derivative as a program that never runs the function again.
#include <strata/strata.h>

#include "test/catch.h"

namespace strata {
namespace {

Tensor halves(int64_t n) { return arange(n, kDouble) + 0.5; }

}  // namespace

TEST_CASE("linearize gives the value and the derivative, and runs the function once") {
  int runs = 0;
  const auto f = [&](Tensor x, Tensor y) {
    ++runs;
    return std::pair((x.sin() * y).sum(), x.exp());
  };
  const Tensor x = halves(3), y = halves(3) * 2;
  const auto [out, push] = linearize(f, x, y);
  CHECK(out.first.equal((x.sin() * y).sum()));
  CHECK(out.second.equal(x.exp()));
  const Tensor dx = ones({3}, kDouble), dy = halves(3);
  for (double scale : {1.0, -2.0}) {
    const auto [a, b] = push(dx * scale, dy * scale);
    const auto expected = jvp([](Tensor u, Tensor v) { return std::pair((u.sin() * v).sum(), u.exp()); },
                              std::tuple(x, y), std::tuple(dx * scale, dy * scale));
    CHECK(a.equal(expected.second.first));
    CHECK(b.equal(expected.second.second));
  }
  CHECK(runs == 1);
  CHECK(push(dx, Tensor()).first.equal((x.cos() * y).sum()));
}

TEST_CASE("the linear program holds what happens to tangents alone") {
  const Tensor x = halves(3);
  const auto [y, push] = linearize([](Tensor v) { return v.sin() * 3; }, x);
  CHECK(push.program().str() ==
        "{ lambda a:f64[3]; b:f64[3]. let\n"
        "    c:f64[3] = mul b a\n"
        "    d:f64[3] = mul c 3.0:f64[3]\n"
        "  in (d,) }");
}

TEST_CASE("linearize of in-place code, modules, random ops and integer arguments") {
  const auto f = [](Tensor x, Tensor index) {
    Tensor y = zeros({3}, kDouble);
    y[0] = x[1] * x[2];
    y.mul_(x);
    return (y + x.index_select(0, index)).sum();
  };
  const Tensor x = halves(3), index = tensor({2, 0, 2});
  const auto [out, push] = linearize(f, x, index);
  CHECK(out.equal(f(x, index)));
  CHECK(push(ones({3}, kDouble), Tensor())
            .equal(jvp(f, std::tuple(x, index), std::tuple(ones({3}, kDouble), Tensor())).second));
  const auto noisy = linearize([](Tensor v) { return v * randn({3}, kDouble); }, x);
  CHECK(noisy.second(x).equal(noisy.first));
  CHECK(noisy.second(x).equal(noisy.first));
}

TEST_CASE("linearize nests: Jacobians by vmap, gradients through it, maps inside maps") {
  const auto f = [](Tensor x) { return x.sin() * x.sum(); };
  const Tensor x = halves(3);
  CHECK(vmap(linearize(f, x).second)(eye(3, kDouble)).t().equal(jacfwd(f)(x)));
  const auto slope = [&](Tensor v) { return linearize(f, v).second(ones({3}, kDouble)).sum(); };
  const auto reference = [&](Tensor v) { return jvp(f, v, ones({3}, kDouble)).second.sum(); };
  CHECK(grad(slope)(x).allclose(grad(reference)(x)));
  CHECK(vmap(slope)(stack({x, x * 2})).allclose(stack({slope(x), slope(x * 2)})));
  CHECK(linearize(grad([&](Tensor v) { return f(v).sum(); }), x)
            .second(ones({3}, kDouble))
            .allclose(hvp([&](Tensor v) { return f(v).sum(); }, x, ones({3}, kDouble))));
  CHECK(trace(slope)(x)(x * 2).equal(slope(x * 2)));
}

TEST_CASE("linear_transpose of a linear function is its adjoint") {
  const Tensor a = randn({2, 3}, kDouble), g = randn({2}, kDouble);
  const auto f = [&](Tensor x) { return a.matmul(x); };
  CHECK(linear_transpose(f, halves(3))(g).allclose(a.t().matmul(g)));
  const auto [dx, dy] =
      linear_transpose([](Tensor x, Tensor y) { return x.cumsum(0) - 2 * y; }, halves(2), halves(2))(g);
  CHECK(dx.allclose(g.flip(0).cumsum(0).flip(0)));
  CHECK(dy.equal(-2 * g));
  const auto map = linearize([](Tensor x) { return x.exp() * x; }, halves(2)).second;
  CHECK(linear_transpose(map, halves(2))(g).allclose(g * halves(2).exp() * (halves(2) + 1)));
}

TEST_CASE("the linear map says when its tangents are wrong") {
  const auto map = linearize([](Tensor x) { return x * x; }, halves(3)).second;
  CHECK_THROWS_WITH(map(halves(4)),
                    "program: input 0 must be f64[3], it is f64[4]: trace again for other shapes and dtypes");
}

}  // namespace strata
