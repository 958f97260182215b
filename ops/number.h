// Numbers as operands of tensors.
#pragma once
#include "../core/tensor.h"

namespace strata::detail {

/// What a number became last in this thread: the operand of a running call that is this tensor is a number. Known of
/// numbers on the CPU.
const TensorImpl* last_number() noexcept;

}  // namespace strata::detail
