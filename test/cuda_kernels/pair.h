// Views of equal layout of equal tensors on both devices.
#pragma once
#include "core/tensor.h"
#include "ops/cast.h"

namespace strata::test {

/// A tensor of the CPU and the same in the same layout on the device.
struct Pair {
  Tensor here, there;
};
template <class View>
Pair pair(const Tensor& base, View view) {
  return {view(base), view(base.to(kCUDA))};
}

}  // namespace strata::test
