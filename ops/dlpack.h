// Tensors shared with other libraries in the same process through DLPack: the structs of its C interface, in and out.
#pragma once
#include <cstdint>

#include "../core/tensor.h"

// The names of dlpack.h are left to it: a program may include that as well, and pass pointers by reinterpret_cast,
// since the layout is the interface's.
namespace strata::dlpack {

enum class DeviceCode : int32_t { kHost = 1, kCuda = 2, kCudaHost = 3, kCudaManaged = 13 };
enum class TypeCode : uint8_t {
  kSigned = 0,
  kUnsigned = 1,
  kFloat = 2,
  kBrainFloat = 4,
  kComplexPair = 5,
  kTruth = 6,
  kFloat8E4m3fn = 10,
  kFloat8E4m3fnuz = 11,
  kFloat8E5m2 = 12,
  kFloat8E5m2fnuz = 13
};

struct DLDevice {
  int32_t device_type;
  int32_t device_id;
};

struct DLDataType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
};

struct DLTensor {
  void* data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t* shape;
  int64_t* strides;  ///< in elements; null for row-major ones
  uint64_t byte_offset;
};

/// The struct of DLPack before version 1.
struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(DLManagedTensor* self);
};

struct DLPackVersion {
  uint32_t major;
  uint32_t minor;
};

inline constexpr uint64_t kReadOnly = 1;  ///< a flag: the memory may not be written to

/// The struct since version 1.
struct DLManagedTensorVersioned {
  DLPackVersion version;
  void* manager_ctx;
  void (*deleter)(DLManagedTensorVersioned* self);
  uint64_t flags;
  DLTensor dl_tensor;
};

}  // namespace strata::dlpack

namespace strata {

/// The tensor's memory for another library, which calls the deleter when it is done with it; until then the memory
/// lives. Throws for a tensor that requires grad (detach it first) and for one without memory of its own.
dlpack::DLManagedTensor* toDLPack(const Tensor& tensor);
dlpack::DLManagedTensorVersioned* toDLPackVersioned(const Tensor& tensor);
/// A tensor over another library's memory; its deleter runs when the last tensor over it is gone, and not where this
/// throws: for devices, dtypes and versions that are not known here, and for elements at a null address. Read-only
/// memory must not be written to.
Tensor fromDLPack(dlpack::DLManagedTensor* managed);
Tensor fromDLPackVersioned(dlpack::DLManagedTensorVersioned* managed);

}  // namespace strata
