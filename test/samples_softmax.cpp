// Rows of softmax and log_softmax.
#include <algorithm>
#include <cmath>

#include "ops/softmax.h"
#include "test/op_samples.h"

namespace strata::test {
namespace {

Line softmax_of(const Line& x) {
  const double top = x.empty() ? 0 : *std::max_element(x.begin(), x.end());
  Line y;
  double sum = 0;
  for (double v : x) sum += std::exp(v - top);
  for (double v : x) y.push_back(std::exp(v - top) / sum);
  return y;
}
Line log_softmax_of(const Line& x) {
  Line y = softmax_of(x);
  for (double& v : y) v = std::log(v);
  return y;
}

Row row_of(const char* op, Tensor (*f)(const Tensor&, int64_t, std::optional<DType>), Line (*reference)(const Line&)) {
  Row row{op, {}, Takes::kFloating};
  const auto add = [&](Tensor x, int64_t dim) {
    row.samples.push_back(
        {{x}, [=](const List& in) { return List{f(in[0], dim, std::nullopt)}; }, along(dim, reference)});
  };
  for (int64_t dim : {0, 1, 2, -1}) add(uniform_values({3, 4, 5}, -3, 3), dim);
  for (int64_t n : {1, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 1023, 1025}) {
    add(uniform_values({2, n}, -3, 3), 1);
    add(uniform_values({n, 2}, -3, 3), 0);
  }
  add(uniform_values({3, 0}), 1);
  add(uniform_values({3, 4}, 700, 710), 1);  // would overflow without the shift
  row.errors.push_back({[f] { f(uniform_values({2, 3}), 2, std::nullopt); }, "dim 2"});
  row.errors.push_back({[f] { f(integers({2, 3}, 0, 5), 1, std::nullopt); }, "int64"});
  return row;
}

}  // namespace

void add_softmax(Table& t) {
  t.push_back(row_of("softmax", softmax, softmax_of));
  t.push_back(row_of("log_softmax", log_softmax, log_softmax_of));
}

}  // namespace strata::test
