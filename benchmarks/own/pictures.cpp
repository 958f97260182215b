// Pictures from the bytes of their files: JPEG and PNG, of a network's size and of a camera's.
#include <benchmark/benchmark.h>
#include <torch/torch.h>

#include <strata/data/image.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace {

/// Waves with some noise, as a photograph has shapes and grain.
std::string file_of(const std::string& ending, int64_t height, int64_t width) {
  namespace fs = std::filesystem;
  torch::manual_seed(0);
  const torch::Tensor y = torch::arange(height).div(21).view({1, height, 1}), x = torch::arange(width).div(17);
  const torch::Tensor waves = (x * torch::ones({3, 1, 1}) + y).sin() * 120 + 127;
  const torch::Tensor picture = (waves + torch::randn({3, height, width}) * 6).clamp(0, 255).to(torch::kUInt8);
  const std::string path = fs::temp_directory_path() / ("strata_picture_" + std::to_string(getpid()) + ending);
  if (ending == ".png") {
    strata::data::write_png(path, picture);
  } else {
    strata::data::write_jpeg(path, picture, 85);
  }
  std::ifstream file(path, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(file), {});
  fs::remove(path);
  return bytes;
}

void decode(benchmark::State& state, const std::string& ending) {
  const std::string file = file_of(ending, state.range(0), state.range(1));
  for (auto _ : state) benchmark::DoNotOptimize(strata::data::decode_image(file));
  state.SetItemsProcessed(state.iterations());
}

}  // namespace

BENCHMARK_CAPTURE(decode, jpeg, ".jpg")->Args({224, 224})->Args({750, 1000})->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(decode, png, ".png")->Args({224, 224})->Args({750, 1000})->Unit(benchmark::kMicrosecond);

BENCHMARK_MAIN();
