// shard_map and pmap: a function of each rank's part becomes a function of the whole.
#pragma once
#include "../core/device_mesh.h"
#include "collectives.h"
#include "vmap.h"

namespace strata::func {

/// Which axes of a mesh divide which dims of a tensor, as JAX's PartitionSpec: `P{"data", nullopt}` divides dim 0 by
/// "data", `P{{"data", "tensor"}}` by both, the last one changing fastest. Dims that are not listed are whole. Along
/// axes that it does not name, a tensor is the same on all ranks.
class PartitionSpec {
 public:
  /// The axes of one dim.
  class Axes {
   public:
    Axes(std::nullopt_t) {}
    Axes(const char* axis) : names_{axis} {}
    Axes(std::string axis) : names_{std::move(axis)} {}
    Axes(std::initializer_list<const char*> axes) : names_(axes.begin(), axes.end()) {}
    const std::vector<std::string>& names() const { return names_; }

   private:
    std::vector<std::string> names_;
  };
  PartitionSpec() = default;
  PartitionSpec(std::initializer_list<Axes> dims) : dims_(dims) {}
  const std::vector<Axes>& dims() const { return dims_; }

 private:
  std::vector<Axes> dims_;
};
using P = PartitionSpec;

/// A spec for all tensors of a nest, or a list with an entry for each child of the nest.
class Specs {
 public:
  Specs(PartitionSpec spec) : spec_(std::move(spec)) {}
  Specs(std::initializer_list<Specs> list) : is_list_(true), list_(list) {}
  bool is_list() const { return is_list_; }
  const std::vector<Specs>& list() const { return list_; }
  const PartitionSpec& leaf() const { return spec_; }

 private:
  PartitionSpec spec_;
  bool is_list_ = false;
  std::vector<Specs> list_;
};

struct PmapOptions {
  std::string axis_name = {};  ///< what collectives inside of the function call the ranks
  Dims in_dims = 0;            ///< the dim of each argument that the ranks divide; nullopt for the whole on each
  Dims out_dims = 0;           ///< where the results of all ranks are stacked; nullopt for one that all share
  distributed::Group group = {};
};

namespace detail {

/// Makes the axes of a mesh known by their names to the calling thread. Its default group stays what it was.
class MeshScope {
 public:
  explicit MeshScope(const DeviceMesh& mesh);

 private:
  std::vector<std::unique_ptr<GroupScope>> scopes_;
};

/// The own part of what all ranks have, and what all ranks' parts make.
Tensor to_shard(const Tensor& whole, const DeviceMesh& mesh, const PartitionSpec& spec);
Tensor from_shard(const Tensor& part, const DeviceMesh& mesh, const PartitionSpec& spec);
Tensor to_row(const Tensor& whole, const ProcessGroup& group, const std::optional<int64_t>& dim);
Tensor from_row(const Tensor& row, const ProcessGroup& group, const std::optional<int64_t>& dim);
/// The group under the name of the axis.
DeviceMesh mesh_of(const distributed::Group& group, const std::string& axis_name);

/// `f` between what makes parts of its arguments and what makes a whole of its results.
template <class F, class Args, class In, class Out>
auto run_on_mesh(const F& f, Args args, const DeviceMesh& mesh, const In& split, const Out& join) {
  split(args);
  auto out = [&] {
    const MeshScope scope(mesh);
    return fresh(std::apply(f, std::move(args)));
  }();
  join(out);
  return out;
}

struct ShardMap {
  DeviceMesh mesh;
  Specs in_specs, out_specs;
  template <class F, class Args>
  auto operator()(const F& f, Args args) const {
    const auto split = [&](auto& in) {
      for_each_with_dims(in, in_specs, "shard_map: in_specs",
                         [&](Tensor& t, const PartitionSpec& spec) { t = to_shard(t, mesh, spec); });
    };
    const auto join = [&](auto& out) {
      for_each_with_dims(out, out_specs, "shard_map: out_specs",
                         [&](Tensor& t, const PartitionSpec& spec) { t = from_shard(t, mesh, spec); });
    };
    return run_on_mesh(f, std::move(args), mesh, split, join);
  }
};

struct Pmap {
  PmapOptions options;
  template <class F, class Args>
  auto operator()(const F& f, Args args) const {
    const DeviceMesh mesh = mesh_of(options.group, options.axis_name);
    const ProcessGroup& group = mesh.get_all_groups()[0];
    const auto split = [&](auto& in) {
      for_each_with_dims(in, options.in_dims, "pmap: in_dims",
                         [&](Tensor& t, const std::optional<int64_t>& dim) { t = to_row(t, group, dim); });
    };
    const auto join = [&](auto& out) {
      for_each_with_dims(out, options.out_dims, "pmap: out_dims",
                         [&](Tensor& t, const std::optional<int64_t>& dim) { t = from_row(t, group, dim); });
    };
    return run_on_mesh(f, std::move(args), mesh, split, join);
  }
};

}  // namespace detail

/// Note [shard_map]
/// `shard_map(f, mesh, in_specs, out_specs)(args...)` runs `f` on each rank of the mesh with the rank's part of the
/// arguments and makes wholes of the parts that `f` returns, as JAX's shard_map. Arguments and results are whole
/// tensors, the same on all ranks, and so are gradients and tangents: a loss of the results counts once. Inside, the
/// mesh's axes have their names: `psum(x, "data")`. A result along whose spec an axis is missing has to be the same on
/// the ranks of that axis, which is checked. What `f` captures rather than takes is each rank's own, with a gradient of
/// its own. All ranks of the mesh call it, and what differentiates it, alike.
///
///     using func::P;
///     const auto sum = [](Tensor rows) { return func::psum(rows.sum(0), "data"); };
///     Tensor total = func::shard_map(sum, mesh, P{"data"}, P{})(x);  // rows of x are divided, the total is for all
///
/// On ranks and over an axis of vmap the same function gives the same bits: that is how it is tested.
template <class F>
auto shard_map(F f, DeviceMesh mesh, Specs in_specs, Specs out_specs) {
  return detail::transformed(detail::ShardMap{std::move(mesh), std::move(in_specs), std::move(out_specs)},
                             std::move(f));
}

/// `pmap(f)(args...)` is vmap(f) with a rank for each example: rank i runs `f` on example i of the arguments, and all
/// ranks get all results, stacked. The mapped dims are as long as the group. As JAX's pmap; see shard_map.
///
///     const auto share = [](Tensor t) { return t / func::psum(t, "i"); };
///     Tensor shares = func::pmap(share, {.axis_name = "i"})(x);  // x (W, N) on W ranks: (W, N)
template <class F>
auto pmap(F f, PmapOptions options = {}) {
  return detail::transformed(detail::Pmap{std::move(options)}, std::move(f));
}

}  // namespace strata::func
