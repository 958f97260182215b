// Fourier transforms on a CUDA device against the CPU's: layouts, passes, plans and what is asked of cuFFT.
#include "ops/fft.h"

#include <cufftXt.h>

#include "core/cuda_graph.h"
#include "core/grad_mode.h"
#include "ops/cast.h"
#include "test/cuda_kernels/device.h"
#include "test/cuda_kernels/pair.h"
#include "test/ops/signals.h"

namespace strata::test {
namespace {

void check_relative(const Tensor& there, const Tensor& here) {
  CHECK(there.is_cuda());
  CHECK(there.dtype() == here.dtype());
  CHECK(relative(there.cpu(), here) < (to_real_dtype(here.dtype()) == kDouble ? 1e-14 : 3e-7));
}

/// `(2, 3, 4, 5)` in one of many layouts.
constexpr int kLayouts = 7;
Pair in_layout(int layout, DType dtype) {
  const auto make = [&](const DimVector& sizes, auto view) {
    return pair(is_complex(dtype) ? complex_operand(sizes, dtype) : real_operand(sizes, dtype), view);
  };
  switch (layout) {
    case 0:
      return make({2, 3, 4, 5}, [](const Tensor& t) { return t; });
    case 1:
      return make({2, 3, 5, 4}, [](const Tensor& t) { return t.transpose(2, 3); });
    case 2:
      return make({2, 3, 4, 10}, [](const Tensor& t) { return t.slice(3, 1, std::nullopt, 2); });
    case 3:
      return make({2, 3, 4, 8}, [](const Tensor& t) { return t.narrow(3, 1, 5); });
    case 4:
      return make({5, 4, 3, 2}, [](const Tensor& t) { return t.permute({3, 2, 1, 0}); });
    case 5:
      return make({2, 1, 4, 5}, [](const Tensor& t) { return t.expand({2, 3, 4, 5}); });
    default:
      return make({2, 3, 6, 5}, [](const Tensor& t) { return t.narrow(2, 1, 4); });
  }
}

const std::vector<DimVector> kDims = {{0}, {1}, {3}, {2, 3}, {0, 2}, {3, 1}, {1, 2, 3}, {0, 1, 2, 3}};

template <class F>
void check_all(DType dtype, F f) {
  const NoGradGuard no_grad;
  for (int layout = 0; layout < kLayouts; ++layout) {
    const Pair x = in_layout(layout, dtype);
    for (const DimVector& dims : kDims) {
      CAPTURE(name(dtype), layout, dims[0], dims.size());
      check_relative(f(x.there, IntArrayRef(dims)), f(x.here, IntArrayRef(dims)));
    }
  }
}

}  // namespace

TEST_CASE("complex transforms of all layouts over all dims") {
  for (DType dtype : {kComplexFloat, kComplexDouble}) {
    check_all(dtype, [](const Tensor& x, IntArrayRef dims) { return fft::fftn(x, {}, dims); });
    check_all(dtype, [](const Tensor& x, IntArrayRef dims) { return fft::ifftn(x, {}, dims, "ortho"); });
  }
}

TEST_CASE("transforms between real signals and spectra of all layouts over all dims") {
  for (DType dtype : {kFloat, kDouble}) {
    const DType spectrum = to_complex_dtype(dtype);
    check_all(dtype, [](const Tensor& x, IntArrayRef dims) { return fft::rfftn(x, {}, dims, "forward"); });
    check_all(dtype, [](const Tensor& x, IntArrayRef dims) { return fft::ihfftn(x, {}, dims); });
    check_all(dtype, [](const Tensor& x, IntArrayRef dims) { return fft::fft(x, std::nullopt, dims[0]); });
    // These spectra are no real signals': what the symmetry leaves no room for is not looked at.
    check_all(spectrum, [](const Tensor& x, IntArrayRef dims) { return fft::irfftn(x, {}, dims, "ortho"); });
    check_all(spectrum, [](const Tensor& x, IntArrayRef dims) { return fft::hfftn(x, {}, dims); });
  }
}

TEST_CASE("transforms of odd, even and single values, and of none") {
  for (int64_t n : {1, 2, 3, 7, 8, 13}) {
    CAPTURE(n);
    const Pair z = pair(complex_operand({3, n}), [](const Tensor& t) { return t; });
    const Pair x = pair(real_operand({3, n}), [](const Tensor& t) { return t; });
    check_relative(fft::fft(z.there), fft::fft(z.here));
    check_relative(fft::irfft(z.there, n), fft::irfft(z.here, n));
    check_relative(fft::hfft(z.there, n + 1, 0), fft::hfft(z.here, n + 1, 0));
    check_relative(fft::rfft(x.there), fft::rfft(x.here));
    check_relative(fft::ifft(x.there), fft::ifft(x.here));
    const Tensor z_before = z.there.cpu();
    CHECK(same_bits(z_before, z.here));  // the inputs are as they were
  }
  CHECK(fft::fft(complex_operand({0, 4}).to(kCUDA)).sizes() == IntArrayRef({0, 4}));
  CHECK(fft::irfft(complex_operand({0, 4}).to(kCUDA)).sizes() == IntArrayRef({0, 6}));
}

TEST_CASE("a problem of cuFFT is planned once") {
  if (!emulated) return;
  const NoGradGuard no_grad;
  const Tensor x = complex_operand({3, 4, 5}).to(kCUDA);
  const auto count = [&](auto f) {
    const auto before = emulator::fft_counts();
    f();
    const auto after = emulator::fft_counts();
    return std::pair(after.plans - before.plans, after.transforms - before.transforms);
  };
  CHECK(count([&] { fft::fft(x); }) == std::pair<int64_t, int64_t>(1, 1));
  CHECK(count([&] { fft::fft(x); }) == std::pair<int64_t, int64_t>(0, 1));
  CHECK(count([&] { fft::ifft(x); }) == std::pair<int64_t, int64_t>(0, 1));  // the direction is no part of it
  CHECK(count([&] { fft::fft(x[0]); }) == std::pair<int64_t, int64_t>(1, 1));
  CHECK(count([&] { fft::fftn(x); }) == std::pair<int64_t, int64_t>(1, 1));
  // Layouts that cuFFT can be told of are not copied.
  const int64_t before = launches();
  fft::fft(x, std::nullopt, 0);
  fft::fftn(x, {}, {1, 2});
  fft::rfft(real_operand({4, 6}).to(kCUDA).narrow(1, 0, 5));
  CHECK(launches() == before);
}

}  // namespace strata::test
