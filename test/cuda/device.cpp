// Everything above kernels on a CUDA device: a real one where there is one, else the stand-in.
#include <strata/strata.h>

#include "test/catch.h"
#include "test/cuda_stand_in.h"

namespace strata {
namespace {

/// Makes the stand-in the device before the first test, where no GPU is.
[[maybe_unused]] const test::StandIn* const installed = test::stand_in();

Tensor on_gpu(const Tensor& t) { return t.to(kCUDA); }

TEST_CASE("tensors move to the device and back") {
  const Tensor x = rand({3, 4});
  const Tensor y = on_gpu(x);
  CHECK(y.is_cuda());
  CHECK(y.device() == Device("cuda:0"));
  CHECK(y.cpu().equal(x));
  CHECK(y.to(kCUDA).is_same(y));
  CHECK(on_gpu(x.t()).cpu().equal(x.t()));
  CHECK(y.to("cpu", kDouble).dtype() == kDouble);
  CHECK(y[1][2].item<float>() == x[1][2].item<float>());
}

TEST_CASE("16-bit norms on the device are the CPU's and give back the type of their input, under autocast too") {
  const auto run = [](Tensor x, const Tensor& w, const Tensor& b) {
    const Tensor leaf = x.detach().requires_grad_(true), weight = w.detach().requires_grad_(true);
    const Tensor rows = layer_norm(leaf, {6}, weight, b), batch = batch_norm(leaf, weight, b, {}, {}, true, 0.1, 1e-5);
    std::vector<Tensor> all = autograd::grad({rows.mul(batch)}, {leaf, weight}, {ones_like(leaf)});
    all.push_back(rows.detach()), all.push_back(batch.detach());
    return all;
  };
  manual_seed(3);
  const Tensor w = rand({6}), b = rand({6});
  for (const DType dtype : {kHalf, kBFloat16, kFloat})
    for (const bool autocast : {false, true}) {
      const Tensor x = randn({5, 6}).to(dtype);
      const auto here = run(x, w, b);
      const AutocastGuard guard(kCUDA, kBFloat16, autocast);
      const auto there = run(on_gpu(x), on_gpu(w), on_gpu(b));
      for (size_t i = 0; i < here.size(); ++i) {
        CHECK(there[i].dtype() == (i == 1 ? kFloat : dtype));
        CHECK(allclose(there[i].cpu().to(kFloat), here[i].to(kFloat), 2e-2, 2e-2));
      }
    }
}

TEST_CASE("tensors are made on the device") {
  const TensorOptions gpu = TensorOptions(kCUDA);
  for (const Tensor& t : {zeros({3}, gpu), ones({3}, gpu), full({3}, 2.0, gpu), arange(3, gpu), rand({3}, gpu),
                          randn({3}, gpu), eye(3, gpu), linspace(0, 1, 3, gpu), randint(5, {3}, gpu), randperm(3, gpu),
                          tensor({1.0, 2.0, 3.0}, gpu), empty_like(zeros({3}, gpu)), zeros({3}).to(kCUDA)}) {
    CHECK(t.device() == Device("cuda:0"));
  }
  CHECK(arange(3, gpu).cpu().equal(arange(3)));
}

TEST_CASE("the same random numbers on every device") {
  manual_seed(5);
  const Tensor a = randn({1000});
  manual_seed(5);
  CHECK(randn({1000}, TensorOptions(kCUDA)).cpu().equal(a));
  CHECK(random::normal(random::key(3).to(kCUDA), {100}).cpu().equal(random::normal(random::key(3), {100})));
}

TEST_CASE("results are on the device of the inputs, whatever constants a function makes") {
  const Tensor x = rand({4, 6}) + 0.1, g = on_gpu(x);
  for (const auto& [name, f] : std::vector<std::pair<const char*, Tensor (*)(const Tensor&)>>{
           {"arithmetic", [](const Tensor& t) { return 2 - t * 3 / (t + 1) + pow(t, 2); }},
           {"comparison", [](const Tensor& t) { return where(t > 0.5, t, 0); }},
           {"softmax", [](const Tensor& t) { return softmax(t, -1).log(); }},
           {"norm", [](const Tensor& t) { return layer_norm(t, {6}) + t.norm() + t.std(); }},
           {"index", [](const Tensor& t) { return t.index({indexing::Slice(1, 3), indexing::Ellipsis, 2}); }},
           {"cat", [](const Tensor& t) { return cat({t, t.flip({0})}).cumsum(0); }},
           {"matmul", [](const Tensor& t) { return matmul(t, t.t()).tril(); }},
           {"sort", [](const Tensor& t) { return std::get<0>(t.sort(1)); }},
           {"one_hot", [](const Tensor& t) { return nn::functional::one_hot(t.argmax(1), 6).to(kFloat); }},
           {"masked", [](const Tensor& t) { return t.masked_fill(t.lt(0.3), 7).masked_select(t > 0.2); }},
           {"pad", [](const Tensor& t) {
              return nn::functional::pad(t, nn::functional::PadFuncOptions({1, 2}));
            }}}) {
    INFO(name);
    const Tensor there = f(g);
    CHECK(there.is_cuda());
    CHECK(there.cpu().allclose(f(x), 1e-5, 1e-6));
  }
}

TEST_CASE("devices do not mix, but numbers and 0-dim CPU tensors do") {
  const Tensor x = rand({3}), g = on_gpu(x);
  CHECK_THROWS_WITH(x + g, Catch::Matchers::ContainsSubstring("different devices"));
  CHECK_THROWS_WITH(matmul(x, g), Catch::Matchers::ContainsSubstring("different devices"));
  CHECK_THROWS_WITH(cat({x, g}), Catch::Matchers::ContainsSubstring("different devices"));
  CHECK_THROWS_WITH(g.clone().addcmul_(g, x), Catch::Matchers::ContainsSubstring("different devices"));
  CHECK_THROWS_WITH(lerp(x, g, x), Catch::Matchers::ContainsSubstring("different devices"));
  CHECK_THROWS_WITH(where(x > 0, x, g), Catch::Matchers::ContainsSubstring("different devices"));
  CHECK((g * scalar_tensor(2.0)).is_cuda());
  CHECK_THROWS_WITH(zeros({2}, TensorOptions(Device("cuda:99"))), Catch::Matchers::ContainsSubstring("CUDA devices"));
}

TEST_CASE("autograd, transforms and a training step on the device") {
  manual_seed(2);
  nn::Sequential model(nn::Linear(6, 16), nn::Tanh(), nn::BatchNorm1d(16), nn::Dropout(0.1), nn::Linear(16, 3));
  model->to(Device(kCUDA));
  for (const Tensor& p : model->parameters()) CHECK(p.is_cuda());
  optim::AdamW optimizer(model->parameters(), optim::AdamWOptions(1e-2));
  const Tensor x = on_gpu(rand({32, 6})), y = on_gpu(randint(3, {32}));
  float first = 0, last = 0;
  for (int step = 0; step < 30; ++step) {
    optimizer.zero_grad();
    const Tensor loss = nn::functional::cross_entropy(model->forward(x), y);
    loss.backward();
    optimizer.step();
    last = loss.item<float>();
    if (step == 0) first = last;
  }
  CHECK(last < 0.8f * first);
  const auto f = [](const Tensor& w, const Tensor& row) { return tanh(matmul(w, row)).square().sum(); };
  const Tensor w = on_gpu(rand({4, 6}));
  const Tensor each = vmap(grad(f), {.in_dims = {nullopt, 0}})(w, x);
  CHECK(each.is_cuda());
  CHECK(each.cpu().allclose(vmap(grad(f), {.in_dims = {nullopt, 0}})(w.cpu(), x.cpu()), 1e-4, 1e-5));
  CHECK(hessian([&](const Tensor& v) { return f(w, v); })(x[0]).is_cuda());
  CHECK(trace([](const Tensor& v) { return sin(v) * 2; })(x)(x).cpu().allclose(sin(x.cpu()) * 2));
}

TEST_CASE("saving and loading tensors of the device") {
  const Tensor g = on_gpu(rand({3, 2}));
  std::stringstream file;
  save(g, file);
  Tensor back;
  load(back, file);
  CHECK(back.cpu().equal(g.cpu()));
}

TEST_CASE("streams, events and guards") {
  const cuda::Stream side = cuda::Stream::from_pool();
  const cuda::Stream before = cuda::current_stream();
  {
    const cuda::StreamGuard guard(side);
    CHECK(cuda::current_stream() == side);
  }
  CHECK(cuda::current_stream() == before);
  cuda::Event a, b;
  a.record();
  b.record();
  b.synchronize();
  CHECK(a.elapsed_time(b) >= 0);
  cuda::synchronize();
  CHECK_THROWS_WITH(cuda::Event().elapsed_time(b), Catch::Matchers::ContainsSubstring("recorded"));
  if (cuda::device_count() < 2) return;
  const cuda::DeviceGuard second(Device("cuda:1"));
  CHECK(zeros({1}, kCUDA).device() == Device("cuda:1"));
}

TEST_CASE("memory is counted, given back, and running out of it is survived") {
  const int64_t before = cuda::memory_stats().allocated;
  {
    const Tensor t = zeros({1 << 20}, kCUDA);
    CHECK(cuda::memory_stats().allocated >= before + (4 << 20));
  }
  CHECK(cuda::memory_stats().allocated == before);
  CHECK_THROWS_WITH(empty({int64_t{1} << 40}, kCUDA), Catch::Matchers::ContainsSubstring("out of memory"));
  CHECK(zeros({8}, kCUDA).cpu().equal(zeros({8})));
}

TEST_CASE("pinned memory moves like any other, and a tensor may be used by a stream that is not its own") {
  Tensor pinned = cuda::empty_pinned({3, 4}, kDouble);
  CHECK(pinned.device() == kCPU);
  pinned.copy_(arange(12.0, kDouble).view({3, 4}));
  CHECK(on_gpu(pinned).cpu().equal(pinned));
  CHECK(on_gpu(pinned.t()).cpu().equal(pinned.t()));
  CHECK(cuda::empty_pinned({0}).numel() == 0);
  cuda::record_stream(on_gpu(pinned), cuda::Stream::from_pool());
  CHECK_THROWS_WITH(cuda::record_stream(pinned, cuda::current_stream()), Catch::Matchers::ContainsSubstring("on cpu"));
}

TEST_CASE("pinning, and copies that do not block") {
  const Tensor x = rand({3, 4}), p = x.pin_memory();
  CHECK(!x.is_pinned());
  CHECK(p.is_pinned());
  CHECK(p.pin_memory().is_same(p));
  CHECK(p.equal(x));
  const Tensor g = p.to(kCUDA, kFloat, true);
  CHECK(!g.is_pinned());
  CHECK_THROWS_WITH(g.pin_memory(), Catch::Matchers::ContainsSubstring("is on cuda:0"));
  const Tensor back = g.to(kCPU, kFloat, true);
  Tensor into = cuda::empty_pinned({3, 4});
  into.copy_(g, true);
  cuda::synchronize();
  CHECK(back.is_pinned());
  CHECK(back.equal(x));
  CHECK(into.equal(x));
  CHECK(g.t().to(kCPU, kDouble, true).equal(x.t().to(kDouble)));
  Tensor strided = zeros({4, 3}).t();
  CHECK(strided.copy_(g, true).equal(x));
  Tensor leaf = rand({3, 4}).requires_grad_();
  Tensor there = zeros({3, 4}, kCUDA);
  there.copy_(leaf);
  there.sum().backward();
  CHECK(leaf.grad().equal(ones({3, 4})));
}

TEST_CASE("anomaly mode waits for each kernel, so that errors name the op") {
  const bool before = cuda::launches_block();
  {
    const autograd::DetectAnomalyGuard guard;
    CHECK(cuda::launches_block());
    const autograd::DetectAnomalyGuard again;
    CHECK(cuda::launches_block());
  }
  CHECK(cuda::launches_block() == before);
}

}  // namespace
}  // namespace strata
