// Collectives of many tensors at once: one for each dtype and device among them.
#pragma once
#include <vector>

#include "collective.h"

namespace strata::distributed {

/// Each of these gives what the collective of one tensor gives for each of `tensors`, the same bits and the same
/// gradients, at the cost of one call for each dtype and device that occurs: small tensors, whose calls take as long as
/// their messages, are joined before and parted again afterwards. All ranks give as many tensors, of the same shapes
/// and dtypes and in the same order. The results of one dtype are views of one piece of memory. Nothing is called for
/// no tensors. Names are those of PyTorch's `torch.distributed._functional_collectives`.

/// Shapes stay.
std::vector<Tensor> all_reduce_coalesced(const std::vector<Tensor>& tensors, ReduceOp op = ReduceOp::SUM,
                                         const Group& group = {});
/// (n, ...) of each of W ranks to (W n, ...), in the order of ranks; () to (W).
std::vector<Tensor> all_gather_into_tensor_coalesced(const std::vector<Tensor>& tensors, const Group& group = {});
/// (W n, ...) to the own (n, ...) of what is reduced over all ranks. Throws where W does not divide a length.
std::vector<Tensor> reduce_scatter_tensor_coalesced(const std::vector<Tensor>& tensors, ReduceOp op = ReduceOp::SUM,
                                                    const Group& group = {});

}  // namespace strata::distributed
