// What the nodes of ops are called.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace strata::autograd {

/// Which operand of two is a number?
enum class NumberAt : uint8_t { kNone, kFirst, kSecond };

/// "MulBackward0" for mul. Under libtorch's names (core/naming.h) what libtorch calls the function where it has one of
/// the same gradient: "MulBackward1" for a tensor times a number, "PowBackward0" for square.
std::string name_of_node(std::string_view op, NumberAt number);

}  // namespace strata::autograd
