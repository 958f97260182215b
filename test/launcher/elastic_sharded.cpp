// Tests elastic jobs whose ranks each have a part of the model: when one is lost its part is, so all take theirs from
// the newest checkpoint, on the disk or in the memory of those that live, in processes that live on, whatever the
// number of ranks then is.
#include <signal.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "test/catch.h"
#include "test/launcher/job.h"
#include "test/launcher/training.h"

using Catch::Matchers::ContainsSubstring;
using namespace test;

namespace {

constexpr long kSteps = 40, kSaveEvery = 5;

Words training(Words options, const std::string& folder, long pause = 20, const Words& more = {}) {
  options.insert(options.end(), {STRATA_ELASTIC_SHARDED_WORKER, std::to_string(kSteps), std::to_string(pause), folder});
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

using Losses = std::map<long, std::string>;

/// The losses of a job that nothing disturbs, from the newest checkpoint in the folder on.
Losses losses_from(const std::string& folder, int ranks) {
  Job job(training({"--nproc-per-node=" + std::to_string(ranks), "--elastic"}, folder, 0));
  REQUIRE(job.finish() == 0);
  Losses losses;
  for (const Step& step : steps_of(job.out())) losses[step.number] = step.loss;
  return losses;
}

const Losses& unbroken(int ranks) {
  static std::map<int, Losses> all;
  if (all[ranks].empty()) {
    all[ranks] = losses_from(TemporaryFolder().path, ranks);
    REQUIRE(static_cast<long>(all[ranks].size()) == kSteps);
  }
  return all[ranks];
}

/// All steps, each generation from the newest checkpoint; how many were made twice. `tolerance` is for ranks of another
/// number, whose sums have another order.
int check_sharded(const std::string& output, double tolerance) {
  int repeated = 0;
  long last = 0;
  for (const Step& step : steps_of(output)) {
    const bool goes_back = step.number != last + 1;
    CHECK((!goes_back || (step.number <= last && step.number % kSaveEvery == 1)));
    if (goes_back) repeated += static_cast<int>(last - step.number) + 1;
    last = step.number;
    const double loss = std::strtod(step.loss.c_str(), nullptr);
    CHECK(std::abs(loss - std::strtod(unbroken(2).at(step.number).c_str(), nullptr)) <= tolerance);
  }
  CHECK(last == kSteps);
  return repeated;
}

/// Whether these are steps of a training with just these losses, in order, from `first` on; up to `most` steps may be
/// made again where a generation begins. Returns how many were.
int check_steps_from(const std::string& output, long first, const Losses& losses, long most = 1) {
  int repeated = 0;
  long last = first - 1;
  for (const Step& step : steps_of(output)) {
    CHECK((step.number <= last + 1 && step.number > last - most));
    repeated += static_cast<int>(last + 1 - step.number);
    last = step.number;
    CHECK(step.loss == losses.at(step.number));
  }
  return repeated;
}

/// Kills two of three ranks that keep each other's parts, one after the other. `most` steps may be lost with each.
void lose_two(const char* how, int most) {
  Job job(training({"--elastic", "--nproc-per-node=3", "--max-restarts=2"}, "", 20, {how}));
  const pid_t zero = process_of(job, 0, 0, 3), one = process_of(job, 0, 1, 3), two = process_of(job, 0, 2, 3);
  wait_for_step(job, 8);
  const long long first_kill = now();
  kill(one, SIGKILL);
  CHECK(process_of(job, 1, 0, 3) == zero);
  CHECK(process_of(job, 1, 2, 3) == two);
  process_of(job, 1, 1, 3);
  wait_for_step(job, 22);
  const long long second_kill = now();
  kill(zero, SIGKILL);
  CHECK(process_of(job, 2, 2, 3) == two);
  CHECK(job.finish() == 0);
  CHECK(check_steps_from(job.out(), 1, unbroken(3), most) <= 2 * most);  // the same bits
  CHECK(steps_of(job.out()).back().number == kSteps);
  CHECK_THAT(job.out(), ContainsSubstring("pid " + std::to_string(two) + ", from memory"));
  std::printf(
      "a rank of three is lost with its part of a model: %.0f ms to the next step of all, %.0f ms the second time\n",
      until_step(job.out(), 1, first_kill), until_step(job.out(), 2, second_kill));
}

}  // namespace

TEST_CASE("a sharded training goes on from the newest checkpoint when a rank is lost", "[launcher]") {
  const TemporaryFolder folder;
  Job job(training({"--elastic", "--nproc-per-node=2", "--max-restarts=2"}, folder.path));
  const pid_t zero = process_of(job, 0, 0, 2), one = process_of(job, 0, 1, 2);
  wait_for_step(job, 8);
  kill(one, SIGKILL);
  CHECK(process_of(job, 1, 0, 2) == zero);
  const pid_t other = process_of(job, 1, 1, 2);
  wait_for_step(job, 22);
  kill(zero, SIGKILL);
  CHECK(process_of(job, 2, 1, 2) == other);
  CHECK(job.finish() == 0);
  const int repeated = check_sharded(job.out(), 0);  // the same bits
  CHECK(repeated <= 2 * kSaveEvery);
  CHECK_THAT(job.out(), ContainsSubstring("trained, pid " + std::to_string(other)));
}

TEST_CASE("a sharded training goes on with more nodes and with fewer", "[launcher]") {
  const TemporaryFolder folder;
  const std::string at = free_endpoint();
  const auto node = [&](int rank) {
    return training({"--nnodes=1:2", "--node-rank=" + std::to_string(rank), "--rdzv-endpoint=" + at, "--rdzv-id=job",
                     "--max-restarts=2", "--rdzv-conf=last_call_timeout=1"},
                    folder.path, 50);
  };
  Job zero(node(0));
  const pid_t survivor = process_of(zero, 0, 0, 1);
  wait_for_step(zero, 3);
  Job one(node(1));
  CHECK(process_of(zero, 1, 0, 2) == survivor);
  process_of(one, 1, 1, 2);
  const std::vector<Step> alone = steps_of(zero.out().substr(0, zero.out().find("generation 1: ")));
  CHECK(alone.back().number % kSaveEvery == 0);  // no step is lost where a node comes
  CHECK_THAT(zero.out(), ContainsSubstring("of 2 from step " + std::to_string(alone.back().number) + ","));
  wait_for_step(zero, alone.back().number + 8);
  kill(one.pid(), SIGKILL);
  CHECK(process_of(zero, 2, 0, 1) == survivor);
  CHECK(zero.finish() == 0);
  one.wait_until_gone();
  CHECK(check_sharded(zero.out(), 1e-12) <= kSaveEvery);
}

TEST_CASE("a sharded training loses a step at most when ranks keep each other's parts", "[launcher]") {
  lose_two("replicas", 1);
}

TEST_CASE("and two at most when the parts travel beside the steps", "[launcher]") { lose_two("beside", 2); }

TEST_CASE("two of three ranks go on with the model of all, as two that resume that step", "[launcher]") {
  const TemporaryFolder folder;
  const std::string at = free_endpoint();
  const auto node = [&](int rank) {
    return training({"--nnodes=2:3", "--node-rank=" + std::to_string(rank), "--rdzv-endpoint=" + at, "--rdzv-id=job",
                     "--max-restarts=2", "--rdzv-conf=last_call_timeout=30"},
                    folder.path, 20, {"replicas"});
  };
  Job zero(node(0)), one(node(1)), two(node(2));
  const pid_t survivor = process_of(zero, 0, 0, 3), other = process_of(two, 0, 2, 3);
  wait_for_step(zero, 9);
  kill(one.pid(), SIGKILL);
  CHECK(process_of(zero, 1, 0, 2) == survivor);
  CHECK(process_of(two, 1, 1, 2) == other);
  CHECK(zero.finish() == 0);
  CHECK(two.finish() == 0);
  one.wait_until_gone();

  const size_t begins = zero.out().find("generation 1: ");
  const std::string before = zero.out().substr(0, begins), after = zero.out().substr(begins);
  CHECK_THAT(after, ContainsSubstring("from memory"));
  const long from = std::strtol(after.c_str() + after.find("from step ") + 10, nullptr, 10);
  CHECK(check_steps_from(before, 1, unbroken(3)) == 0);
  CHECK(steps_of(before).back().number - from <= 1);  // what is lost
  const TemporaryFolder resumed;
  char name[32];
  std::snprintf(name, sizeof(name), "/step-%08ld", from);
  std::filesystem::copy(folder.path + name, resumed.path + name, std::filesystem::copy_options::recursive);
  const Losses two_alone = losses_from(resumed.path, 2);
  CHECK(two_alone.begin()->first == from + 1);
  CHECK(check_steps_from(after, from + 1, two_alone) == 0);  // the same bits
  CHECK(steps_of(after).back().number == kSteps);
}
