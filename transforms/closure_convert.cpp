// Captured tensors of a program become inputs of it.
#include "transforms/closure_convert.h"

namespace strata::func::detail {

std::pair<Program, std::vector<Tensor>> hoist_captured(const Program& program) {
  Program::Body body = program.body();
  std::vector<Tensor> captured;
  std::erase_if(body.constants, [&](const Program::Constant& c) {
    if (!c.captured || !is_differentiable(c.value.scalar_type())) return false;
    body.inputs.push_back(c.variable);
    captured.push_back(c.value);
    return true;
  });
  return {Program(std::move(body)), std::move(captured)};
}

}  // namespace strata::func::detail
