// JAX's names for collectives over an axis of vmap, of a mesh or of a group. Shapes and options are those of jax.lax.
#pragma once
#include <utility>
#include <vector>

#include "../ops/collective.h"

namespace strata::func {

using Axis = distributed::Group;

/// The sum, mean, largest and smallest of `x` over the axis, on each rank.
Tensor psum(const Tensor& x, const Axis& axis_name);
Tensor pmean(const Tensor& x, const Axis& axis_name);
Tensor pmax(const Tensor& x, const Axis& axis_name);
Tensor pmin(const Tensor& x, const Axis& axis_name);
/// `x` of all ranks along a new dim `axis`, or one after the other along that dim if `tiled`.
Tensor all_gather(const Tensor& x, const Axis& axis_name, int64_t axis = 0, bool tiled = false);
/// The sum over the axis, of which each rank gets its part along a dim. The dim is as long as the axis and goes, or is
/// a multiple of that and stays if `tiled`.
Tensor psum_scatter(const Tensor& x, const Axis& axis_name, int64_t scatter_dimension = 0, bool tiled = false);
/// `x` of the rank that sends to this one, by a list of (source, destination); zeros where none does.
Tensor ppermute(const Tensor& x, const Axis& axis_name, const std::vector<std::pair<int64_t, int64_t>>& perm);
/// Part i of `x` along `split_axis` goes to rank i; what comes is joined along `concat_axis`. The split dim is as long
/// as the axis and goes, and a new one comes; if `tiled`, lengths are divided and multiplied instead.
Tensor all_to_all(const Tensor& x, const Axis& axis_name, int64_t split_axis, int64_t concat_axis, bool tiled = false);
/// The own place on the axis, an int64 of shape ().
Tensor axis_index(const Axis& axis_name);
int64_t axis_size(const Axis& axis_name);

}  // namespace strata::func
