// Which rank this process is, as whatever started it says: stratarun, torchrun, srun, mpirun, or variables set by hand.
#pragma once
#include <cstdint>
#include <string>

#include "../core/function.h"

namespace strata::distributed {

struct Environment {
  std::string source = "alone";  ///< what the numbers are from: "alone", "RANK", "SLURM_PROCID", ...
  int64_t rank = 0, world_size = 1;
  int64_t local_rank = 0, local_world_size = 1;  ///< among the ranks of this machine
  /// Where rank 0 can be reached by ranks that look for it.
  std::string master_addr = "127.0.0.1";
  int64_t master_port = 29500;
  bool agent_has_store = false;  ///< the launcher itself listens at that port (torchrun), not rank 0
};

/// A variable's value; null where it is not set.
using Variables = strata::detail::Function<const char*(const char* name)>;

/// Reads RANK, WORLD_SIZE, LOCAL_RANK, LOCAL_WORLD_SIZE, MASTER_ADDR, MASTER_PORT as torchrun sets them; else Open
/// MPI's OMPI_COMM_WORLD_*, which may run inside of a Slurm job; else those of srun: SLURM_PROCID,
/// SLURM_STEP_NUM_TASKS, SLURM_LOCALID; else PMI_RANK and PMI_SIZE of other MPIs. In a Slurm job the ranks meet at the
/// first host of SLURM_STEP_NODELIST or SLURM_JOB_NODELIST, at a port made of SLURM_JOB_ID and SLURM_STEP_ID. A process
/// with none of them is alone, and so is a batch script's own. MASTER_ADDR and MASTER_PORT count in all cases. Throws
/// where numbers are missing or do not fit.
Environment read_environment();
Environment read_environment(const Variables& variables);

/// The first host of a list as Slurm writes it: "node[003-010,12],login" is "node003".
std::string first_host(const std::string& list);

/// Tasks on the node of an index, of such as SLURM_STEP_TASKS_PER_NODE: of "4(x2),3" node 1 has 4 and node 2 has 3.
int64_t tasks_of_node(const std::string& counts, int64_t node);

}  // namespace strata::distributed
