// Many tensors as the columns of one for each dtype and device.
#include "ops/coalesced.h"

#include <algorithm>

#include "core/error.h"
#include "core/function.h"
#include "ops/shaping.h"
#include "ops/view.h"

namespace strata::distributed {
namespace {

using strata::detail::Function;

/// How a collective of one tensor sees it: it takes that many rows of numbers and gives that many.
struct Rows {
  int64_t in = 1, out = 1;
  bool is_along_dim_0 = true;  ///< else shapes stay
};

int64_t length_of(const Tensor& x) { return x.dim() == 0 ? 1 : x.size(0); }

/// The shape of what the collective of `x` alone gives.
DimVector result_shape(const Tensor& x, Rows rows) {
  DimVector sizes = x.sizes();
  if (!rows.is_along_dim_0) return sizes;
  if (sizes.empty()) sizes.push_back(1);
  sizes[0] = sizes[0] / rows.in * rows.out;
  return sizes;
}

/// `places[i]` are those of the tensors of the i-th dtype and device, in the order in which they occur: it is the same
/// on all ranks.
std::vector<std::vector<size_t>> places_by_kind(const std::vector<Tensor>& tensors) {
  std::vector<std::vector<size_t>> places;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const auto is_alike = [&](const std::vector<size_t>& others) {
      const Tensor& other = tensors[others[0]];
      return other.dtype() == tensors[i].dtype() && other.device() == tensors[i].device();
    };
    const auto found = std::find_if(places.begin(), places.end(), is_alike);
    if (found == places.end())
      places.push_back({i});
    else
      found->push_back(i);
  }
  return places;
}

std::vector<Tensor> coalesced(const char* name, const std::vector<Tensor>& tensors, Rows rows,
                              const Function<Tensor(const Tensor&)>& collective) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    STRATA_CHECK(tensors[i].defined(), "{}: tensor {} is undefined", name, i);
    STRATA_CHECK(length_of(tensors[i]) % rows.in == 0, "{}: dim 0 of tensor {} has {} elements, for {} ranks", name, i,
                 length_of(tensors[i]), rows.in);
  }
  std::vector<Tensor> results(tensors.size());
  for (const std::vector<size_t>& places : places_by_kind(tensors)) {
    std::vector<Tensor> columns;
    DimVector widths;
    for (const size_t i : places) {
      widths.push_back(tensors[i].numel() / rows.in);
      columns.push_back(tensors[i].reshape({rows.in, widths.back()}));
    }
    const Tensor joined = cat(columns, 1);
    const Tensor all = collective(joined.reshape({-1})).reshape({rows.out, joined.size(1)});
    const std::vector<Tensor> parts = split_with_sizes(all, widths, 1);
    for (size_t i = 0; i < places.size(); ++i)
      results[places[i]] = parts[i].reshape(result_shape(tensors[places[i]], rows));
  }
  return results;
}

}  // namespace

std::vector<Tensor> all_reduce_coalesced(const std::vector<Tensor>& tensors, ReduceOp op, const Group& group) {
  return coalesced("all_reduce_coalesced", tensors, {.is_along_dim_0 = false},
                   [&](const Tensor& x) { return all_reduce(x, op, group); });
}
std::vector<Tensor> all_gather_into_tensor_coalesced(const std::vector<Tensor>& tensors, const Group& group) {
  return coalesced("all_gather_into_tensor_coalesced", tensors, {.out = get_world_size(group)},
                   [&](const Tensor& x) { return all_gather_into_tensor(x, group); });
}
std::vector<Tensor> reduce_scatter_tensor_coalesced(const std::vector<Tensor>& tensors, ReduceOp op,
                                                    const Group& group) {
  return coalesced("reduce_scatter_tensor_coalesced", tensors, {.in = get_world_size(group)},
                   [&](const Tensor& x) { return reduce_scatter_tensor(x, op, group); });
}

}  // namespace strata::distributed
