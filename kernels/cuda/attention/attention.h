// Attention by cuDNN, which the kernels of our own stand behind.
#pragma once
#include "core/tensor.h"
#include "ops/attention_def.h"

namespace strata::cuda::attention {

/// Attention's forward op on device memory of any strides; false, with nothing done, where cuDNN has no plan for these
/// types and shapes or would not repay making one.
bool attention_by_cudnn(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionParams& p, const Tensor& out,
                        const Tensor& logsumexp);
/// The backward op's inputs and outputs by name.
struct AttentionGradients {
  const Tensor &grad, &q, &k, &v, &out, &logsumexp;
  const Tensor &dq, &dk, &dv;
};
/// The same for the backward op, where delta is `sum(grad * out)`. Gradients of queries are added up in changing order,
/// unless deterministic algorithms are asked for.
bool attention_backward_by_cudnn(const AttentionGradients& g, const AttentionParams& p);

}  // namespace strata::cuda::attention
