// Control flow, whose params hold programs: those were read and checked by themselves, here is how they fit the call.
#include <algorithm>
#include <limits>

#include "exchange/check_rows.h"
#include "transforms/control_ops.h"

namespace strata::func::exchange {
namespace {

using control::Types;

/// The types of the inputs from `first` on.
Types types_from(const Arguments& a, size_t first) {
  Types types;
  for (size_t i = first; i < a.count(); ++i) types.push_back(control::type_of(a[i]));
  return types;
}
Types part(const Types& types, int64_t first, int64_t size) {
  return {types.begin() + first, types.begin() + first + size};
}

/// A branch, a condition or a step: all that it takes and gives are tensors, and it gives all that it does.
void check_program(const Arguments& a, const Program& p, const Types& operands) {
  const auto has_none = [](const std::vector<Program::Variable>& list) {
    return std::find(list.begin(), list.end(), Program::kNone) != list.end();
  };
  a.require(!has_none(p.inputs()) && !has_none(p.outputs()), "a program among its params has an undefined tensor");
  a.require(p.effects().empty(), "a program among its params writes to its inputs or constants");
  const Types taken = control::input_types(p);
  STRATA_CHECK(taken == operands, "a program among its params takes {}, it is given {}", control::text(taken),
               control::text(operands));
}

void check_cond(const Arguments& a, const control::CondParams& p) {
  a.require(a[0].dtype() == kLong, "the number of the branch is not of int64");
  a.require(!p.branches.empty(), "there is no branch");
  const Types operands = types_from(a, 1);
  std::vector<Types> outputs;
  for (const Program& branch : p.branches) {
    check_program(a, branch, operands);
    outputs.push_back(control::output_types(branch));
  }
  control::check_branches("cond", outputs);
}

void check_while(const Arguments& a, const control::WhileParams& p) {
  const Types all = types_from(a, 0);
  const auto given = static_cast<int64_t>(all.size());
  a.require_between(p.condition_consts, 0, given, "the number of the condition's constants");
  a.require_between(p.body_consts, 0, given - p.condition_consts, "the number of the body's constants");
  const int64_t consts = p.condition_consts + p.body_consts;
  const Types carry = part(all, consts, given - consts),
              body = part(all, p.condition_consts, given - p.condition_consts);
  Types condition = part(all, 0, p.condition_consts);
  condition.insert(condition.end(), carry.begin(), carry.end());
  check_program(a, p.condition, condition);
  check_program(a, p.body, body);
  const Types decides = control::output_types(p.condition);
  STRATA_CHECK(decides.size() == 1 && decides[0].dtype == kBool && decides[0].sizes.empty(),
               "the condition gives {}; it must be a bool scalar", control::text(decides));
  control::check_carry("while", carry, control::output_types(p.body));
}

void check_scan(const Arguments& a, const control::ScanParams& p) {
  Types types = types_from(a, 0);
  const auto given = static_cast<int64_t>(types.size());
  a.require_between(p.length, 0, std::numeric_limits<int64_t>::max(), "length");
  a.require_between(p.consts, 0, given, "the number of constants");
  a.require_between(p.carry, 0, given - p.consts, "the number of carried tensors");
  for (auto x = types.begin() + p.consts + p.carry; x != types.end(); ++x) {
    a.require(!x->sizes.empty() && x->sizes[0] == p.length, "the first size of xs is not the number of steps");
    x->sizes.erase(0);
  }
  check_program(a, p.body, types);
  const Types outputs = control::output_types(p.body);
  a.require_between(p.carry, 0, static_cast<int64_t>(outputs.size()), "the number of carried tensors");
  control::check_carry("scan", part(types, p.consts, p.carry), part(outputs, 0, p.carry));
  const auto& equations = p.body.equations();
  a.require(!p.recompute || std::none_of(equations.begin(), equations.end(), has_side_effects),
            "a body that runs again for its backward draws from the default generator");
}

constexpr CheckRow kControlRows[] = {
    row<control::CondParams>("cond", ".[] .[.]*", [](const auto& a, const auto& p) { check_cond(a, p); }),
    row<control::WhileParams>("while", ".[.]*", [](const auto& a, const auto& p) { check_while(a, p); }),
    row<control::ScanParams>("scan", ".[.]*", [](const auto& a, const auto& p) { check_scan(a, p); }),
};

}  // namespace

CheckRows rows_of_control() { return kControlRows; }

}  // namespace strata::func::exchange
