// Keeps the launchers of one training running.
#include "test/launcher/chaos_training/fleet.h"

#include <signal.h>

#include <algorithm>

namespace chaos {
namespace {

using test::Job;
using test::Words;

std::string name_of(pid_t pid) {
  std::string name = test::content_of("/proc/" + std::to_string(pid) + "/comm");
  if (name.ends_with('\n')) name.pop_back();
  return name.empty() ? "a process that ends" : name;
}

}  // namespace

std::string Shape::describe() const {
  std::string text = std::to_string(nodes) + (nodes == 1 ? " node of " : " nodes of ") + std::to_string(workers);
  if (elastic) text += ", elastic";
  if (any_number) text += ", 1:" + std::to_string(nodes);
  return text + ", max-restarts " + std::to_string(restarts);
}

Fleet::Fleet(const Shape& shape, std::string folder, long steps)
    : shape_(shape),
      folder_(std::move(folder)),
      endpoint_(test::free_endpoint()),
      steps_(steps),
      nodes_(static_cast<size_t>(shape.nodes)) {
  for (int node = 0; node < shape.nodes; ++node) start(node);
  starts_ = 0;
}

Words Fleet::arguments(int node) const {
  const auto number = [](long value) { return std::to_string(value); };
  Words words = {"--nproc-per-node=" + number(shape_.workers), "--max-restarts=" + number(shape_.restarts),
                 "--shutdown-timeout=5"};
  if (shape_.elastic) words.push_back("--elastic");
  if (shape_.nodes > 1) {
    const Words several = {
        "--nnodes=" + (shape_.any_number ? "1:" + number(shape_.nodes) : number(shape_.nodes)),
        "--node-rank=" + number(node), "--rdzv-endpoint=" + endpoint_, "--rdzv-id=chaos",
        "--rdzv-conf=last_call_timeout=1,keep_alive_interval=1,keep_alive_max_attempt=2,join_timeout=10"};
    words.insert(words.end(), several.begin(), several.end());
  }
  words.insert(words.end(), {STRATA_CHAOS_WORKER, folder_, number(steps_)});
  if (shape_.elastic) words.push_back("elastic");
  return words;
}

void Fleet::start(int node) {
  Node& place = nodes_[static_cast<size_t>(node)];
  place.job = std::make_unique<Job>(arguments(node), test::Start{.environment = {"TMPDIR=" + folder_ + "/tmp"}});
  place.has_succeeded = false;
  ++starts_;
}

bool Fleet::tend() {
  bool has_failed = false;
  for (Node& node : nodes_) {
    if (!node.job || !node.job->has_ended()) continue;
    node.job->wait_until_gone();
    const int code = node.job->finish();
    ended_outputs_ += node.job->out() + node.job->err() + "exit code " + std::to_string(code) + "\n";
    node.job.reset();
    node.has_succeeded = code == 0;
    has_failed |= code != 0;
  }
  for (int node = 0; has_failed && node < shape_.nodes; ++node)
    if (!nodes_[static_cast<size_t>(node)].job) start(node);
  return std::all_of(nodes_.begin(), nodes_.end(), [](const Node& node) { return node.has_succeeded; });
}

std::optional<std::string> Fleet::kill_one(std::mt19937& random) {
  const size_t node = random() % nodes_.size(), kind = random() % 8, any = random();
  const Job* const job = nodes_[node].job.get();
  if (!job) return std::nullopt;
  std::vector<pid_t> workers, launcher;
  for (const pid_t pid : job->processes()) {
    const std::string name = name_of(pid);
    (name == "strata-agent" || name == "stratarun" ? launcher : workers).push_back(pid);
  }
  std::vector<pid_t> victims = {job->pid()};
  std::string what = "stratarun";
  if (kind < 4 && !workers.empty()) {
    victims = {workers[any % workers.size()]};
    what = name_of(victims[0]) + " " + std::to_string(victims[0]);
  } else if (kind == 4 && !launcher.empty()) {
    victims = {launcher.back()};
    what = name_of(victims[0]);
  } else if (kind == 5) {
    victims = launcher, what = "stratarun and its agent";
  } else if (kind == 6) {
    victims = launcher, what = "all of the node";
    victims.insert(victims.end(), workers.begin(), workers.end());
  }
  for (const pid_t pid : victims) kill(pid, SIGKILL);
  return what + (nodes_.size() > 1 ? " on node " + std::to_string(node) : "");
}

std::string Fleet::outputs() const {
  std::string text = ended_outputs_;
  for (const Node& node : nodes_)
    if (node.job) text += node.job->out() + node.job->err();
  return text;
}

}  // namespace chaos
