// A chain of element-wise ops that a device runs as one kernel: what it computes, and the op that stands for it in a
// program.
#pragma once
#include <memory>
#include <vector>

#include "op.h"

namespace strata::dispatch {

/// Element-wise ops over tensors of one shape. Values are numbered: the inputs first, then what each step gives.
struct Chain {
  struct Step {
    const Op* op;
    OwnedParams params;
    std::vector<int32_t> in;
  };
  std::vector<DType> dtypes;  ///< of each value
  std::vector<Step> steps;
  std::vector<int32_t> outputs;  ///< the values that others read

  size_t inputs() const { return dtypes.size() - steps.size(); }
};

/// Chains of more operands, or of more steps, are cut.
inline constexpr size_t kMostChainOperands = 16, kMostChainSteps = 32;

struct ChainParams {
  std::shared_ptr<const Chain> chain;
  static constexpr bool kHoldsCode = true;
};
/// Shows the steps' names and fields.
void visit(const ChainParams& p, FieldVisitor& visitor);

/// `chain(Tensor[] inputs, str[] steps) -> Tensor[]`: the chain's outputs, row-major. Inputs have one shape and the
/// chain's dtypes. It has a kernel where a device can run chains. Not in the op table, since programs alone call it.
extern Op chain_op;

/// Whether a device's kernel of `chain_op` takes the op with inputs of these dtypes as a step.
using TakesStepFn = bool (*)(const Op& op, ArrayRef<DType> inputs, const void* params);
/// Null for devices that run no chains.
TakesStepFn takes_step(DeviceType device);
/// For the kernels of a device: says what they take, when they are loaded.
void set_takes_step(DeviceType device, TakesStepFn takes);

}  // namespace strata::dispatch
