// Dividing groups.
#include "distributed/split.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/error.h"

namespace strata::distributed {

ProcessGroup split(const Group& group, int64_t color, int64_t key, const std::string& name) {
  const ProcessGroup whole = group.get();
  auto* const divisible = dynamic_cast<Divisible*>(whole.get());
  STRATA_CHECK(divisible, "split: group {} cannot be divided", whole->name());
  return divisible->split(color, key, name);
}

ProcessGroup new_group(const std::vector<int64_t>& ranks, const Group& parent, const std::string& name) {
  const ProcessGroup whole = parent.get();
  STRATA_CHECK(std::set<int64_t>(ranks.begin(), ranks.end()).size() == ranks.size(), "new_group: a rank comes twice");
  for (const int64_t r : ranks)
    STRATA_CHECK(r >= 0 && r < whole->size(), "new_group: there is no rank {} among {}", r, whole->size());
  const auto mine = std::find(ranks.begin(), ranks.end(), whole->rank());
  return split(whole, mine == ranks.end() ? -1 : 0, mine - ranks.begin(), name);
}

std::vector<int64_t> ranks_of_color(Communicator& group, int64_t color, int64_t key) {
  using Choice = std::array<int64_t, 2>;
  const Choice own = {color, key};
  std::vector<Choice> all(static_cast<size_t>(group.size()));
  Collective gather{.kind = CollectiveKind::kAllGather, .dtype = kLong};
  gather.in = own.data(), gather.in_count = 2;
  gather.out = all.data(), gather.out_count = 2 * group.size();
  group.run(gather);
  std::vector<int64_t> ranks;
  for (int64_t r = 0; r < group.size(); ++r)
    if (all[static_cast<size_t>(r)][0] == color) ranks.push_back(r);
  std::stable_sort(ranks.begin(), ranks.end(), [&](int64_t a, int64_t b) {
    return all[static_cast<size_t>(a)][1] < all[static_cast<size_t>(b)][1];
  });
  return ranks;
}

}  // namespace strata::distributed
