// Running a checkpointed function again for its derivative in eager code.
#include "transforms/custom.h"

#include "autograd/autograd.h"
#include "ops/creation.h"
#include "ops/view.h"

namespace strata::func {
namespace detail {

std::vector<Tensor> eager_checkpoint_backward(const ListFunction& f, const std::vector<Tensor>& inputs,
                                              const std::vector<Tensor>& grads) {
  std::vector<Tensor> leaves;
  for (const Tensor& t : inputs) leaves.push_back(t.defined() ? t.detach().requires_grad_(t.requires_grad()) : t);
  std::vector<Tensor> roots, seeds;
  {
    const EnableGradGuard recording;
    const std::vector<Tensor> outputs = f(leaves);
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (!outputs[i].requires_grad()) continue;
      roots.push_back(outputs[i]);
      seeds.push_back(grads[i]);
    }
  }
  autograd::backward(roots, seeds, std::nullopt, GradMode::is_enabled());
  std::vector<Tensor> result;
  for (const Tensor& t : leaves) result.push_back(t.defined() ? t.grad() : Tensor());
  return result;
}

Tensor zero_tangent(const Tensor& x) { return x.defined() ? zeros_like(x) : x; }

}  // namespace detail
}  // namespace strata::func
