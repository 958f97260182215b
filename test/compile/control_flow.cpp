// Control flow in plans: bodies are plans too, with the bits of eager code, on 1 and 2 threads, under grad and around
// it.
#include <strata/strata.h>

#include <atomic>
#include <thread>

#include "compile/passes.h"
#include "compile/plan.h"
#include "test/catch.h"
#include "test/compile/same.h"

namespace strata {
namespace {

using List = std::vector<Tensor>;
using Pair = std::pair<Tensor, Tensor>;
/// All of one type, so that transforms of them are compiled once.
using Function = std::function<List(List)>;

void check_same(const List& got, const List& expected) {
  REQUIRE(got.size() == expected.size());
  for (size_t i = 0; i < got.size(); ++i) {
    CAPTURE(i);
    CHECK(got[i].dtype() == expected[i].dtype());
    CHECK(got[i].equal(expected[i]));
  }
}

/// The function gives eager's bits, compiled and on either number of threads; and it is a plan.
void check_planned(const Function& f, const List& x) {
  const auto compiled = compile(f);
  for (int threads : {1, 2, 1}) {
    set_num_threads(threads);
    check_same(compiled(x), f(x));
  }
  set_num_threads(2);
  const func::Program program = func::passes::simplify(trace(f)(x).program());
  CHECK(func::compiling::Plan::make(program, x) != nullptr);
}

/// And so does the gradient of the sum of its first result, compiled inside, outside and both; it need not be a plan.
void check_gradients(const Function& f, const List& x) {
  check_planned(f, x);
  const std::function<Tensor(List)> loss = [f](List v) { return f(v)[0].sum() * 0.5; };
  const std::function<Tensor(List)> inside = compile(loss);
  const Function gradient = [loss](List v) { return grad(loss)(v); };
  const auto outside = compile(gradient);
  for (int threads : {1, 2}) {
    set_num_threads(threads);
    check_same(outside(x), gradient(x));
  }
  check_same(grad(inside)(x), gradient(x));
  check_same(compile(Function([inside](List v) { return grad(inside)(v); }))(x), gradient(x));
}

/// Has a product of n x n the same bits however its operands lie? Large ones have not where the library's kernels for
/// AVX2 run.
bool products_ignore_layout(int64_t n) {
  const Tensor a = wave({n, n}).t();
  return matmul(a, a).equal(matmul(a.contiguous(), a.contiguous()));
}

List rnn(List in) {
  const Tensor w = in[0];
  const auto step = [w](Tensor h, Tensor x) {
    const Tensor next = (matmul(w, h) + x).tanh();
    return Pair(next, next.square().sum());
  };
  return {scan(step, zeros({w.size(0)}), in[1]).second};
}

/// A step of Runge and Kutta's method, which reads what it captures four times.
List runge_kutta(List in) {
  const auto slope = [w = in[0]](const Tensor& y) { return matmul(w, y).tanh(); };
  const auto step = [slope](Tensor y, Tensor h) {
    const Tensor a = slope(y), b = slope(y + h / 2 * a), c = slope(y + h / 2 * b), d = slope(y + h * c);
    const Tensor next = y + h / 6 * (a + 2 * b + 2 * c + d);
    return Pair(next, next.square().sum());
  };
  return {scan(step, in[1], in[2]).second};
}

/// A carry that stays, two that change places, and results that are given twice, read, shown and constant.
List mixed_flow(List in) {
  const auto step = [](List c, Tensor x) {
    const Tensor next = c[1] * c[0] + x;
    return std::pair(List{c[0], c[2], next}, List{next, next, c[0], c[2], x, x.t(), ones({2})});
  };
  const auto [carry, ys] = scan(step, List{in[0], in[1], in[0] + in[1]}, in[2], {.reverse = true});
  List all = carry;
  all.insert(all.end(), ys.begin(), ys.end());
  return all;
}

/// The carry comes in another layout than steps give it, which a sum over it notices.
List laid_out(List in) {
  const Tensor w = in[1];
  const auto step = [w](Tensor c, Tensor t) {
    const Tensor next = matmul(c, w) * 0.1 + t;
    return Pair(next, next.sum(0) + c.exp().sum(1));
  };
  const auto [last, sums] = scan(step, in[0], in[2]);
  return {last, sums, last.t().sum(0)};
}

List counted(List in) {
  const Tensor x = in[0], limit = in[1];
  const auto [steps, last] =
      while_loop([limit](Pair c) { return c.first < limit; },
                 [x](Pair c) { return Pair(c.first + 1, (c.second * x).cos()); }, Pair(zeros({}), x));
  return {steps, last};
}

List nested(List in) {
  const Tensor w = in[1];
  const auto step = [w](Tensor c, Tensor t) {
    const Tensor looped = fori_loop(
        0, 3, [t](Tensor i, Tensor v) { return v * 0.9 + t * i; }, c);
    const Tensor next = cond(
        t > 0, [w](Tensor v) { return v.sin() * w; }, [](Tensor v) { return v; }, looped);
    return Pair(next, next.sum());
  };
  return {scan(step, in[0], in[2], {.checkpoint_every = 5}).second};
}

List drawn(List in) {
  const Tensor before = rand({2});
  const auto step = [](Tensor c, Tensor t) { return Pair(c * rand({3}) + t, randn({2})); };
  const auto [last, noise] = scan(step, in[0], in[1]);
  return {before, last, noise, rand({2})};
}

}  // namespace

TEST_CASE("planned control flow: a recurrent net and its gradients, small and large") {
  check_gradients(rnn, {wave({5, 5}) / 3, wave({11, 5})});
  check_gradients(rnn, {wave({300, 300}) / 30, wave({4, 300})});
  check_planned(rnn, {wave({3, 3}), wave({1, 3})});
  const std::function<Tensor(List)> loss = [](List v) { return rnn(v)[0].sum(); };
  check_planned([loss](List v) { return grad(loss)(v); }, {wave({5, 5}) / 3, wave({11, 5})});
}

TEST_CASE("planned control flow: gradients of what steps read several times are summed as in eager code") {
  check_gradients(runge_kutta, {wave({3, 3}), wave({3}), full({20}, 0.05)});
  check_gradients(runge_kutta, {wave({7, 7}), wave({7}), wave({9})});
}

TEST_CASE("planned control flow: what steps pass on, give twice, and show") {
  check_planned(mixed_flow, {wave({3, 3}), wave({3, 3}), wave({6, 3, 3})});
  check_planned(mixed_flow, {wave({3, 3}), wave({3, 3}), wave({1, 3, 3})});
  // The two that change places lie in one order and the other by turns, so this one runs through the dispatcher.
  const List in_turns{wave({3, 3}), wave({3, 3}).t(), wave({6, 3, 3})};
  check_same(compile(Function(mixed_flow))(in_turns), mixed_flow(in_turns));
  check_planned(mixed_flow, {wave({300, 300}), wave({300, 300}), wave({3, 300, 300})});
}

TEST_CASE("planned control flow: a carry that changes its layout, one that repeats, and large ones") {
  for (const int64_t n : {4, 300}) {
    check_planned(laid_out, {wave({n, n}).t(), wave({n, n}), wave({5})});
    const List repeated{wave({1, 1}).expand({n, n}), wave({n, n}), wave({5})};
    check_same(compile(Function(laid_out))(repeated), laid_out(repeated));
    const List x{wave({n, n}), wave({n, n}), wave({4})};
    if (products_ignore_layout(n)) {
      check_gradients(laid_out, x);
    } else {  // the gradient of a scan multiplies copies where eager code multiplies transposed views
      const Function gradient = [](List v) { return grad([](List u) { return laid_out(u)[0].sum() * 0.5; })(v); };
      const List got = compile(gradient)(x), expected = gradient(x);
      for (size_t i = 0; i < x.size(); ++i) CHECK(got[i].allclose(expected[i], 1e-5, 1e-5));
    }
  }
}

TEST_CASE("planned control flow: while_loop of no, one and many steps") {
  for (const int64_t n : {9, 100000}) {
    const auto compiled = compile(Function(counted));
    for (int steps : {0, 1, 2, 3, 10}) {
      const List x{wave({n}), scalar_tensor(steps)};
      check_planned(counted, x);
      check_same(compiled(x), counted(x));
    }
    CHECK(compile_stats(compiled).programs == 1);
  }
}

TEST_CASE("planned control flow: branches and loops inside of loops, checkpointed") {
  check_gradients(nested, {wave({6}), wave({6}) / 2, wave({13})});
}

TEST_CASE("planned control flow draws the random numbers of eager code") {
  const auto compiled = compile(Function(drawn));
  const List x{ones({3}), wave({5})};
  for (uint64_t seed : {1, 2}) {
    manual_seed(seed);
    const List expected = drawn(x);
    manual_seed(seed);
    check_same(compiled(x), expected);
  }
}

TEST_CASE("planned control flow: calls from two threads at once") {
  const auto shared = compile(Function(rnn));
  const List x{wave({6, 6}), wave({50, 6})};
  const Tensor expected = rnn(x)[0];
  shared(x);
  std::atomic<int> same = 0;
  const auto work = [&] {
    for (int i = 0; i < 20; ++i) same += shared(x)[0].equal(expected);
  };
  std::thread other(work);
  work();
  other.join();
  CHECK(same == 40);
}

TEST_CASE("the program of a loop does not grow with its steps") {
  const auto size_of = [](int64_t length) {
    return trace(Function(rnn))(List{wave({3, 3}), zeros({length, 3})}).program().equations().size();
  };
  CHECK(size_of(2) == size_of(10000));
}

}  // namespace strata
