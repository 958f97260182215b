// The Chrome trace, and rows of a device that is none: a tracer which reports what the test wants.
#include <strata/strata.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "profiler/device.h"
#include "profiler/log.h"
#include "test/catch.h"
#include "test/profiler/tools.h"

namespace strata::test {
namespace {

using nlohmann::json;
using profiler::Activity;
using profiler::EventKind;

std::string trace_path() {
  return (std::filesystem::temp_directory_path() / ("strata_trace_" + std::to_string(::getpid()) + ".json")).string();
}

json read_trace(const profiler::Profiler& p) {
  const std::string path = trace_path();
  p.export_chrome_trace(path);
  std::ifstream file(path);
  json trace = json::parse(file);
  file.close();
  std::filesystem::remove(path);
  return trace;
}

json row_named(const json& trace, const std::string& name) {
  for (const json& e : trace["traceEvents"])
    if (e["ph"] == "X" && e["name"] == name) return e;
  return {};
}

/// Starts a kernel for each range that is pushed: it runs for 1 us on stream 7, 2 us after the range began.
class FakeTracer final : public profiler::DeviceTracer {
 public:
  std::string start() override { return problem; }
  std::vector<Activity> stop() override { return std::move(activities); }
  void push(uint64_t id) noexcept override {
    ++pushed;
    const auto correlation = static_cast<uint64_t>(pushed);
    const int64_t now = profiler::steady_now();
    Activity call, kernel;
    call.kind = EventKind::kRuntime;
    call.name = "cudaLaunchKernel";
    call.begin = now - 50;  // before the range: the clocks do not agree to the nanosecond
    call.end = now + 1000000000;
    call.correlation = kernel.correlation = correlation;
    call.range = kernel.range = id;
    kernel.name = "kernel<float, \"quoted\">";
    kernel.begin = now + 2000;
    kernel.end = now + 3000;
    kernel.stream = 7;
    kernel.grid[0] = 4;
    kernel.block[0] = 256;
    activities.insert(activities.end(), {kernel, call});
  }
  void pop() noexcept override { ++popped; }
  std::vector<Activity> activities;
  std::string problem;
  int pushed = 0, popped = 0;
};

}  // namespace

TEST_CASE("a trace is JSON with complete events in microseconds") {
  const Tensor a = ones({2, 3});
  profiler::Profiler p({.record_shapes = true});
  p.start();
  {
    const profiler::RecordFunction odd("a \"name\"\n\twith \\ and \x01 in it");
    (void)(a * a);
  }
  p.stop();
  const json trace = read_trace(p);
  const json row = row_named(trace, "mul");
  CHECK(row["cat"] == "cpu_op");
  CHECK(row["pid"] == ::getpid());
  CHECK(row["dur"].get<double>() * 1000 == Approx(p.events()[1].duration()));
  CHECK(row["ts"].get<double>() * 1000 == Approx(p.events()[1].begin));
  CHECK(row["args"]["Input Dims"] == json({{2, 3}, {2, 3}}));
  CHECK(row["args"]["Input type"] == json({"float32", "float32"}));
  CHECK(row_named(trace, "a \"name\"\n\twith \\ and \x01 in it")["cat"] == "user_annotation");
  CHECK(trace["traceEvents"][0]["ph"] == "M");
}

TEST_CASE("a trace that cannot be written is an error, and leaves nothing") {
  profiler::Profiler p;
  p.start();
  p.stop();
  CHECK_THROWS_WITH(p.export_chrome_trace("/no/such/folder/t.json"),
                    Catch::Matchers::ContainsSubstring("cannot create"));
  const std::string path = trace_path();
  std::filesystem::create_directories(path + "/full");
  CHECK_THROWS_WITH(p.export_chrome_trace(path), Catch::Matchers::ContainsSubstring("cannot write"));
  CHECK(std::filesystem::is_directory(path));
  std::filesystem::remove_all(path);
}

TEST_CASE("profile writes its scope's trace") {
  const std::string path = trace_path();
  {
    const profiler::profile guard(path);
    (void)ones({2}).exp();
    CHECK_FALSE(std::filesystem::exists(path));
  }
  std::ifstream file(path);
  CHECK_FALSE(row_named(json::parse(file), "exp").is_null());
  std::filesystem::remove(path);
}

TEST_CASE("a time of another clock is mapped between two readings") {
  const profiler::ClockMap map({1000, 50000}, {2000, 51010});
  CHECK(map.to_steady(1000) == 50000);
  CHECK(map.to_steady(1500) == 50505);
  CHECK(map.to_steady(2000) == 51010);
  const profiler::ClockMap moment({1000, 50000}, {1000, 50000});
  CHECK(moment.to_steady(1003) == 50003);
  const auto reading = profiler::ClockMap::read([] { return profiler::steady_now() + 1000000; });
  CHECK(std::abs(reading.other - reading.steady - 1000000) < 100000);
}

TEST_CASE("rows of a number and back") {
  CHECK(profiler::log_of(profiler::range_id(3, 77)) == 3);
  CHECK(profiler::row_of(profiler::range_id(3, 77)) == 77);
  CHECK(profiler::range_id(0, 0) != 0);
}

namespace {

/// Two ops under the fake tracer.
std::vector<profiler::Event> two_ops(bool with_calls) {
  auto session = std::make_shared<profiler::Session>();
  FakeTracer tracer;
  session->tracer = &tracer;
  session->begin = profiler::steady_now();
  profiler::reserve_session(session);
  profiler::begin_session();
  {
    const profiler::Attach attach;
    const profiler::RecordFunction step("step");
    const Tensor x = ones({4}, requires_grad());
    tracer.activities.clear();
    (void)x.exp();
    (void)x.sin();
  }
  profiler::end_session();
  session->end = profiler::steady_now();
  CHECK(tracer.pushed == tracer.popped);
  if (!with_calls) std::erase_if(tracer.activities, [](const Activity& a) { return a.kind == EventKind::kRuntime; });
  return profiler::merge(*session, tracer.stop());
}

size_t index_of(const std::vector<profiler::Event>& events, const std::string& name) {
  for (size_t i = 0; i < events.size(); ++i)
    if (events[i].name == name) return i;
  return profiler::kNoEvent;
}

}  // namespace

TEST_CASE("a kernel belongs to the call and the op that started it") {
  const auto events = two_ops(true);
  const size_t exp = index_of(events, "exp"), call = index_of(events, "cudaLaunchKernel");
  REQUIRE(call != profiler::kNoEvent);
  CHECK(events[call].parent == exp);
  CHECK(events[call].begin >= events[exp].begin);
  CHECK(events[call].end <= events[exp].end);
  CHECK(events[call].thread == events[exp].thread);
  const size_t kernel = index_of(events, "kernel<float, \"quoted\">");
  CHECK(events[kernel].parent == call);
  CHECK(events[kernel].correlation == events[call].correlation);
  CHECK(events[kernel].duration() == 1000);
  for (const auto& a : profiler::averages_of(events, false)) {
    if (a.key == "exp") CHECK((a.self_cuda_time == 1000 && a.cuda_time == 1000));
    if (a.key == "step") CHECK((a.self_cuda_time == 0 && a.cuda_time == 2000));
  }
  const std::string table = profiler::table_of(events, "cuda_time_total", 100, false);
  CHECK(table.find("Self CUDA time total: 2.000us") != std::string::npos);
}

TEST_CASE("without the calls, a kernel belongs to the op") {
  const auto events = two_ops(false);
  CHECK(events[index_of(events, "kernel<float, \"quoted\">")].parent == index_of(events, "exp"));
}

TEST_CASE("device rows have a process of their own and an arrow from the call") {
  const auto events = two_ops(true);
  const json trace = json::parse(profiler::chrome_trace_of(events));
  const json kernel = row_named(trace, "kernel<float, \"quoted\">"), call = row_named(trace, "cudaLaunchKernel");
  CHECK(kernel["pid"] == 0);
  CHECK(kernel["tid"] == 7);
  CHECK(kernel["cat"] == "kernel");
  CHECK(kernel["args"]["block"] == json({256, 0, 0}));
  int arrows = 0;
  for (const json& e : trace["traceEvents"]) {
    if (e["ph"] != "s") continue;
    ++arrows;
    const json& end = *(&e + 1);
    CHECK(end["ph"] == "f");
    CHECK(end["bp"] == "e");
    CHECK(end["id"] == e["id"]);
    if (e["ts"] == call["ts"]) CHECK(end["ts"] == kernel["ts"]);
  }
  CHECK(arrows == 2);
}

TEST_CASE("a tracer that cannot start is no error, and says why") {
  FakeTracer tracer;
  tracer.problem = "no permission";
  auto* const before = profiler::set_device_tracer(&tracer);
  profiler::Profiler p;
  p.start();
  (void)ones({2}).exp();
  p.stop();
  profiler::set_device_tracer(before);
  CHECK(count(names(p), "exp") == 1);
  CHECK(p.cuda_problem() == (cuda::is_available() ? "no permission" : "no CUDA device can be used"));
}

}  // namespace strata::test
