// uint16 fits into int32; uint64 becomes int64 with the top bit turned, which keeps the order.
#include "ops/order_key.h"

#include <cstdint>

#include "ops/binary.h"

namespace strata {

Tensor detail::order_key(const Tensor& x) {
  if (x.dtype() == kUInt16) return x.to(kInt);
  return x.dtype() == kUInt64 ? bitwise_xor(x.view(kLong), INT64_MIN) : x;
}

Tensor detail::of_order_key(const Tensor& key, DType dtype) {
  if (dtype == kUInt16) return key.to(kUInt16);
  return dtype == kUInt64 ? bitwise_xor(key, INT64_MIN).view(kUInt64) : key;
}

}  // namespace strata
