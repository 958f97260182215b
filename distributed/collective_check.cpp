// What ranks show each other of a call, and which differences are errors.
#include "distributed/collective_check.h"

#include <vector>

#include "core/error.h"

namespace strata::distributed {
namespace {

/// What has to be equal on all ranks; zero where it may differ.
struct Shown {
  int64_t kind = 0, dtype = 0, op = 0, root = 0, count = 0;
  bool operator==(const Shown&) const = default;
};

bool reduces(CollectiveKind kind) {
  return kind == CollectiveKind::kAllReduce || kind == CollectiveKind::kReduce ||
         kind == CollectiveKind::kReduceScatter;
}
bool has_root(CollectiveKind kind) {
  return kind == CollectiveKind::kBroadcast || kind == CollectiveKind::kReduce || kind == CollectiveKind::kGather ||
         kind == CollectiveKind::kScatter;
}

/// What each rank sends or gets, whichever is the same on all.
int64_t count_of(const Collective& c) {
  if (c.kind == CollectiveKind::kPermute || !c.in_counts.empty() || !c.out_counts.empty()) return 0;
  return c.kind == CollectiveKind::kScatter || c.kind == CollectiveKind::kBroadcast ? c.out_count : c.in_count;
}

Shown shown(const Collective& c) {
  return {static_cast<int64_t>(c.kind), c.kind == CollectiveKind::kBarrier ? 0 : static_cast<int64_t>(c.dtype),
          reduces(c.kind) ? static_cast<int64_t>(c.op) : 0, has_root(c.kind) ? c.root : 0, count_of(c)};
}

std::string text_of(const Shown& s) {
  const auto kind = static_cast<CollectiveKind>(s.kind);
  std::string text = name(kind);
  if (kind == CollectiveKind::kBarrier) return text;
  if (reduces(kind)) text += std::string(" (") + name(static_cast<ReduceOp>(s.op)) + ")";
  text += " of ";
  if (s.count > 0) text += std::to_string(s.count) + " ";
  text += name(static_cast<DType>(s.dtype));
  if (has_root(kind)) text += ", root " + std::to_string(s.root);
  return text;
}

}  // namespace

void check_same_collective(Communicator& engine, const Collective& c) {
  const Shown own = shown(c);
  std::vector<Shown> all(static_cast<size_t>(engine.size()));
  Collective gather{.kind = CollectiveKind::kAllGather, .dtype = kLong};
  gather.in = &own, gather.in_count = sizeof own / sizeof(int64_t);
  gather.out = all.data(), gather.out_count = engine.size() * gather.in_count;
  engine.run(gather);
  for (size_t r = 1; r < all.size(); ++r)
    STRATA_CHECK(all[r] == all[0], "ranks call different collectives: rank 0 {}, rank {} {}", text_of(all[0]), r,
                 text_of(all[r]));
}

}  // namespace strata::distributed
