// Tests jobs of several nodes, each of which is a stratarun of its own on the loopback interface.
#include <signal.h>
#include <unistd.h>

#include <memory>

#include "test/catch.h"
#include "test/launcher/job.h"

using Catch::Matchers::ContainsSubstring;
using test::free_endpoint;
using test::Job;
using test::Words;

namespace {

struct Node {
  std::string endpoint;
  int rank = 0, nodes = 2, workers = 1;
  Words options = {};
  std::string id = "job";
};

Words arguments(const Node& node, const std::string& script) {
  Words words = {"--nnodes=" + std::to_string(node.nodes), "--node-rank=" + std::to_string(node.rank),
                 "--rdzv-endpoint=" + node.endpoint, "--rdzv-id=" + node.id};
  words.insert(words.end(), node.options.begin(), node.options.end());
  return test::shell(node.workers, script, words);
}

const std::string kForever = "echo started $RANK: $$; exec sleep 1000";

}  // namespace

TEST_CASE("workers of two nodes know their places in one job", "[launcher]") {
  const std::string at = free_endpoint(), script =
                                              "echo \"$RANK/$WORLD_SIZE $LOCAL_RANK/$LOCAL_WORLD_SIZE "
                                              "$GROUP_RANK/$GROUP_WORLD_SIZE $MASTER_ADDR $TORCHELASTIC_RUN_ID\"\n"
                                              "echo meet: $MASTER_PORT $STRATA_STORE_TOKEN";
  Job one(arguments({.endpoint = at, .rank = 1, .workers = 2}, script));
  Job zero(arguments({.endpoint = at, .rank = 0, .workers = 1}, script));
  CHECK(zero.finish() == 0);
  CHECK(one.finish() == 0);
  CHECK_THAT(zero.out(), ContainsSubstring("[0]: 0/3 0/1 0/2 127.0.0.1 job\n"));
  CHECK_THAT(one.out(), ContainsSubstring("[1]: 1/3 0/2 1/2 127.0.0.1 job\n") &&
                            ContainsSubstring("[2]: 2/3 1/2 1/2 127.0.0.1 job\n"));
  const auto meeting = [](const std::string& text) {
    const size_t begin = text.find("meet: ");
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  CHECK(meeting(zero.out()) == meeting(one.out()));
  CHECK(meeting(zero.out()).size() > 64);
  CHECK(zero.err() + one.err() == "");
}

TEST_CASE("a node waits for one that is late, on either side", "[launcher]") {
  for (const int first : {0, 1}) {
    const test::TemporaryFolder folder;
    const std::string at = free_endpoint();
    Job early(arguments({.endpoint = at, .rank = first}, "exit 0"));
    // A job of its own that has come and gone meanwhile: the early node is still there.
    CHECK(Job(Words{"true"}).finish() == 0);
    CHECK(!early.processes().empty());
    Job late(arguments({.endpoint = at, .rank = 1 - first}, "exit 0"));
    CHECK(late.finish() == 0);
    CHECK(early.finish() == 0);
  }
}

TEST_CASE("a node that does not come is named when the time is over", "[launcher]") {
  const std::string at = free_endpoint();
  const auto begin = test::Clock::now();
  Job zero(arguments({.endpoint = at, .nodes = 3, .options = {"--rdzv-conf=join_timeout=2"}}, "exit 0"));
  Job two(arguments({.endpoint = at, .rank = 2, .nodes = 3, .options = {"--rdzv-conf=join_timeout=2"}}, "exit 0"));
  CHECK(zero.finish() == 1);
  CHECK(two.finish() == 1);
  CHECK(test::Clock::now() - begin < std::chrono::seconds(15));
  for (const Job* job : {&zero, &two})
    CHECK_THAT(job->err(), ContainsSubstring("of 3 nodes 2 came within 2 s; missing: node 1"));
  Job alone(arguments({.endpoint = at, .rank = 1, .options = {"--rdzv-conf=join_timeout=1"}}, "exit 0"));
  CHECK(alone.finish() == 1);
  CHECK_THAT(alone.err(), ContainsSubstring("node 0 did not come within 1 s") && ContainsSubstring(at));
}

TEST_CASE("a port that something else holds, which never answers, is named in one line", "[launcher]") {
  const test::Stranger stranger;
  const auto begin = test::Clock::now();
  Job zero(arguments({.endpoint = stranger.endpoint(), .options = {"--rdzv-conf=join_timeout=1"}}, "exit 0"));
  Job one(arguments({.endpoint = stranger.endpoint(), .rank = 1, .options = {"--rdzv-conf=join_timeout=1"}}, "exit 0"));
  CHECK(zero.finish() == 2);
  CHECK(one.finish() == 1);
  CHECK(test::Clock::now() - begin < std::chrono::seconds(15));
  CHECK_THAT(zero.err(), ContainsSubstring("cannot listen at " + stranger.endpoint()));
  CHECK_THAT(one.err(), ContainsSubstring("node 0 did not come within 1 s: store " + stranger.endpoint()));
  for (const Job* job : {&zero, &one}) CHECK(test::count_of(job->err(), "\n") == 1);
}

TEST_CASE("nodes that were started with other options than node 0 are told", "[launcher]") {
  const std::string at = free_endpoint();
  Job zero(arguments({.endpoint = at, .nodes = 2}, "exit 0"));
  Job one(arguments({.endpoint = at, .rank = 1, .nodes = 3}, "exit 0"));
  CHECK(zero.finish() == 2);
  CHECK(one.finish() == 2);
  for (const Job* job : {&zero, &one})
    CHECK_THAT(job->err(), ContainsSubstring("was started with --nnodes 3, node 0 with 2"));
}

TEST_CASE("a node rank that is taken is refused, and the job goes on", "[launcher]") {
  const std::string at = free_endpoint();
  Job zero(arguments({.endpoint = at}, kForever));
  Job one(arguments({.endpoint = at, .rank = 1}, kForever));
  zero.wait_for("started 0");
  one.wait_for("started 1");
  Job again(arguments({.endpoint = at, .rank = 1}, kForever));
  CHECK(again.finish() == 2);
  CHECK_THAT(again.err(), ContainsSubstring("--node-rank 1 is taken"));
  Job third(arguments({.endpoint = at, .rank = 0}, kForever));
  CHECK(third.finish() == 2);
  CHECK_THAT(third.err(), ContainsSubstring("--node-rank 0 of this job is taken"));
  kill(zero.pid(), SIGTERM);
  CHECK(zero.finish() == 128 + SIGTERM);
  CHECK(one.finish() == 1);
  CHECK_THAT(one.err(), ContainsSubstring("node 0 (") && ContainsSubstring("stratarun got SIGTERM"));
}

TEST_CASE("two jobs at one port are told apart by their ids", "[launcher]") {
  const std::string at = free_endpoint();
  Job zero(arguments({.endpoint = at, .id = "blue"}, "exit 0"));
  Job one(arguments({.endpoint = at, .rank = 1, .id = "green"}, "exit 0"));
  CHECK(one.finish() == 2);
  CHECK_THAT(one.err(), ContainsSubstring("another job's") && ContainsSubstring("green"));
  Job other(arguments({.endpoint = at, .id = "green"}, "exit 0"));
  CHECK(other.finish() == 2);
  CHECK_THAT(other.err(), ContainsSubstring("the store of another job"));
  Job right(arguments({.endpoint = at, .rank = 1, .id = "blue"}, "exit 0"));
  CHECK(zero.finish() == 0);
  CHECK(right.finish() == 0);
}

TEST_CASE("a worker that fails on one node ends the job on all", "[launcher]") {
  const std::string at = free_endpoint(), script = "[ $RANK = 1 ] && exit 5; exec sleep 1000";
  Job zero(arguments({.endpoint = at}, script));
  Job one(arguments({.endpoint = at, .rank = 1}, script));
  CHECK(one.finish() == 1);
  CHECK(zero.finish() == 1);
  CHECK_THAT(one.err(), ContainsSubstring("root cause (first failure): rank 1"));
  CHECK_THAT(zero.err(), ContainsSubstring("first failure of the job: node 1 (") && ContainsSubstring("rank 1 (pid") &&
                             ContainsSubstring("exit code 5"));
}

TEST_CASE("a node whose workers are done waits for those of others", "[launcher]") {
  const std::string at = free_endpoint();
  const test::TemporaryFolder folder;
  const test::Start start = {.environment = {"D=" + folder.path}};
  const std::string script =
      "if [ $RANK = 0 ]; then touch $D/done; exit 0; fi; until [ -e $D/done ]; do sleep 0.01; done; exit 6";
  Job zero(arguments({.endpoint = at}, script), start);
  Job one(arguments({.endpoint = at, .rank = 1}, script), start);
  CHECK(one.finish() == 1);
  CHECK(zero.finish() == 1);
  CHECK_THAT(zero.err(), ContainsSubstring("exit code 6"));
}

TEST_CASE("a worker that is killed on node 1 restarts both nodes in a new generation", "[launcher]") {
  const std::string at = free_endpoint(),
                    script =
                        "echo try $TORCHELASTIC_RESTART_COUNT in $STRATA_GENERATION of $RANK: $$\n"
                        "[ $TORCHELASTIC_RESTART_COUNT = 1 ] && exit 0; exec sleep 1000";
  const Words options = {"--max-restarts=1"};
  Job zero(arguments({.endpoint = at, .options = options}, script));
  Job one(arguments({.endpoint = at, .rank = 1, .options = options}, script));
  zero.wait_for("try 0 in 0 of 0");
  kill(static_cast<pid_t>(one.number_after("try 0 in 0 of 1: ")), SIGKILL);
  CHECK(zero.finish() == 0);
  CHECK(one.finish() == 0);
  CHECK_THAT(zero.out(), ContainsSubstring("[0]: try 1 in 1 of 0"));
  CHECK_THAT(one.out(), ContainsSubstring("[1]: try 1 in 1 of 1"));
  CHECK_THAT(zero.err(), ContainsSubstring("rank 1 (pid") && ContainsSubstring("killed by SIGKILL"));
  for (const Job* job : {&zero, &one}) CHECK_THAT(job->err(), ContainsSubstring("restart 1 of 1"));
}

TEST_CASE("a stratarun that is killed is named by the other node", "[launcher]") {
  for (const bool both : {false, true}) {  // its agent too, and then nobody is left to tell
    const std::string at = free_endpoint();
    const Words options = {"--rdzv-conf=keep_alive_max_attempt=3"};
    Job zero(arguments({.endpoint = at, .options = options}, kForever));
    Job one(arguments({.endpoint = at, .rank = 1, .options = options}, "echo agent: $PPID; exec sleep 1000"));
    zero.wait_for("started 0");
    const auto agent = static_cast<pid_t>(one.number_after("agent: "));
    if (both) kill(agent, SIGKILL);
    kill(one.pid(), SIGKILL);
    CHECK(zero.finish() == 1);
    CHECK_THAT(zero.err(), ContainsSubstring("first failure of the job: node 1 (") &&
                               ContainsSubstring(both ? "has not been heard of for 3 s" : "stratarun was killed"));
    one.wait_until_gone();
  }
}

TEST_CASE("a node that was lost may be started again and takes part in the restart", "[launcher]") {
  const std::string at = free_endpoint();
  const std::string script = "echo in $STRATA_GENERATION: agent: $PPID\n[ $STRATA_GENERATION = 1 ] || exec sleep 1000";
  const Words options = {"--max-restarts=1", "--rdzv-conf=keep_alive_max_attempt=2"};
  Job zero(arguments({.endpoint = at, .options = options}, script));
  Job one(arguments({.endpoint = at, .rank = 1, .options = options}, script));
  zero.wait_for("in 0");
  kill(static_cast<pid_t>(one.number_after("agent: ")), SIGKILL);
  CHECK(one.finish() == 128 + SIGKILL);
  zero.wait_for("restart 1 of 1");
  Job again(arguments({.endpoint = at, .rank = 1, .options = options}, script));
  CHECK(zero.finish() == 0);
  CHECK(again.finish() == 0);
  CHECK_THAT(zero.out(), ContainsSubstring("[0]: in 1"));
  CHECK_THAT(again.out(), ContainsSubstring("[1]: in 1"));
}

TEST_CASE("node 0 is named by the others when it is gone", "[launcher]") {
  const std::string at = free_endpoint();
  const Words options = {"--rdzv-conf=keep_alive_max_attempt=2", "--max-restarts=3"};
  Job zero(arguments({.endpoint = at, .options = options}, "echo agent: $PPID; exec sleep 1000"));
  Job one(arguments({.endpoint = at, .rank = 1, .options = options}, kForever));
  one.wait_for("started 1");
  kill(static_cast<pid_t>(zero.number_after("agent: ")), SIGKILL);
  CHECK(one.finish() == 1);
  CHECK_THAT(one.err(), ContainsSubstring("node 0 has not been heard of"));
  CHECK(zero.finish() == 128 + SIGKILL);
}

TEST_CASE("a node 0 that was killed and started anew is not taken for the old one", "[launcher]") {
  const std::string at = free_endpoint();
  Job zero(arguments({.endpoint = at, .options = {"--max-restarts=3"}}, kForever));
  Job one(arguments({.endpoint = at, .rank = 1, .options = {"--max-restarts=3"}}, kForever));
  one.wait_for("started 1: ");
  zero.wait_for("started 0: ");
  for (const pid_t pid : zero.processes()) kill(pid, SIGKILL);  // nobody is left who could tell of it
  zero.wait_until_gone();
  Job again(arguments({.endpoint = at, .options = {"--max-restarts=3"}}, "exit 0"));
  CHECK(one.finish() == 1);
  CHECK_THAT(one.err(), ContainsSubstring("node 0 has been started anew"));
  Job fresh(arguments({.endpoint = at, .rank = 1, .options = {"--max-restarts=3"}}, "exit 0"));
  CHECK(fresh.finish() == 0);
  CHECK(again.finish() == 0);
}

TEST_CASE("a signal ends a launcher that waits for others", "[launcher]") {
  for (const int rank : {0, 1}) {
    Job job(arguments({.endpoint = free_endpoint(), .rank = rank}, "exit 0"));
    while (job.processes().size() < 2) {  // the agent, which takes the signal
    }
    kill(job.pid(), SIGTERM);
    CHECK(job.finish() == 128 + SIGTERM);
  }
}

TEST_CASE("what several nodes lack is said before anything starts", "[launcher]") {
  const auto refusal = [](const Words& words) {
    Job job(words);
    CHECK(job.finish() == 2);
    return job.err();
  };
  CHECK_THAT(refusal({"--nnodes=2", "--rdzv-id=a", "true"}), ContainsSubstring("--rdzv-endpoint"));
  CHECK_THAT(refusal({"--nnodes=2", "--rdzv-endpoint=h:1", "true"}), ContainsSubstring("--rdzv-id"));
  CHECK_THAT(refusal({"--nnodes=1:2", "--rdzv-endpoint=h:1", "true"}), ContainsSubstring("--rdzv-id"));
  for (const char* endpoint : {"h:x", "h:0", "h:65536", ":1", "[::1", "h:"})
    CHECK_THAT(refusal({"--nnodes=2", "--rdzv-endpoint", endpoint, "--rdzv-id=a", "true"}),
               ContainsSubstring("is not HOST:PORT"));
  for (const char* conf : {"join_timeout", "join_timeout=0", "join_timeout=x", "none=1"})
    CHECK_THAT(refusal({"--rdzv-conf", conf, "true"}), ContainsSubstring("--rdzv-conf"));
}
