// Kills processes of jobs at random moments: no job may hang, and none may leave a process.
#include <signal.h>

#include <random>
#include <thread>

#include "test/catch.h"
#include "test/launcher/job.h"

using test::Job;

TEST_CASE("a process of a job may be killed at any moment", "[launcher]") {
  // The moments are spread over the start, the run, a restart and the end, which take 30 ms together.
  std::mt19937 random(1);
  const std::string script = "sleep 1000 & setsid sleep 0.02 & sleep 0.005; [ $RANK = 1 ] && exit 1; sleep 0.005";
  for (int run = 0; run < 60; ++run) {
    Job job(test::shell(3, script, {"--max-restarts=2"}));
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 30000));
    const auto processes = job.processes();
    const pid_t victim = processes.empty() || run % 3 == 0 ? job.pid() : processes[random() % processes.size()];
    const int signal = run % 5 == 4 ? SIGTERM : SIGKILL;
    INFO("run " << run << ": signal " << signal << " to process " << victim << " of job " << job.pid());
    kill(victim, signal);
    // A launcher that is killed leaves a moment in which its agent ends the others.
    if (victim == job.pid() && signal == SIGKILL) job.wait_until_gone();
    CHECK(job.finish() != 0);
  }
}
