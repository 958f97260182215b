// Splitting a range of work over the thread pool (OpenMP's, shared with oneDNN and OpenBLAS).
#pragma once
#include <cstdint>
#include <type_traits>

namespace strata {

/// Number of threads that parallel work may use; default: OMP_NUM_THREADS or the number of cores.
void set_num_threads(int n);
int get_num_threads();
/// Is the caller inside a parallel region? Nested regions run inline.
bool in_parallel_region();

namespace detail {
using RangeFn = void (*)(void* context, int64_t begin, int64_t end);
/// Splits [begin, end) evenly over the threads; the first exception thrown by any part is rethrown.
void parallel_run(int64_t begin, int64_t end, int64_t grain, RangeFn fn, void* context);
}  // namespace detail

/// Calls `f(b, e)` on disjoint sub-ranges that cover [begin, end), each at least about `grain` long; inline when the
/// range is short.
template <class F>
inline void parallel_for(int64_t begin, int64_t end, int64_t grain, F&& f) {
  if (end <= begin) return;
  if (end - begin <= grain) {
    f(begin, end);
    return;
  }
  detail::parallel_run(
      begin, end, grain, [](void* c, int64_t b, int64_t e) { (*static_cast<std::remove_reference_t<F>*>(c))(b, e); },
      const_cast<void*>(static_cast<const void*>(&f)));
}

}  // namespace strata
