// Writing and adding at sorted places: Note [Sorted places].
#include "kernels/cuda/indexing/indexing_sorted.h"

#include <bit>

#include "kernels/arithmetic.h"
#include "kernels/cuda/indexing/sort_keys.h"
#include "kernels/cuda/runtime/launch.h"
#include "kernels/visit_item.h"

namespace strata::cuda::indexing {
namespace {

/// The sorted places as a kernel sees them.
struct Sorted {
  const int64_t* places;
  const uint32_t* order;
  int64_t count, limit, step;

  STRATA_HD bool begins(int64_t i) const { return places[i] < limit && (i == 0 || places[i - 1] != places[i]); }
  STRATA_HD bool ends(int64_t i) const { return places[i] < limit && (i + 1 == count || places[i + 1] != places[i]); }
  STRATA_HD int64_t value(int64_t i) const { return order[i] * step; }
};

/// Adds up the values of a place.
struct AddAll {
  template <class T>
  static __device__ void run(T* y, const T* values, const Sorted& s, int64_t i) {
    if (!s.begins(i)) return;
    using C = arithmetic::Compute<T>;
    constexpr int kAhead = 8;  // values on their way at once
    const int64_t place = s.places[i];
    C sum = static_cast<C>(y[place]);
    for (; i + kAhead <= s.count && s.places[i + kAhead - 1] == place; i += kAhead) {
      T next[kAhead];
      STRATA_UNROLL
      for (int k = 0; k < kAhead; ++k) next[k] = values[s.value(i + k)];
      STRATA_UNROLL
      for (int k = 0; k < kAhead; ++k) sum = arithmetic::Add::run(sum, static_cast<C>(next[k]));
    }
    for (; i < s.count && s.places[i] == place; ++i)
      sum = arithmetic::Add::run(sum, static_cast<C>(values[s.value(i)]));
    y[place] = static_cast<T>(sum);
  }
};

/// Writes the last value of a place.
struct PutLast {
  template <class T>
  static __device__ void run(T* y, const T* values, const Sorted& s, int64_t i) {
    if (s.ends(i)) y[s.places[i]] = values[s.value(i)];
  }
};

/// Threads in x take the elements of a value, those in y the values.
template <class Action, class T>
__global__ void __launch_bounds__(kThreads) sorted_kernel(T* y, const T* values, Strided<2> rest, Sorted s) {
  const int64_t i = int64_t{blockIdx.x} * blockDim.y + threadIdx.y;
  if (i >= s.count) return;
  for (uint64_t r = blockIdx.y * blockDim.x + threadIdx.x; r < rest.numel; r += gridDim.y * blockDim.x) {
    const Offsets<2> at = rest.at(static_cast<uint32_t>(r));
    Action::run(y + at[0], values + at[1], s, i);
  }
}

template <class Action, class T>
void run_sorted(const SortedWrites& w, const Sorted& s) {
  T* const y = reinterpret_cast<T*>(w.y.bytes()) + w.offset;
  const T* const values = reinterpret_cast<const T*>(w.values.bytes());
  for_each_piece(w.rest, [&](const Strided<2>& piece, const int64_t(&first)[2]) {
    const unsigned wide = std::min<unsigned>(kThreads, std::bit_ceil(piece.numel)), high = kThreads / wide;
    const int64_t blocks = (s.count + high - 1) / high,
                  columns = std::min<int64_t>(1024, (piece.numel + wide - 1) / wide);
    start(w.op, sorted_kernel<Action, T>,
          {dim3(static_cast<unsigned>(blocks), static_cast<unsigned>(columns)), dim3(wide, high)}, stream_of(w.y),
          y + first[0], values + first[1], piece, s);
  });
}

/// Calls f(Sorted) with the places in order.
template <class F>
void with_order(const SortedWrites& w, F&& f) {
  const int64_t count = w.places.numel();
  if (count == 0) return;
  STRATA_CHECK(count <= UINT32_MAX, "{}: {} places on a CUDA device, which takes {}", w.op, count, UINT32_MAX);
  const SortedKeys sorted = sort_keys(w.places, std::bit_width(static_cast<uint64_t>(w.limit)));
  f(Sorted{sorted.keys.data_ptr<int64_t>(), sorted.order.data_ptr<uint32_t>(), count, w.limit, w.step});
}

}  // namespace

void add_sorted(const SortedWrites& w) {
  with_order(w,
             [&](const Sorted& s) { visit_any_dtype(w.y.dtype(), [&]<class T>() { run_sorted<AddAll, T>(w, s); }); });
}

void put_sorted(const SortedWrites& w) {
  with_order(w, [&](const Sorted& s) {
    visit_wide_item(item_size(w.y.dtype()), [&]<class T>() { run_sorted<PutLast, T>(w, s); });
  });
}

}  // namespace strata::cuda::indexing
