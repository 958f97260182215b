// The code that docs/profiler.md shows, and libtorch's names for it.
#include <fmt/format.h>
#include <torch/csrc/autograd/profiler.h>

#include <filesystem>

#include "test/catch.h"

using namespace strata;

TEST_CASE("what docs/profiler.md shows runs") {
  const auto before = std::filesystem::current_path();
  const auto folder = std::filesystem::temp_directory_path() / "strata_profiler_docs";
  std::filesystem::create_directories(folder);
  std::filesystem::current_path(folder);
  nn::Linear model(4, 2);
  const Tensor x = ones({8, 4});
  const auto train = [&] { model->forward(x).square().mean().backward(); };

  profiler::Profiler p({.record_shapes = true});
  p.start();
  for (int i = 0; i < 3; ++i) {
    const profiler::RecordFunction step("step");  // a row of your own
    train();
  }
  p.stop();
  fmt::print("{}", p.table("self_cpu_time_total", 10));
  p.export_chrome_trace("trace.json");
  CHECK(std::filesystem::file_size("trace.json") > 1000);

  {
    const torch::autograd::profiler::RecordProfile guard("whole.json");
    RECORD_FUNCTION("step", std::vector<torch::Tensor>({x}));
    train();
  }
  CHECK(std::filesystem::exists("whole.json"));
  std::filesystem::current_path(before);
  std::filesystem::remove_all(folder);
}
