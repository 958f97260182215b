// Functions of lists of tensors beside the same functions of one tensor.
#include <strata/strata.h>

#include "test/catch.h"

using namespace strata;
using Catch::Matchers::ContainsSubstring;

namespace {

std::vector<Tensor> list_of(double from) {
  return {linspace(from, from + 1, 4, kDouble), linspace(from, 2, 6, kDouble).view({2, 3}), full({}, from, kDouble)};
}
bool equal_lists(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  bool all = a.size() == b.size();
  for (size_t i = 0; all && i < a.size(); ++i) all = equal(a[i], b[i]);
  return all;
}
template <class F>
std::vector<Tensor> each(const std::vector<Tensor>& list, F f) {
  std::vector<Tensor> out;
  for (size_t i = 0; i < list.size(); ++i) out.push_back(f(list[i], i));
  return out;
}

}  // namespace

TEST_CASE("functions of lists are those of their tensors") {
  const std::vector<Tensor> x = list_of(0.5), y = list_of(1.5), z = list_of(0.25);
  CHECK(equal_lists(_foreach_exp(x), each(x, [](const Tensor& t, size_t) { return t.exp(); })));
  CHECK(equal_lists(_foreach_add(x, y, 2), each(x, [&](const Tensor& t, size_t i) { return t + 2 * y[i]; })));
  CHECK(equal_lists(_foreach_mul(x, {Scalar(1), Scalar(2), Scalar(3)}),
                    each(x, [](const Tensor& t, size_t i) { return t * static_cast<double>(i + 1); })));
  CHECK(equal_lists(_foreach_maximum(x, 0.75), each(x, [](const Tensor& t, size_t) { return t.clamp_min(0.75); })));
  CHECK(equal_lists(_foreach_pow(2, x), each(x, [](const Tensor& t, size_t) { return pow(2, t); })));
  CHECK(equal_lists(_foreach_addcdiv(x, y, z, tensor({1., 2., 3.})), each(x, [&](const Tensor& t, size_t i) {
                      return t.addcdiv(y[i], z[i], static_cast<double>(i + 1));
                    })));
  CHECK(equal_lists(_foreach_lerp(x, y, 0.25), each(x, [&](const Tensor& t, size_t i) { return t.lerp(y[i], 0.25); })));
  CHECK(equal_lists(_foreach_norm(x, 1), each(x, [](const Tensor& t, size_t) { return t.abs().sum(); })));
}

TEST_CASE("extremes of lists share the gradient where both are equal, as maximum and minimum do") {
  static const std::vector<Tensor> limits{ones({3})};
  static const std::vector<Scalar> numbers{1};
  using Lists = std::vector<Tensor>;
  for (auto extreme : {+[](const Lists& x) { return _foreach_maximum(x, 1); },
                       +[](const Lists& x) { return _foreach_minimum(x, limits); },
                       +[](const Lists& x) { return _foreach_minimum(x, numbers); }}) {
    const Tensor x = ones({3}).requires_grad_();
    extreme({x})[0].backward(full({3}, 2.0));
    CHECK(x.grad().equal(ones({3})));
  }
  for (auto write :
       {+[](const Lists& x) { _foreach_maximum_(x, 1); }, +[](const Lists& x) { _foreach_maximum_(x, limits); },
        +[](const Lists& x) { _foreach_maximum_(x, numbers); }, +[](const Lists& x) { _foreach_minimum_(x, 1); },
        +[](const Lists& x) { _foreach_minimum_(x, limits); },
        +[](const Lists& x) { _foreach_minimum_(x, numbers); }}) {
    const Tensor x = ones({3}).requires_grad_(), y = x * 1;
    write({y});
    y.backward(full({3}, 2.0));
    CHECK(x.grad().equal(ones({3})));
  }
  const Tensor wide = _foreach_maximum(Lists{full({2}, 1)}, 1.5)[0];  // integers, as clamp_min of them
  CHECK(wide.dtype() == full({2}, 1).clamp_min(1.5).dtype());
  CHECK(wide[0].item<double>() == 1.5);
}

TEST_CASE("maximum and minimum of lists of integers know numbers that the integers do not have") {
  const std::vector<Tensor> bytes{full({2}, 3, kByte)};
  CHECK(_foreach_maximum(bytes, -2)[0].equal(bytes[0]));
  CHECK(_foreach_minimum(bytes, 300)[0].equal(bytes[0]));
  _foreach_maximum_(bytes, -2);
  CHECK(bytes[0].equal(full({2}, 3, kByte)));
  CHECK_THROWS_AS(_foreach_minimum(bytes, -2), Error);
}

TEST_CASE("in-place functions of lists write into their tensors") {
  const std::vector<Tensor> x = list_of(0.5), y = list_of(1.5);
  const auto wanted = each(x, [&](const Tensor& t, size_t i) { return (t - y[i]).neg(); });
  _foreach_sub_(x, y);
  _foreach_neg_(x);
  CHECK(equal_lists(x, wanted));
  _foreach_copy_(x, y);
  CHECK(equal_lists(x, y));
  _foreach_zero_(x);
  CHECK(x[1].abs().sum().item<double>() == 0);
}

TEST_CASE("functions of lists refuse lists that do not match") {
  const std::vector<Tensor> x = list_of(0.5);
  CHECK_THROWS_WITH(_foreach_add(x, TensorList(x[0])),
                    ContainsSubstring("_foreach_add: Tensor lists must have the same number of tensors, got 3 and 1"));
  CHECK_THROWS_WITH(_foreach_exp(TensorList()),
                    ContainsSubstring("_foreach_exp: Tensor list must have at least one tensor."));
  CHECK_THROWS_WITH(_foreach_addcmul(x, x, x, tensor({1., 2.})), ContainsSubstring("length of scalars"));
}
