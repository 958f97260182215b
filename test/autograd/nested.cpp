// Backward inside backward, and what is queued for the end of one.
#include "test/autograd/helpers.h"

namespace strata::autograd_test {
namespace {

using Log = std::vector<std::string>;

/// Its backward runs the backward of the same for one less, until nothing is left (libtorch's DeepReentrant).
struct Countdown : autograd::Function<Countdown> {
  static Tensor forward(autograd::AutogradContext* ctx, const Tensor& x) {
    const AutoGradMode recording(true);
    ctx->saved_data["less"] = x.detach().requires_grad_() - 1;
    return ctx->saved_data["less"].toTensor().detach();
  }
  static autograd::variable_list backward(autograd::AutogradContext* ctx, autograd::variable_list grads) {
    const Tensor& less = ctx->saved_data["less"].toTensor();
    if (less.item<double>() > 0) {
      const AutoGradMode recording(true);
      apply(less).sum().backward();
    }
    return grads;
  }
};

double countdown(double levels) {
  const Tensor x = tensor({levels}, kDouble).requires_grad_();
  Countdown::apply(x).sum().backward();
  return values(x.grad())[0];
}

}  // namespace

TEST_CASE("a custom function whose backward calls backward, thousands deep") {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
  CHECK(countdown(1000) == 1);
#else
  CHECK(countdown(8193) == 1);
#endif
}

TEST_CASE("what deep levels throw reaches the caller") {
  const std::function<void(int)> deeper = [&](int levels) {
    STRATA_CHECK(levels > 0, "the bottom");
    const Tensor x = leaf({1});
    const Tensor y = x * 2;
    y.register_hook([&](const Tensor&) {
      const AutoGradMode recording(true);
      deeper(levels - 1);
    });
    y.backward();
  };
  CHECK(contains(message([&] { deeper(200); }), "the bottom"));
  CHECK(contains(message([] { autograd::queue_callback([] {}); }), "no backward pass"));
}

TEST_CASE("a nested backward runs as its thread would") {
  const NoGradGuard outside;
  int seen = 0;
  const std::function<void(int)> deeper = [&](int levels) {
    if (levels == 0) return;
    const AutoGradMode recording(true);
    const Tensor x = leaf({1});
    const Tensor y = x * 2;
    y.register_hook([&](const Tensor&) {
      CHECK(!GradMode::is_enabled());
      ++seen;
      deeper(levels - 1);
    });
    y.backward();
  };
  deeper(120);
  CHECK(seen == 120);
  CHECK(!GradMode::is_enabled());
}

TEST_CASE("a callback runs after the pass, when all leaves have their gradient") {
  const Tensor x = leaf({1, 2});
  const Tensor y = x * 2;
  Log log;
  y.register_hook([&](const Tensor&) {
    autograd::queue_callback([&] {
      CHECK(values(x.grad()) == V{2, 2});
      CHECK(!GradMode::is_enabled());
      log.push_back("end");
    });
  });
  x.register_hook([&](const Tensor&) { log.push_back("leaf"); });
  y.sum().backward();
  CHECK(log == Log{"leaf", "end"});
  autograd::grad({(x * y.detach()).sum()}, {x});
  CHECK(log.size() == 3);  // the leaf's hook, no callback of before
}

TEST_CASE("a callback may queue another and run backward itself") {
  const Tensor x = leaf({1}), z = leaf({3});
  const Tensor y = x * 2;
  Log log;
  y.register_hook([&](const Tensor&) {
    autograd::Engine::get_default_engine().queue_callback([&] {
      log.push_back("first");
      autograd::queue_callback([&] { log.push_back("second"); });
      const AutoGradMode recording(true);
      (z * 2).backward();
    });
  });
  y.backward();
  CHECK(log == Log{"first", "second"});
  CHECK(values(z.grad()) == V{2});
}

TEST_CASE("a callback belongs to the innermost pass") {
  const Tensor x = leaf({1});
  const Tensor y = x * 2;
  Log log;
  y.register_hook([&](const Tensor&) {
    autograd::queue_callback([&] { log.push_back("outer"); });
    const AutoGradMode recording(true);
    const Tensor w = leaf({3}) * 1;
    w.register_hook([&](const Tensor&) { autograd::queue_callback([&] { log.push_back("inner"); }); });
    w.backward();
    log.push_back("inner pass is done");
  });
  y.backward();
  CHECK(log == Log{"inner", "inner pass is done", "outer"});
}

TEST_CASE("callbacks and exceptions") {
  Log log;
  const Tensor x = leaf({1});
  const Tensor y = x * 2;
  y.register_hook([&](const Tensor&) { autograd::queue_callback([&] { log.push_back("end"); }); });
  const HookHandle bad = x.register_hook([](const Tensor&) { STRATA_CHECK(false, "boom"); });
  CHECK(contains(message([&] { y.backward({}, /*retain_graph=*/true); }), "boom"));
  CHECK(log.empty());  // a pass that throws drops them
  x.remove_hook(bad);
  y.backward({}, true);
  CHECK(log == Log{"end"});

  const Tensor z = leaf({1});
  const Tensor w = z * 2;
  w.register_hook([&](const Tensor&) {
    autograd::queue_callback([] { STRATA_CHECK(false, "in the callback"); });
    autograd::queue_callback([&] { log.push_back("never"); });
  });
  CHECK(contains(message([&] { w.backward(); }), "in the callback"));
  CHECK(log == Log{"end"});
  CHECK(values(z.grad()) == V{2});
  CHECK(contains(message([] { autograd::queue_callback([] {}); }), "no backward pass"));
}

}  // namespace strata::autograd_test
