// From the threads' records and the devices' activities to one list of events that know what they are part of.
#include <algorithm>
#include <map>
#include <unordered_map>

#include "profiler/log.h"

namespace strata::profiler {
namespace {

class Merge {
 public:
  explicit Merge(Session& session) : session_(session) {}
  std::vector<Event> run(std::vector<Activity> activities);

 private:
  void add_log(const ThreadLog& log);
  void name_modules();
  void place_memory();
  void add_call(const Activity& a);
  void add_on_device(const Activity& a);
  size_t event_of(uint64_t range) const;
  Event from(const Activity& a) const;

  Session& session_;
  std::vector<Event> events_;
  std::vector<size_t> first_of_log_, size_of_log_;
  std::unordered_map<uint64_t, size_t> call_of_;  ///< event of a CUDA call, by correlation
};

void set_inputs(Event& e, const int64_t* at) {
  for (int64_t n = *at++; n > 0; --n) {
    const int64_t dtype = *at++, rank = *at++;
    e.input_shapes.emplace_back(at, at + rank);
    e.input_dtypes.emplace_back(dtype < 0 ? "none" : name(static_cast<DType>(dtype)));
    at += rank;
  }
}

std::string name_of(const Record& r) {
  const std::string_view name = r.kind == EventKind::kOp ? r.name : std::string_view(r.name, r.length);
  return std::string(r.kind == EventKind::kOp ? name.substr(0, name.find('(')) : name);
}

void Merge::add_log(const ThreadLog& log) {
  const size_t first = events_.size();
  std::vector<size_t> open;  // the row at each depth
  log.for_each([&](const Record& r) {
    Event e;
    const int64_t end = r.end.load(std::memory_order_acquire);
    e.name = name_of(r);
    e.kind = r.kind;
    e.in_backward = r.in_backward;
    e.begin = r.begin - session_.begin;
    e.end = std::max(r.begin, end ? end : session_.end) - session_.begin;
    e.thread = log.thread();
    open.resize(r.depth + 1, kNoEvent);
    open[r.depth] = events_.size();
    if (r.depth) e.parent = open[r.depth - 1];
    if (end && r.extra) {
      e.memory = session_.options.profile_memory ? r.extra[0] : 0;
      set_inputs(e, r.extra + 1);
    }
    events_.push_back(std::move(e));
  });
  first_of_log_.push_back(first);
  size_of_log_.push_back(events_.size() - first);
}

size_t Merge::event_of(uint64_t range) const {
  if (!range || log_of(range) >= first_of_log_.size()) return kNoEvent;
  const size_t log = log_of(range), row = row_of(range);
  return row < size_of_log_[log] ? first_of_log_[log] + row : kNoEvent;
}

Event Merge::from(const Activity& a) const {
  Event e;
  e.name = a.name;
  e.kind = a.kind;
  e.begin = a.begin - session_.begin;
  e.end = std::max(a.begin, a.end) - session_.begin;
  e.correlation = a.correlation;
  e.bytes = a.bytes;
  e.parent = event_of(a.range);
  e.in_backward =
      e.parent != kNoEvent && (events_[e.parent].in_backward || events_[e.parent].kind == EventKind::kBackward);
  std::copy(a.grid, a.grid + 3, e.grid);
  std::copy(a.block, a.block + 3, e.block);
  return e;
}

/// A call is drawn inside the row that made it, so it must not stick out, which two clocks would let it do.
void Merge::add_call(const Activity& a) {
  Event e = from(a);
  e.thread = a.thread;
  if (e.parent != kNoEvent) {
    const Event& p = events_[e.parent];
    e.thread = p.thread;
    e.begin = std::clamp(e.begin, p.begin, p.end);
    e.end = std::clamp(e.end, e.begin, p.end);
  }
  if (a.correlation) call_of_.emplace(a.correlation, events_.size());
  events_.push_back(std::move(e));
}

void Merge::add_on_device(const Activity& a) {
  Event e = from(a);
  e.device = a.device;
  e.stream = a.stream;
  const auto call = call_of_.find(a.correlation);
  if (a.correlation && call != call_of_.end()) {
    e.parent = call->second;
    e.in_backward = events_[e.parent].in_backward;
  }
  events_.push_back(std::move(e));
}

std::vector<Event> Merge::run(std::vector<Activity> activities) {
  for (const auto& log : session_.logs) add_log(*log);
  place_memory();
  std::stable_sort(activities.begin(), activities.end(), [](const Activity& a, const Activity& b) {
    return std::tie(a.device, a.stream, a.begin) < std::tie(b.device, b.stream, b.begin);
  });
  for (const Activity& a : activities)
    if (a.kind == EventKind::kRuntime) add_call(a);
  for (const Activity& a : activities)
    if (a.kind != EventKind::kRuntime) add_on_device(a);
  name_modules();
  return std::move(events_);
}

/// A row comes after the one it is part of.
void Merge::name_modules() {
  for (Event& e : events_)
    e.module = e.kind == EventKind::kModule ? e.name : e.parent == kNoEvent ? std::string() : events_[e.parent].module;
}

/// The row that had begun last may have been over by then; the one around it was not, or the next one.
void Merge::place_memory() {
  for (MemoryChange& change : session_.memory) {
    change.event = event_of(change.range);
    while (change.event != kNoEvent && events_[change.event].end < change.time - session_.begin)
      change.event = events_[change.event].parent;
  }
}

}  // namespace

std::vector<Event> merge(Session& session, std::vector<Activity> activities) {
  return Merge(session).run(std::move(activities));
}

}  // namespace strata::profiler
