// What a mesh says of its axes.
#include "core/device_mesh.h"

#include <algorithm>

#include "core/error.h"

namespace strata {
namespace {

template <class F>
auto of_each(const std::vector<ProcessGroup>& axes, F&& f) {
  std::vector<std::decay_t<decltype(f(*axes[0]))>> values;
  values.reserve(axes.size());
  for (const ProcessGroup& axis : axes) values.push_back(f(*axis));
  return values;
}

std::string listed(const std::vector<ProcessGroup>& axes) {
  std::string names;
  for (const ProcessGroup& axis : axes) names += (names.empty() ? "" : ", ") + axis->name();
  return names;
}

}  // namespace

DeviceMesh::DeviceMesh(ProcessGroup group, std::vector<ProcessGroup> axes)
    : group_(std::move(group)), axes_(std::move(axes)) {
  int64_t product = 1;
  for (size_t i = 0; i < axes_.size(); ++i) {
    product *= axes_[i]->size();
    for (size_t k = 0; k < i; ++k)
      STRATA_CHECK(axes_[i]->name() != axes_[k]->name(), "DeviceMesh: two axes are called {}", axes_[i]->name());
  }
  STRATA_CHECK(product == group_->size(), "DeviceMesh: the axes have {} places for {} ranks", product, group_->size());
}

std::vector<int64_t> DeviceMesh::shape() const {
  return of_each(axes_, [](const Communicator& axis) { return axis.size(); });
}
std::vector<std::string> DeviceMesh::mesh_dim_names() const {
  return of_each(axes_, [](const Communicator& axis) { return axis.name(); });
}
std::vector<int64_t> DeviceMesh::get_coordinate() const {
  return of_each(axes_, [](const Communicator& axis) { return axis.rank(); });
}

const ProcessGroup& DeviceMesh::get_group(std::string_view axis) const {
  const auto found = std::find_if(axes_.begin(), axes_.end(), [&](const auto& g) { return g->name() == axis; });
  STRATA_CHECK(found != axes_.end(), "DeviceMesh: no axis is called {}; there are {}", axis, listed(axes_));
  return *found;
}

}  // namespace strata
