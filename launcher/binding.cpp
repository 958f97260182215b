// Reads what belongs together from /sys, and divides it among workers.
#include "launcher/binding.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "launcher/options.h"

namespace strata::launcher {
namespace {

namespace fs = std::filesystem;

std::string line_of(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

/// "0-3,8" as the kernel writes it; nothing where the file is not there.
Cpus list_of(const fs::path& file) {
  Cpus cpus;
  std::istringstream entries(line_of(file));
  for (std::string entry; std::getline(entries, entry, ',');) {
    int first = 0;
    char dash = 0;
    std::istringstream range(entry);
    if (!(range >> first)) continue;
    int last = first;
    range >> dash >> last;
    for (int cpu = first; cpu <= last; ++cpu) cpus.insert(cpu);
  }
  return cpus;
}

int number_of(const fs::path& file, int otherwise) {
  std::istringstream text(line_of(file));
  int number = otherwise;
  return text >> number ? number : otherwise;
}

Cpus both(const Cpus& a, const Cpus& b) {
  Cpus common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(common, common.end()));
  return common;
}

class Machine {
 public:
  Machine(const fs::path& root, const Cpus& allowed) : system_(root / "sys"), allowed_(allowed) {}

  Cpus node(int number) const { return both(list_of(node_folder(number) / "cpulist"), allowed_); }
  int node_of_gpu(const std::string& address) const {
    constexpr int kUnknown = -2;
    const int node =
        address.empty() ? kUnknown : number_of(system_ / "bus/pci/devices" / address / "numa_node", kUnknown);
    if (node == kUnknown)
      throw Exit(kBadArguments, fmt::format("stratarun: --numa-binding: the node of GPU \"{}\" is not known", address));
    return std::max(0, node);  // -1: there is one only
  }
  /// Those with processors that are allowed.
  std::vector<int> nodes() const {
    std::vector<int> numbers;
    for (const int number : list_of(system_ / "devices/system/node/online"))
      if (!node(number).empty()) numbers.push_back(number);
    return numbers;
  }
  Cpus socket_of(int cpu) const {
    Cpus same;
    for (const int other : allowed_)
      if (package(other) == package(cpu)) same.insert(other);
    return same;
  }
  Cpus core_of(int cpu) const { return or_alone(list_of(cpu_folder(cpu) / "topology/thread_siblings_list"), cpu); }
  /// Those that share its cache of the highest level.
  Cpus complex_of(int cpu) const {
    int highest = -1;
    Cpus sharing;
    std::error_code none;  // no such folder: nothing is known of caches
    for (const auto& cache : fs::directory_iterator(cpu_folder(cpu) / "cache", none)) {
      const int level = number_of(cache.path() / "level", -1);
      if (level <= highest || line_of(cache.path() / "type") == "Instruction") continue;
      highest = level, sharing = list_of(cache.path() / "shared_cpu_list");
    }
    return or_alone(std::move(sharing), cpu);
  }

 private:
  fs::path node_folder(int number) const { return system_ / fmt::format("devices/system/node/node{}", number); }
  fs::path cpu_folder(int cpu) const { return system_ / fmt::format("devices/system/cpu/cpu{}", cpu); }
  int package(int cpu) const { return number_of(cpu_folder(cpu) / "topology/physical_package_id", 0); }
  static Cpus or_alone(Cpus cpus, int cpu) { return cpus.empty() ? Cpus{cpu} : cpus; }

  const fs::path system_;
  const Cpus allowed_;
};

/// What `together` says of the processors of a node, each once, in the order of their first ones.
template <class Together>
std::vector<Cpus> groups(const Cpus& node, const Together& together) {
  std::map<int, Cpus> by_first;
  for (const int cpu : node) by_first[*together(cpu).begin()].insert(cpu);
  std::vector<Cpus> all;
  for (auto& [first, cpus] : by_first) all.push_back(std::move(cpus));
  return all;
}

/// A node's share for the worker that is number `index` of the `count` ones there.
Cpus share_of(const Machine& machine, Binding how, int node, int index, int count) {
  const Cpus all = machine.node(node);
  if (all.empty())
    throw Exit(kBadArguments, fmt::format("stratarun: --numa-binding: node {} has no core to use", node));
  if (how == Binding::kSocket) return machine.socket_of(*all.begin());
  if (how == Binding::kCoreComplex) {
    auto complexes = groups(all, [&](int cpu) { return machine.complex_of(cpu); });
    std::stable_sort(complexes.begin(), complexes.end(),
                     [](const Cpus& a, const Cpus& b) { return a.size() > b.size(); });
    return complexes[static_cast<size_t>(index) % complexes.size()];
  }
  if (how == Binding::kNode) return all;
  const auto cores = groups(all, [&](int cpu) { return machine.core_of(cpu); });
  const int total = static_cast<int>(cores.size());
  if (total < count)
    throw Exit(kBadArguments, fmt::format("stratarun: --numa-binding exclusive: node {} has {} cores for {} workers",
                                          node, total, count));
  const auto start_of = [&](int i) { return i * (total / count) + std::min(i, total % count); };
  Cpus share;
  for (int i = start_of(index); i < start_of(index + 1); ++i)
    share.insert(cores[static_cast<size_t>(i)].begin(), cores[static_cast<size_t>(i)].end());
  return share;
}

std::vector<int> nodes_of_workers(const Machine& machine, int workers, const std::vector<std::string>& gpus) {
  const std::vector<int> nodes = machine.nodes();
  if (nodes.empty()) throw Exit(kBadArguments, "stratarun: --numa-binding: this system does not tell its NUMA nodes");
  std::vector<int> chosen;
  for (size_t worker = 0; worker < static_cast<size_t>(workers); ++worker)
    chosen.push_back(gpus.empty() ? nodes[worker * nodes.size() / static_cast<size_t>(workers)]
                                  : machine.node_of_gpu(gpus[worker % gpus.size()]));
  return chosen;
}

}  // namespace

std::vector<Cpus> cpus_of_workers(Binding how, int workers, const Cpus& allowed, const std::vector<std::string>& gpus,
                                  const fs::path& root) {
  if (how == Binding::kNone) return {};
  const Machine machine(root, allowed);
  const std::vector<int> nodes = nodes_of_workers(machine, workers, gpus);
  std::map<int, int> there, before;
  for (const int node : nodes) ++there[node];
  std::vector<Cpus> shares;
  for (const int node : nodes) shares.push_back(share_of(machine, how, node, before[node]++, there[node]));
  return shares;
}

}  // namespace strata::launcher
