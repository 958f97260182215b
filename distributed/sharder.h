// Which modules' parameters are sharded together, and when they are gathered and freed: what
// FullyShardedDataParallel is made of.
#pragma once
#include <unordered_map>

#include "../autograd/saved_tensor.h"
#include "../nn/module.h"
#include "../ops/serialize.h"
#include "flat_parameter.h"

namespace strata::distributed {

/// FULL_SHARD frees a unit after its forward and after its backward (ZeRO-3), SHARD_GRAD_OP after its backward alone
/// (ZeRO-2: gradients and the optimizer's state are sharded). With NO_SHARD each rank has all, and gradients are
/// averaged, as by DistributedDataParallel; without a `param_dtype` nothing is gathered or freed.
enum class ShardingStrategy : uint8_t { FULL_SHARD, SHARD_GRAD_OP, NO_SHARD };

/// What Sharder wants to know of an optimizer: its parameters by group, and what it saves.
struct SavedOptimizer {
  SavedOptimizer(std::vector<std::vector<Tensor>> parameters, const serialize::OutputArchive& archive);
  std::vector<std::vector<Tensor>> groups;
  serialize::InputArchive saved;
};

/// Shall `module` be a unit? It has so many numbers that no unit below it has taken.
using AutoWrapPolicy = strata::detail::Function<bool(const nn::Module& module, int64_t nonwrapped_numel)>;

/// Units of at least so many numbers, as deep in the tree as possible.
AutoWrapPolicy size_based_auto_wrap_policy(int64_t min_num_params = 100'000'000);
/// Each module of one of these types (holders or module classes) is a unit: `module_wrap_policy<Block, nn::Linear>()`.
template <class... Modules>
AutoWrapPolicy module_wrap_policy() {
  return [](const nn::Module& module, int64_t) { return ((module.as<Modules>() != nullptr) || ...); };
}

struct SharderOptions {
  ProcessGroup group = nullptr;  ///< the default one if it is null
  ShardingStrategy sharding_strategy = ShardingStrategy::FULL_SHARD;
  AutoWrapPolicy auto_wrap_policy = nullptr;  ///< without one, all of the module is one unit
  MixedPrecision mixed_precision = {};
  /// While one unit computes, the next one is gathered: that which came next in the pass before, and in backward the
  /// one before it. Costs the memory of one more unit.
  bool forward_prefetch = true, backward_prefetch = true;
};

/// A part of what all ranks load: a field of a shard's state, or an option of a group. `is_vector` says that it is
/// divided like the parameters; else it is a number for all of them.
struct OptimizerEntry {
  size_t group = 0;
  int64_t index = -1;  ///< of the shard in its group; -1 for an option
  std::string name;
  bool is_vector = false;
  int dtype = 0;
};

/// Shards the parameters of a module by units. After S. Rajbhandari et al., ZeRO: Memory Optimizations Toward Training
/// Trillion Parameter Models, SC 2020, and Y. Zhao et al., PyTorch FSDP, VLDB 2023. A parameter that two units share
/// belongs to the root, the unit of all that no other takes. The ranks have to run the same units in the same order,
/// else an error at the end of backward says so; a pass that throws on one of them closes the group.
class Sharder : public std::enable_shared_from_this<Sharder> {
 public:
  /// Collective: all ranks get rank 0's parameters and buffers. Made by std::make_shared; then call `add_hooks`.
  Sharder(nn::Module& root, const SharderOptions& options);
  ~Sharder();
  Sharder(const Sharder&) = delete;
  Sharder& operator=(const Sharder&) = delete;
  void add_hooks();

  /// A forward pass of the root: what it saves for backward finds the units' memory again.
  class Forward {
   public:
    explicit Forward(Sharder& sharder);
    ~Forward();
    Forward(const Forward&) = delete;
    Forward& operator=(const Forward&) = delete;

   private:
    Sharder& sharder_;
    autograd::SavedTensorHooksGuard guard_;
    int exceptions_;
  };

  std::vector<Tensor> shards() const;
  /// What the shards are of, and the module with the buffers: for checkpoints.
  std::vector<const FlatParameter*> flat_parameters() const;
  const nn::Module& module() const { return root_; }
  bool sync() const { return is_synced_; }
  void set_sync(bool on) { is_synced_ = on; }
  const SharderOptions& options() const { return options_; }
  size_t num_units() const { return units_.size(); }
  /// Bytes that gathered units hold now.
  size_t gathered_bytes() const;

  OrderedDict<std::string, Tensor> full_state_dict() const;
  void load_full_state_dict(const OrderedDict<std::string, Tensor>& state);
  OrderedDict<std::string, Tensor> sharded_state_dict() const;
  void load_sharded_state_dict(const OrderedDict<std::string, Tensor>& state);
  Tensor clip_grad_norm(double max_norm);
  OrderedDict<std::string, Tensor> full_optim_state_dict(const SavedOptimizer& optimizer) const;
  /// What the optimizer has to load.
  serialize::InputArchive divide_optim_state(const OrderedDict<std::string, Tensor>& state,
                                             const SavedOptimizer& optimizer) const;

 private:
  struct Unit {
    std::string name;
    std::shared_ptr<nn::Module> module = nullptr;  ///< null for the root, which is not called by a holder
    std::vector<std::unique_ptr<FlatParameter>> flats = {};
    HookHandle before = 0, after = 0;  ///< around its calls
  };
  struct Pass;
  class Saved;
  using Parts = std::vector<std::vector<std::pair<std::string, Tensor>>>;  ///< parameters by unit

  int64_t choose_units(nn::Module& module, const std::string& name);
  void assign(nn::Module& module, const std::string& name, size_t unit, Parts& parts) const;
  void flatten(Unit& unit, const std::vector<std::pair<std::string, Tensor>>& parameters);
  void before_unit(Unit& unit);
  void after_unit(Unit& unit) noexcept;
  void start_gather(Unit& unit);
  void gather(Unit& unit);
  static void free(Unit& unit) noexcept;
  void need_in_backward(Unit& unit);
  void begin_pass();
  void finish_pass();
  void give_up() noexcept;
  void on_gradient(Unit& unit, FlatParameter& flat, FlatParameter::Member& member);
  void reduce(FlatParameter& flat);
  void note(const FlatParameter& flat, char kind);
  void check_same_order();
  void check_fits(const OrderedDict<std::string, Tensor>& state) const;
  FlatParameter& flat_of(const Tensor& shard) const;
  std::vector<OptimizerEntry> entries_of(const OrderedDict<std::string, Tensor>& state,
                                         const SavedOptimizer& optimizer) const;

  nn::Module& root_;
  SharderOptions options_;
  ProcessGroup group_;
  std::vector<std::unique_ptr<Unit>> units_;  ///< the root is the last one
  std::unordered_map<const StorageImpl*, Unit*> unit_of_;
  std::vector<std::pair<Tensor, HookHandle>> gradient_hooks_;
  std::vector<Unit*> order_, previous_order_;  ///< of calls in this forward pass and in the one before
  size_t backward_at_ = 0;                     ///< of the calls in `order_`, the one that backward has come to
  uint64_t order_hash_ = 0;                    ///< of all gathers and averages so far
  FlatParameter* reducing_ = nullptr;          ///< the one whose gradient travels
  bool is_synced_ = true, is_running_ = false, is_broken_ = false;
};

}  // namespace strata::distributed
