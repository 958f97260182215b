// Finding the CUDA library, and the public functions that hand over to it.
#include "core/cuda.h"

#include <dlfcn.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

#include "core/cuda_backend.h"
#include "core/error.h"
#include "core/tensor.h"

namespace strata::cuda {
namespace {

/// The library lies beside this one, or wherever the loader looks.
std::string library_path() {
  Dl_info info;
  const auto here = reinterpret_cast<const void*>(&current_device);
  const std::string path = dladdr(here, &info) && info.dli_fname ? info.dli_fname : "";
  const size_t slash = path.rfind('/');
  return (slash == std::string::npos ? "" : path.substr(0, slash + 1)) + "libstrata_cuda.so";
}

struct Loaded {
  Backend* backend = nullptr;
  std::string why_not;
};

Loaded none(const std::string& why) { return {nullptr, "no CUDA device can be used: " + why}; }

Loaded load() {
  void* library = dlopen(library_path().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen("libstrata_cuda.so", RTLD_NOW | RTLD_LOCAL);
  if (!library) return none(std::string("the library of CUDA kernels was not loaded: ") + dlerror());
  const auto entry = reinterpret_cast<EntryPoint>(dlsym(library, kEntryPoint));
  if (!entry) return none("libstrata_cuda.so is not one of this version");
  try {
    Backend* const made = entry();
    if (made->device_count() == 0) return none("the driver knows no CUDA device");
    return {made, {}};
  } catch (const Error& e) {
    return none(e.what());
  }
}

const Loaded& loaded() {
  static const Loaded once = load();
  return once;
}

constexpr DeviceLoader loader{[]() -> DeviceBackend* { return loaded().backend; },
                              [] { return loaded().why_not.c_str(); }};
const bool registered = (set_device_loader(kCUDA, &loader), true);

std::atomic<bool> tf32_matmul{false}, tf32_cudnn{true}, times_cudnn{false};

std::atomic<bool> blocking = [] {
  const char* const value = std::getenv("STRATA_CUDA_BLOCKING");
  return value && std::strcmp(value, "0") != 0;
}();

DeviceIndex checked(DeviceIndex device) { return numbered(Device(kCUDA, device)).index(); }

}  // namespace

Backend* find_backend() { return static_cast<Backend*>(find_device_backend(kCUDA)); }
Backend& backend() { return static_cast<Backend&>(device_backend(kCUDA)); }
Backend* set_backend(Backend* backend) { return static_cast<Backend*>(set_device_backend(kCUDA, backend)); }

bool is_available() { return find_backend() != nullptr; }
DeviceIndex device_count() {
  Backend* const b = find_backend();
  return b ? b->device_count() : DeviceIndex{0};
}

DeviceProperties get_device_properties(DeviceIndex device) { return backend().properties(checked(device)); }
DeviceIndex current_device() { return backend().current_device(); }
void set_device(DeviceIndex device) { backend().set_device(checked(device)); }
void synchronize(DeviceIndex device) {
  refuse_capture("synchronize");
  backend().synchronize(checked(device));
}

bool launches_block() { return blocking.load(std::memory_order_relaxed); }
void set_launches_block(bool on) { blocking.store(on, std::memory_order_relaxed); }

bool allow_tf32_matmul() { return tf32_matmul.load(std::memory_order_relaxed); }
void set_allow_tf32_matmul(bool allow) { tf32_matmul.store(allow, std::memory_order_relaxed); }
bool allow_tf32_cudnn() { return tf32_cudnn.load(std::memory_order_relaxed); }
void set_allow_tf32_cudnn(bool allow) { tf32_cudnn.store(allow, std::memory_order_relaxed); }
bool benchmark_cudnn() { return times_cudnn.load(std::memory_order_relaxed); }
void set_benchmark_cudnn(bool on) { times_cudnn.store(on, std::memory_order_relaxed); }

Stream Stream::from_pool(bool high_priority, DeviceIndex device) {
  const DeviceIndex d = checked(device);
  return {d, backend().pool_stream(d, high_priority)};
}
bool Stream::query() const {
  refuse_capture("Stream::query");
  return backend().stream_done(native_);
}
void Stream::synchronize() const {
  refuse_capture("Stream::synchronize");
  backend().synchronize_stream(native_);
}

Stream current_stream(DeviceIndex device) {
  const DeviceIndex d = checked(device);
  return {d, backend().current_stream(d)};
}
void set_current_stream(const Stream& stream) { backend().set_current_stream(stream.device_index(), stream.native()); }

StreamGuard::StreamGuard(const Stream& stream)
    : device_(Device(kCUDA, stream.device_index())), previous_(current_stream(stream.device_index())) {
  set_current_stream(stream);
}
StreamGuard::~StreamGuard() { backend().set_current_stream(previous_.device_index(), previous_.native()); }

Event::~Event() {
  if (native_) backend().destroy_event(native_);
}
Event::Event(Event&& o) noexcept : timing_(o.timing_), native_(o.native_) { o.native_ = nullptr; }
Event& Event::operator=(Event&& o) noexcept {
  std::swap(timing_, o.timing_);
  std::swap(native_, o.native_);
  return *this;
}
void Event::record(const Stream& stream) {
  if (!native_) native_ = backend().create_event(stream.device_index(), timing_);
  backend().record_event(native_, stream.native());
}
void Event::block(const Stream& stream) const {
  if (native_) backend().wait_event(stream.native(), native_);
}
bool Event::query() const {
  refuse_capture("Event::query");
  return !native_ || backend().event_done(native_);
}
void Event::synchronize() const {
  refuse_capture("Event::synchronize");
  if (native_) backend().synchronize_event(native_);
}
float Event::elapsed_time(const Event& end) const {
  STRATA_CHECK(native_ && end.native_ && timing_ && end.timing_,
               "Event: elapsed_time needs two events with timing that were recorded");
  return backend().elapsed_time(native_, end.native_);
}

MemoryStats memory_stats(DeviceIndex device) { return backend().memory_stats(checked(device)); }
void reset_peak_memory_stats(DeviceIndex device) { backend().reset_peak_memory_stats(checked(device)); }
void empty_cache() {
  refuse_capture("empty_cache");
  if (Backend* const b = find_backend()) b->empty_cache();
}
void record_stream(const Tensor& t, const Stream& stream) {
  STRATA_CHECK(t.device() == Device(kCUDA, stream.device_index()), "record_stream: a tensor on {}, a stream of cuda:{}",
               t.device().str(), int{stream.device_index()});
  backend().record_use(t.storage()->data(), stream.device_index(), stream.native());
}
std::string memory_snapshot(DeviceIndex device) { return backend().memory_snapshot(checked(device)); }

}  // namespace strata::cuda

namespace strata {
void Tensor::record_stream(const cuda::Stream& stream) const { cuda::record_stream(*this, stream); }
}  // namespace strata
