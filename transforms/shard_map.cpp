// What lies between whole tensors and each rank's parts.
#include "transforms/shard_map.h"

#include <set>

#include "core/shape.h"
#include "dispatcher/names.h"
#include "ops/view.h"

namespace strata::func::detail {
namespace {

/// A group under another name.
class Renamed final : public Communicator {
 public:
  Renamed(ProcessGroup group, std::string name) : group_(std::move(group)), name_(std::move(name)) {}
  const std::string& name() const override { return name_; }
  int64_t rank() const override { return group_->rank(); }
  int64_t size() const override { return group_->size(); }
  void run(const Collective& c) override { group_->run(c); }
  std::shared_ptr<Work> start(const Collective& c) override { return group_->start(c); }
  std::shared_ptr<Work> start_messages(std::span<const Collective> messages) override {
    return group_->start_messages(messages);
  }
  void close() override { group_->close(); }

 private:
  const ProcessGroup group_;
  const std::string name_;
};

/// A vmap around everything would be found first by a name that both have.
void check_is_free(const std::string& name) {
  for (const Layer* layer = thread_state.top_layer; layer; layer = layer->below()) {
    const ProcessGroup axis = layer->axis();
    STRATA_CHECK(!axis || axis->name() != name, "shard_map: a vmap outside of it has an axis {} as well", name);
  }
}

void check_spec(const Tensor& t, const DeviceMesh& mesh, const PartitionSpec& spec) {
  STRATA_CHECK(static_cast<int64_t>(spec.dims().size()) <= t.dim(),
               "shard_map: a spec of {} dims for a tensor of shape {}", spec.dims().size(), t.sizes());
  std::set<std::string> seen;
  for (const PartitionSpec::Axes& axes : spec.dims())
    for (const std::string& axis : axes.names()) {
      mesh.get_group(axis);  // throws where there is none
      STRATA_CHECK(seen.insert(axis).second, "shard_map: a spec names axis {} twice", axis);
    }
}

bool names(const PartitionSpec& spec, const std::string& axis) {
  for (const PartitionSpec::Axes& axes : spec.dims())
    if (std::find(axes.names().begin(), axes.names().end(), axis) != axes.names().end()) return true;
  return false;
}

}  // namespace

MeshScope::MeshScope(const DeviceMesh& mesh) {
  const auto add = [&](const ProcessGroup& group) {
    scopes_.push_back(std::make_unique<GroupScope>(group, GroupScope::Reach::kThread));
  };
  add(mesh.get_group());  // a thread's first group is its default one, which no axis should become
  for (const ProcessGroup& axis : mesh.get_all_groups()) {
    check_is_free(axis->name());
    add(axis);
  }
}

Tensor to_shard(const Tensor& whole, const DeviceMesh& mesh, const PartitionSpec& spec) {
  if (!whole.defined()) return whole;
  check_spec(whole, mesh, spec);
  Tensor part = whole;
  int64_t dim = 0;
  for (const PartitionSpec::Axes& axes : spec.dims()) {
    for (const std::string& axis : axes.names()) part = distributed::own_shard(part, dim, mesh.get_group(axis));
    ++dim;
  }
  for (const ProcessGroup& axis : mesh.get_all_groups())
    if (!names(spec, axis->name())) part = distributed::pvary(part, axis);
  return part;
}

Tensor from_shard(const Tensor& part, const DeviceMesh& mesh, const PartitionSpec& spec) {
  if (!part.defined()) return part;
  check_spec(part, mesh, spec);
  Tensor whole = part;
  for (const ProcessGroup& axis : mesh.get_all_groups())
    if (!names(spec, axis->name())) whole = distributed::as_invariant(whole, axis);
  int64_t dim = 0;
  for (const PartitionSpec::Axes& axes : spec.dims()) {
    for (auto axis = axes.names().rbegin(); axis != axes.names().rend(); ++axis)
      whole = distributed::all_gather_invariant(whole, dim, mesh.get_group(*axis));
    ++dim;
  }
  return whole;
}

Tensor to_row(const Tensor& whole, const ProcessGroup& group, const std::optional<int64_t>& dim) {
  if (!whole.defined()) return whole;
  if (!dim) return distributed::pvary(whole, group);
  const int64_t along = wrap_dim(*dim, whole.dim(), "pmap: in_dims");
  STRATA_CHECK(whole.size(along) == group->size(), "pmap: dim {} has length {} for {} ranks", along, whole.size(along),
               group->size());
  return distributed::own_shard(whole, along, group).squeeze(along);
}

Tensor from_row(const Tensor& row, const ProcessGroup& group, const std::optional<int64_t>& dim) {
  if (!row.defined()) return row;
  if (!dim) return distributed::as_invariant(row, group);
  const int64_t along = wrap_dim(*dim, row.dim() + 1, "pmap: out_dims");
  return distributed::all_gather_invariant(row.unsqueeze(along), along, group);
}

DeviceMesh mesh_of(const distributed::Group& group, const std::string& axis_name) {
  const ProcessGroup ranks = group.get();
  const ProcessGroup axis = axis_name.empty() ? ranks : std::make_shared<Renamed>(ranks, axis_name);
  return {ranks, {axis}};
}

}  // namespace strata::func::detail
