// The kernel of the elements at some places of a sorted line, which are found without sorting the others.
#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <vector>

#include "dispatcher/kernel.h"
#include "kernels/cpu/common/lines.h"
#include "kernels/cpu/indexing/sort_entry.h"
#include "ops/sort_def.h"

namespace strata::cpu::indexing {
namespace {

/// Where the elements at increasing places of a sorted line come from. Digits of the keys are counted from the top, and
/// only elements whose digit is that of a wanted place are looked at further.
template <class T>
class PlaceFinder {
 public:
  using Key = SortKey<T>;
  using E = SortEntry<T>;

  PlaceFinder(int64_t length, int64_t step)
      : n_(length), step_(step), digit_bits_(length < 8192 ? 8 : 11), keys_(length) {}

  void find(const T* x, std::span<const int64_t> places, int64_t* indices) {
    Key* const keys = keys_.data();
    if (step_ == 1)
      for (int64_t i = 0; i < n_; ++i) keys[i] = sort_key(x[i]);
    else
      for (int64_t i = 0; i < n_; ++i) keys[i] = sort_key(x[i * step_]);
    const auto entry = [keys](int64_t i) { return E::make(keys[i], static_cast<uint64_t>(i)); };
    find_among(entry, n_, kKeyBits - digit_bits_, 0, places, indices);
  }

 private:
  static constexpr int kKeyBits = 8 * sizeof(Key);
  static constexpr int64_t kFew = 128;
  static constexpr size_t kMostBuckets = 2048;
  using Counts = std::array<uint32_t, kMostBuckets>;

  /// Entries in an array: a type of its own, the same for the entries chosen of these.
  struct Chosen {
    const E* e;
    E operator()(int64_t i) const { return e[i]; }
  };

  /// `places` count from `before`, the number of elements that are smaller than all n entries, which are in the order
  /// of their positions.
  template <class Entry>
  void find_among(const Entry& entry, int64_t n, int shift, int64_t before, std::span<const int64_t> places,
                  int64_t* indices) {
    const uint64_t buckets = uint64_t{1} << digit_bits_;
    const auto digit = [shift, buckets](const E& e) { return e.key_bits() >> shift & (buckets - 1); };
    Counts counts;
    count(entry, n, digit, buckets, counts);
    for (uint64_t bucket = 0; !places.empty(); before += counts[bucket++]) {
      const int64_t size = counts[bucket];
      if (places.front() >= before + size) continue;
      if (size == n && shift > 0) return find_among(entry, n, next(shift), before, places, indices);
      const auto behind = std::find_if(places.begin(), places.end(), [&](int64_t p) { return p >= before + size; });
      const std::span<const int64_t> here = places.first(static_cast<size_t>(behind - places.begin()));
      if (size == n)
        for (size_t k = 0; k < here.size(); ++k) indices[k] = entry(here[k] - before).index();
      else
        find_chosen(
            entry, n, [&](const E& e) { return digit(e) == bucket; }, size, shift, before, here, indices);
      places = places.subspan(here.size()), indices += here.size();
    }
  }

  /// How many entries have each digit: two tables, so that neighbours of one digit need not wait for each other.
  template <class Entry, class Digit>
  static void count(const Entry& entry, int64_t n, const Digit& digit, uint64_t buckets, Counts& counts) {
    Counts others;
    std::fill_n(counts.begin(), buckets, 0);
    std::fill_n(others.begin(), buckets, 0);
    int64_t i = 0;
    for (; i + 2 <= n; i += 2) {
      ++counts[digit(entry(i))];
      ++others[digit(entry(i + 1))];
    }
    if (i < n) ++counts[digit(entry(i))];
    for (uint64_t b = 0; b < buckets; ++b) counts[b] += others[b];
  }

  /// The same among the `size` entries that are chosen.
  template <class Entry, class IsChosen>
  void find_chosen(const Entry& entry, int64_t n, const IsChosen& is_chosen, int64_t size, int shift, int64_t before,
                   std::span<const int64_t> places, int64_t* indices) {
    Scratch<E> chosen(size + 1);  // one more, as each entry is written before it is known to stay
    E* const e = chosen.data();
    int64_t kept = 0;
    for (int64_t i = 0; i < n; ++i) {
      const E candidate = entry(i);
      e[kept] = candidate;
      kept += is_chosen(candidate);
    }
    if (size > kFew) return find_among(Chosen{e}, size, next(shift), before, places, indices);
    for (size_t k = 0; k < places.size(); ++k) {
      std::nth_element(e, e + (places[k] - before), e + size);
      indices[k] = e[places[k] - before].index();
    }
  }
  int next(int shift) const { return std::max(0, shift - digit_bits_); }

  int64_t n_, step_;
  int digit_bits_;
  Scratch<Key> keys_;
};

template <class T>
bool is_nan(T v) {
  return v != v;
}
template <class T>
int64_t count_nan(const T* x, int64_t n, int64_t step) {
  if constexpr (std::numeric_limits<T>::is_integer) return 0;
  int64_t count = 0;
  for (int64_t i = 0; i < n; ++i) count += is_nan(x[i * step]);
  return count;
}

/// One line's places, which need not increase, with what its NaNs make of them.
template <class T>
void find_in_line(PlaceFinder<T>& finder, const T* x, int64_t n, int64_t step, const PlacesParams& p,
                  std::vector<int64_t>& places, int64_t* indices) {
  const int64_t nans = p.nan == NanPlace::kLast ? 0 : count_nan(x, n, step);
  if (p.nan == NanPlace::kLeftOut) places = {std::max<int64_t>(0, (n - nans - 1) / 2)};
  if (p.nan == NanPlace::kChosen && nans > 0) {
    int64_t first = 0;
    while (!is_nan(x[first * step])) ++first;
    return void(std::fill_n(indices, places.size(), first));
  }
  finder.find(x, places, indices);
}

template <class T>
void find_places(Tensors& out, const Tensor& x, const PlacesParams& p) {
  const Lines from = make_lines(x, p.dim), values = make_lines(out[0], p.dim), indices = make_lines(out[1], p.dim);
  if (out[0].numel() == 0) return;
  STRATA_CHECK(from.length <= UINT32_MAX, "at_places: a dim of {} elements is too long", from.length);
  // The finder takes places in order; `rank` says which of them is whose.
  std::vector<int64_t> sorted(p.places.begin(), p.places.end());
  std::sort(sorted.begin(), sorted.end());
  parallel_for(0, from.count, std::max<int64_t>(1, kLineGrain / 4 / from.length), [&](int64_t begin, int64_t end) {
    PlaceFinder<T> finder(from.length, from.step());
    std::vector<int64_t> places = sorted, found(static_cast<size_t>(values.length));
    for (int64_t i = begin; i < end; ++i) {
      const T* const line = x.data_ptr<T>() + from.offset(i);
      find_in_line(finder, line, from.length, from.step(), p, places, found.data());
      for (int64_t k = 0; k < values.length; ++k) {
        const auto rank =
            p.nan == NanPlace::kLeftOut
                ? 0
                : std::lower_bound(sorted.begin(), sorted.end(), p.places[static_cast<size_t>(k)]) - sorted.begin();
        const int64_t at = found[static_cast<size_t>(rank)];
        out[0].data_ptr<T>()[values.offset(i) + k * values.step()] = line[at * from.step()];
        out[1].data_ptr<int64_t>()[indices.offset(i) + k * indices.step()] = at;
      }
    }
  });
}

void at_places_cpu(Tensors& out, Args in, const PlacesParams& p) {
  visit_dtype(in[0].dtype(), [&]<class T>() { find_places<T>(out, in[0], p); });
}

STRATA_KERNEL(at_places_op, CPU, at_places_cpu);

}  // namespace
}  // namespace strata::cpu::indexing
