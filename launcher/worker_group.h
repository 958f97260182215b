// The workers of one attempt on this node: their processes, what they print, how they ended.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "launcher/console.h"
#include "launcher/options.h"
#include "launcher/processes.h"
#include "launcher/rendezvous_handler.h"

namespace strata::launcher {

/// One worker.
struct Worker {
  int rank, local_rank;
  Process process;
  bool exited = false, group_gone = false;
  int status = 0;           ///< as waitpid() gives it, once it has exited
  Clock::time_point ended;  ///< when it has
  std::unique_ptr<WorkerStream> out, err;
};

/// What stays the same from one attempt to the next.
struct Job {
  Options options;
  std::string program;             ///< where it was found
  std::filesystem::path log_dir;   ///< of this run; empty: no files
  const char* const* environment;  ///< the launcher's own
};

/// All workers of an attempt.
class WorkerGroup {
 public:
  /// Starts them. Throws Exit (126, 127 or 1) where a program cannot be started and std::system_error where a log file
  /// cannot be written or the system refuses a process; children may be left then.
  WorkerGroup(Loop& loop, Console& console, const Job& job, const RendezvousInfo& info, int attempt);

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
  void start(const RendezvousInfo& info, int local_rank, int attempt);

  Loop& loop_;
  Console& console_;
  const Job& job_;
  std::vector<Worker> workers_;
};

}  // namespace strata::launcher
