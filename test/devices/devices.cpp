// Everything on a third kind of device that the library has never heard of: tensors, kernels, decompositions, the way
// over the CPU, gradients, transforms and training.
#include <strata/strata.h>

#include <sstream>

#include "core/device_backend.h"
#include "dispatcher/kernel.h"
#include "ops/rules.h"
#include "test/catch.h"
#include "test/devices/arena.h"

namespace strata {
namespace {

using test::arena;

const Device kArena = (arena(), Device("arena"));

Tensor there(const Tensor& t) { return t.to(kArena); }

/// Hears the warnings of ops that go over the CPU, where a test does not ask for them.
struct Silent : WarningHandler {
  void process(const Warning&) override {}
} silent;
[[maybe_unused]] const bool is_silent = (WarningUtils::set_warning_handler(&silent), true);

struct Listener : WarningHandler {
  void process(const Warning& warning) override { heard.push_back(warning.msg()); }
  std::vector<std::string> heard;
};

/// Twice the input, made of an op that the arena has and one that it has not. It has a kernel for the CPU alone.
STRATA_OP(twice_op) = op("test_twice(Tensor x) -> Tensor")
                          .infer([](Args in) { return meta_like(in[0]); })
                          .vjp([](const Vjp& c) { return Tensors(c.grad() * 2); })
                          .jvp([](const Jvp& c) { return Tensors(c.tangent() * 2); })
                          .batch(pointwise_batch)
                          .decompose([](Args in) { return Tensors((in[0] * 4).div(2)); });
void twice_cpu(Tensors& out, Args in, const NoParams&) { out[0].copy_(in[0] + in[0]); }
STRATA_KERNEL(twice_op, CPU, twice_cpu);

/// No kernel anywhere, and a decomposition that gives a view of its input.
STRATA_OP(turned_op) = op("test_turned(Tensor x) -> Tensor")
                           .infer([](Args in) {
                             return meta({in[0].size(1), in[0].size(0)}, in[0].dtype(), in[0].device());
                           })
                           .vjp([](const Vjp& c) { return Tensors(c.grad().t()); })
                           .decompose([](Args in) { return Tensors(in[0].t()); });

STRATA_OP(nowhere_op) = op("test_nowhere(Tensor x) -> Tensor").infer([](Args in) { return meta_like(in[0]); });

}  // namespace

TEST_CASE("the third device has the name it was given, for good") {
  CHECK(kArena.type() == kPrivateUse1);
  CHECK(kArena.is_privateuseone());
  CHECK(Device("arena:1").index() == 1);
  CHECK(Device("privateuseone:1") == Device("arena:1"));
  CHECK(Device("arena:1").str() == "arena:1");
  CHECK(get_privateuse1_backend() == "arena");
  CHECK_NOTHROW(register_privateuse1_backend("arena"));
  CHECK_THROWS_WITH(register_privateuse1_backend("other"),
                    "register_privateuse1_backend: the device is called 'arena' already");
  for (const char* name : {"cpu", "cuda", "", "Arena", "a:1"})
    CHECK_THROWS_WITH(register_privateuse1_backend(name),
                      Catch::Matchers::ContainsSubstring("is no name for a device"));
  CHECK_THROWS_WITH(Device("gpu"), "device 'gpu': expected cpu, cuda or arena, with or without a number (cuda:1)");
}

TEST_CASE("a device without a backend, and a number that it has not, are errors") {
  CHECK_THROWS_WITH(ones({2}, Device("arena:2")), "arena:2: there are 2 arena devices");
  DeviceBackend* const before = set_device_backend(kPrivateUse1, nullptr);
  CHECK_THROWS_WITH(ones({2}, kArena), "no arena device can be used: no backend is registered for it");
  set_device_backend(kPrivateUse1, before);
  CHECK_THROWS_WITH(set_device_backend(kCPU, before), Catch::Matchers::ContainsSubstring("the CPU has none"));
  CHECK(find_device_backend(kCPU) == nullptr);
}

TEST_CASE("tensors are made there, move, and are read on the host") {
  const size_t before = arena().bytes_in_use();
  {
    const Tensor x = rand({3, 4}), y = there(x);
    CHECK(y.is_privateuseone());
    CHECK(y.device() == Device("arena:0"));
    CHECK(arena().bytes_in_use() > before);
    CHECK(y.cpu().equal(x));
    CHECK(y.to(kArena).is_same(y));
    CHECK(there(x.t()).cpu().equal(x.t()));
    CHECK(y.t().cpu().equal(x.t()));
    CHECK(y.to("arena:1").device() == Device("arena:1"));
    CHECK(y.to("arena:1").cpu().equal(x));
    CHECK(y.to("cpu", kDouble).equal(x.to(kDouble)));
    CHECK(y[1][2].item<float>() == x[1][2].item<float>());
    CHECK(y.equal(there(x)));
    Tensor z = zeros({4, 3}, kArena);
    z.t().copy_(x);
    CHECK(z.cpu().equal(x.t()));
    Tensor back = zeros({4, 3});
    back.t().copy_(y);
    CHECK(back.equal(x.t()));
    CHECK(there(zeros({0, 3})).cpu().sizes() == IntArrayRef({0, 3}));
  }
  CHECK(arena().bytes_in_use() == before);
}

TEST_CASE("tensors of the device print with its name") {
  std::ostringstream text;
  text << there(ones({1}));
  CHECK(text.str().find("[ ARENAFloatType{1} ]") != std::string::npos);
}

TEST_CASE("the current device is the thread's, and kernels run with their tensors' device as the current one") {
  CHECK(zeros({1}, Device(kPrivateUse1)).device() == Device("arena:0"));
  {
    const DeviceGuard guard(Device("arena:1"));
    CHECK(zeros({1}, Device(kPrivateUse1)).device() == Device("arena:1"));
  }
  CHECK(zeros({1}, Device(kPrivateUse1)).device() == Device("arena:0"));
  const Tensor x = ones({3}).to("arena:1");
  const Tensor y = x * x;
  CHECK(arena().ran_on == 1);
  CHECK(y.device() == Device("arena:1"));
  CHECK_THROWS_WITH(x * there(ones({3})), Catch::Matchers::ContainsSubstring("different devices, arena:1 and arena:0"));
  CHECK_THROWS_WITH(x * ones({3}), Catch::Matchers::ContainsSubstring("different devices, arena:1 and cpu"));
}

TEST_CASE("a kernel of the device runs there, with nothing copied and nothing said") {
  Listener listener;
  const WarningUtils::WarningHandlerGuard guard(&listener);
  const Tensor x = there(rand({5})), y = there(rand({5}));
  const int kernels = arena().kernels_run, copies = arena().copies;
  Tensor z = x * y;
  z.mul_(y);
  CHECK(arena().kernels_run == kernels + 2);
  CHECK(arena().copies == copies);
  CHECK(listener.heard.empty());
  CHECK(z.cpu().equal(x.cpu() * y.cpu() * y.cpu()));
}

TEST_CASE("an op without a kernel runs on the CPU and says so once") {
  Listener listener;
  const WarningUtils::WarningHandlerGuard guard(&listener);
  const Tensor x = rand({3, 4}), y = there(x);
  CHECK(y.atan().cpu().equal(x.atan()));
  REQUIRE(listener.heard.size() == 1);
  CHECK(listener.heard[0] ==
        "atan: there is no kernel for arena, so it runs on the CPU; register one, or give the op one with "
        ".decompose(...)");
  CHECK(y.t().slice(0, 1, 3).atan().cpu().equal(x.t().slice(0, 1, 3).atan()));
  CHECK(listener.heard.size() == 1);
  CHECK(y.atan().device() == Device("arena:0"));
}

TEST_CASE("in-place calls without a kernel write to the device's memory, and nothing else of it") {
  Tensor x = rand({4, 6}), y = there(x);
  x.slice(1, 1, 6, 2).sin_();
  y.slice(1, 1, 6, 2).sin_();
  CHECK(y.cpu().equal(x));
  x[1].copy_(x[2].flip({0}));
  y[1].copy_(y[2].flip({0}));
  x.index_put_({tensor({0, 2})}, 7);
  y.index_put_({there(tensor({0, 2}))}, 7);
  x.t()[0].add_(x[3].slice(0, 0, 4), 2);
  y.t()[0].add_(y[3].slice(0, 0, 4), 2);
  CHECK(y.cpu().equal(x));
  CHECK(y._version() == x._version());
}

TEST_CASE("results whose shape depends on data come back to the device") {
  const Tensor x = tensor({0.0, 1.0, 0.0, 2.0}), y = there(x);
  CHECK(y.nonzero().device() == Device("arena:0"));
  CHECK(y.nonzero().cpu().equal(x.nonzero()));
  CHECK(y.masked_select(y > 0.5).cpu().equal(x.masked_select(x > 0.5)));
}

TEST_CASE("complex tensors and their parts are one memory there too") {
  const Tensor x = rand({3, 2}).to(kComplexFloat), y = there(x);
  view_as_real(x).select(-1, 1).add_(2);
  view_as_real(y).select(-1, 1).add_(2);
  CHECK(y.cpu().equal(x));
  CHECK((y * y).abs().cpu().equal((x * x).abs()));
}

TEST_CASE("an op with a decomposition is made of others where it has no kernel") {
  Listener listener;
  const WarningUtils::WarningHandlerGuard guard(&listener);
  const Tensor x = rand({3}), y = there(x);
  const int kernels = arena().kernels_run;
  CHECK(call1(twice_op, {&y}).cpu().equal(x * 2));
  CHECK(arena().kernels_run == kernels + 1);  // mul
  for (const std::string& message : listener.heard) CHECK(message.find("test_twice") == std::string::npos);
  Tensor z = y.clone();
  call_inplace(twice_op, z, {&z});
  CHECK(z.cpu().equal(x * 2));
}

TEST_CASE("autograd and the transforms see the op, not what it is made of") {
  const Tensor x = there(rand({3})).requires_grad_();
  const Tensor y = call1(twice_op, {&x});
  const Tensor host = x.detach().cpu().requires_grad_();
  CHECK(y.grad_fn()->name() == call1(twice_op, {&host}).grad_fn()->name());
  CHECK_FALSE(y.is_view());
  y.sum().backward();
  CHECK(x.grad().cpu().equal(full({3}, 2.0)));
  const auto twice = [](const Tensor& t) { return call1(twice_op, {&t}); };
  const Tensor batch = there(rand({4, 3}));
  CHECK(func::vmap(twice)(batch).cpu().equal(batch.cpu() * 2));
  CHECK(func::grad([&](const Tensor& t) { return twice(t).sum(); })(x.detach()).cpu().equal(full({3}, 2.0)));
}

TEST_CASE("what a decomposition gives is a result of its own, row-major") {
  for (const Device device : {Device(kCPU), kArena}) {
    const Tensor x = rand({2, 3}).to(device).requires_grad_();
    Tensor y = call1(turned_op, {&x});
    CHECK(y.cpu().equal(x.cpu().t()));
    CHECK(y.is_contiguous());
    CHECK_FALSE(y.is_view());
    CHECK_FALSE(y.storage() == x.storage());
    y.sum().backward();
    CHECK(x.grad().cpu().equal(ones({2, 3})));
  }
}

TEST_CASE("an op without a kernel on the CPU and without a decomposition is an error") {
  const Tensor x = there(ones({2}));
  CHECK_THROWS_WITH(call1(nowhere_op, {&x}), "test_nowhere: no kernel for device arena:0");
}

TEST_CASE("random numbers are those of the CPU") {
  const auto draw = [](Device d) {
    manual_seed(5);
    return std::vector<Tensor>{randn({100}, d).cpu(), rand({7}, d).cpu(), randint(9, {20}, d).cpu(),
                               randperm(11, d).cpu()};
  };
  const auto here = draw(kCPU), away = draw(kArena);
  for (size_t i = 0; i < here.size(); ++i) CHECK(here[i].equal(away[i]));
}

TEST_CASE("autocast has a type of the device") {
  CHECK(autocast::get_autocast_dtype(kPrivateUse1) == kHalf);
  const Tensor a = there(rand({2, 2}));
  const AutocastGuard guard(kPrivateUse1, kBFloat16);
  CHECK(matmul(a, a).dtype() == kBFloat16);
  CHECK(matmul(a.cpu(), a.cpu()).dtype() == kFloat);
}

TEST_CASE("backward inside backward goes on with the device's stream") {
  int stream = 0;
  arena().set_current_stream(0, &stream);
  std::vector<void*> seen;
  struct Nested {
    static void run(const Tensor& x, int depth, std::vector<void*>& seen) {
      const EnableGradGuard recording;
      const Tensor y = x.detach().requires_grad_();
      const Tensor z = y * 2;
      z.register_hook([&, depth](const Tensor&) {
        seen.push_back(arena().current_stream(0));
        if (depth > 0) run(x, depth - 1, seen);
      });
      z.sum().backward();
    }
  };
  Nested::run(there(ones({2})), 100, seen);
  arena().set_current_stream(0, nullptr);
  CHECK(seen == std::vector<void*>(101, &stream));
}

namespace {

/// Every parameter and buffer after a few steps, and the losses.
std::vector<Tensor> trained(Device device) {
  manual_seed(3);
  nn::Sequential net(nn::Linear(6, 16), nn::ReLU(), nn::BatchNorm1d(16), nn::Linear(16, 8), nn::GELU(),
                     nn::Dropout(0.2), nn::Linear(8, 3));
  const Tensor x = randn({32, 6}).to(device), y = randint(3, {32}).to(device);
  net->to(device);
  optim::Adam optimizer(net->parameters(), optim::AdamOptions(1e-2));
  std::vector<Tensor> results;
  for (int step = 0; step < 5; ++step) {
    optimizer.zero_grad();
    const Tensor loss = nn::functional::cross_entropy(net->forward(x), y);
    loss.backward();
    nn::utils::clip_grad_norm_(net->parameters(), 1.0);
    optimizer.step();
    results.push_back(loss.detach().cpu());
  }
  for (const Tensor& t : net->parameters()) results.push_back(t.detach().cpu());
  for (const Tensor& t : net->buffers()) results.push_back(t.cpu());
  return results;
}

}  // namespace

// A norm or a loss without a kernel there is made of other ops, which add up in another order.
TEST_CASE("training gives the CPU's results but for rounding") {
  Listener listener;
  const WarningUtils::WarningHandlerGuard guard(&listener);
  const int kernels = arena().kernels_run;
  const auto here = trained(kCPU);
  CHECK(arena().kernels_run == kernels);
  const auto away = trained(kArena);
  CHECK(arena().kernels_run > kernels + 50);
  REQUIRE(here.size() == away.size());
  for (size_t i = 0; i < here.size(); ++i) {
    INFO(i);
    CHECK(allclose(away[i], here[i], 1e-5, 1e-6));
  }
}

}  // namespace strata
