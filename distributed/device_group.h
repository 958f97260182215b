// A group that has one engine for tensors of the CPU and another one for those of CUDA devices.
#pragma once
#include <string>

#include "../core/communicator.h"
#include "engine.h"

namespace strata::distributed {

/// A group by the engines that `backend` names: "gloo", "nccl" or, with one for each kind of device,
/// "cpu:gloo,cuda:nccl". Throws where the ranks do not meet, or there are no CUDA devices for NCCL.
ProcessGroup connect(const std::string& backend, EngineOptions options);
/// Throws for a name that `connect` does not know.
void check_backend(const std::string& backend);

/// Both groups have the same name and ranks. What has no tensor, a barrier, goes by `cpu`.
ProcessGroup device_group(ProcessGroup cpu, ProcessGroup cuda);

}  // namespace strata::distributed
