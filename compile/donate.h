// Donated arguments: tensors whose memory a program takes over.
#pragma once
#include <vector>

#include "../transforms/program.h"

namespace strata::func::compiling {

/// Note [Donated arguments]
/// Before a run, what a donated tensor holds moves to a tensor of the program's own, and the caller's is left with an
/// empty storage, as resize_(0) leaves it: using it is an error. So nobody can see what a plan writes over that memory
/// once nothing reads the argument any more, and a result may keep it.

/// The leaves of the arguments that are donated, one bit for each. Throws where there is no such argument.
std::vector<bool> donated_leaves(const std::vector<int64_t>& donate, const std::vector<size_t>& leaves_of_arguments);

/// Throws where the program writes to an argument that is donated, since nobody would see it.
void check_not_written(const Program& program, const std::vector<bool>& donated);

/// Takes over the donated ones of the inputs. Throws, with all of them as they were, where one requires a gradient, is
/// a view, has memory from outside, or shares its memory with another tensor.
void take_donated(const Program& program, std::vector<Tensor>& inputs, const std::vector<bool>& donated);

}  // namespace strata::func::compiling
