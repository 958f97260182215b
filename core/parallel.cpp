// parallel_for on OpenMP's pool.
#include "core/parallel.h"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>

#include "core/error.h"
#include "core/thread_state.h"

namespace strata {
namespace {

#if defined(__SANITIZE_THREAD__)
constexpr bool kShowOrder = true;
#else
constexpr bool kShowOrder = false;
#endif

// ThreadSanitizer cannot see into libgomp, so it does not know that a parallel region begins after what came before it
// and ends before what comes after. The same order is said again with an atomic that it does see.
std::atomic<int> region_order{0};
void show_release() {
  if constexpr (kShowOrder) region_order.fetch_add(1, std::memory_order_acq_rel);
}
void show_acquire() {
  if constexpr (kShowOrder) region_order.load(std::memory_order_acquire);
}

}  // namespace

void set_num_threads(int n) {
  STRATA_CHECK(n >= 1, "set_num_threads: expected at least 1, got {}", n);
  omp_set_num_threads(n);
}
int get_num_threads() { return omp_get_max_threads(); }
bool in_parallel_region() { return omp_in_parallel(); }

namespace detail {

void parallel_run(int64_t begin, int64_t end, int64_t grain, RangeFn fn, void* context) {
  const int64_t most = (end - begin + grain - 1) / std::max<int64_t>(grain, 1);
  const int threads = static_cast<int>(std::min<int64_t>(most, get_num_threads()));
  if (threads <= 1 || in_parallel_region()) return fn(context, begin, end);
  std::exception_ptr error;
  std::atomic_flag failed = ATOMIC_FLAG_INIT;
  const ThreadState parent = thread_state;
  show_release();
#pragma omp parallel num_threads(threads)
  {
    show_acquire();
    // OpenMP may give fewer threads than asked for.
    const int64_t parts = omp_get_num_threads(), part = omp_get_thread_num();
    const int64_t chunk = (end - begin + parts - 1) / parts;
    const int64_t from = begin + part * chunk, to = std::min(end, from + chunk);
    const ThreadStateGuard guard(parent);
    try {
      if (from < to) fn(context, from, to);
    } catch (...) {
      if (!failed.test_and_set()) error = std::current_exception();
    }
    show_release();
  }
  show_acquire();
  if (error) std::rethrow_exception(error);
}

}  // namespace detail
}  // namespace strata
