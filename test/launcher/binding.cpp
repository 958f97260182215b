// Tests which processors workers get, on a machine that is made of files.
#include "launcher/binding.h"

#include <filesystem>
#include <fstream>

#include "launcher/options.h"
#include "test/catch.h"
#include "test/launcher/job.h"

using namespace strata::launcher;

namespace {

void write(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << text << "\n";
}

/// Two sockets of a node each with four cores of two threads, of which two cores share a cache: core c has the
/// processors c and c + 8. Two GPUs are at the second node.
void make_machine(const std::filesystem::path& root) {
  write(root / "sys/devices/system/node/online", "0-1");
  for (int cpu = 0; cpu < 16; ++cpu) {
    const int core = cpu % 8, half = core / 2 * 2;
    const auto folder = root / ("sys/devices/system/cpu/cpu" + std::to_string(cpu));
    write(folder / "topology/physical_package_id", std::to_string(core / 4));
    write(folder / "topology/thread_siblings_list", std::to_string(core) + "," + std::to_string(core + 8));
    write(folder / "cache/index0/level", "1");
    write(folder / "cache/index0/type", "Data");
    write(folder / "cache/index0/shared_cpu_list", std::to_string(core));
    write(folder / "cache/index3/level", "3");
    write(folder / "cache/index3/type", "Unified");
    const auto two = [](int from) { return std::to_string(from) + "-" + std::to_string(from + 1); };
    write(folder / "cache/index3/shared_cpu_list", two(half) + "," + two(half + 8));
  }
  write(root / "sys/devices/system/node/node0/cpulist", "0-3,8-11");
  write(root / "sys/devices/system/node/node1/cpulist", "4-7,12-15");
  for (const char* gpu : {"0000:41:00.0", "0000:42:00.0"}) write(root / "sys/bus/pci/devices" / gpu / "numa_node", "1");
}

}  // namespace

TEST_CASE("--numa-binding gives each worker its part of the machine", "[launcher]") {
  const test::TemporaryFolder root;
  make_machine(root.path);
  using All = std::vector<Cpus>;
  Cpus all;
  for (int cpu = 0; cpu < 16; ++cpu) all.insert(cpu);
  const std::vector<std::string> none, gpus = {"0000:41:00.0", "0000:42:00.0"};
  const auto bound = [&](Binding how, int workers, const std::vector<std::string>& at, const Cpus& allowed) {
    return cpus_of_workers(how, workers, allowed, at, root.path);
  };
  const Cpus first = {0, 1, 2, 3, 8, 9, 10, 11}, second = {4, 5, 6, 7, 12, 13, 14, 15};
  CHECK(bound(Binding::kNone, 4, none, all).empty());
  CHECK(bound(Binding::kNode, 2, none, all) == All{first, second});
  CHECK(bound(Binding::kNode, 2, gpus, all) == All{second, second});
  CHECK(bound(Binding::kSocket, 2, gpus, all) == All{second, second});
  CHECK(bound(Binding::kExclusive, 2, gpus, all) == All{{4, 5, 12, 13}, {6, 7, 14, 15}});
  CHECK(bound(Binding::kExclusive, 3, none, all) == All{{0, 1, 8, 9}, {2, 3, 10, 11}, second});
  CHECK(bound(Binding::kCoreComplex, 3, gpus, all) == All{{4, 5, 12, 13}, {6, 7, 14, 15}, {4, 5, 12, 13}});
  // What the launcher may not use, its workers may not either.
  CHECK(bound(Binding::kExclusive, 2, none, {1, 9, 4}) == All{{1, 9}, {4}});
  CHECK(bound(Binding::kExclusive, 2, none, {2, 3}) == All{{2}, {3}});
  CHECK(bound(Binding::kCoreComplex, 1, none, {1, 2, 3}) == All{{2, 3}});
  CHECK_THROWS_WITH(bound(Binding::kExclusive, 3, none, {4, 12, 5, 6, 0}),
                    "stratarun: --numa-binding exclusive: node 0 has 1 cores for 2 workers");
  CHECK_THROWS_WITH(bound(Binding::kNode, 1, gpus, {0}), "stratarun: --numa-binding: node 1 has no core to use");
  CHECK_THROWS_AS(bound(Binding::kNode, 1, {""}, all), Exit);
}
