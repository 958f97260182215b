// Tests that a job of MIN:MAX nodes outlives the node whose store its launchers meet at: another one follows it, whose
// workers train on, and which is found at the endpoint by nodes that come.
#include <signal.h>

#include <cstdio>

#include "test/catch.h"
#include "test/launcher/job.h"
#include "test/launcher/training.h"

using Catch::Matchers::ContainsSubstring;
using namespace test;

TEST_CASE("when node 0 is killed another node follows, and it may come again and follow in its turn", "[launcher]") {
  const std::string at = free_endpoint();
  const long steps = 150;
  const auto node = [&](int rank) {
    return training({at, rank, "1:2", 3, "last_call_timeout=20,keep_alive_max_attempt=2"}, steps);
  };
  Job zero(node(0)), one(node(1));
  const pid_t first = process_of(zero, 0, 0, 2), survivor = process_of(one, 0, 1, 2);
  wait_for_step(zero, 10);
  const long long dies = now();
  kill_node(zero, first);
  CHECK(process_of(one, 1, 0, 1) == survivor);
  wait_for_step(one, steps_of(zero.out()).back().number + 5);
  one.wait_for("the workers of this node stay (restart 1 of 3)");
  CHECK_THAT(one.err(), ContainsSubstring("node 0 has ended (") || ContainsSubstring("node 0 has been started anew"));

  const long long comes = now();
  Job again(node(0));  // with the command that has begun the job
  const pid_t newcomer = process_of(again, 2, 0, 2);
  CHECK(process_of(one, 2, 1, 2) == survivor);
  one.wait_for("node 0 (");
  const std::string alone = one.out();
  wait_for_step(again, steps_of(alone).back().number + 5);
  kill_node(one, survivor);  // the host, which node 0 then is
  CHECK(process_of(again, 3, 0, 1) == newcomer);
  CHECK(again.finish() == 0);
  CHECK_THAT(again.out(), ContainsSubstring("trained 150 steps, pid " + std::to_string(newcomer)));
  // Each loss is that of a training which nothing disturbs, whoever printed it.
  check_steps(joined({zero.out(), one.out(), again.out()}), steps, 1);
  std::printf("node 0 is killed: %.0f ms to the next step of those left; comes again: %.0f ms\n",
              until_step(one.out(), 1, dies), until_step(again.out(), 2, comes));
}

TEST_CASE("the lowest node that lives follows node 0, and the others find it", "[launcher]") {
  const std::string at = free_endpoint();
  const long steps = 60;
  const auto node = [&](int rank) { return training({at, rank, "1:4"}, steps); };
  Job zero(node(0)), one(node(1)), two(node(2)), three(node(3));
  const pid_t of_zero = process_of(zero, 0, 0, 4), of_one = process_of(one, 0, 1, 4);
  const pid_t of_two = process_of(two, 0, 2, 4), of_three = process_of(three, 0, 3, 4);
  wait_for_step(zero, 5);
  kill_node(one, of_one);
  kill_node(zero, of_zero);
  two.wait_for(": rank 0 of 2 from step ");
  CHECK(two.finish() == 0);
  CHECK(three.finish() == 0);
  CHECK_THAT(two.out(), ContainsSubstring("trained 60 steps, pid " + std::to_string(of_two)));
  CHECK_THAT(three.out(), ContainsSubstring("trained 60 steps, pid " + std::to_string(of_three)));
  check_steps(joined({zero.out(), two.out()}), steps, 1);
}

TEST_CASE("a node 0 that is told to end leaves the job to the others", "[launcher]") {
  const std::string at = free_endpoint();
  const long steps = 60;
  Job zero(training({at}, steps)), one(training({at, 1}, steps));
  const pid_t survivor = process_of(one, 0, 1, 2);
  wait_for_step(zero, 5);
  kill(zero.pid(), SIGTERM);
  CHECK(zero.finish() == 128 + SIGTERM);
  CHECK(process_of(one, 1, 0, 1) == survivor);
  CHECK(one.finish() == 0);
  check_steps(joined({zero.out(), one.out()}), steps, 1);
}

TEST_CASE("a node 0 that ends when all is trained does not keep the others", "[launcher]") {
  const std::string at = free_endpoint();
  const Start start = {.environment = {"PAUSE_AT_END=500"}};
  Job zero(training({at}, 5), start), one(training({at, 1}, 5), start);
  const pid_t of_zero = process_of(zero, 0, 0, 2);
  one.wait_for("trained 5 steps");
  zero.wait_for("trained 5 steps");
  kill_node(zero, of_zero);
  CHECK(one.finish() == 0);
}

TEST_CASE("half of a job does not go on without a node 0 that may live", "[launcher]") {
  const std::string at = free_endpoint();
  const auto node = [&](int rank) { return training({at, rank, "1:2", 2, "keep_alive_max_attempt=1"}, 10000); };
  Job zero(node(0)), one(node(1));
  const pid_t worker = process_of(zero, 0, 0, 2);
  process_of(one, 0, 1, 2);
  for (const pid_t pid : zero.processes()) kill(pid, SIGSTOP);
  CHECK(one.finish() == 1);
  CHECK_THAT(one.err(), ContainsSubstring("node 0 has not been heard of for 1 s"));
  kill_node(zero, worker);
}
