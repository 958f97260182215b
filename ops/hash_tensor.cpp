// Exclusive or of halves until one element is left.
#include "ops/hash_tensor.h"

#include <algorithm>

#include "core/shape.h"
#include "ops/binary.h"
#include "ops/view.h"

namespace strata {
namespace {

/// Of x `(..., n)`, over the last dim.
Tensor xor_of_last(Tensor x) {
  for (int64_t n = x.size(-1); n > 1; n = x.size(-1)) {
    const Tensor halves = bitwise_xor(narrow(x, -1, 0, n / 2), narrow(x, -1, n / 2, n / 2));
    if (n % 2) select(halves, -1, 0).bitwise_xor_(select(x, -1, n - 1));
    x = halves;
  }
  return select(x, -1, 0);
}

Tensor bits_of(const Tensor& x) { return is_floating_point(x.dtype()) ? x.to(kDouble).view(kLong) : x.to(kLong); }

}  // namespace

Tensor hash_tensor(const Tensor& x, IntArrayRef dims, bool keepdim, int64_t mode) {
  STRATA_CHECK(mode == 0, "hash_tensor: unknown mode {}; 0 is the exclusive or", mode);
  STRATA_CHECK_AS(
      NotImplementedError, !is_complex(x.dtype()) && x.dtype() != kUInt32 && !kUnsignedStorageTypes.has(x.dtype()),
      "hash_tensor: not implemented for {}; convert it to int64, or give it view_as_real()", name(x.dtype()));
  STRATA_CHECK(x.numel() > 0, "hash_tensor: there are no elements in a tensor of shape {}", x.sizes());
  const DimVector along = wrap_dims(dims, x.dim(), "hash_tensor");
  DimVector order, sizes, kept = x.sizes();
  for (int64_t d = 0; d < x.dim(); ++d)
    if (std::find(along.begin(), along.end(), d) == along.end()) order.push_back(d);
  for (int64_t d : order) sizes.push_back(x.sizes()[d]);
  for (int64_t d : along) {
    order.push_back(d);
    kept[d] = 1;
  }
  sizes.push_back(x.numel() / numel_of(sizes));
  const Tensor y = xor_of_last(reshape(permute(bits_of(x.detach()), order), sizes)).contiguous();
  return (keepdim ? reshape(y, kept) : y).view(kUInt64);
}

}  // namespace strata
