// The numbers that the scripts of PyTorch's answers make their tensors of too.
#pragma once
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata::test {

/// Element i is sin(1 + i^2 / 2).
inline Tensor wave(IntArrayRef sizes) {
  const Tensor i = arange(numel_of(sizes), kDouble);
  return sin(i * i / 2 + 1).view(sizes);
}

}  // namespace strata::test
