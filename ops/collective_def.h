// The collective ops and their params.
#pragma once
#include "../core/communicator.h"
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

/// Of collectives that need to know the group alone: all_gather, axis_index and those between invariant and varying
/// tensors.
struct GroupParams {
  ProcessGroup group;
};
/// Of all_reduce and reduce_scatter.
struct RankReduceParams {
  ProcessGroup group;
  ReduceOp op = ReduceOp::SUM;
};
/// Of broadcast and scatter, where `root` is the source, and of gather, where it is the destination.
struct RootParams {
  ProcessGroup group;
  int64_t root = 0;
};
/// Of reduce: to rank `root`.
struct RootReduceParams {
  ProcessGroup group;
  ReduceOp op = ReduceOp::SUM;
  int64_t root = 0;
};
/// Of all_to_all: lengths along dim 0 of what comes from each rank and of what goes to it; both empty for equal ones.
struct AllToAllParams {
  ProcessGroup group;
  DimVector output_splits, input_splits;
};
/// Of permute: the ranks that send, and those that they send to.
struct PermuteRanksParams {
  ProcessGroup group;
  DimVector sources, destinations;
};

/// The group of a call of an op with the flag kCollective, whichever it is.
const ProcessGroup& group_of_collective(Params params);

/// y = the values of all ranks, reduced; on each rank.
extern Op all_reduce_op;
/// y = x of rank `root`, on each rank.
extern Op broadcast_op;
/// y = the sum or average of all ranks' values, on rank `root`; zeros elsewhere.
extern Op reduce_op;
/// (n, ...) -> (W n, ...): the pieces of all ranks in their order, on each rank.
extern Op all_gather_op;
/// (W n, ...) -> (n, ...): the own piece of the sum or average.
extern Op reduce_scatter_op;
/// Piece i of dim 0 goes to rank i; what comes is joined in the order of ranks.
extern Op all_to_all_op;
/// y = x of the rank that sends to this one; zeros where none does.
extern Op permute_ranks_op;
/// (n, ...) -> (W n, ...) on rank `root`; zeros elsewhere.
extern Op gather_ranks_op;
/// (W n, ...) -> (n, ...): the own piece of what rank `root` has.
extern Op scatter_ranks_op;
/// No input; the own rank as an int64 of shape ().
extern Op axis_index_op;

// Note [Invariant and varying tensors]
/// y = x, which is the same on all ranks, as the start of what each rank does by itself; goes back by psum_invariant.
extern Op pvary_op;
/// y = the sum over the ranks, as one value that all have; goes back by pvary.
extern Op psum_invariant_op;
/// (W n, ...), the same on all ranks, to the own (n, ...); goes back by all_gather_invariant.
extern Op own_shard_op;
/// (n, ...) -> (W n, ...), as one value that all have; goes back by own_shard.
extern Op all_gather_invariant_op;
/// y = x, which each rank has computed by itself and which has to be the same bits on all; the gradient goes to rank 0.
extern Op as_invariant_op;

}  // namespace strata

namespace strata::dispatch {

/// A group is shown by its name, and found by it again.
inline void visit(const ProcessGroup& group, FieldVisitor& visitor) {
  visitor.text(group ? std::string_view(group->name()) : std::string_view());
}
inline void read(ProcessGroup& group, FieldReader& reader) { group = find_group(reader.text()); }

}  // namespace strata::dispatch
