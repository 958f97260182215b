// Rows of the functions of two operands, with broadcasting, mixed element types, numbers as operands and integer
// division.
#include <cmath>

#include "dispatcher/call.h"
#include "ops/binary.h"
#include "ops/binary_def.h"
#include "ops/pointwise_functions.h"
#include "ops/special.h"
#include "ops/ternary.h"
#include "test/op_samples.h"

namespace strata::test {
namespace {

using Binary = Tensor (*)(const Tensor&, const Tensor&);
using RealBinary = double (*)(double, double);

/// Element-wise reference with broadcasting, in double.
Function broadcast(RealBinary f, DType result) {
  return [=](const List& in) {
    const DimVector sizes = broadcast_shapes(in[0].sizes(), in[1].sizes(), "reference");
    const std::vector<double> a = values(in[0]), b = values(in[1]);
    const auto at = [&](const Tensor& t, const std::vector<int64_t>& index) {
      int64_t p = 0;
      for (size_t d = 0; d < t.sizes().size(); ++d) {
        const int64_t i = index[d + sizes.size() - t.sizes().size()];
        p = p * t.sizes()[d] + (t.sizes()[d] == 1 ? 0 : i);
      }
      return static_cast<size_t>(p);
    };
    std::vector<double> out;
    for_each_index(sizes, [&](const std::vector<int64_t>& i) { out.push_back(f(a[at(in[0], i)], b[at(in[1], i)])); });
    return List{from_values(out, sizes, result)};
  };
}

/// `low` to `high` for both operands, but never equal: comparisons and maxima are smooth there.
Row binary(const char* op, Binary f, RealBinary reference, double low, double high, Takes takes, double ulps,
           DType result = kDouble) {
  const Function call = [f](const List& in) { return List{f(in[0], in[1])}; };
  Row row{op, {}, takes, {}, [reference](const double* x) { return reference(x[0], x[1]); }, ulps};
  const auto add = [&](IntArrayRef a, IntArrayRef b) {
    row.samples.push_back(
        {{uniform_values(a, low, high, 3), uniform_values(b, low, high, 4)}, call, broadcast(reference, result)});
  };
  add({4, 3}, {4, 3});
  add({4, 3}, {3});
  add({2, 1, 3}, {4, 1});
  add({}, {2, 2});
  add({}, {});
  add({2, 0}, {1});
  row.errors.push_back({[f] {
                          f(uniform_values({2, 3}), uniform_values({4}));
                        },
                        "do not broadcast: the size of tensor a (3) must match the size of tensor b (4)"});
  row.errors.push_back({[f] { f(uniform_values({2}), Tensor()); }, "undefined"});
  return row;
}

double python_modulo(double a, double b) {
  const double r = std::fmod(a, b);
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}
double larger(double a, double b) { return std::isnan(a) || std::isnan(b) ? NAN : std::max(a, b); }
double smaller(double a, double b) { return std::isnan(a) || std::isnan(b) ? NAN : std::min(a, b); }

void add_arithmetic(Table& t) {
  t.push_back(binary(
      "add", [](const Tensor& a, const Tensor& b) { return add(a, b); }, [](double a, double b) { return a + b; }, -2,
      2, Takes::kAll, 0.51));
  t.push_back(binary(
      "sub", [](const Tensor& a, const Tensor& b) { return sub(a, b); }, [](double a, double b) { return a - b; }, -2,
      2, Takes::kNumeric, 0.51));
  t.back().takes = Takes::kFixed;  // unsigned differences wrap: tested with integers below
  t.push_back(binary(
      "mul", [](const Tensor& a, const Tensor& b) { return mul(a, b); }, [](double a, double b) { return a * b; }, -2,
      2, Takes::kAll, 0.51));
  t.push_back(binary(
      "div", [](const Tensor& a, const Tensor& b) { return div(a, b); }, [](double a, double b) { return a / b; }, 0.5,
      2, Takes::kAll, 0.51));
  t.push_back(binary(
      "pow", [](const Tensor& a, const Tensor& b) { return pow(a, b); },
      [](double a, double b) { return std::pow(a, b); }, 0.4, 2, Takes::kNumeric, 4));
  t.push_back(binary(
      "fmod", [](const Tensor& a, const Tensor& b) { return fmod(a, b); },
      [](double a, double b) { return std::fmod(a, b); }, 0.5, 2, Takes::kFixed, 0));
  t.push_back(binary(
      "remainder", [](const Tensor& a, const Tensor& b) { return remainder(a, b); }, python_modulo, 0.5, 2,
      Takes::kFixed, 1));
  t.back().scalar = nullptr;  // infinities by Python's rules: a test of the family
  t.push_back(binary(
      "maximum", [](const Tensor& a, const Tensor& b) { return maximum(a, b); }, larger, -2, 2, Takes::kAll, 0));
  t.push_back(binary(
      "minimum", [](const Tensor& a, const Tensor& b) { return minimum(a, b); }, smaller, -2, 2, Takes::kAll, 0));
  t.push_back(binary(
      "fmax", [](const Tensor& a, const Tensor& b) { return fmax(a, b); },
      [](double a, double b) { return std::fmax(a, b); }, -2, 2, Takes::kAll, 0));
  t.push_back(binary(
      "fmin", [](const Tensor& a, const Tensor& b) { return fmin(a, b); },
      [](double a, double b) { return std::fmin(a, b); }, -2, 2, Takes::kAll, 0));
  t.push_back(binary(
      "atan2", [](const Tensor& a, const Tensor& b) { return atan2(a, b); },
      [](double a, double b) { return std::atan2(a, b); }, 0.3, 2, Takes::kAll, 4));
  t.push_back(binary(
      "xlogy", [](const Tensor& a, const Tensor& b) { return xlogy(a, b); },
      [](double a, double b) { return a == 0 && !std::isnan(b) ? 0 : a * std::log(b); }, 0.3, 2, Takes::kAll, 4));
  t.push_back(binary(
      "xlog1py", [](const Tensor& a, const Tensor& b) { return special::xlog1py(a, b); },
      [](double a, double b) { return a == 0 && !std::isnan(b) ? 0 : a * std::log1p(b); }, 0.3, 2, Takes::kAll, 4));
  t.push_back(binary(
      "logaddexp", [](const Tensor& a, const Tensor& b) { return logaddexp(a, b); },
      [](double a, double b) {
        return a == b ? a + std::log(2.0) : larger(a, b) + std::log1p(std::exp(-std::abs(a - b)));
      },
      -2, 2, Takes::kFixed, 4));
  t.push_back(binary(
      "lerp_scalar", [](const Tensor& a, const Tensor& b) { return lerp(a, b, 0.25); },
      [](double a, double b) { return a + 0.25 * (b - a); }, -2, 2, Takes::kFixed, 2));
  t.back().scalar = nullptr;  // of infinities: another NaN
  t.push_back(binary(
      "lerp_scalar", [](const Tensor& a, const Tensor& b) { return lerp(a, b, 0.75); },
      [](double a, double b) { return a + 0.75 * (b - a); }, -2, 2, Takes::kFixed, 2));
  t.back().scalar = nullptr;
  t.push_back(binary(
      "logaddexp2", [](const Tensor& a, const Tensor& b) { return logaddexp2(a, b); },
      [](double a, double b) {
        return a == b ? a + 1 : larger(a, b) + std::log1p(std::exp2(-std::abs(a - b))) / std::log(2.0);
      },
      -2, 2, Takes::kFixed, 4));
  t.push_back(binary(
      "hypot", [](const Tensor& a, const Tensor& b) { return hypot(a, b); },
      [](double a, double b) { return std::hypot(a, b); }, 0.3, 2, Takes::kAll, 1));
  t.push_back(binary(
      "copysign", [](const Tensor& a, const Tensor& b) { return copysign(a, b); },
      [](double a, double b) { return std::copysign(a, b); }, 0.3, 2, Takes::kAll, 0));
  t.push_back(binary(
      "floor_divide", [](const Tensor& a, const Tensor& b) { return floor_divide(a, b); },
      [](double a, double b) { return std::floor(a / b); }, 0.55, 1.05, Takes::kFixed, 0));
  t.back().scalar = nullptr;
  t.push_back(binary(
      "div_trunc", [](const Tensor& a, const Tensor& b) { return div(a, b, "trunc"); },
      [](double a, double b) { return std::trunc(a / b); }, 0.55, 1.05, Takes::kFixed, 0));
  t.back().scalar = nullptr;
}

void add_comparisons(Table& t) {
  const auto row = [&](const char* op, Binary f, RealBinary reference) {
    t.push_back(binary(op, f, reference, -2, 2, Takes::kAll, 0, kBool));
  };
  row(
      "eq", [](const Tensor& a, const Tensor& b) { return eq(a, b); },
      [](double a, double b) -> double { return a == b; });
  row(
      "ne", [](const Tensor& a, const Tensor& b) { return ne(a, b); },
      [](double a, double b) -> double { return a != b; });
  row(
      "lt", [](const Tensor& a, const Tensor& b) { return lt(a, b); },
      [](double a, double b) -> double { return a < b; });
  row(
      "le", [](const Tensor& a, const Tensor& b) { return le(a, b); },
      [](double a, double b) -> double { return a <= b; });
  row(
      "gt", [](const Tensor& a, const Tensor& b) { return gt(a, b); },
      [](double a, double b) -> double { return a > b; });
  row(
      "ge", [](const Tensor& a, const Tensor& b) { return ge(a, b); },
      [](double a, double b) -> double { return a >= b; });
  row(
      "logical_and", [](const Tensor& a, const Tensor& b) { return logical_and(a, b); },
      [](double a, double b) -> double { return a != 0 && b != 0; });
  row(
      "logical_or", [](const Tensor& a, const Tensor& b) { return logical_or(a, b); },
      [](double a, double b) -> double { return a != 0 || b != 0; });
  row(
      "logical_xor", [](const Tensor& a, const Tensor& b) { return logical_xor(a, b); },
      [](double a, double b) -> double { return (a != 0) != (b != 0); });
}

/// Both operands int64 in [low, high).
Row on_integers(const char* op, Binary f, RealBinary reference, int64_t low, int64_t high, int64_t low_b,
                int64_t high_b, Takes takes) {
  Row row{op, {}, takes};
  row.samples.push_back({{integers({6, 5}, low, high, 1), integers({6, 5}, low_b, high_b, 2)},
                         [f](const List& in) { return List{f(in[0], in[1])}; },
                         broadcast(reference, kLong),
                         0});
  return row;
}

void add_integer_rows(Table& t) {
  const auto row = [&](const char* op, Binary f, RealBinary r, int64_t low, int64_t high, int64_t low_b, int64_t high_b,
                       Takes takes = Takes::kFixed) {
    t.push_back(on_integers(op, f, r, low, high, low_b, high_b, takes));
  };
  using T = const Tensor&;
  row(
      "bitwise_and", [](T a, T b) { return bitwise_and(a, b); },
      [](double a, double b) -> double { return static_cast<int64_t>(a) & static_cast<int64_t>(b); }, -99, 99, -99, 99,
      Takes::kIntegral);
  row(
      "bitwise_or", [](T a, T b) { return bitwise_or(a, b); },
      [](double a, double b) -> double { return static_cast<int64_t>(a) | static_cast<int64_t>(b); }, -99, 99, -99, 99,
      Takes::kIntegral);
  row(
      "bitwise_xor", [](T a, T b) { return bitwise_xor(a, b); },
      [](double a, double b) -> double { return static_cast<int64_t>(a) ^ static_cast<int64_t>(b); }, -99, 99, -99, 99,
      Takes::kIntegral);
  row(
      "sub", [](T a, T b) { return sub(a, b); }, [](double a, double b) { return a - b; }, -99, 99, -99, 99);
  row(
      "floor_divide", [](T a, T b) { return floor_divide(a, b); }, [](double a, double b) { return std::floor(a / b); },
      -99, 99, -9, 0);
  row(
      "remainder", [](T a, T b) { return remainder(a, b); }, python_modulo, -99, 99, -9, 0);
  row(
      "fmod", [](T a, T b) { return fmod(a, b); }, [](double a, double b) { return std::fmod(a, b); }, -99, 99, 1, 9);
  row(
      "div_trunc", [](T a, T b) { return div(a, b, "trunc"); }, [](double a, double b) { return std::trunc(a / b); },
      -99, 99, -9, 0);
  row(
      "pow", [](T a, T b) { return pow(a, b); }, [](double a, double b) { return std::pow(a, b); }, -5, 6, 0, 5);
}

/// Powers by a number: a general one, and each that has a way of its own.
void add_powers(Table& t) {
  Row row{"pow_scalar", {}};
  for (double e : {2.5, -1.5, 0.0, 0.5, 1.0, 2.0, 3.0, -1.0}) {
    row.samples.push_back({{uniform_values({4, 3}, 0.4, 2, 5)},
                           [e](const List& in) { return List{pow(in[0], e)}; },
                           [e](const List& in) {
                             std::vector<double> v = values(in[0]);
                             for (double& x : v) x = std::pow(x, e);
                             return List{from_values(v, in[0].sizes())};
                           }});
  }
  t.push_back(row);
}

/// Products and quotients with a number.
void add_numbers(Table& t) {
  for (const bool divides : {false, true}) {
    Op& op = divides ? div_scalar_op : mul_scalar_op;
    Row row{divides ? "div_scalar" : "mul_scalar", {}};
    row.samples.push_back({{uniform_values({4, 3}, -2, 2, 5)},
                           [&op](const List& in) { return List{call1(op, {&in[0]}, NumberParams{3.7})}; },
                           [divides](const List& in) {
                             std::vector<double> v = values(in[0]);
                             for (double& x : v) x = divides ? x / 3.7 : x * 3.7;
                             return List{from_values(v, in[0].sizes())};
                           }});
    t.push_back(row);
  }
}

}  // namespace

void add_binary(Table& t) {
  add_arithmetic(t);
  add_numbers(t);
  add_powers(t);
  add_comparisons(t);
  add_integer_rows(t);
}

}  // namespace strata::test
