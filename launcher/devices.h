// How many processors and GPUs a node has, asked without any driver's library.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace strata::launcher {

/// The cores that this process may run on; at least 1.
int count_cpus();

/// The GPUs that a CUDA program started here would see: those of the kernel's NVIDIA driver, narrowed by
/// CUDA_VISIBLE_DEVICES.
int count_gpus();

/// The same for a file system under `root` and a value of CUDA_VISIBLE_DEVICES. As CUDA does, it stops at the first
/// entry that is no GPU.
int count_gpus(const std::filesystem::path& root, const std::optional<std::string>& visible);

}  // namespace strata::launcher
