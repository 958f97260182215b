// Rows of the ops on complex numbers: values against std::complex, derivatives in complex128.
#include <cmath>
#include <complex>

#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/complex.h"
#include "ops/conv.h"
#include "ops/einsum.h"
#include "ops/indexing.h"
#include "ops/linalg.h"
#include "ops/reduce.h"
#include "ops/scan.h"
#include "ops/shaping.h"
#include "ops/sort.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"
#include "test/op_samples.h"

namespace strata::test {
namespace {

using T = const Tensor&;
using Value = std::complex<double>;
using Values = std::vector<Value>;

Tensor numbers(IntArrayRef sizes, unsigned seed = 1, double low = -2, double high = 2, DType dtype = kComplexDouble) {
  return uniform_values(sizes, low, high, seed, dtype);
}

Values complex_values(T t) {
  const std::vector<double> v = values(t);
  Values out;
  const size_t step = static_cast<size_t>(numbers_in(t.dtype()));
  for (size_t i = 0; i < v.size(); i += step) out.emplace_back(v[i], step == 2 ? v[i + 1] : 0);
  return out;
}

Tensor tensor_of(const Values& values, IntArrayRef sizes) {
  std::vector<double> v;
  for (const Value& z : values) v.insert(v.end(), {z.real(), z.imag()});
  return from_values(v, sizes, kComplexDouble);
}

Function call(Tensor (*f)(T)) {
  return [f](const List& in) { return List{f(in[0])}; };
}
Function call(Tensor (*f)(T, T)) {
  return [f](const List& in) { return List{f(in[0], in[1])}; };
}

// --- element-wise ----------------------------------------------------------------------------------------------------

/// The value at each element of input 0.
template <class F>
Function each_complex(F f) {
  return [f](const List& in) {
    Values v = complex_values(in[0]);
    for (Value& z : v) z = f(z);
    return List{tensor_of(v, in[0].sizes())};
  };
}
template <class F>
Function each_real(F f) {
  return [f](const List& in) {
    std::vector<double> v;
    for (const Value& z : complex_values(in[0])) v.push_back(f(z));
    return List{from_values(v, in[0].sizes())};
  };
}

template <class F>
Row complex_unary(const char* op, Tensor (*f)(T), F reference, double low = -2, double high = 2) {
  Row row{op, {}};
  unsigned seed = 31;
  for (const DimVector& sizes : {DimVector{7, 3}, DimVector(), DimVector{2, 0, 3}})
    row.samples.push_back({{numbers(sizes, ++seed, low, high)}, call(f), each_complex(reference)});
  row.samples.push_back({{numbers({5, 2}, ++seed, low, high, kComplexFloat)}, call(f), each_complex(reference), 1e-5});
  return row;
}

#define STRATA_ROW(f, ...) \
  t.push_back(complex_unary(#f, f, [](Value z) -> Value { return std::f(z); } __VA_OPT__(, ) __VA_ARGS__))
void add_complex_functions(Table& t) {
  STRATA_ROW(sqrt);
  STRATA_ROW(exp);
  STRATA_ROW(log);
  STRATA_ROW(log10);
  STRATA_ROW(sin);
  STRATA_ROW(cos);
  STRATA_ROW(tan, 0.2, 1.2);
  STRATA_ROW(asin, 0.2, 1.2);
  STRATA_ROW(acos, 0.2, 1.2);
  STRATA_ROW(atan, 0.2, 0.8);
  STRATA_ROW(sinh);
  STRATA_ROW(cosh);
  STRATA_ROW(tanh, -1, 1);
  STRATA_ROW(asinh, 0.2, 0.8);
  STRATA_ROW(acosh, -1.5, -0.2);
  STRATA_ROW(atanh, 0.2, 0.8);
  t.push_back(complex_unary("neg", neg, [](Value z) { return -z; }));
  t.push_back(complex_unary("conj", conj, [](Value z) { return std::conj(z); }));
  t.push_back(complex_unary("square", square, [](Value z) { return z * z; }));
  t.push_back(complex_unary("reciprocal", reciprocal, [](Value z) { return 1.0 / z; }));
  t.push_back(complex_unary("rsqrt", rsqrt, [](Value z) { return 1.0 / std::sqrt(z); }));
  t.push_back(complex_unary("exp2", exp2, [](Value z) { return std::exp(z * std::log(2.0)); }));
  t.push_back(complex_unary("expm1", expm1, [](Value z) { return std::exp(z) - 1.0; }));
  t.push_back(complex_unary("log2", log2, [](Value z) { return std::log(z) / std::log(2.0); }));
  t.push_back(complex_unary(
      "log1p", log1p, [](Value z) { return std::log(1.0 + z); }, -0.6, 2));
  t.push_back(complex_unary(
      "sigmoid", sigmoid, [](Value z) { return 1.0 / (1.0 + std::exp(-z)); }, -1, 1));
  t.push_back(complex_unary("", sgn, [](Value z) { return z / std::abs(z); }));
}
#undef STRATA_ROW

void add_real_results(Table& t) {
  const auto row = [&](const char* op, Tensor (*f)(T), double (*reference)(Value)) {
    t.push_back({op, {{{numbers({4, 3}, 5)}, call(f), each_real(reference)}, {{numbers({}, 6)}, call(f)}}});
  };
  row("complex_abs", abs, [](Value z) { return std::abs(z); });
  row("", angle, [](Value z) { return std::arg(z); });
  row("view_as_real", real, [](Value z) { return z.real(); });
  row("", imag, [](Value z) { return z.imag(); });
  const auto test = [&](const char* op, Tensor (*f)(T), bool (*reference)(Value)) {
    const double inf = INFINITY, nan = NAN;
    const Tensor x = tensor_of({{0, 0}, {1, 0}, {0, 2}, {inf, 1}, {nan, 1}, {1, -inf}, {inf, nan}, {2, 3}}, {8});
    t.push_back({op,
                 {{{x},
                   call(f),
                   [reference](const List& in) {
                     std::vector<double> v;
                     for (const Value& z : complex_values(in[0])) v.push_back(reference(z));
                     return List{from_values(v, in[0].sizes(), kBool)};
                   },
                   0,
                   false}}});
  };
  test("isnan", isnan, [](Value z) { return std::isnan(z.real()) || std::isnan(z.imag()); });
  test("isinf", isinf, [](Value z) { return std::isinf(z.real()) || std::isinf(z.imag()); });
  test("isfinite", isfinite, [](Value z) { return std::isfinite(z.real()) && std::isfinite(z.imag()); });
  test("logical_not", logical_not, [](Value z) { return z == Value(); });
  test("", isreal, [](Value z) { return z.imag() == 0; });
}

/// Element-wise on equal shapes; the result is complex.
template <class F>
Function both(F f) {
  return [f](const List& in) {
    Values a = complex_values(in[0]);
    const Values b = complex_values(in[1]);
    for (size_t i = 0; i < a.size(); ++i) a[i] = f(a[i], b[i]);
    return List{tensor_of(a, in[0].sizes())};
  };
}

template <class F>
Row complex_binary(const char* op, Tensor (*f)(T, T), F reference) {
  Row row{op, {}};
  row.samples.push_back({{numbers({4, 3}, 3), numbers({4, 3}, 4)}, call(f), both(reference)});
  row.samples.push_back({{numbers({4, 3}, 3), uniform_values({4, 3}, 0.5, 2, 4)}, call(f), both(reference)});
  row.samples.push_back({{uniform_values({4, 3}, 0.5, 2, 4), numbers({4, 3}, 3)}, call(f), both(reference)});
  row.samples.push_back({{numbers({2, 1, 3}, 5), numbers({4, 1}, 6)}, call(f)});
  row.samples.push_back(
      {{numbers({5}, 7, -2, 2, kComplexFloat), numbers({5}, 8, -2, 2, kComplexFloat)}, call(f), both(reference), 1e-5});
  return row;
}

void add_complex_arithmetic(Table& t) {
  t.push_back(complex_binary(
      "add", [](T a, T b) { return add(a, b); }, [](Value a, Value b) { return a + b; }));
  t.push_back(complex_binary(
      "sub", [](T a, T b) { return sub(a, b); }, [](Value a, Value b) { return a - b; }));
  t.push_back(complex_binary(
      "mul", [](T a, T b) { return mul(a, b); }, [](Value a, Value b) { return a * b; }));
  t.push_back(complex_binary(
      "div", [](T a, T b) { return div(a, b); }, [](Value a, Value b) { return a / b; }));
  t.push_back(complex_binary(
      "pow", [](T a, T b) { return pow(a, b); }, [](Value a, Value b) { return std::pow(a, b); }));
  t.push_back(complex_binary(
      "", [](T a, T b) { return add(a, b, Scalar(Value(0.5, -2))); },
      [](Value a, Value b) { return a + Value(0.5, -2) * b; }));
  Row powers{"pow_scalar", {}};
  for (Value e : {Value(2.5), Value(2), Value(0.5), Value(-1), Value(0), Value(3), Value(1, 0.5)}) {
    const Scalar exponent = e.imag() == 0 ? Scalar(e.real()) : Scalar(e);
    powers.samples.push_back({{numbers({4, 3}, 9)},
                              [exponent](const List& in) { return List{pow(in[0], exponent)}; },
                              each_complex([e](Value z) { return std::pow(z, e); })});
  }
  t.push_back(powers);
  const auto compare = [&](const char* op, Tensor (*f)(T, T), bool (*reference)(Value, Value)) {
    const Tensor a = tensor_of({{1, 2}, {1, 2}, {0, 0}, {3, 0}, {0, 1}}, {5}),
                 b = tensor_of({{1, 2}, {1, -2}, {0, 0}, {0, 0}, {0, 2}}, {5});
    t.push_back({op, {{{a, b}, call(f), [reference](const List& in) {
                         std::vector<double> v;
                         const Values x = complex_values(in[0]), y = complex_values(in[1]);
                         for (size_t i = 0; i < x.size(); ++i) v.push_back(reference(x[i], y[i]));
                         return List{from_values(v, in[0].sizes(), kBool)};
                       }}}});
  };
  compare(
      "eq", [](T a, T b) { return eq(a, b); }, [](Value a, Value b) { return a == b; });
  compare(
      "ne", [](T a, T b) { return ne(a, b); }, [](Value a, Value b) { return a != b; });
  compare("logical_and", logical_and, [](Value a, Value b) { return a != 0.0 && b != 0.0; });
  compare("logical_or", logical_or, [](Value a, Value b) { return a != 0.0 || b != 0.0; });
  compare("logical_xor", logical_xor, [](Value a, Value b) { return (a != 0.0) != (b != 0.0); });
}

/// Two real parts to one complex number.
void add_complex_joins(Table& t) {
  const List parts{uniform_values({4, 3}, 0.3, 2, 1), uniform_values({4, 3}, -2, 2, 2)};
  const auto joined = [](Value (*f)(double, double)) -> Function {
    return [f](const List& in) {
      const std::vector<double> a = values(in[0]), b = values(in[1]);
      Values z;
      for (size_t i = 0; i < a.size(); ++i) z.push_back(f(a[i], b[i]));
      return List{tensor_of(z, in[0].sizes())};
    };
  };
  t.push_back({"complex",
               {{parts, call(complex), joined([](double a, double b) { return Value(a, b); })},
                {{uniform_values({3}), uniform_values({2, 1}, -1, 1, 2)}, call(complex)}}});
  t.push_back({"polar",
               {{parts, call(polar), joined([](double a, double b) { return std::polar(a, b); })},
                {{uniform_values({3}), uniform_values({2, 1}, -1, 1, 2)}, call(polar)}}});
  t.push_back({"view_as_complex", {{{uniform_values({3, 4, 2})}, [](const List& in) {
                                      return List{view_as_complex(in[0].contiguous())};
                                    }}}});
  t.push_back({"cast",
               {{{uniform_values({4, 3})}, [](const List& in) { return List{in[0].to(kComplexDouble)}; }},
                {{numbers({4, 3})}, [](const List& in) { return List{in[0].to(kComplexFloat)}; }},
                {{numbers({4, 3})}, [](const List& in) { return List{in[0].to(kDouble)}; }}}});
}

// --- what moves or sums elements: the same on both parts -------------------------------------------------------------

/// f on the real and on the imaginary parts of the complex inputs.
Function by_parts(const Function& f) {
  return [f](const List& in) {
    List re = in, im = in;
    for (size_t i = 0; i < in.size(); ++i)
      if (in[i].is_complex()) re[i] = real(in[i]).clone(), im[i] = imag(in[i]).clone();
    const List a = f(re), b = f(im);
    List out;
    for (size_t i = 0; i < a.size(); ++i) {
      const std::vector<double> x = values(a[i]), y = values(b[i]);
      Values z;
      for (size_t k = 0; k < x.size(); ++k) z.emplace_back(x[k], y[k]);
      out.push_back(tensor_of(z, a[i].sizes()));
    }
    return out;
  };
}

void add_complex_moves(Table& t) {
  const Tensor x = numbers({4, 3}, 11), index = integers({2, 3}, 0, 4, 2), mask = integers({4, 3}, 0, 2, 3, kBool);
  const auto row = [&](const char* op, const List& in, const std::function<Tensor(const List&)>& f) {
    const Function function = [f](const List& list) { return List{f(list)}; };
    t.push_back({op, {{in, function, by_parts(function)}}});
  };
  row("sum", {x}, [](const List& in) { return sum(in[0]); });
  row("sum", {numbers({3, 40, 2}, 12)}, [](const List& in) { return sum(in[0], {1}, true); });
  row("sum", {numbers({3000}, 12)}, [](const List& in) { return sum(in[0]); });
  row("mean", {x}, [](const List& in) { return mean(in[0], {0}); });
  row("cumsum", {x}, [](const List& in) { return cumsum(in[0], 0); });
  row("copy", {x}, [](const List& in) { return in[0].t().contiguous(); });
  row("expand", {x}, [](const List& in) { return expand(in[0], {2, 4, 3}); });
  row("select", {x}, [](const List& in) { return select(in[0], 1, 2); });
  row("slice", {x}, [](const List& in) { return in[0].slice(0, 1, 4, 2); });
  row("diagonal", {x}, [](const List& in) { return in[0].diagonal(1); });
  row("unfold", {x}, [](const List& in) { return in[0].unfold(0, 3, 1); });
  row("cat", {x, numbers({1, 3}, 13)}, [](const List& in) { return cat({in[0], in[1]}); });
  row("pad", {x}, [](const List& in) { return constant_pad_nd(in[0], {1, 2, 0, 1}, 0); });
  row("flip", {x}, [](const List& in) { return flip(in[0], {0, 1}); });
  row("", {x}, [](const List& in) { return roll(in[0], {1}, {0}); });
  row("tril", {x}, [](const List& in) { return tril(in[0]); });
  row("triu", {x}, [](const List& in) { return triu(in[0], 1); });
  row("gather", {x, index}, [](const List& in) { return gather(in[0], 0, in[1]); });
  row("scatter", {x, index, numbers({2, 3}, 14)}, [](const List& in) { return scatter_add(in[0], 0, in[1], in[2]); });
  row("index", {x, integers({5}, 0, 3, 4)}, [](const List& in) { return index_select(in[0], 1, in[1]); });
  row("index_put", {x, integers({5}, 0, 4, 4), numbers({5, 3}, 15)},
      [](const List& in) { return index_add(in[0], 0, in[1], in[2]); });
  row("where", {x, numbers({4, 3}, 16), mask}, [](const List& in) { return where(in[2], in[0], in[1]); });
  row("", {x, mask}, [](const List& in) { return masked_fill(in[0], in[1], 0); });
  row("", {x, numbers({4, 3}, 16)}, [](const List& in) { return lerp(in[0], in[1], 0.25); });
}

// --- products --------------------------------------------------------------------------------------------------------

/// out(i, j) = sum over q of a(i, q) b(q, j).
Function product() {
  return [](const List& in) {
    const Values a = complex_values(in[0]), b = complex_values(in[1]);
    const int64_t m = in[0].size(0), k = in[0].size(1), n = in[1].size(1);
    Values out(static_cast<size_t>(m * n));
    for (int64_t i = 0; i < m; ++i)
      for (int64_t q = 0; q < k; ++q)
        for (int64_t j = 0; j < n; ++j) out[i * n + j] += a[i * k + q] * b[q * n + j];
    return List{tensor_of(out, {m, n})};
  };
}

void add_products(Table& t) {
  const Tensor a = numbers({4, 3}, 21), b = numbers({3, 5}, 22);
  t.push_back({"matmul",
               {{{a, b}, call(mm), product()},
                {{numbers({40, 70}, 23), numbers({70, 33}, 24)}, call(mm), product()},
                {{numbers({2, 4, 3}, 25), numbers({2, 3, 5}, 26)}, call(bmm)},
                {{numbers({2, 1, 4, 3}, 25), numbers({3, 3, 5}, 26)}, call(matmul)}}});
  const auto scaled = [](const List& in) {
    return List{addmm(in[0], in[1], in[2], Scalar(Value(0.5, 1)), Scalar(Value(2, -1)))};
  };
  t.push_back({"addmm", {{{numbers({4, 5}, 27), a, b}, scaled}}});
  t.push_back({"linear", {{{a, numbers({5, 3}, 28), numbers({5}, 29)}, [](const List& in) {
                             return List{linear(in[0], in[1], in[2])};
                           }}}});
  t.push_back(
      {"dot", {{{numbers({6}, 30), numbers({6}, 31)}, call(dot)}, {{numbers({6}, 30), numbers({6}, 31)}, call(vdot)}}});
  t.push_back({"",
               {{{a, b},
                 [](const List& in) {
                   return List{einsum("ij,jk->ki", {in[0], in[1]})};
                 }},
                {{numbers({3}, 32), numbers({4}, 33)}, call(outer)},
                {{a}, call(adjoint)}}});
  t.push_back({"prod", {{{a}, [](const List& in) { return List{prod(in[0], 1)}; }}}});
  t.push_back({"",
               {{{a},
                 [](const List& in) {
                   return List{var(in[0], {1}, true), strata::std(in[0], {0}, true, true)};
                 }},
                {{a},
                 [](const List& in) {
                   return List{logsumexp(in[0], {1}), logsumexp(in[0], {0, 1}, true)};
                 }},
                {{numbers({2, 3, 5}, 34), numbers({4, 3, 2}, 35), numbers({4}, 36)},
                 [](const List& in) { return List{conv1d(in[0], in[1], in[2])}; }}}});
  t.push_back({"cumprod", {{{a}, [](const List& in) { return List{cumprod(in[0], 0)}; }}}});
  t.push_back({"", {{{a}, [](const List& in) { return List{norm(in[0])}; }}, {{a}, [](const List& in) {
                                                                                return List{norm(in[0], 1, {1})};
                                                                              }}}});
}

// --- what complex numbers cannot do ----------------------------------------------------------------------------------

void add_refusals(Table& t) {
  Row row{"", {}};
  const Tensor z = numbers({3}, 1, -2, 2, kComplexFloat);
  const auto refuses = [&](const char* name, const std::function<void(T)>& f) {
    row.errors.push_back({[=] { f(z); }, std::string(name) + ": not implemented for complex64"});
  };
  refuses("max", [](T x) { max(x); });
  refuses("min", [](T x) { min(x, 0); });
  refuses("argmax", [](T x) { argmax(x); });
  refuses("sort", [](T x) { sort(x); });
  refuses("lt", [](T x) { lt(x, x); });
  refuses("ge", [](T x) { ge(x, 1); });
  refuses("maximum", [](T x) { maximum(x, x); });
  refuses("floor", [](T x) { floor(x); });
  refuses("round", [](T x) { round(x); });
  refuses("sign", [](T x) { sign(x); });
  refuses("relu", [](T x) { relu(x); });
  refuses("clamp", [](T x) { clamp(x, 0, 1); });
  refuses("erf", [](T x) { erf(x); });
  refuses("remainder", [](T x) { remainder(x, x); });
  refuses("atan2", [](T x) { atan2(x, x); });
  refuses("bitwise_and", [](T x) { bitwise_and(x, x); });
  row.errors.push_back({[=] { imag(abs(z)); }, "imag: expected a complex tensor, got float32"});
  row.errors.push_back({[=] { view_as_complex(uniform_values({3})); }, "the last dim must have size 2"});
  row.errors.push_back({[=] { view_as_complex(uniform_values({2, 3}).t()); }, "do not pair up"});
  row.errors.push_back({[=] { abs(z).mul_(z); }, "be cast to the desired output type float32"});
  row.errors.push_back({[=] { complex(uniform_values({3}), abs(z)); }, "two float32 or two float64"});
  t.push_back(row);
}

}  // namespace

void add_complex(Table& t) {
  add_complex_functions(t);
  add_real_results(t);
  add_complex_arithmetic(t);
  add_complex_joins(t);
  add_complex_moves(t);
  add_products(t);
  add_refusals(t);
}

}  // namespace strata::test
