// Params and ops of the reductions.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

/// `dims` are sorted, distinct and non-negative; empty means that nothing is reduced.
struct ReduceParams {
  DimVector dims;
  bool keepdim = false;
};
struct VarParams {
  DimVector dims;
  bool keepdim = false;
  double correction = 1;
};
struct NormParams {
  DimVector dims;
  bool keepdim = false;
  double p = 2;
};
/// Reductions along one dim.
struct ReduceDimParams {
  int64_t dim = 0;
  bool keepdim = false;
};

extern Op sum_op, nansum_op, mean_op, logsumexp_op, all_op, any_op;  // ReduceParams
extern Op amax_op, amin_op, aminmax_op;                              // ReduceParams
extern Op var_op, std_op;                                            // VarParams
extern Op norm_op;                                                   // NormParams
extern Op prod_op, argmax_op, argmin_op, max_dim_op, min_dim_op;     // ReduceDimParams

}  // namespace strata
