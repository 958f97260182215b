// Averaging gradients over ranks while backward runs: what DistributedDataParallel is made of.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "../core/communicator.h"
#include "../core/function.h"
#include "../core/ordered_dict.h"
#include "../core/tensor.h"
#include "comm_hook.h"
#include "mixed_precision.h"

namespace strata::distributed {

struct ReducerOptions {
  ProcessGroup group = nullptr;   ///< the default one if it is null
  double bucket_cap_mb = 25;      ///< gradients are averaged in buckets of about this size
  bool broadcast_buffers = true;  ///< rank 0's buffers before each forward pass that trains
  /// Throws after backward where a parameter got no gradient on some rank. Otherwise it counts as zeros there, and a
  /// parameter without gradient on all ranks keeps none.
  bool strict = false;
  ReduceOp op = ReduceOp::AVG;  ///< or SUM, for a loss that is a sum over the examples of all ranks
  /// Where it is above 0, a step is so many equal shards of a batch, whatever the number of ranks: Note [Logical
  /// shards].
  int64_t logical_shards = 0;
  /// Every pass uses the same parameters as often as the first one: Note [Static graph].
  bool static_graph = false;
  /// Forward and backward run on copies of the parameters in `param_dtype`; gradients are averaged in `reduce_dtype`.
  /// From the forward pass to the end of its backward the parameters have the copies' values, so look at them, and step
  /// the optimizer, after a backward or in no_grad mode. Not for logical shards.
  MixedPrecision mixed_precision = {};
};

/// Note [Static graph]
/// The first pass that averages notes which parameters got a gradient, and how often: a module that is checkpointed may
/// run backward inside of backward, and give a gradient to a parameter twice. Its buckets travel when it is over. Later
/// passes wait for as many gradients and no longer send which parameters got one. A pass whose gradients are others is
/// an error that names the parameter, and closes the group, since the other ranks cannot know. Not for logical shards,
/// nor for `join`.

/// Note [Logical shards]
/// With L logical shards and W ranks, each rank runs forward and backward for L / W shards, a power of two, one after
/// the other: those from L / W times its rank on. The last of these passes leaves the gradients of the whole step,
/// summed in pairs of shards, then pairs of those, over all L: the same sums whichever rank made them. So training has
/// the same bits on 1, 2, 4, ..., L ranks, where a shard's own pass has: a model whose randomness depends on the shard
/// (random::fold_in) and that does not go by its buffers (statistics of a batch norm follow the shards of rank 0).

/// What happens where ranks have different numbers of batches: `Reducer::join`.
struct JoinOptions {
  /// Are gradients divided by the number of all ranks, or of those that still train?
  bool divide_by_initial_world_size = true;
  bool throw_on_early_termination = false;  ///< on all ranks, as soon as one of them has no more batches
};

/// Gives the leaves of a model the same values on all ranks at first, and the average of all ranks' gradients after
/// each backward pass: whichever gradients are ready travel, a bucket at a time, while backward computes the others.
/// Buckets are filled in the order in which gradients were ready in rank 0's first pass. From then on `grad()` of a
/// parameter is a view of its bucket. After S. Li et al., PyTorch Distributed: Experiences on Accelerating Data
/// Parallel Training, VLDB 2020. Every rank has to run backward as often as the others.
class Reducer {
 public:
  /// Collective. Throws where the ranks' parameters have other names, shapes or dtypes.
  Reducer(const OrderedDict<std::string, Tensor>& parameters, const std::vector<Tensor>& buffers,
          const ReducerOptions& options);
  ~Reducer();
  Reducer(const Reducer&) = delete;
  Reducer& operator=(const Reducer&) = delete;
  /// Before a forward pass: rank 0's buffers for all.
  void before_forward(bool is_training);
  /// After it: parameters of low precision stay so only for a backward pass.
  void after_forward(bool threw) noexcept;
  /// Whether the next backward passes average; those that do not add up gradients on each rank.
  void set_sync(bool on);
  bool sync() const;
  /// From now on `hook` reduces the buckets.
  void register_comm_hook(std::shared_ptr<CommHook> hook);
  /// Collective. Runs `train`; a rank whose `train` has returned takes part in the others' passes, with zeros as
  /// gradients, until all have; then it gets the weights and buffers of one that came so far. Its optimizer does not
  /// step in between. Ranks may run different numbers of passes, those of the same number together.
  void join(const strata::detail::Function<void()>& train, const JoinOptions& options = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Gives `tensors` the values that they have on rank `src`; one message for each dtype.
void broadcast_coalesced(const std::vector<Tensor>& tensors, int64_t src, const ProcessGroup& group);

}  // namespace strata::distributed
