// A module whose parameters, gradients and optimizer state are spread over the ranks that train it.
#pragma once
#include "sharder.h"

namespace strata::nn::parallel {

using distributed::MixedPrecision;
using distributed::module_wrap_policy;
using distributed::ShardingStrategy;
using distributed::size_based_auto_wrap_policy;
using FullyShardedDataParallelOptions = distributed::SharderOptions;

/// Wraps a module (a holder or a shared_ptr of one), whose parameters then have memory only while they are needed: a
/// unit at a time, which `auto_wrap_policy` chooses from the modules below. Each rank keeps an equal part of each
/// unit's parameters, the average over all ranks of their gradients, and what an optimizer knows of that part.
/// distributed::Sharder says how.
///
///     Net net;
///     nn::parallel::FullyShardedDataParallel fsdp(net, {.auto_wrap_policy = module_wrap_policy<Block>()});
///     optim::Adam optimizer(fsdp.parameters(), 1e-3);  // the shards, not the module's parameters
///     nn::functional::mse_loss(fsdp(x), y).backward();
///     optimizer.step();
///
/// Units are called by their holders or from a Sequential: `block(x)`, since `block->forward(x)` gathers nothing.
/// The module stays sharded when the wrapper is gone, so its parameters are to be saved before.
template <class Holder>
class FullyShardedDataParallel {
 public:
  /// Collective: all ranks start from rank 0's parameters and buffers.
  explicit FullyShardedDataParallel(Holder module, const FullyShardedDataParallelOptions& options = {})
      : module_(std::move(module)), sharder_(std::make_shared<distributed::Sharder>(*module_, options)) {
    sharder_->add_hooks();
  }

  /// With a `param_dtype`, floating point tensors among the inputs are cast to it.
  template <class... Inputs>
  auto forward(Inputs&&... inputs) {
    const distributed::Sharder::Forward scope(*sharder_);
    const std::optional<DType> dtype = sharder_->options().mixed_precision.param_dtype;
    return module_->forward(distributed::cast_input(dtype, std::forward<Inputs>(inputs))...);
  }
  template <class... Inputs>
  auto operator()(Inputs&&... inputs) {
    return forward(std::forward<Inputs>(inputs)...);
  }
  FullyShardedDataParallel* operator->() { return this; }
  Holder& module() { return module_; }
  const distributed::Sharder& sharder() const { return *sharder_; }

  /// This rank's shards: what optimizers take.
  std::vector<Tensor> parameters() const { return sharder_->shards(); }
  void zero_grad(bool set_to_none = true) {
    for (const Tensor& shard : parameters()) {
      if (set_to_none)
        shard.mutable_grad() = Tensor();
      else if (shard.grad().defined())
        shard.grad().detach().zero_();
    }
  }
  /// Scales the gradients so that their norm over all ranks is at most `max_norm`; returns what it was. Collective.
  Tensor clip_grad_norm_(double max_norm) { return sharder_->clip_grad_norm(max_norm); }

  /// Parameters and buffers by the module's names, whole, on rank 0; nothing on the others. Collective.
  OrderedDict<std::string, Tensor> full_state_dict() const { return sharder_->full_state_dict(); }
  /// Takes what rank 0 gives, for any number of ranks. Collective; throws on all ranks where it does not fit.
  void load_full_state_dict(const OrderedDict<std::string, Tensor>& state) { sharder_->load_full_state_dict(state); }
  /// This rank's shards and the buffers.
  OrderedDict<std::string, Tensor> sharded_state_dict() const { return sharder_->sharded_state_dict(); }
  void load_sharded_state_dict(const OrderedDict<std::string, Tensor>& state) {
    sharder_->load_sharded_state_dict(state);
  }

  /// The state of an optimizer of `parameters()`, by the module's names, whole, on rank 0; nothing on the others.
  /// Collective. The keys are those of torch's flattened optimizer state dicts: "state.NAME.exp_avg", in the
  /// parameter's shape, "state.NAME.step" and "param_groups.NAME.lr", a number each.
  template <class Optimizer>
  OrderedDict<std::string, Tensor> full_optim_state_dict(const Optimizer& optimizer) const {
    return sharder_->full_optim_state_dict(saved(optimizer));
  }
  /// Gives the optimizer what rank 0 has in `state`, for any number of ranks, units and ways of sharding; training goes
  /// on with the same numbers. A parameter without state next to one of its unit that has some gets zeros. Options that
  /// are not there stay. Collective; throws on all ranks where it does not fit, and changes nothing then.
  template <class Optimizer>
  void load_full_optim_state_dict(Optimizer& optimizer, const OrderedDict<std::string, Tensor>& state) const {
    serialize::InputArchive archive = sharder_->divide_optim_state(state, saved(optimizer));
    optimizer.load(archive);
  }

  /// While it lives, backward passes add up gradients on each rank, in memory for the whole of each unit; the first one
  /// after it averages the sums.
  class NoSync {
   public:
    explicit NoSync(distributed::Sharder& sharder) : sharder_(sharder), before_(sharder.sync()) {
      sharder_.set_sync(false);
    }
    ~NoSync() { sharder_.set_sync(before_); }
    NoSync(const NoSync&) = delete;
    NoSync& operator=(const NoSync&) = delete;

   private:
    distributed::Sharder& sharder_;
    bool before_;
  };
  [[nodiscard]] NoSync no_sync() { return NoSync(*sharder_); }

 private:
  template <class Optimizer>
  static distributed::SavedOptimizer saved(const Optimizer& optimizer) {
    std::vector<std::vector<Tensor>> groups;
    for (const auto& group : optimizer.param_groups()) groups.push_back(group.params());
    serialize::OutputArchive archive;
    optimizer.save(archive);
    return {std::move(groups), archive};
  }

  Holder module_;
  std::shared_ptr<distributed::Sharder> sharder_;
};

}  // namespace strata::nn::parallel
