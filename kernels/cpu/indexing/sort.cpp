// Kernels of sorting: order-preserving keys joined with their position, then a radix sort; equal keys keep their order.
#include "ops/sort_def.h"

#include <algorithm>
#include <vector>

#include "dispatcher/kernel.h"
#include "kernels/cpu/common/lines.h"
#include "kernels/cpu/indexing/sort_entry.h"

namespace strata::cpu::indexing {
namespace {

constexpr int64_t kRadixFrom = 2048;
constexpr int kBuckets = 2048;

/// Sorts by key with one stable pass per 11-bit digit, skipping digits that all share. `a` ends up sorted.
template <class E>
void radix_sort(E* a, E* b, int64_t n) {
  std::vector<uint32_t> counts(E::kWideDigits * kBuckets);
  for (int64_t i = 0; i < n; ++i)
    for (int d = 0; d < E::kWideDigits; ++d) ++counts[d * kBuckets + a[i].wide_digit(d)];
  E* from = a;
  E* to = b;
  for (int d = 0; d < E::kWideDigits; ++d) {
    uint32_t* const count = counts.data() + d * kBuckets;
    if (count[from[0].wide_digit(d)] == n) continue;
    uint32_t start = 0;
    for (int k = 0; k < kBuckets; ++k) start += std::exchange(count[k], start);
    for (int64_t i = 0; i < n; ++i) to[count[from[i].wide_digit(d)]++] = from[i];
    std::swap(from, to);
  }
  if (from != a) std::copy_n(from, n, a);
}

/// Merges the sorted parts [0, n / 2) and [n / 2, n) of `from` into `to`, from both ends at once and without a branch
/// that a processor would have to guess. Neither part can end before half of the steps are done.
template <class E>
void merge_halves(const E* from, E* to, int64_t n) {
  const int64_t half = n / 2;
  const E *left = from, *right = from + half, *left_end = right - 1, *right_end = from + n - 1;
  E *first = to, *last = to + n - 1;
  for (int64_t i = 0; i < half; ++i) {
    const bool takes_right = *right < *left, takes_left_end = *right_end < *left_end;
    *first++ = *(takes_right ? right : left);
    *last-- = *(takes_left_end ? left_end : right_end);
    right += takes_right, left += !takes_right;
    left_end -= takes_left_end, right_end -= !takes_left_end;
  }
  if (n % 2) *first = *(left <= left_end ? left : right);
}

/// Sorts `a` in its place, or into `spare`.
template <class E>
void merge_sort(E* a, E* spare, int64_t n, bool into_spare) {
  if (n == 2) {
    const bool swaps = a[1] < a[0];
    const E first = a[swaps], second = a[!swaps];
    E* const to = into_spare ? spare : a;
    to[0] = first, to[1] = second;
  } else if (n < 2) {
    if (into_spare) std::copy_n(a, n, spare);
  } else {
    const int64_t half = n / 2;
    merge_sort(a, spare, half, !into_spare);
    merge_sort(a + half, spare + half, n - half, !into_spare);
    into_spare ? merge_halves(a, spare, n) : merge_halves(spare, a, n);
  }
}

template <class E>
void sort_entries(E* a, E* spare, int64_t n) {
  if (n < kRadixFrom)
    merge_sort(a, spare, n, false);
  else if (n <= UINT32_MAX)
    radix_sort(a, spare, n);
  else
    std::sort(a, a + n);
}

/// Sorts lines of one length, one after the other.
/// Keys, turned for falling order, less the least one, which fit an E.
template <class T>
struct KeyRange {
  SortKey<T> flip = 0, base = 0;
  bool is_narrow = false;  ///< 64-bit keys that fit 32 bits once the least is taken off

  KeyRange(const T* x, const Lines& lines, bool descending) : flip(descending ? ~SortKey<T>{0} : SortKey<T>{0}) {
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
      if (lines.count * lines.length == 0) return;
      SortKey<T> least = ~SortKey<T>{0}, most = 0;
      const int64_t step = lines.step();
      for (int64_t i = 0; i < lines.count; ++i) {
        const T* const line = x + lines.offset(i);
        for (int64_t j = 0; j < lines.length; ++j) {
          const SortKey<T> key = sort_key(line[j * step]);
          least = std::min(least, key), most = std::max(most, key);
        }
      }
      is_narrow = most - least <= UINT32_MAX;
      if (is_narrow) base = descending ? static_cast<SortKey<T>>(~most) : least;
    }
  }
};

/// Calls f.template operator()<E>() with the smallest entry for these keys.
template <class T, class F>
void visit_entry(const KeyRange<T>& range, F&& f) {
  range.is_narrow ? f.template operator()<Packed>() : f.template operator()<SortEntry<T>>();
}

template <class T, class E = SortEntry<T>>
class LineSorter {
 public:
  using Key = SortKey<T>;

  LineSorter(int64_t length, const KeyRange<T>& range) : n_(length), range_(range), entries_(length), spare_(length) {}
  /// Sorts the line at `x` with stride `step`; the first `k` places are right afterwards.
  void sort(const T* x, int64_t step, int64_t k) {
    if (k <= n_ / 16) return select(x, step, k);
    E* const e = entries_.data();
    for (int64_t i = 0; i < n_; ++i) e[i] = entry(x[i * step], i);
    if (k >= n_ / 4) return sort_entries(e, spare_.data(), n_);
    std::nth_element(e, e + k - 1, e + n_);
    sort_entries(e, spare_.data(), k);
  }
  /// Where the element at this place of the order came from.
  int64_t index(int64_t place) { return entries_.data()[place].index(); }
  /// The element itself, of the line at `x`: long integers are read from their keys, which lie in order.
  T value(const T* x, int64_t step, int64_t place) {
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8)
      return static_cast<T>(sort_key(static_cast<T>((entries_.data()[place].key_bits() + range_.base) ^ range_.flip)));
    else
      return x[index(place) * step];
  }
  /// Does its key differ from that of the place before?
  bool differs(int64_t place) { return entries_.data()[place].key_bits() != entries_.data()[place - 1].key_bits(); }

 private:
  E entry(T v, int64_t i) const {
    const Key key = static_cast<Key>((sort_key(v) ^ range_.flip) - range_.base);
    return E::make(static_cast<typename E::Key>(key), static_cast<uint64_t>(i));
  }
  /// The first few places, through a heap of the best elements so far.
  void select(const T* x, int64_t step, int64_t k) {
    E* const heap = entries_.data();
    for (int64_t i = 0; i < k; ++i) heap[i] = entry(x[i * step], i);
    std::make_heap(heap, heap + k);
    for (int64_t i = k; i < n_; ++i) {
      const E e = entry(x[i * step], i);
      if (!(e < heap[0])) continue;
      std::pop_heap(heap, heap + k);
      heap[k - 1] = e;
      std::push_heap(heap, heap + k);
    }
    std::sort_heap(heap, heap + k);
  }

  int64_t n_;
  KeyRange<T> range_;
  Scratch<E> entries_, spare_;
};

/// The first `k` places of every sorted line.
template <class T>
void sort_lines(Tensors& out, const Tensor& x, int64_t dim, bool descending, int64_t k) {
  const Lines from = make_lines(x, dim), values = make_lines(out[0], dim), indices = make_lines(out[1], dim);
  if (from.length == 0 || k == 0) return;
  STRATA_CHECK(from.length <= UINT32_MAX, "sort: a dim of {} elements is too long", from.length);
  const int64_t grain = std::max<int64_t>(1, kLineGrain / 8 / from.length);
  const KeyRange<T> range(x.data_ptr<T>(), from, descending);
  visit_entry(range, [&]<class E>() {
    parallel_for(0, from.count, grain, [&](int64_t begin, int64_t end) {
      LineSorter<T, E> sorter(from.length, range);
      for (int64_t i = begin; i < end; ++i) {
        const T* const line = x.data_ptr<T>() + from.offset(i);
        T* const to = out[0].data_ptr<T>() + values.offset(i);
        int64_t* const at = out[1].data_ptr<int64_t>() + indices.offset(i);
        sorter.sort(line, from.step(), k);
        for (int64_t j = 0; j < k; ++j) {
          at[j * indices.step()] = sorter.index(j);
          to[j * values.step()] = sorter.value(line, from.step(), j);
        }
      }
    });
  });
}

void sort_cpu(Tensors& out, Args in, const SortParams& p) {
  visit_dtype(in[0].dtype(),
              [&]<class T>() { sort_lines<T>(out, in[0], p.dim, p.descending, size_along(in[0], p.dim)); });
}
void topk_cpu(Tensors& out, Args in, const TopkParams& p) {
  visit_dtype(in[0].dtype(), [&]<class T>() { sort_lines<T>(out, in[0], p.dim, p.largest, p.k); });
}

/// The places of kTogether keys among n increasing ones, key(0), …: the halvings of all go on side by side and without
/// a branch, so that none waits for another one's loads or for a wrong guess.
template <bool kRight, int kTogether, class KeyAt, class Key>
void search_together(const KeyAt& key_at, int64_t n, const Key* sought, int64_t* places) {
  const auto is_before = [&](int64_t i, Key k) { return kRight ? key_at(i) <= k : key_at(i) < k; };
  int64_t low[kTogether] = {};
  int64_t rest = n;
  for (; rest > 1; rest -= rest / 2)
    for (int j = 0; j < kTogether; ++j) low[j] += is_before(low[j] + rest / 2 - 1, sought[j]) ? rest / 2 : 0;
  for (int j = 0; j < kTogether; ++j) places[j] = low[j] + (n > 0 && is_before(low[j], sought[j]) ? 1 : 0);
}

template <bool kRight, class T, class KeyAt>
void search_row(const KeyAt& key_at, int64_t n, const T* values, int64_t step, int64_t* places, int64_t place_step,
                int64_t begin, int64_t end) {
  constexpr int kTogether = 16;
  SortKey<T> sought[kTogether];
  int64_t found[kTogether];
  for (int64_t i = begin; i < end; i += kTogether) {
    const int64_t count = std::min<int64_t>(kTogether, end - i);
    for (int64_t j = 0; j < count; ++j) sought[j] = sort_key(values[(i + j) * step]);
    if (count == kTogether)
      search_together<kRight, kTogether>(key_at, n, sought, found);
    else
      for (int64_t j = 0; j < count; ++j) search_together<kRight, 1>(key_at, n, sought + j, found + j);
    for (int64_t j = 0; j < count; ++j) places[(i + j) * place_step] = found[j];
  }
}

void searchsorted_cpu(Tensors& out, Args in, const SearchParams& p) {
  const int64_t row_dim = 1;
  const Lines sorted = make_lines(in[0], row_dim), values = make_lines(in[1], row_dim),
              results = make_lines(out[0], row_dim);
  visit_dtype(in[0].dtype(), [&]<class T>() {
    const int64_t n = sorted.length, step = sorted.step();
    // The keys of a row are made once where many values are sought in it.
    const bool keeps_keys = n <= 4 * values.length;
    Scratch<SortKey<T>> keys(keeps_keys ? n : 0);
    for (int64_t row = 0; row < values.count; ++row) {
      const T* const s = in[0].data_ptr<T>() + sorted.offset(row);
      const T* const v = in[1].data_ptr<T>() + values.offset(row);
      int64_t* const at = out[0].data_ptr<int64_t>() + results.offset(row);
      SortKey<T>* const kept = keys.data();
      const auto make_key = [=](int64_t i) { return sort_key(s[i * step]); };
      const auto kept_key = [=](int64_t i) { return kept[i]; };
      const auto search = [&](const auto& key_at) {
        parallel_for(0, values.length, 1024, [&](int64_t begin, int64_t end) {
          (p.right ? search_row<true, T, std::decay_t<decltype(key_at)>>
                   : search_row<false, T, std::decay_t<decltype(key_at)>>)(key_at, n, v, values.step(), at,
                                                                           results.step(), begin, end);
        });
      };
      if (!keeps_keys) {
        search(make_key);
        continue;
      }
      for (int64_t i = 0; i < n; ++i) kept[i] = make_key(i);
      search(kept_key);
    }
  });
}

template <class T, class E>
Tensors unique_values(const Tensor& x, const Lines& line, const KeyRange<T>& range) {
  const int64_t n = x.numel();
  LineSorter<T, E> sorter(n, range);
  const T* const data = x.data_ptr<T>();
  sorter.sort(data, line.step(), n);
  std::vector<T> values;
  std::vector<int64_t> counts;
  Tensor inverse = empty_cpu({n}, kLong);
  int64_t* const inverse_data = inverse.data_ptr<int64_t>();
  for (int64_t i = 0; i < n; ++i) {
    const int64_t at = sorter.index(i);
    // NaN equals nothing, itself neither.
    if (i == 0 || sorter.differs(i) || values.back() != values.back()) {
      values.push_back(sorter.value(data, line.step(), i));
      counts.push_back(0);
    }
    ++counts.back();
    inverse_data[at] = static_cast<int64_t>(values.size()) - 1;
  }
  const int64_t distinct = static_cast<int64_t>(values.size());
  Tensor out = empty_cpu({distinct}, x.dtype()), out_counts = empty_cpu({distinct}, kLong);
  std::copy(values.begin(), values.end(), out.data_ptr<T>());
  std::copy(counts.begin(), counts.end(), out_counts.data_ptr<int64_t>());
  return {out, inverse, out_counts};
}

void unique_cpu(Tensors& out, Args in, const NoParams&) {
  visit_dtype(in[0].dtype(), [&]<class T>() {
    const Lines line = make_lines(in[0], int64_t{0});
    const KeyRange<T> range(in[0].data_ptr<T>(), line, false);
    visit_entry(range, [&]<class E>() { out = unique_values<T, E>(in[0], line, range); });
  });
}

STRATA_KERNEL(sort_op, CPU, sort_cpu);
STRATA_KERNEL(topk_op, CPU, topk_cpu);
STRATA_KERNEL(searchsorted_op, CPU, searchsorted_cpu);
STRATA_KERNEL(unique_op, CPU, unique_cpu);

}  // namespace
}  // namespace strata::cpu::indexing
