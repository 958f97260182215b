// Splitting a range of work over the threads of the process's pool.
#pragma once
#include <cstdint>
#include <memory>
#include <type_traits>

namespace strata {

/// Number of threads that parallel work may use, for the whole process; default: OMP_NUM_THREADS or the number of
/// cores. Regions that run already keep to what they began with.
void set_num_threads(int n);
int get_num_threads();
/// Is the caller inside a parallel region? Nested regions run inline.
bool in_parallel_region();

/// The parallel regions of this thread run inline while it lives, as if they were nested in one: for threads that are
/// the parallelism themselves, such as a data loader's workers.
class InlineRegions {
 public:
  InlineRegions();
  ~InlineRegions();
  InlineRegions(const InlineRegions&) = delete;
  InlineRegions& operator=(const InlineRegions&) = delete;

 private:
  bool saved_;
};

namespace detail {
using RangeFn = void (*)(void* context, int64_t begin, int64_t end);
/// Cuts [begin, end) into pieces, which the caller and whichever workers of the pool are free take one after another;
/// waits for no thread that has not begun a piece. The first exception thrown by any piece is rethrown.
void parallel_run(int64_t begin, int64_t end, int64_t grain, RangeFn fn, void* context);
}  // namespace detail

/// Calls `f(b, e)` on disjoint sub-ranges that cover [begin, end), each at least about `grain` long; inline when the
/// range is short. What `f` computes must not depend on how the range is cut.
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

/// Joins `f(b, e, identity)` over sub-ranges of [begin, end) that are `grain` long, in their order, with `combine`. The
/// sub-ranges do not depend on the number of threads, so neither does the result.
template <class T, class F, class Combine>
inline T parallel_reduce(int64_t begin, int64_t end, int64_t grain, const T& identity, const F& f,
                         const Combine& combine) {
  if (end <= begin) return identity;
  const int64_t step = grain > 1 ? grain : 1, count = (end - begin - 1) / step + 1;
  const std::unique_ptr<T[]> parts(new T[static_cast<size_t>(count)]);
  parallel_for(0, count, 1, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      const int64_t from = begin + i * step;
      parts[i] = f(from, end - from < step ? end : from + step, identity);
    }
  });
  T result = identity;
  for (int64_t i = 0; i < count; ++i) result = combine(result, parts[i]);
  return result;
}

}  // namespace strata
