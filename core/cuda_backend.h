// What the library of CUDA kernels provides to the rest, which does not know CUDA; loaded when a device is first
// needed.
#pragma once
#include <string_view>

#include "cuda.h"
#include "generator.h"

namespace strata::cuda {

/// What CUDA has beyond other devices; streams and events are CUDA's own pointers.
class Backend : public DeviceBackend {
 public:
  virtual DeviceProperties properties(DeviceIndex device) const = 0;

  virtual void* pool_stream(DeviceIndex device, bool high_priority) = 0;
  virtual bool stream_done(void* stream) = 0;
  virtual void synchronize_stream(void* stream) = 0;

  virtual void* create_event(DeviceIndex device, bool timing) = 0;
  virtual void destroy_event(void* event) noexcept = 0;
  virtual void record_event(void* event, void* stream) = 0;
  virtual void wait_event(void* stream, void* event) = 0;
  virtual bool event_done(void* event) = 0;
  virtual void synchronize_event(void* event) = 0;
  virtual float elapsed_time(void* begin, void* end) = 0;

  /// Host memory that the device reads and writes while the host goes on: its pages are locked.
  virtual Block allocate_pinned(size_t bytes, DeviceIndex device) = 0;
  /// Work on the device's `stream` uses memory that holds the address: once freed, it waits for that. False where the
  /// memory is not the backend's.
  virtual bool record_use(const void* address, DeviceIndex device, void* stream) = 0;
  /// Is it host memory whose pages are locked?
  virtual bool is_pinned(const void* address) = 0;
  virtual MemoryStats memory_stats(DeviceIndex device) const = 0;
  virtual void reset_peak_memory_stats(DeviceIndex device) = 0;
  virtual void empty_cache() = 0;
  virtual std::string memory_snapshot(DeviceIndex device) const = 0;

  /// Records what `stream`, and those that wait for it, are given from now on instead of running it. Memory for them
  /// comes from `pool`, which is kept until release_pool was called as often as this.
  virtual void begin_capture(DeviceIndex device, void* stream, uint64_t pool) = 0;
  /// Ends that and returns what was recorded. When it throws, the capture has ended as well.
  virtual void* end_capture(DeviceIndex device, void* stream) = 0;
  virtual void launch_graph(void* graph, void* stream) = 0;
  virtual void destroy_graph(void* graph) noexcept = 0;
  virtual void release_pool(DeviceIndex device, uint64_t pool) noexcept = 0;
  /// Writes a generator's position to two words of device memory, as work of the stream.
  virtual void write_position(uint64_t* words, Generator::Position at, DeviceIndex device, void* stream) = 0;
};

/// The backend; loads it. Throws an error that says why there is none.
Backend& backend();
/// The same, null where there is none.
Backend* find_backend();
/// Puts another one in its place and returns what was put there before: for tests without a GPU.
Backend* set_backend(Backend* backend);

/// What a draw on a CUDA device takes: the position itself or, while this thread captures a graph, one that
/// `captured_position` understands. Throws when the graph does not know the generator.
Generator::Position position_for_draw(const Generator& generator, Generator::Position at);
/// For kernels: where in device memory the graph that this thread captures keeps the seed and the offset from which
/// the draws with this seed count. Null where the seed and the offset are to be taken as they are.
const uint64_t* captured_position(uint64_t seed);
/// Throws while this thread captures a graph: `what` makes the host wait.
void refuse_capture(std::string_view what);

/// The name of the function that the library exports to make its backend, and its type.
inline constexpr const char* kEntryPoint = "strata_cuda_backend";
using EntryPoint = Backend* (*)();

}  // namespace strata::cuda
