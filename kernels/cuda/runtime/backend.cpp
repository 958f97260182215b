// The backend behind core/cuda.h: devices, streams, events and memory through the CUDA runtime.
#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/cuda_backend.h"
#include "core/cuda_graph.h"
#include "kernels/cuda/random/random.h"
#include "kernels/cuda/runtime/caching_allocator.h"
#include "kernels/cuda/runtime/graph.h"
#include "kernels/cuda/runtime/index_error.h"
#include "kernels/cuda/runtime/launch.h"

namespace strata::cuda {
namespace {

constexpr int kPoolStreams = 32;

cudaStream_t native(void* stream) { return static_cast<cudaStream_t>(stream); }
cudaEvent_t native_event(void* event) { return static_cast<cudaEvent_t>(event); }

/// Makes a device the runtime's current one until the end of the scope.
class RuntimeDevice {
 public:
  explicit RuntimeDevice(int device) {
    check(cudaGetDevice(&previous_), "cudaGetDevice");
    if (previous_ == device) return;
    check(cudaSetDevice(device), "cudaSetDevice");
    changed_ = true;
  }
  ~RuntimeDevice() {
    if (changed_) cudaSetDevice(previous_);
  }
  RuntimeDevice(const RuntimeDevice&) = delete;
  RuntimeDevice& operator=(const RuntimeDevice&) = delete;

 private:
  int previous_ = 0;
  bool changed_ = false;
};

/// A device's default stream: one of its own, since the runtime's null stream means another device's with each device
/// that is current. Like that one it waits for the work of libraries that know no streams.
class DefaultStream {
 public:
  cudaStream_t get(int device) {
    std::call_once(made_, [&] {
      const RuntimeDevice guard(device);
      check(cudaStreamCreate(&stream_), "cudaStreamCreate");
    });
    return stream_;
  }

 private:
  std::once_flag made_;
  cudaStream_t stream_ = nullptr;
};
DefaultStream default_streams[kMostDevices];

/// This thread's current streams; null where it has not asked yet.
constinit thread_local cudaStream_t current_streams[kMostDevices] = {};

cudaStream_t current_of(DeviceIndex device) {
  cudaStream_t& stream = current_streams[device];
  if (!stream) [[unlikely]]
    stream = default_streams[device].get(device);
  return stream;
}

/// The answer of a query.
bool is_done(cudaError_t status, const char* what) {
  if (status == cudaErrorNotReady) {
    cudaGetLastError();
    return false;
  }
  check(status, what);
  return true;
}

/// True when an allocation succeeded, false when memory is short; any other error throws.
bool was_allocated(cudaError_t status, const char* what) {
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    return false;
  }
  check(status, what);
  return true;
}

/// The memory of a device. Events that the allocator is done with are kept for the next time.
class GpuMemory : public DeviceMemory {
 public:
  explicit GpuMemory(int device) : device_(device) {}

  void* allocate(size_t bytes) override {
    const RuntimeDevice guard(device_);
    const RelaxedCapture relaxed;
    void* p = nullptr;
    return was_allocated(cudaMalloc(&p, bytes), "cudaMalloc") ? p : nullptr;
  }
  void free(void* p) override {
    const RuntimeDevice guard(device_);
    check(cudaFree(p), "cudaFree");
  }
  Amounts amounts() override {
    const RuntimeDevice guard(device_);
    const RelaxedCapture relaxed;
    Amounts a;
    check(cudaMemGetInfo(&a.free, &a.total), "cudaMemGetInfo");
    return a;
  }

  void* record(void* stream) override {
    const RuntimeDevice guard(device_);
    const cudaEvent_t event = spare_event();
    check(cudaEventRecord(event, native(stream)), "cudaEventRecord");
    return event;
  }
  bool has_passed(void* event) override { return is_done(cudaEventQuery(native_event(event)), "cudaEventQuery"); }
  void wait(void* event) override { check(cudaEventSynchronize(native_event(event)), "cudaEventSynchronize"); }
  void destroy(void* event) override { spare_events_.push_back(native_event(event)); }

 protected:
  const int device_;

 private:
  cudaEvent_t spare_event() {
    cudaEvent_t event = nullptr;
    if (spare_events_.empty()) {
      check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    } else {
      event = spare_events_.back();
      spare_events_.pop_back();
    }
    return event;
  }
  std::vector<cudaEvent_t> spare_events_;
};

/// Host memory whose pages are locked, for copies to and from one device: events are the device's.
class PinnedMemory final : public GpuMemory {
 public:
  using GpuMemory::GpuMemory;
  void* allocate(size_t bytes) override {
    const RuntimeDevice guard(device_);
    const RelaxedCapture relaxed;
    void* p = nullptr;
    return was_allocated(cudaHostAlloc(&p, bytes, cudaHostAllocDefault), "cudaHostAlloc") ? p : nullptr;
  }
  void free(void* p) override { check(cudaFreeHost(p), "cudaFreeHost"); }
  /// The runtime does not say how much the host has left.
  Amounts amounts() override { return {}; }
};

/// Streams that are made when the first is asked for and handed out in turn.
class StreamPool {
 public:
  cudaStream_t next(int device, bool high_priority) {
    std::call_once(made_, [&] { make(device, high_priority); });
    return streams_[next_.fetch_add(1, std::memory_order_relaxed) % kPoolStreams];
  }

 private:
  void make(int device, bool high_priority) {
    const RuntimeDevice guard(device);
    int lowest = 0, highest = 0;
    check(cudaDeviceGetStreamPriorityRange(&lowest, &highest), "cudaDeviceGetStreamPriorityRange");
    for (cudaStream_t& stream : streams_) {
      check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, high_priority ? highest : lowest),
            "cudaStreamCreateWithPriority");
    }
  }
  std::once_flag made_;
  std::atomic<unsigned> next_{0};
  cudaStream_t streams_[kPoolStreams] = {};
};

/// What the backend knows of one device.
struct Gpu {
  explicit Gpu(int index)
      : memory(index),
        pinned_memory(index),
        allocator(memory, "cuda:" + std::to_string(index)),
        pinned(pinned_memory, "pinned host memory for cuda:" + std::to_string(index)) {
    check(cudaGetDeviceProperties(&properties, index), "cudaGetDeviceProperties");
  }
  GpuMemory memory;
  PinnedMemory pinned_memory;
  CachingAllocator allocator, pinned;
  StreamPool pools[2];  ///< of ordinary and of high priority
  Captures captures;
  cudaDeviceProp properties;
};

/// Needed to take a block back from its handle alone; freed with the block.
struct Handle {
  CachingAllocator* allocator;
  CachingAllocator::Block* block;
};

class RuntimeBackend final : public Backend {
 public:
  explicit RuntimeBackend(int devices) {
    for (int i = 0; i < devices; ++i) gpus_.push_back(std::make_unique<Gpu>(i));
  }

  DeviceIndex device_count() const override { return static_cast<DeviceIndex>(gpus_.size()); }
  DeviceProperties properties(DeviceIndex device) const override {
    const cudaDeviceProp& p = gpus_[device]->properties;
    return {p.name, p.major, p.minor, p.multiProcessorCount, p.totalGlobalMem};
  }
  DeviceIndex current_device() const override {
    int device = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    return static_cast<DeviceIndex>(device);
  }
  void set_device(DeviceIndex device) override { check(cudaSetDevice(device), "cudaSetDevice"); }
  void synchronize(DeviceIndex device) override {
    const RuntimeDevice guard(device);
    check(cudaDeviceSynchronize(), "synchronize");
    throw_index_errors();
  }

  void* current_stream(DeviceIndex device) const override { return current_of(device); }
  void set_current_stream(DeviceIndex device, void* stream) override { current_streams[device] = native(stream); }
  void* pool_stream(DeviceIndex device, bool high_priority) override {
    return gpus_[device]->pools[high_priority].next(device, high_priority);
  }
  bool stream_done(void* stream) override { return is_done(cudaStreamQuery(native(stream)), "cudaStreamQuery"); }
  void synchronize_stream(void* stream) override {
    check(cudaStreamSynchronize(native(stream)), "Stream::synchronize");
    throw_index_errors();
  }

  void* create_event(DeviceIndex device, bool timing) override {
    const RuntimeDevice guard(device);
    cudaEvent_t event = nullptr;
    check(cudaEventCreateWithFlags(&event, timing ? cudaEventDefault : cudaEventDisableTiming),
          "cudaEventCreateWithFlags");
    return event;
  }
  void destroy_event(void* event) noexcept override { cudaEventDestroy(native_event(event)); }
  void record_event(void* event, void* stream) override {
    check(cudaEventRecord(native_event(event), native(stream)), "Event::record");
  }
  void wait_event(void* stream, void* event) override {
    check(cudaStreamWaitEvent(native(stream), native_event(event), 0), "Event::block");
  }
  bool event_done(void* event) override { return is_done(cudaEventQuery(native_event(event)), "cudaEventQuery"); }
  void synchronize_event(void* event) override {
    check(cudaEventSynchronize(native_event(event)), "Event::synchronize");
    throw_index_errors();
  }
  float elapsed_time(void* begin, void* end) override {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, native_event(begin), native_event(end)), "Event::elapsed_time");
    return milliseconds;
  }

  Block allocate(size_t bytes, DeviceIndex device) override {
    Gpu& gpu = *gpus_[device];
    const cudaStream_t stream = current_of(device);
    return block_of(gpu.allocator, bytes, stream, gpu.captures.pool_of(stream));
  }
  /// No stream owns host memory: every use of it is recorded.
  Block allocate_pinned(size_t bytes, DeviceIndex device) override {
    return block_of(gpus_[device]->pinned, bytes, nullptr);
  }
  void free(void* handle) noexcept override {
    const std::unique_ptr<Handle> h(static_cast<Handle*>(handle));
    h->allocator->free(h->block);
  }
  void copy_from_host(void* to, DeviceIndex device, const void* from, size_t bytes) override {
    const cudaStream_t stream = current_of(device);
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream), "copy to the device");
    check(cudaStreamSynchronize(stream), "copy to the device");
  }
  void copy_to_host(void* to, const void* from, DeviceIndex device, size_t bytes) override {
    const cudaStream_t stream = current_of(device);
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream), "copy to the host");
    check(cudaStreamSynchronize(stream), "copy to the host");
    throw_index_errors();
  }
  bool record_use(const void* address, DeviceIndex device, void* stream) override {
    for (CachingAllocator* const from : {&gpus_[device]->allocator, &gpus_[device]->pinned}) {
      CachingAllocator::Block* const block = from->find(address);
      if (!block) continue;
      from->record_use(block, stream);
      return true;
    }
    return false;
  }
  bool is_pinned(const void* address) override {
    cudaPointerAttributes memory;
    check(cudaPointerGetAttributes(&memory, address), "is_pinned");
    return memory.type == cudaMemoryTypeHost;
  }
  MemoryStats memory_stats(DeviceIndex device) const override { return gpus_[device]->allocator.stats(); }
  void reset_peak_memory_stats(DeviceIndex device) override { gpus_[device]->allocator.reset_peak_stats(); }
  void empty_cache() override {
    for (const auto& gpu : gpus_) {
      gpu->allocator.empty_cache();
      gpu->pinned.empty_cache();
    }
  }
  std::string memory_snapshot(DeviceIndex device) const override { return gpus_[device]->allocator.snapshot(); }

  void begin_capture(DeviceIndex device, void* stream, uint64_t pool) override {
    STRATA_CHECK(stream != default_streams[device].get(device),
                 "Graph: the default stream cannot be captured; Graph::capture takes another, as does a StreamGuard");
    Gpu& gpu = *gpus_[device];
    gpu.captures.begin(native(stream), pool);
    gpu.allocator.begin_capture(pool);
    gpu.pinned.begin_capture(0);
  }
  void* end_capture(DeviceIndex device, void* stream) override {
    Gpu& gpu = *gpus_[device];
    const auto memory_goes_on = [](Gpu* g) {
      g->allocator.end_capture();
      g->pinned.end_capture();
    };
    const std::unique_ptr<Gpu, decltype(memory_goes_on)> at_the_end(&gpu, memory_goes_on);
    return gpu.captures.end(native(stream));
  }
  void launch_graph(void* graph, void* stream) override {
    check(cudaGraphLaunch(static_cast<cudaGraphExec_t>(graph), native(stream)), "Graph::replay");
  }
  void destroy_graph(void* graph) noexcept override { cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(graph)); }
  void release_pool(DeviceIndex device, uint64_t pool) noexcept override {
    try {
      gpus_[device]->allocator.release_pool(pool);
    } catch (const Error&) {  // the device has failed: later calls say so
    }
  }
  void write_position(uint64_t* words, Generator::Position at, DeviceIndex device, void* stream) override {
    const RuntimeDevice guard(device);
    cuda::random::write_position(words, at, native(stream));
  }

  const Gpu& gpu(DeviceIndex device) const { return *gpus_[device]; }

 private:
  static Block block_of(CachingAllocator& from, size_t bytes, void* stream, uint64_t pool = 0) {
    CachingAllocator::Block* const block = from.allocate(bytes, stream, pool);
    return {CachingAllocator::data(block), new Handle{&from, block}};
  }
  std::vector<std::unique_ptr<Gpu>> gpus_;
};

int count_devices() {
  int count = 0;
  int driver = 0;
  check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  STRATA_CHECK(driver > 0, "no NVIDIA driver is installed");
  const cudaError_t status = cudaGetDeviceCount(&count);
  cudaGetLastError();
  STRATA_CHECK(status == cudaSuccess, "the CUDA runtime finds no device: {}", cudaGetErrorString(status));
  return std::min(count, kMostDevices);
}

/// Never destroyed: tensors may outlive static destruction, and the driver cleans up after the process.
RuntimeBackend& instance() {
  static auto* const backend = new RuntimeBackend(count_devices());
  return *backend;
}

}  // namespace

cudaStream_t stream_of(DeviceIndex device) { return current_of(device); }

int multiprocessors(DeviceIndex device) { return instance().gpu(device).properties.multiProcessorCount; }

void check_launch(std::string_view op) {
  cudaError_t status = cudaGetLastError();
  if (status == cudaSuccess && launches_block() && !is_current_stream_capturing()) status = cudaDeviceSynchronize();
  STRATA_CHECK(status == cudaSuccess, "{}: the CUDA kernel failed: {}", op, cudaGetErrorString(status));
  throw_index_errors();
}

}  // namespace strata::cuda

extern "C" strata::cuda::Backend* strata_cuda_backend() { return &strata::cuda::instance(); }
