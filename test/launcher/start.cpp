// Tests what a worker is started with, and what is refused before anything starts.
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "launcher/binding.h"
#include "launcher/devices.h"
#include "launcher/options.h"
#include "test/catch.h"
#include "test/launcher/job.h"

extern char** environ;

using test::Job;
using test::Words;

namespace {

// The lines of rank `rank` that begin with `label`, without both.
std::vector<std::string> reported(const std::string& text, int rank, const std::string& label) {
  const std::string begin = "[" + std::to_string(rank) + "]: " + label;
  std::istringstream lines(text);
  std::vector<std::string> found;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(begin)) found.push_back(line.substr(begin.size()));
  return found;
}

std::string variable(const std::string& text, int rank, const std::string& name) {
  const auto found = reported(text, rank, "environment: " + name + "=");
  return found.size() == 1 ? found[0] : "(" + std::to_string(found.size()) + " times)";
}

// The names of a worker's variables that the test itself does not have; the one by which jobs find their processes is
// the test's.
std::set<std::string> added_variables(const std::string& text, int rank) {
  std::set<std::string> names;
  for (const std::string& entry : reported(text, rank, "environment: ")) names.insert(entry.substr(0, entry.find('=')));
  for (char** entry = environ; *entry; ++entry)
    names.erase(std::string(*entry).substr(0, std::string(*entry).find('=')));
  names.erase(test::kMarkVariable);
  return names;
}

int exit_code(const Words& arguments, const std::string& message) {
  Job job(arguments);
  const int code = job.finish();
  CHECK_THAT(job.err(), Catch::Matchers::ContainsSubstring(message));
  CHECK(job.out().empty());
  return code;
}

}  // namespace

TEST_CASE("workers know their place in the job", "[launcher]") {
  Job job({"--standalone", "--nproc-per-node=2", "--max-restarts=3", "--role=trainer", STRATA_REPORT_WORKER});
  CHECK(job.finish() == 0);
  for (const int rank : {0, 1}) {
    for (const auto& [name, value] :
         std::vector<std::pair<std::string, std::string>>{{"RANK", std::to_string(rank)},
                                                          {"LOCAL_RANK", std::to_string(rank)},
                                                          {"ROLE_RANK", std::to_string(rank)},
                                                          {"GROUP_RANK", "0"},
                                                          {"WORLD_SIZE", "2"},
                                                          {"LOCAL_WORLD_SIZE", "2"},
                                                          {"ROLE_WORLD_SIZE", "2"},
                                                          {"GROUP_WORLD_SIZE", "1"},
                                                          {"ROLE_NAME", "trainer"},
                                                          {"MASTER_ADDR", "127.0.0.1"},
                                                          {"TORCHELASTIC_RESTART_COUNT", "0"},
                                                          {"TORCHELASTIC_MAX_RESTARTS", "3"},
                                                          {"TORCHELASTIC_USE_AGENT_STORE", "False"},
                                                          {"STRATA_GENERATION", "0"}}) {
      INFO(name);
      CHECK(variable(job.out(), rank, name) == value);
    }
    CHECK(std::stoi(variable(job.out(), rank, "MASTER_PORT")) > 1023);
    CHECK(variable(job.out(), rank, "TORCHELASTIC_RUN_ID").size() == 16);
  }
  for (const char* name : {"MASTER_PORT", "TORCHELASTIC_RUN_ID", "STRATA_STORE_TOKEN"})
    CHECK(variable(job.out(), 0, name) == variable(job.out(), 1, name));
  CHECK(variable(job.out(), 0, "STRATA_STORE_TOKEN").size() == 64);
}

TEST_CASE("what the user named reaches the workers", "[launcher]") {
  Job job({"--rdzv-id=job7", "--master-addr=10.0.0.1", "--master-port=2950", STRATA_REPORT_WORKER});
  CHECK(job.finish() == 0);
  CHECK(variable(job.out(), 0, "TORCHELASTIC_RUN_ID") == "job7");
  CHECK(variable(job.out(), 0, "MASTER_ADDR") == "10.0.0.1");
  CHECK(variable(job.out(), 0, "MASTER_PORT") == "2950");
}

TEST_CASE("OMP_NUM_THREADS is 1 for several workers unless it was set", "[launcher]") {
  unsetenv("OMP_NUM_THREADS");
  Job several({"--nproc-per-node=2", STRATA_REPORT_WORKER}), one({STRATA_REPORT_WORKER}),
      set({"--nproc-per-node=2", STRATA_REPORT_WORKER}, {.environment = {"OMP_NUM_THREADS=5"}});
  CHECK(several.finish() == 0);
  CHECK(one.finish() == 0);
  CHECK(set.finish() == 0);
  CHECK(variable(several.out(), 1, "OMP_NUM_THREADS") == "1");
  CHECK(variable(one.out(), 0, "OMP_NUM_THREADS") == "(0 times)");
  CHECK(variable(set.out(), 1, "OMP_NUM_THREADS") == "5");
}

TEST_CASE("environment, folder and umask pass through, descriptors and signal settings do not", "[launcher]") {
  const test::TemporaryFolder folder;
  Job job({"--nproc-per-node=2", STRATA_REPORT_WORKER, "a b", "", "--", "--nproc_per_node=9"},
          {.environment = {"STRANGE=a=b\tc", "EMPTY=", "RANK=77", "PET_ROLE=actor"},
           .folder = folder.path,
           .umask = 0137,
           .inherits_descriptor = true});
  CHECK(job.finish() == 0);
  for (const int rank : {0, 1}) {
    CHECK(reported(job.out(), rank, "argument: ") == Words{"<a b>", "<>", "<-->", "<--nproc_per_node=9>"});
    CHECK(reported(job.out(), rank, "descriptors:") == Words{" 0 1 2"});
    CHECK(reported(job.out(), rank, "stdin: ") == Words{"/dev/null"});
    CHECK(reported(job.out(), rank, "folder: ") == Words{folder.path});
    CHECK(reported(job.out(), rank, "umask: ") == Words{"137"});
    CHECK(reported(job.out(), rank, "leads its group: ") == Words{"1"});
    CHECK(reported(job.out(), rank, "SigBlk:\t") == Words{"0000000000000000"});
    CHECK(reported(job.out(), rank, "SigIgn:\t") == Words{"0000000000000000"});
    CHECK(variable(job.out(), rank, "STRANGE") == "a=b\tc");
    CHECK(variable(job.out(), rank, "EMPTY") == "");
    CHECK(variable(job.out(), rank, "RANK") == std::to_string(rank));
    CHECK(variable(job.out(), rank, "ROLE_NAME") == "actor");
    const auto all = reported(job.out(), rank, "environment: ");
    const std::set<std::string> entries(all.begin(), all.end());
    for (char** entry = environ; *entry; ++entry) {
      const std::string text = *entry;
      if (text.find('\n') == text.npos && !text.starts_with("OMP_")) CHECK(entries.contains(text));
    }
  }
}

TEST_CASE("--numa-binding exclusive gives workers cores that no other one has", "[launcher]") {
  try {
    using namespace strata::launcher;
    (void)cpus_of_workers(Binding::kExclusive, 2, allowed_cpus(), {});
  } catch (const strata::launcher::Exit& e) {
    WARN("skipped: " << e.what());
    return;
  }
  Job job({"--nproc-per-node=2", "--numa-binding=exclusive", STRATA_REPORT_WORKER}),
      many({"--nproc-per-node=10000", "--numa-binding", "exclusive", "true"});
  CHECK(job.finish() == 0);
  CHECK(many.finish() == 2);
  CHECK_THAT(many.err(), Catch::Matchers::ContainsSubstring("cores for 10000 workers"));
  const auto of_rank = [&](int rank) { return reported(job.out(), rank, "Cpus_allowed_list:\t"); };
  REQUIRE(of_rank(0).size() == 1);
  REQUIRE(of_rank(1).size() == 1);
  CHECK(of_rank(0) != of_rank(1));
}

TEST_CASE("a worker gets the documented variables and no others besides the launcher's own", "[launcher]") {
  unsetenv("OMP_NUM_THREADS");
  Job plain(Words{STRATA_REPORT_WORKER}), several({"--nproc-per-node=2", STRATA_REPORT_WORKER});
  CHECK(plain.finish() == 0);
  CHECK(several.finish() == 0);
  std::set<std::string> wanted = {"RANK",
                                  "LOCAL_RANK",
                                  "GROUP_RANK",
                                  "ROLE_RANK",
                                  "ROLE_NAME",
                                  "WORLD_SIZE",
                                  "LOCAL_WORLD_SIZE",
                                  "GROUP_WORLD_SIZE",
                                  "ROLE_WORLD_SIZE",
                                  "MASTER_ADDR",
                                  "MASTER_PORT",
                                  "TORCHELASTIC_RESTART_COUNT",
                                  "TORCHELASTIC_MAX_RESTARTS",
                                  "TORCHELASTIC_RUN_ID",
                                  "TORCHELASTIC_USE_AGENT_STORE",
                                  "STRATA_GENERATION",
                                  "STRATA_STORE_TOKEN"};
  CHECK(added_variables(plain.out(), 0) == wanted);
  wanted.insert("OMP_NUM_THREADS");
  for (const int rank : {0, 1}) CHECK(added_variables(several.out(), rank) == wanted);
}

TEST_CASE("a program that cannot be started ends the launcher before any worker", "[launcher]") {
  const test::TemporaryFolder folder;
  const std::string plain = folder.path + "/plain", lost = folder.path + "/lost", text = folder.path + "/text";
  std::ofstream(plain) << "echo never\n";
  std::ofstream(lost) << "#!/no/such/interpreter\n";
  std::ofstream(text) << "no program\n";
  chmod(lost.c_str(), 0755);
  chmod(text.c_str(), 0755);
  CHECK(exit_code({"--nproc-per-node=2", "no-such-program-anywhere"}, "there is no program") == 127);
  CHECK(exit_code({"--nproc-per-node=2", folder.path + "/none"}, "there is no program") == 127);
  CHECK(exit_code({plain}, "not executable") == 126);
  CHECK(exit_code({folder.path}, "not executable") == 126);
  CHECK(exit_code({"--nproc-per-node=2", "--max-restarts=3", lost}, "interpreter") == 127);
  CHECK(exit_code({"--nproc-per-node=2", "--max-restarts=3", text}, "cannot be started") == 126);
  CHECK(exit_code({"--nproc-per-node=0", "true"}, "at least 1") == 2);
  CHECK(exit_code({"--nproc-per-node=-3", "true"}, "at least 1") == 2);
  CHECK(exit_code({"--wrong", "true"}, "there is no option --wrong") == 2);
  CHECK(exit_code({}, "no program was named") == 2);
  CHECK(exit_code({"--nnodes=2", "true"}, "several nodes") == 2);
}

TEST_CASE("--help is on stdout and says all options", "[launcher]") {
  Job job({"--help"});
  CHECK(job.finish() == 0);
  CHECK(job.err().empty());
  for (const char* name : {"--nproc-per-node", "--nnodes", "--rdzv-endpoint", "--max-restarts", "--tee", "PET_"})
    CHECK_THAT(job.out(), Catch::Matchers::ContainsSubstring(name));
  std::istringstream lines(job.out());
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 100);
}
