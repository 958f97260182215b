// cuDNN's graph API: descriptors that give themselves back, one handle per device, errors as Strata's.
#pragma once
#include <cudnn.h>

#include <array>
#include <bit>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/device.h"

namespace strata::cuda {

/// The type of an attribute with such values.
template <class T>
inline constexpr cudnnBackendAttributeType_t kCudnnType = CUDNN_TYPE_INT64;
template <>
inline constexpr cudnnBackendAttributeType_t kCudnnType<cudnnHandle_t> = CUDNN_TYPE_HANDLE;
template <>
inline constexpr cudnnBackendAttributeType_t kCudnnType<cudnnDataType_t> = CUDNN_TYPE_DATA_TYPE;
template <>
inline constexpr cudnnBackendAttributeType_t kCudnnType<float> = CUDNN_TYPE_FLOAT;
template <>
inline constexpr cudnnBackendAttributeType_t kCudnnType<double> = CUDNN_TYPE_DOUBLE;
template <>
inline constexpr cudnnBackendAttributeType_t kCudnnType<void*> = CUDNN_TYPE_VOID_PTR;
template <>
inline constexpr cudnnBackendAttributeType_t kCudnnType<cudnnConvolutionMode_t> = CUDNN_TYPE_CONVOLUTION_MODE;
template <>
inline constexpr cudnnBackendAttributeType_t kCudnnType<cudnnBackendHeurMode_t> = CUDNN_TYPE_HEUR_MODE;
template <>
inline constexpr cudnnBackendAttributeType_t kCudnnType<cudnnBackendNumericalNote_t> = CUDNN_TYPE_NUMERICAL_NOTE;
template <>
inline constexpr cudnnBackendAttributeType_t kCudnnType<cudnnPointwiseMode_t> = CUDNN_TYPE_POINTWISE_MODE;
template <>
inline constexpr cudnnBackendAttributeType_t kCudnnType<cudnnReduceTensorOp_t> = CUDNN_TYPE_REDUCTION_OPERATOR_TYPE;
template <>
inline constexpr cudnnBackendAttributeType_t kCudnnType<bool> = CUDNN_TYPE_BOOLEAN;
/// Throws, with what cuDNN says, unless the status is success.
void check_cudnn(cudnnStatus_t status, std::string_view what);

/// One of cuDNN's descriptors; attributes are set before it is finalized and read afterwards.
class CudnnDescriptor {
 public:
  explicit CudnnDescriptor(cudnnBackendDescriptorType_t type);
  ~CudnnDescriptor() {
    if (raw_) cudnnBackendDestroyDescriptor(raw_);
  }
  CudnnDescriptor(CudnnDescriptor&& o) noexcept : raw_(std::exchange(o.raw_, nullptr)) {}
  CudnnDescriptor& operator=(CudnnDescriptor&& o) noexcept {
    std::swap(raw_, o.raw_);
    return *this;
  }

  cudnnBackendDescriptor_t get() const { return raw_; }
  template <class T>
  CudnnDescriptor& set(cudnnBackendAttributeName_t attribute, const T& value) {
    return set_all(attribute, kCudnnType<T>, 1, &value);
  }
  CudnnDescriptor& set(cudnnBackendAttributeName_t attribute, const CudnnDescriptor& value) {
    return set_all(attribute, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &value.raw_);
  }
  template <class T, size_t n>
  CudnnDescriptor& set(cudnnBackendAttributeName_t attribute, const std::array<T, n>& values) {
    return set_all(attribute, kCudnnType<T>, n, values.data());
  }
  template <class T>
  CudnnDescriptor& set(cudnnBackendAttributeName_t attribute, const std::vector<T>& values) {
    return set_all(attribute, kCudnnType<T>, static_cast<int64_t>(values.size()), values.data());
  }
  CudnnDescriptor& set(cudnnBackendAttributeName_t attribute, const std::vector<CudnnDescriptor>& values);
  CudnnDescriptor& finalize();
  /// The same where cuDNN may refuse, which is not an error.
  bool try_finalize() { return cudnnBackendFinalize(raw_) == CUDNN_STATUS_SUCCESS; }

  int64_t number(cudnnBackendAttributeName_t attribute) const;
  /// Reads a descriptor into one that was made for it.
  void read(cudnnBackendAttributeName_t attribute, CudnnDescriptor& into) const;

 private:
  CudnnDescriptor& set_all(cudnnBackendAttributeName_t attribute, cudnnBackendAttributeType_t type, int64_t count,
                           const void* values);
  cudnnBackendDescriptor_t raw_ = nullptr;
};

/// A device's handle; held by one thread at a time, whose current stream of the device it works on.
class CudnnHandle {
 public:
  explicit CudnnHandle(DeviceIndex device);
  operator cudnnHandle_t() const { return raw_; }

 private:
  std::unique_lock<std::mutex> lock_;
  cudnnHandle_t raw_;
};

/// The ways that cuDNN proposes to compute a graph of operations, the best first; empty if it knows none.
std::vector<CudnnDescriptor> cudnn_proposals(const CudnnDescriptor& graph, cudnnBackendHeurMode_t mode);
/// Does a proposal's engine say this of itself?
bool has_note(const CudnnDescriptor& proposal, cudnnBackendNumericalNote_t note);

/// An engine made ready to run, and the bytes that it takes beside its operands.
struct CudnnPlan {
  CudnnDescriptor engine, descriptor;
  int64_t workspace;
};
using CudnnPlanPtr = std::shared_ptr<const CudnnPlan>;
/// Null where cuDNN cannot make it or it takes more than 1 GiB.
CudnnPlanPtr cudnn_plan(CudnnDescriptor proposal, cudnnHandle_t handle);
/// Starts it on the operands that the graph has by these ids.
void cudnn_execute(const CudnnPlan& plan, const std::vector<int64_t>& ids, const std::vector<void*>& operands,
                   Device device, cudnnHandle_t handle);

/// Plans by numbers that say all they were chosen by; a null one says that there is none.
template <class Key>
class CudnnPlans {
 public:
  template <class Choose>
  CudnnPlanPtr find(const Key& key, const Choose& choose) {
    {
      const std::lock_guard lock(mutex_);
      const auto at = plans_.find(key);
      if (at != plans_.end()) return at->second;
    }
    CudnnPlanPtr plan = choose();
    const std::lock_guard lock(mutex_);
    if (plans_.size() >= kMost) plans_.clear();
    return plans_.insert_or_assign(key, std::move(plan)).first->second;
  }

 private:
  static constexpr size_t kMost = 1 << 14;
  struct Hash {
    size_t operator()(const Key& key) const {
      uint64_t hash = 0;
      for (const int64_t v : key) hash = (std::rotl(hash, 5) ^ static_cast<uint64_t>(v)) * 0x9e3779b97f4a7c15;
      return hash ^ hash >> 32;
    }
  };
  std::mutex mutex_;
  std::unordered_map<Key, CudnnPlanPtr, Hash> plans_;
};

}  // namespace strata::cuda
