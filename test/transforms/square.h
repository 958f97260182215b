// What the ops that opcheck is tried on compute, and a tensor to give them.
#pragma once
#include <strata/custom_op.h>
#include <strata/strata.h>

namespace strata {

inline void square_cpu(dispatch::Tensors& out, dispatch::Args in, const dispatch::NoParams&) {
  out[0].copy_(in[0] * in[0]);
}

inline Tensor six_numbers() { return tensor({0.5, -1.0, 2.0, 3.0, -0.25, 1.5}, kDouble).view({2, 3}); }

}  // namespace strata
