// A grid of ranks with a name for each axis, as shard_map, sharded tensors and modules see it.
#pragma once
#include "communicator.h"

namespace strata {

/// Ranks in row-major order: with shape (2, 3), rank 4 stands at (1, 1). Along each axis a rank is in one group, of
/// those that differ from it in that coordinate alone; its name is the axis's. distributed::init_device_mesh makes one.
class DeviceMesh {
 public:
  DeviceMesh() = default;
  /// `group`: of all ranks; `axes`: the own group along each axis. Throws where two axes have one name or the sizes do
  /// not multiply to the group's.
  DeviceMesh(ProcessGroup group, std::vector<ProcessGroup> axes);

  int64_t ndim() const { return static_cast<int64_t>(axes_.size()); }
  /// The number of all ranks, or of those along an axis.
  int64_t size() const { return group_->size(); }
  int64_t size(std::string_view axis) const { return get_group(axis)->size(); }
  std::vector<int64_t> shape() const;
  std::vector<std::string> mesh_dim_names() const;
  /// The own place on the grid, and along one axis.
  std::vector<int64_t> get_coordinate() const;
  int64_t get_local_rank(std::string_view axis) const { return get_group(axis)->rank(); }
  /// Of all ranks, and of those along an axis. Throws where there is no axis of that name.
  const ProcessGroup& get_group() const { return group_; }
  const ProcessGroup& get_group(std::string_view axis) const;
  const std::vector<ProcessGroup>& get_all_groups() const { return axes_; }

 private:
  ProcessGroup group_;
  std::vector<ProcessGroup> axes_;
};

}  // namespace strata
