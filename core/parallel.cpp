// How many threads there are, and into how many pieces they cut a range.
#include "core/parallel.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "core/error.h"
#include "core/thread_pool.h"

namespace strata {
namespace {

/// Cores that this process may run on.
int available_cores() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? std::max(1, CPU_COUNT(&set)) : 1;
}

/// OMP_NUM_THREADS may be a list, one number for each level of nesting: the first counts.
int default_num_threads() {
  const char* text = std::getenv("OMP_NUM_THREADS");
  const long asked = text ? std::strtol(text, nullptr, 10) : 0;
  return asked >= 1 ? static_cast<int>(std::min(asked, 4096L)) : available_cores();
}

std::atomic<int>& thread_count() {
  static std::atomic<int> count = default_num_threads();
  return count;
}

thread_local bool runs_inline = false;

}  // namespace

void set_num_threads(int n) {
  STRATA_CHECK(n >= 1, "set_num_threads: expected at least 1, got {}", n);
  thread_count().store(n, std::memory_order_relaxed);
}
int get_num_threads() { return thread_count().load(std::memory_order_relaxed); }
bool in_parallel_region() { return runs_inline; }

InlineRegions::InlineRegions() : saved_(runs_inline) { runs_inline = true; }
InlineRegions::~InlineRegions() { runs_inline = saved_; }

namespace detail {

void parallel_run(int64_t begin, int64_t end, int64_t grain, RangeFn fn, void* context) {
  const int64_t length = end - begin, most = length / std::max<int64_t>(grain, 1) + (length % grain != 0);
  const int limit = get_num_threads();
  const int64_t threads = std::min<int64_t>(most, limit);
  if (threads <= 1 || runs_inline) return fn(context, begin, end);
  const int64_t pieces = threads * std::min(kPiecesPerThread, most / threads);
  const InlineRegions inside;
  Region region(begin, end, pieces, static_cast<int>(threads), fn, context);
  ThreadPool::instance().run(region, limit);
  region.rethrow();
}

}  // namespace detail
}  // namespace strata
