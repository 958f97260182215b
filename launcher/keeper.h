// The launcher is two processes that keep each other's promise: whichever is killed, the other ends all workers.
#pragma once

#include <functional>

namespace strata::launcher {

/// Forks. The child, the agent, calls `agent` with a descriptor and returns what that returns. The caller keeps watch:
/// it writes each signal that is to stop the job to the descriptor as one byte, and returns the agent's exit code. Both
/// adopt orphans, so that what workers have started never leaves the tree:
///  - when this process is killed, the agent reads the end of the file and ends everything;
///  - when the agent is killed, the kernel kills the workers, and this process everything else.
int keep(const std::function<int(int control)>& agent);

}  // namespace strata::launcher
