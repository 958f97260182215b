// Training that outlives its ranks: survivors keep their process and state, and newcomers get the state from them.
// After Horovod's hvd.elastic.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../core/function.h"
#include "../core/tensor.h"
#include "../nn/module.h"
#include "../ops/serialize.h"
#include "process_group.h"

namespace strata::distributed::elastic {

/// What all ranks have in common and a newcomer needs: parameters, optimizers, numbers such as the step. It refers to
/// what it was given, which has to live longer, and keeps a copy in memory of what that was at the last commit.
///
///     elastic::State state;
///     state.add(*net).add(optimizer).add(step);
///     elastic::run(state, [&] {
///       nn::parallel::DistributedDataParallel ddp(net);  // made anew for each group
///       while (step < steps) {
///         optimizer.zero_grad();
///         loss_of(ddp, part_of(step, get_rank(), get_world_size())).backward();
///         optimizer.step();
///         ++step;
///         state.commit();
///       }
///     });
///
/// All ranks add the same things in the same order. State that ranks do not share (FullyShardedDataParallel, own
/// generators of random numbers) is not for this: resume those from checkpoint::Replicas, or from a checkpoint.
class State {
 public:
  State();
  ~State();
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  /// The parameters and buffers of a module, which has all of them already.
  State& add(nn::Module& module);
  /// One tensor.
  State& add(const Tensor& tensor);
  /// An integer, such as the step, the epoch or the position in the data.
  State& add(int64_t& number);
  /// An optimizer, or anything else with `save(OutputArchive&)` and `load(InputArchive&)`.
  template <class Saved>
  requires requires(Saved& saved, serialize::OutputArchive& out, serialize::InputArchive& in) {
    saved.save(out);
    saved.load(in);
  }
  State& add(Saved& saved) {
    return add_saved([&saved](serialize::OutputArchive& out) { saved.save(out); },
                     [&saved](serialize::InputArchive& in) { saved.load(in); });
  }

  /// Keeps what the state is now. It is what survivors go back to when a rank is lost, so a loop that commits after
  /// each step loses at most the step under way. All ranks call it at the same step: where nodes may come, they agree
  /// here, by a reduction of 8 bytes, whether one has, and then leave the function for a larger group, by an exception
  /// that `run` catches; no step is lost by that.
  void commit();
  /// Takes back the last commit, and ends gradients. `run` calls it.
  void restore();
  /// Collective: gives all ranks the state of the one that has committed most often, of several the lowest, and commits
  /// it. `run` calls it.
  void sync();
  /// How often it was committed, on whichever ranks; 0 before training.
  int64_t commits() const;

 private:
  struct Impl;
  friend void run(State& state, const strata::detail::Function<void()>& train, const InitOptions& options);
  State& add_saved(strata::detail::Function<void(serialize::OutputArchive&)> save,
                   strata::detail::Function<void(serialize::InputArchive&)> load);
  std::unique_ptr<Impl> impl_;
};

/// Joins the default group, gives all ranks the same state and runs `train`. When a collective fails because a rank is
/// gone, the survivors take back the last commit, leave the group and meet again as the launcher says, with another
/// process in its place or without it, and `train` is called anew: let it begin where the state is, and read rank and
/// world size there. The variables RANK, WORLD_SIZE and so on are set anew each time. Returns, having left the group,
/// when `train` has returned on all ranks. What `train` throws by itself is thrown on.
///
/// This takes a launcher that says who is there: `stratarun --elastic` or `--nnodes MIN:MAX`. Under others the first
/// lost rank is thrown as an error. One call at a time in a process, which has no default group yet.
void run(State& state, const strata::detail::Function<void()>& train, const InitOptions& options = {});

}  // namespace strata::distributed::elastic
