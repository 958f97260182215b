// The op that sees memory as numbers of another dtype.
#pragma once
#include "../core/dtype.h"
#include "../dispatcher/op.h"

namespace strata {

struct ViewDtypeParams {
  DType dtype;
};
extern dispatch::Op view_dtype_op;

}  // namespace strata
