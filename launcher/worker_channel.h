// What a worker of an elastic job and its launcher tell each other, in packets over a pair of sockets.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "launcher/loop.h"
#include "launcher/processes.h"

namespace strata::launcher {

/// The launcher's end. Its packets are "plan\nNAME=value\n...": a new generation, as the variables that a worker of it
/// is started with. Where the one before is whole, its workers may finish a step first.
class WorkerChannel {
 public:
  /// A packet of the worker:
  ///   "here"               it can leave a generation and meet again: it runs distributed::elastic::run
  ///   "lost GENERATION WHY"  it has left a generation, whose group is broken
  ///   "done GENERATION"    it needs none after this one
  using Said = std::function<void(const std::string& packet)>;

  /// Both ends, of which a worker inherits the second. Throws std::system_error.
  static std::pair<Descriptor, Descriptor> make_ends();

  WorkerChannel(Loop& loop, Descriptor end, Said said);

  /// Never waits: a worker that has left so much unread that there is no room for a packet does not get it.
  void send(const std::string& packet);

  /// Passes on what the worker has sent so far: its last words may come after the news of its end.
  void drain();

 private:
  bool read_ready();

  Descriptor fd_;
  Said said_;
  Poll poll_;
};

}  // namespace strata::launcher
