// Sorting dims by the strides of operands.
#include "dispatcher/layout.h"

#include <algorithm>
#include <utility>

#include "core/shape.h"

namespace strata::dispatch {
namespace {

/// What takes part in the order of a result: the strides of its operands, over the result's sizes.
struct Operands {
  IntArrayRef sizes;
  ArrayRef<IntArrayRef> strides;
};

/// Does dim `a` lie further out than `b`? 1 for yes, -1 for no, 0 where no operand tells. A dim that repeats says
/// nothing; of equal strides the smaller size lies further in.
int compare(const Operands& of, size_t a, size_t b) {
  for (const IntArrayRef& strides : of.strides) {
    if (strides[a] == 0 || strides[b] == 0) continue;
    if (strides[a] != strides[b]) return strides[a] > strides[b] ? 1 : -1;
    if (of.sizes[a] > of.sizes[b]) return 1;
  }
  return 0;
}

/// The dims from the innermost out, by an insertion sort, which takes comparisons that do not tell; row-major to begin
/// with.
DimVector order_of(const Operands& of) {
  DimVector order;
  for (size_t d = of.sizes.size(); d-- > 0;) order.push_back(static_cast<int64_t>(d));
  for (size_t i = 1; i < order.size(); ++i) {
    size_t at = i;
    for (size_t j = i; j-- > 0;) {
      const int told = compare(of, static_cast<size_t>(order[j]), static_cast<size_t>(order[at]));
      if (told < 0) break;
      if (told == 0) continue;
      std::swap(order[j], order[at]);
      at = j;
    }
  }
  return order;
}

bool is_row_major(const DimVector& order) {
  for (size_t i = 0; i < order.size(); ++i)
    if (order[i] != static_cast<int64_t>(order.size() - 1 - i)) return false;
  return true;
}

DimVector dense_strides(IntArrayRef sizes, const DimVector& order) {
  DimVector strides = sizes;
  int64_t step = 1;
  for (int64_t d : order) {
    strides[static_cast<size_t>(d)] = step;
    step *= std::max<int64_t>(sizes[static_cast<size_t>(d)], 1);
  }
  return strides;
}

bool repeats_one_element(IntArrayRef strides) {
  return std::all_of(strides.begin(), strides.end(), [](int64_t s) { return s == 0; });
}

constexpr size_t kMostOperands = 8;

/// Collects the strides of the operands of these sizes; false where a row-major one comes first, which decides.
bool collect(Args operands, IntArrayRef sizes, IntArrayRef* strides, size_t& count) {
  for (const Tensor* t : operands) {
    if (!t->defined() || !(t->sizes() == sizes)) continue;
    const bool first = std::all_of(strides, strides + count, repeats_one_element);
    if (first && t->is_contiguous()) return false;
    if (count < kMostOperands) strides[count++] = t->strides();
  }
  return count > 0;
}

}  // namespace

bool is_dense(IntArrayRef sizes, IntArrayRef strides) {
  int64_t expected = 1;
  DimVector order;
  for (size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] > 1) order.push_back(static_cast<int64_t>(d));
  std::sort(order.begin(), order.end(),
            [&](int64_t a, int64_t b) { return strides[static_cast<size_t>(a)] < strides[static_cast<size_t>(b)]; });
  for (int64_t d : order) {
    if (strides[static_cast<size_t>(d)] != expected) return false;
    expected *= sizes[static_cast<size_t>(d)];
  }
  return true;
}

bool strides_of_result(Args operands, IntArrayRef sizes, DimVector& strides) {
  IntArrayRef found[kMostOperands];
  size_t count = 0;
  if (sizes.size() < 2 || !collect(operands, sizes, found, count)) return false;
  const ArrayRef<IntArrayRef> all(found, count);
  const auto each = [&](auto holds) { return std::all_of(all.begin(), all.end(), holds); };
  if (sizes.size() == 4 && each([&](IntArrayRef s) { return is_channels_last(sizes, s); })) {
    strides = channels_last_strides(sizes);
    return true;
  }
  if (each([&](IntArrayRef s) { return s == all[0]; }) && is_dense(sizes, all[0])) {
    strides = all[0];
    return true;
  }
  const DimVector order = order_of({sizes, all});
  if (is_row_major(order)) return false;
  strides = dense_strides(sizes, order);
  return true;
}

DimVector strides_like(IntArrayRef sizes, IntArrayRef strides) {
  if (is_dense(sizes, strides)) return strides;
  const IntArrayRef all[] = {strides};
  return dense_strides(sizes, order_of({sizes, all}));
}

}  // namespace strata::dispatch
