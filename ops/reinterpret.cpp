// Memory seen as numbers of another dtype.
#include "ops/reinterpret_def.h"
#include "ops/rules.h"

namespace strata {
namespace {

/// Into narrower elements: `ratio` of them for each. A dim of one element needs no stride.
void split_last_dim(int64_t ratio, ViewGeometry& g) {
  STRATA_CHECK(g.strides.back() == 1 || g.sizes.back() == 1,
               "view: self.stride(-1) must be 1 to view as elements of another size, got {}", g.strides.back());
  for (int64_t& s : g.strides) s = checked_mul(s, ratio, "view");
  g.strides.back() = 1;
  g.sizes.back() = checked_mul(g.sizes.back(), ratio, "view");
}

/// Into elements that are `ratio` times as wide.
void join_last_dim(const Tensor& x, int64_t ratio, ViewGeometry& g) {
  STRATA_CHECK(g.strides.back() == 1, "view: self.stride(-1) must be 1 to view as elements of another size, got {}",
               g.strides.back());
  STRATA_CHECK(g.sizes.back() % ratio == 0,
               "view: self.size(-1) must be divisible by {} to view elements of {} as {}, but got {}", ratio,
               name(x.dtype()), name(g.dtype), g.sizes.back());
  STRATA_CHECK(x.storage_offset() % ratio == 0, "view: self.storage_offset() must be divisible by {}, but got {}",
               ratio, x.storage_offset());
  g.sizes.back() /= ratio;
  for (size_t d = 0; d + 1 < g.strides.size(); ++d) {
    STRATA_CHECK(g.strides[d] % ratio == 0, "view: self.stride({}) must be divisible by {}, but got {}", d, ratio,
                 g.strides[d]);
    g.strides[d] /= ratio;
  }
}

void reinterpreted(const Tensor& x, DType dtype, ViewGeometry& g) {
  const auto from = static_cast<int64_t>(item_size(x.dtype())), to = static_cast<int64_t>(item_size(dtype));
  g.dtype = dtype;
  g.sizes = x.sizes();
  g.strides = x.strides();
  if (from == to) return;
  STRATA_CHECK(x.dim() > 0, "view: self.dim() cannot be 0 to view {} as {} (different element sizes)", name(x.dtype()),
               name(dtype));
  if (from > to)
    split_last_dim(from / to, g);
  else
    join_last_dim(x, to / from, g);
}

}  // namespace

Tensor Tensor::view_dtype(DType dtype) const {
  if (dtype == this->dtype()) return *this;
  return call_view(view_dtype_op, *this, ViewDtypeParams{dtype});
}

STRATA_OP(view_dtype_op) = op<ViewDtypeParams>("view_dtype(Tensor x, ScalarType dtype) -> Tensor")
                               .flag(kNotDifferentiable)
                               .view([](const Tensor& x, const ViewDtypeParams& p, ViewGeometry& g) {
                                 reinterpreted(x, p.dtype, g);
                               })
                               .batch([](const Batch& c, const ViewDtypeParams& p) { return c.in(0).view(p.dtype); })
                               .dtypes(kStoredTypes);

}  // namespace strata
