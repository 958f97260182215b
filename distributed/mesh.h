// Making meshes of ranks.
#pragma once
#include "../core/device_mesh.h"
#include "../ops/collective.h"

namespace strata::distributed {

using strata::DeviceMesh;

/// A mesh of all ranks of `group`, by default of the job. Every rank calls it. Throws where the shape has another
/// number of places than the group has ranks, or of names.
///
///     const DeviceMesh mesh = distributed::init_device_mesh({2, 2}, {"data", "tensor"});
///     const Tensor sum = distributed::all_reduce(x, ReduceOp::SUM, mesh.get_group("tensor"));
DeviceMesh init_device_mesh(const std::vector<int64_t>& mesh_shape, const std::vector<std::string>& mesh_dim_names,
                            const Group& group = {});

}  // namespace strata::distributed
