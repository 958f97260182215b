// Processes by hand: starting one in a group of its own that dies with its parent, seeing deaths in their order, and
// ending all descendants. libuv's uv_spawn can set neither the signal of a parent's death nor report who died first.
#pragma once

#include <sched.h>
#include <signal.h>
#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "launcher/loop.h"

namespace strata::launcher {

using Clock = std::chrono::steady_clock;

/// A descriptor that is closed at its end.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor() { reset(); }
  int get() const { return fd_; }
  int release();
  void reset();

 private:
  int fd_ = -1;
};

/// A pipe that no started program inherits. Throws std::system_error.
struct Pipe {
  Pipe();
  Descriptor read, write;
};

/// Opens what is closed of the descriptors 0, 1 and 2 on /dev/null, so that no pipe of ours gets one of these numbers.
void open_standard_streams();

/// Blocks the signals that stop a job (SIGTERM, SIGINT, SIGHUP, SIGQUIT; not those that the launcher was started to
/// ignore) and SIGCHLD, and ignores SIGPIPE and SIGTTOU. Started programs get what was before. Returns the blocked
/// ones.
sigset_t take_over_signals();

struct Command {
  std::string program;
  std::vector<std::string> arguments, environment;  ///< arguments[0] is the program's name
  int channel = -1;                                 ///< a descriptor that it inherits by the same number; -1: none
  std::optional<cpu_set_t> cpus = {};               ///< where it may run; none: where this process may
};

/// A process that was forked; whether its program could be started shows at `started`.
struct Process {
  pid_t pid;
  Descriptor exec_error;
  /// Waits until the program runs: 0, or the errno of what failed.
  int started();
};

/// Starts a program as leader of its own process group, with /dev/null as stdin, `out` and `err`, and no other
/// descriptor but its channel. It is killed when this thread ends, so only the main thread may call this. Throws
/// std::system_error.
Process start(const Command& command, int out, int err);

/// Makes orphans among the descendants children of this process.
void adopt_orphans();

/// Sends SIGKILL to all children. Children of a killed child come to whoever adopts orphans, so everything is gone once
/// this has found none often enough. Returns how many there were.
int kill_children();

/// Kills and reaps until no child is left; false where some still are after `limit`.
bool end_children(std::chrono::milliseconds limit);

/// Tells of children's ends on a loop, in their order. One at a time in a process.
class ChildWatch {
 public:
  using Ended = std::function<void(pid_t pid, int status, Clock::time_point when)>;
  /// `settled` follows the calls of `ended` of one turn.
  ChildWatch(Loop& loop, Ended ended, std::function<void()> settled);
  ~ChildWatch();
  ChildWatch(const ChildWatch&) = delete;
  ChildWatch& operator=(const ChildWatch&) = delete;

 private:
  void collect();

  Ended ended_;
  std::function<void()> settled_;
  Wakeup wakeup_;
};

}  // namespace strata::launcher
