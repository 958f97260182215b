// Makes the environment of a worker.
#include "launcher/environment.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <string_view>
#include <system_error>

namespace strata::launcher {
namespace {

std::string_view name_of(std::string_view entry) { return entry.substr(0, entry.find('=')); }

}  // namespace

std::vector<std::string> place_variables(const Options& options, const RendezvousInfo& info, int local_rank,
                                         int attempt) {
  std::vector<std::string> own;
  const auto set = [&](const char* name, const std::string& value) { own.push_back(std::string(name) + "=" + value); };
  const std::string rank = std::to_string(info.first_rank + local_rank), world = std::to_string(info.world_size);
  set("RANK", rank);
  set("ROLE_RANK", rank);
  set("ROLE_NAME", options.role);
  set("WORLD_SIZE", world);
  set("ROLE_WORLD_SIZE", world);
  set("LOCAL_RANK", std::to_string(local_rank));
  set("LOCAL_WORLD_SIZE", std::to_string(options.nproc_per_node));
  set("GROUP_RANK", std::to_string(info.group_rank));
  set("GROUP_WORLD_SIZE", std::to_string(info.group_world_size));
  set("MASTER_ADDR", info.master_addr);
  set("MASTER_PORT", std::to_string(info.master_port));
  set("TORCHELASTIC_RESTART_COUNT", std::to_string(attempt));
  set("TORCHELASTIC_MAX_RESTARTS", std::to_string(options.max_restarts));
  set("TORCHELASTIC_RUN_ID", options.rdzv_id);
  set("TORCHELASTIC_USE_AGENT_STORE", "False");  // rank 0 opens a store of its own at MASTER_PORT
  set("STRATA_GENERATION", std::to_string(info.generation));
  if (options.is_elastic()) set("STRATA_MAX_NODES", std::to_string(options.max_nodes));
  own.insert(own.end(), info.environment.begin(), info.environment.end());
  return own;
}

std::vector<std::string> worker_environment(const char* const* inherited, const Options& options,
                                            const RendezvousInfo& info, int local_rank, int attempt) {
  const auto own = place_variables(options, info, local_rank, attempt);
  std::set<std::string_view> names;
  for (const auto& entry : own) names.insert(name_of(entry));
  std::vector<std::string> result;
  bool has_threads = options.nproc_per_node == 1;
  for (; *inherited; ++inherited) {
    if (name_of(*inherited) == "STRATA_AGENT_FD") continue;  // a launcher's around this one
    if (!names.contains(name_of(*inherited))) result.push_back(*inherited);
    has_threads |= name_of(*inherited) == "OMP_NUM_THREADS";
  }
  if (!has_threads) result.push_back("OMP_NUM_THREADS=1");
  result.insert(result.end(), own.begin(), own.end());
  return result;
}

std::string random_hex(size_t bytes) {
  std::string digits;
  for (size_t i = 0; i < bytes; ++i) {
    unsigned char byte;
    if (getrandom(&byte, 1, 0) != 1) throw std::system_error(errno, std::generic_category(), "getrandom");
    digits += fmt::format("{:02x}", byte);
  }
  return digits;
}

}  // namespace strata::launcher
