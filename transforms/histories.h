// Values of a program that have another history than that of the equations that make them.
#pragma once
#include <memory>
#include <vector>

#include "../autograd/custom.h"
#include "../autograd/hooks.h"
#include "program.h"

namespace strata::func::detail {

using autograd::CustomRule;

/// What a trace notes of such values: Note [Histories of their own].
struct History {
  size_t equations;                        ///< how many there were before
  std::shared_ptr<const CustomRule> rule;  ///< that of the equation to add; without one, inputs stand for the values
  std::vector<Program::Variable> inputs, values;
};

/// Takes what a tensor was and what was written to it while recording is off.
std::shared_ptr<const CustomRule> rule_of_unrecorded_write();
/// Takes the arguments of a rule, of which there are so many, what it gave, and what it kept.
std::shared_ptr<const CustomRule> rule_that_ran(std::shared_ptr<const CustomRule> rule, size_t arguments,
                                                const CustomRule::Forward& ran);
/// Notes that a hook is to see the gradient of a value.
void add_hook(std::vector<History>& histories, const Program::Body& body, Program::Variable value,
              IntrusivePtr<autograd::Hook> hook);
/// Adds their equations, in order, and lets what comes later read the results in the values' places.
void add_histories(Program::Body& body, const std::vector<History>& histories);

}  // namespace strata::func::detail
