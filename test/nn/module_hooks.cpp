// Hooks that see and replace a module's inputs, outputs and gradients, and parameters that are replaced.
#include <strata/strata.h>

#include <sstream>

#include "test/catch.h"

namespace strata {
namespace {

using List = std::vector<Tensor>;

struct ScaleImpl : nn::Module {
  std::tuple<Tensor, Tensor> forward(const Tensor& a, double factor, const Tensor& b) { return {a * factor, a * b}; }
};
STRATA_MODULE(Scale);

Tensor numbers(std::initializer_list<detail::TensorData> list) { return tensor(list, kDouble); }

}  // namespace

TEST_CASE("hooks see the tensors of a call among other arguments, and may replace them") {
  Scale scale;
  List inputs, outputs;
  const auto pre = scale->register_forward_pre_hook([&](nn::Module& m, const List& in) {
    CHECK(&m == scale.get());
    inputs = in;
    return List{in[0] + 1, in[1]};
  });
  const auto post = scale->register_forward_hook([&](nn::Module&, const List& in, const List& out) {
    CHECK(in[0].equal(numbers({2.0, 3.0})));
    outputs = out;
    return List{out[0] - 1, out[1]};
  });
  const Tensor a = numbers({1.0, 2.0}), b = numbers({3.0, 4.0});
  auto [x, y] = scale(a, 10, b);
  CHECK((inputs[0].equal(a) && inputs[1].equal(b) && inputs.size() == 2));
  CHECK(outputs[0].equal(numbers({20.0, 30.0})));
  CHECK(x.equal(numbers({19.0, 29.0})));
  CHECK(y.equal(numbers({6.0, 12.0})));
  pre.remove();
  post.remove();
  std::tie(x, y) = scale(a, 10, b);
  CHECK(x.equal(numbers({10.0, 20.0})));
}

TEST_CASE("hooks that see tensors run in sequences too, in the order of registration") {
  nn::Linear linear(2, 2);
  linear->to(kDouble);
  std::string log;
  linear->register_forward_pre_hook([&](nn::Module&, const List&) { log += "a"; });
  linear->register_forward_pre_hook([&](nn::Module&, const List& in) {
    log += "b";
    return in[0] * 2;  // one tensor stands for a list of one
  });
  linear->register_forward_hook([&](nn::Module&, const List&, const List&) { log += "c"; });
  const Tensor x = randn({3, 2}, kDouble);
  const Tensor y = nn::Sequential(linear, nn::Tanh())->forward(x);
  CHECK(log == "abc");
  CHECK(y.equal(tanh(linear->forward(x * 2))));
  linear->register_forward_pre_hook([&](nn::Module&, const List&) { return List(2); });
  CHECK_THROWS_WITH(linear(x), Catch::Matchers::ContainsSubstring("2 tensors come back for 1"));
}

TEST_CASE("backward hooks see the gradients of a module's own inputs and outputs") {
  nn::Linear linear(2, 1);
  linear->to(kDouble);
  std::vector<List> seen;
  linear->register_full_backward_hook([&](nn::Module& m, const List& grad_inputs, const List& grad_outputs) {
    CHECK(&m == linear.get());
    seen = {grad_inputs, grad_outputs};
  });
  Tensor x = randn({3, 2}, kDouble).requires_grad_();
  (linear(x).sum() * 2 + x.sum()).backward();  // x is used elsewhere as well
  REQUIRE(seen.size() == 2);
  const Tensor own = linear->weight.detach().expand({3, 2}) * 2;
  CHECK(seen[0][0].allclose(own));
  CHECK(seen[1][0].equal(full({3, 1}, 2.0, kDouble)));
  CHECK(x.grad().allclose(own + 1));
}

TEST_CASE("backward hooks may replace gradients, of outputs before those of inputs are made") {
  Scale scale;
  std::string log;
  scale->register_full_backward_pre_hook([&](nn::Module&, const List& grads) {
    log += "p";
    REQUIRE(grads.size() == 2);
    return List{grads[0] * 10, grads[1]};
  });
  const auto handle = scale->register_full_backward_hook([&](nn::Module&, const List& grads, const List& of_outputs) {
    log += "b";
    CHECK(of_outputs[0].equal(numbers({10.0, 10.0})));
    return List{grads[0], grads[1] + 100};
  });
  Tensor a = numbers({1.0, 2.0}).requires_grad_(), b = numbers({3.0, 4.0}).requires_grad_();
  const auto run = [&] {
    a.mutable_grad().reset(), b.mutable_grad().reset();
    const auto [x, y] = scale(a, 5, b);
    (x.sum() + y.sum()).backward();
  };
  run();
  CHECK(log == "pb");
  CHECK(a.grad().equal(numbers({53.0, 54.0})));
  CHECK(b.grad().equal(numbers({101.0, 102.0})));
  handle.remove();
  run();
  CHECK(log == "pbp");
  CHECK(b.grad().equal(numbers({1.0, 2.0})));
}

TEST_CASE("a backward hook runs without gradients of inputs, and not without gradients at all") {
  nn::Linear linear(2, 1);
  int calls = 0;
  linear->register_full_backward_hook([&](nn::Module&, const List& grads, const List&) {
    ++calls;
    CHECK((grads.size() == 1 && !grads[0].defined()));
  });
  linear(ones({3, 2})).sum().backward();
  CHECK(calls == 1);
  CHECK(linear->weight.grad().equal(full({1, 2}, 3.0f)));
  const NoGradGuard no_grad;
  CHECK_FALSE(linear(ones({3, 2})).requires_grad());
  CHECK(calls == 1);
}

TEST_CASE("a handle outlives its module, and a graph outlives both") {
  Tensor y;
  nn::RemovableHandle handle;
  int calls = 0;
  {
    nn::Linear linear(2, 1);
    handle = linear->register_full_backward_hook([&](nn::Module&, const List&, const List&) { ++calls; });
    y = linear(ones({3, 2}));
  }
  handle.remove();
  y.sum().backward();
  CHECK(calls == 0);
}

TEST_CASE("a hook may remove itself while it runs, and keeps its state from call to call") {
  nn::Linear linear(2, 1);
  std::string log;
  nn::RemovableHandle once, before;
  before = linear->register_forward_pre_hook([&](nn::Module&) {
    log += "b";
    before.remove();
  });
  once = linear->register_forward_pre_hook([&](nn::Module&, const List&) {
    once.remove();
    log += "o";
  });
  linear->register_forward_pre_hook(
      [&, calls = 0](nn::Module&, const List&) mutable { log += std::to_string(++calls); });
  nn::RemovableHandle backward;
  backward = linear->register_full_backward_hook([&](nn::Module&, const List&, const List&) {
    backward.remove();
    log += "g";
  });
  for (int i = 0; i < 2; ++i) linear(ones({3, 2})).sum().backward();
  CHECK(log == "bo1g2");
}

namespace {
struct KeeperImpl : nn::Module {
  Tensor& forward(const Tensor& x) { return kept = x + 1; }
  Tensor kept;
};
STRATA_MODULE(Keeper);
}  // namespace

TEST_CASE("hooks see what a forward gives by reference, and cannot replace it") {
  Keeper keeper;
  Tensor seen;
  keeper->register_forward_hook([&](nn::Module&, const List&, const List& out) { seen = out.at(0); });
  CHECK(&keeper(ones({2})) == &keeper->kept);
  CHECK(seen.is_same(keeper->kept));
  const auto replaces =
      keeper->register_forward_hook([](nn::Module&, const List&, const List& out) { return out[0] * 2; });
  CHECK_THROWS_WITH(keeper(ones({2})), Catch::Matchers::ContainsSubstring("its forward returns a reference"));
  replaces.remove();
  keeper->register_full_backward_hook([](nn::Module&, const List&, const List&) {});
  CHECK_THROWS_WITH(keeper(ones({2}).requires_grad_()),
                    Catch::Matchers::ContainsSubstring("its forward returns a reference"));
  CHECK(keeper(ones({2})).sum().item<double>() == 4);  // no gradients: nothing to hook
}

TEST_CASE("a replaced parameter is shared, saved under both names and stays tied when it is loaded") {
  nn::Embedding embedding(5, 3);
  nn::Linear head(nn::LinearOptions(3, 5).bias(false));
  head->weight = head->replace_parameter("weight", embedding->weight);
  nn::Sequential net;
  net->push_back("embedding", embedding);
  net->push_back("head", head);
  CHECK(net->parameters().size() == 1);
  std::stringstream file;
  save(net, file);
  embedding->weight.detach().zero_();
  load(net, file);
  CHECK(head->weight.is_same(embedding->weight));
  CHECK(head->weight.ne(0).any().item<bool>());
  net->to(kDouble);
  CHECK(head->weight.dtype() == kDouble);
  CHECK(head(ones({1, 3}, kDouble)).equal(linear(ones({1, 3}, kDouble), embedding->weight)));
  CHECK_THROWS_WITH(head->replace_parameter("bais", Tensor()),
                    Catch::Matchers::ContainsSubstring("no parameter 'bais'"));
}

}  // namespace strata
