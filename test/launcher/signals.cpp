// Tests what signals to the launcher do to the job, kill -9 of either of its processes among them.
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include <filesystem>

#include "test/catch.h"
#include "test/launcher/job.h"

using Catch::Matchers::ContainsSubstring;
using std::chrono::duration_cast;
using std::chrono::milliseconds;
using test::Clock;
using test::Job;
using test::shell;

namespace {

// Every worker with a child in its group, one in a session of its own, and one whose parent has gone.
const char* const kFamily =
    "sleep 1000 & setsid sh -c 'sleep 1000; true' & (setsid sleep 1000 &)\n"
    "trap 'echo $RANK got TERM; exit 0' TERM; trap 'echo $RANK got INT; exit 0' INT\n"
    "trap 'echo $RANK got HUP; exit 0' HUP; trap 'echo $RANK got QUIT; exit 0' QUIT\n"
    "echo ready-$RANK: $$; echo agent: $PPID; while :; do sleep 0.01; done";

const char* const kStubborn =
    "trap '' TERM INT; sh -c 'while :; do sleep 1000; done' & echo ready-$RANK: $$; while :; do sleep 1000; done";

pid_t worker(Job& job, int rank) {
  return static_cast<pid_t>(job.number_after("ready-" + std::to_string(rank) + ": "));
}

void wait_until_ready(Job& job) {
  worker(job, 0);
  worker(job, 1);
}

}  // namespace

TEST_CASE("a signal is forwarded and ends the whole tree", "[launcher]") {
  for (const auto& [signal, name] : {std::pair{SIGTERM, "TERM"}, {SIGINT, "INT"}, {SIGHUP, "HUP"}, {SIGQUIT, "QUIT"}}) {
    Job job(shell(2, kFamily, {"--max-restarts=3"}));
    wait_until_ready(job);
    kill(job.pid(), signal);
    CHECK(job.finish() == 128 + signal);
    for (const char* rank : {"0", "1"})
      CHECK_THAT(job.out(), ContainsSubstring("]: " + std::string(rank) + " got " + name));
    CHECK_THAT(job.err(), ContainsSubstring("got SIG" + std::string(name)) && !ContainsSubstring("starting all"));
  }
}

TEST_CASE("a worker that ignores the signal is killed after the grace", "[launcher]") {
  Job job(shell(2, kStubborn, {"--shutdown-timeout=1"}));
  wait_until_ready(job);
  const auto begin = Clock::now();
  kill(job.pid(), SIGTERM);
  CHECK(job.finish() == 128 + SIGTERM);
  CHECK(Clock::now() - begin >= milliseconds(1000));
}

TEST_CASE("a second signal kills at once", "[launcher]") {
  Job job(shell(2, kStubborn, {"--shutdown-timeout=1000"}));
  wait_until_ready(job);
  kill(job.pid(), SIGINT);
  job.wait_for("got SIGINT");
  kill(job.pid(), SIGTERM);
  CHECK(job.finish() == 128 + SIGINT);
}

TEST_CASE("a failed job whose workers do not stop is ended by signals", "[launcher]") {
  const test::TemporaryFolder folder;
  Job job(shell(2,
                "[ $RANK = 0 ] && { trap '' TERM; touch $D/ready; while :; do sleep 1000; done; }\n"
                "until [ -e $D/ready ]; do sleep 0.01; done; exit 1",
                {"--shutdown-timeout=1000"}),
          {.environment = {"D=" + folder.path}});
  job.wait_for("stopping all workers");
  kill(job.pid(), SIGTERM);
  job.wait_for("got SIGTERM");
  kill(job.pid(), SIGTERM);
  CHECK(job.finish() == 128 + SIGTERM);
}

TEST_CASE("a worker that stopped itself is woken to see the signal", "[launcher]") {
  Job job(shell(1, "trap 'echo woken; exit 0' TERM; echo ready-0: $$; kill -STOP $$; while :; do sleep 0.01; done"));
  REQUIRE(test::wait_for_state(worker(job, 0), 'T'));
  kill(job.pid(), SIGTERM);
  CHECK(job.finish() == 128 + SIGTERM);
  CHECK_THAT(job.out(), ContainsSubstring("woken"));
}

TEST_CASE("signals are served while nobody reads the output", "[launcher]") {
  Job job(
      shell(2, "trap '' TERM; while :; do echo a line of text that fills pipes; done", {"--shutdown-timeout=1000"}));
  job.wait_until_full();
  kill(job.pid(), SIGTERM);
  job.wait_for("got SIGTERM");  // on stderr, which is read from here on
  kill(job.pid(), SIGTERM);
  CHECK(job.finish() == 128 + SIGTERM);
}

TEST_CASE("kill -9 of the launcher leaves no file, also no socket with a name", "[launcher]") {
  for (const char* kind : {"--standalone", "--elastic"}) {
    const test::TemporaryFolder folder;
    Job job(shell(2, kFamily, {kind}),
            {.environment = {"TMPDIR=" + folder.path, "XDG_RUNTIME_DIR=" + folder.path}, .folder = folder.path});
    wait_until_ready(job);
    CHECK(std::filesystem::is_empty(folder.path));
    kill(job.pid(), SIGKILL);
    job.wait_until_gone();
    CHECK(job.finish() == -SIGKILL);
    CHECK(std::filesystem::is_empty(folder.path));
  }
}

TEST_CASE("kill -9 of the launcher leaves no process", "[launcher]") {
  Job job(shell(2, kFamily));
  wait_until_ready(job);
  kill(job.pid(), SIGKILL);
  job.wait_until_gone();
  CHECK(job.finish() == -SIGKILL);
  for (const char* text : {"got TERM", "got HUP"}) CHECK_THAT(job.out(), !ContainsSubstring(text));
}

TEST_CASE("kill -9 of the launcher's agent leaves no process", "[launcher]") {
  Job job(shell(2, kFamily));
  wait_until_ready(job);
  kill(static_cast<pid_t>(job.number_after("agent: ")), SIGKILL);
  CHECK(job.finish() == 128 + SIGKILL);
  CHECK_THAT(job.err(), ContainsSubstring("all workers were killed"));
}

TEST_CASE("kill -9 of the launcher leaves no stopped process", "[launcher]") {
  Job job(shell(2, "trap '' TERM; echo ready-$RANK: $$; kill -STOP $$"));
  for (const int rank : {0, 1}) REQUIRE(test::wait_for_state(worker(job, rank), 'T'));
  kill(job.pid(), SIGKILL);
  job.wait_until_gone();
}

TEST_CASE("a launcher whose agent does not answer is ended by the third signal", "[launcher]") {
  Job job(shell(2, kFamily));
  wait_until_ready(job);
  const auto agent = static_cast<pid_t>(job.number_after("agent: "));
  kill(agent, SIGSTOP);
  REQUIRE(test::wait_for_state(agent, 'T'));
  for (const int signal : {SIGTERM, SIGINT, SIGQUIT}) kill(job.pid(), signal);
  CHECK(job.finish() == 128 + SIGKILL);
}

TEST_CASE("a worker that cannot be killed is waited for only so long, and not restarted", "[launcher]") {
  // A process that is traced is not reaped by its parent before its tracer, so to the launcher it looks like one that
  // SIGKILL does not end.
  Job job(shell(2, "echo ready-$RANK: $$; while :; do sleep 0.01; done", {"--max-restarts=3", "--shutdown-timeout=0"}));
  const pid_t traced = worker(job, 0), other = worker(job, 1);
  if (ptrace(PTRACE_SEIZE, traced, nullptr, nullptr) != 0) {
    WARN("skipped: this system does not let a process trace another");
    return;
  }
  const auto begin = Clock::now();
  kill(other, SIGKILL);
  job.wait_for("still rank 0 (pid " + std::to_string(traced) + ")");
  CHECK(duration_cast<milliseconds>(Clock::now() - begin).count() >= 5000);
  CHECK(job.finish() == 1);
  CHECK_THAT(job.err(), ContainsSubstring("root cause (first failure): rank 1") && !ContainsSubstring("starting all"));
  CHECK(waitpid(traced, nullptr, __WALL) == traced);
}
