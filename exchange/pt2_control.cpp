// What exported programs do besides ATen's ops: numbers of sizes, assertions, lists, branches and loops.
#include <algorithm>
#include <cmath>
#include <utility>

#include "autograd/autocast.h"
#include "core/grad_mode.h"
#include "exchange/pt2_ops.h"
#include "ops/creation.h"
#include "ops/view.h"
#include "transforms/control_flow.h"

namespace strata::pt2 {
namespace {

using A = const Arguments&;

constexpr const char* kTooLarge = "load_pt2: the numbers {} and {} are too large";

/// Python's arithmetic: of integers exact, of anything else in double.
template <class Integers, class Doubles>
Value arithmetic(A a, Integers integers, Doubles doubles) {
  const Value &x = a.at(0), &y = a.at(1);
  if (x.isDouble() || y.isDouble()) return doubles(x.toDouble(), y.toDouble());
  return integers(x.toInt(), y.toInt());
}

int64_t plus(int64_t x, int64_t y) {
  int64_t out = 0;
  STRATA_CHECK(!__builtin_add_overflow(x, y, &out), kTooLarge, x, y);
  return out;
}

int64_t minus(int64_t x, int64_t y) {
  int64_t out = 0;
  STRATA_CHECK(!__builtin_sub_overflow(x, y, &out), kTooLarge, x, y);
  return out;
}

int64_t times(int64_t x, int64_t y) {
  int64_t out = 0;
  STRATA_CHECK(!__builtin_mul_overflow(x, y, &out), kTooLarge, x, y);
  return out;
}

/// Rounds down, as Python does.
int64_t floor_quotient(int64_t x, int64_t y) {
  STRATA_CHECK(y != 0 && !(x == INT64_MIN && y == -1), "load_pt2: {} // {}", x, y);
  return x / y - (x % y != 0 && (x < 0) != (y < 0));
}

int64_t floor_remainder(int64_t x, int64_t y) { return minus(x, times(floor_quotient(x, y), y)); }

int64_t power(int64_t x, int64_t y) {
  STRATA_CHECK(y >= 0 && y < 64, "load_pt2: {} ** {} is no integer of 64 bits", x, y);
  int64_t out = 1;
  for (; y > 0; --y) out = times(out, x);
  return out;
}

int64_t to_integer(double x) {
  STRATA_CHECK(std::abs(x) < 9e18, "load_pt2: {} is no integer of 64 bits", x);
  return static_cast<int64_t>(x);
}

template <class F>
bool compared(A a, F f) {
  const Value &x = a.at(0), &y = a.at(1);
  return x.isDouble() || y.isDouble() ? f(x.toDouble(), y.toDouble()) : f(x.toInt(), y.toInt());
}

/// A predicate as it is now; none inside of vmap and trace, where it has many values or none.
std::optional<bool> known(const Value& v) {
  if (!v.isTensor()) return v.toBool();
  const Tensor& t = v.toTensor();
  if (!t.impl()->wrapper()) return t.item<bool>();
  try {
    return t.item<bool>();
  } catch (const Error&) {
    return std::nullopt;
  }
}

bool known_condition(const Value& v) {
  const std::optional<bool> goes_on = known(v);
  STRATA_CHECK(
      goes_on,
      "load_pt2: while_loop over numbers inside of vmap, trace or compile: its condition has no value; export a "
      "loop that carries tensors alone");
  return *goes_on;
}

void check(const Value& condition, const std::string& message) {
  const std::optional<bool> holds = known(condition);
  STRATA_CHECK(holds.value_or(true), "load_pt2: the exported program asserts: {}", message);
}

using List = std::vector<Tensor>;

/// Operands or results: the tensors among them, which transforms follow, and all others in their places.
struct Parted {
  List tensors;
  Values others;
};

Parted part(Values all) {
  Parted parts{{}, std::move(all)};
  for (Value& v : parts.others)
    if (v.isTensor()) parts.tensors.push_back(std::exchange(v, Tensor()).toTensor());
  return parts;
}

Values join(Values others, const List& tensors) {
  size_t next = 0;
  for (Value& v : others)
    if (v.isTensor()) v = tensors[next++];
  return others;
}

bool are_same_numbers(const Values& x, const Values& y) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                    [](const Value& v, const Value& w) { return v.isTensor() ? w.isTensor() : v == w; });
}

/// What the condition of a loop gives, as a tensor without dims.
Tensor decision(const Parted& results) {
  STRATA_CHECK(results.others.size() == 1, "load_pt2: the condition of a loop gives {} results", results.others.size());
  return results.tensors.empty() ? scalar_tensor(results.others[0].toBool(), kBool) : results.tensors[0].reshape({});
}

/// `torch.cond`: numbers that the branches give have to be the same.
Values cond(A a) {
  const Value& predicate = a.at(0);
  const Parted operands = part(a.rest(3));
  if (!predicate.isTensor()) return a.run_graph(predicate.toBool() ? 1 : 2, join(operands.others, operands.tensors));
  std::optional<Values> others;
  const auto branch = [&](size_t graph) {
    return [&, graph](const List& tensors) {
      Parted results = part(a.run_graph(graph, join(operands.others, tensors)));
      STRATA_CHECK(!others || are_same_numbers(*others, results.others),
                   "load_pt2: the branches give different numbers, or tensors in other places");
      others = std::move(results.others);
      return results.tensors;
    };
  };
  const List tensors = func::cond(predicate.toTensor().reshape({}), branch(1), branch(2), operands.tensors);
  return join(*others, tensors);
}

/// `torch.while_loop` over tensors; a loop that carries numbers has values to decide by.
Values while_loop(A a) {
  const Parted carry = part(a.at(2).toListRef());
  const Values others = a.rest(3);
  const auto with_others = [&](Values carried) {
    carried.insert(carried.end(), others.begin(), others.end());
    return carried;
  };
  if (carry.tensors.size() < carry.others.size()) {
    Values carried = a.at(2).toListRef();
    while (known_condition(a.run_graph(0, with_others(carried)).at(0)))
      carried = a.run_graph(1, with_others(std::move(carried)));
    return carried;
  }
  const auto run = [&](size_t graph, const List& tensors) {
    return part(a.run_graph(graph, with_others(join(carry.others, tensors))));
  };
  const List last = func::while_loop([&](const List& t) { return decision(run(0, t)); },
                                     [&](const List& t) { return run(1, t).tensors; }, carry.tensors);
  return join(carry.others, last);
}

Value item(A a) {
  const Tensor& t = a.self();
  const Scalar value = t.item();
  if (t.dtype() == kBool) return value.toBool();
  return is_floating_point(t.dtype()) ? Value(value.toDouble()) : Value(value.toLong());
}

void constrain(A a) {
  const int64_t size = a.integer("size");
  const bool fits = a.maybe_integer("min").value_or(size) <= size && size <= a.maybe_integer("max").value_or(size);
  STRATA_CHECK(fits, "load_pt2: the exported program asserts a range that {} is not in", size);
}

constexpr OpEntry kControlOps[] = {
    {"_operator.add", "", [](A a) { return arithmetic(a, plus, [](double x, double y) { return x + y; }); }},
    {"_operator.sub", "", [](A a) { return arithmetic(a, minus, [](double x, double y) { return x - y; }); }},
    {"_operator.mul", "", [](A a) { return arithmetic(a, times, [](double x, double y) { return x * y; }); }},
    {"_operator.floordiv", "",
     [](A a) { return arithmetic(a, floor_quotient, [](double x, double y) { return std::floor(x / y); }); }},
    {"_operator.mod", "",
     [](A a) { return arithmetic(a, floor_remainder, [](double x, double y) { return x - y * std::floor(x / y); }); }},
    {"_operator.pow", "", [](A a) { return arithmetic(a, power, [](double x, double y) { return std::pow(x, y); }); }},
    {"_operator.truediv", "", [](A a) { return a.at(0).toDouble() / a.at(1).toDouble(); }},
    {"_operator.neg", "",
     [](A a) { return a.at(0).isDouble() ? Value(-a.at(0).toDouble()) : Value(minus(0, a.at(0).toInt())); }},
    {"_operator.eq", "", [](A a) { return compared(a, [](auto x, auto y) { return x == y; }); }},
    {"_operator.ne", "", [](A a) { return compared(a, [](auto x, auto y) { return x != y; }); }},
    {"_operator.lt", "", [](A a) { return compared(a, [](auto x, auto y) { return x < y; }); }},
    {"_operator.le", "", [](A a) { return compared(a, [](auto x, auto y) { return x <= y; }); }},
    {"_operator.gt", "", [](A a) { return compared(a, [](auto x, auto y) { return x > y; }); }},
    {"_operator.ge", "", [](A a) { return compared(a, [](auto x, auto y) { return x >= y; }); }},
    {"_operator.and_", "", [](A a) { return a.at(0).toBool() && a.at(1).toBool(); }},
    {"_operator.or_", "", [](A a) { return a.at(0).toBool() || a.at(1).toBool(); }},
    {"_operator.getitem", "",
     [](A a) {
       const Value::List& list = a.at(0).toListRef();
       const int64_t i = a.at(1).toInt();
       STRATA_CHECK(i >= 0 && i < static_cast<int64_t>(list.size()), "load_pt2: item {} of {}", i, list.size());
       return list[static_cast<size_t>(i)];
     }},
    {"math.ceil", "", [](A a) { return to_integer(std::ceil(a.at(0).toDouble())); }},
    {"math.floor", "", [](A a) { return to_integer(std::floor(a.at(0).toDouble())); }},
    {"math.trunc", "", [](A a) { return to_integer(std::trunc(a.at(0).toDouble())); }},
    {"torch.sym_float", "", [](A a) { return a.at(0).toDouble(); }},
    {"torch.sym_int", "", [](A a) { return to_integer(a.at(0).toDouble()); }},
    {"torch.sym_not", "", [](A a) { return !a.at(0).toBool(); }},
    {"torch.sym_max", "",
     [](A a) {
       return arithmetic(
           a, [](int64_t x, int64_t y) { return std::max(x, y); }, [](double x, double y) { return std::max(x, y); });
     }},
    {"torch.sym_min", "",
     [](A a) {
       return arithmetic(
           a, [](int64_t x, int64_t y) { return std::min(x, y); }, [](double x, double y) { return std::min(x, y); });
     }},
    {"torch.sym_ite", "", [](A a) { return a.at(0).toBool() ? a.at(1) : a.at(2); }},

    {"torch.ops.aten.sym_size.int", "", [](A a) { return a.self().size(a.integer("dim")); }},
    {"torch.ops.aten.sym_numel.default", "", [](A a) { return a.self().numel(); }},
    {"torch.ops.aten.item.default", "", [](A a) { return item(a); }},
    {"torch.ops.aten._local_scalar_dense.default", "", [](A a) { return item(a); }},

    {"torch.ops.aten._assert_scalar.default", "", [](A a) { return check(a.at(0), a.at(1).toStringRef()), Values(); }},
    {"torch.ops.aten._assert_async.msg", "", [](A a) { return check(a.at(0), a.at(1).toStringRef()), Values(); }},
    {"torch.ops.aten._assert_async.default", "", [](A a) { return check(a.at(0), "a condition"), Values(); }},
    {"torch.ops.aten._assert_tensor_metadata.default", "",
     [](A a) {
       const std::optional<DType> dtype = a.maybe_dtype();
       a.maybe_ints("size"), a.maybe_ints("stride");
       STRATA_CHECK(!dtype || *dtype == a.tensor("a").dtype(), "load_pt2: the exported program asserts: {} is {}",
                    name(a.tensor("a").dtype()), name(*dtype));
       return Values();
     }},
    {"torch.ops.aten.sym_constrain_range.default", "", [](A a) { return constrain(a), Values(); }},
    {"torch.ops.aten.sym_constrain_range_for_size.default", "", [](A a) { return constrain(a), Values(); }},

    {"torch.ops.higher_order.cond", "", [](A a) { return cond(a); }},
    {"torch.ops.higher_order.while_loop", "", [](A a) { return while_loop(a); }},
    {"torch.ops.higher_order.invoke_subgraph", "", [](A a) { return a.at(1), a.run_graph(0, a.rest(2)); }},
    {"torch.ops.higher_order.wrap_with_autocast", "",
     [](A a) {
       a.at(3);  // whether casts are cached
       const Device device(a.at(0).toStringRef());
       const Value& dtype = a.at(1);
       const AutocastGuard guard(device.type(), dtype.isNone() ? kBFloat16 : dtype.toScalarType(), a.at(2).toBool());
       return a.run_graph(4, a.rest(5));
     }},
    {"torch.ops.higher_order.wrap_with_set_grad_enabled", "",
     [](A a) {
       const AutoGradMode mode(a.at(0).toBool() && GradMode::is_enabled());
       return a.run_graph(1, a.rest(2));
     }},
};

}  // namespace

std::span<const OpEntry> control_ops() { return kControlOps; }

}  // namespace strata::pt2
