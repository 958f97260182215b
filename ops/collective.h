// Collectives: functions of the tensors of all ranks of a group, differentiable, and over a mapped dim inside vmap.
#pragma once
#include <utility>
#include <vector>

#include "../core/communicator.h"
#include "../core/tensor.h"

namespace strata::distributed {

using strata::ProcessGroup;
using strata::ReduceOp;

/// Which ranks: a group, the name of one or of an axis (of the innermost vmap that has it, else of a mesh or a group),
/// or the default group of the process.
class Group {
 public:
  Group() = default;
  Group(ProcessGroup group) : group_(std::move(group)) {}
  Group(const char* name) : name_(name) {}
  Group(std::string name) : name_(std::move(name)) {}
  /// Throws where there is none of that name.
  ProcessGroup get() const;
  /// The same, but none where it is the default group and the process has none.
  ProcessGroup find() const;

 private:
  ProcessGroup group_;
  std::string name_;
};

/// Note [Gradients of collectives]
/// A collective is a function from the tensors of all ranks to the tensors of all ranks, and its gradient is that
/// function's: each rank's cotangent belongs to its own output, and what comes back is the gradient of the sum of all
/// ranks' losses. So all_reduce(SUM) goes back by all_reduce(SUM), all_gather by reduce_scatter, broadcast by reduce,
/// as in JAX's psum and torch.distributed.nn. All ranks have to run backward, in the same order.

/// `x` of all ranks reduced, on each rank; shapes and dtypes are equal on all. MIN and MAX share a gradient among equal
/// values.
Tensor all_reduce(const Tensor& x, ReduceOp op = ReduceOp::SUM, const Group& group = {});
Tensor& all_reduce_(Tensor& x, ReduceOp op = ReduceOp::SUM, const Group& group = {});
/// `x` of rank `src`, on each rank.
Tensor broadcast(const Tensor& x, int64_t src, const Group& group = {});
Tensor& broadcast_(Tensor& x, int64_t src, const Group& group = {});
/// `x` of all ranks reduced, on rank `dst`; zeros elsewhere.
Tensor reduce(const Tensor& x, int64_t dst, ReduceOp op = ReduceOp::SUM, const Group& group = {});
/// (n, ...) of each of W ranks to (W n, ...), in the order of ranks; () to (W).
Tensor all_gather_into_tensor(const Tensor& x, const Group& group = {});
/// The tensors of all ranks; views of one piece of memory.
std::vector<Tensor> all_gather(const Tensor& x, const Group& group = {});
/// (W n, ...) to the own (n, ...) of what is reduced over all ranks.
Tensor reduce_scatter_tensor(const Tensor& x, ReduceOp op = ReduceOp::SUM, const Group& group = {});
/// Cuts dim 0 into a piece for each rank and joins what comes from each. Sizes of the pieces that come and that go;
/// equal ones where they are left out.
Tensor all_to_all_single(const Tensor& x, IntArrayRef output_split_sizes = {}, IntArrayRef input_split_sizes = {},
                         const Group& group = {});
/// (n, ...) of each rank to (W n, ...) on rank `dst`; zeros elsewhere.
Tensor gather(const Tensor& x, int64_t dst, const Group& group = {});
/// (W n, ...) on rank `src`, read there alone though it has that shape on all, to the own (n, ...) of each.
Tensor scatter(const Tensor& x, int64_t src, const Group& group = {});
/// `x` of the rank that sends to this one, by a list of (source, destination), each at most once; zeros where none
/// does. JAX's ppermute.
Tensor permute(const Tensor& x, const std::vector<std::pair<int64_t, int64_t>>& pairs, const Group& group = {});
/// The own rank, an int64 of shape (); inside a vmap with that axis name, each example's index.
Tensor axis_index(const Group& group = {});
/// Returns when all ranks have called it.
void barrier(const Group& group = {});

/// Note [Invariant and varying tensors]
/// The functions above take the tensors of all ranks as so many variables. In a program whose ranks share a
/// computation, some tensors are the same on all ranks and stand for one variable: invariant ones, as JAX calls them,
/// with a gradient that is the same on all ranks too. The others vary. These functions lead from one kind to the other.
/// pvary and psum_invariant are each other's gradient, and so are own_shard and all_gather_invariant (the pairs f and g
/// of Megatron-LM). A loss that all ranks compute from an invariant tensor counts once.

/// Invariant `x` as what each rank goes on with by itself: the same values; the gradient is summed over the ranks.
Tensor pvary(const Tensor& x, const Group& group = {});
/// The sum of varying `x` over the ranks, invariant; each rank gets the gradient as it is.
Tensor psum_invariant(const Tensor& x, const Group& group = {});
/// The own part of invariant `x` along `dim`, whose length the ranks divide; the gradient's parts are gathered.
Tensor own_shard(const Tensor& x, int64_t dim = 0, const Group& group = {});
/// The parts of all ranks joined along `dim`, invariant; each rank gets its part of the gradient.
Tensor all_gather_invariant(const Tensor& x, int64_t dim = 0, const Group& group = {});
/// Varying `x` that nevertheless is the same on all ranks, as invariant; rank 0 gets the gradient, the others zeros.
/// Throws on all ranks where the bits differ.
Tensor as_invariant(const Tensor& x, const Group& group = {});

int64_t get_rank(const Group& group = {});
int64_t get_world_size(const Group& group = {});

/// Adds up (or otherwise reduces) tensors of equal shape in pairs of neighbours, then pairs of those, an odd one out
/// waiting for the next round: the order of every all_reduce that promises the same bits. AVG divides at the end.
Tensor reduce_in_pairs(std::vector<Tensor> tensors, ReduceOp op);
/// The same bits into `out`, which may be one of the tensors, without memory of its own: their values are lost.
void reduce_in_pairs_(std::vector<Tensor> tensors, ReduceOp op, Tensor& out);

}  // namespace strata::distributed
