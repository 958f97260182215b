// The process that runs the job: starts the workers, watches them, restarts or stops them.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "launcher/console.h"
#include "launcher/processes.h"
#include "launcher/rendezvous_handler.h"
#include "launcher/worker_group.h"

namespace strata::launcher {

/// Runs a job on this node, from the first rendezvous to the last process gone.
class Agent {
 public:
  /// `control` delivers one byte for each signal that is to stop the job; its end means that the keeper has been
  /// killed.
  Agent(const Job& job, std::unique_ptr<RendezvousHandler> rendezvous, int control);
  /// Returns the launcher's exit code.
  int run();

 private:
  /// kWaiting: this node's workers have succeeded, those of others have yet to.
  enum class State { kMeeting, kRunning, kStopping, kWaiting, kDone };

  void begin_attempt();
  void launch(const RendezvousInfo& info);
  void advance();
  bool may_keep_workers() const;
  void replace_failed();
  void meet_again();
  void worker_lost();
  void lost_for_long();
  void left_early();
  void report_first_failure(const std::string& consequence);
  std::string next_restart() const;
  bool is_last_attempt() const;
  void stop_workers(int signal);
  void kill_workers();
  void give_up();
  void settle();
  void conclude();
  void job_ended(const Verdict& verdict);
  void control_ready();
  void signal_came(int signal);
  void finish(int code);
  void console_drained();

  const Job& job_;
  State state_ = State::kMeeting;
  int64_t generation_ = 0;
  int control_fd_, attempt_ = 0, signal_ = 0, code_ = 0;
  bool unkillable_ = false, leftovers_told_ = false, keeps_workers_ = false;
  Clock::time_point stopped_;  // when the workers of this attempt were first told to stop

  Loop loop_;
  Console console_;
  std::unique_ptr<RendezvousHandler> rendezvous_;
  std::optional<Verdict> verdict_;  // of this attempt
  Timer grace_, kill_limit_, flush_limit_, lost_limit_, early_limit_;
  Poll control_;
  std::unique_ptr<WorkerGroup> group_;
  ChildWatch children_;
};

}  // namespace strata::launcher
