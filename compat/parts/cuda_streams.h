// CUDA's streams, events, guards and memory by libtorch's names, as host code of extensions uses them.
#pragma once
#include <strata/core/cuda.h>

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "check.h"

struct CUstream_st;  // what CUDA's cudaStream_t points to

namespace strata::cuda {

/// A stream, which converts to a `cudaStream_t` for calls of the CUDA runtime.
class CUDAStream : public Stream {
 public:
  CUDAStream(const Stream& stream) : Stream(stream) {}
  CUstream_st* stream() const { return static_cast<CUstream_st*>(native()); }
  operator CUstream_st*() const { return stream(); }
  Device device() const { return Device(kCUDA, device_index()); }
  const CUDAStream& unwrap() const { return *this; }
};

/// The stream that this thread's work on a device goes to; -1 is the current device, here and below.
inline CUDAStream getCurrentCUDAStream(DeviceIndex device = -1) { return current_stream(device); }
/// The stream that work goes to where no other was chosen: CUDA's null stream.
inline CUDAStream getDefaultCUDAStream(DeviceIndex device = -1) {
  return Stream(device < 0 ? current_device() : device, nullptr);
}
inline CUDAStream getStreamFromPool(bool isHighPriority = false, DeviceIndex device = -1) {
  return Stream::from_pool(isHighPriority, device);
}
inline CUDAStream getStreamFromExternal(CUstream_st* stream, DeviceIndex device) { return Stream(device, stream); }
inline void setCurrentCUDAStream(const CUDAStream& stream) { set_current_stream(stream); }

/// Makes a device the current one until the end of the scope.
class CUDAGuard : public DeviceGuard {
 public:
  explicit CUDAGuard(Device device) : DeviceGuard(device) {}
  explicit CUDAGuard(DeviceIndex device) : DeviceGuard(Device(kCUDA, device)) {}
};

/// A guard that is set once a device of CUDA's is known, which may be never.
class OptionalCUDAGuard {
 public:
  OptionalCUDAGuard() = default;
  explicit OptionalCUDAGuard(std::optional<Device> device) {
    if (device) guard_.emplace(*device);
  }
  explicit OptionalCUDAGuard(std::optional<DeviceIndex> device) {
    if (device) guard_.emplace(*device);
  }
  void set_device(Device device) {
    guard_.reset();
    guard_.emplace(device);
  }
  void set_index(DeviceIndex device) { set_device(Device(kCUDA, device)); }
  void reset() { guard_.reset(); }

 private:
  std::optional<CUDAGuard> guard_;
};

/// Makes a stream and its device the current ones until the end of the scope.
class CUDAStreamGuard : public StreamGuard {
 public:
  explicit CUDAStreamGuard(const Stream& stream) : StreamGuard(stream) {}
};
class OptionalCUDAStreamGuard {
 public:
  OptionalCUDAStreamGuard() = default;
  explicit OptionalCUDAStreamGuard(const std::optional<CUDAStream>& stream) {
    if (stream) guard_.emplace(*stream);
  }
  void reset_stream(const Stream& stream) {
    guard_.reset();
    guard_.emplace(stream);
  }
  void reset() { guard_.reset(); }

 private:
  std::optional<CUDAStreamGuard> guard_;
};

/// A point in a stream that others wait for.
class CUDAEvent : public Event {
 public:
  using Event::Event;
  /// Flags of the CUDA runtime: 2, which cudaEventDisableTiming is, leaves the time out.
  explicit CUDAEvent(unsigned flags) : Event((flags & 2) == 0) {}
};

/// What is known of a device, under the names that cudaDeviceProp gives it. It goes on living.
struct DeviceProp {
  std::string name;
  size_t totalGlobalMem;
  int major, minor, multiProcessorCount;
  int warpSize = 32, maxThreadsPerBlock = 1024;  // of all devices that CUDA 12 knows
};
inline const DeviceProp* getDeviceProperties(DeviceIndex device) {
  static std::mutex mutex;
  static std::map<DeviceIndex, DeviceProp> known;
  const DeviceProperties now = get_device_properties(device);
  const std::lock_guard lock(mutex);
  const DeviceProp found{now.name, now.total_memory, now.major, now.minor, now.multi_processor_count};
  return &known.try_emplace(device, found).first->second;
}
inline const DeviceProp* getCurrentDeviceProperties() { return getDeviceProperties(current_device()); }
inline int warp_size() { return 32; }

/// Quotient rounded up, of positive numbers.
template <class T>
constexpr T ATenCeilDiv(T a, T b) {
  return (a + b - 1) / b;
}

namespace CUDACachingAllocator {
/// Returns what is kept for reuse to the driver.
inline void emptyCache() { empty_cache(); }
inline void resetPeakStats(DeviceIndex device) { reset_peak_memory_stats(device); }
inline void recordStream(const Tensor& tensor, const CUDAStream& stream) { record_stream(tensor, stream); }
}  // namespace CUDACachingAllocator

}  // namespace strata::cuda

// Checks of calls of the CUDA runtime, whose header the program includes.
#define C10_CUDA_CHECK(call)                                                                                        \
  do {                                                                                                              \
    const auto strata_cuda_result = (call);                                                                         \
    TORCH_CHECK(static_cast<int>(strata_cuda_result) == 0, "CUDA error: ", cudaGetErrorString(strata_cuda_result)); \
  } while (false)
#define AT_CUDA_CHECK(call) C10_CUDA_CHECK(call)
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())
