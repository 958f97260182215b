// Tests what happens when workers fail: who is named, who is stopped, and how often all are started again.
#include <signal.h>

#include "test/catch.h"
#include "test/launcher/job.h"

using Catch::Matchers::ContainsSubstring;
using test::Job;
using test::shell;

namespace {

// The line of the summary that says who failed first.
std::string root_cause(const Job& job) {
  const size_t begin = job.err().find("root cause (first failure): ");
  if (begin == std::string::npos) return "";
  return job.err().substr(begin, job.err().find('\n', begin) - begin);
}

}  // namespace

TEST_CASE("a job whose workers succeed exits with 0", "[launcher]") {
  Job job(shell(4, "exit 0"));
  CHECK(job.finish() == 0);
  CHECK(job.err().empty());
}

TEST_CASE("a rank that fails early ends the job and is its root cause", "[launcher]") {
  Job job(shell(3, "if [ $RANK = 1 ]; then echo first >&2; echo boom >&2; exit 3; fi; sleep 1000"));
  CHECK(job.finish() == 1);
  CHECK_THAT(root_cause(job), ContainsSubstring("rank 1 (local rank 1)") && ContainsSubstring("exit code 3"));
  CHECK_THAT(job.err(), ContainsSubstring("    | first\n    | boom\n"));
  CHECK_THAT(job.err(), ContainsSubstring("stopped by stratarun: rank 0, 2"));
  CHECK(job.err().find("later:") == std::string::npos);
}

TEST_CASE("the summary has the pid of each rank that failed", "[launcher]") {
  Job job(shell(2, "echo worker $RANK: $$; [ $RANK = 1 ] && exit 3; sleep 1000"));
  CHECK(job.finish() == 1);
  CHECK_THAT(root_cause(job), ContainsSubstring(", pid " + std::to_string(job.number_after("worker 1: ")) + ": "));
}

TEST_CASE("a rank that fails after the others have finished fails the job", "[launcher]") {
  const test::TemporaryFolder folder;
  Job job(shell(3,
                "if [ $RANK != 2 ]; then echo $RANK done; touch $D/$RANK; exit 0; fi\n"
                "until [ -e $D/0 ] && [ -e $D/1 ]; do sleep 0.01; done; exit 5"),
          {.environment = {"D=" + folder.path}});
  CHECK(job.finish() == 1);
  CHECK_THAT(root_cause(job), ContainsSubstring("rank 2 ") && ContainsSubstring("exit code 5"));
  CHECK_THAT(job.out(), ContainsSubstring("[0]: 0 done"));
}

TEST_CASE("ranks that the launcher stops are no failures, whatever they exit with", "[launcher]") {
  const test::TemporaryFolder folder;
  Job job(shell(3,
                "case $RANK in\n"
                "0) trap 'echo stopping >&2; exit 7' TERM; touch $D/0; while :; do sleep 0.01; done;;\n"
                "1) until [ -e $D/0 ] && [ -e $D/2 ]; do sleep 0.01; done; exit 4;;\n"
                "2) trap 'kill -ABRT $$' TERM; touch $D/2; while :; do sleep 0.01; done;;\n"
                "esac"),
          {.environment = {"D=" + folder.path}});
  CHECK(job.finish() == 1);
  CHECK_THAT(root_cause(job), ContainsSubstring("rank 1 ") && ContainsSubstring("exit code 4"));
  CHECK_THAT(job.err(), ContainsSubstring("[0]: stopping"));
  CHECK_THAT(job.err(), ContainsSubstring("stopped by stratarun: rank 0, 2"));
}

TEST_CASE("the first of two deaths that are seen together is the root cause", "[launcher]") {
  for (const int first : {0, 1}) {
    Job job(shell(2, "echo worker $RANK: $$; echo agent: $PPID; exec sleep 1000"));
    const auto agent = static_cast<pid_t>(job.number_after("agent: "));
    const pid_t workers[] = {static_cast<pid_t>(job.number_after("worker 0: ")),
                             static_cast<pid_t>(job.number_after("worker 1: "))};
    kill(agent, SIGSTOP);
    REQUIRE(test::wait_for_state(agent, 'T'));
    kill(workers[first], SIGKILL);
    REQUIRE(test::wait_for_state(workers[first], 'Z'));
    kill(workers[1 - first], SIGSEGV);
    REQUIRE(test::wait_for_state(workers[1 - first], 'Z'));
    kill(agent, SIGCONT);
    CHECK(job.finish() == 1);
    CHECK_THAT(root_cause(job),
               ContainsSubstring("rank " + std::to_string(first)) && ContainsSubstring("killed by SIGKILL"));
    CHECK_THAT(job.err(), ContainsSubstring("later: rank " + std::to_string(1 - first)));
  }
}

TEST_CASE("a rank that is killed is reported by its signal", "[launcher]") {
  for (const char* name : {"KILL", "SEGV", "ABRT", "TERM"}) {
    Job job(shell(2, "[ $RANK = 1 ] && kill -" + std::string(name) + " $$; sleep 1000"));
    CHECK(job.finish() == 1);
    CHECK_THAT(root_cause(job), ContainsSubstring("rank 1 ") && ContainsSubstring("killed by SIG" + std::string(name)));
  }
}

TEST_CASE("a stopped rank does not keep a failed job alive", "[launcher]") {
  const test::TemporaryFolder folder;
  Job job(shell(2,
                "if [ $RANK = 0 ]; then echo $$ > $D/pid; kill -STOP $$; sleep 1000; fi\n"
                "until [ -s $D/pid ] && grep -q 'State:.T' /proc/$(cat $D/pid)/status; do sleep 0.01; done; exit 6"),
          {.environment = {"D=" + folder.path}});
  CHECK(job.finish() == 1);
  CHECK_THAT(root_cause(job), ContainsSubstring("rank 1 ") && ContainsSubstring("exit code 6"));
}

TEST_CASE("max-restarts is honoured and visible", "[launcher]") {
  for (const int restarts : {0, 1, 2}) {
    Job job(shell(2,
                  "echo attempt $TORCHELASTIC_RESTART_COUNT of $TORCHELASTIC_MAX_RESTARTS in $STRATA_GENERATION\n"
                  "[ $RANK = 1 ] && kill -9 $$; exec sleep 1000",
                  {"--max-restarts=" + std::to_string(restarts)}));
    CHECK(job.finish() == 1);
    for (int attempt = 0; attempt <= restarts + 1; ++attempt) {
      const std::string number = std::to_string(attempt);
      const std::string line = "[1]: attempt " + number + " of " + std::to_string(restarts) + " in " + number + "\n";
      CHECK(test::count_of(job.out(), line) == (attempt <= restarts));
    }
    CHECK(test::count_of(job.err(), "starting all workers again") == restarts);
    CHECK(test::count_of(job.err(), "root cause") == 1);
  }
}

TEST_CASE("a job may succeed on its second try, with a new port", "[launcher]") {
  Job job(shell(2,
                "echo port-$RANK-$TORCHELASTIC_RESTART_COUNT: $MASTER_PORT\n"
                "[ $TORCHELASTIC_RESTART_COUNT = 1 ] && exit 0; [ $RANK = 1 ] && exit 1; sleep 1000",
                {"--max-restarts=2"}));
  CHECK(job.finish() == 0);
  CHECK_THAT(job.err(),
             ContainsSubstring("restart 1 of 2") && !ContainsSubstring("restart 2") && !ContainsSubstring("FAILED"));
  CHECK(job.number_after("port-1-0: ") != job.number_after("port-1-1: "));
  CHECK(job.number_after("port-1-1: ") == job.number_after("port-0-1: "));
}

TEST_CASE("nothing of an attempt is left when the next begins", "[launcher]") {
  // Each attempt leaves a process in its group and one outside of it, and the second looks for those of the first.
  const test::TemporaryFolder folder;
  Job job(shell(1,
                "if [ $TORCHELASTIC_RESTART_COUNT = 0 ]; then\n"
                "  sleep 1000 & echo $! > $D/inside\n"
                "  setsid sh -c 'trap \"\" TERM; echo $$ > $D/outside; exec sleep 1000' &\n"
                "  until [ -s $D/outside ]; do sleep 0.01; done; exit 1\n"
                "fi\n"
                "for pid in $(cat $D/inside $D/outside); do kill -0 $pid 2>/dev/null && echo left $pid; done; true",
                {"--max-restarts=1"}),
          {.environment = {"D=" + folder.path}});
  CHECK(job.finish() == 0);
  CHECK(job.out().empty());
}

TEST_CASE("what a successful job leaves running is ended", "[launcher]") {
  Job job(shell(2, "sleep 1000 & setsid sleep 1000 & (sleep 1000 &) ; exit 0"));
  CHECK(job.finish() == 0);
  CHECK(job.err().empty());
}
