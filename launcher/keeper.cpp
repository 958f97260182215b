// The process that a user started: it passes signals on to the agent and outlives it.
#include "launcher/keeper.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "launcher/processes.h"

namespace strata::launcher {
namespace {

// The agent stops at the second signal; at the third it must be stuck.
constexpr int kPatience = 3;

int finish(int status) {
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  const bool gone = end_children(std::chrono::seconds(5));
  fmt::print(stderr, "stratarun: its agent was killed by signal {} ({}); {}\n", WTERMSIG(status),
             strsignal(WTERMSIG(status)), gone ? "all workers were killed" : "some workers could not be killed");
  return 128 + WTERMSIG(status);
}

int watch(pid_t agent, const sigset_t& signals, int control) {
  for (int stops = 0;;) {
    const int signal = sigwaitinfo(&signals, nullptr);
    if (signal < 0) continue;  // interrupted by a signal that is not among these
    if (signal == SIGCHLD) {
      int status = 0;
      if (waitpid(agent, &status, WNOHANG) == agent) return finish(status);
      continue;
    }
    const char byte = static_cast<char>(signal);
    if (write(control, &byte, 1) != 1 || ++stops >= kPatience) kill(agent, SIGKILL);
  }
}

}  // namespace

int keep(const std::function<int(int control)>& agent) {
  const sigset_t signals = take_over_signals();
  adopt_orphans();
  Pipe control;
  fcntl(control.write.get(), F_SETFL, O_NONBLOCK);
  const pid_t pid = fork();
  if (pid < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (pid > 0) {
    control.read.reset();
    return watch(pid, signals, control.write.get());
  }
  control.write.reset();
  setpgid(0, 0);                       // out of reach of the terminal's and the shell's signals to a whole group
  prctl(PR_SET_NAME, "strata-agent");  // and of those sent by name
  adopt_orphans();
  return agent(control.read.get());
}

}  // namespace strata::launcher
