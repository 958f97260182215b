// Rows of conversions and copies.
#include "ops/cast.h"
#include "test/op_samples.h"

namespace strata::test {

void add_cast(Table& t) {
  const Tensor x = uniform_values({4, 5}, -3, 3);
  const auto to = [&](DType from, DType type) {
    return Sample{{converted(x, from)},
                  [=](const List& in) { return List{in[0].to(type)}; },
                  [=](const List& in) { return List{converted(in[0], type)}; },
                  0};
  };
  Row row{"cast", {}};
  for (DType from : {kDouble, kFloat, kHalf, kBFloat16, kLong, kInt, kShort, kChar, kBool})
    for (DType type : {kDouble, kFloat, kHalf, kBFloat16, kLong, kInt, kShort, kChar, kBool})
      if (from != type) row.samples.push_back(to(from, type));
  t.push_back(row);
  const Function copy = [](const List& in) { return List{in[0].clone()}; };
  const Function same = [](const List& in) { return List{contiguous_copy(in[0])}; };
  t.push_back({"copy",
               {{{x}, copy, same, 0},
                {{in_layout(x, reversed_like(x))}, copy, same, 0},
                {{uniform_values({})}, copy, same, 0},
                {{uniform_values({3, 0})}, copy, same, 0},
                {{expanded(x, 1)}, copy, same, 0}},
               Takes::kAll});
  const Function filled = [](const List& in) {
    Tensor y = in[0].clone();
    return List{y.fill_(2.5)};
  };
  const Function constant = [](const List& in) {
    return List{from_values(std::vector<double>(static_cast<size_t>(in[0].numel()), 2.5), in[0].sizes())};
  };
  t.push_back({"fill", {{{x}, filled, constant, 0}}});
}

}  // namespace strata::test
