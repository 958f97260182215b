// CUDA devices, streams, events and memory, for programs that link no CUDA: a library of its own does the work.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "array_ref.h"
#include "device_backend.h"
#include "dtype.h"

namespace strata {
class Tensor;
}

namespace strata::cuda {

struct DeviceProperties {
  std::string name;
  int major = 0, minor = 0;  ///< compute capability
  int multi_processor_count = 0;
  size_t total_memory = 0;  ///< bytes
};
/// Throws when there is no such device; -1 is the current one, here and below.
DeviceProperties get_device_properties(DeviceIndex device = -1);
/// The device that new CUDA tensors of this thread go to where none is named.
DeviceIndex current_device();
void set_device(DeviceIndex device);
/// May products of float32 matrices round their operands to TF32, which has 10 bits after the point? No unless allowed
/// (libtorch's allow_tf32).
bool allow_tf32_matmul();
void set_allow_tf32_matmul(bool allow);
/// The same for convolutions. Yes unless forbidden, as in libtorch (allow_tf32_cudnn).
bool allow_tf32_cudnn();
void set_allow_tf32_cudnn(bool allow);
/// Does cuDNN time a few ways to compute a convolution when it meets a shape, and keep the fastest? No unless asked
/// (libtorch's benchmark_cudnn). Results then may differ between runs of a program in their last bits.
bool benchmark_cudnn();
void set_benchmark_cudnn(bool on);
/// Waits for everything that was started on a device.
void synchronize(DeviceIndex device = -1);

using strata::DeviceGuard;

/// A queue of work on a device; a value that names it. Work of one stream runs in order.
class Stream {
 public:
  Stream(DeviceIndex device, void* native) : device_(device), native_(native) {}
  /// One of a few streams that are handed out in turn.
  static Stream from_pool(bool high_priority = false, DeviceIndex device = -1);
  DeviceIndex device_index() const { return device_; }
  /// The `cudaStream_t`, for calls of the CUDA runtime.
  void* native() const { return native_; }
  /// Has all work that was put on this stream finished?
  bool query() const;
  void synchronize() const;
  friend bool operator==(const Stream& a, const Stream& b) = default;

 private:
  DeviceIndex device_;
  void* native_;
};

/// The stream that this thread's work goes to; the device's default stream at first.
Stream current_stream(DeviceIndex device = -1);
void set_current_stream(const Stream& stream);

/// Makes a stream and its device the current ones until the end of the scope.
class StreamGuard {
 public:
  explicit StreamGuard(const Stream& stream);
  ~StreamGuard();
  StreamGuard(const StreamGuard&) = delete;
  StreamGuard& operator=(const StreamGuard&) = delete;

 private:
  DeviceGuard device_;
  Stream previous_;
};

/// A point in a stream that others wait for and that takes the time; made when it is first recorded.
class Event {
 public:
  explicit Event(bool timing = true) : timing_(timing) {}
  ~Event();
  Event(Event&& o) noexcept;
  Event& operator=(Event&& o) noexcept;
  void record(const Stream& stream = current_stream());
  /// Work of `stream` from now on waits for the event.
  void block(const Stream& stream = current_stream()) const;
  bool query() const;
  void synchronize() const;
  /// Milliseconds from this event to a later one; both have happened.
  float elapsed_time(const Event& end) const;

 private:
  bool timing_;
  void* native_ = nullptr;
};

/// Is each kernel waited for, so that what goes wrong in it is reported with its op? So with STRATA_CUDA_BLOCKING=1 in
/// the environment and in autograd's anomaly mode.
bool launches_block();
void set_launches_block(bool on);

using Block = DeviceBlock;

/// What the caching allocator of a device holds, in bytes.
struct MemoryStats {
  int64_t allocated = 0;  ///< by tensors
  int64_t reserved = 0;   ///< of the device, with what is kept for reuse
  int64_t max_allocated = 0;
  int64_t max_reserved = 0;
  int64_t num_allocs = 0;         ///< blocks handed out so far
  int64_t num_device_allocs = 0;  ///< calls of the driver for them
};
MemoryStats memory_stats(DeviceIndex device = -1);
void reset_peak_memory_stats(DeviceIndex device = -1);
/// Returns what is kept for reuse to the driver.
void empty_cache();
/// A CPU tensor whose pages are locked: a copy of it to the device, the current one, does not make the host wait.
Tensor empty_pinned(IntArrayRef sizes, DType dtype = kFloat);
/// Says that `stream` uses a tensor that was made for another one: its memory, once freed, waits for the work that the
/// stream has by then.
void record_stream(const Tensor& t, const Stream& stream);
/// All blocks of a device as JSON: address, bytes, stream, state.
std::string memory_snapshot(DeviceIndex device = -1);

}  // namespace strata::cuda
