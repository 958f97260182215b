// The groups along the axes of a mesh.
#include "distributed/mesh.h"

#include "core/error.h"
#include "distributed/split.h"

namespace strata::distributed {

DeviceMesh init_device_mesh(const std::vector<int64_t>& mesh_shape, const std::vector<std::string>& mesh_dim_names,
                            const Group& group) {
  const ProcessGroup all = group.get();
  STRATA_CHECK(mesh_shape.size() == mesh_dim_names.size(), "init_device_mesh: {} names for {} axes",
               mesh_dim_names.size(), mesh_shape.size());
  int64_t places = 1;
  for (const int64_t n : mesh_shape) {
    STRATA_CHECK(n > 0, "init_device_mesh: an axis of length {}", n);
    places *= n;
  }
  STRATA_CHECK(places == all->size(), "init_device_mesh: a shape of {} places for {} ranks", places, all->size());

  std::vector<ProcessGroup> axes;
  int64_t stride = places;
  for (size_t i = 0; i < mesh_shape.size(); ++i) {
    stride /= mesh_shape[i];
    const int64_t coordinate = all->rank() / stride % mesh_shape[i];
    axes.push_back(split(all, all->rank() - coordinate * stride, coordinate, mesh_dim_names[i]));
  }
  return {all, std::move(axes)};
}

}  // namespace strata::distributed
