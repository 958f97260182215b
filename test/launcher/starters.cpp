// A Strata program started by what others start theirs with: mpirun, srun and torchrun; and Python's torch.distributed
// started by stratarun. Where one of them is not installed, the test says so.
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>

#include "test/catch.h"
#include "test/launcher/job.h"
#include "test/launcher/training.h"

using Catch::Matchers::ContainsSubstring;
using namespace test;

namespace {

constexpr long kFewSteps = 5;

/// The path of an installed program; empty where there is none, and then the test says so.
std::string installed(const std::string& program, const std::string& package) {
  std::istringstream folders(std::string(std::getenv("PATH")) + ":/usr/sbin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((folder + "/" + program).c_str(), X_OK) == 0) return folder + "/" + program;
  WARN("skipped: there is no " << program << "; Debian's package " << package << " has it");
  return "";
}

/// The interpreter that has torch, as in test/rendezvous/torch.cpp.
std::string torch_python() {
  const char* const named = std::getenv("STRATA_TORCH_PYTHON");
  const std::string python = named ? named : "/usr/bin/python3";
  const std::string look =
      python + " -c 'import importlib.util, sys; sys.exit(not importlib.util.find_spec(\"torch\"))'";
  static const bool has_torch = std::system(look.c_str()) == 0;
  if (has_torch) return python;
  WARN("skipped: " << python << " has no torch; STRATA_TORCH_PYTHON names an interpreter that does");
  return "";
}

/// Two ranks have trained together and made what one process makes by itself, to the bit.
void check_training(Job& job) {
  CHECK(job.finish() == 0);
  for (const char* const rank : {"rank 0 of 2", "rank 1 of 2"}) CHECK(count_of(job.out(), rank) == 1);
  CHECK(check_steps(job.out(), kFewSteps) == 0);
}

const Words kWorker = {STRATA_ELASTIC_WORKER, std::to_string(kFewSteps)};

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// Two launchers, each a node whose rank is what the starter has set.
Words launchers(const std::string& rank, const std::string& endpoint) {
  return {"sh", "-c",
          "exec " STRATARUN " --nnodes 2 --node-rank $" + rank + " --rdzv-id job --rdzv-endpoint " + endpoint +
              " " STRATA_ELASTIC_WORKER " " + std::to_string(kFewSteps)};
}

Start by(const std::string& program, Words environment = {}) {
  Start start;
  start.program = program;
  start.environment = std::move(environment);
  return start;
}

/// Open MPI refuses root, and more processes than processors, unless it is told that they are meant.
Start by_mpirun(const std::string& mpirun) {
  return by(mpirun,
            {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "OMPI_MCA_rmaps_base_oversubscribe=1"});
}

/// A Slurm cluster of this machine alone and for the time of a test.
class Cluster {
 public:
  Cluster(const std::string& slurmctld, const std::string& slurmd) {
    write_configuration();
    setenv("SLURM_CONF", configuration_.c_str(), 1);
    daemons_[0] = start({slurmctld, "-D"});
    daemons_[1] = start({slurmd, "-D", "-N", "localhost"});
  }
  ~Cluster() {
    for (const pid_t daemon : daemons_) kill(daemon, SIGKILL);  // asked to end, they take seconds
    for (const pid_t daemon : daemons_) waitpid(daemon, nullptr, 0);
    unsetenv("SLURM_CONF");
  }
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  /// Whether it takes jobs, within 10 s.
  bool is_up() const {
    const std::string ask = "sinfo -h -o %T 2>&1 | grep -q idle";
    for (const auto end = Clock::now() + std::chrono::seconds(10); Clock::now() < end;) {
      if (std::system(ask.c_str()) == 0) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return false;
  }
  std::string log() const { return content_of(folder_.path + "/ctld.log") + content_of(folder_.path + "/d.log"); }

 private:
  static std::string port() {
    const std::string endpoint = free_endpoint();
    return endpoint.substr(endpoint.find(':') + 1);
  }

  /// Nobody has to prove who he is: the daemons listen for this test only, at ports of the moment.
  void write_configuration() const {
    for (const char* const name : {"/state", "/spool"}) mkdir((folder_.path + name).c_str(), 0700);
    const std::string at = "=" + folder_.path + "/";
    std::ofstream(configuration_) << "ClusterName=test\nSlurmctldHost=localhost(127.0.0.1)\nSlurmUser=root\n"
                                  << "SlurmctldPort=" << port() << "\nSlurmdPort=" << port() << "\n"
                                  << "AuthType=auth/none\nCredType=cred/none\n"
                                  << "StateSaveLocation" << at << "state\nSlurmdSpoolDir" << at << "spool\n"
                                  << "SlurmctldPidFile" << at << "ctld.pid\nSlurmdPidFile" << at << "d.pid\n"
                                  << "SlurmctldLogFile" << at << "ctld.log\nSlurmdLogFile" << at << "d.log\n"
                                  << "ProctrackType=proctrack/pgid\nTaskPlugin=task/none\n"
                                  << "JobAcctGatherType=jobacct_gather/none\nSelectType=select/linear\n"
                                  << "SchedulerType=sched/builtin\nSwitchType=switch/none\nMpiDefault=none\n"
                                  << "SlurmdParameters=config_overrides\n"
                                  << "NodeName=localhost NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN\n"
                                  << "PartitionName=all Nodes=ALL Default=YES State=UP\n";
  }

  pid_t start(const Words& words) const {
    const pid_t pid = fork();
    if (pid != 0) return pid;
    // What they print is in their logs, too; and the pipe of who reads the test's output is not theirs to hold.
    if (!std::freopen("/dev/null", "w", stdout) || !std::freopen("/dev/null", "w", stderr)) _exit(98);
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execv(arguments[0], arguments.data());
    _exit(99);
  }

  const TemporaryFolder folder_;
  const std::string configuration_ = folder_.path + "/slurm.conf";
  pid_t daemons_[2] = {};
};

}  // namespace

TEST_CASE("mpirun starts ranks, and launchers of nodes", "[launcher]") {
  const std::string mpirun = installed("mpirun", "openmpi-bin");
  if (mpirun.empty()) return;
  const std::string at = free_endpoint();
  Job ranks(Words{"-n", "2", "-x", "MASTER_PORT=" + at.substr(at.find(':') + 1)} + kWorker, by_mpirun(mpirun));
  check_training(ranks);
  Job nodes(Words{"-n", "2"} + launchers("OMPI_COMM_WORLD_RANK", free_endpoint()), by_mpirun(mpirun));
  check_training(nodes);
}

TEST_CASE("srun starts ranks, launchers of nodes, and an mpirun", "[launcher]") {
  const std::string srun = installed("srun", "slurm-client"), slurmd = installed("slurmd", "slurmd"),
                    slurmctld = installed("slurmctld", "slurmctld");
  if (srun.empty() || slurmd.empty() || slurmctld.empty()) return;
  if (getuid() != 0) {
    WARN("skipped: slurmd runs as root alone");
    return;
  }
  const Cluster cluster(slurmctld, slurmd);
  if (!cluster.is_up()) FAIL("Slurm takes no jobs: " << cluster.log());
  Job ranks(Words{"-n", "2"} + kWorker, by(srun));
  check_training(ranks);
  Job nodes(Words{"-n", "2"} + launchers("SLURM_PROCID", free_endpoint()), by(srun));
  check_training(nodes);

  const std::string mpirun = installed("mpirun", "openmpi-bin");
  if (mpirun.empty()) return;
  // All ranks of an mpirun find the variables of its one task.
  Job inside(Words{"-n", "1", mpirun, "-n", "2"} + kWorker, by_mpirun(srun));
  check_training(inside);
}

TEST_CASE("torchrun starts ranks, whose store it holds", "[launcher]") {
  const std::string python = torch_python();
  if (python.empty()) return;
  const Words torchrun = {"-m", "torch.distributed.run", "--no-python", "--standalone", "--nproc-per-node", "2"};
  Job job(torchrun + kWorker, by(python));
  check_training(job);
}

TEST_CASE("stratarun starts ranks of Python's torch.distributed", "[launcher]") {
  const std::string python = torch_python();
  if (python.empty()) return;
  Job job({"--nproc-per-node=2", python, "-c", R"(
import torch
import torch.distributed as dist
dist.init_process_group("gloo")
x = torch.full((3,), 1.0 + dist.get_rank())
dist.all_reduce(x)
print(f"rank {dist.get_rank()} of {dist.get_world_size()}: {x.tolist()}")
dist.destroy_process_group()
)"});
  CHECK(job.finish() == 0);
  for (const char* const line : {"[0]: rank 0 of 2: [3.0, 3.0, 3.0]", "[1]: rank 1 of 2: [3.0, 3.0, 3.0]"})
    CHECK_THAT(job.out(), ContainsSubstring(line));
}
