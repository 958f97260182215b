// Ranks as launchers tell them.
#include <strata/distributed/environment.h>

#include <map>

#include "test/catch.h"

namespace strata::distributed {
namespace {

Environment read(const std::map<std::string, std::string>& variables) {
  return read_environment([&](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

}  // namespace

TEST_CASE("a process that nobody launched is alone") {
  const Environment e = read({});
  CHECK(e.source == "alone");
  CHECK(e.rank == 0);
  CHECK(e.world_size == 1);
}

TEST_CASE("torchrun's variables, and those set by hand") {
  const Environment e = read({{"RANK", "5"},
                              {"WORLD_SIZE", "8"},
                              {"LOCAL_RANK", "1"},
                              {"LOCAL_WORLD_SIZE", "4"},
                              {"MASTER_ADDR", "10.0.0.7"},
                              {"MASTER_PORT", "1234"},
                              {"TORCHELASTIC_USE_AGENT_STORE", "True"},
                              {"SLURM_PROCID", "0"}});  // torchrun under srun: the inner one counts
  CHECK(e.source == "RANK");
  CHECK(e.rank == 5);
  CHECK(e.world_size == 8);
  CHECK(e.local_rank == 1);
  CHECK(e.local_world_size == 4);
  CHECK(e.master_addr == "10.0.0.7");
  CHECK(e.master_port == 1234);
  CHECK(e.agent_has_store);
  CHECK(read({{"RANK", "1"}, {"WORLD_SIZE", "2"}}).local_rank == 1);
}

TEST_CASE("Slurm's and MPI's variables") {
  const Environment slurm = read({{"SLURM_PROCID", "9"},
                                  {"SLURM_STEP_NUM_TASKS", "16"},
                                  {"SLURM_LOCALID", "1"},
                                  {"SLURM_STEP_TASKS_PER_NODE", "8(x2)"},
                                  {"SLURM_NODEID", "1"},
                                  {"SLURM_STEP_NODELIST", "gpu[07-08]"},
                                  {"SLURM_JOB_ID", "1000123"}});
  CHECK(slurm.rank == 9);
  CHECK(slurm.world_size == 16);
  CHECK(slurm.local_rank == 1);
  CHECK(slurm.local_world_size == 8);
  CHECK(slurm.master_addr == "gpu07");
  CHECK(slurm.master_port == 20123);
  const Environment open_mpi = read({{"OMPI_COMM_WORLD_RANK", "2"},
                                     {"OMPI_COMM_WORLD_SIZE", "4"},
                                     {"OMPI_COMM_WORLD_LOCAL_RANK", "0"},
                                     {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}});
  CHECK(open_mpi.rank == 2);
  CHECK(open_mpi.local_world_size == 2);
  CHECK(read({{"PMI_RANK", "3"}, {"PMI_SIZE", "4"}}).rank == 3);
}

TEST_CASE("MPI inside of a Slurm job, steps and batch scripts") {
  std::map<std::string, std::string> batch = {{"SLURM_JOB_ID", "7"},
                                              {"SLURM_PROCID", "0"},
                                              {"SLURM_NTASKS", "4"},
                                              {"SLURM_LOCALID", "0"},
                                              {"SLURM_JOB_NODELIST", "gpu[07-08]"}};
  CHECK(read(batch).source == "alone");  // a script is one process, however many tasks it may start
  CHECK(read(batch).world_size == 1);
  batch.insert({{"OMPI_COMM_WORLD_RANK", "3"},
                {"OMPI_COMM_WORLD_SIZE", "4"},
                {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}});
  const Environment mpi = read(batch);
  CHECK(mpi.source == "OMPI_COMM_WORLD_RANK");
  CHECK(mpi.rank == 3);
  CHECK(mpi.master_addr == "gpu07");
  CHECK(mpi.master_port == 20007);
  batch["OMPI_COMM_WORLD_LOCAL_SIZE"] = "4";
  CHECK(read(batch).master_addr == "127.0.0.1");
  std::map<std::string, std::string> step = {{"SLURM_JOB_ID", "7"},
                                             {"SLURM_STEP_ID", "0"},
                                             {"SLURM_PROCID", "1"},
                                             {"SLURM_LOCALID", "1"},
                                             {"SLURM_STEP_NUM_TASKS", "2"}};
  const int64_t first = read(step).master_port;
  step["SLURM_STEP_ID"] = "1";
  CHECK(read(step).master_port != first);               // both may run at once
  step.insert({{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}});  // srun --mpi=pmi2
  CHECK(read(step).source == "SLURM_PROCID");
  step["PMI_RANK"] = "6", step["PMI_SIZE"] = "8";  // an mpiexec whose daemons srun has started
  CHECK(read(step).source == "PMI_RANK");
  CHECK(read(step).rank == 6);
}

TEST_CASE("how many tasks Slurm has put on a node") {
  CHECK(tasks_of_node("2", 0) == 2);
  CHECK(tasks_of_node("4(x2),3", 1) == 4);
  CHECK(tasks_of_node("4(x2),3", 2) == 3);
  CHECK_THROWS_WITH(tasks_of_node("4(x2),3", 3), Catch::Matchers::ContainsSubstring("lack this node"));
  CHECK_THROWS_WITH(tasks_of_node("4(x", 0), Catch::Matchers::ContainsSubstring("not such as 4(x2),3"));
}

TEST_CASE("the first host of Slurm's lists") {
  CHECK(first_host("one") == "one");
  CHECK(first_host("one,two") == "one");
  CHECK(first_host("node[003-010,12],login") == "node003");
  CHECK(first_host("login,node[1-2]") == "login");
  CHECK(first_host("rack[2,4]-eth,x") == "rack2-eth");
  CHECK_THROWS_WITH(first_host("node[1"), Catch::Matchers::ContainsSubstring("no closing bracket"));
}

TEST_CASE("numbers that are missing or do not fit") {
  CHECK_THROWS_WITH(read({{"RANK", "1"}}), "distributed: WORLD_SIZE is not set, though its companions are");
  CHECK_THROWS_WITH(read({{"RANK", "one"}, {"WORLD_SIZE", "2"}}), "distributed: RANK is 'one', not a number");
  CHECK_THROWS_WITH(read({{"RANK", "2"}, {"WORLD_SIZE", "2"}}), "distributed: RANK says rank 2 of 2");
  CHECK_THROWS_WITH(read({{"MASTER_PORT", "70000"}}), "distributed: MASTER_PORT is 70000");
  CHECK_THROWS_WITH(read({{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"LOCAL_RANK", "3"}, {"LOCAL_WORLD_SIZE", "2"}}),
                    Catch::Matchers::ContainsSubstring("local rank 3 of 2"));
}

}  // namespace strata::distributed
