// Dtypes and reductions between Strata and NCCL.
#include "distributed/nccl/numbers.h"

#include <optional>

#include "core/error.h"

namespace strata::distributed::nccl {
namespace {

std::optional<DataType> same_type(DType dtype) {
  switch (dtype) {
    case kByte:
    case kBool:
      return kUint8;
    case kChar:
      return kInt8;
    case kInt:
      return kInt32;
    case kUInt32:
      return kUint32;
    case kLong:
      return kInt64;
    case kHalf:
      return kFloat16;
    case kBFloat16:
      return kBfloat16;
    case kFloat:
      return kFloat32;
    case kDouble:
      return kFloat64;
    default:
      return std::nullopt;
  }
}

}  // namespace

Numbers numbers_of(DType dtype, int64_t count) {
  const auto n = static_cast<size_t>(count);
  if (const auto type = same_type(dtype)) return {*type, n};
  return {kUint8, n * item_size(dtype)};
}

Numbers summands_of(DType dtype, int64_t count, ReduceOp op) {
  const auto n = static_cast<size_t>(count);
  // The parts of complex numbers add up by themselves.
  const bool adds = op == ReduceOp::SUM || op == ReduceOp::AVG;
  if (adds && dtype == kComplexFloat) return {kFloat32, 2 * n};
  if (adds && dtype == kComplexDouble) return {kFloat64, 2 * n};
  const auto type = same_type(dtype);
  STRATA_CHECK(type, "NCCL cannot reduce {} by {}", strata::name(dtype), strata::name(op));
  STRATA_CHECK(dtype != kBool || op != ReduceOp::AVG, "there is no average of bool");
  return {*type, n};
}

RedOp operation(DType dtype, ReduceOp op) {
  switch (op) {
    case ReduceOp::SUM:
      return dtype == kBool ? kMax : kSum;  // of 0 and 1 as bytes: is there any 1?
    case ReduceOp::AVG:
      return kAvg;
    case ReduceOp::PRODUCT:
      return kProd;
    case ReduceOp::MIN:
      return kMin;
    case ReduceOp::MAX:
      return kMax;
  }
  STRATA_THROW("NCCL: unknown reduction");
}

}  // namespace strata::distributed::nccl
