// Reading what launchers tell the processes that they start.
#include "distributed/environment.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>

#include "core/error.h"

namespace strata::distributed {
namespace {

bool parse(const std::string& text, int64_t& number) {
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && at == end;
}

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
    STRATA_CHECK(parse(*value, n), "distributed: {} is '{}', not a number", name, *value);
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
// The inner ones first: mpirun inside of a Slurm job leaves all its ranks the SLURM_PROCID that it has itself.
constexpr Names kLaunchers[] = {
    {"RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", "SLURM_NTASKS_PER_NODE"},
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
};

/// Is a task of srun's a rank? A batch script has a SLURM_PROCID too, but is one process, and no step; and the tasks of
/// an mpiexec's step start the ranks, whose number PMI says. (srun --mpi=pmi2 sets both, to the same.)
bool is_srun(const Reader& read) {
  const auto tasks = read.text("SLURM_STEP_NUM_TASKS");
  return tasks && (!read.has("PMI_SIZE") || read.text("PMI_SIZE") == tasks);
}

/// What of a Slurm job no MPI says: where its ranks meet, and how many tasks of a step are on this machine. An MPI's
/// daemons may be of a step that lacks the first machine, so its ranks meet by what is the same in the whole job.
void read_slurm(const Reader& read, Environment& e) {
  const bool in_step = e.source == "SLURM_PROCID";
  const auto hosts = read.text(in_step ? "SLURM_STEP_NODELIST" : "SLURM_JOB_NODELIST");
  // Ranks of one machine want no name service for the machine's own name.
  const bool is_one_machine = !in_step && e.local_world_size == e.world_size;
  if (hosts && !is_one_machine) e.master_addr = first_host(*hosts);
  // Two jobs on a machine get ports of their own, and so do two steps of a job.
  const int64_t step = in_step ? read.number_or("SLURM_STEP_ID", 0) : 0;
  e.master_port = 20000 + (read.number_or("SLURM_JOB_ID", 0) + 4001 * step) % 20000;
  const auto counts = read.text("SLURM_STEP_TASKS_PER_NODE");
  if (in_step && counts && read.has("SLURM_NODEID"))
    e.local_world_size = tasks_of_node(*counts, read.number("SLURM_NODEID"));
}

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

int64_t tasks_of_node(const std::string& counts, int64_t node) {
  for (size_t begin = 0; begin < counts.size();) {
    const size_t comma = std::min(counts.find(',', begin), counts.size());
    const std::string entry = counts.substr(begin, comma - begin);  // "4" or "4(x2)"
    int64_t tasks = 0, nodes = 1;
    const size_t repeat = entry.find("(x");
    const bool is_number = parse(entry.substr(0, repeat), tasks);
    STRATA_CHECK(
        is_number && (repeat == entry.npos || parse(entry.substr(repeat + 2, entry.size() - repeat - 3), nodes)),
        "distributed: the tasks of Slurm's nodes are {}, not such as 4(x2),3", counts);
    if (node < nodes) return tasks;
    node -= nodes;
    begin = comma + 1;
  }
  STRATA_THROW("distributed: the tasks of Slurm's nodes, {}, lack this node", counts);
}

Environment read_environment(const Variables& variables) {
  const Reader read(variables);
  Environment e;
  for (const Names& names : kLaunchers) {
    if (!read.has(names.rank) || (names.rank == std::string_view("SLURM_PROCID") && !is_srun(read))) continue;
    e.source = names.rank;
    e.rank = read.number(names.rank);
    e.world_size = read.number(names.world_size);
    // One machine, unless the launcher says otherwise.
    e.local_rank = read.number_or(names.local_rank, e.rank);
    e.local_world_size = read.number_or(names.local_world_size, std::max(e.local_rank + 1, e.world_size));
    break;
  }
  if (e.source != "RANK" && e.source != "alone" && read.has("SLURM_JOB_ID")) read_slurm(read, e);
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
