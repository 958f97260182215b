// The launchers of one training, one for each node, as an operator keeps them: started, killed, started anew.
#pragma once

#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "test/launcher/job.h"

namespace chaos {

/// How a training is divided and what keeps it alive.
struct Shape {
  int nodes = 1, workers = 2;  ///< workers on each node
  bool elastic = false;        ///< the workers that live keep their processes
  bool any_number = false;     ///< of nodes, from 1
  int restarts = 0;            ///< before the launchers give up, and the operator starts them anew

  int ranks() const { return nodes * workers; }
  std::string describe() const;
};

/// All that a training writes lies in `folder`.
class Fleet {
 public:
  Fleet(const Shape& shape, std::string folder, long steps);

  /// Notes which launchers have ended, and starts those anew that have failed, with those that had succeeded without
  /// them. Returns whether all have succeeded.
  bool tend();
  /// Sends SIGKILL to a process, to a launcher's two or to a whole node, chosen by `random`; says which. Nothing where
  /// nobody is alive.
  std::optional<std::string> kill_one(std::mt19937& random);
  /// How often launchers were started, beyond the first time.
  int starts() const { return starts_; }
  /// What the launchers that run now have printed, and those that have ended.
  std::string outputs() const;

 private:
  struct Node {
    std::unique_ptr<test::Job> job;
    bool has_succeeded = false;
  };
  test::Words arguments(int node) const;
  void start(int node);

  const Shape shape_;
  const std::string folder_, endpoint_;
  const long steps_;
  int starts_ = 0;
  std::string ended_outputs_;
  std::vector<Node> nodes_;
};

}  // namespace chaos
