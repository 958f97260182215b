// Appending records, and the session that the threads' logs belong to.
#include "profiler/log.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "core/allocator.h"
#include "core/cuda.h"
#include "core/error.h"

namespace strata::profiler {
namespace {

constexpr size_t kArena = 4096;  // words

std::atomic<DeviceTracer*> tracer_in_use{nullptr};

std::mutex session_lock;
std::shared_ptr<Session> session_in_use;
/// Its number, or 0: what threads compare their log's with.
std::atomic<uint64_t> session_number{0};

constinit thread_local ThreadLog* log_here = nullptr;
constinit thread_local int attached = 0;
constinit thread_local bool holds_session = false;

std::shared_ptr<ThreadLog>& owned_log() {
  thread_local std::shared_ptr<ThreadLog> log;
  return log;
}

/// Bytes of tensors, on the host and on the current CUDA device; small ones on the host are not counted.
int64_t memory_in_use(DeviceTracer* tracer) {
  return memory_stats().in_use + (tracer ? cuda::memory_stats().allocated : 0);
}

[[gnu::cold, gnu::noinline]] ThreadLog* join_session() {
  const std::lock_guard guard(session_lock);
  if (!session_in_use) return nullptr;
  Session& session = *session_in_use;
  const std::lock_guard logs_guard(session.lock);
  auto fresh = std::make_shared<ThreadLog>(session.number, session.logs.size(), session.options, session.tracer);
  std::shared_ptr<ThreadLog>& mine = owned_log();
  if (mine && mine->has_open()) fresh->previous = std::move(mine);
  session.logs.push_back(fresh);
  mine = std::move(fresh);
  return log_here = mine.get();
}

}  // namespace

int64_t steady_now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

int64_t ClockMap::to_steady(int64_t other) const {
  const int64_t span = end_.other - begin_.other, since = other - begin_.other;
  if (span <= 0) return begin_.steady + since;
  const double rate = static_cast<double>(end_.steady - begin_.steady) / static_cast<double>(span);
  return begin_.steady + static_cast<int64_t>(static_cast<double>(since) * rate);
}

DeviceTracer* set_device_tracer(DeviceTracer* tracer) { return tracer_in_use.exchange(tracer); }
DeviceTracer* device_tracer() { return tracer_in_use.load(); }

ThreadLog::ThreadLog(uint64_t session, uint64_t index, const ProfilerOptions& options, DeviceTracer* tracer)
    : session_(session),
      index_(index),
      options_(options),
      tracer_(tracer),
      thread_(::syscall(SYS_gettid)),
      first_(std::make_unique<Chunk>()),
      last_(first_.get()) {}

ThreadLog::~ThreadLog() {
  for (Chunk* c = first_->next.load(); c;) {
    Chunk* const next = c->next.load();
    delete c;
    c = next;
  }
}

Record& ThreadLog::append() {
  const size_t n = size_.load(std::memory_order_relaxed);
  if (n && n % kChunk == 0) {
    auto* const chunk = new Chunk;
    last_->next.store(chunk, std::memory_order_release);
    last_ = chunk;
  }
  return last_->records[n % kChunk];
}

int64_t* ThreadLog::keep_words(size_t n) {
  if (n > arena_left_) {
    arena_left_ = std::max(n, kArena);
    arena_.push_back(std::make_unique<int64_t[]>(arena_left_));
    arena_next_ = arena_.back().get();
  }
  arena_left_ -= n;
  return std::exchange(arena_next_, arena_next_ + n);
}

const char* ThreadLog::keep(std::string_view text) {
  auto* const copy = reinterpret_cast<char*>(keep_words(text.size() / sizeof(int64_t) + 1));
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = 0;
  return copy;
}

/// Word 0 is the memory in use so far, negative, to which `close` adds what is in use then.
int64_t* ThreadLog::describe(const dispatch::Args* inputs) {
  size_t words = 2;
  const bool shapes = options_.record_shapes && inputs;
  if (shapes)
    for (const Tensor* t : *inputs) words += 2 + (t->defined() ? static_cast<size_t>(t->dim()) : 0);
  int64_t* const extra = keep_words(words);
  extra[0] = options_.profile_memory ? -memory_in_use(tracer_) : 0;
  extra[1] = shapes ? static_cast<int64_t>(inputs->size()) : 0;
  if (!shapes) return extra;
  int64_t* at = extra + 2;
  for (const Tensor* t : *inputs) {
    *at++ = t->defined() ? static_cast<int64_t>(t->dtype()) : -1;
    *at++ = t->defined() ? t->dim() : 0;
    if (t->defined()) at = std::copy(t->sizes().begin(), t->sizes().end(), at);
  }
  return extra;
}

Record& ThreadLog::open(EventKind kind, const char* name, size_t length, const dispatch::Args* inputs) {
  Record& r = append();
  r.name = name;
  r.length = static_cast<uint32_t>(length);
  r.depth = depth_++;
  r.kind = kind;
  r.in_backward = backward_depth != 0;
  r.extra = options_.record_shapes || options_.profile_memory ? describe(inputs) : nullptr;
  const size_t row = size_.load(std::memory_order_relaxed);
  if (tracer_) tracer_->push(range_id(index_, row));
  r.begin = steady_now();
  size_.store(row + 1, std::memory_order_release);
  return r;
}

void ThreadLog::close(Record& r) {
  if (options_.profile_memory) r.extra[0] += memory_in_use(tracer_);
  r.end.store(steady_now(), std::memory_order_release);
  if (tracer_) tracer_->pop();
  --depth_;
}

void reserve_session(const std::shared_ptr<Session>& session) {
  const std::lock_guard guard(session_lock);
  STRATA_CHECK(!session_in_use, "profiler: another one is running; stop it first");
  static uint64_t sessions = 0;
  session->number = ++sessions;
  session_in_use = session;
}

void begin_session() {
  const std::lock_guard guard(session_lock);
  session_number.store(session_in_use->number, std::memory_order_release);
}

void end_session() {
  const std::lock_guard guard(session_lock);
  session_number.store(0, std::memory_order_release);
  session_in_use.reset();
  if (owned_log() && owned_log()->has_open()) return;
  log_here = nullptr;
  owned_log().reset();
}

ThreadLog* this_thread_log() {
  const uint64_t running = session_number.load(std::memory_order_acquire);
  if (!running) return nullptr;
  if (log_here && log_here->session() == running) [[likely]]
    return log_here;
  return join_session();
}

ThreadLog* find_thread_log() noexcept {
  const uint64_t running = session_number.load(std::memory_order_acquire);
  return running && log_here && log_here->session() == running ? log_here : nullptr;
}

void take_key() {
  holds_session = true;
  thread_state.included = thread_state.included | KeySet(Key::Profiler);
}
void drop_key() {
  holds_session = false;
  if (attached == 0) thread_state.included = thread_state.included - KeySet(Key::Profiler);
}
void attach() {
  ++attached;
  thread_state.included = thread_state.included | KeySet(Key::Profiler);
}
void detach() {
  if (--attached == 0 && !holds_session) thread_state.included = thread_state.included - KeySet(Key::Profiler);
}

}  // namespace strata::profiler
