// Unit vectors in, derivatives out.
#include "transforms/jacobian.h"

#include "ops/creation.h"
#include "ops/shaping.h"
#include "ops/view.h"

namespace strata::func::detail {
namespace {

DimVector joined(IntArrayRef a, IntArrayRef b) {
  DimVector sizes(a);
  for (int64_t s : b) sizes.push_back(s);
  return sizes;
}

Tensor joined(const std::vector<Tensor>& pieces) { return pieces.size() == 1 ? pieces[0] : cat(pieces); }

}  // namespace

std::vector<Tensor> unit_tangents(const Tensor& x, std::optional<int64_t> chunk_size, const char* who) {
  STRATA_CHECK(!x.is_complex(), "{}: unit vectors of {} are not implemented; use vjp or jvp", who, name(x.dtype()));
  STRATA_CHECK(!chunk_size || *chunk_size > 0, "{}: chunk_size is {}", who, *chunk_size);
  const int64_t n = x.numel();
  const Tensor all = eye(n, x.options()).reshape(joined({n}, x.sizes()));
  return chunk_size && n > 0 ? all.split(*chunk_size) : std::vector<Tensor>{all};
}

std::vector<Tensor> jacobian_rows(const Graph& graph, size_t output, const std::vector<Tensor>& outputs,
                                  const std::vector<Tensor>& inputs, std::optional<int64_t> chunk_size) {
  const Tensor& y = outputs[output];
  std::vector<std::vector<Tensor>> pieces(inputs.size());
  for (const Tensor& units : unit_tangents(y, chunk_size, "jacrev")) {
    VmapLayer layer(units.size(0), Randomness::error);
    std::vector<Tensor> cotangents(outputs.size()), pulled;
    {
      const LayerScope scope(layer);
      cotangents[output] = layer.wrap(units);
      pulled = graph.pull(cotangents, true);
    }
    for (size_t i = 0; i < pulled.size(); ++i) pieces[i].push_back(layer.unwrap(pulled[i], 0));
  }
  std::vector<Tensor> rows;
  for (size_t i = 0; i < inputs.size(); ++i)
    rows.push_back(joined(pieces[i]).reshape(joined(y.sizes(), inputs[i].sizes())));
  return rows;
}

Tensor jacobian_columns(const std::vector<Tensor>& pieces, const Tensor& out, const Tensor& in) {
  return joined(pieces).movedim(0, -1).reshape(joined(out.sizes(), in.sizes()));
}

}  // namespace strata::func::detail
