// Writes down a graph of operations for cuDNN as one would write the expression.
#pragma once
#include <array>
#include <deque>
#include <vector>

#include "kernels/cuda/runtime/cudnn.h"

namespace strata::cuda {

/// Operations on values of four dims. Values that are not in memory are named by the graph.
class CudnnGraph {
 public:
  using Four = std::array<int64_t, 4>;
  struct Value {
    const CudnnDescriptor* descriptor;
    Four sizes;
    cudnnDataType_t type;
  };

  /// In device memory that is bound to `id`, aligned to 16 bytes.
  Value memory(int64_t id, cudnnDataType_t type, const Four& sizes, const Four& strides) {
    return value(id, type, sizes, strides, HeldIn::kDeviceMemory);
  }
  /// A float in host memory that is bound to `id`.
  Value number(int64_t id) { return value(id, CUDNN_DATA_FLOAT, {1, 1, 1, 1}, {1, 1, 1, 1}, HeldIn::kHostMemory); }
  /// Row-major, inside of the graph.
  Value inner(const Four& sizes, cudnnDataType_t type = CUDNN_DATA_FLOAT) {
    return value(next_++, type, sizes, row_major(sizes), HeldIn::kRegisters);
  }
  static Four row_major(const Four& s) { return {s[1] * s[2] * s[3], s[2] * s[3], s[3], 1}; }

  void multiply(const Value& a, const Value& b, const Value& to);
  void reduce(cudnnReduceTensorOp_t how, const Value& x, const Value& to);
  void apply(cudnnPointwiseMode_t mode, const std::vector<Value>& in, const Value& to, int64_t axis = -1);
  /// The same elements under other strides.
  Value reshape(const Value& x, const Four& sizes, const Four& strides, cudnnDataType_t type);

  Value apply(cudnnPointwiseMode_t mode, const std::vector<Value>& in) {
    const Value to = inner(in[0].sizes);
    apply(mode, in, to);
    return to;
  }

  /// To be given a handle and finalized.
  CudnnDescriptor descriptor() const;

 private:
  /// Where a value lives; what stays inside of the graph never reaches memory (a virtual tensor).
  enum class HeldIn { kDeviceMemory, kHostMemory, kRegisters };
  Value value(int64_t id, cudnnDataType_t type, const Four& sizes, const Four& strides, HeldIn held_in);
  std::deque<CudnnDescriptor> kept_;
  std::vector<CudnnDescriptor> operations_;
  int64_t next_ = 1000;
};

}  // namespace strata::cuda
