// What optimizers say of options that cannot be. Not included by public headers.
#pragma once
#include <initializer_list>
#include <utility>

#include "../core/error.h"

namespace strata::optim {

/// Throws for the first value below 0, or NaN, by its name: "learning rate", "weight_decay value".
inline void check_not_negative(const char* optimizer, std::initializer_list<std::pair<const char*, double>> options) {
  for (const auto& option : options)
    STRATA_CHECK(option.second >= 0, "{}: Invalid {}: {} is negative", optimizer, option.first, option.second);
}

}  // namespace strata::optim
