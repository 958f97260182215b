// The operations of a graph for cuDNN.
#include "kernels/cuda/runtime/cudnn_graph.h"

namespace strata::cuda {

CudnnGraph::Value CudnnGraph::value(int64_t id, cudnnDataType_t type, const Four& sizes, const Four& strides,
                                    HeldIn held_in) {
  CudnnDescriptor& d = kept_.emplace_back(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  d.set(CUDNN_ATTR_TENSOR_DATA_TYPE, type)
      .set(CUDNN_ATTR_TENSOR_DIMENSIONS, sizes)
      .set(CUDNN_ATTR_TENSOR_STRIDES, strides)
      .set(CUDNN_ATTR_TENSOR_UNIQUE_ID, id)
      .set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, int64_t{16})
      .set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, held_in == HeldIn::kRegisters)
      .set(CUDNN_ATTR_TENSOR_IS_BY_VALUE, held_in == HeldIn::kHostMemory)
      .finalize();
  return {&d, sizes, type};
}

void CudnnGraph::multiply(const Value& a, const Value& b, const Value& to) {
  CudnnDescriptor& how = kept_.emplace_back(CUDNN_BACKEND_MATMUL_DESCRIPTOR);
  how.set(CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_DATA_FLOAT).finalize();
  operations_.emplace_back(CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR)
      .set(CUDNN_ATTR_OPERATION_MATMUL_DESC, how)
      .set(CUDNN_ATTR_OPERATION_MATMUL_ADESC, *a.descriptor)
      .set(CUDNN_ATTR_OPERATION_MATMUL_BDESC, *b.descriptor)
      .set(CUDNN_ATTR_OPERATION_MATMUL_CDESC, *to.descriptor)
      .finalize();
}

void CudnnGraph::reduce(cudnnReduceTensorOp_t mode, const Value& x, const Value& to) {
  CudnnDescriptor& how = kept_.emplace_back(CUDNN_BACKEND_REDUCTION_DESCRIPTOR);
  how.set(CUDNN_ATTR_REDUCTION_COMP_TYPE, CUDNN_DATA_FLOAT).set(CUDNN_ATTR_REDUCTION_OPERATOR, mode).finalize();
  operations_.emplace_back(CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR)
      .set(CUDNN_ATTR_OPERATION_REDUCTION_DESC, how)
      .set(CUDNN_ATTR_OPERATION_REDUCTION_XDESC, *x.descriptor)
      .set(CUDNN_ATTR_OPERATION_REDUCTION_YDESC, *to.descriptor)
      .finalize();
}

void CudnnGraph::apply(cudnnPointwiseMode_t mode, const std::vector<Value>& in, const Value& to, int64_t axis) {
  CudnnDescriptor& how = kept_.emplace_back(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
  how.set(CUDNN_ATTR_POINTWISE_MODE, mode)
      .set(CUDNN_ATTR_POINTWISE_MATH_PREC, to.type == CUDNN_DATA_BOOLEAN ? to.type : CUDNN_DATA_FLOAT);
  if (axis >= 0) how.set(CUDNN_ATTR_POINTWISE_AXIS, axis);
  how.finalize();
  CudnnDescriptor& operation = operations_.emplace_back(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
  operation.set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, how);
  constexpr cudnnBackendAttributeName_t kInputs[] = {
      CUDNN_ATTR_OPERATION_POINTWISE_XDESC, CUDNN_ATTR_OPERATION_POINTWISE_BDESC, CUDNN_ATTR_OPERATION_POINTWISE_TDESC};
  for (size_t i = 0; i < in.size(); ++i) operation.set(kInputs[i], *in[i].descriptor);
  operation.set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, *to.descriptor).finalize();
}

CudnnGraph::Value CudnnGraph::reshape(const Value& x, const Four& sizes, const Four& strides, cudnnDataType_t type) {
  const Value to = value(next_++, type, sizes, strides, HeldIn::kRegisters);
  operations_.emplace_back(CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR)
      .set(CUDNN_ATTR_OPERATION_RESHAPE_XDESC, *x.descriptor)
      .set(CUDNN_ATTR_OPERATION_RESHAPE_YDESC, *to.descriptor)
      .finalize();
  return to;
}

CudnnDescriptor CudnnGraph::descriptor() const {
  CudnnDescriptor graph(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  graph.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, operations_);
  return graph;
}

}  // namespace strata::cuda
