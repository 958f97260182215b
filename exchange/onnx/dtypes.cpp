// ONNX's numbers for dtypes (TensorProto.DataType of onnx.proto).
#include "core/error.h"
#include "exchange/onnx/ops.h"

namespace strata::onnx {
namespace {

constexpr DType kNone = DType::Undefined;

/// In the order of their numbers; those that are undefined have no dtype here.
constexpr DType kDTypes[] = {
    kNone,         kFloat,         kByte,     kChar,          kUInt16,          kShort,       kInt,
    kLong,         kNone,          kBool,     kHalf,          kDouble,          kUInt32,      kUInt64,
    kComplexFloat, kComplexDouble, kBFloat16, kFloat8_e4m3fn, kFloat8_e4m3fnuz, kFloat8_e5m2, kFloat8_e5m2fnuz};
constexpr const char* kOthers[] = {"text", "uint4", "int4", "float4e2m1", "float8e8m0", "uint2", "int2"};

}  // namespace

DType dtype_of_number(int64_t number) {
  constexpr int64_t known = std::size(kDTypes), others = std::size(kOthers);
  constexpr int64_t text = 8;
  if (0 < number && number < known && number != text) return kDTypes[number];
  const bool has_name = number == text || (known <= number && number < known + others - 1);
  STRATA_CHECK(!has_name, "load_onnx: tensors of {} are not known here",
               kOthers[number == text ? 0 : number - known + 1]);
  STRATA_THROW("load_onnx: there is no data type {}", number);
}

int64_t number_of_dtype(DType dtype) {
  for (size_t i = 1; i < std::size(kDTypes); ++i)
    if (kDTypes[i] == dtype) return static_cast<int64_t>(i);
  STRATA_THROW("save_onnx: ONNX has no {}", name(dtype));
}

}  // namespace strata::onnx
