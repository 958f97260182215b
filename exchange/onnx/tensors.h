// Tensors of ONNX files. Internal to the files of libstrata_onnx that know protobuf.
#pragma once
#include <onnx/onnx_pb.h>

#include <string>

#include "core/tensor.h"

namespace strata::onnx {

/// Reads a tensor, from the file or from one in `folder` beside it.
Tensor read_tensor(const ::onnx::TensorProto& proto, const std::string& folder);
/// Fills in dtype, sizes and data, not the name.
void write_tensor(const Tensor& t, ::onnx::TensorProto& proto);

}  // namespace strata::onnx
