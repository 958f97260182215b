// Groups of some ranks of a group.
#pragma once
#include <string>
#include <vector>

#include "../ops/collective.h"

namespace strata::distributed {

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
/// lives on its own: it needs no store, and its ranks run their collectives while others run theirs. Throws where a
/// rank does not come in time, and for an axis of vmap.
ProcessGroup split(const Group& group, int64_t color, int64_t key = 0, const std::string& name = "part");

/// A group of these ranks of `parent`, which get new numbers in this order; null on the others. Every rank of the
/// parent calls it with the same ranks, as torch.distributed's new_group.
ProcessGroup new_group(const std::vector<int64_t>& ranks, const Group& parent = {}, const std::string& name = "part");

/// For those who write a group: the ranks that pass the own color, in the order of their new numbers. Collective.
std::vector<int64_t> ranks_of_color(Communicator& group, int64_t color, int64_t key);

}  // namespace strata::distributed
