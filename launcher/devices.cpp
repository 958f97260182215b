// Counts processors and GPUs through the kernel's files.
#include "launcher/devices.h"

#include <sched.h>

#include <algorithm>
#include <cstdlib>

namespace strata::launcher {
namespace {

// Whether an entry of CUDA_VISIBLE_DEVICES names one of `count` GPUs: by its number, or by a UUID, which is believed.
bool names_gpu(const std::string& entry, int count) {
  if (entry.starts_with("GPU-") || entry.starts_with("MIG-")) return true;
  const bool digits = !entry.empty() && entry.size() < 6 && std::all_of(entry.begin(), entry.end(), [](char letter) {
    return letter >= '0' && letter <= '9';
  });
  return digits && std::stoi(entry) < count;
}

}  // namespace

int count_cpus() {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  if (sched_getaffinity(0, sizeof cpus, &cpus) != 0) return 1;
  return std::max(1, CPU_COUNT(&cpus));
}

int count_gpus(const std::filesystem::path& root, const std::optional<std::string>& visible) {
  std::error_code none;  // no such folder: no driver, so the range is empty
  const auto gpus = std::filesystem::directory_iterator(root / "proc/driver/nvidia/gpus", none);
  const int count = static_cast<int>(std::distance(begin(gpus), end(gpus)));
  if (!visible || count == 0) return count;
  int seen = 0;
  for (size_t first = 0; first <= visible->size(); ++seen) {
    const size_t last = std::min(visible->find(',', first), visible->size());
    if (!names_gpu(visible->substr(first, last - first), count)) break;
    first = last + 1;
  }
  return seen;
}

int count_gpus() {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  return count_gpus("/", visible ? std::optional<std::string>(visible) : std::nullopt);
}

}  // namespace strata::launcher
