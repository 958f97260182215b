// Reads what the elastic worker prints.
#include "test/launcher/training.h"

#include <signal.h>

#include <map>
#include <sstream>

#include "test/catch.h"

namespace test {

Words node_options(const Node& node) {
  return {
      "--nnodes=" + node.nodes, "--node-rank=" + std::to_string(node.rank),        "--rdzv-endpoint=" + node.endpoint,
      "--rdzv-id=job",          "--max-restarts=" + std::to_string(node.restarts), "--rdzv-conf=" + node.conf};
}

Words training(const Node& node, long steps) {
  Words words = node_options(node);
  words.insert(words.end(), {STRATA_ELASTIC_WORKER, std::to_string(steps), "20"});
  return words;
}

void kill_node(Job& launcher, pid_t worker) {
  const std::string text = content_of("/proc/" + std::to_string(worker) + "/stat");
  const auto agent = static_cast<pid_t>(std::stol(text.substr(text.rfind(") ") + 4)));  // the worker's parent
  kill(launcher.pid(), SIGKILL);
  kill(agent, SIGKILL);
  launcher.wait_until_gone();
  launcher.finish();  // reads what is left of its outputs
}

std::vector<Step> steps_of(const std::string& output) {
  std::vector<Step> steps;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    const size_t begin = line.find("step ");
    Step step;
    std::istringstream words(begin == line.npos ? "" : line.substr(begin + 5));
    std::string colon_end, at;
    if (words >> step.number >> colon_end >> step.loss >> at >> step.at && at == "at") steps.push_back(step);
  }
  return steps;
}

namespace {

/// The losses of `count` steps that one process trains by itself.
const std::map<long, std::string>& unbroken(long count) {
  static std::map<long, std::string> losses;
  if (static_cast<long>(losses.size()) < count) {
    Job job({"--nproc-per-node=1", STRATA_ELASTIC_WORKER, std::to_string(count)});
    REQUIRE(job.finish() == 0);
    for (const Step& step : steps_of(job.out())) losses[step.number] = step.loss;
    REQUIRE(static_cast<long>(losses.size()) == count);
  }
  return losses;
}

}  // namespace

int check_steps(const std::string& output, long count, long may_lack) {
  int repeated = 0;
  long last = 0;
  for (const Step& step : steps_of(output)) {
    CHECK(step.loss == unbroken(count).at(step.number));
    CHECK((step.number >= last && step.number <= last + 1 + may_lack));
    repeated += step.number == last;
    last = step.number;
  }
  CHECK(last == count);
  return repeated;
}

std::string joined(const std::vector<std::string>& outputs) {
  std::string all;
  for (const std::string& output : outputs) all += output;
  return all;
}

pid_t process_of(Job& job, int generation, int rank, int world_size) {
  const std::string start = "generation " + std::to_string(generation) + ": rank " + std::to_string(rank) + " of " +
                            std::to_string(world_size) + " from step ";
  return static_cast<pid_t>(job.number_after(start, ", pid "));
}

void wait_for_step(Job& job, long number) { job.wait_for("step " + std::to_string(number) + ": "); }

long long now() { return test::Clock::now().time_since_epoch().count(); }

double until_step(const std::string& output, int generation, long long from) {
  const std::string begun = output.substr(output.find("generation " + std::to_string(generation) + ": "));
  return static_cast<double>(steps_of(begun).at(0).at - from) / 1e6;
}

}  // namespace test
