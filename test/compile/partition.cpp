// The cut between forward and backward: what is saved, what is computed twice, in which order.
#include "compile/partition.h"

#include <strata/strata.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/allocator.h"
#include "test/catch.h"

namespace strata {
namespace {

using func::Program;

/// The ops of a program, in order.
std::vector<std::string> ops_of(const Program& program) {
  std::vector<std::string> names;
  for (const Program::Equation& e : program.equations()) names.emplace_back(e.op->name());
  return names;
}

int64_t count(const Program& program, const std::string& op) {
  const std::vector<std::string> names = ops_of(program);
  return std::count(names.begin(), names.end(), op);
}

/// A program of `x` and a cotangent that gives `f(x)` and its gradient.
template <class F>
func::passes::Joint joint_of(const F& f, const Tensor& x) {
  const auto both = [&](Tensor t, Tensor cotangent) {
    auto [y, pullback] = func::vjp(f, t);
    return std::tuple{y, std::get<0>(std::tuple{pullback(cotangent)})};
  };
  return {trace(both)(x, f(x)).program(), 1, 1};
}

}  // namespace

TEST_CASE("the least bytes are saved") {
  const Tensor x = ones({8, 4});
  const auto halves = func::passes::partition(joint_of([](Tensor t) { return t.sum(0).exp().tanh(); }, x), 1);
  CHECK(halves.saved_bytes == 4 * 4);  // the sums, of which backward has exp and tanh again
  CHECK(count(halves.forward, "sum") == 1);
  CHECK(count(halves.backward, "sum") == 0);
}

TEST_CASE("halves compute what the whole does") {
  const Tensor x = rand({5, 6}), g = rand({5, 6});
  const auto joint = joint_of([](Tensor t) { return (t.softmax(-1) * t.cumsum(0)).sin(); }, x);
  const std::vector<Tensor> whole = joint.program({x, g});
  for (const double budget : {1.0, 0.7, 0.3, 0.0}) {
    const auto halves = func::passes::partition(joint, budget);
    const std::vector<Tensor> made = halves.forward({x});
    std::vector<Tensor> inputs(made.begin() + 1, made.end());
    inputs.push_back(g);
    CHECK(made[0].equal(whole[0]));
    CHECK(halves.backward(inputs)[0].equal(whole[1]));
  }
}

TEST_CASE("a budget gives up what costs least for its bytes, and never more than it must") {
  const Tensor x = ones({8, 64});
  const auto joint = joint_of([](Tensor t) { return t.softmax(-1).cumsum(0).cumprod(0).cumsum(1).softmax(0); }, x);
  int64_t before = func::passes::partition(joint, 1).saved_bytes;
  const int64_t all = before;
  for (const double budget : {0.75, 0.5, 0.25, 0.0}) {
    const int64_t bytes = func::passes::partition(joint, budget).saved_bytes;
    CHECK(bytes <= before);
    CHECK(static_cast<double>(bytes) <= budget * static_cast<double>(all));
    before = bytes;
  }
  CHECK(all > 0);
}

TEST_CASE("products, random numbers and convolutions are computed once") {
  const Tensor x = ones({1, 2, 6, 6}), kernel = ones({2, 2, 3, 3}), w = ones({4, 4});
  const auto f = [&](Tensor t) {
    return matmul(dropout(conv2d(t.exp(), kernel).sin(), 0.5).softmax(-1), w).sin().softmax(-1);
  };
  const auto halves = func::passes::partition(joint_of(f, x), 0);
  for (const char* op : {"keep_mask", "bernoulli"}) CHECK(count(halves.backward, op) == 0);
  CHECK(count(halves.backward, "softmax") == 2);
  CHECK(count(halves.backward, "convolution") == 0);
  CHECK(count(halves.forward, "linear") == 1);   // matmul of many by one matrix
  CHECK(count(halves.backward, "linear") == 1);  // the gradient's
}

TEST_CASE("what is computed again comes right before what needs it") {
  const Tensor x = ones({8, 8});
  const auto f = [&](Tensor t) {
    for (int i = 0; i < 3; ++i) t = gelu(matmul(t, x)).softmax(-1);
    return t;
  };
  const std::vector<std::string> order = ops_of(func::passes::partition(joint_of(f, x), 0).backward);
  const auto first = std::find(order.begin(), order.end(), "softmax_backward");
  CHECK(std::count(order.begin(), first, "softmax") == 1);
  CHECK(std::count(order.begin(), order.end(), "softmax") == 3);
}

TEST_CASE("large values of a program have memory while they are needed") {
  const auto f = [](Tensor x) { return matmul(matmul(matmul(x, x), x), x).sum(); };
  const auto compiled = compile(f);
  const Tensor x = rand({400, 400});
  const Tensor expected = f(x);
  CHECK(compiled(x).equal(expected));
  const int64_t before = memory_stats().in_use;
  for (int run = 0; run < 3; ++run) CHECK(compiled(x).equal(expected));
  CHECK(memory_stats().in_use == before);
}

}  // namespace strata
