// The names of the formulas, from the lists that all kernels are made of.
#include "kernels/cuda/fused/formulas.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <typeinfo>
#include <unordered_map>

#include "kernels/op_formulas.h"
#include "ops/cast_def.h"
#include "ops/random_def.h"

namespace strata::cuda::fused {
namespace {

using namespace arithmetic;
using dispatch::Op;

struct NamedFormula {
  std::string name;
  bool is_test, is_long;
};

/// The formulas of an op, and what its params say of them.
struct OpEntry {
  size_t inputs;
  unsigned types;
  std::vector<NamedFormula> formulas;
  size_t (*which)(const void* params);
  std::vector<double> (*numbers)(const void* params);
  std::string header;
};
using Table = std::unordered_map<const Op*, OpEntry>;

/// As it is written inside of namespace arithmetic.
template <class F>
NamedFormula named() {
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(typeid(F).name(), nullptr, nullptr, nullptr), &std::free);
  constexpr std::string_view kPrefix = "strata::arithmetic::";
  const std::string name = text.get();
  constexpr bool is_test = requires { F::kBool; };
  constexpr bool is_long = requires { F::kLong; };
  return {name.substr(name.starts_with(kPrefix) ? kPrefix.size() : 0), is_test, is_long};
}

template <Op& op, int inputs, unsigned types, class P, class... F>
void add(Table& table, const std::string& header, OpFormulas<op, inputs, types, P, F...>) {
  table[&op] = {inputs,
                types,
                {named<F>()...},
                [](const void* p) { return static_cast<size_t>(arithmetic::which_of(*static_cast<const P*>(p))); },
                [](const void* p) {
                  const auto numbers = arithmetic::numbers_of(*static_cast<const P*>(p));
                  return std::vector<double>(numbers.begin(), numbers.end());
                },
                header};
}
template <class... O>
void add(Table& table, const std::string& header, List<O...>) {
  (add(table, header, O()), ...);
}

Table make_table() {
  Table table;
  const auto plain = [&](auto... lists) { (add(table, "", lists), ...); };
  plain(Simple(), Exponential(), Hyperbolic(), Trigonometric(), Activations(), Arithmetic(), Divisions(), Powers(),
        Comparisons(), Losses(), OfNumbers());
  add(table, "kernels/special_gamma.h", SpecialFunctions());
  add(table, "kernels/special_gamma.h", BesselFunctions());
  add(table, "kernels/special_gamma.h", Polynomials());
  return table;
}

bool is_one_of(DType t, unsigned types) {
  if (t == kBool) return types & kBools;
  return types & (is_floating_point(t) ? kFloats : kIntegers);
}

std::string run_of(DType result, const std::string& name) {
  return "run<" + std::string(type_name(result)) + ", " + name + ">";
}

/// Powers of floats; a few exponents are exact by themselves, as in pow_scalar's own kernel.
std::optional<Formula> power_of(DType dtype, const Scalar& exponent) {
  if (!is_floating_point(dtype) || exponent.is_complex()) return std::nullopt;
  constexpr std::pair<double, const char*> kExact[] = {
      {2, "Square"}, {0.5, "Sqrt"}, {-1, "Reciprocal"}, {3, "Cube"}, {-0.5, "Rsqrt"}};
  const double e = exponent.toDouble();
  for (const auto& [exact, name] : kExact)
    if (e == exact) return Formula{run_of(dtype, name), {}};
  return Formula{run_of(dtype, "Pow"), {e}};
}

}  // namespace

std::string_view type_name(DType dtype) {
  switch (dtype) {
    case kBool:
      return "bool";
    case kByte:
      return "uint8_t";
    case kChar:
      return "int8_t";
    case kShort:
      return "int16_t";
    case kInt:
      return "int32_t";
    case kUInt32:
      return "uint32_t";
    case kLong:
      return "int64_t";
    case kHalf:
      return "Half";
    case kBFloat16:
      return "BFloat16";
    case kFloat:
      return "float";
    case kDouble:
      return "double";
    default:
      return "";
  }
}

std::optional<Formula> formula_of(const Op& op, ArrayRef<DType> inputs, const void* params) {
  if (std::any_of(inputs.begin(), inputs.end(), [](DType t) { return type_name(t).empty(); })) return std::nullopt;
  const DType dtype = inputs.back();
  if (&op == &where_op)
    return inputs.size() == 3 && inputs[0] == kBool ? std::optional(Formula{"Where::run", {}}) : std::nullopt;
  if (&op == &cast_op || &op == &cast_to_integer_op) {
    const std::string_view to = type_name(static_cast<const CastParams*>(params)->dtype);
    return to.empty() ? std::nullopt : std::optional(Formula{"convert<" + std::string(to) + ">", {}});
  }
  if (&op == &masked_scale_op)
    return Formula{run_of(inputs[0], "MaskedScale"), {static_cast<const MaskedScaleParams*>(params)->scale}};
  if (&op == &pow_scalar_op) return power_of(dtype, static_cast<const PowParams*>(params)->exponent);
  static const Table table = make_table();
  const auto found = table.find(&op);
  if (found == table.end()) return std::nullopt;
  const OpEntry& entry = found->second;
  const auto is_other = [&](DType t) { return t != dtype; };
  if (inputs.size() != entry.inputs || !is_one_of(dtype, entry.types) ||
      std::any_of(inputs.begin(), inputs.end(), is_other))
    return std::nullopt;
  const NamedFormula& f = entry.formulas[entry.which(params)];
  return Formula{run_of(f.is_test ? kBool : dtype, f.name), entry.numbers(params), f.is_long, entry.header};
}

}  // namespace strata::cuda::fused
