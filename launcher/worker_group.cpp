// Starts the workers of an attempt and keeps what is known of them.
#include "launcher/worker_group.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "launcher/environment.h"

namespace strata::launcher {
namespace {

[[noreturn]] void refuse_program(const std::string& program, int error) {
  const int code = error == ENOENT ? kProgramMissing : kNotExecutable;
  const char* hint = error == ENOEXEC ? "; does a script lack its first line #!interpreter?" : "";
  const char* subject = error == ENOENT ? "the interpreter of " : "";
  throw Exit(error == EAGAIN || error == ENOMEM ? kJobFailed : code,
             fmt::format("stratarun: {}{} cannot be started: {}{}", subject, program, std::strerror(error), hint));
}

cpu_set_t set_of(const Cpus& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) CPU_SET(static_cast<size_t>(cpu), &set);
  return set;
}

}  // namespace

WorkerGroup::WorkerGroup(Loop& loop, Console& console, const Job& job, const RendezvousInfo& info, int attempt,
                         Lost lost)
    : loop_(loop), console_(console), job_(job), lost_(std::move(lost)), generation_(info.generation) {
  for (int local_rank = 0; local_rank < job.options.nproc_per_node; ++local_rank)
    workers_.push_back(start(info, local_rank, attempt));
  check_started();
}

// Asked after all have been forked, so that they start at the same time.
void WorkerGroup::check_started() {
  int error = 0;
  for (auto& worker : workers_) {
    if (const int failure = worker.process.started()) error = failure;
  }
  if (error) refuse_program(job_.program, error);
}

void WorkerGroup::renew(const RendezvousInfo& info, int attempt) {
  generation_ = info.generation;
  for (auto& worker : workers_) {
    if (worker.exited || !worker.can_meet_again) {
      if (!worker.group_gone) kill(-worker.process.pid, SIGKILL);
      worker.out->finish();
      worker.err->finish();
      worker = start(info, worker.local_rank, attempt);
      continue;
    }
    worker.rank = info.first_rank + worker.local_rank;
    worker.lost.clear();
    worker.out->set_prefix(line_prefix(console_.out(), worker.rank));
    worker.err->set_prefix(line_prefix(console_.err(), worker.rank));
    const auto variables = place_variables(job_.options, info, worker.local_rank, attempt);
    worker.channel->send(fmt::format("plan\n{}", fmt::join(variables, "\n")));
  }
  check_started();
}

// A worker that has not come so far yet loses nothing when it is replaced; one that is done would leave the others
// waiting.
bool WorkerGroup::can_meet_again() const {
  const auto any = [&](auto is) {
    return std::any_of(workers_.begin(), workers_.end(), [&](const Worker& w) { return !w.exited && is(w); });
  };
  return any([](const Worker& w) { return w.can_meet_again; }) && !any([](const Worker& w) { return w.done_in >= 0; });
}

int64_t WorkerGroup::done_in() const {
  int64_t last = -1;
  for (const auto& worker : workers_) {
    if (!worker.exited || worker.status == 0) last = std::max(last, worker.done_in);
  }
  return any_failed() ? -1 : last;
}

const Worker* WorkerGroup::left_early() const {
  const bool others_wait = std::any_of(workers_.begin(), workers_.end(),
                                       [](const Worker& worker) { return !worker.exited && worker.done_in < 0; });
  const auto early = std::find_if(workers_.begin(), workers_.end(), [&](const Worker& worker) {
    return worker.exited && worker.status == 0 && worker.done_in >= 0 && worker.done_in < generation_;
  });
  return others_wait && early != workers_.end() ? &*early : nullptr;
}

void WorkerGroup::kill_others_than_lost() {
  for (auto& worker : workers_) {
    if (worker.exited || !worker.lost.empty()) continue;
    worker.can_meet_again = false;
    kill(-worker.process.pid, SIGKILL);
  }
}

void WorkerGroup::said(int local_rank, const std::string& packet) {
  Worker& worker = workers_[static_cast<size_t>(local_rank)];
  if (packet == "here") worker.can_meet_again = true;
  if (packet.starts_with("done ")) worker.can_meet_again = false, worker.done_in = std::atoll(packet.c_str() + 5);
  const std::string prefix = fmt::format("lost {} ", generation_);  // of an earlier generation it is no news
  if (!packet.starts_with(prefix)) return;
  worker.lost = packet.substr(prefix.size());
  lost_();
}

WorkerStream::Goals WorkerGroup::goals(int local_rank, int stream, const std::filesystem::path& folder) {
  const Options& options = job_.options;
  WorkerStream::Goals goals;
  const bool only_file = options.redirects.of(local_rank) & stream;
  const bool tee = (options.tee.of(local_rank) & stream) || !(options.redirects.given() || options.tee.given());
  const bool in_file = !folder.empty() && (only_file || tee);
  if (!only_file || (options.tee.of(local_rank) & stream))
    goals.sink = stream == kStdout ? &console_.out() : &console_.err();
  if (!in_file) return goals;
  std::filesystem::create_directories(folder);
  const auto path = folder / (stream == kStdout ? "stdout.log" : "stderr.log");
  goals.file = std::make_unique<LogFile>(path);
  goals.failed = [this, path](int error) {
    console_.say(fmt::format("{} lacks what follows: {}", path.string(), std::strerror(error)));
  };
  return goals;
}

Worker WorkerGroup::start(const RendezvousInfo& info, int local_rank, int attempt) {
  const int rank = info.first_rank + local_rank;
  std::filesystem::path folder;
  if (!job_.log_dir.empty()) folder = job_.log_dir / fmt::format("attempt_{}", attempt) / std::to_string(rank);
  auto out_goals = goals(local_rank, kStdout, folder), err_goals = goals(local_rank, kStderr, folder);
  Pipe out, err;
  Command command{job_.program, job_.options.command,
                  worker_environment(job_.environment, job_.options, info, local_rank, attempt)};
  if (!job_.cpus.empty()) command.cpus = set_of(job_.cpus[static_cast<size_t>(local_rank)]);
  std::pair<Descriptor, Descriptor> ends;
  if (job_.options.is_elastic()) {
    ends = WorkerChannel::make_ends();
    command.channel = ends.second.get();
    command.environment.push_back(fmt::format("STRATA_AGENT_FD={}", command.channel));
  }
  Worker worker{.rank = rank,
                .local_rank = local_rank,
                .process = launcher::start(command, out.write.get(), err.write.get()),
                .ended = {},
                .out = nullptr,
                .err = nullptr,
                .channel = nullptr,
                .lost = {}};
  worker.out = std::make_unique<WorkerStream>(loop_, std::move(out.read), line_prefix(console_.out(), rank),
                                              std::move(out_goals));
  worker.err = std::make_unique<WorkerStream>(loop_, std::move(err.read), line_prefix(console_.err(), rank),
                                              std::move(err_goals));
  if (command.channel >= 0)
    worker.channel = std::make_unique<WorkerChannel>(
        loop_, std::move(ends.first), [this, local_rank](const std::string& packet) { said(local_rank, packet); });
  return worker;
}

void WorkerGroup::ended(pid_t pid, int status, Clock::time_point when) {
  // The loop may tell the end before what workers have said earlier, which decides what becomes of the others.
  for (auto& worker : workers_)
    if (worker.channel) worker.channel->drain();
  for (auto& worker : workers_) {
    if (worker.process.pid != pid || worker.exited) continue;
    worker.exited = true;
    worker.status = status;
    worker.ended = when;
  }
}

void WorkerGroup::send(int signal) {
  for (auto& worker : workers_) {
    if (worker.group_gone) continue;
    kill(-worker.process.pid, signal);
    if (signal != SIGKILL) kill(-worker.process.pid, SIGCONT);
  }
}

bool WorkerGroup::gone() {
  // A group lives longer than its leader where the worker has left processes. Once empty, its number may become
  // another's.
  for (auto& worker : workers_) {
    if (worker.exited && !worker.group_gone) worker.group_gone = kill(-worker.process.pid, 0) != 0 && errno == ESRCH;
  }
  return std::all_of(workers_.begin(), workers_.end(), [](const Worker& worker) { return worker.group_gone; });
}

bool WorkerGroup::all_exited() const {
  return std::all_of(workers_.begin(), workers_.end(), [](const Worker& worker) { return worker.exited; });
}

bool WorkerGroup::any_failed() const {
  return std::any_of(workers_.begin(), workers_.end(),
                     [](const Worker& worker) { return worker.exited && worker.status != 0; });
}

void WorkerGroup::resume() {
  for (auto& worker : workers_) {
    worker.out->resume();
    worker.err->resume();
  }
}

void WorkerGroup::finish_output() {
  for (auto& worker : workers_) {
    worker.out->finish();
    worker.err->finish();
  }
}

}  // namespace strata::launcher
