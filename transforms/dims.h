// Which dimension of each argument or result a transform maps.
#pragma once
#include <initializer_list>
#include <optional>
#include <vector>

#include "../core/tree.h"

namespace strata {

using std::nullopt;

namespace func {

/// A dimension for all tensors of a nest, `nullopt` for none, or a list with an entry for each child of the nest:
/// `{nullopt, 0, 0}`, `{0, {1, nullopt}}`. Negative dimensions count from the end.
class Dims {
 public:
  Dims(int dim) : dim_(dim) {}
  Dims(int64_t dim) : dim_(dim) {}
  Dims(std::nullopt_t) {}
  Dims(std::optional<int64_t> dim) : dim_(dim) {}
  Dims(std::initializer_list<Dims> list) : is_list_(true), list_(list) {}
  Dims(std::vector<Dims> list) : is_list_(true), list_(std::move(list)) {}

  bool is_list() const { return is_list_; }
  const std::vector<Dims>& list() const { return list_; }
  const std::optional<int64_t>& leaf() const { return dim_; }

 private:
  std::optional<int64_t> dim_;
  bool is_list_ = false;
  std::vector<Dims> list_;
};

namespace detail {

/// Calls `f(tensor, dim)` for every tensor of a nest with the dimension that `dims` has for it; `who` names the option
/// in errors. Any prefix of a nest goes in place of dimensions.
template <class T, class Prefix, class F>
void for_each_with_dims(T& nest, const Prefix& dims, const char* who, F&& f) {
  if (!dims.is_list()) {
    tree::for_each(nest, [&](Tensor& t) { f(t, dims.leaf()); });
  } else if constexpr (std::is_same_v<T, Tensor> || tree::is_static<T>) {
    STRATA_CHECK(dims.list().size() == 1, "{}: a list of {} entries stands for one tensor", who, dims.list().size());
    for_each_with_dims(nest, dims.list()[0], who, f);
  } else {
    size_t children = 0;
    tree::for_each_child(nest, [&](auto&) { ++children; });
    STRATA_CHECK(children == dims.list().size(), "{}: {} entries for {} values", who, dims.list().size(), children);
    size_t i = 0;
    tree::for_each_child(nest, [&](auto& child) { for_each_with_dims(child, dims.list()[i++], who, f); });
  }
}

}  // namespace detail
}  // namespace func
}  // namespace strata
