// Unit vectors in, derivatives out.
#include "transforms/jacobian.h"

#include "ops/creation.h"
#include "ops/view.h"

namespace strata::func::detail {
namespace {

DimVector joined(IntArrayRef a, IntArrayRef b) {
  DimVector sizes(a);
  for (int64_t s : b) sizes.push_back(s);
  return sizes;
}

}  // namespace

Tensor unit_tangents(const Tensor& x) {
  STRATA_CHECK(!x.is_complex(), "jacrev, jacfwd and hessian: unit vectors of {} are not implemented; use vjp or jvp",
               name(x.dtype()));
  const int64_t n = x.numel();
  return eye(n, x.options()).reshape(joined({n}, x.sizes()));
}

std::vector<Tensor> jacobian_rows(const Graph& graph, size_t output, const std::vector<Tensor>& outputs,
                                  const std::vector<Tensor>& inputs) {
  const Tensor& y = outputs[output];
  std::vector<Tensor> cotangents(outputs.size()), rows;
  VmapLayer layer(y.numel(), Randomness::error);
  const Tensor units = unit_tangents(y);
  {
    const LayerScope scope(layer);
    cotangents[output] = layer.wrap(units);
    rows = graph.pull(cotangents, true);
  }
  for (size_t i = 0; i < rows.size(); ++i)
    rows[i] = layer.unwrap(rows[i], 0).reshape(joined(y.sizes(), inputs[i].sizes()));
  return rows;
}

Tensor jacobian_columns(const Tensor& tangents, const Tensor& out, const Tensor& in) {
  return tangents.movedim(0, -1).reshape(joined(out.sizes(), in.sizes()));
}

}  // namespace strata::func::detail
