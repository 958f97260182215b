// What ranks know of each other's failures: one text for all of them, and who is silent.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "engine.h"
#include "failure_store.h"
#include "flight_recorder.h"

namespace strata::distributed {

class GroupWatch;

/// Note [One failure for all]
/// A rank whose collective fails puts a record of it into the store before it closes its connections, if no other rank
/// has put one there before. So whoever finds a connection closed and no record knows that the rank at its other end
/// has not closed it on purpose: it has ended. It then writes the record itself. All ranks throw what the record says.
/// A thread of each rank sets a heartbeat, watches that of the next rank, and looks for a record and for collectives
/// whose time is over; what it finds ends the collectives that run, by closing their group.

/// A failure as it stands in the store.
struct FailureRecord {
  int64_t generation = 0;  ///< how often the launcher has started the job anew
  std::string op;          ///< what the rank that wrote it ran, and the number of the call
  int64_t sequence = 0;
  int64_t rank = 0;  ///< who wrote it
  std::string text;  ///< what every rank throws
  std::string str() const;
  static FailureRecord parse(const std::string& text);
};

/// The watch of all groups of a rank that come from one: it has the store, the thread and the flight recorder.
class FailureWatch {
 public:
  /// `prefix` is of the keys of this job and of no other one.
  FailureWatch(std::shared_ptr<FailureStore> store, const EngineOptions& options, std::string prefix);
  ~FailureWatch();
  FailureWatch(const FailureWatch&) = delete;
  FailureWatch& operator=(const FailureWatch&) = delete;

 private:
  friend class GroupWatch;
  using Clock = std::chrono::steady_clock;
  using Answer = FailureStore::Answer;
  using milliseconds = std::chrono::milliseconds;

  void add(GroupWatch& group);
  void remove(GroupWatch& group);
  void work();
  bool look_around();
  bool ask_store();
  milliseconds pause();
  milliseconds store_tick() const;
  void beat();
  bool find_record();
  bool waits_for_rank_0() const;
  bool watch_next();
  bool declare_silent(int64_t who, const std::string& last_beat);
  void check_connections();
  void check_deadlines();
  void declare(const std::string& why);
  std::string last_of(const GroupWatch& group, int64_t sequence);
  std::string key(const std::string& name) const { return prefix_ + "/" + name; }

  const std::shared_ptr<FailureStore> store_;
  const EngineOptions options_;
  const std::string prefix_;
  const milliseconds tick_;
  FlightRecorder recorder_;

  std::mutex groups_mutex_;
  std::vector<GroupWatch*> groups_;  ///< the first is the whole one

  std::mutex agreeing_;  ///< held while the ranks' common text is found
  std::string failure_;  ///< of the whole group

  // These belong to the thread.
  int64_t beats_ = 0;
  Clock::time_point last_asked_{}, last_beat_{}, last_look_{}, store_gone_{};
  uint64_t last_call_ = 0;
  int64_t next_ = -1;
  std::string next_beat_;
  Clock::duration next_quiet_{};
  std::set<int64_t> left_;

  std::mutex mutex_;
  std::condition_variable changed_;
  bool ends_ = false;
  std::thread thread_;
};

/// The watch of one group.
class GroupWatch {
 public:
  /// Watches the collectives that run by `engine`; the whole group's `ranks` are all.
  GroupWatch(std::shared_ptr<FailureWatch> job, const ProcessGroup& engine, std::string id, std::vector<int64_t> ranks);
  /// Tells the other ranks that this one has left, where nothing failed.
  ~GroupWatch();
  GroupWatch(const GroupWatch&) = delete;
  GroupWatch& operator=(const GroupWatch&) = delete;

  /// A watch for a part of the group, whose ranks have these numbers in it; `number` differs between its splits.
  std::shared_ptr<GroupWatch> part(const ProcessGroup& engine, const std::vector<int64_t>& ranks, int64_t number) const;

  /// A collective starts, and has ended well. From one thread at a time.
  void begin(const Collective& c, int64_t sequence);
  void end();

  /// The text that all ranks throw after a failure of this rank, `why`. The engine is still open; the caller closes it
  /// and then calls `wait_for_others`.
  std::string agree(const std::string& why);
  /// Tells the other ranks that this one has nothing more to do with them, unless something failed.
  void leave();
  /// Returns when the others know of the failure, where they need this rank's store for that.
  void wait_for_others();
  bool compares() const { return job_->options_.debug; }

 private:
  friend class FailureWatch;
  using Answer = FailureStore::Answer;

  /// The call that runs, or the last one.
  struct Call {
    CollectiveKind kind = CollectiveKind::kBarrier;
    int64_t sequence = 0, start = 0;
    bool is_running = false;
  };
  Call last_call() const;
  std::string where(const Call& call, bool with_rank) const;
  std::vector<int64_t> lost_ranks() const;
  std::vector<int64_t> lost_ranks_behind(const std::string& why) const;
  bool has_left(int64_t rank) const;
  std::string find_text(const std::string& why);
  std::string own_text(const std::string& why, const Call& call);
  std::string text_without_store(Answer answer, const Call& call) const;
  std::string key(const std::string& name) const { return job_->prefix_ + id_ + "/" + name; }
  void close();
  bool is_whole() const { return id_.empty(); }

  const std::shared_ptr<FailureWatch> job_;
  const std::weak_ptr<Communicator> engine_;
  const std::string name_, id_;
  const int64_t rank_;                ///< in this group
  const std::vector<int64_t> ranks_;  ///< their numbers in the whole group
  const size_t number_;               ///< in the flight recorder
  uint64_t entry_ = 0;
  std::string failure_;         ///< guarded by the job's `agreeing_`
  std::vector<int64_t> knows_;  ///< ranks that need not be told; guarded likewise
  /// The call that runs although a connection is broken, and since when; of the job's thread.
  int64_t broken_call_ = 0, broken_since_ = 0;

  /// The thread reads these while the group runs on: the count is odd while a call runs, and grows with each change.
  std::atomic<uint64_t> changes_{0};
  std::atomic<int64_t> sequence_{0}, start_{0};
  std::atomic<uint8_t> kind_{0};
};

/// Gives all ranks of an engine's group the same prefix of keys and the same settings: debug where one rank asks for
/// it, and rank 0's heartbeats.
std::string agree_on_options(Communicator& engine, EngineOptions& options);

}  // namespace strata::distributed
