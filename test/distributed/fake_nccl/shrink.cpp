// Communicators without some of their ranks, in a file of its own as split.cpp is.
#include <algorithm>
#include <utility>

#include "test/distributed/fake_nccl/world.h"

using namespace strata::test;

/// Those that stay call it, all with the same list.
extern "C" api::Result ncclCommShrink(api::Comm whole, int* excluded, int count, api::Comm* part, api::Config*,
                                      int flags) {
  const std::lock_guard lock(mutex());
  FakeComm& comm = of(whole);
  if (!check_alive(comm, "ncclCommShrink")) return api::kInvalidUsage;
  if (comm.state != FakeComm::kReady) return broken("ncclCommShrink on a communicator that is not ready");
  if (comm.polls > 0) return broken("ncclCommShrink while an earlier call is in progress");
  if (comm.running > 0 && flags == 0) return broken("ncclCommShrink while work is on a stream");
  const std::vector<int> list(excluded, excluded + count);
  const auto ranks = static_cast<int>(comm.world->ranks.size());
  for (const int rank : list)
    if (rank < 0 || rank >= ranks || rank == comm.rank) return broken("ncclCommShrink without a rank that is none");
  FakeWorld& world = *comm.world;
  if (!world.choices.empty() && world.excluded != list) return broken("ncclCommShrink by other lists of ranks");
  world.excluded = list;
  *part = nullptr;
  comm.is_dividing = true, comm.polls = kPolls;
  world.choices.push_back({&comm, 0, 0, part});
  if (static_cast<int>(world.choices.size()) == ranks - count) divide(std::exchange(world.choices, {}));
  return api::kInProgress;
}
