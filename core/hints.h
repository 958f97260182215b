// Hints: warnings of calls that are right by themselves and rarely meant, each given once and all of them silenced by
// one switch.
#pragma once
#include <string>

namespace strata {

/// Whether hints are given: an optimizer of nothing, a module that was not registered, a step without gradients, a loss
/// that is NaN in anomaly mode. On unless the environment has STRATA_HINTS=0.
bool hints_enabled() noexcept;
void set_hints_enabled(bool on) noexcept;
/// A warning (warning.h) to the thread's handler, once per distinct message; nothing where hints are off.
void hint(const std::string& message);

}  // namespace strata
