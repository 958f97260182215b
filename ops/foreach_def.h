// The functions of lists of tensors, for rules and kernels.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"
#include "foreach.h"

namespace strata {

struct TotalNormParams {
  double p = 2;  ///< 1, 2 or infinity
};
struct ForeachClipNormParams {
  double max_norm = 1;
};
struct ForeachClampParams {
  double min = 0, max = 0;
};

/// Of one or more tensors of one dtype with elements: float or double, on a GPU any floating point one. The result is
/// float64 for float64, else float32.
extern Op total_norm_op;
/// In place, of row-major tensors of such a dtype. The kernels write the first tensor's result to output 0 and
/// the others over the inputs. `foreach_mul` and `foreach_clip_norm` have one more input, the factor and the norm:
/// float64, one element.
extern Op foreach_mul_op, foreach_clip_norm_op, foreach_clamp_op, foreach_zero_op;

}  // namespace strata
