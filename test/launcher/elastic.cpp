// Tests jobs whose workers train on when others are lost: who keeps its process, and that the losses are those of a
// training that nothing has broken.
#include <signal.h>
#include <unistd.h>

#include <cstdio>

#include "test/catch.h"
#include "test/launcher/job.h"
#include "test/launcher/training.h"

using Catch::Matchers::ContainsSubstring;
using namespace test;

namespace {

Words job(int workers, int restarts, long steps, const Words& options = {}) {
  Words words = {"--elastic", "--nproc-per-node=" + std::to_string(workers),
                 "--max-restarts=" + std::to_string(restarts)};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {STRATA_ELASTIC_WORKER, std::to_string(steps), "20"});
  return words;
}

}  // namespace

TEST_CASE("a worker that is killed is replaced, and the others train on with the same bits", "[launcher]") {
  const long steps = 60;
  Job elastic(job(2, 3, steps));
  const pid_t zero = process_of(elastic, 0, 0, 2), one = process_of(elastic, 0, 1, 2);
  wait_for_step(elastic, 5);
  const long long first = now();
  kill(one, SIGKILL);
  CHECK(process_of(elastic, 1, 0, 2) == zero);
  const pid_t other = process_of(elastic, 1, 1, 2);
  CHECK(other != one);
  wait_for_step(elastic, 20);
  const long long second = now();
  kill(zero, SIGKILL);  // rank 0 now, so that the state comes from rank 1
  CHECK(process_of(elastic, 2, 1, 2) == other);
  CHECK(process_of(elastic, 2, 0, 2) != zero);
  CHECK(elastic.finish() == 0);
  CHECK(check_steps(elastic.out(), steps) <= 2);
  CHECK(count_of(elastic.out(), "trained 60 steps") == 2);
  CHECK_THAT(elastic.out(), ContainsSubstring(", restarts 2, pid " + std::to_string(other)));
  CHECK_THAT(elastic.err(), ContainsSubstring("the other workers stay (restart 1 of 3)") &&
                                ContainsSubstring("the other workers stay (restart 2 of 3)"));
  std::printf("kill -9 of a worker to the next step of all: %.0f ms, %.0f ms\n", until_step(elastic.out(), 1, first),
              until_step(elastic.out(), 2, second));
}

TEST_CASE("workers that are killed at the same moment are replaced by the state of one", "[launcher]") {
  const long steps = 30;
  Job elastic(job(4, 4, steps));
  std::vector<pid_t> workers;
  for (int rank = 0; rank < 4; ++rank) workers.push_back(process_of(elastic, 0, rank, 4));
  wait_for_step(elastic, 5);
  for (const int rank : {0, 1, 3}) kill(workers[static_cast<size_t>(rank)], SIGKILL);
  CHECK(elastic.finish() == 0);
  check_steps(elastic.out(), steps);
  CHECK(count_of(elastic.out(), "trained 30 steps, pid " + std::to_string(workers[2])) == 1);
}

TEST_CASE("a worker that is killed while the others meet again is replaced as well", "[launcher]") {
  const long steps = 30;
  Job elastic(job(2, 5, steps));
  const pid_t zero = process_of(elastic, 0, 0, 2);
  pid_t one = process_of(elastic, 0, 1, 2);
  wait_for_step(elastic, 5);
  for (int round = 0; round < 3; ++round) {
    kill(one, SIGKILL);
    pid_t next = one;  // the one in its place, as soon as it is there, whatever it is doing
    while (next == one) {
      for (const pid_t pid : elastic.processes()) {
        const std::string command = content_of("/proc/" + std::to_string(pid) + "/cmdline");
        if (pid > one && command.starts_with(STRATA_ELASTIC_WORKER)) next = pid;
      }
    }
    one = next;
  }
  CHECK(elastic.finish() == 0);
  check_steps(elastic.out(), steps);
  CHECK_THAT(elastic.out(), ContainsSubstring("trained 30 steps, pid " + std::to_string(zero)));
}

TEST_CASE("a job of elastic workers fails when no restart is left", "[launcher]") {
  Job elastic(job(2, 0, 1000));
  kill(process_of(elastic, 0, 1, 2), SIGKILL);
  CHECK(elastic.finish() == 1);
  CHECK_THAT(elastic.err(),
             ContainsSubstring("root cause (first failure): rank 1") && ContainsSubstring("killed by SIGKILL"));
}

TEST_CASE("an error of the program itself is thrown on, and its worker replaced", "[launcher]") {
  const long steps = 15;
  Words words = job(2, 1, steps);
  words.push_back("7");
  Job elastic(words);
  const pid_t zero = process_of(elastic, 0, 0, 2);
  CHECK(process_of(elastic, 1, 0, 2) == zero);
  CHECK(elastic.finish() == 0);
  CHECK_THAT(elastic.err(), ContainsSubstring("[1]: an error of the program") && ContainsSubstring("exit code 1"));
  check_steps(elastic.out(), steps);
}

TEST_CASE("a worker that is stuck is replaced when the others have lost their group", "[launcher]") {
  const long steps = 30;
  Job elastic(job(2, 1, steps, {"--shutdown-timeout=1"}), {.environment = {"COLLECTIVE_TIMEOUT=2000"}});
  const pid_t zero = process_of(elastic, 0, 0, 2), one = process_of(elastic, 0, 1, 2);
  wait_for_step(elastic, 5);
  kill(one, SIGSTOP);
  CHECK(process_of(elastic, 1, 0, 2) == zero);
  CHECK(elastic.finish() == 0);
  CHECK_THAT(elastic.err(), ContainsSubstring("rank 0 has lost its group") && ContainsSubstring("restart 1 of 1"));
  check_steps(elastic.out(), steps);
}

TEST_CASE("workers that cannot meet again are all restarted", "[launcher]") {
  Job plain(shell(2,
                  "echo try $TORCHELASTIC_RESTART_COUNT of $RANK: $$\n"
                  "[ $TORCHELASTIC_RESTART_COUNT = 1 ] && exit 0; exec sleep 1000",
                  {"--elastic", "--max-restarts=1"}));
  plain.wait_for("try 0 of 0");
  kill(static_cast<pid_t>(plain.number_after("try 0 of 1: ")), SIGKILL);
  CHECK(plain.finish() == 0);
  CHECK_THAT(plain.out(), ContainsSubstring("try 1 of 0") && ContainsSubstring("try 1 of 1"));
  CHECK_THAT(plain.err(), ContainsSubstring("stopping all workers") && ContainsSubstring("restart 1 of 1"));
}

TEST_CASE("a worker that ends while others wait for it in a new generation does not leave them there", "[launcher]") {
  const TemporaryFolder folder;
  const std::string script =
      "case $RANK$TORCHELASTIC_RESTART_COUNT in\n"
      "00) printf here >&$STRATA_AGENT_FD; touch $D/here; until [ -e $D/again ]; do sleep 0.01; done\n"
      "    printf 'done 0' >&$STRATA_AGENT_FD; exit 0;;\n"
      "10) until [ -e $D/here ]; do sleep 0.01; done; kill -9 $$;;\n"
      "11) touch $D/again; exec sleep 1000;;\n"
      "esac";
  Job job({"--elastic", "--nproc-per-node=2", "--max-restarts=2", "bash", "-c", script},
          {.environment = {"D=" + folder.path}});
  CHECK(job.finish() == 0);
  CHECK_THAT(job.err(), ContainsSubstring("rank 0 has ended without the generation that others wait in") &&
                            ContainsSubstring("starting all workers again (restart 2 of 2)"));
}

TEST_CASE("a signal ends elastic workers that wait for others", "[launcher]") {
  for (const int signal : {SIGTERM, SIGKILL}) {
    Job elastic(job(2, 3, 1000));
    kill(process_of(elastic, 0, 1, 2), SIGKILL);
    kill(elastic.pid(), signal);
    CHECK(elastic.finish() == (signal == SIGKILL ? -SIGKILL : 128 + signal));
    elastic.wait_until_gone();
  }
}
