// What libtorch asks of a std::variant of named choices: torch::enumtype::get_enum_name.
#pragma once
#include <strata/strata.h>

#include <string>

namespace strata::enumtype {

inline Choice chosen(Choice choice) { return choice; }
/// The choice that a variant of choices holds.
template <class... Choices>
Choice chosen(const std::variant<Choices...>& choice) {
  return std::visit([](Choice c) { return c; }, choice);
}

/// "kMean", "kZeros", ...
template <class V>
std::string get_enum_name(const V& choice) {
  return constant_name(chosen(choice));
}

/// kNone, kMean or kSum as ATen's functions of losses take them.
template <class V>
Reduction::Reduction reduction_get_enum(const V& choice) {
  switch (chosen(choice)) {
    case kNone():
      return Reduction::None;
    case kMean():
      return Reduction::Mean;
    case kSum():
      return Reduction::Sum;
    default:
      STRATA_CHECK(false, "{} is not a valid value for reduction", get_enum_name(choice));
  }
}

}  // namespace strata::enumtype
