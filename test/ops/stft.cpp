// Tests of short-time Fourier transforms: PyTorch's answers (stft.txt, written by stft_make.py), windows, gradients and
// errors.
#include "ops/stft.h"

#include <fstream>

#include "autograd/autograd.h"
#include "core/error.h"
#include "ops/binary.h"
#include "ops/reduce.h"
#include "test/ops/signals.h"
#include "test/source_dir.h"
#include "transforms/func.h"

using namespace strata;
using namespace strata::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// One line of the file of answers.
struct StftAnswer {
  std::string call, kind, window, pad_mode;
  DimVector shape;
  int64_t n_fft = 0, hop = 0, win = 0;
  bool center = false, normalized = false, onesided = false;
  std::istringstream results;

  explicit StftAnswer(const std::string& line) : call(line.substr(0, line.find(':'))), results(line) {
    std::string sizes, colon;
    results >> kind >> sizes >> n_fft >> hop >> win >> window >> center >> pad_mode >> normalized >> onesided >> colon;
    shape = dims_in(sizes);
  }
  std::optional<Tensor> window_values() const {
    const int64_t n = win ? win : n_fft;
    if (window == "hann") return hann_window(n, kDouble);
    if (window == "hamming") return hamming_window(n, kDouble);
    if (window == "blackman") return blackman_window(n, kDouble);
    return std::nullopt;
  }
  /// Is `y` the next result of the line?
  void check_next(const Tensor& y) {
    std::string sizes;
    std::vector<double> expected(5);
    results >> sizes;
    for (double& v : expected) results >> v;
    CHECK(y.sizes() == IntArrayRef(dims_in(sizes)));
    CHECK(relative(first_and_sum(parts(y)), expected) < 1e-13);
  }
};

std::optional<int64_t> given(int64_t n) { return n ? std::optional<int64_t>(n) : std::nullopt; }

}  // namespace

TEST_CASE("short-time Fourier transforms give PyTorch's answers") {
  std::ifstream file(source_dir() + "/test/ops/stft.txt");
  int count = 0;
  for (std::string line; std::getline(file, line);) {
    if (line[0] == '#') continue;
    StftAnswer a(line);
    INFO(a.call);
    const Tensor x = a.kind == "c" ? complex_operand(a.shape) : real_operand(a.shape);
    const Tensor y = stft(x, a.n_fft, given(a.hop), given(a.win), a.window_values(), a.center, a.pad_mode, a.normalized,
                          a.onesided, true);
    a.check_next(y);
    a.check_next(istft(y, a.n_fft, given(a.hop), given(a.win), a.window_values(), a.center, a.normalized, a.onesided,
                       std::nullopt, a.kind == "c"));
    ++count;
  }
  CHECK(count == 9);
}

TEST_CASE("windows have their closed forms") {
  const auto near = [](const Tensor& w, std::vector<double> expected) { return relative(values(w), expected) < 1e-15; };
  CHECK(near(hann_window(4, kDouble), {0, 0.5, 1, 0.5}));
  CHECK(near(hann_window(5, false, kDouble), {0, 0.5, 1, 0.5, 0}));
  CHECK(near(hamming_window(4, kDouble), {0.08, 0.54, 1, 0.54}));
  CHECK(near(blackman_window(4, kDouble), {0, 0.34, 1, 0.34}));
  CHECK(near(hann_window(1, kDouble), {1}));
  CHECK(hann_window(0).numel() == 0);
  CHECK(hann_window(3).dtype() == kFloat);
}

TEST_CASE("istft takes a window for each example of vmap") {
  const Tensor x = real_operand({40}), windows = hann_window(8, kDouble) + tensor({{0.5}, {1.0}});
  const auto there_and_back = [&](const Tensor& w) {
    return istft(stft(x, 8, 2, std::nullopt, w, true, "reflect", false, std::nullopt, true), 8, 2, std::nullopt, w);
  };
  CHECK(relative(vmap(there_and_back)(windows), x.expand({2, 40})) < 1e-13);
}

TEST_CASE("istft cuts and pads to a length, and passes gradients") {
  const Tensor x = real_operand({2, 40});
  const Tensor w = hann_window(8, kDouble);
  const Tensor y = stft(x, 8, 2, std::nullopt, w, true, "reflect", false, std::nullopt, true);
  const Tensor back = istft(y, 8, 2, std::nullopt, w, true, false, std::nullopt, 37);
  CHECK(relative(back, x.narrow(1, 0, 37)) < 1e-14);
  const Tensor longer = istft(y, 8, 2, std::nullopt, w, true, false, std::nullopt, 50);
  CHECK(longer.sizes() == IntArrayRef({2, 50}));
  CHECK(relative(longer.narrow(1, 48, 2), zeros({2, 2}, kDouble)) == 0);
  const auto there_and_back = [&](const Tensor& s) {
    return istft(stft(s, 8, 2, std::nullopt, w, true, "reflect", false, std::nullopt, true), 8, 2, std::nullopt, w);
  };
  const Tensor g = grad([&](const Tensor& s) { return (there_and_back(s) * x).sum(); })(x);
  CHECK(relative(g, x) < 1e-13);
  CHECK(relative(vmap([&](const Tensor& s) { return there_and_back(s); })(x), there_and_back(x)) < 1e-14);
}

TEST_CASE("errors of short-time Fourier transforms name what is wrong") {
  const Tensor x = real_operand({40});
  const auto run = [&](int64_t n_fft, int64_t hop, int64_t win, const std::optional<Tensor>& w = {}) {
    return stft(x, n_fft, hop, win, w, false, "reflect", false, std::nullopt, true);
  };
  CHECK_THROWS_WITH(stft(x, 8), ContainsSubstring("return_complex must be given"));
  CHECK_THROWS_WITH(run(41, 4, 8), ContainsSubstring("n_fft 41 is more than the 40 samples"));
  CHECK_THROWS_WITH(run(0, 4, 8), ContainsSubstring("n_fft must be positive"));
  CHECK_THROWS_WITH(run(8, 0, 8), ContainsSubstring("hop_length must be positive"));
  CHECK_THROWS_WITH(run(8, 4, 9), ContainsSubstring("win_length must be in [1, n_fft = 8], not 9"));
  CHECK_THROWS_WITH(run(8, 4, 8, hann_window(7, kDouble)), ContainsSubstring("the window must have shape (8,)"));
  const Tensor y = run(8, 4, 8);
  CHECK_THROWS_WITH(istft(x, 8), ContainsSubstring("must be complex"));
  CHECK_THROWS_WITH(istft(y, 10), ContainsSubstring("5 frequencies where n_fft 10 has 6"));
  CHECK_THROWS_WITH(istft(y, 8, 4, 8, hann_window(8, kDouble), false), ContainsSubstring("leave samples uncovered"));
}
