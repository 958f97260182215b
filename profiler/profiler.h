// The profiler: which ops ran, for how long, and what they started on a GPU; as a table and as a Chrome trace.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "../core/function.h"
#include "ranges.h"

namespace strata::profiler {

/// Which steps of a loop are kept: `wait` steps are not recorded, then `warmup` ones are recorded and dropped, then
/// `active` ones are kept; and that over again, `repeat` times or (0) for ever.
struct Schedule {
  int64_t wait = 0, warmup = 0;
  int64_t active = 0;  ///< 0: everything from start to stop
  int64_t repeat = 0;
};

struct ProfilerOptions {
  bool record_shapes = false;   ///< keep the shapes and dtypes of each op's inputs
  bool profile_memory = false;  ///< keep by how much each op changed the memory in use
  bool cuda = true;             ///< record kernels, copies and CUDA calls, where a device and CUPTI are found
  Schedule schedule = {};
};

inline constexpr size_t kNoEvent = SIZE_MAX;

/// One row of a profile. Times are in nanoseconds since the profiler started.
struct Event {
  std::string name;
  EventKind kind = EventKind::kOp;
  bool in_backward = false;
  int64_t begin = 0, end = 0;
  size_t parent = kNoEvent;  ///< index of the row around it; of a row on a device, of the row that started it
  int64_t thread = 0;        ///< the system's number of the thread, 0 on a device
  int32_t device = -1;       ///< -1 is the host
  int64_t stream = 0;        ///< on a device
  uint64_t correlation = 0;  ///< equal for a CUDA call and what it started; 0 is none
  std::vector<std::vector<int64_t>> input_shapes;
  std::vector<std::string> input_dtypes;
  int64_t memory = 0;  ///< bytes that the row, with what is inside it, took (or, negative, gave back)
  int64_t bytes = 0;   ///< that a copy or a fill on a device moved
  uint32_t grid[3] = {}, block[3] = {};
  /// Path of the innermost module (`encoder.layers.2.linear1`; of a root its class) in whose call the row lies; empty
  /// outside of modules, and in backward, which runs after their calls.
  std::string module;

  int64_t duration() const { return end - begin; }
  bool on_device() const { return device >= 0; }
};

/// All rows of one name together. "Self" leaves out the rows inside a row; device times are those of what it started.
struct Average {
  std::string key;
  std::string input_shapes;  ///< where they are grouped by
  std::string module;        ///< where they are grouped by
  int64_t count = 0;
  int64_t cpu_time = 0, self_cpu_time = 0;
  int64_t cuda_time = 0, self_cuda_time = 0;
  int64_t memory = 0, self_memory = 0;
};

/// What took the memory that was in use at one moment: all buffers taken in one place.
struct MemoryHolder {
  std::vector<std::string> stack;  ///< names of the rows around the place, the outermost first
  std::string op;                  ///< the innermost row; empty outside of rows
  std::string module;              ///< its module's path
  int64_t bytes = 0, count = 0;
};

/// The moment at which most bytes of big buffers (those above 1 KiB, on the host) were in use.
struct MemoryPeak {
  int64_t bytes = 0;                  ///< all of them
  int64_t before = 0;                 ///< of these, taken before the profiler started
  int64_t time = 0;                   ///< nanoseconds since the profiler started
  std::vector<MemoryHolder> holders;  ///< of the others, the largest first
};

/// Records what the thread that starts it does, backward included, and any thread that is attached. One at a time in a
/// process. Without one, an op costs what it costs without this class.
class Profiler {
 public:
  explicit Profiler(ProfilerOptions options = {});
  ~Profiler();
  Profiler(const Profiler&) = delete;
  Profiler& operator=(const Profiler&) = delete;

  /// Throws if a profiler is running. What was recorded before is dropped.
  void start();
  /// Rows that are open end here.
  void stop();
  /// Ends a step of a loop, which is a row, and begins the next: for `ProfilerOptions::schedule`.
  void step();
  /// Called when the active steps of a cycle are over, and by stop: it may look at the events and write a trace.
  void on_trace_ready(strata::detail::Function<void(Profiler&)> handler);

  /// What was recorded, host rows by thread and time, then those of devices.
  const std::vector<Event>& events() const;
  /// Rows of equal name, and of equal input shapes and equal modules if asked, together.
  std::vector<Average> key_averages(bool group_by_input_shape = false, bool group_by_module = false) const;
  /// The averages as text, highest first by one of: self_cpu_time_total, cpu_time_total, cpu_time, count,
  /// self_cuda_time_total, cuda_time_total, self_cpu_memory_usage, cpu_memory_usage.
  std::string table(std::string_view sort_by = "self_cpu_time_total", size_t row_limit = 100,
                    bool group_by_input_shape = false, bool group_by_module = false) const;
  /// Writes the JSON that chrome://tracing and ui.perfetto.dev read. The file appears when it is complete.
  void export_chrome_trace(const std::string& path) const;
  /// What held memory at the peak; only with `ProfilerOptions::profile_memory`, else it throws.
  const MemoryPeak& memory_peak() const;
  /// The same as text: bytes at the peak by op and by module, the largest first.
  std::string memory_table(size_t row_limit = 20) const;
  /// Writes an SVG: a box for each row around what held memory at the peak, as wide as its bytes, with what was called
  /// inside above it. Boxes tell their bytes where the pointer rests on them.
  void export_memory_flame_graph(const std::string& path) const;
  /// Why there are no rows of devices; empty if nothing hinders them.
  const std::string& cuda_problem() const;

 private:
  struct Impl;
  const Impl& finished() const;
  std::unique_ptr<Impl> impl_;
};

/// Profiles its scope and writes the trace at its end: `profiler::profile guard("trace.json");`
class profile {
 public:
  explicit profile(std::string path, ProfilerOptions options = {});
  /// Says on stderr if the file cannot be written.
  ~profile();
  Profiler* operator->() { return &profiler_; }

 private:
  Profiler profiler_;
  std::string path_;
};

/// Lets the running profiler see this thread, until the end of the scope.
class Attach {
 public:
  Attach();
  ~Attach();
  Attach(const Attach&) = delete;
  Attach& operator=(const Attach&) = delete;
};

/// While alive, each op of this thread is also an NVTX range, for Nsight Systems: see nvtx.h.
class emit_nvtx {
 public:
  explicit emit_nvtx(bool record_shapes = false);
  ~emit_nvtx();
  emit_nvtx(const emit_nvtx&) = delete;
  emit_nvtx& operator=(const emit_nvtx&) = delete;

 private:
  bool outer_, outer_shapes_;
};

}  // namespace strata::profiler

/// `STRATA_RECORD_FUNCTION("forward");` names the rest of the scope.
#define STRATA_RECORD_FUNCTION_JOIN(a, b) a##b
#define STRATA_RECORD_FUNCTION_NAME(line) STRATA_RECORD_FUNCTION_JOIN(strata_record_function_, line)
#define STRATA_RECORD_FUNCTION(name) \
  const ::strata::profiler::RecordFunction STRATA_RECORD_FUNCTION_NAME(__LINE__)(name)
