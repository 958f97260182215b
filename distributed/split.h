// Groups of some ranks of a group.
#pragma once
#include <string>
#include <vector>

#include "../ops/collective.h"

namespace strata::distributed {

enum ShrinkFlags : uint8_t { SHRINK_DEFAULT, SHRINK_ABORT };

/// What a group is besides a Communicator if it can be divided: those of processes and threads can, an axis of vmap
/// cannot.
class Divisible {
 public:
  /// As the function `split`.
  virtual ProcessGroup split(int64_t color, int64_t key, const std::string& name) = 0;

 protected:
  ~Divisible() = default;
};

/// Divides a group: the ranks that pass the same `color` become one, in the order of `key` and where that is equal of
/// their old ranks, as by MPI_Comm_split. Null for a negative color. Every rank of the group calls it. The new group
/// lives on its own: its ranks run their collectives while others run theirs. Throws where a
/// rank does not come in time, and for an axis of vmap.
ProcessGroup split(const Group& group, int64_t color, int64_t key = 0, const std::string& name = "part");

/// A group of these ranks of `parent`, which get new numbers in this order; null on the others. Every rank of the
/// parent calls it with the same ranks, as torch.distributed's new_group.
ProcessGroup new_group(const std::vector<int64_t>& ranks, const Group& parent = {}, const std::string& name = "part");

/// What a group is besides if it can go on without some of its ranks: those of NCCL can.
class Shrinkable {
 public:
  /// As the function `shrink_group`, with ranks that were checked and are in order.
  virtual ProcessGroup shrink(const std::vector<int64_t>& ranks_to_exclude, ShrinkFlags shrink_flags) = 0;

 protected:
  ~Shrinkable() = default;
};

/// A group of all other ranks, in their order and by the old name, as torch.distributed's shrink_group. They alone call
/// it, all of them with the same ranks and flags. SHRINK_DEFAULT waits until the group's own work is done, and leaves
/// the group as it is. SHRINK_ABORT is for a group of which a rank has failed: it ends the group's work first, and all
/// later calls of the old group throw. Throws where one of the others does not come in time, and for groups not of
/// NCCL: elsewhere jobs go on without a rank as elastic.h says.
ProcessGroup shrink_group(const std::vector<int64_t>& ranks_to_exclude, const Group& group = {},
                          ShrinkFlags shrink_flags = SHRINK_DEFAULT);

/// For those who write a group: the ranks that pass the own color, in the order of their new numbers. Collective, of
/// tensors of this device.
std::vector<int64_t> ranks_of_color(Communicator& group, int64_t color, int64_t key, Device device = kCPU);

}  // namespace strata::distributed
