// Fourier transforms of small and large, smooth and prime lengths, in one and in two dims.
#include "rows.h"

using torch::Tensor;

namespace {

/// Runs `f()` without recording and keeps its result from being optimised away.
template <class F>
auto keep(F f) {
  return [f] {
    torch::NoGradGuard no_grad;
    benchmark::DoNotOptimize(f());
  };
}

void complex_rows() {
  for (int64_t n : {64, 1000, 1009, 4096, 65536, 100000}) {
    const Tensor x = torch::randn({n}, torch::kComplexFloat), wide = torch::randn({n}, torch::kComplexDouble);
    row("fft, complex64, " + std::to_string(n), 1, keep([=] { return torch::fft::fft(x); }));
    row("fft, complex128, " + std::to_string(n), 1, keep([=] { return torch::fft::fft(wide); }));
  }
}

void batch_rows() {
  const Tensor x = torch::randn({256, 1024}, torch::kComplexFloat), r = torch::randn({256, 1024});
  const Tensor image = torch::randn({512, 512});
  for (int threads : {1, 2}) {
    row("fft, complex64, 256 x 1024", threads, keep([=] { return torch::fft::fft(x); }));
    row("fft, complex64, 1024 along the first dim", threads, keep([=] { return torch::fft::fft(x, {}, 0); }));
    row("rfft, float32, 256 x 1024", threads, keep([=] { return torch::fft::rfft(r); }));
    row("rfft2, float32, 512 x 512", threads, keep([=] { return torch::fft::rfft2(image); }));
  }
}

}  // namespace

int main(int argc, char** argv) {
  torch::manual_seed(0);
  complex_rows();
  batch_rows();
  return run_rows(argc, argv);
}
