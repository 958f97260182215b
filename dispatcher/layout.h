// The order in which the dims of element-wise results lie in memory.
#pragma once
#include <cstdint>

#include "op.h"

namespace strata::dispatch {

/// Note [Order of dims]
/// On the CPU an element-wise result lies in memory as its operands do, as in PyTorch: where they are alike and without
/// gaps it gets their strides, else the dims are put in the order that the first operand whose strides tell prescribes,
/// without gaps. So what is channels-last, or transposed, stays so through element-wise ops, their gradients and
/// `clone`. Inside of transforms, whose tensors show no memory, results are row-major, so that sums over a mapped dim
/// have the bits of those over ranks. Kernels write to the strides that they are given. Element-wise ops with the flag
/// kRowMajor and all other ops give row-major tensors, but for those with kKeepsOrder and of Note [Channels last].

/// Does each element of a tensor of these sizes and strides have a place of its own, without gaps between them?
bool is_dense(IntArrayRef sizes, IntArrayRef strides);

/// Are the elements in row-major order, and do the strides of dims of one element not say that channels are last?
inline bool lies_row_major(const Tensor& t) { return t.is_contiguous() && !has_channels_last(t); }

/// The strides of an element-wise result of operands of the sizes, defined or not; false where it is row-major.
bool strides_of_result(Args operands, IntArrayRef sizes, DimVector& strides);

/// Does the order of its operands decide that of a fresh result of the op, which its infer rule takes for row-major?
inline bool is_ordered(const Op& op, Args args) {
  if (args.size() == 0 || !args[0].defined() || args[0].is_contiguous()) return false;
  return op.is(kKeepsOrder) || (op.is(kPointwise) && !op.is(kRowMajor));
}
/// May such a result lie in another order here?
inline bool may_order(const Op& op, Args args) { return is_ordered(op, args) && thread_state.level == 0; }

/// The strides of a new tensor that is laid out like one of these sizes and strides, which may have gaps or repeat.
DimVector strides_like(IntArrayRef sizes, IntArrayRef strides);

}  // namespace strata::dispatch
