// Tests the command line without starting anything.
#include "launcher/options.h"

#include <cstdlib>

#include "launcher/devices.h"
#include "test/catch.h"
#include "test/launcher/job.h"

using namespace strata::launcher;

namespace {

Options parse(const test::Words& words) {
  std::vector<const char*> arguments = {"stratarun"};
  for (const auto& word : words) arguments.push_back(word.c_str());
  return parse_options(static_cast<int>(arguments.size()), arguments.data());
}

int refusal(const test::Words& words) {
  try {
    parse(words);
  } catch (const Exit& exit) {
    return exit.code;
  }
  return -1;
}

struct Variable {
  Variable(const char* name, const char* value) : name(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name); }
  const char* name;
};

}  // namespace

TEST_CASE("options are read in every spelling that torchrun takes", "[launcher]") {
  for (const test::Words& words : {test::Words{"--nproc-per-node", "3", "prog"},
                                   {"--nproc_per_node=3", "prog"},
                                   {"--nproc_per-node", "3", "prog"},
                                   {"--nproc-per-node=3", "--", "prog"}})
    CHECK(parse(words).nproc_per_node == 3);
  const Options options = parse({"--standalone", "--max_restarts=2", "--no_python", "--log-dir", "/tmp/a=b", "-r3",
                                 "-t", "0:1,1:3", "--shutdown-timeout=7", "--master_port=2950", "prog"});
  CHECK(options.standalone);
  CHECK(options.max_restarts == 2);
  CHECK(options.log_dir == "/tmp/a=b");
  CHECK(options.redirects.of(5) == 3);
  CHECK(options.tee.of(0) == 1);
  CHECK(options.tee.of(1) == 3);
  CHECK(options.tee.of(2) == 0);
  CHECK(options.shutdown_timeout.count() == 7);
  CHECK(options.master_port == 2950);
  CHECK(parse({"--nnodes=1:4", "prog"}).max_nodes == 4);
  CHECK(parse({"--nproc-per-node=cpu", "prog"}).nproc_per_node == count_cpus());
}

TEST_CASE("what stands behind the program is the program's", "[launcher]") {
  CHECK(parse({"prog", "--nproc_per_node", "--", "-x", ""}).command ==
        test::Words{"prog", "--nproc_per_node", "--", "-x", ""});
  CHECK(parse({"--standalone", "--", "prog", "--", "a b"}).command == test::Words{"prog", "--", "a b"});
  CHECK(parse({"prog", "--help"}).command == test::Words{"prog", "--help"});
}

TEST_CASE("PET_ variables are defaults", "[launcher]") {
  const Variable nproc("PET_NPROC_PER_NODE", "3"), restarts("PET_MAX_RESTARTS", "2"), alone("PET_STANDALONE", "1"),
      tee("PET_TEE", "3");
  const Options options = parse({"--max-restarts=5", "prog"});
  CHECK(options.nproc_per_node == 3);
  CHECK(options.max_restarts == 5);
  CHECK(options.standalone);
  CHECK(options.tee.of(9) == 3);
  const Variable not_alone("PET_STANDALONE", "0");
  CHECK_FALSE(parse({"prog"}).standalone);
  const Variable bad("PET_MAX_RESTARTS", "many");
  CHECK(refusal({"prog"}) == 2);
}

TEST_CASE("bad arguments are refused with code 2", "[launcher]") {
  for (const test::Words& words : {test::Words{},
                                   {"--nproc-per-node=0", "p"},
                                   {"--nproc-per-node", "-1", "p"},
                                   {"--nproc-per-node=two", "p"},
                                   {"--nproc-per-node=2x", "p"},
                                   {"--nproc-per-node=99999999999", "p"},
                                   {"--no-such-option", "p"},
                                   {"-x", "p"},
                                   {"--nproc-per-node"},
                                   {"--nproc-per-node=2"},
                                   {"--tee=4", "p"},
                                   {"--tee=0:", "p"},
                                   {"--tee=0:1,", "p"},
                                   {"--redirects=a:1", "p"},
                                   {"--max-restarts=-1", "p"},
                                   {"--monitor-interval=0", "p"},
                                   {"--nnodes=0", "p"},
                                   {"--nnodes=3:2", "p"},
                                   {"--nnodes=1:", "p"},
                                   {"--nnodes=2", "--standalone", "p"},
                                   {"--node-rank=1", "p"},
                                   {"--master-port=65536", "p"},
                                   {"--shutdown-timeout=-1", "p"},
                                   {"--rdzv-id=../up", "p"},
                                   {"--rdzv-backend=etcd", "p"},
                                   {"--numa-binding=core", "p"}}) {
    std::string line;
    for (const auto& word : words) line += word + " ";
    INFO(line);
    CHECK(refusal(words) == 2);
  }
  CHECK(refusal({"--help"}) == 0);
  CHECK(refusal({"--nproc-per-node=2", "-h", "p"}) == 0);
}

TEST_CASE("GPUs are those of the driver that the environment shows", "[launcher]") {
  const test::TemporaryFolder root;
  CHECK(visible_gpus(root.path, std::nullopt).size() == 0);
  CHECK(visible_gpus(root.path, "0,1").size() == 0);
  for (const char* name : {"0000:01:00.0", "0000:02:00.0", "0000:03:00.0"})
    std::filesystem::create_directories(root.path + "/proc/driver/nvidia/gpus/" + name);
  CHECK(visible_gpus(root.path, std::nullopt).size() == 3);
  CHECK(visible_gpus(root.path, "").size() == 0);
  CHECK(visible_gpus(root.path, "2,0").size() == 2);
  CHECK(visible_gpus(root.path, "0,-1,1").size() == 1);
  CHECK(visible_gpus(root.path, "3,0").size() == 0);
  CHECK(visible_gpus(root.path, "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6").size() == 1);
}
