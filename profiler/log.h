// What each thread writes while it is profiled: records in chunks of its own, so that nothing is locked.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "../dispatcher/call.h"
#include "device.h"

namespace strata::profiler {

/// A row as it is written. `end` is stored last, by the thread itself; who reads sees 0 until then.
struct Record {
  int64_t begin;
  std::atomic<int64_t> end;
  const char* name;  ///< of an op its schema, which goes on behind the name
  int64_t* extra;    ///< null, or: memory, and where shapes are kept their number and each one's dtype, rank and sizes
  uint32_t length;
  uint32_t depth;
  EventKind kind;
  bool in_backward;
};

/// Records of one thread. The thread appends; another one may read the first `size()` at any time.
class ThreadLog {
 public:
  ThreadLog(uint64_t session, uint64_t index, const ProfilerOptions& options, DeviceTracer* tracer);
  ~ThreadLog();
  ThreadLog(const ThreadLog&) = delete;
  ThreadLog& operator=(const ThreadLog&) = delete;

  /// Appends a row that is open; the strings it names stay the caller's.
  Record& open(EventKind kind, const char* name, size_t length, const dispatch::Args* inputs = nullptr);
  void close(Record& record);
  /// A copy of a text that lives as long as the log.
  const char* keep(std::string_view text);

  uint64_t session() const { return session_; }
  uint64_t index() const { return index_; }
  int64_t thread() const { return thread_; }
  size_t size() const { return size_.load(std::memory_order_acquire); }
  bool has_open() const { return depth_ != 0; }
  /// Calls `f(record)` for the first `size()` in order.
  template <class F>
  void for_each(F f) const;

  /// The log of the session before, while rows of it are open.
  std::shared_ptr<ThreadLog> previous;
  uint32_t backward_depth = 0;

 private:
  static constexpr size_t kChunk = 1024;
  struct Chunk {
    std::atomic<Chunk*> next{nullptr};
    Record records[kChunk];
  };
  Record& append();
  int64_t* keep_words(size_t n);
  int64_t* describe(const dispatch::Args* inputs);

  const uint64_t session_, index_;
  const ProfilerOptions options_;
  DeviceTracer* const tracer_;
  const int64_t thread_;
  uint32_t depth_ = 0;
  std::unique_ptr<Chunk> first_;
  Chunk* last_;
  std::atomic<size_t> size_{0};
  std::vector<std::unique_ptr<int64_t[]>> arena_;
  int64_t* arena_next_ = nullptr;
  size_t arena_left_ = 0;
};

template <class F>
void ThreadLog::for_each(F f) const {
  const size_t n = size();
  const Chunk* chunk = first_.get();
  for (size_t i = 0; i < n; ++i) {
    if (i && i % kChunk == 0) chunk = chunk->next.load(std::memory_order_acquire);
    f(chunk->records[i % kChunk]);
  }
}

/// A big buffer that was taken (bytes are positive) or given back.
struct MemoryChange {
  const void* buffer;
  int64_t time, bytes;
  uint64_t range;           ///< range_id of the row that had begun last on its thread; 0 on threads without rows
  size_t event = kNoEvent;  ///< of the innermost row that was open then, once the events are merged
};

/// One start-to-stop of a profiler.
struct Session {
  uint64_t number = 0;
  ProfilerOptions options;
  DeviceTracer* tracer = nullptr;  ///< null where devices are not recorded
  int64_t begin = 0, end = 0;
  std::mutex lock;
  std::vector<std::shared_ptr<ThreadLog>> logs;
  std::mutex memory_lock;
  std::vector<MemoryChange> memory;
  int64_t memory_before = 0;  ///< bytes that were in use when it began
};

/// Makes a session the one of this process; throws if there is one. Threads write to it from `begin_session` on.
void reserve_session(const std::shared_ptr<Session>& session);
void begin_session();
void end_session();
/// This thread's log of the running session, made on first use; null without a session.
ThreadLog* this_thread_log();
/// The same, without making one.
ThreadLog* find_thread_log() noexcept;

/// Notes what the process takes and gives back in the session, from here on until the next call; null is no session.
void watch_memory(const std::shared_ptr<Session>& session);

/// The profiler key for this thread, which a session takes and drops where it starts and ends.
void take_key();
/// Does nothing while the thread is attached.
void drop_key();
/// Keeps the key until each `attach` has met its `detach`.
void attach();
void detach();

/// The number that a device tracer knows a row by, and the row behind a number.
constexpr uint64_t range_id(uint64_t log, uint64_t row) { return (log + 1) << 40 | row; }
constexpr uint64_t log_of(uint64_t range) { return (range >> 40) - 1; }
constexpr uint64_t row_of(uint64_t range) { return range & ((uint64_t{1} << 40) - 1); }

/// The rows of a session and what devices did in it.
std::vector<Event> merge(Session& session, std::vector<Activity> activities);

/// What was in use when most was; `events` are those of the session, merged.
MemoryPeak peak_of(const Session& session, const std::vector<Event>& events);
std::string memory_table_of(const MemoryPeak& peak, size_t row_limit);
std::string flame_graph_of(const MemoryPeak& peak);

/// Events of one name (and shapes and modules, where asked for) joined to one row: see Profiler::key_averages.
std::vector<Average> averages_of(const std::vector<Event>& events, bool by_shape, bool by_module = false);
std::string table_of(const std::vector<Event>& events, std::string_view sort_by, size_t row_limit, bool by_shape,
                     bool by_module = false);
using Line = std::vector<std::string>;
/// Lines as a table, the first of them its heading: names to the left, numbers to the right.
std::string aligned(const std::vector<Line>& lines);
/// `1.50 MB`
std::string bytes_text(int64_t bytes);
std::string chrome_trace_of(const std::vector<Event>& events);

}  // namespace strata::profiler
