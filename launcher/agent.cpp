// Runs a job on this node.
#include "launcher/agent.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "launcher/summary.h"

namespace strata::launcher {
namespace {

// How long a process may take to disappear after SIGKILL. One that waits for a device inside the kernel may take for
// ever, and the launcher must not.
constexpr std::chrono::seconds kKillLimit{5};

// How long the rest of the output may take to be taken where the user has asked for an end.
constexpr std::chrono::seconds kFlushLimit{1};

// From the first worker that has ended well to the others' word that they are done, too.
constexpr std::chrono::seconds kEarlyLimit{3};

}  // namespace

Agent::Agent(const Job& job, std::unique_ptr<RendezvousHandler> rendezvous, int control)
    : job_(job),
      control_fd_(control),
      console_(loop_, [this] { console_drained(); }),
      rendezvous_(std::move(rendezvous)),
      grace_(loop_, [this] { kill_workers(); }),
      kill_limit_(loop_, [this] { give_up(); }),
      flush_limit_(loop_, [this] { loop_.stop(); }),
      lost_limit_(loop_, [this] { lost_for_long(); }),
      early_limit_(loop_, [this] { left_early(); }),
      control_(loop_, control, [this] { control_ready(); }),
      children_(
          loop_,
          [this](pid_t pid, int status, Clock::time_point when) {
            if (group_) group_->ended(pid, status, when);
          },
          [this] { advance(); }) {
  rendezvous_->attach(loop_, [this](const Verdict& verdict) { job_ended(verdict); });
  control_.start(UV_READABLE);
}

int Agent::run() {
  begin_attempt();
  if (state_ != State::kDone || !console_.empty()) loop_.run();
  return code_;
}

void Agent::begin_attempt() {
  state_ = State::kMeeting;
  unkillable_ = false;
  verdict_.reset();
  // Nothing may be thrown through the loop, which is C.
  const auto failed = [this](int code, const std::string& text) {
    if (state_ != State::kMeeting) return;  // workers that were kept are being stopped
    end_children(kKillLimit);
    rendezvous_->fail(text, true);
    console_.err().write(text + "\n");
    finish(code);
  };
  const auto start = [this, failed](const RendezvousInfo& info) {
    if (state_ != State::kMeeting) return;
    try {
      launch(info);
    } catch (const Exit& exit) {
      failed(exit.code, exit.what());
    } catch (const std::exception& error) {
      failed(kJobFailed, fmt::format("stratarun: the workers cannot be started: {}", error.what()));
    }
  };
  rendezvous_->next_rendezvous(start, failed);
}

void Agent::launch(const RendezvousInfo& info) {
  generation_ = info.generation;
  attempt_ = info.restarts;  // of the job, which a launcher that has come later did not count
  const bool keeps = std::exchange(keeps_workers_, false);
  if (keeps && group_->done_in() >= 0) {
    // They had no more to train when another node came: this node only waits for their ends.
    state_ = State::kRunning;
    return advance();
  }
  if (keeps) {
    group_->renew(info, attempt_);
  } else {
    group_.reset();
    group_ = std::make_unique<WorkerGroup>(loop_, console_, job_, info, attempt_, [this] { worker_lost(); });
  }
  state_ = State::kRunning;
}

void Agent::advance() {
  if (state_ == State::kRunning) {
    const bool failed = group_->any_failed();
    if (failed && may_keep_workers() && !is_last_attempt()) return replace_failed();
    if (!failed && group_->left_early() && !early_limit_.active()) early_limit_.start(kEarlyLimit);
    if (failed) report_first_failure("; stopping all workers");
    if (failed || group_->all_exited()) stop_workers(SIGTERM);  // in the second case what they have left running
    return;
  }
  if (state_ != State::kStopping) return;
  if (!group_->gone()) {
    // What a shell has started in the background ignores SIGINT, so leftovers get the signal that means an end.
    if (group_->all_exited() && !std::exchange(leftovers_told_, true)) group_->send(SIGTERM);
    return;
  }
  // What is left now has moved to a process group of its own.
  if (kill_children() == 0) return settle();
  if (!kill_limit_.active()) kill_limit_.start(kKillLimit);
}

bool Agent::may_keep_workers() const { return job_.options.is_elastic() && group_->can_meet_again(); }

void Agent::replace_failed() {
  report_first_failure(fmt::format("; the other workers stay ({})", next_restart()));
  meet_again();
}

/// The next generation begins with the workers that there are.
void Agent::meet_again() {
  lost_limit_.stop();
  keeps_workers_ = true;
  begin_attempt();
}

/// A worker's group is broken. If nobody has failed, somebody may be about to: a process or a node that is stuck.
void Agent::worker_lost() {
  if (state_ == State::kRunning && !lost_limit_.active()) lost_limit_.start(job_.options.shutdown_timeout);
}

void Agent::lost_for_long() {
  if (state_ != State::kRunning) return;
  const auto& workers = group_->workers();
  const auto first = std::find_if(workers.begin(), workers.end(), [](const Worker& w) { return !w.lost.empty(); });
  if (first == workers.end()) return;
  const auto text = fmt::format("rank {} has lost its group: {}", first->rank, first->lost);
  const bool is_last = is_last_attempt();
  console_.say(text + "; workers that have not noticed it are killed" +
               (is_last ? "" : fmt::format(" ({})", next_restart())));
  rendezvous_->fail(text, false);
  group_->kill_others_than_lost();
  if (!is_last) return meet_again();
  verdict_ = {.succeeded = false, .is_final = true, .node = -1, .reason = text};
  stop_workers(SIGTERM);
}

/// One that was killed when all had trained is replaced, but the others do not meet again.
void Agent::left_early() {
  const Worker* const worker = state_ == State::kRunning ? group_->left_early() : nullptr;
  if (!worker) return;
  const auto text = fmt::format("rank {} has ended without the generation that others wait in", worker->rank);
  verdict_ = {.is_final = is_last_attempt(), .node = -1, .reason = text};
  console_.say(text + "; stopping all workers");
  rendezvous_->fail(text, false);
  stop_workers(SIGTERM);
}

void Agent::report_first_failure(const std::string& consequence) {
  const Worker& first = *failures(*group_, Clock::now()).front();
  const auto text =
      fmt::format("rank {} (pid {}) failed: {}", first.rank, first.process.pid, describe_status(first.status));
  console_.say(text + consequence);
  rendezvous_->fail(text, false);
}

void Agent::stop_workers(int signal) {
  state_ = State::kStopping;
  lost_limit_.stop();
  leftovers_told_ = false;
  stopped_ = Clock::now();
  group_->send(signal);
  grace_.start(job_.options.shutdown_timeout);
  advance();
}

void Agent::kill_workers() {
  grace_.stop();
  group_->send(SIGKILL);
  kill_children();
  kill_limit_.start(kKillLimit);
}

void Agent::give_up() {
  unkillable_ = true;
  std::string left;
  for (const auto& worker : group_->workers()) {
    if (!worker.exited) left += fmt::format(" rank {} (pid {})", worker.rank, worker.process.pid);
  }
  console_.say(fmt::format("{} s after SIGKILL there is still{}; not waiting any longer", kKillLimit.count(),
                           left.empty() ? " a process that a worker has started" : left));
  settle();
}

void Agent::settle() {
  grace_.stop();
  kill_limit_.stop();
  group_->finish_output();
  if (signal_ != 0) return finish(128 + signal_);
  if (verdict_ && verdict_->succeeded) return finish(0);
  if (!failures(*group_, stopped_).empty() || verdict_) return conclude();
  if (unkillable_) {
    rendezvous_->fail("a process could not be killed", true);
    return finish(kJobFailed);
  }
  state_ = State::kWaiting;
  const int64_t done_in = group_->done_in();
  rendezvous_->succeed(done_in < generation_ ? done_in : -1);
}

std::string Agent::next_restart() const {
  if (verdict_ && verdict_->grows) return "not counted as a restart";
  if (verdict_ && verdict_->follows) return "a new generation";
  return fmt::format("restart {} of {}", attempt_ + 1, job_.options.max_restarts);
}

/// Whether what has happened to this attempt ends the job.
bool Agent::is_last_attempt() const {
  if (verdict_ && (verdict_->is_final || verdict_->grows || verdict_->follows)) return verdict_->is_final;
  return attempt_ >= job_.options.max_restarts;
}

void Agent::conclude() {
  if (unkillable_ || is_last_attempt()) {
    std::string text = fmt::format("{} FAILED (run {})", job_.options.command[0], job_.options.rdzv_id);
    if (!failures(*group_, stopped_).empty()) text = failure_summary(job_, *group_, stopped_, attempt_);
    // Workers that lose a rank of another node fail as well, before this launcher can know why.
    if (verdict_ && verdict_->node != job_.options.node_rank)
      text += "\n  first failure of the job: " + verdict_->reason;
    console_.say(text);
    return finish(kJobFailed);
  }
  console_.say(fmt::format("starting all workers again ({})", next_restart()));
  begin_attempt();
}

void Agent::job_ended(const Verdict& verdict) {
  if (state_ == State::kMeeting || state_ == State::kDone) return;
  const bool is_known = state_ == State::kStopping;
  verdict_ = verdict;
  // Workers of a node that came when the others had no more to train are not waited for.
  if (verdict.succeeded && state_ == State::kRunning) return stop_workers(SIGTERM);
  if (verdict.succeeded && !is_known) return finish(0);
  if (is_known) return;
  const bool are_done = state_ == State::kRunning && (verdict.grows || verdict.follows) && group_->done_in() >= 0;
  if (are_done || (state_ == State::kRunning && may_keep_workers() && !is_last_attempt())) {
    console_.say(fmt::format("{}; the workers of this node stay ({})", verdict.reason, next_restart()));
    return meet_again();
  }
  console_.say(verdict.reason + "; stopping all workers");
  if (state_ == State::kRunning) return stop_workers(SIGTERM);
  conclude();
}

void Agent::control_ready() {
  char signal = 0;
  const ssize_t count = read(control_fd_, &signal, 1);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count == 1) return signal_came(signal);
  // Whoever kills the launcher with SIGKILL wants no grace, and nobody is left to report to.
  end_children(kKillLimit);
  rendezvous_->fail("stratarun was killed", true);
  code_ = kJobFailed;
  loop_.stop();
}

void Agent::signal_came(int signal) {
  if (state_ == State::kDone) return loop_.stop();
  if (signal_ != 0) return kill_workers();
  signal_ = signal;
  if (state_ != State::kMeeting) rendezvous_->fail("stratarun got " + signal_name(signal), true);
  const bool has_workers = state_ == State::kRunning || (state_ == State::kMeeting && keeps_workers_);
  if (state_ == State::kWaiting || (state_ == State::kMeeting && !has_workers)) return finish(128 + signal);
  console_.say(fmt::format("got {}; workers have {} s to end, a second signal kills them", signal_name(signal),
                           job_.options.shutdown_timeout.count()));
  if (has_workers) return stop_workers(signal);
  group_->send(signal);
}

void Agent::finish(int code) {
  code_ = code;
  state_ = State::kDone;
  if (console_.empty()) return loop_.stop();
  if (signal_ != 0) flush_limit_.start(kFlushLimit);
}

void Agent::console_drained() {
  if (group_) group_->resume();
  if (state_ == State::kDone && console_.empty()) loop_.stop();
}

}  // namespace strata::launcher
