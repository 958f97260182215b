// Tests elastic jobs whose ranks each have a part of the model: when one is lost its part is, so all take theirs from
// the newest checkpoint, in processes that live on, whatever the number of ranks then is.
#include <signal.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "test/catch.h"
#include "test/launcher/job.h"
#include "test/launcher/training.h"

using Catch::Matchers::ContainsSubstring;
using namespace test;

namespace {

constexpr long kSteps = 40, kSaveEvery = 5;

Words training(Words options, const std::string& folder, long pause = 20) {
  options.insert(options.end(), {STRATA_ELASTIC_SHARDED_WORKER, std::to_string(kSteps), std::to_string(pause), folder});
  return options;
}

/// The losses that two ranks have which nothing disturbs.
const std::map<long, std::string>& unbroken() {
  static std::map<long, std::string> losses;
  if (losses.empty()) {
    const TemporaryFolder folder;
    Job job(training({"--nproc-per-node=2", "--elastic"}, folder.path, 0));
    REQUIRE(job.finish() == 0);
    for (const Step& step : steps_of(job.out())) losses[step.number] = step.loss;
    REQUIRE(static_cast<long>(losses.size()) == kSteps);
  }
  return losses;
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
    CHECK(std::abs(loss - std::strtod(unbroken().at(step.number).c_str(), nullptr)) <= tolerance);
  }
  CHECK(last == kSteps);
  return repeated;
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
