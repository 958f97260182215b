// Choosing code by the size of an element: for kernels that move elements and do not look at them.
#pragma once
#include <cstddef>
#include <cstdint>

namespace strata {

/// Calls f.template operator()<U>() with the unsigned integer type of `item` bytes: 1, 2, 4 or 8.
template <class F>
void visit_item(size_t item, F&& f) {
  switch (item) {
    case 1:
      return f.template operator()<uint8_t>();
    case 2:
      return f.template operator()<uint16_t>();
    case 4:
      return f.template operator()<uint32_t>();
    default:
      return f.template operator()<uint64_t>();
  }
}

struct alignas(16) Bits128 {
  uint64_t low, high;
};

/// The same for elements that may also be 16 bytes, complex128 and what GPUs move at once.
template <class F>
void visit_wide_item(size_t item, F&& f) {
  if (item == sizeof(Bits128)) return f.template operator()<Bits128>();
  visit_item(item, f);
}

}  // namespace strata
