// For each row: values against its reference, special values, vector edges, element types and the errors of wrong
// calls.
#include <cmath>
#include <limits>

#include "core/grad_mode.h"
#include "test/op_sweep.h"

namespace strata::test {
namespace {

using Limits = std::numeric_limits<double>;
constexpr DType kAllTypes[] = {kBool, kByte, kChar, kShort, kInt, kUInt32, kLong, kHalf, kBFloat16, kFloat, kDouble};

const std::vector<double>& special_values(DType t) {
  static const std::vector<double> common = {0.0,  -0.0,  1.0,   -1.0,   0.5,  -0.5, 1.5,      -2.5,      3.0,
                                             10.0, -10.0, 100.0, -100.0, 1e-3, 1e4,  INFINITY, -INFINITY, NAN};
  static const auto with = [](double tiny, double smallest, double largest) {
    std::vector<double> v = common;
    v.insert(v.end(), {tiny, -tiny, smallest, largest, -largest});
    return v;
  };
  static const std::vector<double> f32 = with(1.401298464324817e-45, 1.1754943508222875e-38, 3.4028234663852886e38);
  static const std::vector<double> f64 = with(Limits::denorm_min(), Limits::min(), Limits::max());
  return t == kFloat ? f32 : f64;
}

/// Error of `got` in units of the last place of `t` at the exact value.
double ulps_off(double got, double exact, DType t) {
  if (std::isnan(exact) || std::isnan(got)) return std::isnan(exact) && std::isnan(got) ? 0 : INFINITY;
  const double rounded = t == kFloat ? static_cast<double>(static_cast<float>(exact)) : exact;
  if (got == rounded) return 0;
  if (std::isinf(got) || std::isinf(rounded)) {  // at the edge of the range either is right
    const double largest = t == kFloat ? 3.4028234663852886e38 : Limits::max();
    return std::abs(std::isinf(got) ? exact : got) > largest * (1 - 1e-6) && std::signbit(got) == std::signbit(exact)
               ? 0
               : INFINITY;
  }
  const int digits = t == kFloat ? 24 : 53, lowest = t == kFloat ? -149 : -1074;
  const double unit = std::ldexp(1.0, std::max(std::ilogb(rounded == 0 ? got : rounded) + 1 - digits, lowest));
  return std::abs(got - exact) / unit;
}

/// The row's function on every combination of special values, against the scalar function.
void check_special_values(const Row& row, DType t) {
  const std::vector<double>& special = special_values(t);
  const size_t arity = row.samples[0].inputs.size();
  size_t n = 1;
  for (size_t i = 0; i < arity; ++i) n *= special.size();
  std::vector<std::vector<double>> columns(arity);
  for (size_t k = 0; k < n; ++k)
    for (size_t i = 0, rest = k; i < arity; ++i, rest /= special.size())
      columns[i].push_back(special[rest % special.size()]);
  List inputs;
  for (auto& column : columns) {
    inputs.push_back(from_values(column, {static_cast<int64_t>(n)}, t));
    column = values(inputs.back());  // as the type holds them
  }
  const std::vector<double> got = values(row.samples[0].f(inputs)[0]);
  for (size_t k = 0; k < n; ++k) {
    std::vector<double> at;
    for (const auto& column : columns) at.push_back(column[k]);
    const double exact = row.scalar(at.data());
    std::string where;
    for (double x : at) where += detail::format_message("{} ", {x});
    expect(ulps_off(got[k], exact, t) <= row.ulps,
           detail::format_message("{} of {} at {}gives {}, not {}", {row.op, name(t), where, got[k], exact}));
  }
}

/// Lengths around every vector width, in float and double.
void check_lengths(const Row& row, DType t) {
  for (int64_t n : {0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 1023, 1025}) {
    List inputs;
    std::vector<std::vector<double>> columns;
    for (const Tensor& sample : row.samples[0].inputs) {
      const std::vector<double> v = values(sample);
      std::vector<double> cycled;
      for (int64_t i = 0; i < n; ++i) cycled.push_back(v[static_cast<size_t>(i) % v.size()]);
      inputs.push_back(from_values(cycled, {n}, t));
      columns.push_back(values(inputs.back()));
    }
    const std::vector<double> got = values(row.samples[0].f(inputs)[0]);
    expect(static_cast<int64_t>(got.size()) == n, "length of " + row.op);
    double worst = 0;
    for (size_t k = 0; k < got.size(); ++k) {
      std::vector<double> at;
      for (const auto& column : columns) at.push_back(column[k]);
      worst = std::max(worst, ulps_off(got[k], row.scalar(at.data()), t));
    }
    expect(worst <= row.ulps,
           detail::format_message("{} of {} {}: {} units of the last place off", {row.op, n, name(t), worst}));
  }
}

void check_reference(const Row& row, const Sample& s, size_t number) {
  const List got = s.f(s.inputs), expected = s.reference(s.inputs);
  expect(got.size() == expected.size(), "number of results of " + row.op);
  for (size_t i = 0; i < std::min(got.size(), expected.size()); ++i) {
    const double d = distance(got[i], expected[i]);
    expect(d <= s.tolerance, detail::format_message("{} sample {} result {}: shape {} for {}, off by {}",
                                                    {row.op, number, i, got[i].sizes(), expected[i].sizes(), d}));
  }
}

bool claims(Takes takes, DType t) {
  switch (takes) {
    case Takes::kFloating:
      return is_floating_point(t);
    case Takes::kNumeric:
      return t != kBool;
    case Takes::kIntegral:
      return is_integral(t, true);
    default:
      return true;
  }
}

/// Small whole numbers for integer types; values that the narrow types hold exactly for the others.
Tensor retyped(const Tensor& sample, DType t, bool integral_row) {
  if (!is_float(sample) && !integral_row) return sample;
  std::vector<double> v = values(sample);
  for (double& x : v)
    x = t == kBool       ? x > 0
        : is_integral(t) ? std::floor(std::abs(x) * 3) + 1
                         : static_cast<double>(static_cast<float>(BFloat16(static_cast<float>(x))));
  return from_values(v, sample.sizes(), t);
}

void check_type(const Row& row, DType t) {
  const Sample& s = row.samples[0];
  List narrow, wide;
  for (const Tensor& in : s.inputs) {
    narrow.push_back(retyped(in, t, row.takes == Takes::kIntegral));
    wide.push_back(is_float(in)                    ? converted(narrow.back(), kDouble)
                   : row.takes == Takes::kIntegral ? converted(narrow.back(), kLong)
                                                   : in);
  }
  List got;
  try {
    got = s.f(narrow);
  } catch (const Error& e) {
    expect(!claims(row.takes, t),
           detail::format_message("{} should take {} but says: {}", {row.op, name(t), e.what()}));
    return;
  }
  expect(claims(row.takes, t), detail::format_message("{} should refuse {}", {row.op, name(t)}));
  if (!claims(row.takes, t)) return;
  const List exact = s.f(wide);
  for (size_t i = 0; i < got.size(); ++i) {
    if (got[i].dtype() == kBool) continue;
    Tensor expected = exact[i];
    if (!is_float(got[i])) expected = converted(converted(exact[i], got[i].dtype()), kDouble);
    expect(
        distance(got[i], expected) <= std::max(rounding(is_floating_point(t) ? t : got[i].dtype()), 0.0),
        detail::format_message("{} in {} differs from float64 by {}", {row.op, name(t), distance(got[i], expected)}));
  }
}

void check_error(const Row& row, const WrongCall& wrong) {
  try {
    wrong.call();
  } catch (const Error& e) {
    const std::string what = e.what();
    expect(what.find(wrong.says) != std::string::npos,
           row.op + ": the error '" + what + "' does not say '" + wrong.says + "'");
    expect(what.find('\n') == std::string::npos, row.op + ": an error is one line: " + what);
    return;
  }
  expect(false, row.op + ": no error that says '" + wrong.says + "'");
}

}  // namespace

TEST_CASE("values equal independent references") {
  for (const Row& row : table())
    for (size_t i = 0; i < row.samples.size(); ++i)
      if (row.samples[i].reference) guarded(row.op, [&] { check_reference(row, row.samples[i], i); });
}

TEST_CASE("element-wise functions are right at special values and every length") {
  for (const Row& row : table()) {
    if (!row.scalar) continue;
    for (DType t : {kFloat, kDouble}) {
      guarded(row.op, [&] { check_special_values(row, t); });
      guarded(row.op, [&] { check_lengths(row, t); });
    }
  }
}

TEST_CASE("the element types claimed are those that work") {
  for (const Row& row : table())
    if (row.takes != Takes::kFixed && !row.samples.empty())
      for (DType t : kAllTypes) guarded(row.op + " in " + name(t), [&] { check_type(row, t); });
}

TEST_CASE("wrong calls raise errors that say what is wrong") {
  for (const Row& row : table())
    for (const WrongCall& wrong : row.errors) guarded(row.op, [&] { check_error(row, wrong); });
}

}  // namespace strata::test
