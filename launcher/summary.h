// The text that says why a job failed.
#pragma once

#include <string>
#include <vector>

#include "launcher/worker_group.h"

namespace strata::launcher {

/// "exit code 3" or "killed by SIGSEGV (signal 11, core dumped)".
std::string describe_status(int status);

/// "SIGTERM".
std::string signal_name(int signal);

/// The workers that failed before the launcher began to stop the others at `stopped`, by time; the first is the root
/// cause.
std::vector<const Worker*> failures(const WorkerGroup& group, Clock::time_point stopped);

/// Root cause first, with the last lines of its stderr, then other failures, then the ranks that were stopped.
std::string failure_summary(const Job& job, const WorkerGroup& group, Clock::time_point stopped, int attempt);

}  // namespace strata::launcher
