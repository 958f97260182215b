// The examples in docstrings of transforms, nests and keys, as they stand there; test_architecture compares.
#include <strata/strata.h>

#include <cmath>

#include "test/catch.h"

namespace strata {
namespace {

TEST_CASE("docstring of vmap") {
  const Tensor x = rand({4, 3}), y = rand({4, 3});
  auto dot = [](Tensor a, Tensor b) { return (a * b).sum(); };
  Tensor rows = vmap(dot)(x, y);                                   // x, y (B, N): (B,)
  Tensor against = vmap(dot, {.in_dims = {0, nullopt}})(x, y[0]);  // each row of x with one of y: (B,)
  Tensor pairs = vmap(vmap(dot, {.in_dims = {nullopt, 0}}), {.in_dims = {0, nullopt}})(x, y);  // (B, B)
  auto noisy = vmap([](Tensor a) { return a + randn({}); }, {.randomness = Randomness::different});
  CHECK(rows.allclose((x * y).sum(1)));
  CHECK(against.allclose(matmul(x, y[0])));
  CHECK(pairs.allclose(matmul(x, y.t())));
  CHECK_FALSE(noisy(zeros({2}))[0].equal(noisy(zeros({2}))[1]));
}

TEST_CASE("docstring of vectorize") {
  const Tensor x = rand({2, 1, 3}), y = rand({4, 3});
  auto dot = vectorize([](Tensor a, Tensor b) { return (a * b).sum(); }, "(n),(n)->()");
  Tensor all = dot(x, y);  // x (2, 1, 3), y (4, 3): (2, 4)
  CHECK(all.allclose((x * y).sum(-1)));
}

TEST_CASE("docstring of value_and_grad") {
  const Tensor x = rand({3});
  auto [value, g] = value_and_grad([](Tensor x) { return (x * x).sum(); })(x);  // g: 2 x
  CHECK(value.equal((x * x).sum()));
  CHECK(g.equal(2 * x));
}

TEST_CASE("docstring of grad") {
  const Tensor x = rand({3}), y = rand({3});
  auto f = [](Tensor x, Tensor y) { return (x * x * y).sum(); };
  Tensor gx = grad(f)(x, y);                                      // 2 x y
  Tensor gy = grad<1>(f)(x, y);                                   // x^2
  std::vector<Tensor> both = grad(f, {.argnums = {0, 1}})(x, y);  // these two
  auto [g, aux] = grad([](Tensor x) { return std::pair(x.sum(), x + 1); }, {.has_aux = true})(x);
  CHECK(gx.allclose(2 * x * y));
  CHECK(gy.allclose(x * x));
  CHECK(both[0].equal(gx));
  CHECK(both[1].equal(gy));
  CHECK(g.equal(ones({3})));
  CHECK(aux.equal(x + 1));
}

TEST_CASE("docstring of vjp") {
  const Tensor a = rand({3}), b = rand({3});
  auto [y, pullback] = vjp([](Tensor a, Tensor b) { return a * b; }, a, b);
  auto [da, db] = pullback(ones_like(y));  // b and a
  CHECK(da.equal(b));
  CHECK(db.equal(a));
}

TEST_CASE("docstring of jvp") {
  const Tensor x = rand({3}), a = rand({3}), b = rand({3}), t = rand({3});
  auto [y, dy] = jvp([](Tensor x) { return sin(x); }, x, t);  // dy: t cos(x)
  auto [z, dz] = jvp([](Tensor a, Tensor b) { return a * b; }, std::tuple(a, b), std::tuple(t, Tensor()));
  CHECK(y.equal(sin(x)));
  CHECK(dy.allclose(t * cos(x)));
  CHECK(z.equal(a * b));
  CHECK(dz.equal(t * b));
}

TEST_CASE("docstrings of Jacobians and Hessians") {
  const Tensor x = rand({3}), v = rand({3}), a = rand({2, 3});
  {
    Tensor j = jacrev([](Tensor x) { return x.square(); })(x);  // x (3,): (3, 3) with 2 x on the diagonal
    CHECK(j.allclose((2 * x).diag()));
  }
  Tensor j = jacfwd<1>([](Tensor a, Tensor x) { return matmul(a, x); })(a, x);  // a (2, 3), x (3,): a
  CHECK(j.equal(a));
  Tensor h = hessian([](Tensor x) { return x.pow(3).sum(); })(x);  // x (3,): (3, 3) with 6 x on the diagonal
  CHECK(h.allclose((6 * x).diag()));
  Tensor hv = hvp([](Tensor x) { return x.pow(3).sum(); }, x, v);  // 6 x v, like x
  CHECK(hv.allclose(6 * x * v));
}

TEST_CASE("docstrings of linearize and linear_transpose") {
  auto [sine, push] = linearize([](Tensor x) { return x.sin(); }, ones({3}));
  Tensor slope = push(ones({3}));  // cos(1), three times
  CHECK(sine.equal(ones({3}).sin()));
  CHECK(slope.equal(ones({3}).cos()));
  auto transpose = linear_transpose([](Tensor x) { return x.cumsum(0); }, ones({3}));
  Tensor counts = transpose(ones({3}));  // 3, 2, 1
  CHECK(counts.equal(tensor({3.f, 2.f, 1.f})));
}

TEST_CASE("docstring of trace") {
  auto program = trace([](Tensor x) { return (2 * x).sum(); })(ones({3}));
  Tensor six = program(ones({3}));
  std::string listing = program.program().str();  // { lambda ; a:f32[3]. let b:f32[3] = mul a 2.0:f32[3] ...
  CHECK(six.item<float>() == 6);
  CHECK_THAT(listing, Catch::Matchers::StartsWith("{ lambda ; a:f32[3]. let\n    b:f32[3] = mul a 2.0:f32[3]\n"));
}

TEST_CASE("docstring of eval_shape") {
  const Tensor x = empty({1 << 20, 1 << 20}, kMeta);
  Tensor like = eval_shape([](Tensor a) { return matmul(a, a.t()).sum(0); }, x);  // (1048576,), no memory
  CHECK(like.is_meta());
  CHECK(like.sizes() == IntArrayRef{1048576});
}

TEST_CASE("docstring of closure_convert") {
  const Tensor w = rand({3});
  auto [converted, captured] = closure_convert([&](Tensor x) { return (x * w).sum(); }, ones({3}));
  Tensor same = converted(ones({3}), captured);  // w.sum(); captured is {w}
  CHECK(same.equal(w.sum()));
  CHECK(captured.size() == 1);
}

TEST_CASE("docstring of custom_vjp") {
  auto clipped = custom_vjp([](Tensor x) { return x; }, [](Tensor x) { return std::pair(x, std::tuple<>()); },
                            [](std::tuple<>, Tensor g) { return clamp(g, -1, 1); });
  CHECK(grad([&](Tensor x) { return (5 * clipped(x)).sum(); })(rand({3})).equal(ones({3})));
}

TEST_CASE("docstring of custom_jvp") {
  auto softplus = custom_jvp([](Tensor x) { return log1p(exp(x)); },
                             [](std::tuple<Tensor> x, std::tuple<Tensor> t) {
                               const Tensor slope = sigmoid(std::get<0>(x));
                               return std::pair(log1p(exp(std::get<0>(x))), slope * std::get<0>(t));
                             });
  CHECK(grad(softplus)(100.0).item<double>() == 1);  // by the chain rule inf / inf
  CHECK(jacfwd(softplus)(scalar_tensor(0.0)).item<double>() == 0.5);
}

TEST_CASE("docstring of checkpoint") {
  const Tensor x = rand({2, 3}), w = rand({3, 3});
  auto block = checkpoint([](Tensor x, Tensor w) { return tanh(matmul(x, w)); });
  Tensor g = grad([&](Tensor v) { return block(x, v).sum(); })(w);  // like w; keeps x and w alone
  CHECK(g.allclose(grad([&](Tensor v) { return tanh(matmul(x, v)).sum(); })(w)));
}

TEST_CASE("docstrings of modules as functions") {
  nn::Linear model(3, 2), other(3, 2);
  const Tensor x = rand({4, 3});
  {
    auto loss = [&](func::StateDict p) { return functional_call(model, p, x).square().sum(); };
    func::StateDict g = grad(loss)(module_state(model).first);  // g["weight"] is like the weight
    model->forward(x).square().sum().backward();
    CHECK(g["weight"].allclose(model->weight.grad()));
  }
  {
    auto [params, buffers] = module_state(model);
    Tensor y = functional_call(model, params, x);  // model->forward(x)
    CHECK(y.equal(model->forward(x)));
    CHECK(buffers.size() == 0);
  }
  auto [params, buffers] = stack_module_state(std::vector{model, other});  // params["weight"]: (2, *weight)
  auto predict = [&](func::StateDict p, Tensor v) { return functional_call(model, p, v); };
  Tensor y = vmap(predict, {.in_dims = {0, nullopt}})(params, x);  // (2, *output)
  CHECK(y[1].allclose(other->forward(x), 1e-5, 1e-6));
  CHECK(buffers.size() == 0);
}

struct Dense {
  Tensor weight, bias;
  auto fields() { return std::tie(weight, bias); }
};

TEST_CASE("docstrings of nests") {
  std::vector<Dense> layers = {{rand({2, 3}), rand({2})}, {rand({1, 2}), rand({1})}}, gradients = layers;
  optim::Adam optimizer(tree::leaves(layers));
  CHECK(optimizer.parameters().size() == 4);
  auto stepped = tree::map([](Tensor p, Tensor g) { return p - 0.1 * g; }, layers, gradients);
  CHECK(stepped[1].bias.allclose(0.9 * layers[1].bias));
  auto [tensors, pattern] = tree::flatten(layers);
  auto same = tree::unflatten(pattern, tensors);
  CHECK(same[1].weight.is_same(layers[1].weight));
  tree::for_each(layers, [](Tensor& t) { t = t.to(kDouble); });
  CHECK(layers[0].bias.dtype() == kDouble);
  const Tensor w = rand({2, 3}), b = rand({2});
  auto [flat, unravel] = tree::ravel(std::pair(w, b));  // w (2, 3), b (2,): flat (8,)
  auto [w2, b2] = unravel(2 * flat);
  CHECK(w2.equal(2 * w));
  CHECK(b2.equal(2 * b));
}

TEST_CASE("docstrings of keys") {
  {
    Tensor keys = random::split(random::key(42), 2);
    Tensor noise = random::normal(keys[0], {3, 4}), order = random::permutation(keys[1], 10);
    CHECK(noise.sizes() == IntArrayRef({3, 4}));
    CHECK(std::get<0>(order.sort()).equal(arange(10)));
  }
  Tensor key = random::key(42);
  Tensor many = random::key(arange(5));  // (5, 2)
  CHECK(many.sizes() == IntArrayRef({5, 2}));
  Tensor keys = random::split(key, 3), grid = random::split(key, {2, 3});  // (3, 2), (2, 3, 2)
  CHECK(keys.sizes() == IntArrayRef({3, 2}));
  CHECK(grid.sizes() == IntArrayRef({2, 3, 2}));
  Tensor of_step = random::fold_in(key, 1000);
  CHECK_FALSE(of_step.equal(key));
  Tensor words = random::bits(key, {4});
  CHECK(words.dtype() == kUInt32);
  Tensor order = random::permutation(key, 10);
  CHECK(std::get<0>(order.sort()).equal(arange(10)));
  const Tensor x = rand({5, 2});
  Tensor shuffled = random::permutation(key, x), columns = random::permutation(key, x, 0, true);
  CHECK(shuffled.sum().item<float>() == Approx(x.sum().item<float>()));
  CHECK(columns.sum(0).allclose(x.sum(0)));
}

TEST_CASE("docstrings of draws") {
  const Tensor key = random::key(0), keys = random::split(key, 3);
  Tensor u = random::uniform(keys, {4}, {.minval = -1});  // keys (3, 2): (3, 4)
  CHECK(u.sizes() == IntArrayRef({3, 4}));
  Tensor z = random::normal(key, {2, 3}, kDouble);
  CHECK(z.dtype() == kDouble);
  Tensor near = random::truncated_normal(key, -2, 2, {5});
  CHECK(near.abs().max().item<float>() < 2);
  Tensor waits = random::exponential(key, {5});
  CHECK(waits.min().item<float>() >= 0);
  Tensor g = random::gumbel(key, {5});
  CHECK(g.sizes() == IntArrayRef({5}));
  Tensor dice = random::randint(key, {10}, 1, 7);
  CHECK(dice.min().item<int>() >= 1);
  CHECK(dice.max().item<int>() <= 6);
  Tensor keep = random::bernoulli(key, 0.9, {5});
  CHECK(keep.dtype() == kBool);
  const Tensor rates = rand({3}), logits = rand({4, 6});
  Tensor spikes = random::bernoulli(key, rates);  // like rates
  CHECK(spikes.sizes() == rates.sizes());
  Tensor drawn = random::choice(key, 10, {3}, false);  // three of 0, ..., 9, each at most once
  CHECK(drawn.sizes() == IntArrayRef({3}));
  Tensor tokens = random::categorical(key, logits);  // logits (B, C): (B,)
  CHECK(tokens.sizes() == IntArrayRef({4}));
}

TEST_CASE("docstrings of functions on ranks") {
  const Tensor x = arange(6, kDouble).reshape({2, 3});
  distributed::run_threads(2, [&](const ProcessGroup&) {
    const DeviceMesh mesh = distributed::init_device_mesh({2}, {"data"});
    using func::P;
    const auto sum = [](Tensor rows) { return func::psum(rows.sum(0), "data"); };
    Tensor total = func::shard_map(sum, mesh, P{"data"}, P{})(x);  // rows of x are divided, the total is for all
    STRATA_CHECK(total.equal(x.sum(0)), "shard_map's sum");
    const auto share = [](Tensor t) { return t / func::psum(t, "i"); };
    Tensor shares = func::pmap(share, {.axis_name = "i"})(x);  // x (W, N) on W ranks: (W, N)
    STRATA_CHECK(shares.equal(x / x.sum(0)), "pmap's shares");
  });
}

}  // namespace
}  // namespace strata
