// Rows of where, clamp, lerp, addcmul and addcdiv.
#include <cmath>

#include "ops/ternary.h"
#include "test/op_samples.h"

namespace strata::test {
namespace {

using Ternary = Tensor (*)(const Tensor&, const Tensor&, const Tensor&);
using RealTernary = double (*)(double, double, double);

/// Equal shapes: compares element by element.
Function each(RealTernary f) {
  return [f](const List& in) {
    const std::vector<double> a = values(in[0]), b = values(in[1]), c = values(in[2]);
    std::vector<double> out;
    for (size_t i = 0; i < a.size(); ++i) out.push_back(f(a[i], b[i], c[i]));
    return List{from_values(out, in[0].sizes())};
  };
}

Row ternary(const char* op, Ternary f, RealTernary reference, Takes takes) {
  const Function call = [f](const List& in) { return List{f(in[0], in[1], in[2])}; };
  const auto u = [](IntArrayRef sizes, unsigned seed) { return uniform_values(sizes, 0.5, 2, seed); };
  Row row{op, {}, takes};
  row.samples.push_back({{u({4, 3}, 1), u({4, 3}, 2), u({4, 3}, 3)}, call, each(reference)});
  row.samples.push_back({{u({}, 1), u({}, 2), u({}, 3)}, call, each(reference)});
  row.samples.push_back({{u({2, 0}, 1), u({2, 0}, 2), u({2, 0}, 3)}, call, each(reference)});
  row.samples.push_back({{u({4, 3}, 1), u({3}, 2), u({4, 1}, 3)}, call});
  row.samples.push_back({{u({33}, 1), u({33}, 2), u({33}, 3)}, call, each(reference)});
  row.errors.push_back({[f] { f(uniform_values({2, 3}), uniform_values({2, 3}), uniform_values({4})); }, "broadcast"});
  return row;
}

}  // namespace

void add_ternary(Table& t) {
  using T = const Tensor&;
  t.push_back(ternary(
      "lerp", [](T a, T b, T w) { return lerp(a, b, w); }, [](double a, double b, double w) { return a + w * (b - a); },
      Takes::kFloating));
  t.push_back(ternary(
      "addcmul", [](T a, T b, T c) { return addcmul(a, b, c, 0.5); },
      [](double a, double b, double c) { return a + 0.5 * b * c; }, Takes::kFixed));
  t.push_back(ternary(
      "addcdiv", [](T a, T b, T c) { return addcdiv(a, b, c, -2); },
      [](double a, double b, double c) { return a - 2 * b / c; }, Takes::kFloating));
  t.push_back(ternary(
      "clamp", [](T x, T low, T high) { return clamp(x, low, high); },
      [](double x, double low, double high) { return std::min(std::max(x, low), high); }, Takes::kAll));

  const Tensor mask = integers({4, 3}, 0, 2, 1, kBool), a = uniform_values({4, 3}, -1, 1, 2),
               b = uniform_values({4, 3}, -1, 1, 3);
  const Function choose = [](const List& in) { return List{where(in[0], in[1], in[2])}; };
  Row row{"where", {}, Takes::kAll};
  row.samples.push_back({{mask, a, b}, choose, each([](double m, double x, double y) { return m != 0 ? x : y; })});
  row.samples.push_back({{mask, uniform_values({3}), uniform_values({})}, choose});
  row.samples.push_back(
      {{integers({3, 1}, 0, 2, 4, kBool), uniform_values({3, 5}), uniform_values({5}, -1, 1, 9)}, choose});
  row.errors.push_back({[] { where(uniform_values({2}), uniform_values({2}), uniform_values({2})); }, "bool"});
  t.push_back(row);

  const Tensor x = distinct({5, 4});
  const auto one_sided = [&](const Function& f, const Function& reference) {
    t.push_back({"clamp", {{{x}, f, reference}}});
  };
  const auto limited = [](double low, double high) {
    return [=](const List& in) {
      std::vector<double> v = values(in[0]);
      for (double& e : v) e = std::min(std::max(e, low), high);
      return List{from_values(v, in[0].sizes())};
    };
  };
  one_sided([](const List& in) { return List{clamp(in[0], -0.4, 0.5)}; }, limited(-0.4, 0.5));
  t.push_back({"maximum", {{{x}, [](const List& in) { return List{in[0].clamp_min(0.2)}; }, limited(0.2, 1e9)}}});
  t.push_back({"minimum", {{{x}, [](const List& in) { return List{in[0].clamp_max(0.2)}; }, limited(-1e9, 0.2)}}});
}

}  // namespace strata::test
