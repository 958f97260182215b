// Starting and stopping a profile, and turning what the threads wrote into events.
#include "profiler/profiler.h"

#include <cstdio>
#include <optional>

#include "core/device.h"
#include "core/error.h"
#include "profiler/log.h"
#include "profiler/write_file.h"

namespace strata::profiler {

namespace {

enum class Phase { kWait, kWarmup, kActive };

Phase phase_of(const Schedule& s, int64_t step) {
  if (s.active == 0) return Phase::kActive;
  const int64_t cycle = s.wait + s.warmup + s.active, in_cycle = step % cycle;
  if (s.repeat != 0 && step / cycle >= s.repeat) return Phase::kWait;
  return in_cycle < s.wait ? Phase::kWait : in_cycle < s.wait + s.warmup ? Phase::kWarmup : Phase::kActive;
}

/// Does a cycle begin with this step, though the one before ended in the same phase?
bool begins_cycle(const Schedule& s, int64_t step) {
  return s.active != 0 && step != 0 && step % (s.wait + s.warmup + s.active) == 0;
}

}  // namespace

struct [[gnu::visibility("hidden")]] Profiler::Impl {
  /// Opens a session that this thread writes to.
  void open_session();
  /// Ends it; its rows are kept or dropped.
  void close_session(bool keep);
  void begin_step(Profiler & profiler);
  void end_step() { step_row.reset(); }

  ProfilerOptions options;
  strata::detail::Function<void(Profiler&)> on_trace_ready;
  bool started = false;
  int64_t step = 0;
  Phase phase = Phase::kWait;
  std::optional<RecordFunction> step_row;
  std::shared_ptr<Session> session;  ///< while one is open
  bool finished = false;
  std::vector<Event> events;
  MemoryPeak peak;
  std::string cuda_problem;
};

namespace {

/// Empty, or why the session has no rows of devices.
std::string start_tracer(Session& session) {
  if (!session.options.cuda) return "not asked for";
  if (!cuda::is_available()) return "no CUDA device can be used";
  DeviceTracer* const tracer = device_tracer();
  if (!tracer) return "the library of CUDA kernels was built without CUPTI";
  std::string problem = tracer->start();
  if (problem.empty()) session.tracer = tracer;
  return problem;
}

}  // namespace

Profiler::Profiler(ProfilerOptions options) : impl_(std::make_unique<Impl>()) { impl_->options = options; }

Profiler::~Profiler() {
  try {
    impl_->on_trace_ready = nullptr;
    if (impl_->started) stop();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "profiler: %s\n", e.what());
  }
}

void Profiler::Impl::open_session() {
  auto fresh = std::make_shared<Session>();
  fresh->options = options;
  reserve_session(fresh);
  cuda_problem = start_tracer(*fresh);
  session = std::move(fresh);
  session->begin = steady_now();
  begin_session();
  take_key();
  if (options.profile_memory) watch_memory(session);
}

void Profiler::Impl::close_session(bool keep) {
  const std::shared_ptr<Session> closed = std::move(session);
  if (options.profile_memory) watch_memory(nullptr);
  end_session();
  drop_key();
  std::vector<Activity> activities;
  try {
    if (closed->tracer) activities = closed->tracer->stop();
  } catch (const Error& e) {
    cuda_problem = e.what();
  }
  closed->end = steady_now();
  if (!keep) return;
  events = merge(*closed, std::move(activities));
  if (options.profile_memory) peak = peak_of(*closed, events);
  finished = true;
}

void Profiler::Impl::begin_step(Profiler& profiler) {
  const Phase next = phase_of(options.schedule, step);
  if (session && (next != phase || begins_cycle(options.schedule, step))) {
    const bool keep = phase == Phase::kActive;
    close_session(keep);
    if (keep && on_trace_ready) on_trace_ready(profiler);
  }
  phase = next;
  if (next == Phase::kWait) return;
  if (!session) open_session();
  if (options.schedule.active != 0) step_row.emplace("ProfilerStep#" + std::to_string(step));
}

void Profiler::start() {
  STRATA_CHECK(!impl_->started, "profiler: started already");
  const Schedule& s = impl_->options.schedule;
  STRATA_CHECK(s.wait >= 0 && s.warmup >= 0 && s.active >= 0 && s.repeat >= 0, "profiler: a negative number of steps");
  impl_->events.clear();
  impl_->finished = false;
  impl_->step = 0;
  impl_->begin_step(*this);
  impl_->started = true;
}

void Profiler::step() {
  STRATA_CHECK(impl_->started, "profiler: not started");
  impl_->end_step();
  ++impl_->step;
  impl_->begin_step(*this);
}

void Profiler::stop() {
  STRATA_CHECK(impl_->started, "profiler: not started");
  impl_->started = false;
  impl_->end_step();
  if (!impl_->session) return;
  const bool keep = impl_->phase == Phase::kActive;
  impl_->close_session(keep);
  if (keep && impl_->on_trace_ready) impl_->on_trace_ready(*this);
}

void Profiler::on_trace_ready(strata::detail::Function<void(Profiler&)> handler) {
  impl_->on_trace_ready = std::move(handler);
}

const Profiler::Impl& Profiler::finished() const {
  STRATA_CHECK(impl_->finished, "profiler: nothing recorded yet: start() and stop() come first");
  return *impl_;
}

const std::vector<Event>& Profiler::events() const { return finished().events; }
const std::string& Profiler::cuda_problem() const { return impl_->cuda_problem; }

std::vector<Average> Profiler::key_averages(bool group_by_input_shape, bool group_by_module) const {
  return averages_of(events(), group_by_input_shape, group_by_module);
}
std::string Profiler::table(std::string_view sort_by, size_t row_limit, bool group_by_input_shape,
                            bool group_by_module) const {
  return table_of(events(), sort_by, row_limit, group_by_input_shape, group_by_module);
}
const MemoryPeak& Profiler::memory_peak() const {
  STRATA_CHECK(impl_->options.profile_memory, "profiler: memory was not recorded: set ProfilerOptions::profile_memory");
  return finished().peak;
}
std::string Profiler::memory_table(size_t row_limit) const { return memory_table_of(memory_peak(), row_limit); }
void Profiler::export_memory_flame_graph(const std::string& path) const {
  write_file(path, flame_graph_of(memory_peak()));
}
void Profiler::export_chrome_trace(const std::string& path) const { write_file(path, chrome_trace_of(events())); }

profile::profile(std::string path, ProfilerOptions options) : profiler_(options), path_(std::move(path)) {
  profiler_.start();
}
profile::~profile() {
  try {
    profiler_.stop();
    profiler_.export_chrome_trace(path_);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "profiler: %s\n", e.what());
  }
}

}  // namespace strata::profiler
