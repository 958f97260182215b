// Modules in the profiler's rows, and what held memory at the peak.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/allocator.h"
#include "nn/container.h"
#include "nn/linear.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/unary.h"
#include "profiler/profiler.h"
#include "test/catch.h"
#include "test/error_of.h"

using namespace strata;

namespace {

struct NetImpl : nn::Module {
  NetImpl() {
    register_module("body", body);
    register_module("head", head);
  }
  Tensor forward(const Tensor& x) { return head(body->forward(x)).exp(); }
  nn::Sequential body{nn::Linear(256, 512), nn::Linear(512, 256)};
  nn::Linear head{256, 2};
};
STRATA_MODULE(Net);

struct TwiceImpl : nn::Module {
  Tensor forward(const Tensor& x) { return x + x; }
};
STRATA_MODULE(Twice);

const profiler::Event& named(const profiler::Profiler& p, const std::string& name, const std::string& module) {
  for (const profiler::Event& e : p.events())
    if (e.name == name && e.module == module) return e;
  FAIL("no row " << name << " in " << module);
  return p.events()[0];
}

int64_t bytes_of(const profiler::MemoryPeak& peak, const std::string& op, const std::string& module) {
  int64_t bytes = 0;
  for (const profiler::MemoryHolder& h : peak.holders)
    if (h.op == op && h.module == module) bytes += h.bytes;
  return bytes;
}

std::string read_all(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("rows carry the path of the module that they ran in") {
  const NoGradGuard no_grad;
  Net net;
  profiler::Profiler p;
  p.start();
  net(ones({4, 256}));
  p.stop();
  CHECK(named(p, "linear", "body.0").kind == profiler::EventKind::kOp);
  CHECK(named(p, "body.1", "body.1").kind == profiler::EventKind::kModule);
  named(p, "linear", "head");
  const std::string root = net->name();
  named(p, "exp", root);
  const auto rows = p.key_averages(false, /*group_by_module=*/true);
  int linears = 0;
  for (const profiler::Average& a : rows)
    if (a.key == "linear") {
      ++linears;
      CHECK(a.count == 1);
    }
  CHECK(linears == 3);
  CHECK(p.table("count", 100, false, true).find("body.1") != std::string::npos);
  for (const profiler::Average& a : p.key_averages())
    if (a.key == "linear") CHECK(a.count == 3);
}

TEST_CASE("the peak of memory knows who held it") {
  const NoGradGuard no_grad;
  nn::Sequential net{Twice(), Twice()};
  const Tensor before = ones({1024, 1024});
  profiler::Profiler p({.profile_memory = true});
  p.start();
  {
    const Tensor input = ones({1000, 500});
    const Tensor twice = net->forward(input);  // here the input and two sums are in use
  }
  const Tensor after = ones({1000, 500}) * 2;
  p.stop();
  const profiler::MemoryPeak& peak = p.memory_peak();
  // The allocator rounds up to an eighth of the power of two below.
  const auto about = [](int64_t bytes, int64_t elements) {
    return bytes >= elements * 4 && bytes <= elements * 4 + elements * 4 / 8;
  };
  CHECK(about(bytes_of(peak, "add", "0"), 1000 * 500));
  CHECK(about(bytes_of(peak, "add", "1"), 1000 * 500));
  CHECK(about(peak.bytes - peak.before, 3 * 1000 * 500));
  CHECK(bytes_of(peak, "mul", "") == 0);
  int64_t sum = peak.before;
  for (const profiler::MemoryHolder& h : peak.holders) sum += h.bytes;
  CHECK(sum == peak.bytes);
  CHECK(peak.before >= 1024 * 1024 * 4);
  for (const profiler::MemoryHolder& h : peak.holders)
    if (h.op == "add") CHECK(h.stack == std::vector<std::string>{h.module, "add"});

  const std::string table = p.memory_table();
  CHECK(table.find("add") != std::string::npos);
  CHECK(table.find("(before the profile)") != std::string::npos);
  const std::string path = (std::filesystem::temp_directory_path() / "strata_flame_graph_test.svg").string();
  p.export_memory_flame_graph(path);
  const std::string svg = read_all(path);
  std::filesystem::remove(path);
  CHECK(svg.rfind("<svg ", 0) == 0);
  CHECK(svg.find("<title>0: ") != std::string::npos);
  CHECK(svg.find("<title>add: ") != std::string::npos);

  // Nothing watches any more.
  const int64_t in_use = memory_stats().in_use;
  { const Tensor x = ones({1000, 1000}); }
  CHECK(memory_stats().in_use == in_use);
  CHECK(p.memory_peak().bytes == sum);
}

TEST_CASE("a profile without memory says so") {
  profiler::Profiler p;
  p.start();
  p.stop();
  CHECK(error_of([&] { p.memory_peak(); }) == "profiler: memory was not recorded: set ProfilerOptions::profile_memory");
}
