// Writes the summary of a failed job.
#include "launcher/summary.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <string.h>
#include <sys/wait.h>

#include <algorithm>

#include "launcher/participant.h"

namespace strata::launcher {
namespace {

std::string wall_time(Clock::time_point when) {
  using std::chrono::system_clock;
  const auto wall = system_clock::now() - std::chrono::duration_cast<system_clock::duration>(Clock::now() - when);
  return fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::localtime(system_clock::to_time_t(wall)));
}

std::string describe(const Worker& worker, const std::string& host) {
  return fmt::format("rank {} (local rank {}) on {}, pid {}: {}", worker.rank, worker.local_rank, host,
                     worker.process.pid, describe_status(worker.status));
}

std::string join(const std::vector<int>& ranks) { return fmt::format("{}", fmt::join(ranks, ", ")); }

}  // namespace

std::string signal_name(int signal) {
  const char* name = sigabbrev_np(signal);
  return name ? "SIG" + std::string(name) : fmt::format("signal {}", signal);
}

std::string describe_status(int status) {
  if (WIFEXITED(status)) return fmt::format("exit code {}", WEXITSTATUS(status));
  return fmt::format("killed by {} (signal {}{})", signal_name(WTERMSIG(status)), WTERMSIG(status),
                     WCOREDUMP(status) ? ", core dumped" : "");
}

std::vector<const Worker*> failures(const WorkerGroup& group, Clock::time_point stopped) {
  std::vector<const Worker*> found;
  for (const auto& worker : group.workers()) {
    if (worker.exited && worker.status != 0 && worker.ended <= stopped) found.push_back(&worker);
  }
  std::stable_sort(found.begin(), found.end(), [](auto* one, auto* other) { return one->ended < other->ended; });
  return found;
}

std::string failure_summary(const Job& job, const WorkerGroup& group, Clock::time_point stopped, int attempt) {
  const std::string host = host_name();
  const auto failed = failures(group, stopped);
  std::string text = fmt::format("{} FAILED (run {}, attempt {} of {})\n", job.options.command[0], job.options.rdzv_id,
                                 attempt + 1, job.options.max_restarts + 1);
  for (const Worker* worker : failed) {
    const bool root = worker == failed[0];
    text += root ? "  root cause (first failure): " : "  later: ";
    text += describe(*worker, host);
    if (root) {
      text += fmt::format(", at {}\n", wall_time(worker->ended));
      const std::string tail = worker->err->tail().lines("    | ");
      text += tail.empty() ? "    it wrote nothing to stderr\n" : "    the end of its stderr:\n" + tail;
    } else {
      const auto after = std::chrono::duration<double, std::milli>(worker->ended - failed[0]->ended);
      text += fmt::format(", {:.1f} ms after the first\n", after.count());
    }
  }
  std::vector<int> ended_by_us;
  for (const auto& worker : group.workers()) {
    if (!worker.exited || worker.ended > stopped) ended_by_us.push_back(worker.rank);
  }
  if (!ended_by_us.empty()) text += fmt::format("  stopped by stratarun: rank {}\n", join(ended_by_us));
  if (!job.log_dir.empty()) text += fmt::format("  logs: {}\n", job.log_dir.string());
  text.pop_back();
  return text;
}

}  // namespace strata::launcher
