// The trace event format: complete events for rows, flow events from a CUDA call to what it started, metadata for
// names (https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU).
#include <fmt/format.h>
#include <unistd.h>

#include <iterator>
#include <map>
#include <set>

#include "profiler/log.h"

namespace strata::profiler {
namespace {

using Out = fmt::memory_buffer;

template <class... A>
void put(Out& out, fmt::format_string<A...> format, A&&... a) {
  fmt::format_to(std::back_inserter(out), format, std::forward<A>(a)...);
}

/// In quotes. Bytes above 127 are passed on as they are: names are UTF-8.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + "\"";
}

/// The categories that torch.profiler writes, which tools that read its traces look for.
constexpr std::string_view category(EventKind kind) {
  constexpr std::string_view names[] = {"cpu_op", "cpu_op",     "user_annotation", "cuda_runtime",
                                        "kernel", "gpu_memcpy", "gpu_memset",      "python_function"};
  return names[static_cast<int>(kind)];
}

class Trace {
 public:
  explicit Trace(const std::vector<Event>& events) : events_(events), process_(::getpid()) {}
  std::string text();

 private:
  /// The process and thread that a row is drawn at: a device is a process, its streams are threads.
  struct Track {
    int64_t process, thread;
  };
  Track place(const Event& e) const { return e.on_device() ? Track{e.device, e.stream} : Track{process_, e.thread}; }
  void next_line() {
    put(out_, "{}", first_ ? "\n" : ",\n");
    first_ = false;
  }
  void add_name(const char* what, Track p, const std::string& name);
  void add_names();
  void add_row(size_t i);
  void add_arguments(size_t i);
  void add_flow(size_t i);

  const std::vector<Event>& events_;
  const int64_t process_;
  Out out_;
  bool first_ = true;
};

/// Microseconds, as the format wants them, down to the nanosecond.
std::string micro(int64_t ns) {
  return fmt::format("{}{}.{:03}", ns < 0 ? "-" : "", std::abs(ns) / 1000, std::abs(ns) % 1000);
}

void Trace::add_name(const char* what, Track p, const std::string& name) {
  next_line();
  put(out_, R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"name":{}}}}})", what, p.process, p.thread,
      quoted(name));
}

void Trace::add_names() {
  std::set<int64_t> threads;
  std::set<std::pair<int32_t, int64_t>> streams;
  for (const Event& e : events_)
    e.on_device() ? (void)streams.insert({e.device, e.stream}) : (void)threads.insert(e.thread);
  add_name("process_name", {process_, 0}, "CPU");
  for (const int64_t t : threads) add_name("thread_name", {process_, t}, fmt::format("thread {}", t));
  int32_t named = -1;
  for (const auto& [device, stream] : streams) {
    if (device != named) add_name("process_name", {device, 0}, fmt::format("GPU {}", device));
    named = device;
    add_name("thread_name", {device, stream}, fmt::format("stream {}", stream));
  }
}

void Trace::add_arguments(size_t i) {
  const Event& e = events_[i];
  put(out_, R"("args":{{"External id":{})", i + 1);
  if (e.correlation) put(out_, R"(,"correlation":{})", e.correlation);
  if (e.in_backward) put(out_, R"(,"backward":true)");
  if (e.bytes) put(out_, R"(,"bytes":{})", e.bytes);
  if (e.memory) put(out_, R"(,"memory bytes":{})", e.memory);
  if (e.kind == EventKind::kKernel)
    put(out_, R"(,"stream":{},"grid":[{}],"block":[{}])", e.stream, fmt::join(e.grid, ","), fmt::join(e.block, ","));
  if (!e.input_shapes.empty()) {
    put(out_, R"(,"Input Dims":[)");
    for (size_t n = 0; n < e.input_shapes.size(); ++n)
      put(out_, "{}[{}]", n ? "," : "", fmt::join(e.input_shapes[n], ","));
    put(out_, R"(],"Input type":[)");
    for (size_t n = 0; n < e.input_dtypes.size(); ++n) put(out_, "{}{}", n ? "," : "", quoted(e.input_dtypes[n]));
    put(out_, "]");
  }
  put(out_, "}}");
}

void Trace::add_row(size_t i) {
  const Event& e = events_[i];
  const Track p = place(e);
  next_line();
  put(out_, R"({{"ph":"X","cat":"{}","name":{},"pid":{},"tid":{},"ts":{},"dur":{},)", category(e.kind), quoted(e.name),
      p.process, p.thread, micro(e.begin), micro(e.duration()));
  add_arguments(i);
  put(out_, "}}");
}

/// An arrow from the row that started this one.
void Trace::add_flow(size_t i) {
  const Event& e = events_[i];
  if (!e.on_device() || e.parent == kNoEvent) return;
  const Event& from = events_[e.parent];
  const Track a = place(from), b = place(e);
  next_line();
  put(out_, R"({{"ph":"s","cat":"ac2g","name":"ac2g","id":{},"pid":{},"tid":{},"ts":{}}})", i + 1, a.process, a.thread,
      micro(from.begin));
  next_line();
  put(out_, R"({{"ph":"f","bp":"e","cat":"ac2g","name":"ac2g","id":{},"pid":{},"tid":{},"ts":{}}})", i + 1, b.process,
      b.thread, micro(e.begin));
}

std::string Trace::text() {
  put(out_, R"({{"schemaVersion":1,"displayTimeUnit":"ms","traceEvents":[)");
  add_names();
  for (size_t i = 0; i < events_.size(); ++i) {
    add_row(i);
    add_flow(i);
  }
  put(out_, "\n]}}\n");
  return fmt::to_string(out_);
}

}  // namespace

std::string chrome_trace_of(const std::vector<Event>& events) { return Trace(events).text(); }

}  // namespace strata::profiler
