// Largest errors of functions over all 2^32 floats, against double, in units of the last place: of the result, but of
// gelu those of x. Takes minutes; with names as arguments, only those functions.
//
//     build/benchmarks/accuracy [NAME...]
//
// On a processor with AVX-512 a build with -DSTRATA_TARGETS=ONE measures what AVX2 does.
#include <torch/torch.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>
#include <string>
#include <thread>
#include <vector>

using torch::Tensor;

namespace {

struct Worst {
  double error = 0;
  float x = 0;
};

constexpr double kInf = std::numeric_limits<double>::infinity(), kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kSlopeOfCdf = std::numbers::inv_sqrtpi / std::numbers::sqrt2;  // at 0

// The functions. Where x = m 2^e with 1 <= m < 2 and e outside of [kFirst, kLast], `far` is exact, for it is a limit or
// the first terms of a series whose others double does not hold.

struct Exp {
  static constexpr const char* kName = "exp";
  static constexpr int kFirst = -18, kLast = 6;
  static Tensor run(const Tensor& x) { return torch::exp(x); }
  static double exact(double x) { return std::exp(x); }
  static double far(double x) { return x > 1 ? kInf : x < -1 ? 0 : 1 + x + x * x / 2; }
};
struct Log {
  static constexpr const char* kName = "log";
  static constexpr int kFirst = -149, kLast = 127;
  static Tensor run(const Tensor& x) { return torch::log(x); }
  static double exact(double x) { return x < 0 ? kNaN : std::log(x); }
  static double far(double x) { return x == 0 ? -kInf : x > 0 ? kInf : kNaN; }
};
struct Log1p {
  static constexpr const char* kName = "log1p";
  static constexpr int kFirst = -18, kLast = 127;
  static Tensor run(const Tensor& x) { return torch::log1p(x); }
  static double exact(double x) { return x < -1 ? kNaN : std::log1p(x); }
  static double far(double x) { return x == kInf ? kInf : x == -kInf ? kNaN : x * (1 - x / 2 + x * x / 3); }
};
struct Tanh {
  static constexpr const char* kName = "tanh";
  static constexpr int kFirst = -13, kLast = 4;
  static Tensor run(const Tensor& x) { return torch::tanh(x); }
  static double exact(double x) { return std::tanh(x); }
  static double far(double x) { return std::abs(x) > 1 ? std::copysign(1.0, x) : x * (1 - x * x / 3); }
};
struct Erf {
  static constexpr const char* kName = "erf";
  static constexpr int kFirst = -13, kLast = 2;
  static Tensor run(const Tensor& x) { return torch::erf(x); }
  static double exact(double x) { return std::erf(x); }
  static double far(double x) {
    return std::abs(x) > 1 ? std::copysign(1.0, x) : 2 * std::numbers::inv_sqrtpi * x * (1 - x * x / 3);
  }
};
/// The share of the normal distribution below x, times x.
struct Gelu {
  static constexpr const char* kName = "gelu";
  static constexpr int kFirst = -18, kLast = 5;
  static Tensor run(const Tensor& x) { return torch::gelu(x); }
  static double exact(double x) { return x / 2 * std::erfc(x / -std::numbers::sqrt2); }
  static double far(double x) {
    return x == -kInf ? kNaN : x > 1 ? x : x < -1 ? 0 : x * (0.5 + x * kSlopeOfCdf * (1 - x * x / 6));
  }
};
struct Pow {
  static constexpr const char* kName = "pow 1.75";
  static constexpr int kFirst = -88, kLast = 74;
  static constexpr double kExponent = 1.75;
  static Tensor run(const Tensor& x) { return torch::pow(x, kExponent); }
  static double exact(double x) { return x < 0 ? kNaN : std::pow(x, kExponent); }
  static double far(double x) { return x < 0 ? x == -kInf ? kInf : kNaN : x > 1 ? kInf : 0; }
};

/// The error in units of the last place of a float, in which a subnormal's are those of the least normal one. The first
/// number beyond all floats stands for infinity.
template <class F>
double error_of(float x, float result, double exact) {
  if (std::isnan(result) || std::isnan(exact)) return std::isnan(result) && std::isnan(exact) ? 0 : kInf;
  const double got = std::clamp<double>(result, -0x1p128, 0x1p128), wanted = std::clamp(exact, -0x1p128, 0x1p128);
  // Far below 0 gelu has a share that is right to so much beside 1.
  const double size = std::is_same_v<F, Gelu> ? static_cast<double>(x) : wanted;
  const int exponent = static_cast<int>(std::bit_cast<uint64_t>(size) >> 52 & 0x7ff) - 1023;
  const uint64_t per_unit = static_cast<uint64_t>(1023 + 23 - std::clamp(exponent, -126, 127)) << 52;
  return std::abs(got - wanted) * std::bit_cast<double>(per_unit);
}

/// Over the floats whose bits begin with `high`: 2^20 of them, which have one exponent.
template <class F>
Worst worst_of_chunk(uint32_t high) {
  constexpr int kBits = 20, kCount = 1 << kBits;
  const Tensor x = torch::empty({kCount}, torch::kFloat);
  float* const in = x.data_ptr<float>();
  for (uint32_t i = 0; i < kCount; ++i) in[i] = std::bit_cast<float>(high << kBits | i);
  const Tensor y = F::run(x);
  const float* const got = y.data_ptr<float>();
  const int biased = static_cast<int>(high >> (23 - kBits) & 0xff);
  const bool near = biased == 0 ? F::kFirst < -126 : biased - 127 >= F::kFirst && biased - 127 <= F::kLast;
  Worst worst;
  for (int i = 0; i < kCount; ++i) {
    const double wide = static_cast<double>(in[i]);
    const double exact = near || std::isnan(wide) ? F::exact(wide) : F::far(wide);
    if (const double e = error_of<F>(in[i], got[i], exact); e > worst.error) worst = {e, in[i]};
  }
  return worst;
}

template <class F>
void measure() {
  constexpr uint32_t kChunks = 1 << 12;
  std::atomic<uint32_t> next = 0;
  std::vector<Worst> worst(std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::thread> threads;
  for (Worst& mine : worst)
    threads.emplace_back([&] {
      for (uint32_t c = next++; c < kChunks; c = next++)
        if (const Worst w = worst_of_chunk<F>(c); w.error > mine.error) mine = w;
    });
  for (std::thread& t : threads) t.join();
  const Worst all = *std::max_element(worst.begin(), worst.end(), [](auto& a, auto& b) { return a.error < b.error; });
  std::printf("%-9s %.4g at %.9g\n", F::kName, all.error, static_cast<double>(all.x));
  std::fflush(stdout);
}

template <class... F>
void measure_those(const std::vector<std::string>& names) {
  const auto is_wanted = [&](const char* name) {
    return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
  };
  ((is_wanted(F::kName) ? measure<F>() : void()), ...);
}

}  // namespace

int main(int argc, char** argv) {
  torch::set_num_threads(1);
  measure_those<Exp, Log, Log1p, Tanh, Erf, Gelu, Pow>({argv + 1, argv + argc});
}
