// Reading what launchers tell the processes that they start.
#include "distributed/environment.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "core/error.h"

namespace strata::distributed {
namespace {

class Reader {
 public:
  explicit Reader(const Variables& variables) : variables_(variables) {}
  bool has(const char* name) const { return text(name).has_value(); }
  std::optional<std::string> text(const char* name) const {
    const char* const value = variables_(name);
    return value && *value ? std::optional<std::string>(value) : std::nullopt;
  }
  int64_t number(const char* name) const {
    const auto value = text(name);
    STRATA_CHECK(value, "distributed: {} is not set, though its companions are", name);
    int64_t n = 0;
    const char* const end = value->data() + value->size();
    const auto [at, error] = std::from_chars(value->data(), end, n);
    STRATA_CHECK(error == std::errc() && at == end, "distributed: {} is '{}', not a number", name, *value);
    return n;
  }
  int64_t number_or(const char* name, int64_t otherwise) const { return has(name) ? number(name) : otherwise; }

 private:
  const Variables& variables_;
};

/// What a launcher calls the four numbers.
struct Names {
  const char *rank, *world_size, *local_rank, *local_world_size;
};
constexpr Names kLaunchers[] = {
    {"RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE"},
    {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID", "SLURM_NTASKS_PER_NODE"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
};

void check(const Environment& e) {
  STRATA_CHECK(e.world_size > 0 && e.rank >= 0 && e.rank < e.world_size, "distributed: {} says rank {} of {}", e.source,
               e.rank, e.world_size);
  STRATA_CHECK(e.local_rank >= 0 && e.local_rank < e.local_world_size,
               "distributed: local rank {} of {} (by the variables beside {})", e.local_rank, e.local_world_size,
               e.source);
  STRATA_CHECK(e.master_port > 0 && e.master_port < 65536, "distributed: MASTER_PORT is {}", e.master_port);
}

}  // namespace

std::string first_host(const std::string& list) {
  const size_t open = list.find('['), comma = list.find(',');
  if (open == list.npos || comma < open) return list.substr(0, comma);
  const size_t end = list.find_first_of(",-]", open);
  STRATA_CHECK(end != list.npos, "distributed: the list of hosts {} has no closing bracket", list);
  const size_t close = list.find(']', open);
  const size_t next = close == list.npos ? close : list.find(',', close);
  const std::string suffix =
      close == list.npos ? "" : list.substr(close + 1, next == list.npos ? next : next - close - 1);
  return list.substr(0, open) + list.substr(open + 1, end - open - 1) + suffix;
}

Environment read_environment(const Variables& variables) {
  const Reader read(variables);
  Environment e;
  for (const Names& names : kLaunchers) {
    if (!read.has(names.rank)) continue;
    e.source = names.rank;
    e.rank = read.number(names.rank);
    e.world_size = read.number(names.world_size);
    // One machine, unless the launcher says otherwise.
    e.local_rank = read.number_or(names.local_rank, e.rank);
    e.local_world_size = read.number_or(names.local_world_size, std::max(e.local_rank + 1, e.world_size));
    break;
  }
  if (e.source == "SLURM_PROCID") {
    if (const auto hosts = read.text("SLURM_STEP_NODELIST")) e.master_addr = first_host(*hosts);
    // Two jobs on a machine get ports of their own.
    e.master_port = 20000 + read.number_or("SLURM_JOB_ID", 0) % 20000;
  }
  if (const auto address = read.text("MASTER_ADDR")) e.master_addr = *address;
  e.master_port = read.number_or("MASTER_PORT", e.master_port);
  e.agent_has_store = read.text("TORCHELASTIC_USE_AGENT_STORE") == "True";
  check(e);
  return e;
}

Environment read_environment() {
  return read_environment([](const char* name) -> const char* { return std::getenv(name); });
}

}  // namespace strata::distributed
