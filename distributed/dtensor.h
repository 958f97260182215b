// Tensors that the ranks of a mesh divide, hold whole, or have the summands of.
#pragma once
#include "mesh.h"

namespace strata::distributed {

/// What the ranks along one axis of a mesh have of a tensor: made by Shard, Replicate and Partial.
class Placement {
 public:
  bool is_shard() const { return kind_ == Kind::kShard; }
  bool is_replicate() const { return kind_ == Kind::kReplicate; }
  bool is_partial() const { return kind_ == Kind::kPartial; }
  /// The dim that is divided; of a Shard alone.
  int64_t dim() const { return dim_; }
  bool operator==(const Placement&) const = default;
  std::string str() const;

 private:
  enum class Kind : uint8_t { kReplicate, kShard, kPartial };
  Placement(Kind kind, int64_t dim) : kind_(kind), dim_(dim) {}
  friend Placement Shard(int64_t dim);
  friend Placement Replicate();
  friend Placement Partial();

  Kind kind_;
  int64_t dim_;
};
/// Equal parts along a dim, in the order of ranks. The dim may be negative where the tensor is known.
Placement Shard(int64_t dim);
/// The same on each.
Placement Replicate();
/// Tensors whose sum it is.
Placement Partial();
using Placements = std::vector<Placement>;

/// A tensor on a mesh: this rank's part and, for each axis of the mesh, what that is. Where two axes divide one dim,
/// the first one makes the larger blocks. There are no ops on it: compute with `to_local()`, and say by `from_local`
/// what the results are; what moves data is a call of its own. All is differentiable, and a gradient has the placements
/// of its tensor, except that of a Partial is the same on all ranks. As torch.distributed.tensor's.
///
///     const DTensor w = distribute_tensor(weight, mesh, {Replicate(), Shard(0)});
///     const Tensor y = matmul(x, w.to_local().t());  // the own columns
///     const Tensor all = DTensor::from_local(y, mesh, {Replicate(), Shard(1)}).full_tensor();
class DTensor {
 public:
  /// Throws where there is not a placement for each axis, or one divides a dim that is not there.
  static DTensor from_local(Tensor local, DeviceMesh mesh, Placements placements);
  const Tensor& to_local() const { return local_; }
  const DeviceMesh& device_mesh() const { return mesh_; }
  const Placements& placements() const { return placements_; }
  /// Of the whole.
  DimVector sizes() const;

  /// The same tensor by other placements; collective along the axes whose placement changes. Shard to Replicate is an
  /// all_gather, Shard to another Shard an all_to_all, Partial to Replicate an all_reduce, Partial to Shard a
  /// reduce_scatter, Replicate to Shard nothing. Replicate to Partial gives the first rank everything and the others
  /// zeros. Throws where ranks cannot share a dim equally.
  DTensor redistribute(const Placements& placements) const;
  /// The whole, on each rank.
  Tensor full_tensor() const;

 private:
  DTensor(Tensor local, DeviceMesh mesh, Placements placements)
      : local_(std::move(local)), mesh_(std::move(mesh)), placements_(std::move(placements)) {}

  Tensor local_;
  DeviceMesh mesh_;
  Placements placements_;
};

/// A tensor that all ranks have, by these placements; moves nothing.
DTensor distribute_tensor(const Tensor& tensor, const DeviceMesh& mesh, const Placements& placements);

}  // namespace strata::distributed
