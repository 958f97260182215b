// Whether modules and dtypes print under Strata's names or under libtorch's: one switch for all printers.
#pragma once
#include <cstdint>

namespace strata {

/// Strata's names: `strata::nn::Linear(...)`, float32. libtorch's: `torch::nn::Linear(...)`, Float.
enum class Naming : uint8_t { kStrata, kLibtorch };
/// Under whose names things print: Strata's, unless the program includes libtorch's headers (compat/), which choose
/// theirs when it starts. Messages of errors name dtypes by Strata's names in any case.
Naming naming() noexcept;
void set_naming(Naming naming) noexcept;
inline bool libtorch_names() noexcept { return naming() == Naming::kLibtorch; }
/// "strata::nn::" or "torch::nn::".
const char* module_prefix() noexcept;

}  // namespace strata
