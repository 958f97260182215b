// What may replace the plain average of gradients: the same average in fewer bytes.
#pragma once
#include <memory>
#include <vector>

#include "../core/communicator.h"
#include "../core/tensor.h"

namespace strata::distributed {

/// Gradients that travel together.
struct GradBucket {
  size_t index = 0;               ///< of the step's buckets
  Tensor buffer;                  ///< all numbers, one after another; behind the gradients a 1 for each that there is
  std::vector<Tensor> gradients;  ///< views of it, in the shapes of their parameters
  ReduceOp op = ReduceOp::AVG;    ///< what the numbers of all ranks shall become: their average or their sum
  ProcessGroup group;
};

/// Runs once for each bucket of a pass, in the same order on all ranks.
class CommHook {
 public:
  virtual ~CommHook() = default;
  /// Starts to reduce the bucket; when the work was waited for, `buffer` holds the result, the same on all ranks. A
  /// number behind the gradients has to stay 0 where it is 0 on all ranks and above it elsewhere.
  virtual std::shared_ptr<Work> start(const GradBucket& bucket) = 0;
};

/// All in bfloat16 or in half precision, which is half of float's bytes. Numbers that half precision has not become
/// infinite.
std::shared_ptr<CommHook> bf16_compress();
std::shared_ptr<CommHook> fp16_compress();

struct PowerSgdOptions {
  int64_t rank = 1;         ///< of the matrices that travel; more is nearer to the gradient
  int64_t start_step = 10;  ///< passes before it are averaged as they are
  uint64_t seed = 0;
};
/// PowerSGD (T. Vogels et al., NeurIPS 2019): in place of a gradient of (n, m...) two matrices of (n, rank) and
/// (m, rank) travel, and what they leave out is added to the next step's gradient. Vectors, and matrices that would not
/// get smaller, travel as they are. A hook belongs to one module.
std::shared_ptr<CommHook> power_sgd(const PowerSgdOptions& options = {});

}  // namespace strata::distributed
