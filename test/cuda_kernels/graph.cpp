// CUDA graphs: what is captured, replayed and refused, their memory and their random numbers.
#include <strata/strata.h>

#include "test/catch.h"
#include "test/cuda_kernels/device.h"

namespace strata::test {
namespace {

const TensorOptions kGpu = TensorOptions(kCUDA);

Tensor numbers(IntArrayRef sizes) { return arange(numel_of(sizes), kGpu.dtype(kFloat)).view(sizes) * 0.25; }

}  // namespace

TEST_CASE("a replay reads its inputs and writes its outputs again") {
  Tensor x = numbers({3, 5});
  Tensor y;
  cuda::Graph graph;
  graph.capture([&] {
    const Tensor doubled = x * 2;
    y = (doubled + x).exp();
  });
  for (double value : {0.5, -1.0, 2.0}) {
    x.fill_(value);
    graph.replay();
    CHECK(y.cpu().allclose((x.cpu() * 2 + x.cpu()).exp()));
  }
  x.copy_(numbers({3, 5}).neg());
  graph.replay();
  CHECK(y.cpu().allclose((x.cpu() * 3).exp()));
}

TEST_CASE("capturing runs nothing") {
  Tensor x = ones({4}, kGpu);
  cuda::Graph graph;
  graph.capture([&] { x.add_(1); });
  CHECK(x.cpu().equal(ones({4})));
  graph.replay();
  graph.replay();
  CHECK(x.cpu().equal(full({4}, 3.0)));
}

TEST_CASE("a graph's memory serves nothing else until the graph is reset") {
  Tensor x = ones({1000}, kGpu), y;
  cuda::Graph graph;
  graph.capture([&] { y = (x + 1) * (x + 2); });
  std::vector<Tensor> others;
  for (int i = 0; i < 20; ++i) others.push_back(zeros({1000}, kGpu));
  graph.replay();
  for (const Tensor& t : others) CHECK(t.cpu().equal(zeros({1000})));
  CHECK(y.cpu().equal(full({1000}, 6.0)));
  const Tensor kept = y.clone();
  y.reset();
  graph.reset();
  CHECK(kept.cpu().equal(full({1000}, 6.0)));
  CHECK_THROWS_WITH(graph.replay(), Catch::Matchers::ContainsSubstring("nothing was captured"));
}

TEST_CASE("a graph may end before its outputs") {
  Tensor y;
  {
    const Tensor x = ones({64}, kGpu);
    cuda::Graph graph;
    graph.capture([&] { y = x + 1; });
    graph.replay();
  }
  CHECK(y.cpu().equal(full({64}, 2.0)));
}

TEST_CASE("graphs share a pool") {
  Tensor x = ones({256}, kGpu), a, b;
  cuda::Graph first, second;
  first.capture([&] { a = (x + 1).sqrt(); });
  second.capture([&] { b = a * a; }, first.pool());
  CHECK(second.pool() == first.pool());
  const cuda::MempoolId_t other = cuda::graph_pool_handle();
  CHECK(other != first.pool());
  for (double value : {3.0, 8.0}) {
    x.fill_(value);
    first.replay();
    second.replay();
    CHECK(b.cpu().allclose(full({256}, value + 1)));
  }
  first.reset();
  x.fill_(0);
  second.replay();
  CHECK(b.cpu().allclose(full({256}, 9.0)));
}

TEST_CASE("each replay draws the numbers that the same calls would have drawn") {
  const auto draw = [](Tensor& a, Tensor& b, Tensor& c) {
    a = randn({33}, kGpu);
    b = nn::functional::dropout(ones({100}, kGpu), nn::functional::DropoutFuncOptions().p(0.5));
    c = randint(0, 1000, {17}, kGpu);
  };
  Tensor a, b, c, x, y, z;
  cuda::Graph graph;
  manual_seed(11);
  graph.capture([&] { draw(a, b, c); });
  const Generator::Position start = default_generator().state();
  CHECK(start.offset == 0);
  std::vector<Tensor> eager;
  for (int i = 0; i < 3; ++i) {
    draw(x, y, z);
    eager.insert(eager.end(), {x.clone(), y.clone(), z.clone()});
  }
  const uint64_t after = default_generator().state().offset;
  manual_seed(11);
  for (size_t i = 0; i < 3; ++i) {
    graph.replay();
    CHECK(a.cpu().equal(eager[3 * i].cpu()));
    CHECK(b.cpu().equal(eager[3 * i + 1].cpu()));
    CHECK(c.cpu().equal(eager[3 * i + 2].cpu()));
  }
  CHECK(default_generator().state().offset == after);
  manual_seed(12);
  graph.replay();
  manual_seed(12);
  CHECK(a.cpu().equal(randn({33}, kGpu).cpu()));
}

TEST_CASE("other generators are registered with a graph") {
  Generator generator(5);
  Tensor a;
  cuda::Graph graph;
  CHECK_THROWS_WITH(graph.capture([&] { a = randn({8}, generator, kGpu); }),
                    Catch::Matchers::ContainsSubstring("register_generator_state"));
  CHECK(!cuda::is_current_stream_capturing());
  generator.set_current_seed(5);
  graph.register_generator_state(generator);
  graph.capture([&] { a = randn({8}, generator, kGpu) + randn({8}, kGpu); });
  manual_seed(1);
  graph.replay();
  Generator same(5);
  manual_seed(1);
  CHECK(a.cpu().allclose((randn({8}, same) + randn({8}))));
}

TEST_CASE("what makes the host wait cannot be captured, and says so") {
  const Tensor x = ones({4}, kGpu);
  const auto refused = [](auto f, const char* what) {
    cuda::Graph graph;
    CHECK_THROWS_WITH(graph.capture(f),
                      Catch::Matchers::ContainsSubstring(what) && Catch::Matchers::ContainsSubstring("capture"));
    CHECK(!cuda::is_current_stream_capturing());
    CHECK_THROWS_WITH(graph.replay(), Catch::Matchers::ContainsSubstring("nothing was captured"));
  };
  refused([&] { x.sum().item<float>(); }, "item: ");
  refused([&] { x.cpu(); }, "transfer to the host: ");
  refused([&] { x.nonzero(); }, "nonzero: ");
  refused([&] { cuda::synchronize(); }, "synchronize: ");
  refused([&] { cuda::current_stream().synchronize(); }, "Stream::synchronize: ");
  refused([&] { rand({4}).to(kCUDA); }, "must be pinned");
  refused([&] { manual_seed(3), randn({4}, kGpu); }, "was seeded inside");
  refused([&] { cuda::Graph().capture([] {}); }, "do not nest");
  const Tensor y = x + 1;
  CHECK(y.cpu().equal(full({4}, 2.0)));
}

TEST_CASE("an error inside of a capture leaves the graph empty and the program as it was") {
  const cuda::Stream before = cuda::current_stream();
  const uint64_t offset = default_generator().state().offset;
  cuda::Graph graph;
  Tensor x = ones({4}, kGpu), y;
  CHECK_THROWS_WITH(graph.capture([&] {
    y = randn({4}, kGpu);
    y = x.view({3});
  }),
                    Catch::Matchers::ContainsSubstring("view"));
  CHECK(cuda::current_stream() == before);
  CHECK(default_generator().state().offset == offset);
  graph.capture([&] { y = x + 1; });
  CHECK_THROWS_WITH(graph.capture([&] { y = x + 1; }), Catch::Matchers::ContainsSubstring("reset()"));
  graph.replay();
  CHECK(y.cpu().equal(full({4}, 2.0)));
}

TEST_CASE("capturing by hand, with a second stream that joins") {
  const cuda::Stream stream = cuda::Stream::from_pool(), side = cuda::Stream::from_pool();
  Tensor x = ones({16}, kGpu), y, z;
  cuda::Graph graph;
  CHECK_THROWS_WITH(graph.capture_begin(), Catch::Matchers::ContainsSubstring("default stream"));
  CHECK_THROWS_WITH(graph.capture_end(), Catch::Matchers::ContainsSubstring("does not capture"));
  cuda::Event made;
  made.record();
  {
    const cuda::StreamGuard guard(stream);
    made.block();
    graph.capture_begin();
    y = x + 1;
    cuda::Event fork(false), join(false);
    fork.record(stream);
    {
      const cuda::StreamGuard other(side);
      fork.block(side);
      z = y * 3;
      join.record(side);
    }
    join.block(stream);
    z.add_(y);
    graph.capture_end();
  }
  x.fill_(4);
  graph.replay();
  CHECK(z.cpu().equal(full({16}, 20.0)));
}

TEST_CASE("copies from and to pinned memory are captured") {
  if (!cuda::is_available()) return;
  Tensor in = cuda::empty_pinned({8}), out = cuda::empty_pinned({8}), x = zeros({8}, kGpu);
  CHECK(in.is_pinned());
  CHECK(!x.is_pinned());
  CHECK(rand({3}).pin_memory().is_pinned());
  cuda::Graph graph;
  graph.capture([&] {
    x.copy_(in, true);
    x.mul_(2);
    out.copy_(x, true);
  });
  for (double value : {1.0, 5.0}) {
    in.fill_(value);
    graph.replay();
    cuda::synchronize();
    CHECK(out.equal(full({8}, 2 * value)));
  }
}

TEST_CASE("a training step as one graph") {
  const auto make = [] {
    manual_seed(3);
    return std::pair(randn({4, 6}, kGpu).requires_grad_(), randn({6}, kGpu).requires_grad_());
  };
  const auto loss_of = [](const Tensor& w, const Tensor& v, const Tensor& x) {
    return ((x.unsqueeze(1) * w).sum(2).tanh().sum(1) - v.sum()).square().sum();
  };
  const Tensor x = numbers({5, 6});
  auto [w, v] = make();
  auto [w2, v2] = make();
  const auto step = [&](Tensor& a, Tensor& b) {
    const Tensor loss = loss_of(a, b, x);
    const auto grads = autograd::grad({loss}, {a, b});
    const NoGradGuard guard;
    a.sub_(grads[0] * 0.01);
    b.sub_(grads[1] * 0.01);
    return loss;
  };
  cuda::Graph graph;
  Tensor loss;
  graph.capture([&] { loss = step(w, v); });
  for (int i = 0; i < 5; ++i) {
    graph.replay();
    const Tensor expected = step(w2, v2);
    CHECK(loss.detach().cpu().equal(expected.detach().cpu()));
  }
  CHECK(w.detach().cpu().equal(w2.detach().cpu()));
}

namespace {

/// Two layers' parameters without a matrix product, and a loss with noise.
struct Model {
  Tensor w = randn({4, 6}, kGpu).mul(0.5).requires_grad_(), v = randn({4}, kGpu).requires_grad_();
  Tensor loss(const Tensor& x) const {
    const Tensor hidden = (x.unsqueeze(1) * w).sum(2).tanh();
    return (nn::functional::dropout(hidden, nn::functional::DropoutFuncOptions().p(0.25)) * v).sum(1).square().mean();
  }
  std::vector<Tensor> parameters() const { return {w, v}; }
};

template <class Optimizer, class Options>
void check_training(const Options& options) {
  const Tensor x = numbers({5, 6});
  const auto step = [&](const Model& model, Optimizer& optimizer) {
    optimizer.zero_grad();
    const Tensor loss = model.loss(x);
    loss.backward();
    optimizer.step();
    return loss.detach();
  };
  manual_seed(4);
  const Model captured;
  manual_seed(4);
  const Model eager;
  Optimizer of_captured(captured.parameters(), options), of_eager(eager.parameters(), options);
  manual_seed(7);
  step(captured, of_captured);
  cuda::Graph graph;
  Tensor loss;
  graph.capture([&] { loss = step(captured, of_captured); });
  std::vector<Tensor> losses;
  for (int i = 0; i < 6; ++i) {
    graph.replay();
    losses.push_back(loss.cpu());
  }
  manual_seed(7);
  step(eager, of_eager);
  for (int i = 0; i < 6; ++i) CHECK(losses[static_cast<size_t>(i)].equal(step(eager, of_eager).cpu()));
  CHECK(captured.w.detach().cpu().equal(eager.w.detach().cpu()));
  CHECK(captured.v.detach().cpu().equal(eager.v.detach().cpu()));
}

}  // namespace

TEST_CASE("captured training with dropout gives the bits of eager training") {
  check_training<optim::Adam>(optim::AdamOptions(0.05).capturable(true));
  check_training<optim::Adam>(optim::AdamOptions(0.05).capturable(true).amsgrad(true).weight_decay(0.1));
  check_training<optim::AdamW>(optim::AdamWOptions(0.05).capturable(true));
  check_training<optim::SGD>(optim::SGDOptions(0.1).momentum(0.9).nesterov(true));
  check_training<optim::SGD>(optim::SGDOptions(0.1));
  check_training<optim::SGD>(optim::SGDOptions(0.1).momentum(0.9).capturable(true));
  check_training<optim::RMSprop>(optim::RMSpropOptions(0.01));
  check_training<optim::RMSprop>(optim::RMSpropOptions(0.01).centered(true).momentum(0.5).capturable(true));
  check_training<optim::Adagrad>(optim::AdagradOptions(0.01));
  check_training<optim::Adagrad>(optim::AdagradOptions(0.01).lr_decay(0.1).capturable(true));
}

namespace {

/// Captured steps under a schedule against eager ones: bit by bit where both read the device's numbers, and closely
/// against those with the host's.
template <class Optimizer, class Options>
void check_schedule(const Options& options) {
  const auto make = [](int64_t n) {
    Tensor p = numbers({n}).requires_grad_();
    p.mutable_grad() = numbers({n}).sub(0.3);
    return p;
  };
  const auto params = [&] { return std::vector<Tensor>{make(3), make(9)}; };
  const std::vector<Tensor> a = params(), b = params(), c = params();
  Optimizer captured(a, Options(options).capturable(true)), eager(b, Options(options).capturable(true)),
      by_host(c, options);
  optim::StepLR slower(captured, 2, 0.1), eager_slower(eager, 2, 0.1), host_slower(by_host, 2, 0.1);
  captured.step();
  eager.step();
  by_host.step();
  cuda::Graph graph;
  graph.capture([&] { captured.step(); });
  for (int i = 0; i < 5; ++i) {
    graph.replay();
    slower.step();
    eager.step();
    eager_slower.step();
    by_host.step();
    host_slower.step();
    for (size_t k = 0; k < a.size(); ++k) {
      CHECK(a[k].detach().cpu().equal(b[k].detach().cpu()));
      CHECK(a[k].detach().cpu().allclose(c[k].detach().cpu(), 1e-6, 1e-7));
    }
  }
}

}  // namespace

TEST_CASE("captured steps follow a schedule of the learning rate") {
  check_schedule<optim::SGD>(optim::SGDOptions(0.1));
  check_schedule<optim::SGD>(optim::SGDOptions(0.1).momentum(0.9).nesterov(true).weight_decay(0.1));
  check_schedule<optim::Adam>(optim::AdamOptions(0.1));
  check_schedule<optim::AdamW>(optim::AdamWOptions(0.1).amsgrad(true));
  check_schedule<optim::RMSprop>(optim::RMSpropOptions(0.1));
  check_schedule<optim::RMSprop>(optim::RMSpropOptions(0.1).momentum(0.5));
  check_schedule<optim::Adagrad>(optim::AdagradOptions(0.1).lr_decay(0.3));
}

TEST_CASE("a captured step follows what is assigned to its learning rate") {
  const Tensor grad = ones({3}, kGpu);
  Tensor p = zeros({3}, kGpu).clone().requires_grad_();
  p.mutable_grad() = grad;
  optim::SGD optimizer({p}, optim::SGDOptions(0.5).capturable(true));
  optimizer.step();
  cuda::Graph graph;
  graph.capture([&] { optimizer.step(); });
  auto& options = static_cast<optim::SGDOptions&>(optimizer.param_groups()[0].options());
  double expected = -0.5;
  for (const double lr : {0.25, 0.125, 0.125, 2.0}) {
    options.lr() = lr;
    graph.replay();
    expected -= lr;
    CHECK(p.detach().cpu().equal(full({3}, expected)));
  }
  options.lr() *= 0.5;
  graph.replay();
  CHECK(p.detach().cpu().equal(full({3}, expected - 1)));
}

TEST_CASE("captured steps of RMSprop and Adagrad are counted") {
  Tensor p = ones({3}, kGpu).requires_grad_(), q = ones({3}, kGpu).requires_grad_();
  p.mutable_grad() = q.mutable_grad() = ones({3}, kGpu);
  optim::RMSprop rmsprop({p}, optim::RMSpropOptions().capturable(true));
  optim::Adagrad adagrad({q}, optim::AdagradOptions().lr_decay(0.1));
  cuda::Graph graph;
  rmsprop.step();
  adagrad.step();
  CHECK_THROWS_WITH(graph.capture([&] { adagrad.step(); }),
                    Catch::Matchers::ContainsSubstring("set the option capturable"));
  static_cast<optim::AdagradOptions&>(adagrad.param_groups()[0].options()).capturable(true);
  adagrad.step();
  graph.capture([&] { rmsprop.step(), adagrad.step(); });
  for (int i = 0; i < 4; ++i) graph.replay();
  const auto& first = static_cast<const optim::RMSpropParamState&>(*rmsprop.state().at(p.unsafeGetTensorImpl()));
  const auto& second = static_cast<const optim::AdagradParamState&>(*adagrad.state().at(q.unsafeGetTensorImpl()));
  CHECK(first.step() == 5);
  CHECK(second.step() == 6);
}

TEST_CASE("a captured step of Adam counts on the device and follows the learning rate") {
  const Tensor grad = ones({3}, kGpu);
  const auto make = [&] {
    Tensor p = zeros({3}, kGpu).clone().requires_grad_();
    p.mutable_grad() = grad;
    return p;
  };
  Tensor p = make(), q = make();
  optim::Adam captured({p}, optim::AdamOptions(0.1).capturable(true)), eager({q}, optim::AdamOptions(0.1));
  cuda::Graph graph;
  CHECK_THROWS_WITH(graph.capture([&] { captured.step(); }),
                    Catch::Matchers::ContainsSubstring("take a step before the capture"));
  captured.step();
  eager.step();
  CHECK_THROWS_WITH(graph.capture([&] { eager.step(); }), Catch::Matchers::ContainsSubstring("capturable"));
  graph.capture([&] { captured.step(); });
  optim::StepLR slower(captured, 2, 0.1), eager_slower(eager, 2, 0.1);
  for (int i = 0; i < 5; ++i) {
    graph.replay();
    slower.step();
    eager.step();
    eager_slower.step();
    CHECK(p.detach().cpu().allclose(q.detach().cpu(), 1e-6, 1e-7));
  }
  const auto& state = static_cast<const optim::AdamParamState&>(*captured.state().at(p.unsafeGetTensorImpl()));
  CHECK(state.step() == 6);
  std::stringstream file;
  save(captured, file);
  optim::Adam resumed({make()}, optim::AdamOptions(0.1));
  load(resumed, file);
  const Tensor& param = resumed.param_groups()[0].params()[0];
  CHECK(static_cast<const optim::AdamParamState&>(*resumed.state().at(param.unsafeGetTensorImpl())).step() == 6);
}

}  // namespace strata::test
