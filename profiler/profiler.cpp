// Starting and stopping a profile, and turning what the threads wrote into events.
#include "profiler/profiler.h"

#include <cstdio>

#include "core/device.h"
#include "core/error.h"
#include "profiler/log.h"
#include "profiler/write_file.h"

namespace strata::profiler {

struct Profiler::Impl {
  ProfilerOptions options;
  std::shared_ptr<Session> session;  ///< while it runs
  bool finished = false;
  std::vector<Event> events;
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
    if (impl_->session) stop();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "profiler: %s\n", e.what());
  }
}

void Profiler::start() {
  STRATA_CHECK(!impl_->session, "profiler: started already");
  auto session = std::make_shared<Session>();
  session->options = impl_->options;
  reserve_session(session);
  impl_->session = session;
  impl_->events.clear();
  impl_->finished = false;
  impl_->cuda_problem = start_tracer(*session);
  session->begin = steady_now();
  begin_session();
  attach();
}

void Profiler::stop() {
  STRATA_CHECK(impl_->session, "profiler: not started");
  const std::shared_ptr<Session> session = std::move(impl_->session);
  detach();
  end_session();
  std::vector<Activity> activities;
  if (session->tracer) activities = session->tracer->stop();
  session->end = steady_now();
  impl_->events = merge(*session, std::move(activities));
  impl_->finished = true;
}

const Profiler::Impl& Profiler::finished() const {
  STRATA_CHECK(impl_->finished, "profiler: nothing recorded yet: start() and stop() come first");
  return *impl_;
}

const std::vector<Event>& Profiler::events() const { return finished().events; }
const std::string& Profiler::cuda_problem() const { return impl_->cuda_problem; }

std::vector<Average> Profiler::key_averages(bool group_by_input_shape) const {
  return averages_of(events(), group_by_input_shape);
}
std::string Profiler::table(std::string_view sort_by, size_t row_limit, bool group_by_input_shape) const {
  return table_of(events(), sort_by, row_limit, group_by_input_shape);
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
