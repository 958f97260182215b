// Which equations of a program a device runs as one kernel.
#pragma once
#include <optional>

#include "../transforms/program.h"

namespace strata::func::compiling {

/// The program with chains of element-wise equations, over tensors of one shape on a device that runs such chains, as
/// one equation each. Nothing where there is no such chain. It computes no gradients.
std::optional<Program> fuse_chains(const Program& program);

}  // namespace strata::func::compiling
