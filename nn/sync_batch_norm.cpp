// Batch normalisation by the statistics of all ranks' batches together.
#include "nn/sync_batch_norm.h"

#include "core/called.h"
#include "core/grad_mode.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/reduce.h"
#include "ops/shaping.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata::nn {

Tensor functional::sync_batch_norm(const Tensor& input, const Tensor& running_mean, const Tensor& running_var,
                                   const Tensor& weight, const Tensor& bias, double momentum, double eps,
                                   const distributed::Group& group) {
  const Called called;
  STRATA_CHECK(input.dim() >= 2 && input.is_floating_point(),
               "sync_batch_norm: expected a floating point input (N, C, ...), got {} of shape {}", name(input.dtype()),
               input.sizes());
  const int64_t channels = input.size(1);
  DimVector others = {0}, shape(static_cast<size_t>(input.dim()), 1);
  for (int64_t d = 2; d < input.dim(); ++d) others.push_back(d);
  shape[1] = channels;
  const auto along = [&](const Tensor& t) { return t.view(shape); };
  const Tensor x = input.dtype() == kDouble ? input : input.to(kFloat);
  const double own = static_cast<double>(input.numel()) / static_cast<double>(std::max<int64_t>(1, channels));
  const Tensor sums = cat({sum(x, others), full({1}, own, x.options())});
  const Tensor of_all = distributed::all_reduce(sums, distributed::ReduceOp::SUM, group);
  const Tensor count = of_all.narrow(0, channels, 1), mean = of_all.narrow(0, 0, channels) / count;
  const Tensor centred = x - along(mean);
  const Tensor squares = sum(square(centred), others);
  const Tensor var = distributed::all_reduce(squares, distributed::ReduceOp::SUM, group) / count;
  Tensor out = centred * along(rsqrt(var + eps));
  if (weight.defined()) out = out * along(weight.to(x.dtype()));
  if (bias.defined()) out = out + along(bias.to(x.dtype()));
  if (running_mean.defined() && running_var.defined()) {
    const NoGradGuard no_grad;
    const auto update = [momentum](const Tensor& running, const Tensor& now) {
      running.detach().mul_(1 - momentum).add_(now.detach().to(running.dtype()), momentum);
    };
    update(running_mean, mean);
    update(running_var, var * (count / (count - 1).clamp_min(1)));
  }
  return out.to(input.dtype());
}

}  // namespace strata::nn
