// Rows of the random functions: what they must satisfy whatever the numbers, and dropout's derivative for a given mask.
#include "core/generator.h"
#include "ops/poisson.h"
#include "ops/random.h"
#include "test/op_samples.h"

namespace strata::test {
namespace {

/// The function with the generator set back before each call, so that it is one function.
Function seeded(Function f) {
  return [f](const List& in) {
    manual_seed(7);
    return f(in);
  };
}

}  // namespace

void add_random(Table& t) {
  const auto row = [&](const char* op, List inputs, Function f) {
    t.push_back({op, {{inputs, seeded(f), nullptr, 0, false}}});
  };
  for (DType type : {kDouble, kFloat, kHalf, kBFloat16}) {
    row("uniform", {}, [=](const List&) { return List{rand({3, 5}, type)}; });
    row("normal", {}, [=](const List&) { return List{randn({33}, type)}; });
  }
  row("randint", {}, [](const List&) { return List{randint(-3, 9, {4, 4})}; });
  row("randperm", {}, [](const List&) { return List{randperm(17)}; });
  const Tensor p = uniform_values({4, 5}, 0, 1), x = uniform_values({4, 5});
  row("", {p}, [](const List& in) { return List{bernoulli(in[0])}; });
  row("bernoulli", {x}, [](const List& in) { return List{bernoulli(in[0], 0.3)}; });
  row("poisson", {uniform_values({3, 7}, 0, 30)}, [](const List& in) { return List{poisson(in[0])}; });
  row("binomial", {uniform_values({4, 5}, 0, 90), p}, [](const List& in) { return List{binomial(in[0], in[1])}; });
  row("masked_scale", {x}, [](const List& in) { return List{dropout(in[0], 0.4)}; });
  t.back().errors = {{[=] { dropout(x, 1.5); }, "dropout"},
                     {[=] { dropout(x, -0.1); }, "dropout"},
                     {[=] { randint(3, 3, {2}); }, "randint"},
                     {[=] { randperm(-1); }, "randperm"},
                     {[=] { bernoulli(from_values({2.0}, {1})); }, "bernoulli"},
                     {[=] {
                        multinomial(from_values({-1.0, 2.0}, {2}), 1);
                      },
                      "multinomial"}};
}

}  // namespace strata::test
