// Jobs of two machines, which are network namespaces with a link between them.
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <regex>
#include <thread>

#include "test/catch.h"
#include "test/launcher/job.h"
#include "test/launcher/machines/network.h"
#include "test/launcher/training.h"

using test::Job;
using test::Network;
using test::Words;
using Link = test::Network::Link;

namespace {

/// A job of a launcher and a worker on each machine.
struct TwoMachines {
  explicit TwoMachines(const Words& worker, const Words& options = {"--nnodes=2"}, Link link = Link::kCable)
      : network(link), worker_(worker), options_(options) {}
  void start() {
    for (int machine : {0, 1}) start(machine);
  }
  void start(int machine) {
    Words words = {"--nproc-per-node=1", "--rdzv-id=job", "--node-rank=" + std::to_string(machine),
                   "--rdzv-endpoint=" + Network::address(0) + ":29400"};
    words.insert(words.end(), options_.begin(), options_.end());
    words.insert(words.end(), worker_.begin(), worker_.end());
    jobs[machine] = std::make_unique<Job>(words, test::Start{.network = network.name(machine)});
  }
  Job& job(int machine) { return *jobs[machine]; }

  Network network;
  std::unique_ptr<Job> jobs[2];

 private:
  const Words worker_, options_;
};

/// Whether there can be two machines here. Where not, CTest shows the test as skipped by this line.
bool can_run() {
  static const std::string why_not = Network::why_not();
  if (!why_not.empty()) WARN("machines are not simulated: " << why_not);
  return why_not.empty();
}

/// Milliseconds from a moment until a job's outputs have a text.
double until(Job& job, const std::string& text, long long from) {
  job.wait_for(text);
  return static_cast<double>(test::now() - from) / 1e6;
}

bool says(const Job& job, const std::string& pattern) {
  return std::regex_search(job.err(), std::regex(pattern)) || std::regex_search(job.out(), std::regex(pattern));
}

void train(const std::function<void(Network&)>& spoil, int steps, Link link = Link::kCable) {
  TwoMachines machines({STRATA_ELASTIC_WORKER, std::to_string(steps)}, {"--nnodes=2"}, link);
  if (spoil) spoil(machines.network);
  machines.start();
  for (const int machine : {0, 1}) {
    const int code = machines.job(machine).finish();
    INFO("machine " << machine << ": " << machines.job(machine).out() << machines.job(machine).err());
    CHECK(code == 0);
  }
  CHECK(test::check_steps(machines.job(0).out(), steps) == 0);
}

}  // namespace

TEST_CASE("two machines train to the bits of one process, whatever the link is like", "[machines]") {
  if (!can_run()) return;
  SECTION("a good link") { train({}, 40); }
  SECTION("20 Mbit") {
    train([](Network& n) { n.limit(20); }, 40);
  }
  SECTION("40 ms later") { train({}, 10, Link::kRelay40); }
}

// Not run by CTest: enough packets lost in a row outlast any deadline. By hand, 200 runs of 200 end well.
TEST_CASE("two machines train to the bits of one process where packets are lost", "[.lossy]") {
  if (!can_run()) return;
  train([](Network& n) { n.lose(3); }, 20);
}

TEST_CASE("both sides of a cut link say within 5 s who is silent, and in which call", "[machines]") {
  if (!can_run()) return;
  TwoMachines machines({STRATA_ELASTIC_WORKER, "1000000", "1"});
  machines.start();
  test::wait_for_step(machines.job(0), 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(2500));  // heartbeats tell of training now
  const long long cut = test::now();
  machines.network.cut();
  const double zero = until(machines.job(0), "rank 1 is silent: ", cut);
  const double one = until(machines.job(1), "rank 0 is silent: ", cut);
  UNSCOPED_INFO("rank 0 said so after " << zero << " ms, rank 1 after " << one << " ms");
  CHECK(std::max(zero, one) < 5000);
  CHECK(machines.job(0).finish() != 0);
  CHECK(machines.job(1).finish() != 0);
  // Which rank it was, what it ran last, and what this one runs.
  const std::string own = R"(all_reduce \(call \d+ of group world[^:]*: )";
  CHECK(says(machines.job(0), own + R"(rank 1 is silent: .*all_reduce, call \d+ of group world)"));
  CHECK(says(machines.job(1), own + "rank 0 is silent: "));
}

TEST_CASE("the machine with the store goes on alone when an elastic job's link is cut", "[machines]") {
  if (!can_run()) return;
  TwoMachines machines(
      {STRATA_ELASTIC_WORKER, "1000000", "1"},
      {"--nnodes=1:2", "--rdzv-conf=last_call_timeout=1,keep_alive_max_attempt=3", "--max-restarts=3"});
  machines.start();
  const pid_t survivor = test::process_of(machines.job(0), 0, 0, 2);
  test::wait_for_step(machines.job(0), 100);
  machines.network.cut();
  CHECK(test::process_of(machines.job(0), 1, 0, 1) == survivor);
  CHECK(machines.job(1).finish() != 0);
  kill(machines.job(0).pid(), SIGTERM);
  CHECK(machines.job(0).finish() != 0);
  test::check_steps(machines.job(0).out(), test::steps_of(machines.job(0).out()).back().number);
}
