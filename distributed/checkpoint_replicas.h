// A checkpoint in the memory of the ranks: what a rank has lost another one has, so its training loses a step at most.
#pragma once
#include <vector>

#include "../core/communicator.h"
#include "../core/tensor.h"
#include "checkpoint_state.h"

namespace strata::distributed::checkpoint {

/// Keeps, on each rank, what it has of a state when it was last saved, and the same of one other rank: the one with the
/// own place on the node before, or, where there is one node, the rank before. So no part of a sharded model is lost
/// with one rank, or with all ranks of one node, and those that live can go on from the last step, in any number. It
/// outlives groups: make it outside of what `elastic::run` calls.
///
///     checkpoint::Replicas replicas;
///     elastic::run(state, [&] {
///       ...  // model, optimizer and step, made anew
///       checkpoint::State parts;
///       parts.add("model", fsdp).add("optim", optimizer).add("step", step);
///       replicas.load(parts);
///       while (step < steps) {
///         train(fsdp, optimizer, step++);
///         replicas.save(parts);
///         state.commit();
///       }
///     });
///
/// After the in-memory checkpoints of GEMINI (Wang et al., SOSP 2023), with one replica. It is no checkpoint for the
/// end of a job, or for the loss of two neighbours: that is `checkpoint::save`. All functions but `bytes` are
/// collective, by the group that is given or the default one, which has to move tensors of the CPU.
class Replicas {
 public:
  /// Copies the state into memory (of the CPU, whatever its device) and sends the copy to the other rank; returns when
  /// all ranks have theirs. With W ranks and S bytes of state between them each sends S / W and keeps 2 S / W, and
  /// twice that while it saves. Where it throws, what was saved before is still there. Throws, on all ranks, what
  /// `checkpoint::save` throws of states that do not fit, and where a rank that came later has not called `load`.
  void save(const State& state, const ProcessGroup& group = nullptr);

  /// Fills the state from the newest save of which the ranks still have every part between them, of whatever number of
  /// ranks it was, and saves it again, as these ranks now divide it. Returns false, on all ranks, with nothing changed,
  /// where there is none: at a job's start, or after the loss of two neighbours, of which rank 0 then warns; what is
  /// left is `checkpoint::latest`. Each part goes to all ranks, one after the other, so a rank needs memory for one
  /// more. Throws as `checkpoint::load` does.
  bool load(State& state, const ProcessGroup& group = nullptr);

  /// How often the state was saved, by all ranks.
  int64_t saves() const { return saves_; }
  /// What this rank keeps.
  int64_t bytes() const;

 private:
  /// The part of one rank: its numbers one after the other, and then, from byte `table` on, the text that says what
  /// they are.
  struct Copy {
    int64_t save = 0, world_size = 0, rank = 0, table = 0;
    Tensor memory;
  };
  /// A save as its ranks have divided it, and who has each part now.
  struct Whole;
  static Copy copy_of(const State& state, const ProcessGroup& group, int64_t save);
  void exchange(const ProcessGroup& group, Copy own);
  const Copy& own_copy(int64_t save, int64_t rank) const;
  Whole newest_whole(const ProcessGroup& group);
  void fill(State& state, const ProcessGroup& group, const Whole& whole) const;

  std::vector<Copy> copies_;  ///< of the last save, own and other; while one is made, those before it as well
  int64_t saves_ = 0;
};

}  // namespace strata::distributed::checkpoint
