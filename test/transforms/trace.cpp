// trace: the exact text of programs, running them as the function would run, under every transform, and what cannot be
// traced.
#include <strata/strata.h>

#include <sstream>

#include "test/catch.h"
#include "test/error_of.h"
#include "test/transforms/values.h"

namespace strata {
namespace {

template <class Traced>
std::string text(const Traced& traced) {
  std::ostringstream out;
  out << traced;
  return out.str();
}

Tensor sum_of_squares(Tensor x) { return (x * x).sum(); }

const std::string kNoValue =
    ": inside trace a tensor has no value: use where(), cond or while_loop instead of if and loops, or pass what "
    "decides as a plain number";

}  // namespace

TEST_CASE("a program prints as a jaxpr") {
  const auto f = [](Tensor x, Tensor y) { return (2 * x * y).sum(); };
  CHECK(text(trace(f)(ramp(3), ramp(3))) ==
        "{ lambda ; a:f32[3] b:f32[3]. let\n"
        "    c:f32[3] = mul a 2.0:f32[3]\n"
        "    d:f32[3] = mul c b\n"
        "    e:f32[] = sum[dims=(0,) keepdim=False] d\n"
        "  in (e,) }");
  CHECK(text(trace(grad(f))(ramp(3), ramp(3))) ==
        "{ lambda ; a:f32[3] b:f32[3]. let\n"
        "    c:f32[3] = mul 1.0:f32[3] b\n"
        "    d:f32[3] = mul c 2.0:f32[3]\n"
        "  in (d,) }");
  CHECK(text(trace(vmap(f, {.in_dims = {0, nullopt}}))(ones({2, 3}), ramp(3))) ==
        "{ lambda ; a:f32[2,3] b:f32[3]. let\n"
        "    c:f32[2,3] = mul a 2.0:f32[2,3]\n"
        "    d:f32[2,3] = expand[sizes=(2, 3)] b\n"
        "    e:f32[2,3] = mul c d\n"
        "    f:f32[2] = sum[dims=(1,) keepdim=False] e\n"
        "  in (f,) }");
}

TEST_CASE("the example of docs/trace.md") {
  const auto loss = [](Tensor w, Tensor x) { return (x.matmul(w) - 1).square().mean(); };
  const Tensor w = ones({3}), x = ones({4, 3});
  CHECK(text(trace(grad(loss))(w, x)) ==
        "{ lambda ; a:f32[3] b:f32[4,3]. let\n"
        "    c:f32[4] = linear a b\n"
        "    d:f32[4] = sub c 1.0:f32[4]\n"
        "    e:f32[4] = mul d 2.0:f32[4]\n"
        "    f:f32[4] = mul 0.25:f32[4] e\n"
        "    g:f32[3,4] = permute[dims=(1, 0)] b\n"
        "    h:f32[3] = linear f g\n"
        "  in (h,) }");
  const auto program = trace(loss)(w, x);
  CHECK(program(w, x).equal(loss(w, x)));
  CHECK(grad(program)(w, x).equal(grad(loss)(w, x)));
  CHECK(vmap(program, {.in_dims = {nullopt, 0}})(w, ones({8, 4, 3})).equal(full({8}, 4.0)));
  CHECK(program == trace(loss)(w, x));
}

TEST_CASE("constants stand before the semicolon, numbers where they are used, unused outputs are _") {
  const Tensor weight = ramp(3);
  CHECK(text(trace([&](Tensor x) { return std::get<0>((x * weight).sort()).gt(1); })(ramp(3))) ==
        "{ lambda a:f32[3]; b:f32[3]. let\n"
        "    c:f32[3] = mul b a\n"
        "    d:f32[3] _:i64[3] = sort[dim=0 descending=False] c\n"
        "    e:bool[3] = gt d 1.0:f32[3]\n"
        "  in (e,) }");
  CHECK(text(trace([](Tensor x) {
          return std::tuple{x, tensor(true), Tensor(), x.to(kInt) + 7, x.to(kDouble) / 3};
        })(ramp(1))) ==
        "{ lambda ; a:f32[1]. let\n"
        "    b:i32[1] = cast_to_integer[dtype=int32] a\n"
        "    c:i32[1] = add b 7:i32[1]\n"
        "    d:f64[1] = cast[dtype=float64] a\n"
        "    e:f64[1] = div d 3.0:f64[1]\n"
        "  in (a, True:bool[], None, c, e) }");
  CHECK(text(trace([] { return std::vector<Tensor>(); })()) == "{ lambda ; . let\n  in () }");
  CHECK(text(trace([](Tensor x) { return x + (0.1 / 3); })(scalar_tensor(1, kHalf))) ==
        "{ lambda ; a:f16[]. let\n    b:f16[] = add a 0.033325195:f16[]\n  in (b,) }");
  CHECK(text(trace([](Tensor x) { return x + INFINITY; })(scalar_tensor(1, kBFloat16))) ==
        "{ lambda ; a:bf16[]. let\n    b:bf16[] = add a inf:bf16[]\n  in (b,) }");
}

TEST_CASE("variables beyond z are called ba, bb, …") {
  const auto program = trace([](Tensor x) {
    for (int i = 0; i < 27; ++i) x = x.neg();
    return x;
  })(ramp(2));
  CHECK(text(program).find("    ba:f32[2] = neg z\n    bb:f32[2] = neg ba\n  in (bb,) }") != std::string::npos);
}

TEST_CASE("what no output needs is dropped") {
  const auto program = trace([](Tensor x) {
    const Tensor unused = x.exp() * ramp(3);
    return x + 1;
  })(ramp(3));
  CHECK(program.program().equations().size() == 1);
  CHECK(program.program().constants().size() == 1);
}

TEST_CASE("nests go in and come out; plain values are part of the program") {
  using Params = std::map<std::string, Tensor>;
  const auto f = [](const Params& p, std::pair<Tensor, int> x, std::optional<Tensor> bias) {
    Tensor y = x.first.matmul(p.at("w")) * x.second;
    if (bias) y = y + *bias;
    return Params{{"y", y}, {"norm", y.norm()}};
  };
  const Params p{{"w", ones({3, 2})}};
  const auto program = trace(f)(p, std::pair(ones({4, 3}), 5), std::optional<Tensor>());
  const Params got = program(Params{{"w", full({3, 2}, 2.0)}}, {ones({4, 3}), 5}, nullopt);
  CHECK(got.at("y").equal(full({4, 2}, 30.0)));
  const std::string changed =
      "program: a number, a size or a key in the arguments differs from what it was when traced: trace again, or pass "
      "it as a tensor";
  CHECK(error_of([&] { program(p, {ones({4, 3}), 6}, nullopt); }) == changed);
  CHECK(error_of([&] { program(p, {ones({4, 3}), 5}, ones({2})); }) == changed);
  CHECK(error_of([&] { program({{"v", ones({3, 2})}}, {ones({4, 3}), 5}, nullopt); }) == changed);
}

TEST_CASE("inputs must be what was traced") {
  const auto program = trace(sum_of_squares)(ramp(3));
  CHECK(error_of([&] { program(ramp(4)); }) ==
        "program: input 0 must be f32[3], it is f32[4]: trace again for other shapes and dtypes");
  CHECK(error_of([&] { program(ramp(3).to(kDouble)); }) ==
        "program: input 0 must be f32[3], it is f64[3]: trace again for other shapes and dtypes");
  CHECK(error_of([&] { program(Tensor()); }) == "program: input 0 is undefined, it must be f32[3]");
  CHECK(error_of([&] { program.program()({}); }) == "program: 1 inputs are needed, 0 were given");
  const auto none = trace([](Tensor x, Tensor) { return x; })(ramp(3), Tensor());
  CHECK(none(ramp(3), Tensor()).equal(ramp(3)));
  CHECK(error_of([&] { none(ramp(3), ramp(3)); }) ==
        "program: input 1 was undefined when traced, it is f32[3] now: trace again");
}

TEST_CASE("in-place ops and views become equations on values") {
  const auto f = [](Tensor x) {
    Tensor y = zeros({3});
    const Tensor first = y[0];
    y[0] = x[1] * 2;
    y.mul_(x + 1);
    Tensor column = y.view({3, 1});
    column.add_(1);
    y.index_put_({tensor({2})}, x[2]);
    return y * first;
  };
  const auto program = trace(f)(ramp(3));
  CHECK(program(ramp(3) - 5).equal(f(ramp(3) - 5)));
  CHECK(vmap(grad([&](Tensor x) { return program(x).sum(); }))(ramp(6).view({2, 3})).equal(vmap(grad([&](Tensor x) {
    return f(x).sum();
  }))(ramp(6).view({2, 3}))));
  CHECK(text(trace([](Tensor x) {
          Tensor y = x * 1;
          y.mul_(2);
          return y;
        })(ramp(3))) ==
        "{ lambda ; a:f32[3]. let\n"
        "    b:f32[3] = mul a 1.0:f32[3]\n"
        "    c:f32[3] = mul b 2.0:f32[3]\n"
        "  in (c,) }");
}

TEST_CASE("temporaries that change after they were read") {
  const auto masks = [](Tensor x) {
    Tensor mask = zeros({3}), sum = x;
    for (int i = 0; i < 3; ++i) {
      mask[i] = 1;
      sum = sum + x * mask;
    }
    return sum;
  };
  CHECK(trace(masks)(ramp(3))(ramp(3)).equal(masks(ramp(3))));
  const auto counts = [](Tensor x) {
    Tensor n = zeros({}), sum = x;
    for (int i = 0; i < 3; ++i) sum = sum + x * (n += 1);
    return sum;
  };
  CHECK(trace(counts)(ramp(3))(ramp(3)).equal(counts(ramp(3))));
  const auto becomes_traced = [](Tensor x) {
    Tensor y = zeros({3});
    const Tensor before = x + y;
    y[0] = x[2];
    return before * y;
  };
  CHECK(trace(becomes_traced)(ramp(3))(ramp(3)).equal(becomes_traced(ramp(3))));
}

TEST_CASE("results belong to the caller") {
  const auto program = trace([](Tensor x) { return std::pair(zeros({2}), x); })(ramp(2));
  program(ramp(2)).first.add_(1);
  CHECK(program(ramp(2)).first.equal(zeros({2})));
}

TEST_CASE("a program is right for any strides") {
  const auto f = [](Tensor x) { return x.view({6}).view({3, 2}).t().reshape({6}) + x.t().reshape({6}); };
  const Tensor transposed = ramp(6).view({3, 2}).t();
  CHECK(trace(f)(ramp(6).view({2, 3}))(transposed).equal(f(transposed.contiguous())));
  CHECK(trace(f)(transposed)(transposed).equal(f(transposed.contiguous())));
  const auto strided = [](Tensor x) {
    return x.as_strided({2, 2}, {1, 2}, 1) + x.slice(0, 1, 5).view({2, 2}).t().as_strided({2, 2}, {1, 2});
  };
  CHECK(trace(strided)(ramp(6))(ramp(12).slice(0, 0, 12, 2)).equal(strided(ramp(6)) * 2));
}

TEST_CASE("as_strided inside a transform counts from the tensor it is given") {
  const auto tail = [](Tensor x) { return x.slice(0, 2, 6).as_strided({2}, {2}); };
  CHECK(trace(tail)(ramp(6))(ramp(6)).equal(tail(ramp(6))));
  CHECK(jvp(tail, ramp(6), ramp(6)).first.equal(tail(ramp(6))));
  const auto absolute = [](Tensor x) { return x.slice(0, 2, 6).as_strided({2}, {2}, 0); };
  const std::string wanted =
      "as_strided: a view inside a transform knows no storage to count from; leave the offset out, or use slice";
  CHECK(error_of([&] { trace(absolute)(ramp(6)); }) == wanted);
  CHECK(error_of([&] { jvp(absolute, ramp(6), ramp(6)); }) == wanted);
}

TEST_CASE("programs run under every transform, and transforms trace") {
  const auto f = [](Tensor x) { return (x * x * x.sin()).sum(); };
  const Tensor x = ramp(3) + 0.5, batch = ramp(6).view({2, 3});
  const auto program = trace(f)(x);
  CHECK(grad(program)(x).equal(grad(f)(x)));
  CHECK(vmap(program)(batch).equal(vmap(f)(batch)));
  CHECK(vmap(grad(program))(batch).equal(vmap(grad(f))(batch)));
  CHECK(jvp(program, x, ones({3})).second.equal(jvp(f, x, ones({3})).second));
  CHECK(jacrev(program)(x).equal(jacrev(f)(x)));
  CHECK(hessian(program)(x).equal(hessian(f)(x)));
  CHECK(grad([&](Tensor v) { return grad(program)(v).sum(); })(x).equal(
      grad([&](Tensor v) { return grad(f)(v).sum(); })(x)));
  CHECK(trace(grad(f))(x)(batch[1]).equal(grad(f)(batch[1])));
  CHECK(trace(vmap(f))(batch)(batch * 2).equal(vmap(f)(batch * 2)));
  CHECK(trace(vmap(grad(f)))(batch)(batch * 2).equal(vmap(grad(f))(batch * 2)));
  CHECK(trace(hessian(f))(x)(batch[1]).equal(hessian(f)(batch[1])));
  CHECK(trace(jacfwd(f))(x)(batch[1]).equal(jacfwd(f)(batch[1])));
  const auto pushed = [&](Tensor a, Tensor t) { return jvp(f, a, t).second; };
  CHECK(trace(pushed)(x, x)(batch[0], batch[1]).equal(pushed(batch[0], batch[1])));
}

TEST_CASE("inner derivatives of a program do not see outer perturbations") {
  const auto product = trace([](Tensor x, Tensor y) { return x * y * y; })(scalar_tensor(1), scalar_tensor(1));
  const auto f = [&](Tensor x) { return x * grad<1>(product)(x, scalar_tensor(2)); };  // x (2 x 2) = 4 x^2
  CHECK(grad(f)(scalar_tensor(3)).item<float>() == 24);
  CHECK(grad(trace(f)(scalar_tensor(1)))(scalar_tensor(3)).item<float>() == 24);
  CHECK(grad(grad(grad(trace([](Tensor x) { return x * x * x; })(scalar_tensor(1)))))(scalar_tensor(5)).item<float>() ==
        6);
}

TEST_CASE("tracing inside of transforms") {
  const Tensor x = ramp(3), batch = ramp(6).view({2, 3});
  const auto f = [](Tensor v) { return trace([v](Tensor w) { return (w * v).sum() + w[0]; })(v)(v * 2); };
  CHECK(f(x).item<float>() == 10);
  CHECK(grad(f)(x).equal(4 * x + tensor({2.f, 0.f, 0.f})));
  CHECK(vmap(f)(batch).equal((2 * batch * batch).sum(1) + 2 * batch.select(1, 0)));
  CHECK(trace(f)(x)(x + 1).equal(f(x + 1)));
}

TEST_CASE("eager gradients flow through a run, to inputs and to captured tensors") {
  const Tensor x = ramp(3), w = ones({3});
  const auto program = trace([&](Tensor v) { return (v * v * w).sum(); })(x);
  x.requires_grad_();
  w.requires_grad_();
  program(x).backward();
  CHECK(x.grad().equal(2 * ramp(3)));
  const auto again = trace([&](Tensor v) { return (v * v * w).sum(); })(x);
  again(ramp(3)).backward();
  again(ramp(3)).backward();
  CHECK(w.grad().equal(3 * ramp(3) * ramp(3)));
}

TEST_CASE("no gradients flow where the function let none flow") {
  const auto f = [](Tensor x) {
    Tensor scale;
    {
      const NoGradGuard no_grad;
      scale = x * 2;
    }
    return (scale * x + x.detach() * x).sum();
  };
  const auto program = trace(f)(ramp(3));
  CHECK(text(program).find("= mul[no_grad=True] a 2.0:f32[3]\n") != std::string::npos);
  CHECK(grad(program)(ramp(3)).equal(grad(f)(ramp(3))));
  CHECK(trace(grad(f))(ramp(3))(ramp(3)).equal(grad(f)(ramp(3))));
  const auto quiet = [] {
    const NoGradGuard no_grad;
    return trace(sum_of_squares)(ramp(3));
  }();
  CHECK(grad(quiet)(ramp(3)).equal(2 * ramp(3)));
}

TEST_CASE("modules trace; their parameters are held, not copied") {
  const NoGradGuard no_grad;
  nn::Sequential net(nn::Conv2d(nn::Conv2dOptions(1, 2, 3).padding(1)), nn::BatchNorm2d(2), nn::ReLU(),
                     nn::MaxPool2d(2), nn::Flatten(), nn::Linear(8, 3));
  net->eval();
  const Tensor x = randn({2, 1, 4, 4});
  const auto program = trace([&](Tensor v) { return net->forward(v); })(x);
  CHECK(program(x).equal(net->forward(x)));
  nn::Linear linear(3, 2);
  const auto held = trace([&](Tensor v) { return linear->forward(v); })(ones({4, 3}));
  CHECK(text(held) == "{ lambda a:f32[2,3] b:f32[2]; c:f32[4,3]. let\n    d:f32[4,2] = linear c a b\n  in (d,) }");
  linear->weight.add_(1);
  CHECK(held(ones({4, 3})).equal(linear->forward(ones({4, 3}))));
  nn::Conv2d conv(nn::Conv2dOptions(1, 2, 3).stride(2).bias(false));
  CHECK(text(trace([&](Tensor v) { return conv->forward(v); })(x)) ==
        "{ lambda a:f32[2,1,3,3]; b:f32[2,1,4,4]. let\n"
        "    c:f32[2,2,1,1] = convolution[groups=1 input=(1, 4, 4) output=(1, 1, 1) kernel=(1, 3, 3) stride=(1, 2, 2) "
        "padding=(0, 0, 0) dilation=(1, 1, 1)] b a None\n"
        "  in (c,) }");
}

TEST_CASE("training updates captured buffers, which is an error; as arguments they are values") {
  nn::BatchNorm1d norm(3);
  const Tensor x = randn({4, 3});
  CHECK(error_of([&] { trace([&](Tensor v) { return norm->forward(v); })(x); }).find("captured from outside") !=
        std::string::npos);
  const Tensor mean = zeros({3}), var = ones({3});
  const auto f = [](Tensor v, Tensor m, Tensor s) {
    const Tensor y = batch_norm(v, {}, {}, m, s, true, 0.1, 1e-5, true);
    return std::tuple(y, m, s);
  };
  const auto [y, new_mean, new_var] = trace(f)(x, mean, var)(x, mean, var);
  CHECK(mean.equal(zeros({3})));
  const auto expected = f(x, mean, var);
  CHECK(y.equal(std::get<0>(expected)));
  CHECK(new_mean.equal(mean));
  CHECK(new_var.equal(var));
}

TEST_CASE("a training step over a module's state is a program") {
  nn::Sequential net(nn::Linear(3, 4), nn::BatchNorm1d(4), nn::Tanh(), nn::Linear(4, 1));
  const auto [params, buffers] = module_state(net);
  using State = std::decay_t<decltype(params)>;
  const auto loss = [&](const State& p, State b, Tensor x) {
    const Tensor y = functional_call(net, std::pair(p, b), x);
    return std::pair(y.square().mean(), b);
  };
  const auto step = [&](const State& p, const State& b, Tensor x) {
    const auto [gradients, after] = grad(loss, {.has_aux = true})(p, b, x);
    return std::pair(tree::map([](Tensor t, Tensor g) { return t - 0.1 * g; }, p, gradients), after);
  };
  const auto fresh = [&b = buffers] { return tree::map([](const Tensor& t) { return t.clone(); }, b); };
  const Tensor x = randn({5, 3});
  const auto program = trace(step)(params, buffers, x);
  const auto traced_nothing = tree::leaves(buffers);
  CHECK(traced_nothing[0].equal(zeros({4})));
  auto eager = std::pair(params, fresh()), run = eager;
  for (int i = 0; i < 3; ++i) {
    eager = step(eager.first, fresh(), x + i);
    run = program(run.first, fresh(), x + i);
  }
  const auto a = tree::leaves(eager), b = tree::leaves(run);
  REQUIRE(a.size() == 9);
  for (size_t i = 0; i < a.size(); ++i) CHECK(a[i].equal(b[i]));
}

namespace {

struct NoiseParams {
  DimVector sizes;
  uint64_t seed, offset;
  double scale;
};
void noise_kernel(dispatch::Tensors& out, dispatch::Args, const void* params) {
  const auto& p = *static_cast<const NoiseParams*>(params);
  auto* const y = out[0].data_ptr<float>();
  for (int64_t i = 0; i < out[0].numel(); ++i)
    y[i] = static_cast<float>(p.scale * Philox4x32::at(p.seed, i, p.offset).word[0]);
}
constexpr dispatch::Op make_noise_op() {
  dispatch::Op op;
  op.schema = "noise(int[] sizes, int seed, int offset, float scale) -> Tensor";
  op.flags = dispatch::kRandom | dispatch::kNotDifferentiable;
  op.infer = [](dispatch::Args, const void* p) {
    return dispatch::Metas(dispatch::meta(static_cast<const NoiseParams*>(p)->sizes, kFloat, kCPU));
  };
  op.kernels[0] = &noise_kernel;
  return op;
}
constinit dispatch::Op noise_op = make_noise_op();

Tensor noise(IntArrayRef sizes) {
  const Generator::Position at = default_generator().next();
  return dispatch::call1(noise_op, {}, NoiseParams{sizes, at.seed, at.offset, 1e-9});
}

}  // namespace

TEST_CASE("a random op of a user's draws anew in every run too") {
  const auto f = [](Tensor x) { return x + noise({8}); };
  const auto program = trace(f)(ramp(8));
  manual_seed(5);
  const Tensor first = f(ramp(8)), second = f(ramp(8));
  CHECK(!first.equal(second));
  manual_seed(5);
  CHECK(program(ramp(8)).equal(first));
  CHECK(program(ramp(8)).equal(second));
}

TEST_CASE("every run draws anew, as the function would") {
  const auto f = [](Tensor x) {
    const Tensor unused = rand({5});
    return dropout(x, 0.5) + randn({8}) + randint(9, {8}) + empty({8}).uniform_() + randperm(8);
  };
  const auto program = trace(f)(ramp(8));
  CHECK(program.program().equations().front().op->is(dispatch::kRandom));
  CHECK(text(program).find("= normal[sizes=(8,) dtype=float32 device=cpu mean=0.0 std=1.0]\n") != std::string::npos);
  manual_seed(5);
  const Tensor first = f(ramp(8)), second = f(ramp(8));
  manual_seed(5);
  CHECK(program(ramp(8)).equal(first));
  CHECK(program(ramp(8)).equal(second));
  CHECK(trace(f)(ramp(8)) == program);
}

TEST_CASE("functions of keys trace") {
  const auto f = [](Tensor key) {
    return random::uniform(random::split(key)[0], {2}) + random::normal(random::fold_in(key, 3), {2});
  };
  const auto program = trace(f)(random::key(0));
  CHECK(program(random::key(7)).equal(f(random::key(7))));
  const Tensor keys = random::split(random::key(1), 3);
  CHECK(trace(vmap(f))(keys)(keys).equal(vmap(f)(keys)));
}

TEST_CASE("custom rules stay in the program") {
  const auto doubled = custom_vjp([](Tensor x) { return x * x; }, [](Tensor x) { return std::pair(x * x, x); },
                                  [](Tensor x, Tensor g) { return g * x * 100; });
  const auto f = [&](Tensor x) { return doubled(x).sum(); };
  const auto program = trace(f)(ramp(3));
  CHECK(text(program).find("    b:f32[3] = custom[custom_vjp] a\n") != std::string::npos);
  CHECK(program(ramp(3)).equal(sum_of_squares(ramp(3))));
  CHECK(grad(program)(ramp(3)).equal(ramp(3) * 100));
  CHECK(trace(grad(f))(ramp(3))(ramp(3)).equal(ramp(3) * 100));
  const auto saved = trace([](Tensor x) { return checkpoint([](Tensor v) { return v.sin().sum(); })(x); })(ramp(3));
  CHECK(grad(saved)(ramp(3)).equal(ramp(3).cos()));
  CHECK(trace(vmap(doubled))(ramp(3))(ramp(3)).equal(ramp(3).square()));
  CHECK(error_of([&] {
          trace([](Tensor x, Tensor y) { return checkpoint([&](Tensor v) { return v * y; })(x); })(ramp(3), ramp(3));
        }) == "checkpoint: inside trace its function uses a traced tensor that is not its argument; pass it as one");
}

TEST_CASE("programs compare by what they compute") {
  const auto f = [](Tensor x, double by) { return (x * by).sum(0); };
  const auto program = trace(f)(ramp(3), 2.0);
  CHECK(program == trace(f)(ramp(3) + 1, 2.0));
  CHECK(program == trace([](Tensor x, double by) {
          x.exp();
          return (x * by).sum();
        })(ramp(3), 2.0));
  CHECK(!(program == trace(f)(ramp(3), 3.0)));
  CHECK(!(program == trace(f)(ramp(4), 2.0)));
  CHECK(!(program == trace(f)(ramp(3).to(kDouble), 2.0)));
  CHECK(!(program == trace([](Tensor x, double by) { return (x + by).sum(); })(ramp(3), 2.0)));
  CHECK(!(program == trace([](Tensor x, double by) { return (x * by).sum(0, true); })(ramp(3), 2.0)));
  const auto with = [](Tensor w) { return trace([w](Tensor x) { return x * w; })(ramp(3)); };
  CHECK(with(ramp(3)) == with(ramp(3)));
  CHECK(!(with(ramp(3)) == with(ramp(3) + 1)));
}

TEST_CASE("a program draws itself for Graphviz") {
  CHECK(trace([](Tensor x) { return (x * 2).sum(); })(ramp(3)).program().to_dot() ==
        "digraph program {\n"
        "  node [fontname=monospace shape=box];\n"
        "  v0 [label=\"a:f32[3]\" shape=ellipse];\n"
        "  e0 [label=\"mul\"];\n"
        "  v0 -> e0 [label=\"a:f32[3]\"];\n"
        "  c0 [label=\"2.0:f32[3]\" shape=plaintext];\n"
        "  c0 -> e0;\n"
        "  e1 [label=\"sum[dims=(0,) keepdim=False]\"];\n"
        "  e0 -> e1 [label=\"b:f32[3]\"];\n"
        "  out [label=\"out\" shape=ellipse];\n"
        "  e1 -> out [label=\"c:f32[]\"];\n"
        "}\n");
}

TEST_CASE("what cannot be traced says what to do") {
  const Tensor x = ramp(3);
  const auto trace_error = [&](auto f) { return error_of([&] { trace(f)(x); }); };
  CHECK(trace_error([](Tensor v) { return v.sum().item<float>() > 0 ? v : -v; }) == "item" + kNoValue);
  CHECK(trace_error([](Tensor v) { return v.equal(v * 2) ? v : -v; }) == "item" + kNoValue);
  const std::string unknown = ": inside trace the shape of its result is not known: use where() with a mask instead";
  CHECK(trace_error([](Tensor v) { return v.nonzero(); }) == "nonzero" + unknown);
  CHECK(trace_error([](Tensor v) { return v.masked_select(v > 0); }) == "masked_select" + unknown);
  Tensor captured = ones({3});
  CHECK(trace_error([&](Tensor v) { return captured.add_(v); }).find("captured from outside") != std::string::npos);
  CHECK(trace_error([&](Tensor v) {
          const Tensor y = v * captured;
          captured.add_(1);
          return y;
        }) == "trace: a tensor of shape (3,) that the program reads was written to later in place; clone() it first");
  CHECK(trace_error([](Tensor v) { return v.data_ptr<float>()[0] > 0 ? v : -v; }).find("cannot be read") !=
        std::string::npos);
}

TEST_CASE("eval_shape gives shapes and dtypes without values") {
  int runs = 0;
  const auto f = [&](Tensor a, std::pair<Tensor, Tensor> b) {
    ++runs;
    return std::tuple(matmul(a, b.first).sum(0), (b.second > 0).to(kLong), Tensor());
  };
  const Tensor huge = empty({1 << 20, 1 << 20}, kMeta);
  const auto [row, mask, none] = eval_shape(f, huge, std::pair(empty({1 << 20, 7}, kMeta), ramp(3)));
  CHECK(row.is_meta());
  CHECK(row.sizes() == IntArrayRef{7});
  CHECK(row.dtype() == kFloat);
  CHECK(mask.is_meta());
  CHECK(mask.sizes() == IntArrayRef{3});
  CHECK(mask.dtype() == kLong);
  CHECK(!none.defined());
  CHECK(runs == 1);
  const Tensor weight = ones({4, 2});
  CHECK(eval_shape(grad([&](Tensor x) { return matmul(x, weight).sum(); }), ones({3, 4})).sizes() == IntArrayRef{3, 4});
  CHECK(error_of([] { eval_shape([](Tensor x) { return x + ones({2}); }, ones({3})); }).find("broadcast") !=
        std::string::npos);
  CHECK(error_of([] { eval_shape([](Tensor x) { return x.nonzero(); }, ones({3})); }).find("nonzero") !=
        std::string::npos);
}

TEST_CASE("closure_convert makes captured tensors arguments") {
  const Tensor w = ramp(3) + 1, index = tensor({2, 0, 1});
  const auto f = [&](Tensor x, double scale) {
    const Tensor y = x.index_select(0, index) * w * scale;
    return std::pair(y.sum(), y + w);
  };
  const auto [converted, captured] = closure_convert(f, ones({3}), 2.0);
  REQUIRE(captured.size() == 1);
  CHECK(captured[0].is_same(w));
  CHECK(converted(ramp(3), 2.0, captured).second.equal(f(ramp(3), 2.0).second));
  CHECK(converted(ramp(3), 2.0, {2 * w}).first.equal(2 * f(ramp(3), 2.0).first));
  CHECK(error_of([&, &converted = converted, &captured = captured] { converted(ramp(3), 3.0, captured); }) != "");
  // A function with a derivative of its own refuses to capture what is differentiated, and takes it as an argument.
  const auto loss = [](Tensor v) {
    const auto [g, held] = closure_convert([&](Tensor x) { return x * v; }, ones({3}));
    const auto doubled = custom_vjp(
        g, [&g = g](Tensor x, std::vector<Tensor> c) { return std::pair(g(x, c), std::pair(x, c[0])); },
        [](std::pair<Tensor, Tensor> saved, Tensor cotangent) {
          return std::tuple(cotangent * saved.second, std::vector<Tensor>{2 * cotangent * saved.first});
        });
    return doubled(ramp(3), held).sum();
  };
  CHECK(grad(loss)(w).equal(2 * ramp(3)));
}

TEST_CASE("a tensor that outlives its trace is recognised") {
  Tensor escaped;
  trace([&](Tensor x) { return escaped = x * 2; })(ramp(3));
  CHECK(error_of([&] { escaped + 1; }).find("a tensor of a transform (vmap, grad, jvp, …) that is over was used") !=
        std::string::npos);
  const auto inner = [](Tensor x) {
    Tensor kept;
    vmap([&](Tensor v) { return kept = v + 1; })(x);
    return kept;
  };
  const std::string over = "trace: the function uses a tensor of a transform that is over; return it from there";
  CHECK(error_of([&] { trace(inner)(ramp(3)); }) == over);
  CHECK(error_of([&] { trace([&](Tensor) { return escaped; })(ramp(3)); }) == over);
}

TEST_CASE("a changed body becomes a program again") {
  func::Program::Body body = trace([](Tensor x) { return x.exp().sin(); })(ramp(3)).program().body();
  body.outputs = body.equations[0].outputs;
  CHECK(func::Program(body) == trace([](Tensor x) { return x.exp(); })(ramp(3)).program());
}

TEST_CASE("values are freed after their last use") {
  const auto program = trace([](Tensor x) { return x.exp().sin().cos().tanh().sum(); })(ramp(3));
  for (const auto& e : program.program().equations()) CHECK(e.last_uses.size() == 1);
}

}  // namespace strata
