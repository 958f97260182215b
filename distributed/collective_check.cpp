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

bool has_root(CollectiveKind kind) {
  return kind == CollectiveKind::kBroadcast || kind == CollectiveKind::kReduce || kind == CollectiveKind::kGather ||
         kind == CollectiveKind::kScatter;
}

/// Is it said for each pair of ranks how much goes from one to the other?
bool has_pieces(CollectiveKind kind) { return kind == CollectiveKind::kAllToAll || kind == CollectiveKind::kPermute; }

/// What each rank sends or gets, whichever is the same on all.
int64_t count_of(const Collective& c) {
  if (has_pieces(c.kind)) return 0;
  return c.kind == CollectiveKind::kScatter || c.kind == CollectiveKind::kBroadcast ? c.out_count : c.in_count;
}

Shown shown(const Collective& c) {
  return {static_cast<int64_t>(c.kind), c.kind == CollectiveKind::kBarrier ? 0 : static_cast<int64_t>(c.dtype),
          is_reduction(c.kind) ? static_cast<int64_t>(c.op) : 0, has_root(c.kind) ? c.root : 0, count_of(c)};
}

std::string text_of(const Shown& s) {
  const auto kind = static_cast<CollectiveKind>(s.kind);
  std::string text = name(kind);
  if (kind == CollectiveKind::kBarrier) return text;
  if (is_reduction(kind)) text += std::string(" (") + name(static_cast<ReduceOp>(s.op)) + ")";
  text += " of ";
  if (s.count > 0) text += std::to_string(s.count) + " ";
  text += name(static_cast<DType>(s.dtype));
  if (has_root(kind)) text += ", root " + std::to_string(s.root);
  return text;
}

/// How many elements go to each rank, and how many are to come from each.
std::vector<int64_t> pieces_of(const Collective& c, size_t world) {
  std::vector<int64_t> pieces;
  const auto append = [&](const std::vector<int64_t>& counts, int64_t total) {
    for (size_t r = 0; r < world; ++r)
      if (c.kind == CollectiveKind::kPermute)
        pieces.push_back(counts[0] == static_cast<int64_t>(r) ? total : 0);
      else
        pieces.push_back(counts.empty() ? total / static_cast<int64_t>(world) : counts[r]);
  };
  append(c.in_counts, c.in_count);
  append(c.out_counts, c.out_count);
  return pieces;
}

std::string difference(const std::vector<Shown>& all) {
  for (size_t r = 1; r < all.size(); ++r)
    if (all[r] != all[0])
      return strata::detail::format_message("ranks call different collectives: rank 0 {}, rank {} {}",
                                            {text_of(all[0]), r, text_of(all[r])});
  return "";
}

/// `pieces` are those of all ranks, one rank's after the other's.
std::string difference_of_pieces(CollectiveKind kind, const std::vector<int64_t>& pieces, size_t world) {
  for (size_t from = 0; from < world; ++from)
    for (size_t to = 0; to < world; ++to) {
      const int64_t sent = pieces[2 * world * from + to], taken = pieces[2 * world * to + world + from];
      if (sent != taken)
        return strata::detail::format_message(
            "ranks call different collectives: {}: rank {} sends {} elements to rank {}, which takes {}",
            {name(kind), from, sent, to, taken});
    }
  return "";
}

/// The `own` of all ranks, which has the same length on each.
template <class T>
std::vector<T> gathered(Communicator& engine, const std::vector<T>& own) {
  std::vector<T> all(static_cast<size_t>(engine.size()) * own.size());
  Collective gather{.kind = CollectiveKind::kAllGather, .dtype = kLong};
  gather.in = own.data(), gather.in_count = static_cast<int64_t>(own.size() * sizeof(T) / sizeof(int64_t));
  gather.out = all.data(), gather.out_count = engine.size() * gather.in_count;
  engine.run(gather);
  return all;
}

}  // namespace

std::string difference_between(const std::vector<const Collective*>& ranks) {
  std::vector<Shown> all;
  for (const Collective* c : ranks) all.push_back(shown(*c));
  const std::string why = difference(all);
  if (!why.empty() || !has_pieces(ranks[0]->kind)) return why;
  std::vector<int64_t> pieces;
  for (const Collective* c : ranks)
    for (const int64_t n : pieces_of(*c, ranks.size())) pieces.push_back(n);
  return difference_of_pieces(ranks[0]->kind, pieces, ranks.size());
}

void check_same_collective(Communicator& engine, const Collective& c) {
  const std::string why = difference(gathered(engine, std::vector<Shown>{shown(c)}));
  STRATA_CHECK(why.empty(), "{}", why);
  if (!has_pieces(c.kind)) return;
  const auto world = static_cast<size_t>(engine.size());
  const std::string other = difference_of_pieces(c.kind, gathered(engine, pieces_of(c, world)), world);
  STRATA_CHECK(other.empty(), "{}", other);
}

}  // namespace strata::distributed
