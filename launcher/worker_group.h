// The workers of one attempt on this node: their processes, what they print, how they ended.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "launcher/binding.h"
#include "launcher/console.h"
#include "launcher/options.h"
#include "launcher/processes.h"
#include "launcher/rendezvous_handler.h"
#include "launcher/worker_channel.h"

namespace strata::launcher {

/// One worker.
struct Worker {
  int rank, local_rank;
  Process process;
  bool exited = false, group_gone = false;
  int status = 0;           ///< as waitpid() gives it, once it has exited
  Clock::time_point ended;  ///< when it has
  std::unique_ptr<WorkerStream> out, err;
  // Of elastic jobs:
  std::unique_ptr<WorkerChannel> channel;
  bool can_meet_again = false;  ///< it has said so
  int64_t done_in = -1;         ///< the generation that was its last one, as it has said
  std::string lost;             ///< why it has left the generation, where it has
};

/// What stays the same from one attempt to the next.
struct Job {
  Options options;
  std::string program;             ///< where it was found
  std::filesystem::path log_dir;   ///< of this run; empty: no files
  const char* const* environment;  ///< the launcher's own
  std::vector<Cpus> cpus;          ///< where each worker may run; empty: where the launcher may
};

/// All workers of an attempt; in elastic jobs, of as many as they live through.
class WorkerGroup {
 public:
  /// Called when a worker has left its generation.
  using Lost = std::function<void()>;

  /// Starts them. Throws Exit (126, 127 or 1) where a program cannot be started and std::system_error where a log file
  /// cannot be written or the system refuses a process; children may be left then.
  WorkerGroup(Loop& loop, Console& console, const Job& job, const RendezvousInfo& info, int attempt,
              Lost lost = nullptr);

  /// Whether a worker lives that can meet others in a new generation.
  bool can_meet_again() const;
  /// The generation that was the last one of workers, where some have said so and none has failed; else -1.
  int64_t done_in() const;
  /// A worker that has ended well without the generation that others of this node wait in; null where there is none.
  const Worker* left_early() const;
  /// Kills those that have not left a generation that others have left, so that they are taken for failed.
  void kill_others_than_lost();
  /// Begins a new generation: the workers that can meet again are told of it, others are replaced. Throws as the
  /// constructor does.
  void renew(const RendezvousInfo& info, int attempt);

  /// Takes the end of a child; others than workers are not looked at.
  void ended(pid_t pid, int status, Clock::time_point when);
  /// Sends a signal to the process groups that are left, and wakes those that are stopped, so that they see it.
  void send(int signal);
  /// Whether all workers have exited and nobody is left in their process groups.
  bool gone();
  bool all_exited() const;
  bool any_failed() const;

  /// Reads on where a sink was full.
  void resume();
  /// Passes on what is left in the pipes.
  void finish_output();

  const std::vector<Worker>& workers() const { return workers_; }

 private:
  WorkerStream::Goals goals(int local_rank, int stream, const std::filesystem::path& folder);
  Worker start(const RendezvousInfo& info, int local_rank, int attempt);
  void check_started();
  void said(int local_rank, const std::string& packet);

  Loop& loop_;
  Console& console_;
  const Job& job_;
  const Lost lost_;
  int64_t generation_ = 0;
  std::vector<Worker> workers_;  // by local rank
};

}  // namespace strata::launcher
