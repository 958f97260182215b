// A group's parts, in the order in which they need each other.
#include "distributed/watched_group.h"

#include <numeric>
#include <utility>

#include "distributed/failure_watch.h"
#include "distributed/ordered_group.h"

namespace strata::distributed {

ProcessGroup watched_group(EngineOptions options) {
  std::shared_ptr<FailureStore> store = failure_store(options);
  if (store->is_of_rank_0()) options.store.replace(0, 3, "agent");  // it is there already
  options.grace = std::chrono::milliseconds(5000);
  const ProcessGroup engine = gloo_engine(options);
  const std::string prefix = agree_on_options(*engine, options);
  const auto job = std::make_shared<FailureWatch>(std::move(store), options, prefix);
  std::vector<int64_t> ranks(static_cast<size_t>(options.world_size));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ordered_group(engine, std::make_shared<GroupWatch>(job, engine, "", std::move(ranks)));
}

}  // namespace strata::distributed
