// Bags of embeddings: weighted sums and maxima of rows that indices name.
#include <algorithm>
#include <limits>
#include <vector>

#include "core/parallel.h"
#include "dispatcher/kernel.h"
#include "kernels/cpu/common/lines.h"
#include "kernels/cpu/common/widen.h"
#include "kernels/cpu/indexing/line_loop.h"
#include "kernels/cpu/pool/vec_pool.h"
#include "kernels/cpu/resample/vec_resample.h"
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
    IndexRange{p.skips ? -1 : 0, rows, "embedding_bag", 0}.check_all(from_, n);
    IndexRange{-1, p.count, "embedding_bag", 0}.check_all(to_, n);
    if (!find_runs(n)) sort(n);
  }
  int64_t first(int64_t row) const { return first_[row]; }
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
  /// Where the entries stand in order as they are, as those of bags do; else false.
  bool find_runs(int64_t n) {
    int64_t rows = 0;  // whose first entry is known
    for (int64_t i = 0; i < n; ++i) {
      if (to_[i] + 1 < rows || to_[i] < 0 || from_[i] < 0) return false;
      while (rows <= to_[i]) first_[rows++] = i;
    }
    std::fill(first_.begin() + rows, first_.end(), n);
    return true;
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

/// The weight of each entry, in the type that sums are computed in; where there are none, as many ones as needed.
template <class C>
std::vector<C> weights(const Tensor& scale, const Entries& entries) {
  if (!scale.defined()) return std::vector<C>(entries.longest(), C(1));
  Tensor holder;
  const char* const data = row_major(scale, holder);
  const std::vector<int64_t>& order = entries.order();
  std::vector<C> all(order.empty() ? scale.numel() : order.size());
  visit_floating("embedding_bag", scale.dtype(), [&]<class T>() {
    const T* const given = reinterpret_cast<const T*>(data);
    for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<C>(given[order.empty() ? i : order[i]]);
  });
  return all;
}

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

/// y = the sum of rows `index` times `weight`.
template <class T, class C>
void sum_rows(const Table<T, C>& table, const int64_t* index, const C* weight, int64_t n, int64_t known, C* y,
              C* buffer) {
  if constexpr (std::is_same_v<T, C>) {
    resample::vec_resample<C>().sum_rows(table.data, table.columns, index, weight, n, known, y, table.columns);
  } else {
    std::fill_n(y, table.columns, C(0));
    for (int64_t k = 0; k < n; ++k) {
      const C* const row = table.row(index[k], buffer);
      for (int64_t c = 0; c < table.columns; ++c) y[c] += weight[k] * row[c];
    }
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
    const std::vector<C> weight = weights<C>(in[3], entries);
    write_row_major(out[0], [&](char* data) {
      T* const y = reinterpret_cast<T*>(data);
      parallel_for(0, p.count, entries.grain(columns), [&](int64_t begin, int64_t end) {
        std::vector<C> sum(columns), buffer(std::is_same_v<T, C> ? 0 : columns);
        for (int64_t r = begin; r < end; ++r) {
          const int64_t first = entries.first(r);
          const C* const by = weight.data() + (in[3].defined() ? first : 0);
          sum_rows(table, entries.from() + first, by, entries.size(r), entries.total() - first, sum.data(),
                   buffer.data());
          store(y + r * columns, sum.data(), columns);
        }
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
