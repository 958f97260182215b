// Dividing groups.
#include "distributed/split.h"

#include <algorithm>
#include <set>

#include "core/error.h"
#include "ops/creation.h"

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

ProcessGroup shrink_group(const std::vector<int64_t>& ranks_to_exclude, const Group& group, ShrinkFlags shrink_flags) {
  const ProcessGroup whole = group.get();
  auto* const shrinkable = dynamic_cast<Shrinkable*>(whole.get());
  STRATA_CHECK(shrinkable, "shrink_group: group {} cannot go on without some of its ranks; groups of NCCL can",
               whole->name());
  const std::set<int64_t> excluded(ranks_to_exclude.begin(), ranks_to_exclude.end());
  STRATA_CHECK(!excluded.empty(), "shrink_group: there are no ranks to exclude");
  STRATA_CHECK(excluded.size() == ranks_to_exclude.size(), "shrink_group: a rank comes twice");
  STRATA_CHECK(*excluded.begin() >= 0 && *excluded.rbegin() < whole->size(), "shrink_group: ranks {} to {} among {}",
               *excluded.begin(), *excluded.rbegin(), whole->size());
  STRATA_CHECK(!excluded.contains(whole->rank()), "shrink_group: rank {} excludes itself; only those that stay call it",
               whole->rank());
  return shrinkable->shrink({excluded.begin(), excluded.end()}, shrink_flags);
}

std::vector<int64_t> ranks_of_color(Communicator& group, int64_t color, int64_t key, Device device) {
  const Tensor own = tensor({color, key}, kLong).to(device);
  const Tensor all = empty({group.size(), 2}, TensorOptions(kLong).device(device));
  Collective gather{.kind = CollectiveKind::kAllGather, .dtype = kLong, .device = device};
  gather.in = own.data_ptr(), gather.in_count = own.numel();
  gather.out = all.data_ptr(), gather.out_count = all.numel();
  group.run(gather);
  const Tensor choices = all.cpu();
  const auto* const rows = static_cast<const int64_t*>(choices.data_ptr());
  std::vector<int64_t> ranks;
  for (int64_t r = 0; r < group.size(); ++r)
    if (rows[2 * r] == color) ranks.push_back(r);
  std::stable_sort(ranks.begin(), ranks.end(), [&](int64_t a, int64_t b) { return rows[2 * a + 1] < rows[2 * b + 1]; });
  return ranks;
}

}  // namespace strata::distributed
