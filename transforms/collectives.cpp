// JAX's collectives by the ops', which work along dim 0.
#include "transforms/collectives.h"

#include "core/shape.h"
#include "ops/shaping.h"
#include "ops/view.h"

namespace strata::func {
namespace {

/// (W, ...) with dim 0 put before dim `axis` of the rest and joined with it.
Tensor tile(const Tensor& parts, int64_t axis) { return movedim(parts, 0, axis).flatten(axis, axis + 1); }

void check_divides(const Tensor& x, int64_t dim, int64_t world, bool tiled, const char* who) {
  const int64_t n = x.size(dim);
  STRATA_CHECK(tiled ? n % world == 0 : n == world, "{}: dim {} has length {} and the axis {}{}", who, dim, n, world,
               tiled ? "" : "; they are equal unless tiled");
}

}  // namespace

Tensor psum(const Tensor& x, const Axis& axis_name) { return distributed::all_reduce(x, ReduceOp::SUM, axis_name); }
Tensor pmean(const Tensor& x, const Axis& axis_name) { return distributed::all_reduce(x, ReduceOp::AVG, axis_name); }
Tensor pmax(const Tensor& x, const Axis& axis_name) { return distributed::all_reduce(x, ReduceOp::MAX, axis_name); }
Tensor pmin(const Tensor& x, const Axis& axis_name) { return distributed::all_reduce(x, ReduceOp::MIN, axis_name); }

Tensor all_gather(const Tensor& x, const Axis& axis_name, int64_t axis, bool tiled) {
  const int64_t to = wrap_dim(axis, x.dim() + (tiled ? 0 : 1), "all_gather");
  const Tensor parts = distributed::all_gather_into_tensor(x.unsqueeze(0), axis_name);
  return tiled ? tile(parts, to) : movedim(parts, 0, to);
}

Tensor psum_scatter(const Tensor& x, const Axis& axis_name, int64_t scatter_dimension, bool tiled) {
  const ProcessGroup group = axis_name.get();
  const int64_t dim = wrap_dim(scatter_dimension, x.dim(), "psum_scatter");
  check_divides(x, dim, group->size(), tiled, "psum_scatter");
  const Tensor part = distributed::reduce_scatter_tensor(movedim(x, dim, 0), ReduceOp::SUM, group);
  return tiled ? movedim(part, 0, dim) : part.squeeze(0);
}

Tensor ppermute(const Tensor& x, const Axis& axis_name, const std::vector<std::pair<int64_t, int64_t>>& perm) {
  return distributed::permute(x, perm, axis_name);
}

Tensor all_to_all(const Tensor& x, const Axis& axis_name, int64_t split_axis, int64_t concat_axis, bool tiled) {
  const ProcessGroup group = axis_name.get();
  const int64_t world = group->size(), split = wrap_dim(split_axis, x.dim(), "all_to_all: split_axis"),
                concat = wrap_dim(concat_axis, x.dim(), "all_to_all: concat_axis");
  check_divides(x, split, world, tiled, "all_to_all");
  const Tensor came = distributed::all_to_all_single(movedim(x, split, 0), {}, {}, group);
  if (!tiled) return movedim(came, 0, concat);
  DimVector sizes = came.sizes().slice(1);
  sizes.insert(0, came.size(0) / world);
  sizes.insert(0, world);
  return tile(movedim(came.reshape(sizes), 1, split + 1), concat);
}

Tensor axis_index(const Axis& axis_name) { return distributed::axis_index(axis_name); }
int64_t axis_size(const Axis& axis_name) { return axis_name.get()->size(); }

}  // namespace strata::func
