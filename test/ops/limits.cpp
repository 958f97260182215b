// Sizes, strides and windows near the end of 63 bits: an error, or the right view, and nothing outside of memory.
#include <strata/strata.h>

#include <limits>

#include "test/catch.h"
#include "test/error_of.h"

namespace strata {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max(), kHuge = int64_t{1} << 62;

}  // namespace

TEST_CASE("checked arithmetic on sizes") {
  CHECK(checked_mul(int64_t{1} << 31, int64_t{1} << 31, "f") == kHuge);
  CHECK(checked_add(kMost - 1, 1, "f") == kMost);
  CHECK(checked_sub(-kMost, 1, "f") == std::numeric_limits<int64_t>::min());
  CHECK(error_of([] { checked_mul(kHuge, 2, "f"); }) == "f: 4611686018427387904 * 2 does not fit in 63 bits");
  CHECK(error_of([] { checked_add(kMost, 1, "f"); }) == "f: 9223372036854775807 + 1 does not fit in 63 bits");
  CHECK(error_of([] { checked_sub(-kMost, 2, "f"); }) == "f: -9223372036854775807 - 2 does not fit in 63 bits");
}

TEST_CASE("as_strided stays inside its storage, whatever overflows") {
  const Tensor x = ones({4});
  const auto refused = [&](IntArrayRef sizes, IntArrayRef strides, int64_t offset) {
    return error_of([&] { x.as_strided(sizes, strides, offset); }) != "no error";
  };
  CHECK(refused({2}, {kMost}, 1));
  CHECK(refused({3}, {kHuge}, 1));
  CHECK(refused({5}, {kHuge}, 0));
  CHECK(refused({1}, {1}, kMost));
  CHECK(refused({0}, {1}, kMost));
  CHECK(refused({kHuge, 4}, {0, 0}, 0));
  CHECK(!refused({0}, {1}, 100));
  CHECK(!refused({1}, {kHuge}, 3));
}

TEST_CASE("expand does not pass 63 bits of elements") {
  const Tensor x = ones({1, 1, 1});
  CHECK(error_of([&] {
          x.expand({int64_t{1} << 40, int64_t{1} << 40, 1});
        }).find("too many elements") != std::string::npos);
  CHECK(x.expand({int64_t{1} << 40, 0, int64_t{1} << 40}).numel() == 0);
  CHECK(x.expand({int64_t{1} << 31, int64_t{1} << 31, 1}).numel() == kHuge);
  CHECK(error_of([&] {
          cat({x.expand({kHuge, 1, 1}), x.expand({kHuge, 1, 1})});
        }).find("63 bits") != std::string::npos);
  CHECK(error_of([&] { x.repeat({kHuge, 4, 1}); }) != "no error");
  CHECK(error_of([&] { x.view({kHuge, 4, -1}); }) != "no error");
}

TEST_CASE("unflatten names what is wrong") {
  CHECK(error_of([] { ones({}).unflatten(0, {1, 1}); }) == "unflatten: a 0-dim tensor has no dim to split");
  CHECK(error_of([] {
          ones({6}).unflatten(0, {4, 2});
        }) == "unflatten: sizes (4, 2) do not multiply to dim 0 of size 6");
  CHECK(error_of([] {
          ones({6}).unflatten(0, {-1, 4});
        }) == "unflatten: sizes (-1, 4) do not multiply to dim 0 of size 6");
  CHECK(error_of([] { ones({6}).unflatten(0, IntArrayRef()); }) == "unflatten: sizes must not be empty");
  CHECK(error_of([] { ones({6}).unflatten(0, {-1, -1}); }) != "no error");
  CHECK(error_of([] { ones({6}).unflatten(0, {kHuge, 8}); }) != "no error");
  CHECK(ones({2, 6}).unflatten(1, {-1, 2}).sizes() == IntArrayRef({2, 3, 2}));
  CHECK(ones({2, 0}).unflatten(-1, {0, 5}).sizes() == IntArrayRef({2, 0, 5}));
}

TEST_CASE("flatten of nothing beside huge sizes") {
  const Tensor x = ones({1, 1, 1}).expand({kHuge, kHuge, 0});
  CHECK(x.flatten().sizes() == IntArrayRef({0}));
}

TEST_CASE("slices with huge steps") {
  const Tensor x = arange(6, kDouble).view({2, 3}).requires_grad_();
  const Tensor y = x.slice(0, 1, 2, kMost);
  CHECK(y.sizes() == IntArrayRef({1, 3}));
  y.sum().backward();
  CHECK(x.grad()[1].sum().item<double>() == 3);
  CHECK(x.grad()[0].sum().item<double>() == 0);
  CHECK(x.slice(1, 0, std::nullopt, kHuge).sizes() == IntArrayRef({2, 1}));
  CHECK(x.detach().unfold(1, 3, kMost).sizes() == IntArrayRef({2, 1, 3}));
  CHECK(x.detach().chunk(kMost, 1).size() == 3);
}

TEST_CASE("pools with windows of any size end") {
  const Tensor x = arange(8).to(kFloat).view({1, 1, 8}), plane = ones({1, 1, 8, 8});
  CHECK(error_of([&] { max_pool1d(x, kHuge, 1, 0, 4); }).find("below 2^31") != std::string::npos);
  CHECK(error_of([&] { max_pool2d(plane, kMost); }).find("below 2^31") != std::string::npos);
  CHECK(error_of([&] { max_pool2d(plane, kMost, 1, kHuge - 1); }).find("below 2^31") != std::string::npos);
  CHECK(error_of([&] { max_pool2d(plane, 2, 1, 0, kHuge); }).find("below 2^31") != std::string::npos);
  CHECK(error_of([&] { avg_pool2d(plane, kMost, kMost); }).find("below 2^31") != std::string::npos);
  // A window that sees all of the input from far outside is done in a moment.
  const int64_t wide = (int64_t{1} << 30);
  CHECK(max_pool1d(x, 2 * wide - 1, wide, wide - 1).max().item<float>() == 7);
}

TEST_CASE("convolutions with huge options are errors") {
  const Tensor x = ones({1, 1, 8}), w = ones({1, 1, 3});
  CHECK(error_of([&] { conv1d(x, w, {}, 1, 0, kHuge); }).find("63 bits") != std::string::npos);
  CHECK(error_of([&] { conv1d(x, w, {}, 1, kHuge); }).find("63 bits") != std::string::npos);
  CHECK(error_of([&] { conv_transpose1d(x, w, {}, kHuge); }).find("63 bits") != std::string::npos);
}

TEST_CASE("factors and pieces beyond all sizes") {
  namespace F = nn::functional;
  const Tensor x = ones({1, 4, 2, 2}), nothing = ones({1, 0, 2, 2});
  const int64_t factor = int64_t{1} << 32;  // its square wraps to 0
  CHECK(error_of([&] { F::pixel_shuffle(x, F::PixelShuffleFuncOptions(factor)); }).find("63 bits") !=
        std::string::npos);
  CHECK(error_of([&] { F::pixel_unshuffle(ones({1, 4, 0, 0}), F::PixelUnshuffleFuncOptions(factor)); }) != "no error");
  CHECK(error_of([&] { nothing.chunk(factor, 1); }) == "chunk: 4294967296 pieces of nothing are too many");
  CHECK(nothing.chunk(3, 1).size() == 3);
}

TEST_CASE("matrices and signals whose sizes overflow are errors") {
  const int64_t side = int64_t{1} << 33;
  const auto overflows = [](auto f) { return error_of(f).find("does not fit in 63 bits") != std::string::npos; };
  const auto nothing = [](int64_t rows, int64_t cols) { return ones({0, 1, 1}).expand({0, rows, cols}); };
  CHECK(overflows([&] { kron(nothing(side, side), nothing(side, side)); }));
  CHECK(overflows([&] {
    addbmm(ones({0, 0}), ones({side, 0, 1}).expand({side, 0, side}), ones({side, 1, 0}).expand({side, side, 0}));
  }));
  CHECK(overflows([&] { bilinear(ones({0, 0}), ones({0, side}), ones({side, 0, side})); }));
  const Tensor spectra = ones({0, 1}).expand({0, kHuge + 2});
  CHECK(overflows([&] { fft::irfft(spectra); }));
  CHECK(overflows([&] { fft::hfft(spectra); }));
  CHECK(overflows([&] { fft::irfft2(spectra); }));
  CHECK(overflows([&] { hann_window(kMost); }));
  CHECK(error_of([&] { fft::fftfreq(kMost); }).find("too many bytes") != std::string::npos);
  const Tensor frames = ones({3, 5}, kComplex64);
  CHECK(overflows([&] { istft(frames, 4, 1, nullopt, {}, true, false, nullopt, kMost); }));
  CHECK(overflows([&] { diag_embed(nothing(1, kMost), 1); }));
}

TEST_CASE("memory from outside with strides that overflow") {
  float numbers[4] = {};
  CHECK(error_of([&] { from_blob(numbers, {3, 3}, {kHuge, 1}); }).find("63 bits") != std::string::npos);
  CHECK(error_of([&] { empty_strided({3, 3}, {kHuge, 1}); }).find("63 bits") != std::string::npos);
}

}  // namespace strata
