// What the nodes of ops are called.
#pragma once
#include <cstdint>
#include <string>

#include "../dispatcher/op.h"

namespace strata::autograd {

/// Which operand of two is a number?
enum class NumberAt : uint8_t { kNone, kFirst, kSecond };

/// What the name of a recorded op's node is made of.
struct NodeOrigin {
  const dispatch::Op& op;
  const void* params;
  const char* called;  ///< the public function that the op ran in (core/called.h), null where it does not say
  NumberAt number;
  uint8_t operands;
  uint8_t dims[2];  ///< of the first two operands
};

/// "MulBackward0" for mul. Under libtorch's names (core/naming.h) what libtorch calls the function where it has one of
/// the same gradient: "MulBackward1" for a tensor times a number, "PowBackward0" for square, "StackBackward0" for the
/// cat that a stack is made of.
std::string name_of_node(const NodeOrigin& origin);

}  // namespace strata::autograd
