// Compiled chains of 16-bit numbers: eager's bits, which are rounded after each op, without memory between the ops.
#include <strata/strata.h>

#include <cstring>
#include <random>

#include "dispatcher/half_loops.h"
#include "test/catch.h"
#include "test/compile/peak.h"
#include "test/compile/same.h"
#include "test/same_bits.h"

namespace strata {
namespace {

/// Compiled twice over, and on one thread and two.
template <class F, class... T>
void check_compiled(const F& f, const T&... args) {
  const std::vector<Tensor> expected = tree::leaves(f(args...));
  const auto compiled = compile(f);
  for (const int threads : {1, 2}) {
    set_num_threads(threads);
    const std::vector<Tensor> got = tree::leaves(compiled(args...));
    REQUIRE(got.size() == expected.size());
    for (size_t i = 0; i < got.size(); ++i) {
      INFO("result " << i << " of shape " << got[i].sizes() << ", " << threads << " threads");
      CHECK(same_bits(got[i], expected[i]));
    }
  }
  set_num_threads(2);
}

/// Every 16-bit pattern, NaNs of all kinds among them.
Tensor all_patterns(DType dtype) {
  const Tensor x = empty({1 << 16}, dtype);
  for (int i = 0; i < 1 << 16; ++i) static_cast<uint16_t*>(x.data_ptr())[i] = static_cast<uint16_t>(i);
  return x;
}

const DType kHalves[] = {kBFloat16, kHalf};

}  // namespace

TEST_CASE("16-bit chains give eager's bits for all sizes around tiles, rows and columns") {
  const auto f = [](Tensor x, Tensor row, Tensor column) {
    const Tensor h = (x * 2 + row).tanh(), scaled = h * column + row;
    const Tensor chosen = where(scaled > 0, scaled.exp(), scaled * 0.1);
    return std::tuple(chosen - column, chosen > x, h.relu() * row, (x / (column + 10)).abs());
  };
  for (const DType dtype : kHalves)
    for (const int64_t rows : {1, 3, 40})
      for (const int64_t width : {1, 2, 7, 31, 255, 256, 257, 511, 512, 513, 1030})
        check_compiled(f, randn({rows, width}).to(dtype), randn({width}).to(dtype), randn({rows, 1}).to(dtype));
}

TEST_CASE("reductions of what a 16-bit tape computes give eager's bits") {
  const auto f = [](Tensor x, Tensor row, Tensor column) {
    const Tensor h = (x * 2 + row).tanh(), scaled = (h * column).exp();
    return std::tuple(h.sum(1), h.mean(), scaled.amax({1}, true), (scaled + x).sum(), scaled.amin({0, 1}),
                      (h - row).sum(0), (x / (column + 10)).mean(1, true), where(h > 0, h, x).sum(1));
  };
  for (const DType dtype : kHalves)
    for (const int64_t rows : {1, 17, 70})
      for (const int64_t width : {1, 7, 64, 256, 300, 513, 4096, 4097, 9000})
        if (rows * width <= kEnough)
          check_compiled(f, randn({rows, width}).to(dtype), randn({width}).to(dtype), randn({rows, 1}).to(dtype));
  // One that is a result as well, and one that nothing else reads.
  const auto kept = [](Tensor x) {
    const Tensor h = x.exp() * 3;
    return std::tuple(h, h.sum(1));
  };
  for (const DType dtype : kHalves) check_compiled(kept, randn({70, 300}).to(dtype));
}

TEST_CASE("casts stand in a chain") {
  const auto f = [](Tensor x, Tensor y) {
    const Tensor wide = (x * 2).to(kFloat), h = (wide.exp() + y).to(x.dtype());
    const Tensor other = (h * x).to(x.dtype() == kHalf ? kBFloat16 : kHalf);
    return std::tuple(h * h, (h.to(kFloat) - wide).to(kDouble) * 3, (other * 2).to(kInt) + 1,
                      (y.to(kInt) * 3).to(kHalf) + 1, (y > 0).to(kBFloat16) * 5, (other.to(kFloat) + y).sum());
  };
  for (const DType dtype : kHalves)
    for (const int64_t n : {1, 9, 511, 513, 5000}) check_compiled(f, randn({n}).to(dtype), randn({n}));
}

TEST_CASE("every 16-bit pattern comes through a chain as through eager code") {
  for (const DType dtype : kHalves) {
    const Tensor x = all_patterns(dtype), mask = rand({1 << 16}) > 0.5;
    check_compiled([](Tensor t) { return (t * 1.5 - 0.25).abs(); }, x);
    check_compiled([](Tensor t) { return std::tuple((-t).to(kFloat), (-t).to(kBFloat16) * 2, (-t).to(kHalf) * 2); }, x);
    // What is chosen keeps its bits, also those of a NaN, whether it is computed or comes from memory.
    check_compiled([](Tensor m, Tensor t) { return where(m, t, -t); }, mask, x);
    check_compiled([](Tensor m, Tensor t) { return where(m, where(m, -t, t), t) * 2; }, mask, x);
    check_compiled([](Tensor m, Tensor t) { return where(m > t, t, (t - 1) * 2); }, x, x.flip(0));
  }
}

TEST_CASE("what one 16-bit value gives all others is widened once") {
  for (const DType dtype : kHalves) {
    const Tensor x = randn({3, 700}).to(dtype), one = randn({1, 1}).to(dtype), column = randn({3, 1}).to(dtype);
    check_compiled([](Tensor t, Tensor s) { return clamp(t * s, s, t + s) - s * t; }, x, one);
    check_compiled([](Tensor t, Tensor s) { return lerp(t, t * s, s) / (s + t) + where(t > s, s, t); }, x, column);
  }
}

TEST_CASE("random 16-bit chains give eager's bits") {
  std::mt19937 engine(5);
  const auto below = [&](size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(engine); };
  for (int round = 0; round < 120; ++round) {
    std::vector<size_t> choices;
    for (int i = 0; i < 60; ++i) choices.push_back(below(1000));
    const auto f = [&](Tensor x, Tensor row, Tensor column) {
      std::vector<Tensor> made{x, row.expand(x.sizes()), column.expand(x.sizes())};
      for (size_t i = 0; i + 3 < choices.size(); i += 3) {
        const Tensor &a = made[choices[i + 1] % made.size()], &b = made[choices[i + 2] % made.size()];
        switch (choices[i] % 12) {
          case 0:
            made.push_back(a + b);
            break;
          case 1:
            made.push_back(a * b);
            break;
          case 2:
            made.push_back(a - b * 0.5);
            break;
          case 3:
            made.push_back(a.tanh());
            break;
          case 4:
            made.push_back(gelu(b));
            break;
          case 5:
            made.push_back(where(a > b, a, b.to(a.dtype())));
            break;
          case 6:
            made.push_back(a.to(kFloat));
            break;
          case 7:
            made.push_back(a.to(kBFloat16));
            break;
          case 8:
            made.push_back(b.to(kHalf));
            break;
          case 9:
            made.push_back(maximum(a, b));
            break;
          case 10:
            made.push_back(a.sigmoid());
            break;
          default:
            made.push_back(a.abs().sqrt());
            break;
        }
      }
      const size_t last = made.size() - 1;
      return std::tuple(made[last], made[last - 1].sum(1), made[last / 2 + 1], made[last - 2] + made[last - 3]);
    };
    const int64_t rows = static_cast<int64_t>(below(20)) + 1, width = static_cast<int64_t>(below(900)) + 1;
    const DType dtype = kHalves[round % 2];
    CAPTURE(round);
    check_compiled(f, randn({rows, width}).to(dtype), randn({width}).to(dtype), randn({rows, 1}).to(dtype));
  }
}

TEST_CASE("chains of complex64 give eager's bits") {
  const auto f = [](Tensor x, Tensor row, Tensor column) {
    const Tensor h = (x * row + column).exp() / (x + 3);
    return std::tuple(h * h.conj(), h.abs() * 2, (h.abs().to(kComplexFloat) - x).sin(), where(h.abs() > 1, h, x * 2),
                      (h * 2).sum(1), (x - row).pow(2) * column);
  };
  for (const int64_t rows : {1, 3, 40})
    for (const int64_t width : {1, 7, 255, 300, 513})
      check_compiled(f, randn({rows, width}, kComplexFloat), randn({width}, kComplexFloat),
                     randn({rows, 1}, kComplexFloat));
}

/// The conversions of core/half.h, one number at a time.
template <class T>
void check_loops(const std::vector<float>& numbers) {
  const dispatch::HalfLoops& loops = dispatch::half_loops(dtype_of<T>);
  const auto n = static_cast<int64_t>(numbers.size());
  std::vector<T> narrow(numbers.size());
  std::vector<float> rounded = numbers, wide(numbers.size());
  loops.narrow({narrow.data(), {numbers.data()}, {1}, n, nullptr, false});
  loops.round({rounded.data(), {rounded.data()}, {1}, n, nullptr, false});
  loops.widen({wide.data(), {narrow.data()}, {1}, n, nullptr, false});
  int64_t wrong = 0;
  for (size_t i = 0; i < numbers.size(); ++i) {
    const T expected(numbers[i]);
    const float back = expected;
    wrong += expected.bits != narrow[i].bits || std::memcmp(&back, &wide[i], sizeof(float)) != 0 ||
             std::memcmp(&back, &rounded[i], sizeof(float)) != 0;
  }
  CHECK(wrong == 0);
}

TEST_CASE("rounding in place is narrowing and widening, for floats of all kinds") {
  std::vector<float> numbers;
  for (uint64_t bits = 0; bits < (uint64_t{1} << 32); bits += bits % 4096 == 0 || bits % 4096 == 4095 ? 1 : 1365) {
    const auto low = static_cast<uint32_t>(bits);
    numbers.emplace_back();
    std::memcpy(&numbers.back(), &low, sizeof(low));
  }
  check_loops<Half>(numbers);
  check_loops<BFloat16>(numbers);
}

TEST_CASE("a 16-bit chain has no memory between its ops") {
  const Tensor x = randn({1 << 21}).to(kBFloat16);
  const auto compiled = compile([](Tensor t) { return (((t * 2).to(kFloat).exp() + 1).to(kBFloat16) - t).tanh(); });
  compiled(x);
  if (is_counted()) CHECK(bytes_at_peak([&] { compiled(x); }) <= (int64_t{1} << 22) + 65536);  // the result alone
}

}  // namespace strata
