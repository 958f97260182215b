// Tensors as DLPack's structs, which keep them alive, and structs as tensors, which call their deleters.
#include "ops/dlpack.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "core/error.h"
#include "ops/creation.h"

namespace strata {

namespace {

using namespace dlpack;

constexpr uint32_t kMajor = 1;

struct TypeRow {
  DType dtype;
  TypeCode code;
};
constexpr TypeRow kTypes[] = {{kBool, TypeCode::kTruth},
                              {kByte, TypeCode::kUnsigned},
                              {kChar, TypeCode::kSigned},
                              {kShort, TypeCode::kSigned},
                              {kInt, TypeCode::kSigned},
                              {kUInt32, TypeCode::kUnsigned},
                              {kLong, TypeCode::kSigned},
                              {kHalf, TypeCode::kFloat},
                              {kBFloat16, TypeCode::kBrainFloat},
                              {kFloat, TypeCode::kFloat},
                              {kDouble, TypeCode::kFloat},
                              {kComplexFloat, TypeCode::kComplexPair},
                              {kComplexDouble, TypeCode::kComplexPair},
                              {kUInt16, TypeCode::kUnsigned},
                              {kUInt64, TypeCode::kUnsigned},
                              {kFloat8_e4m3fn, TypeCode::kFloat8E4m3fn},
                              {kFloat8_e4m3fnuz, TypeCode::kFloat8E4m3fnuz},
                              {kFloat8_e5m2, TypeCode::kFloat8E5m2},
                              {kFloat8_e5m2fnuz, TypeCode::kFloat8E5m2fnuz}};

DLDataType type_of(DType dtype) {
  for (const TypeRow& row : kTypes)
    if (row.dtype == dtype) return {static_cast<uint8_t>(row.code), static_cast<uint8_t>(8 * item_size(dtype)), 1};
  STRATA_THROW("toDLPack: DLPack has no type for {}", name(dtype));
}

DType dtype_from(DLDataType type) {
  for (const TypeRow& row : kTypes)
    if (type.lanes == 1 && type.code == static_cast<uint8_t>(row.code) && type.bits == 8 * item_size(row.dtype))
      return row.dtype;
  STRATA_THROW("fromDLPack: type code {} of {} bits and {} lanes has no counterpart here", int{type.code},
               int{type.bits}, int{type.lanes});
}

DLDevice device_of(const Tensor& t) {
  if (t.is_cuda()) return {static_cast<int32_t>(DeviceCode::kCuda), t.device().index()};
  STRATA_CHECK(t.is_cpu(), "toDLPack: tensors of {} cannot be shared", t.device().str());
  return {static_cast<int32_t>(DeviceCode::kHost), 0};
}

Device device_from(DLDevice device) {
  switch (static_cast<DeviceCode>(device.device_type)) {
    case DeviceCode::kHost:
    case DeviceCode::kCudaHost:
      return kCPU;
    case DeviceCode::kCuda:
    case DeviceCode::kCudaManaged:
      STRATA_CHECK(device.device_id >= 0 && device.device_id <= INT8_MAX, "fromDLPack: there is no CUDA device {}",
                   device.device_id);
      return Device(kCUDA, static_cast<DeviceIndex>(device.device_id));
    default:
      STRATA_THROW("fromDLPack: device type {} has no counterpart here", device.device_type);
  }
}

/// What lives as long as the other library wants it to.
template <class Managed>
struct Lent {
  Tensor tensor;
  std::vector<int64_t> sizes, strides;
  Managed managed{};
};

template <class Managed>
Managed* lend(const Tensor& tensor) {
  STRATA_CHECK(tensor.has_storage(), "toDLPack: the tensor has no memory of its own");
  STRATA_CHECK(!tensor.requires_grad(),
               "toDLPack: the tensor requires grad, which others do not see: detach() it first");
  auto lent = std::make_unique<Lent<Managed>>();
  lent->tensor = tensor;
  lent->sizes = tensor.sizes().vec();
  lent->strides = tensor.strides().vec();
  DLTensor& t = lent->managed.dl_tensor;
  t.data = tensor.numel() > 0 ? tensor.data_ptr() : nullptr;
  t.device = device_of(tensor);
  t.ndim = static_cast<int32_t>(tensor.dim());
  t.dtype = type_of(tensor.dtype());
  t.shape = lent->sizes.data();
  t.strides = lent->strides.data();
  t.byte_offset = 0;
  lent->managed.manager_ctx = lent.get();
  lent->managed.deleter = [](Managed* self) { delete static_cast<Lent<Managed>*>(self->manager_ctx); };
  return &lent.release()->managed;
}

template <class Managed>
Tensor take(Managed* managed) {
  STRATA_CHECK(managed != nullptr, "fromDLPack: the pointer is null");
  const DLTensor& t = managed->dl_tensor;
  const bool has_shape = t.ndim >= 0 && t.ndim <= static_cast<int32_t>(kMaxDims) && (t.ndim == 0 || t.shape != nullptr);
  STRATA_CHECK(has_shape, "fromDLPack: a tensor of {} dims has no shape here", t.ndim);
  const auto dims = static_cast<size_t>(t.ndim);
  const std::vector<int64_t> sizes(t.shape, t.shape + dims);
  for (const int64_t size : sizes) STRATA_CHECK(size >= 0, "fromDLPack: the shape {} is negative", IntArrayRef(sizes));
  std::vector<int64_t> strides(dims);
  const auto row_major = contiguous_strides(sizes);
  for (size_t i = 0; i < dims; ++i) strides[i] = t.strides ? t.strides[i] : row_major[i];
  const bool is_empty = std::find(sizes.begin(), sizes.end(), 0) != sizes.end();
  STRATA_CHECK(t.data != nullptr || is_empty, "fromDLPack: a tensor of shape {} has no memory: its data is null",
               IntArrayRef(sizes));
  const auto options = TensorOptions(dtype_from(t.dtype)).device(device_from(t.device));
  const DataDeleter give_back = [](void* context, void*) {
    auto* const m = static_cast<Managed*>(context);
    if (m->deleter) m->deleter(m);
  };
  char* const data = t.data ? static_cast<char*>(t.data) + t.byte_offset : nullptr;
  return detail::from_foreign(data, sizes, strides, give_back, managed, options);
}

}  // namespace

DLManagedTensor* toDLPack(const Tensor& tensor) { return lend<DLManagedTensor>(tensor); }

DLManagedTensorVersioned* toDLPackVersioned(const Tensor& tensor) {
  DLManagedTensorVersioned* const managed = lend<DLManagedTensorVersioned>(tensor);
  managed->version = {kMajor, 0};
  managed->flags = 0;
  return managed;
}

Tensor fromDLPack(DLManagedTensor* managed) { return take(managed); }

Tensor fromDLPackVersioned(DLManagedTensorVersioned* managed) {
  STRATA_CHECK(managed == nullptr || managed->version.major == kMajor,
               "fromDLPack: version {} of DLPack is not known here", managed->version.major);
  return take(managed);
}

}  // namespace strata
