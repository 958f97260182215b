// Tests jobs of MIN:MAX nodes, each of which is a stratarun of its own on the loopback interface: nodes that come, go,
// fall silent and come again, while those that stay train on. (What the loss of node 0 does is in elastic_host.cpp.)
#include <signal.h>

#include <cstdio>

#include "test/catch.h"
#include "test/launcher/job.h"
#include "test/launcher/training.h"

using Catch::Matchers::ContainsSubstring;
using namespace test;

TEST_CASE("nodes that know each other by IPv6 addresses train as others do", "[launcher]") {
  if (content_of("/proc/net/if_inet6").find("00000000000000000000000000000001") == std::string::npos) {
    WARN("skipped: no IPv6 loopback here");
    return;
  }
  const std::string v4 = free_endpoint(), at = "[::1]" + v4.substr(v4.find(':'));
  for (const char* const nodes : {"2", "1:2"}) {
    INFO("--nnodes " << nodes);
    Job zero(training({at, 0, nodes}, 10)), one(training({at, 1, nodes}, 10));
    CHECK(zero.finish() == 0);
    CHECK(one.finish() == 0);
    check_steps(zero.out(), 10);
  }
}

TEST_CASE("a node comes, is lost and comes again while the other trains on", "[launcher]") {
  const std::string at = free_endpoint();
  const long steps = 130;
  Job zero(training({at}, steps));
  const pid_t survivor = process_of(zero, 0, 0, 1);
  wait_for_step(zero, 5);
  const long long comes = now();
  Job one(training({at, 1}, steps));
  CHECK(process_of(zero, 1, 0, 2) == survivor);
  process_of(one, 1, 1, 2);
  CHECK(check_steps(zero.out(), steps_of(zero.out()).back().number) == 0);  // none is lost where a node comes
  wait_for_step(zero, 40);
  const long long goes = now();
  kill(one.pid(), SIGKILL);
  CHECK(process_of(zero, 2, 0, 1) == survivor);
  one.wait_until_gone();
  wait_for_step(zero, 70);
  const long long again = now();
  Job other(training({at, 1}, steps));
  CHECK(process_of(zero, 3, 0, 2) == survivor);
  CHECK(zero.finish() == 0);
  CHECK(other.finish() == 0);
  CHECK(check_steps(zero.out(), steps) <= 1);
  CHECK_THAT(other.out(), ContainsSubstring(", restarts 1, pid") && ContainsSubstring("trained 130 steps"));
  CHECK_THAT(zero.err(), ContainsSubstring("node 1 (") && ContainsSubstring("(not counted as a restart)") &&
                             ContainsSubstring("stratarun was killed; the workers of this node stay (restart 1 of 2)"));
  std::printf("a node comes: %.0f ms to the next step of all; is lost: %.0f ms; comes again: %.0f ms\n",
              until_step(zero.out(), 1, comes), until_step(zero.out(), 2, goes), until_step(zero.out(), 3, again));
}

TEST_CASE("a node that falls silent is left behind, and a new one takes its place", "[launcher]") {
  const std::string at = free_endpoint();
  const long steps = 200;
  Job zero(training({at}, steps)), one(training({at, 1}, steps));
  const pid_t survivor = process_of(zero, 0, 0, 2);
  wait_for_step(zero, 5);
  kill_node(one, process_of(one, 0, 1, 2));
  Job other(training({at, 1}, steps));  // before the others have noticed
  zero.wait_for("has not been heard of for 2 s; the workers of this node stay (restart 1 of 2)");
  CHECK(zero.finish() == 0);
  CHECK(other.finish() == 0);
  CHECK_THAT(zero.out(), ContainsSubstring("trained 200 steps, pid " + std::to_string(survivor)));
  CHECK(check_steps(zero.out(), steps) <= 1);
}

TEST_CASE("with fewer than MIN nodes those that are left wait for another", "[launcher]") {
  const std::string at = free_endpoint();
  const long steps = 30;
  Node first{at, 0, "2:3"}, second{at, 1, "2:3"};
  Job zero(training(first, steps)), one(training(second, steps));
  const pid_t survivor = process_of(zero, 0, 0, 2);
  wait_for_step(zero, 5);
  kill(one.pid(), SIGTERM);
  CHECK(one.finish() == 128 + SIGTERM);
  zero.wait_for("stratarun got SIGTERM; the workers of this node stay");
  Node third{at, 2, "2:3"};  // the ranks close up
  Job two(training(third, steps));
  CHECK(process_of(zero, 1, 0, 2) == survivor);
  process_of(two, 1, 1, 2);
  CHECK(zero.finish() == 0);
  CHECK(two.finish() == 0);
  CHECK(check_steps(zero.out(), steps) <= 1);

  const std::string there = free_endpoint();
  Job alone(training({there, 0, "2:3", 2, "join_timeout=1"}, steps));
  CHECK(alone.finish() == 1);
  CHECK_THAT(alone.err(), ContainsSubstring("of 3 nodes 1 came within 1 s; missing: node 1, 2"));
}

TEST_CASE("a program that cannot meet again is restarted on all nodes when one comes", "[launcher]") {
  const std::string at = free_endpoint();
  const TemporaryFolder folder;
  const auto script = [&](int rank) {
    Words words = node_options({at, rank, "1:3"});
    words.insert(words.end(),
                 {"sh", "-c",
                  "echo try $TORCHELASTIC_RESTART_COUNT in $STRATA_GENERATION: $GROUP_RANK/$GROUP_WORLD_SIZE"
                  " $RANK/$WORLD_SIZE; [ $GROUP_WORLD_SIZE = 3 ] || exec sleep 1000"});
    return words;
  };
  Job zero(script(0)), two(script(2));
  zero.wait_for("try 0 in 0: 0/2 0/2");
  two.wait_for("try 0 in 0: 1/2 1/2");
  Job one(script(1));
  for (Job* job : {&zero, &one, &two}) CHECK(job->finish() == 0);
  CHECK_THAT(zero.out(), ContainsSubstring("try 0 in 1: 0/3 0/3"));
  CHECK_THAT(one.out(), ContainsSubstring("try 0 in 1: 1/3 1/3"));
  CHECK_THAT(two.out(), ContainsSubstring("try 0 in 1: 2/3 2/3"));
  CHECK_THAT(zero.err(), ContainsSubstring("has come; stopping all workers") &&
                             ContainsSubstring("starting all workers again (not counted as a restart)"));
}

TEST_CASE("MAX nodes begin at once, and a worker that is killed is replaced on its node", "[launcher]") {
  const std::string at = free_endpoint();
  const long steps = 30;
  const auto begin = Clock::now();
  const Node slow{at, 0, "1:2", 2, "last_call_timeout=50"}, other{at, 1, "1:2", 2, "last_call_timeout=50"};
  Job zero(training(slow, steps)), one(training(other, steps));
  const pid_t survivor = process_of(zero, 0, 0, 2);
  CHECK(Clock::now() - begin < std::chrono::seconds(25));
  wait_for_step(zero, 5);
  kill(process_of(one, 0, 1, 2), SIGKILL);
  CHECK(process_of(zero, 1, 0, 2) == survivor);
  CHECK(zero.finish() == 0);
  CHECK(one.finish() == 0);
  CHECK(Clock::now() - begin < std::chrono::seconds(45));
  CHECK(check_steps(zero.out(), steps) <= 1);
  CHECK_THAT(one.err(), ContainsSubstring("the other workers stay") || ContainsSubstring("starting all workers again"));
  CHECK_THAT(zero.err(), ContainsSubstring("the workers of this node stay (restart 1 of 2)") ||
                             ContainsSubstring("the workers of this node stay (a new generation)"));
}

TEST_CASE("a node of other options is refused, and the job trains on", "[launcher]") {
  const std::string at = free_endpoint();
  const long steps = 60;
  Job zero(training({at}, steps));
  process_of(zero, 0, 0, 1);
  Job other(training({at, 1, "1:2", 7}, steps));
  CHECK(other.finish() == 2);
  CHECK_THAT(other.err(), ContainsSubstring("was started with --max-restarts 7, node 0 with 2"));
  Job fixed(training({at, 1, "2"}, steps));
  CHECK(fixed.finish() == 2);
  CHECK_THAT(fixed.err(), ContainsSubstring("was started with --nnodes with a MIN of 2, node 0 with 1"));
  CHECK(zero.finish() == 0);
  CHECK(check_steps(zero.out(), steps) == 0);
}

TEST_CASE("a node that comes when nothing is left to train neither trains nor disturbs", "[launcher]") {
  const std::string at = free_endpoint();
  const long steps = 10;
  const Start start = {.environment = {"PAUSE_AT_END=3000"}};
  Job zero(training({at}, steps), start);
  zero.wait_for("trained 10 steps");
  Job one(training({at, 1}, steps), start);
  zero.wait_for("has come");
  CHECK(zero.finish() == 0);
  CHECK(one.finish() == 0);
  CHECK(check_steps(zero.out(), steps) == 0);
  CHECK(one.out().empty());
}
