// Rows of the random functions under explicit keys: their batch rules, layouts and dtypes; values are checked against
// JAX elsewhere.
#include "ops/keyed_random.h"
#include "test/op_samples.h"

namespace strata::test {

void add_keyed_random(Table& t) {
  const Tensor key = integers({2}, 0, int64_t{1} << 32, 3, kUInt32), keys = integers({3, 2}, 0, 1000, 4, kUInt32);
  const auto row = [&](const char* op, Function f) { t.push_back({op, {{{key}, f}, {{keys}, f}}}); };
  row("key_split", [](const List& in) { return List{random::split(in[0], {2, 3})}; });
  for (DType type : {kUInt8, kShort, kUInt32, kLong})
    row("key_bits", [=](const List& in) { return List{random::bits(in[0], {5}, type)}; });
  for (DType type : {kDouble, kFloat, kHalf, kBFloat16}) {
    row("key_uniform", [=](const List& in) { return List{random::uniform(in[0], {3, 5}, type, -1, 2)}; });
    row("key_normal", [=](const List& in) { return List{random::normal(in[0], {300}, type)}; });
    row("key_exponential", [=](const List& in) { return List{random::exponential(in[0], {7}, type)}; });
    row("key_gumbel", [=](const List& in) { return List{random::gumbel(in[0], {7}, type)}; });
  }
  for (DType type : {kInt, kLong, kUInt8})
    row("key_randint", [=](const List& in) { return List{random::randint(in[0], {4, 4}, 3, 20, type)}; });
  const Tensor data = integers({3}, 0, 1000, 5);
  const Function fold = [](const List& in) { return List{random::fold_in(in[0], in[1])}; };
  t.push_back({"key_fold_in", {{{key, data}, fold}, {{keys, data}, fold}}});
  t.back().errors = {{[=] { random::fold_in(key, -1); }, "fold_in"}, {[=] { random::split(data); }, "split"}};

  const auto composite = [&](List inputs, Function f) { t.push_back({"", {{inputs, f, nullptr, 0, false}}}); };
  composite({key}, [](const List& in) { return List{random::permutation(in[0], 9)}; });
  composite({key, uniform_values({4, 3})}, [](const List& in) { return List{random::permutation(in[0], in[1])}; });
  composite({key, uniform_values({4, 3})}, [](const List& in) { return List{random::choice(in[0], in[1], {5})}; });
  composite({key, uniform_values({4, 3})}, [](const List& in) { return List{random::categorical(in[0], in[1])}; });
  composite({key, uniform_values({4}, 0, 1)}, [](const List& in) { return List{random::bernoulli(in[0], in[1])}; });
}

}  // namespace strata::test
