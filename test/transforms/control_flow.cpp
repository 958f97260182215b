// Control flow against values of jax.lax (0.10, float64), eagerly, traced, and with every transform inside and outside
// of trace.
#include <strata/strata.h>

#include <cmath>

#include "test/catch.h"

namespace strata {
namespace {

Tensor doubles(std::initializer_list<double> values) { return tensor(std::vector<double>(values), kDouble); }
bool near(const Tensor& a, const Tensor& b) { return a.sizes() == b.sizes() && a.allclose(b, 1e-12, 1e-12); }

/// A function gives the values, as it stands and as a program, also one that a program is made of.
template <class F, class... X>
void check_values(const F& f, const Tensor& wanted, const X&... x) {
  CHECK(near(f(x...), wanted));
  const auto program = trace(f)(x...);
  CHECK(near(program(x...), wanted));
  CHECK(near(trace(program)(x...)(x...), wanted));
  CHECK(near(compile(f)(x...), wanted));
}

Tensor branches(Tensor x) {
  return cond(
      x > 0, [](Tensor v) { return v.sin() * v; }, [](Tensor v) { return v.exp(); }, x);
}

Tensor chosen(Tensor i, Tensor x) {
  const auto same = [](Tensor v) { return v.clone(); };
  const auto squared = [](Tensor v) { return v * v; };
  const auto cosine = [](Tensor v) { return v.cos(); };
  return switch_(i, std::tuple(same, squared, cosine), x);
}

/// Steps of the 3n + 1 problem.
Tensor collatz(Tensor n) {
  using Carry = std::pair<Tensor, Tensor>;
  return while_loop([](Carry c) { return c.first != 1; },
                    [](Carry c) {
                      const Tensor n = c.first;
                      return Carry(where(n.remainder(2) == 0, n.floor_divide(2), 3 * n + 1), c.second + 1);
                    },
                    Carry(n, zeros({}, kLong)))
      .second;
}

Tensor newton(Tensor a) {
  return while_loop([a](Tensor r) { return (r * r - a).abs() > 1e-12 * a; },
                    [a](Tensor r) { return 0.5 * (r + a / r); }, a);
}
Tensor slope_of_newton(Tensor a) { return jvp(newton, a, ones_like(a)).second; }

struct Rnn {
  func::ScanOptions options;
  Tensor operator()(Tensor w, Tensor h0, Tensor xs) const {
    const auto step = [w](Tensor h, Tensor x) {
      const Tensor next = tanh(matmul(w, h) + x);
      return std::pair(next, (next * next).sum());
    };
    const auto [h, ys] = scan(step, h0, xs, options);
    return (h * arange(1, 4, kDouble)).sum() + (ys * arange(1, 5, kDouble)).sum();
  }
};
const Tensor kW = (arange(9, kDouble).view({3, 3}) - 4) / 10, kXs = (arange(12, kDouble).view({4, 3}) - 5) / 7,
             kH = doubles({0.1, -0.2, 0.3});

/// A scan in a branch in a scan, all of which capture x.
Tensor nested(Tensor x) {
  const auto step = [x](Tensor c, Tensor t) {
    const auto loop = [x](Tensor c) {
      return scan([x](Tensor s, Tensor u) { return std::pair(s * u + x, s); }, c, doubles({0.5, 1.5})).first;
    };
    const Tensor next = cond(
        c < t, loop, [x](Tensor c) { return c.sin() * x; }, c);
    return std::pair(next, next);
  };
  const auto [c, ys] = scan(step, x, doubles({1, 0.2, 3, -1}));
  return c + ys.sum();
}

}  // namespace

TEST_CASE("cond: values and derivatives of jax.lax") {
  const Tensor x = doubles({0.5, -1, 2, 0});
  const Tensor values = doubles({0.2397127693021015, 0.3678794411714423, 1.8185948536513634, 1.0});
  const Tensor slopes = doubles({0.9182168195493894, 0.3678794411714423, 0.0770037537313969, 1.0});
  const Tensor second = doubles({1.515452354478644, 0.3678794411714423, -2.6508885267456486, 1.0});
  for (int64_t i = 0; i < 4; ++i) {
    check_values(branches, values[i], x[i]);
    check_values(grad(branches), slopes[i], x[i]);
    check_values(grad(grad(branches)), second[i], x[i]);
    check_values([](Tensor v) { return jvp(grad(branches), v, ones_like(v)).second; }, second[i], x[i]);
    CHECK(near(grad(trace(grad(branches))(x[i]))(x[i]), second[i]));
  }
  check_values(vmap(branches), values, x);
  check_values(vmap(grad(branches)), slopes, x);
  check_values(vmap(grad(grad(branches))), second, x);
  check_values(grad([](Tensor v) { return vmap(branches)(v).sum(); }), slopes, x);
  check_values(
      [](Tensor v) {
        return jvp(vmap(branches), v, doubles({1, 2, 3, 4})).second;
      },
      slopes * doubles({1, 2, 3, 4}), x);
  CHECK(near(vmap(trace(branches)(x[0]))(x), values));
  CHECK(near(vmap(grad(trace(branches)(x[0])))(x), slopes));
}

TEST_CASE("switch_: clamps, and runs all branches where the index is mapped") {
  const Tensor i = tensor({-3, 0, 1, 2, 9}).to(kLong), x = scalar_tensor(0.7, kDouble);
  const Tensor values = doubles({0.7, 0.7, 0.48999999999999994, 0.7648421872844885, 0.7648421872844885});
  const Tensor slopes = doubles({1, 1, 1.4, -0.644217687237691, -0.644217687237691});
  for (int64_t k = 0; k < 5; ++k) {
    check_values(chosen, values[k], i[k], x);
    check_values(grad<1>(chosen), slopes[k], i[k], x);
  }
  check_values(vmap(chosen, {.in_dims = {0, nullopt}}), values, i, x);
  check_values(vmap(grad<1>(chosen), {.in_dims = {0, nullopt}}), slopes, i, x);
}

TEST_CASE("a branch not taken adds no NaN to gradients") {
  const auto root = [](Tensor x) {
    return cond(
        x > 0, [](Tensor v) { return v.sqrt(); }, [](Tensor v) { return v * 0; }, x);
  };
  const auto sum = [root](Tensor x) { return vmap(root)(x).sum(); };
  const Tensor x = doubles({4, 0}), slopes = doubles({0.25, 0});
  check_values(vmap(grad(root)), slopes, x);
  check_values(grad(sum), slopes, x);
  CHECK(near(grad(trace(sum)(x))(x), slopes));
  Tensor leaf = x.clone().requires_grad_();
  trace(sum)(x)(leaf).backward();
  CHECK(near(leaf.grad(), slopes));
}

TEST_CASE("while_loop: a mapped loop runs until all are done") {
  const Tensor n = tensor({1, 2, 3, 7, 27}).to(kLong);
  const Tensor steps = tensor({0, 1, 7, 16, 111}).to(kLong);
  for (int64_t k = 0; k < 5; ++k) check_values(collatz, steps[k], n[k]);
  check_values(vmap(collatz), steps, n);
  CHECK(vmap(trace(collatz)(n[0]))(n).equal(steps));
  check_values(vmap(vmap(collatz)), stack({steps, steps}), stack({n, n}));
}

TEST_CASE("while_loop: forward mode, mapped and twice") {
  const Tensor a = doubles({2, 9, 0.3});
  const Tensor roots = doubles({1.414213562373095, 3.0, 0.5477225575051661});
  const Tensor slopes = doubles({0.35355339059327373, 0.16666666666666669, 0.9128709291752761});
  const Tensor second = doubles({-0.08838834764831845, -0.009259259259259255, -1.5214515486254032});
  const auto twice = [](Tensor v) { return jvp(slope_of_newton, v, ones_like(v)).second; };
  check_values(newton, roots[0], a[0]);
  check_values(slope_of_newton, slopes[2], a[2]);
  check_values(twice, second[1], a[1]);
  check_values(vmap(newton), roots, a);
  check_values(vmap(slope_of_newton), slopes, a);
  check_values(vmap(twice), second, a);
  check_values([](Tensor v) { return jvp(vmap(newton), v, ones_like(v)).second; }, slopes, a);
  CHECK(near(vmap(grad(newton))(a), slopes));  // eager loops have reverse mode as well
}

TEST_CASE("scan: gradients, second order and batches of jax.lax") {
  const Rnn rnn;
  const Tensor dw =
      doubles({-0.1961931658679256, 0.42994710878434755, 0.22678347362776483, 0.6977597204116446, 0.8674061131096308,
               0.21097232222221962, 1.23188799019741, 0.8464412545357033, -0.20782881518609264})
          .view({3, 3});
  const Tensor dh = doubles({0.3606538619395206, 0.05831464384238021, -0.24402457425476018});
  const Tensor dxs = doubles({-1.0736409850020787, -1.0704923571085134, -0.8792588388608115, 1.0859154733818022,
                              0.3211862585505933, -0.338018917864976, -0.006169292606753885, 1.3168163555912498,
                              2.5730775545873463, 3.384216829294645, 4.288417162676362, 3.5194416444059624})
                         .view({4, 3});
  check_values(rnn, scalar_tensor(10.141339597488475, kDouble), kW, kH, kXs);
  check_values(grad(rnn), dw, kW, kH, kXs);
  check_values(grad<1>(rnn), dh, kW, kH, kXs);
  check_values(grad<2>(rnn), dxs, kW, kH, kXs);
  CHECK(near(grad(trace(rnn)(kW, kH, kXs))(kW, kH, kXs), dw));

  const Tensor hvp =
      doubles({11.599683085135865, 1.3909889757466685, -6.579392603070468, 7.0360844069432025, -1.9030108857620327,
               -8.477372465410173, 0.4595535974226277, -5.291391610109535, -8.863208400494843})
          .view({3, 3});
  const auto forward_over_reverse = [rnn](Tensor w) {
    return jvp([&](Tensor v) { return grad(rnn)(v, kH, kXs); }, w, ones_like(w)).second;
  };
  const auto reverse_over_reverse = [rnn](Tensor w) {
    return grad([&](Tensor v) { return grad(rnn)(v, kH, kXs).sum(); })(w);
  };
  check_values(forward_over_reverse, hvp, kW);
  check_values(reverse_over_reverse, hvp, kW);

  const Tensor hessian_of_h = doubles({-0.022430940178763587, 0.00406682655669574, 0.030564593292155044,
                                       0.004066826556695734, 0.06261812889106678, 0.12116943122543786,
                                       0.030564593292155044, 0.12116943122543782, 0.21177426915872066})
                                  .view({3, 3});
  check_values(hessian([rnn](Tensor h) { return rnn(kW, h, kXs); }), hessian_of_h, kH);

  const Tensor each =
      doubles({0.3606538619395206, 0.05831464384238021, -0.24402457425476018, 0.36918381551795415, 0.08732729182580914,
               -0.19452923186633586, 0.35770736116724583, 0.028825603438055843, -0.30005615429113414})
          .view({3, 3});
  check_values(vmap(grad<1>(rnn), {.in_dims = {nullopt, 0, nullopt}}), each, kW, stack({kH, kH * 2, -kH}), kXs);
  check_values(
      [](Tensor w, Tensor h, Tensor xs) {
        return vmap(Rnn(), {.in_dims = {nullopt, nullopt, 1}})(w, h, xs);
      },
      full({2}, 10.141339597488475, kDouble), kW, kH, stack({kXs, kXs}, 1));
}

TEST_CASE("scan: in reverse") {
  const Rnn rnn{{.reverse = true}};
  const Tensor dw =
      doubles({0.11276038332326685, -1.7995748012969914, -0.6475411920639444, 1.0672140468214784, 0.9029668245932844,
               3.5322869960810355, 0.04768222726307849, 1.3020118729422339, 4.798101346629291})
          .view({3, 3});
  const Tensor dxs = doubles({-0.0730638012266389, 0.838298985223526, 1.958952182289857, -0.9709395687882548,
                              0.49084806867124, 1.9220746250899572, -1.283672238063567, 2.4310820047388897,
                              2.3262037840577503, 3.5322859559104423, 3.704941660408977, 3.368808336122291})
                         .view({4, 3});
  check_values(rnn, scalar_tensor(5.631346197017212, kDouble), kW, kH, kXs);
  check_values(grad(rnn), dw, kW, kH, kXs);
  check_values(grad<2>(rnn), dxs, kW, kH, kXs);
}

TEST_CASE("scan: checkpoints change what is kept, not what is computed") {
  for (const bool reverse : {false, true}) {
    for (const int64_t k : {1, 2, 3, 4, 7}) {
      const Rnn plain{{.reverse = reverse}}, kept{{.reverse = reverse, .checkpoint_every = k}};
      check_values(kept, plain(kW, kH, kXs), kW, kH, kXs);
      check_values(grad(kept), grad(plain)(kW, kH, kXs), kW, kH, kXs);
      check_values(grad<2>(kept), grad<2>(plain)(kW, kH, kXs), kW, kH, kXs);
      check_values(vmap(grad<1>(kept), {.in_dims = {nullopt, 0, nullopt}}),
                   vmap(grad<1>(plain), {.in_dims = {nullopt, 0, nullopt}})(kW, stack({kH, -kH}), kXs), kW,
                   stack({kH, -kH}), kXs);
      Tensor w = kW.clone().requires_grad_(), same = kW.clone().requires_grad_();
      kept(w, kH, kXs).backward();
      plain(same, kH, kXs).backward();
      CHECK(near(w.grad(), same.grad()));
    }
  }
}

TEST_CASE("a scan in a branch in a scan") {
  const Tensor x = doubles({0.3, 1.7, -0.4});
  const Tensor values = doubles({2.6427418512136986, 6.5325918366201705, -11.478125000000002});
  const Tensor slopes = doubles({11.022640023022653, 11.029727255729364, 28.6953125});
  const Tensor second = doubles({4.415251505468482, 27.32399635419146, 0.0});
  check_values(nested, values[0], x[0]);
  check_values(grad(nested), slopes[1], x[1]);
  check_values(grad(grad(nested)), second[0], x[0]);
  check_values(vmap(nested), values, x);
  check_values(vmap(grad(nested)), slopes, x);
  check_values(vmap(grad(grad(nested))), second, x);
  check_values(grad([](Tensor v) { return vmap(nested)(v).sum(); }), slopes, x);
  CHECK(near(vmap(grad(trace(nested)(x[0])))(x), slopes));
  CHECK(trace(vmap(grad(nested)))(x) == trace(vmap(grad(nested)))(x));
}

TEST_CASE("fori_loop: a power and its gradients") {
  const auto power = [](Tensor x) {
    return fori_loop(
        0, 5, [x](Tensor, Tensor p) { return p * x; }, ones_like(x));
  };
  const Tensor x = scalar_tensor(1.3, kDouble);
  check_values(power, scalar_tensor(3.7129300000000014, kDouble), x);
  check_values(grad(power), scalar_tensor(14.280500000000005, kDouble), x);
  check_values(grad(grad(power)), scalar_tensor(43.940000000000005, kDouble), x);
  const auto until = [](Tensor x, Tensor n) {
    return fori_loop(
        zeros({}, kLong), n, [x](Tensor i, Tensor p) { return p * x + i; }, ones_like(x));
  };
  check_values(until, scalar_tensor(1.3 * 1.3 + 1, kDouble), x, scalar_tensor(2, kLong));
  CHECK(fori_loop(
            3, 1, [](Tensor, Tensor p) { return p * 2; }, x)
            .equal(x));
  CHECK(trace([](Tensor v) {
          return fori_loop(
              3, 1, [](Tensor, Tensor p) { return p * 2; }, v);
        })(x)(x)
            .equal(x));
}

TEST_CASE("associative_scan: values and gradients of jax.lax") {
  const auto products = [](Tensor x) { return associative_scan([](Tensor a, Tensor b) { return a * b; }, x); };
  const Tensor x = doubles({1.5, -2, 0.5, 3, -1, 2, 0.25});
  check_values(products, doubles({1.5, -3, -1.5, -4.5, 4.5, 9, 2.25}), x);
  CHECK(near(associative_scan([](Tensor a, Tensor b) { return a * b; }, x, {.reverse = true}),
             doubles({2.25, 1.5, -0.75, -1.5, -0.5, 0.5, 0.25})));
  for (int64_t n : {0, 1, 2, 3, 4, 5, 8, 9, 16, 31}) {
    const Tensor ramp = arange(3 * n, kDouble).view({3, n});
    CHECK(associative_scan([](Tensor a, Tensor b) { return a + b; }, ramp, {.axis = 1}).equal(ramp.cumsum(1)));
  }
  // x_t = a_t x_(t-1) + b_t
  const auto last = [](Tensor a, Tensor b) {
    using Map = std::pair<Tensor, Tensor>;
    const auto after = [](Map l, Map r) { return Map(l.first * r.first, r.first * l.second + r.second); };
    return associative_scan(after, Map(a, b)).second;
  };
  const Tensor a = doubles({0.5, 0.9, -0.3, 1.1, 0.2}), b = doubles({1, 2, 3, 4, 5});
  check_values(last, doubles({1, 2.9, 2.13, 6.343000000000001, 6.2686}), a, b);
  check_values(grad<1>([last](Tensor a, Tensor b) { return (last(a, b) * arange(1, 6, kDouble)).sum(); }),
               doubles({0.5049999999999999, -0.55, 8.5, 5, 5}), a, b);
}

TEST_CASE("map: one element at a time, or batches of them") {
  const auto norms = [](std::optional<int64_t> batch) {
    return [batch](Tensor x) { return func::map([](Tensor r) { return (r * r).sum(); }, x, {.batch_size = batch}); };
  };
  const Tensor x = arange(14, kDouble).view({7, 2}), squares = doubles({1, 13, 41, 85, 145, 221, 313});
  check_values(norms(nullopt), squares, x);
  for (const int64_t batch : {1, 3, 7, 9}) check_values(norms(batch), squares, x);
  const auto total = [norms](Tensor x) { return norms(3)(x).sum(); };
  check_values(grad(total), 2 * x, x);
}

}  // namespace strata
