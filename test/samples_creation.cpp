// Rows of the creation functions that are ops.
#include "ops/creation.h"
#include "test/op_samples.h"

namespace strata::test {

void add_creation(Table& t) {
  const TensorOptions f64(kDouble);
  t.push_back({"arange",
               {{{},
                 [=](const List&) { return List{arange(0, 5, 0.5, f64)}; },
                 [](const List&) {
                   return List{from_values({0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5}, {10})};
                 }},
                {{},
                 [](const List&) { return List{arange(5, 0, -2)}; },
                 [](const List&) {
                   return List{from_values({5, 3, 1}, {3}, kLong)};
                 },
                 0},
                {{},
                 [](const List&) { return List{arange(0)}; },
                 [](const List&) { return List{from_values({}, {0}, kLong)}; },
                 0}},
               Takes::kFixed,
               {{[] { arange(0, 5, Scalar(0)); }, "arange"}, {[] { arange(0, 5, -1); }, "arange"}}});
  t.push_back({"linspace",
               {{{},
                 [=](const List&) { return List{linspace(-1, 1, 5, f64)}; },
                 [](const List&) {
                   return List{from_values({-1, -0.5, 0, 0.5, 1}, {5})};
                 }},
                {{},
                 [=](const List&) { return List{linspace(3, 9, 1, f64)}; },
                 [](const List&) { return List{from_values({3}, {1})}; }}},
               Takes::kFixed,
               {{[] { linspace(0, 1, -1); }, "linspace"}}});
}

}  // namespace strata::test
