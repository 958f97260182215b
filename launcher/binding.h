// Which processors a worker may run on: torchrun's --numa-binding, from the kernel's files.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace strata::launcher {

/// Numbers of logical processors.
using Cpus = std::set<int>;

/// Names of --numa-binding, as in torch/numa/binding.py. A worker belongs to the NUMA node of its GPU and may run on
enum class Binding {
  kNone,         ///< whatever the launcher may run on
  kNode,         ///< all processors of its node
  kSocket,       ///< all those of its node's socket
  kExclusive,    ///< an equal share of its node's cores, which no other worker has
  kCoreComplex,  ///< those of its node that share one cache, another one than the next worker's where there are several
};

/// The processors of each of `workers` workers, out of `allowed`; none at all for kNone. `gpus` are the PCI addresses
/// of the GPUs in their order, of which worker i has number i; where there is none, workers are divided among the nodes
/// in order. Files lie under `root`. Throws Exit (2) where a node has no processor that is allowed, or for kExclusive
/// fewer cores than workers.
std::vector<Cpus> cpus_of_workers(Binding how, int workers, const Cpus& allowed, const std::vector<std::string>& gpus,
                                  const std::filesystem::path& root = "/");

}  // namespace strata::launcher
