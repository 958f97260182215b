// Params and ops of attention.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

/// The scores are `scale * q k^T`; with `is_causal` query i sees keys 0 to i.
struct AttentionParams {
  double scale;
  bool is_causal;
};

/// `attention(Tensor q, Tensor k, Tensor v)` with q `(B, H, L, E)`, k `(B, H, S, E)` and v `(B, H, S, V)` gives
/// `(B, H, L, V)` and the logarithms `(B, H, L)` of the sums that the softmax divides by, in the type that sums are
/// made in.
extern Op attention_op;
/// `attention_backward(Tensor grad, Tensor q, Tensor k, Tensor v, Tensor logsumexp, Tensor delta, Tensor? out)` gives
/// the gradients of q, k and v. With `p = exp(scores - logsumexp)` that of the scores is `p * (grad v^T - delta)`.
/// Where delta is `sum(grad * out)` per row, `out` may be given to kernels that add that up themselves.
extern Op attention_backward_op;

/// What the sums over a 16-bit type are made in: float; else the type itself.
inline DType attention_sum_dtype(DType t) { return t == kHalf || t == kBFloat16 ? kFloat : t; }

}  // namespace strata
