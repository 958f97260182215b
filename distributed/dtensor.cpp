// Going from one way to divide a tensor to another.
#include "distributed/dtensor.h"

#include "core/error.h"
#include "core/shape.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/shaping.h"
#include "ops/ternary.h"
#include "ops/view.h"

namespace strata::distributed {
namespace {

/// Placements with dims that are not negative.
Placements checked(Placements placements, const DeviceMesh& mesh, int64_t ndim) {
  STRATA_CHECK(static_cast<int64_t>(placements.size()) == mesh.ndim(), "DTensor: {} placements on a mesh of {} axes",
               placements.size(), mesh.ndim());
  for (Placement& p : placements)
    if (p.is_shard()) p = Shard(wrap_dim(p.dim(), ndim, "DTensor: Shard"));
  return placements;
}

Tensor to_replicate(const Tensor& local, const Placement& from, const ProcessGroup& group) {
  if (from.is_shard()) return all_gather_invariant(local, from.dim(), group);
  return from.is_partial() ? psum_invariant(local, group) : local;
}

Tensor of_replicate(const Tensor& whole, const Placement& to, const ProcessGroup& group) {
  if (to.is_shard()) return own_shard(whole, to.dim(), group);
  if (to.is_replicate()) return whole;
  return where(axis_index(group).to(whole.device()) == 0, pvary(whole, group), zeros_like(whole));
}

/// Part i along `split` to rank i, joined along `concat`.
Tensor exchange(const Tensor& local, int64_t split, int64_t concat, const ProcessGroup& group) {
  const int64_t world = group->size(), length = local.size(split);
  STRATA_CHECK(length % world == 0, "DTensor: dim {} has length {}, which {} ranks cannot share equally", split, length,
               world);
  const Tensor came = all_to_all_single(local.movedim(split, 0), {}, {}, group);
  return cat(came.movedim(0, split).chunk(world, split), concat);
}

Tensor sum_and_share(const Tensor& local, int64_t dim, const ProcessGroup& group) {
  return reduce_scatter_tensor(local.movedim(dim, 0), ReduceOp::SUM, group).movedim(0, dim);
}

/// One axis after another. Axes that divide one dim lie in each other, so the inner one has to be undone before the
/// outer one changes.
class Redistribution {
 public:
  Redistribution(const Placements& from, const Placements& to) : from_(from), to_(to) {}

  /// May this axis go to its new placement at once? Not if another one divides one of its dims, now or later.
  bool is_direct(size_t axis) const {
    if (!to_[axis].is_shard() || from_[axis].is_replicate() || from_[axis] == to_[axis]) return false;
    for (size_t other = 0; other < from_.size(); ++other)
      if (other != axis && (share_a_dim(from_[other], axis) || share_a_dim(to_[other], axis))) return false;
    return true;
  }
  /// Which axes go by Replicate.
  std::vector<bool> undone() const {
    std::vector<bool> undone(from_.size());
    for (size_t axis = 0; axis < from_.size(); ++axis) {
      undone[axis] = from_[axis] != to_[axis] && !is_direct(axis);
      for (size_t outer = 0; outer < axis; ++outer)
        if (undone[outer] && from_[axis].is_shard() && (from_[outer] == from_[axis] || to_[outer] == from_[axis]))
          undone[axis] = true;
    }
    return undone;
  }

 private:
  bool share_a_dim(const Placement& other, size_t axis) const {
    return other.is_shard() && (other == from_[axis] || other == to_[axis]);
  }
  const Placements& from_;
  const Placements& to_;
};

}  // namespace

Placement Shard(int64_t dim) { return {Placement::Kind::kShard, dim}; }
Placement Replicate() { return {Placement::Kind::kReplicate, 0}; }
Placement Partial() { return {Placement::Kind::kPartial, 0}; }

std::string Placement::str() const {
  if (is_shard()) return strata::detail::format_message("Shard({})", {dim_});
  return is_partial() ? "Partial()" : "Replicate()";
}

DTensor DTensor::from_local(Tensor local, DeviceMesh mesh, Placements placements) {
  placements = checked(std::move(placements), mesh, local.dim());
  return {std::move(local), std::move(mesh), std::move(placements)};
}

DimVector DTensor::sizes() const {
  DimVector sizes = local_.sizes();
  for (size_t axis = 0; axis < placements_.size(); ++axis)
    if (placements_[axis].is_shard())
      sizes[static_cast<size_t>(placements_[axis].dim())] *= mesh_.get_all_groups()[axis]->size();
  return sizes;
}

DTensor DTensor::redistribute(const Placements& placements) const {
  const Placements to = checked(placements, mesh_, local_.dim());
  const Redistribution plan(placements_, to);
  const std::vector<ProcessGroup>& groups = mesh_.get_all_groups();
  Tensor local = local_;
  for (size_t axis = 0; axis < to.size(); ++axis) {
    if (!plan.is_direct(axis)) continue;
    const Placement& from = placements_[axis];
    local = from.is_partial() ? sum_and_share(local, to[axis].dim(), groups[axis])
                              : exchange(local, to[axis].dim(), from.dim(), groups[axis]);
  }
  const std::vector<bool> undone = plan.undone();
  for (size_t axis = to.size(); axis-- > 0;)
    if (undone[axis]) local = to_replicate(local, placements_[axis], groups[axis]);
  for (size_t axis = 0; axis < to.size(); ++axis)
    if (undone[axis]) local = of_replicate(local, to[axis], groups[axis]);
  return {local, mesh_, to};
}

Tensor DTensor::full_tensor() const { return redistribute(Placements(placements_.size(), Replicate())).local_; }

DTensor distribute_tensor(const Tensor& tensor, const DeviceMesh& mesh, const Placements& placements) {
  const Placements whole(static_cast<size_t>(mesh.ndim()), Replicate());
  return DTensor::from_local(tensor, mesh, whole).redistribute(placements);
}

}  // namespace strata::distributed
