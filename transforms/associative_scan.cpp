// The recursion of associative_scan: pairs are combined, their prefixes are every other result, and the rest follows.
#include "transforms/associative_scan.h"

#include "ops/shaping.h"
#include "ops/view.h"
#include "transforms/control_programs.h"

namespace strata::func::detail {
namespace {

class AssociativeScan {
 public:
  AssociativeScan(ListRef combine, int64_t axis) : combine_(combine), axis_(axis) {}

  List operator()(const List& elements) const {
    const int64_t n = elements[0].size(axis_);
    if (n < 2) return elements;
    const List pairs = combined(every_other(elements, 0, n - 1), every_other(elements, 1, n));
    const List odd = (*this)(pairs);
    const int64_t later = (n - 1) / 2;  // the even ones but the first
    List even = part(elements, 0, 1);
    if (later > 0) {
      const List rest = combined(part(odd, 0, later), every_other(elements, 2, n));
      for (size_t i = 0; i < even.size(); ++i) even[i] = cat({even[i], rest[i]}, axis_);
    }
    return interleaved(even, odd, n);
  }

 private:
  List combined(const List& left, const List& right) const { return combine_(control::joined(left, right)); }
  List every_other(List list, int64_t start, int64_t end) const {
    for (Tensor& t : list) t = t.slice(axis_, start, end, 2);
    return list;
  }
  List part(List list, int64_t start, int64_t length) const {
    for (Tensor& t : list) t = t.narrow(axis_, start, length);
    return list;
  }
  /// Even results are as many as odd ones or one more.
  List interleaved(const List& even, const List& odd, int64_t n) const {
    List all;
    for (size_t i = 0; i < even.size(); ++i) {
      const int64_t pairs = n / 2;
      Tensor both = stack({even[i].narrow(axis_, 0, pairs), odd[i]}, axis_ + 1).flatten(axis_, axis_ + 1);
      all.push_back(n % 2 ? cat({both, even[i].narrow(axis_, pairs, 1)}, axis_) : both);
    }
    return all;
  }

  const ListRef combine_;
  const int64_t axis_;
};

}  // namespace

List associative_scan_lists(ListRef combine, List elements, const AssociativeScanOptions& options) {
  STRATA_CHECK(!elements.empty(), "associative_scan: there are no elements");
  const int64_t axis = wrap_dim(options.axis, elements[0].dim(), "associative_scan: axis");
  for (const Tensor& t : elements)
    STRATA_CHECK(t.dim() > axis && t.size(axis) == elements[0].size(axis),
                 "associative_scan: elements of shapes {} and {} differ along axis {}", elements[0].sizes(), t.sizes(),
                 axis);
  const auto flipped = [&](List list) {
    for (Tensor& t : list) t = flip(t, {axis});
    return list;
  };
  const List prefixes = AssociativeScan(combine, axis)(options.reverse ? flipped(elements) : elements);
  return options.reverse ? flipped(prefixes) : prefixes;
}

}  // namespace strata::func::detail
