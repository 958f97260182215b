// Kernels, copies and CUDA calls for the profiler, by the activity records of CUPTI, which is loaded when one starts.
#include <cuda_runtime_api.h>
#include <cupti.h>
#include <cxxabi.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/cuda_backend.h"
#include "profiler/device.h"

namespace strata::cuda {
namespace {

using profiler::Activity;
using profiler::ClockMap;
using profiler::EventKind;

/// CUPTI's functions; null pointers where the library was not found.
struct Cupti {
  decltype(&cuptiActivityRegisterCallbacks) register_callbacks = nullptr;
  decltype(&cuptiActivityEnable) enable = nullptr;
  decltype(&cuptiActivityDisable) disable = nullptr;
  decltype(&cuptiActivityFlushAll) flush = nullptr;
  decltype(&cuptiActivityGetNextRecord) next_record = nullptr;
  decltype(&cuptiActivityPushExternalCorrelationId) push = nullptr;
  decltype(&cuptiActivityPopExternalCorrelationId) pop = nullptr;
  decltype(&cuptiSetThreadIdType) set_thread_id_type = nullptr;
  decltype(&cuptiGetTimestamp) timestamp = nullptr;
  decltype(&cuptiGetCallbackName) callback_name = nullptr;
  decltype(&cuptiGetResultString) result_string = nullptr;
  std::string problem;
};

/// As its users find it, or where it was when this library was built.
void* open_library() {
  const std::string versioned = "libcupti.so." + std::to_string(CUDART_VERSION / 1000);
  for (const char* name : {versioned.c_str(), STRATA_CUPTI_LIBRARY})
    if (void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
  return nullptr;
}

Cupti load() {
  Cupti c;
  void* const library = open_library();
  if (!library) {
    c.problem = std::string("CUPTI was not found: ") + dlerror();
    return c;
  }
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, name));
    if (!function) c.problem = std::string("CUPTI has no ") + name;
  };
  find(c.register_callbacks, "cuptiActivityRegisterCallbacks");
  find(c.enable, "cuptiActivityEnable");
  find(c.disable, "cuptiActivityDisable");
  find(c.flush, "cuptiActivityFlushAll");
  find(c.next_record, "cuptiActivityGetNextRecord");
  find(c.push, "cuptiActivityPushExternalCorrelationId");
  find(c.pop, "cuptiActivityPopExternalCorrelationId");
  find(c.set_thread_id_type, "cuptiSetThreadIdType");
  find(c.timestamp, "cuptiGetTimestamp");
  find(c.callback_name, "cuptiGetCallbackName");
  find(c.result_string, "cuptiGetResultString");
  return c;
}

const Cupti& cupti() {
  static const Cupti once = load();
  return once;
}

constexpr size_t kBuffer = size_t{4} << 20;
constexpr auto kExternal = CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0;
constexpr CUpti_ActivityKind kKinds[] = {CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, CUPTI_ACTIVITY_KIND_RUNTIME,
                                         CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                                         CUPTI_ACTIVITY_KIND_MEMSET};

// Records that all versions of CUPTI from 12 on begin with: later ones are longer.
using KernelRecord = CUpti_ActivityKernel8;
using CopyRecord = CUpti_ActivityMemcpy5;
using FillRecord = CUpti_ActivityMemset4;

std::string demangled(const char* name) {
  int status = 0;
  char* const text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string out = status == 0 ? text : name;
  std::free(text);
  return out;
}

const char* copy_name(uint8_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
      return "Memcpy HtoD";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
      return "Memcpy DtoH";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD:
      return "Memcpy DtoD";
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOH:
      return "Memcpy HtoH";
    case CUPTI_ACTIVITY_MEMCPY_KIND_PTOP:
      return "Memcpy PtoP";
    default:
      return "Memcpy";
  }
}

/// "cudaLaunchKernel" of "cudaLaunchKernel_v7000".
std::string call_name(CUpti_CallbackId id) {
  const char* name = nullptr;
  if (cupti().callback_name(CUPTI_CB_DOMAIN_RUNTIME_API, id, &name) != CUPTI_SUCCESS || !name) return "CUDA call";
  const std::string_view full(name);
  return std::string(full.substr(0, full.rfind("_v")));
}

/// Calls that only look something up, which each launch makes several of.
bool is_question(std::string_view call) {
  return call == "cudaGetDevice" || call == "cudaSetDevice" || call == "cudaGetLastError" ||
         call == "cudaPeekAtLastError";
}

/// What CUPTI reported, with its own times, until the recording ends.
class Records {
 public:
  void clear() {
    const std::lock_guard guard(lock_);
    activities_.clear();
    range_of_.clear();
  }
  /// Takes all records of a buffer; called by a thread of CUPTI's.
  void read(uint8_t* buffer, size_t bytes);
  std::vector<Activity> take(const ClockMap& clocks);

 private:
  void add(const CUpti_Activity& record);
  void add_call(const CUpti_ActivityAPI& r);
  void add_kernel(const KernelRecord& r);
  template <class R>
  Activity& add_on_device(const R& r, EventKind kind, std::string name);
  const std::string& kernel_name(const char* name);

  std::mutex lock_;
  std::vector<Activity> activities_;
  std::unordered_map<uint64_t, uint64_t> range_of_;  ///< by correlation
  std::unordered_map<std::string, std::string> demangled_;
};
/// Never destroyed: CUPTI may report while the program ends.
Records& records = *new Records;

const std::string& Records::kernel_name(const char* name) {
  const auto [it, fresh] = demangled_.try_emplace(name ? name : "kernel");
  if (fresh) it->second = demangled(it->first.c_str());
  return it->second;
}

template <class R>
Activity& Records::add_on_device(const R& r, EventKind kind, std::string name) {
  Activity a;
  a.kind = kind;
  a.name = std::move(name);
  a.begin = static_cast<int64_t>(r.start);
  a.end = static_cast<int64_t>(r.end);
  a.device = static_cast<int32_t>(r.deviceId);
  a.stream = r.streamId;
  a.correlation = r.correlationId;
  return activities_.emplace_back(std::move(a));
}

void Records::add_kernel(const KernelRecord& r) {
  Activity& a = add_on_device(r, EventKind::kKernel, kernel_name(r.name));
  const int32_t grid[] = {r.gridX, r.gridY, r.gridZ}, block[] = {r.blockX, r.blockY, r.blockZ};
  std::copy(grid, grid + 3, a.grid);
  std::copy(block, block + 3, a.block);
}

void Records::add_call(const CUpti_ActivityAPI& r) {
  Activity a;
  a.kind = EventKind::kRuntime;
  a.name = call_name(r.cbid);
  if (is_question(a.name)) return;
  a.begin = static_cast<int64_t>(r.start);
  a.end = static_cast<int64_t>(r.end);
  a.thread = r.threadId;
  a.correlation = r.correlationId;
  activities_.push_back(std::move(a));
}

void Records::add(const CUpti_Activity& record) {
  const void* const p = &record;
  switch (record.kind) {
    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION: {
      const auto& r = *static_cast<const CUpti_ActivityExternalCorrelation*>(p);
      if (r.externalKind == kExternal) range_of_[r.correlationId] = r.externalId;
      return;
    }
    case CUPTI_ACTIVITY_KIND_RUNTIME:
      return add_call(*static_cast<const CUpti_ActivityAPI*>(p));
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      return add_kernel(*static_cast<const KernelRecord*>(p));
    case CUPTI_ACTIVITY_KIND_MEMCPY: {
      const auto& r = *static_cast<const CopyRecord*>(p);
      add_on_device(r, EventKind::kMemcpy, copy_name(r.copyKind)).bytes = static_cast<int64_t>(r.bytes);
      return;
    }
    case CUPTI_ACTIVITY_KIND_MEMSET: {
      const auto& r = *static_cast<const FillRecord*>(p);
      add_on_device(r, EventKind::kMemset, "Memset").bytes = static_cast<int64_t>(r.bytes);
      return;
    }
    default:
      return;
  }
}

void Records::read(uint8_t* buffer, size_t bytes) {
  const std::lock_guard guard(lock_);
  CUpti_Activity* record = nullptr;
  while (cupti().next_record(buffer, bytes, &record) == CUPTI_SUCCESS) add(*record);
}

std::vector<Activity> Records::take(const ClockMap& clocks) {
  const std::lock_guard guard(lock_);
  std::erase_if(activities_, [](const Activity& a) { return a.begin == 0; });  // CUPTI could not time them
  for (Activity& a : activities_) {
    a.begin = clocks.to_steady(a.begin);
    a.end = clocks.to_steady(a.end);
    const auto range = range_of_.find(a.correlation);
    if (range != range_of_.end()) a.range = range->second;
  }
  range_of_.clear();
  return std::exchange(activities_, {});
}

void CUPTIAPI give_buffer(uint8_t** buffer, size_t* size, size_t* most_records) {
  *buffer = static_cast<uint8_t*>(std::aligned_alloc(64, kBuffer));
  *size = *buffer ? kBuffer : 0;
  *most_records = 0;  // as many as fit
}

void CUPTIAPI take_buffer(CUcontext, uint32_t, uint8_t* buffer, size_t, size_t valid) {
  if (valid) records.read(buffer, valid);
  std::free(buffer);
}

ClockMap::Reading read_clocks() {
  return ClockMap::read([] {
    uint64_t now = 0;
    cupti().timestamp(&now);
    return static_cast<int64_t>(now);
  });
}

/// Waits for the devices that hold memory: the others were never used, and asking them would set them up.
void wait_for_devices() {
  Backend& b = backend();
  for (DeviceIndex d = 0; d < b.device_count(); ++d)
    if (b.memory_stats(d).reserved > 0) b.synchronize(d);
}

class CuptiTracer final : public profiler::DeviceTracer {
 public:
  std::string start() override;
  std::vector<Activity> stop() override;
  void push(uint64_t id) noexcept override { cupti().push(kExternal, id); }
  void pop() noexcept override {
    uint64_t last = 0;
    cupti().pop(kExternal, &last);
  }

 private:
  static void disable() {
    for (const CUpti_ActivityKind kind : kKinds) cupti().disable(kind);
  }
  /// Empty, or what went wrong.
  static std::string text_of(CUptiResult result, const char* what) {
    if (result == CUPTI_SUCCESS) return {};
    const char* text = nullptr;
    cupti().result_string(result, &text);
    return std::string("CUPTI: ") + what + ": " + (text ? text : "unknown error");
  }
  ClockMap::Reading begin_{};
};

std::string CuptiTracer::start() {
  const Cupti& c = cupti();
  if (!c.problem.empty()) return c.problem;
  records.clear();
  std::string problem = text_of(c.register_callbacks(&give_buffer, &take_buffer), "cuptiActivityRegisterCallbacks");
  c.set_thread_id_type(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);  // only matters to calls outside of any row
  for (const CUpti_ActivityKind kind : kKinds)
    if (problem.empty()) problem = text_of(c.enable(kind), "cuptiActivityEnable");
  if (!problem.empty()) disable();
  begin_ = read_clocks();
  return problem;
}

std::vector<Activity> CuptiTracer::stop() {
  try {
    wait_for_devices();
  } catch (...) {
    disable();
    throw;
  }
  const ClockMap clocks(begin_, read_clocks());
  disable();
  cupti().flush(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  return records.take(clocks);
}

CuptiTracer tracer;
[[maybe_unused]] const bool installed = (profiler::set_device_tracer(&tracer), true);

}  // namespace
}  // namespace strata::cuda
