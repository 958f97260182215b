// Dividing communicators, in a file of its own: the library without it is one of a version that could not.
#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "test/distributed/fake_nccl/world.h"

namespace strata::test {

void divide(std::vector<FakeWorld::Choice> choices) {
  std::sort(choices.begin(), choices.end(),
            [](const auto& a, const auto& b) { return std::tie(a.key, a.comm->rank) < std::tie(b.key, b.comm->rank); });
  std::map<int, std::vector<FakeWorld::Choice>> parts;
  for (const FakeWorld::Choice& c : choices) {
    c.comm->is_dividing = false;
    if (c.color != api::kNoColor) parts[c.color].push_back(c);
  }
  for (const auto& [color, members] : parts) {
    const auto world = make_part(static_cast<int>(members.size()));
    for (size_t i = 0; i < members.size(); ++i)
      __atomic_store_n(members[i].part, reinterpret_cast<api::Comm>(make(world, static_cast<int>(i))),
                       __ATOMIC_RELEASE);
  }
}

}  // namespace strata::test

using namespace strata::test;

extern "C" api::Result ncclCommSplit(api::Comm whole, int color, int key, api::Comm* part, api::Config*) {
  const std::lock_guard lock(mutex());
  FakeComm& comm = of(whole);
  if (!check_alive(comm, "ncclCommSplit")) return api::kInvalidUsage;
  if (comm.state != FakeComm::kReady) return broken("ncclCommSplit on a communicator that is not ready");
  if (comm.polls > 0) return broken("ncclCommSplit while an earlier call is in progress");
  if (comm.running > 0) return broken("ncclCommSplit while work is on a stream");
  if (color < 0 && color != api::kNoColor) return broken("ncclCommSplit by a negative color");
  *part = nullptr;
  comm.is_dividing = true, comm.polls = kPolls;
  std::vector<FakeWorld::Choice>& choices = comm.world->choices;
  choices.push_back({&comm, color, key, part});
  if (choices.size() == comm.world->ranks.size()) divide(std::exchange(choices, {}));
  return api::kInProgress;
}
