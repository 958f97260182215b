// A checkpoint in the memory of the ranks: what a rank has lost another one has, so its training loses a step at most.
#pragma once
#include <exception>
#include <memory>
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
/// end of a job, or for the loss of two neighbours: that is `checkpoint::save`. `save`, `async_save` and `load` are
/// collective, by the group that is given or the default one, which has to move tensors of the CPU. One thread calls
/// an object.
class Replicas {
 public:
  /// Copies the state into memory (of the CPU, whatever its device) and sends the copy to the other rank; returns when
  /// all ranks have theirs. With W ranks and S bytes of state between them each sends S / W and keeps 2 S / W, and
  /// twice that while it saves. Where it throws, what was saved before is still there. Throws, on all ranks, what
  /// `checkpoint::save` throws of states that do not fit, and where a rank that came later has not called `load`.
  void save(const State& state, const ProcessGroup& group = nullptr);
  /// Copies the state and returns; the copy travels beside the next steps, by a thread and a group of its own, which is
  /// split from the given one and lives until another one is given. The next save waits for it, so no more than one is
  /// under way. Until all ranks have theirs the save before counts, so a lost rank costs one step more than it does
  /// with `save`: that of which the copy was under way. Throws what `save` throws, and, on all ranks, where the former
  /// save has failed on one.
  void async_save(const State& state, const ProcessGroup& group = nullptr);
  /// Returns when no save is under way: before the last one's ranks end. Where one has failed, what was saved before is
  /// still there, and the next save throws.
  void wait() const;

  /// Fills the state from the newest save of which the ranks still have every part between them, of whatever number of
  /// ranks it was, and saves it again, as these ranks now divide it. Returns false, on all ranks, with nothing changed,
  /// where there is none: at a job's start, or after the loss of two neighbours, of which rank 0 then warns; what is
  /// left is `checkpoint::latest`. Each part goes to all ranks, one after the other, so a rank needs memory for one
  /// more. Throws as `checkpoint::load` does.
  bool load(State& state, const ProcessGroup& group = nullptr);

  /// How often the state was saved, by all ranks.
  int64_t saves() const { return saves_; }
  /// What this rank keeps. Waits for a save that is under way.
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
  /// What a save leaves: all that is kept then, and what has gone wrong.
  struct Outcome {
    std::vector<Copy> copies;
    std::exception_ptr error;
  };
  /// A save that may be under way. It has all that is kept, so nobody sees half of it.
  struct Sending;
  static Copy copy_of(const State& state, const ProcessGroup& group, int64_t save);
  static void exchange(const ProcessGroup& group, int64_t local_ranks, const Copy& own, std::vector<Copy>& copies);
  static std::shared_ptr<const Sending> done(std::vector<Copy> copies);
  void start(Copy own, const ProcessGroup& by, bool is_beside);
  void finish(const ProcessGroup& group);
  void rethrow();
  void leave_other_groups(const ProcessGroup& group);
  const std::vector<Copy>& copies() const;
  const Copy& own_copy(int64_t save, int64_t rank) const;
  Whole newest_whole(const ProcessGroup& group);
  void fill(State& state, const ProcessGroup& group, const Whole& whole) const;

  int64_t saves_ = 0;
  std::shared_ptr<const Sending> last_;  ///< the last save; null before the first
  std::weak_ptr<Communicator> group_;    ///< what `beside_` was split from
  ProcessGroup beside_;
};

}  // namespace strata::distributed::checkpoint
