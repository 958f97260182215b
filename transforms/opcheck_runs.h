// The half of opcheck that asks how an op runs; the other half, in opcheck.cpp, compares its rules.
#pragma once
#include "opcheck.h"

namespace strata::func::opcheck_detail {

/// The call to check and what it gave.
struct Case {
  const dispatch::Op& op;
  const std::vector<Tensor>& inputs;
  dispatch::Params params;
  const GradcheckOptions& options;
  std::vector<Tensor> outputs = {};
};

/// The outputs of the op for other inputs.
std::vector<Tensor> run(const Case& c, const std::vector<Tensor>& inputs);
/// Shape, dtype and, within the tolerances, values are the same; undefined equals undefined.
bool close(const Tensor& a, const Tensor& b, const GradcheckOptions& options);
/// The same without a tolerance, to the bit.
bool same_bits(const Tensor& a, const Tensor& b);

/// Inputs left as they were, outputs as `infer` says. Gives the outputs.
std::vector<Tensor> first_run(const Case& c);
/// Inputs in any layout, expanded and empty; the in-place form of an element-wise op; any number of threads; params
/// read back from their fields; all dtypes that the op says it takes; autocast.
void check_runs(const Case& c);

}  // namespace strata::func::opcheck_detail
