// Running the linear program that linearize() made.
#include "transforms/linearize.h"
#include "dispatcher/names.h"

namespace strata::func::detail {

std::vector<Tensor> push(const Program& program, std::vector<Tensor> tangents) {
  const auto& inputs = program.inputs();
  STRATA_CHECK(tangents.size() == inputs.size(), "linearize: {} tensors are needed, {} were given", inputs.size(),
               tangents.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == Program::kNone) {
      tangents[i] = Tensor();
    } else if (!tangents[i].defined()) {
      const Program::Type& type = program.type(inputs[i]);
      tangents[i] = zeros(type.sizes, TensorOptions(type.dtype).device(type.device));
    }
  }
  return program(std::move(tangents));
}

}  // namespace strata::func::detail
