// The ops that make counted tensors: they have params but no inputs.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

/// start + i * step for i < count.
struct ArangeParams {
  Scalar start, step;
  int64_t count;
  DType dtype;
  Device device;
};
/// `count` values from start to end.
struct LinspaceParams {
  double start, end;
  int64_t count;
  DType dtype;
  Device device;
};

extern Op arange_op, linspace_op;

}  // namespace strata
