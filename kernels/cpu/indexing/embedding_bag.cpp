// Bags of embeddings: weighted sums and maxima of rows that indices name.
#include <algorithm>
#include <limits>
#include <vector>

#include "core/parallel.h"
#include "dispatcher/kernel.h"
#include "kernels/cpu/common/lines.h"
#include "kernels/cpu/common/widen.h"
#include "kernels/cpu/indexing/line_loop.h"
#include "kernels/cpu/indexing/vec_bags.h"
#include "kernels/cpu/pool/vec_pool.h"
#include "kernels/visit_floating.h"
#include "ops/embedding_bag_def.h"

namespace strata::cpu::indexing {
namespace {

/// Which rows go to each row of the result, in their order: entries [first(r), first(r + 1)) go to row r.
class Entries {
 public:
  Entries(Args in, int64_t rows, const RowsParams& p)
      : from_(reinterpret_cast<const int64_t*>(row_major(in[1], from_holder_))),
        to_(reinterpret_cast<const int64_t*>(row_major(in[2], to_holder_))),
        first_(p.count + 1) {
    const int64_t n = in[1].numel();
    if (has_runs(n, rows, p.count)) {
      find_runs(n);
    } else {
      IndexRange{p.skips ? -1 : 0, rows, {"embedding_bag", WrongIndex::kError}, 0}.check_all(from_, n);
      IndexRange{-1, p.count, {"embedding_bag", WrongIndex::kError}, 0}.check_all(to_, n);
      sort(n);
    }
  }
  int64_t first(int64_t row) const { return first_[row]; }
  const int64_t* firsts() const { return first_.data(); }
  int64_t size(int64_t row) const { return first_[row + 1] - first_[row]; }
  int64_t total() const { return first_.back(); }
  int64_t count() const { return static_cast<int64_t>(first_.size()) - 1; }
  int64_t longest() const {
    int64_t n = 0;
    for (int64_t r = 0; r < count(); ++r) n = std::max(n, size(r));
    return n;
  }
  const int64_t* from() const { return order_.empty() ? from_ : sorted_.data(); }
  /// Were the entries put in another order, and which stands where?
  const std::vector<int64_t>& order() const { return order_; }
  /// Rows of the result that are worth a thread.
  int64_t grain(int64_t columns) const {
    const int64_t work = 1 + first_.back() / std::max<int64_t>(1, count());
    return std::max<int64_t>(1, kGrain / (work * (columns + 1)));
  }

 private:
  /// Do all entries name rows that are there, and stand in order as they are, as those of bags do?
  bool has_runs(int64_t n, int64_t rows, int64_t count) const {
    if (n == 0) return true;
    return to_[0] >= 0 && to_[n - 1] < count && vec_index().is_rising(to_, n) &&
           vec_index().in_range(from_, n, 0, rows - 1);
  }
  /// The end of each row's entries: where the row before suggests it, as bags are often as long as each other, else by
  /// search.
  void find_runs(int64_t n) {
    for (int64_t r = 0, at = 0, length = 0; r < count(); ++r) {
      const int64_t guess = std::min(at + length, n);
      const bool is_end = (guess == at || to_[guess - 1] <= r) && (guess == n || to_[guess] > r);
      const int64_t end = is_end ? guess : std::upper_bound(to_ + at, to_ + n, r) - to_;
      length = end - at, at = end;
      first_[r + 1] = end;
    }
  }
  void sort(int64_t n) {
    std::fill(first_.begin(), first_.end(), 0);
    for (int64_t i = 0; i < n; ++i)
      if (to_[i] >= 0 && from_[i] >= 0) ++first_[to_[i] + 1];
    for (int64_t r = 0; r < count(); ++r) first_[r + 1] += first_[r];
    order_.resize(std::max<int64_t>(1, first_.back()));
    sorted_.resize(order_.size());
    std::vector<int64_t> next(first_.begin(), first_.end() - 1);
    for (int64_t i = 0; i < n; ++i) {
      if (to_[i] < 0 || from_[i] < 0) continue;
      const int64_t at = next[to_[i]]++;
      order_[at] = i, sorted_[at] = from_[i];
    }
  }

  Tensor from_holder_, to_holder_;
  const int64_t *from_, *to_;
  std::vector<int64_t> first_, order_, sorted_;
};

/// The weight of each entry, in the type that sums are computed in; null where all are 1.
template <class C>
class Weights {
 public:
  Weights(const Tensor& scale, const Entries& entries) {
    if (!scale.defined()) return;
    const char* const data = row_major(scale, holder_);
    const std::vector<int64_t>& order = entries.order();
    visit_floating("embedding_bag", scale.dtype(), [&]<class T>() {
      const T* const given = reinterpret_cast<const T*>(data);
      if constexpr (std::is_same_v<T, C>)
        if (order.empty()) return static_cast<void>(data_ = given);
      all_.resize(order.empty() ? scale.numel() : order.size());
      for (size_t i = 0; i < all_.size(); ++i) all_[i] = static_cast<C>(given[order.empty() ? i : order[i]]);
      data_ = all_.data();
    });
  }
  const C* data() const { return data_; }

 private:
  Tensor holder_;
  std::vector<C> all_;
  const C* data_ = nullptr;
};

/// Rows of a table as C: in place, or widened into a buffer.
template <class T, class C = Wide<T>>
struct Table {
  const T* data;
  int64_t columns;

  const C* row(int64_t r, C* buffer) const {
    if constexpr (std::is_same_v<T, C>) return data + r * columns;
    if constexpr (!std::is_same_v<T, C>) half_to_float(data + r * columns, buffer, columns);
    return buffer;
  }
};

template <class T, class C>
void store(T* to, const C* from, int64_t n) {
  if constexpr (std::is_same_v<T, C>) std::copy_n(from, n, to);
  if constexpr (!std::is_same_v<T, C>) float_to_half(from, to, n);
}

/// Rows [begin, end) of the result, y being row 0: sums of rows of halves, widened one by one.
template <class T, class C>
void sum_widened(const Table<T, C>& table, const Entries& entries, const C* weight, int64_t begin, int64_t end, T* y) {
  const int64_t columns = table.columns;
  std::vector<C> sum(columns), buffer(columns);
  for (int64_t r = begin; r < end; ++r) {
    std::fill(sum.begin(), sum.end(), C(0));
    for (int64_t i = entries.first(r); i < entries.first(r + 1); ++i) {
      const C* const row = table.row(entries.from()[i], buffer.data());
      const C by = weight ? weight[i] : C(1);
      for (int64_t c = 0; c < columns; ++c) sum[c] += by * row[c];
    }
    float_to_half(sum.data(), y + r * columns, columns);
  }
}

void add_rows_cpu(Tensors& out, Args in, const RowsParams& p) {
  const Tensor& x = in[0];
  const Entries entries(in, x.sizes()[0], p);
  visit_floating("embedding_bag", x.dtype(), [&]<class T>() {
    using C = Wide<T>;
    Tensor holder;
    const Table<T> table{reinterpret_cast<const T*>(row_major(x, holder)), x.sizes()[1]};
    const int64_t columns = table.columns;
    const Weights<C> weight(in[3], entries);
    write_row_major(out[0], [&](char* data) {
      T* const y = reinterpret_cast<T*>(data);
      parallel_for(0, p.count, entries.grain(columns), [&](int64_t begin, int64_t end) {
        if constexpr (std::is_same_v<T, C>)
          vec_bags<T>().sum(table.data, columns, entries.from(), weight.data(), entries.firsts() + begin, end - begin,
                            entries.total(), y + begin * columns);
        else
          sum_widened(table, entries, weight.data(), begin, end, y);
      });
    });
  });
}

/// The largest of the rows `from`, column by column; `at` says which of them.
template <class T, class C>
void max_of_rows(const Table<T, C>& table, const int64_t* from, int64_t n, std::vector<C>& best,
                 std::vector<pool::Place<C>>& at, std::vector<C>& buffer) {
  std::copy_n(table.row(from[0], buffer.data()), table.columns, best.data());
  std::fill(at.begin(), at.end(), 0);
  for (int64_t k = 1; k < n; ++k)
    pool::vec_pool<C>().meet(table.row(from[k], buffer.data()), table.columns, static_cast<pool::Place<C>>(k),
                             best.data(), at.data());
}

void max_rows_cpu(Tensors& out, Args in, const RowsParams& p) {
  const Tensor& x = in[0];
  const Entries entries(in, x.sizes()[0], p);
  STRATA_CHECK(entries.longest() <= std::numeric_limits<int32_t>::max(),
               "embedding_bag: a bag of {} indices is too long for a maximum", entries.longest());
  visit_floating("embedding_bag", x.dtype(), [&]<class T>() {
    using C = Wide<T>;
    Tensor holder;
    const Table<T> table{reinterpret_cast<const T*>(row_major(x, holder)), x.sizes()[1]};
    const int64_t columns = table.columns;
    const auto fill = [&](T* y, int64_t* rows) {
      parallel_for(0, p.count, entries.grain(columns), [&](int64_t begin, int64_t end) {
        std::vector<C> best(columns), buffer(std::is_same_v<T, C> ? 0 : columns);
        std::vector<pool::Place<C>> at(columns);
        for (int64_t r = begin; r < end; ++r) {
          const int64_t* const from = entries.from() + entries.first(r);
          const int64_t n = entries.size(r);
          if (n > 0)
            max_of_rows(table, from, n, best, at, buffer);
          else
            std::fill(best.begin(), best.end(), C(0));
          store(y + r * columns, best.data(), columns);
          for (int64_t c = 0; c < columns; ++c) rows[r * columns + c] = n > 0 ? from[at[c]] : -1;
        }
      });
    };
    write_row_major(out[0], [&](char* y) {
      write_row_major(out[1], [&](char* rows) { fill(reinterpret_cast<T*>(y), reinterpret_cast<int64_t*>(rows)); });
    });
  });
}

}  // namespace

STRATA_KERNEL(add_rows_op, CPU, add_rows_cpu);
STRATA_KERNEL(max_rows_op, CPU, max_rows_cpu);

}  // namespace strata::cpu::indexing
