// Which processors and GPUs a node has, asked without any driver's library.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace strata::launcher {

/// The processors that this process may run on, by number.
std::set<int> allowed_cpus();

/// How many these are; at least 1.
int count_cpus();

/// The GPUs that a CUDA program started here would see, in its order, by PCI address: those of the kernel's NVIDIA
/// driver, narrowed by CUDA_VISIBLE_DEVICES. Empty for a part of a GPU, or a UUID that the driver does not show.
std::vector<std::string> visible_gpus();

/// The same for a file system under `root` and a value of CUDA_VISIBLE_DEVICES. As CUDA does, it stops at the first
/// entry that is no GPU.
std::vector<std::string> visible_gpus(const std::filesystem::path& root, const std::optional<std::string>& visible);

}  // namespace strata::launcher
