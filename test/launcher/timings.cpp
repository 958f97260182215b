// Measures what a user waits for: workers to start, a failed job to end, a killed launcher's job to be gone. The limits
// are ten times what is wanted, so that a busy machine fails no test; the medians are printed.
#include <signal.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>

#include "test/catch.h"
#include "test/launcher/job.h"

using test::Clock;
using test::Job;
using test::shell;

namespace {

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

// Prints the median of eleven runs, in ms, and checks it.
void measure(const char* what, double wanted, const std::function<double()>& run) {
  std::array<double, 11> times;
  for (double& time : times) time = run();
  std::sort(times.begin(), times.end());
  std::printf("%-48s median %6.1f ms, longest %6.1f ms, wanted %5.0f ms\n", what, times[5], times[10], wanted);
  CHECK(times[5] < 20 * wanted);
}

pid_t second_worker(Job& job) {
  job.number_after("ready-0: ");
  return static_cast<pid_t>(job.number_after("ready-1: "));
}

const char* const kReady = "echo ready-$RANK: $$; exec sleep 1000";

}  // namespace

TEST_CASE("stratarun is quick", "[launcher]") {
  measure("stratarun --help", 5, [] {
    const auto begin = Clock::now();
    Job({"--help"}).finish();
    return milliseconds_since(begin);
  });

  measure("launch to main of the last of 2 workers", 30, [] {
    const auto begin = Clock::now().time_since_epoch().count();
    Job job({"--nproc-per-node=2", "sh", "-c", "exec \"$0\" $RANK", STRATA_REPORT_WORKER});
    CHECK(job.finish() == 0);
    double last = 0;
    for (const char* label : {"[0]: main at: ", "[1]: main at: "})
      last = std::max(last, static_cast<double>(job.number_after(label) - begin) * 1e-6);
    return last;
  });

  measure("kill -9 of a rank to the launcher's exit", 300, [] {
    Job job(shell(2, kReady));
    const pid_t worker = second_worker(job);
    const auto begin = Clock::now();
    kill(worker, SIGKILL);
    CHECK(job.finish() == 1);
    return milliseconds_since(begin);
  });

  measure("kill -9 of the launcher to no process left", 500, [] {
    Job job(shell(2, std::string("sleep 1000 & setsid sleep 1000 & ") + kReady));
    second_worker(job);
    const auto begin = Clock::now();
    kill(job.pid(), SIGKILL);
    job.wait_until_gone();
    return milliseconds_since(begin);
  });
}
