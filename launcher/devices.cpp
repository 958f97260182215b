// Finds processors and GPUs through the kernel's files.
#include "launcher/devices.h"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace strata::launcher {
namespace {

using Addresses = std::vector<std::string>;

/// The address of the GPU that an entry of CUDA_VISIBLE_DEVICES names: by its number among `all`, or by a UUID, which
/// is believed. None where it names no GPU.
std::optional<std::string> named_gpu(const std::string& entry, const Addresses& all,
                                     const std::filesystem::path& gpus) {
  if (entry.starts_with("MIG-")) return "";
  if (entry.starts_with("GPU-")) {
    const auto has_uuid = [&](const std::string& address) {
      std::ifstream file(gpus / address / "information");
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      return text.find(entry) != text.npos;
    };
    const auto found = std::find_if(all.begin(), all.end(), has_uuid);
    return found == all.end() ? "" : *found;
  }
  const bool digits = !entry.empty() && entry.size() < 6 && std::all_of(entry.begin(), entry.end(), [](char letter) {
    return letter >= '0' && letter <= '9';
  });
  if (!digits || static_cast<size_t>(std::stoi(entry)) >= all.size()) return std::nullopt;
  return all[static_cast<size_t>(std::stoi(entry))];
}

}  // namespace

std::set<int> allowed_cpus() {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  std::set<int> numbers;
  if (sched_getaffinity(0, sizeof cpus, &cpus) != 0) return numbers;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &cpus)) numbers.insert(cpu);
  return numbers;
}

int count_cpus() { return std::max(1, static_cast<int>(allowed_cpus().size())); }

std::vector<std::string> visible_gpus(const std::filesystem::path& root, const std::optional<std::string>& visible) {
  const auto folder = root / "proc/driver/nvidia/gpus";
  std::error_code none;  // no such folder: no driver, so the range is empty
  Addresses all, seen;
  for (const auto& gpu : std::filesystem::directory_iterator(folder, none)) all.push_back(gpu.path().filename());
  std::sort(all.begin(), all.end());
  if (!visible || all.empty()) return all;
  for (size_t first = 0; first <= visible->size();) {
    const size_t last = std::min(visible->find(',', first), visible->size());
    const auto gpu = named_gpu(visible->substr(first, last - first), all, folder);
    if (!gpu) break;
    seen.push_back(*gpu);
    first = last + 1;
  }
  return seen;
}

std::vector<std::string> visible_gpus() {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  return visible_gpus("/", visible ? std::optional<std::string>(visible) : std::nullopt);
}

}  // namespace strata::launcher
