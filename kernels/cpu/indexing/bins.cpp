// Kernels of counts of values and between edges, and of runs of equal rows.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/parallel.h"
#include "dispatcher/kernel.h"
#include "kernels/cpu/common/dense.h"
#include "kernels/cpu/common/lines.h"
#include "kernels/cpu/common/strided_copy.h"
#include "kernels/sort_key.h"
#include "ops/histogram_def.h"
#include "ops/sets_def.h"

namespace strata::cpu::indexing {
namespace {

/// Increasing edges of `bins` bins.
template <class T>
class Edges {
 public:
  Edges(const T* edges, int64_t bins)
      : edges_(edges), bins_(bins), low_(edges[0]), high_(edges[bins]), scale_(static_cast<T>(bins) / (high_ - low_)) {}
  bool has(T x) const { return x >= low_ && x <= high_; }
  /// Where x would lie between equally distant edges; the last bin where these are one, or infinite.
  int64_t even_bin(T x) const {
    const T place = (x - low_) * static_cast<T>(bins_) / (high_ - low_);
    return place < static_cast<T>(bins_) ? static_cast<int64_t>(place) : bins_ - 1;
  }
  /// The bin whose edges x lies between: mostly where it would be among equally distant ones, or next to that.
  int64_t bin(T x) const {
    if (x == high_) return bins_ - 1;
    const T guess = (x - low_) * scale_;
    if (!(guess >= 0 && guess < static_cast<T>(bins_))) return search(x);
    int64_t i = static_cast<int64_t>(guess);
    i -= x < edges_[i];
    i += i >= 0 && x >= edges_[i + 1];
    return i >= 0 && i < bins_ && x >= edges_[i] && x < edges_[i + 1] ? i : search(x);
  }

 private:
  int64_t search(T x) const { return std::upper_bound(edges_, edges_ + bins_, x) - edges_ - 1; }

  const T* edges_;
  int64_t bins_;
  T low_, high_, scale_;
};

/// Adds to counts[b] how many values lie in bin b.
template <bool kExact, class T>
void count_bins(const Edges<T>& edges, const T* x, int64_t n, int64_t* counts) {
  for (int64_t i = 0; i < n; ++i)
    if (edges.has(x[i])) ++counts[kExact ? edges.bin(x[i]) : edges.even_bin(x[i])];
}

/// Counts are integers, so that any split among threads adds up to the same. A part has no fewer values than bins, so
/// that the parts' tables are no longer than the values.
template <class T>
void bin_row(const T* x, int64_t n, const Edges<T>& edges, int64_t bins, bool exact, T* out) {
  const int64_t part = std::max({kLineGrain, (n + 63) / 64, bins}), parts = std::max<int64_t>(1, (n + part - 1) / part);
  std::vector<int64_t> counts(static_cast<size_t>(parts * bins));
  parallel_for(0, parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p) {
      const int64_t first = p * part, length = std::min(part, n - first);
      (exact ? count_bins<true, T> : count_bins<false, T>)(edges, x + first, length, counts.data() + p * bins);
    }
  });
  for (int64_t b = 0; b < bins; ++b) {
    int64_t sum = 0;
    for (int64_t p = 0; p < parts; ++p) sum += counts[static_cast<size_t>(p * bins + b)];
    out[b] = static_cast<T>(sum);
  }
}

void bin_counts_dense(Tensors& out, Args in, const BinParams& p) {
  const int64_t rows = in[0].size(0), n = in[0].size(1), bins = out[0].size(1);
  const auto run = [&]<class T>() {
    for (int64_t r = 0; r < rows; ++r) {
      const T* const given = in[1].data_ptr<T>() + r * (bins + 1);
      std::vector<T> sorted(given, given + bins + 1);
      const auto before = [](T a, T b) { return sort_key(a) < sort_key(b); };  // NaN last
      if (!std::is_sorted(sorted.begin(), sorted.end(), before)) std::sort(sorted.begin(), sorted.end(), before);
      const Edges<T> edges(sorted.data(), bins);
      bin_row(in[0].data_ptr<T>() + r * n, n, edges, bins, p.exact, out[0].data_ptr<T>() + r * bins);
    }
  };
  in[0].dtype() == kFloat ? run.template operator()<float>() : run.template operator()<double>();
}

/// Two tables in turn, so that neighbours of one value need not wait for each other.
void count_values(const int64_t* x, int64_t n, int64_t size, int64_t* out) {
  std::vector<int64_t> others(static_cast<size_t>(size));
  std::fill_n(out, size, 0);
  const uint64_t end = static_cast<uint64_t>(size);
  const auto count = [end](int64_t value, int64_t* counts) {
    STRATA_CHECK_INDEX(static_cast<uint64_t>(value) < end, "index_counts: {} is not below {} and at least 0", value,
                       end);
    ++counts[value];
  };
  int64_t i = 0;
  for (; i + 2 <= n; i += 2) count(x[i], out), count(x[i + 1], others.data());
  if (i < n) count(x[i], out);
  for (int64_t v = 0; v < size; ++v) out[v] += others[static_cast<size_t>(v)];
}

void index_counts_dense(Tensors& out, Args in, const CountParams& p) {
  const int64_t n = in[0].size(1);
  for (int64_t r = 0; r < in[0].size(0); ++r)
    count_values(in[0].data_ptr<int64_t>() + r * n, n, p.size, out[0].data_ptr<int64_t>() + r * p.size);
}

/// Do any of kGroup neighbours differ from the one before? Without a branch, as most of a long run's do not.
constexpr int64_t kGroup = 16;
template <class T>
bool any_differ(const T* x) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    T differ = 0;
    for (int64_t j = 0; j < kGroup; ++j) differ = static_cast<T>(differ | (x[j] ^ x[j - 1]));
    return differ != 0;
  } else {
    int differ = 0;
    for (int64_t j = 0; j < kGroup; ++j) differ |= x[j] != x[j - 1] ? 1 : 0;
    return differ != 0;
  }
}

/// The rows `(n, m)` that differ from the one before, and the first.
template <class T>
std::vector<int64_t> run_starts(const T* x, int64_t n, int64_t m) {
  std::vector<int64_t> starts;
  if (n == 0) return starts;
  starts.push_back(0);
  const auto check = [&](int64_t i) {
    // NaN equals nothing, itself neither.
    for (int64_t j = 0; j < m; ++j)
      if (x[i * m + j] != x[(i - 1) * m + j]) return starts.push_back(i);
  };
  int64_t i = 1;
  if (m == 1) {
    for (; i + kGroup <= n; i += kGroup)
      if (any_differ(x + i))
        for (int64_t j = i; j < i + kGroup; ++j) check(j);
  }
  for (; i < n; ++i) check(i);
  return starts;
}

Tensor to_tensor(const std::vector<int64_t>& v) {
  Tensor t = empty_cpu({static_cast<int64_t>(v.size())}, kLong);
  std::copy(v.begin(), v.end(), t.data_ptr<int64_t>());
  return t;
}

void runs_cpu(Tensors& out, Args in, const RunsParams& p) {
  const int64_t n = in[0].size(0), m = in[0].size(1);
  Tensor holder;
  const char* const data = row_major(in[0], holder);
  std::vector<int64_t> starts;
  visit_dtype(in[0].dtype(), [&]<class T>() { starts = run_starts(reinterpret_cast<const T*>(data), n, m); });
  Tensor inverse = empty_cpu({p.inverse ? n : 0}, kLong),
         counts = empty_cpu({p.counts ? static_cast<int64_t>(starts.size()) : 0}, kLong);
  for (size_t r = 0; r < starts.size(); ++r) {
    const int64_t end = r + 1 < starts.size() ? starts[r + 1] : n;
    if (p.counts) counts.data_ptr<int64_t>()[r] = end - starts[r];
    if (p.inverse) std::fill(inverse.data_ptr<int64_t>() + starts[r], inverse.data_ptr<int64_t>() + end, r);
  }
  out = {to_tensor(starts), inverse, counts};
}

STRATA_KERNEL(index_counts_op, CPU, RowMajor<index_counts_dense>::run);
STRATA_KERNEL(bin_counts_op, CPU, RowMajor<bin_counts_dense>::run);
STRATA_KERNEL(runs_op, CPU, runs_cpu);

}  // namespace
}  // namespace strata::cpu::indexing
