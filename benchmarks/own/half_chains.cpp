// Chains of element-wise ops on bfloat16, float16 and float32, eager and compiled, taking turns in one process.
// `half_chains [threads]`; times are processor time, of all threads together, the least of all rounds.
#include <fmt/format.h>
#include <strata/strata.h>
#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <vector>

using namespace strata;

namespace {

constexpr int kRounds = 30;

double processor_ms() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

/// The least time of each, in turns.
std::vector<double> times(const std::vector<std::function<void()>>& all) {
  std::vector<double> best(all.size(), 1e9);
  for (int round = 0; round < kRounds; ++round)
    for (size_t i = 0; i < all.size(); ++i) {
      const double start = processor_ms();
      all[i]();
      best[i] = std::min(best[i], processor_ms() - start);
    }
  return best;
}

Tensor ten_ops(Tensor x, Tensor y, Tensor bias) {
  const Tensor h = (x * y + bias) * 0.5;
  return ((h.tanh() + x) * y - bias).relu() * h + y;
}

Tensor in_two_dtypes(Tensor x, Tensor y, Tensor bias) {
  const Tensor h = (x * y + bias).to(kFloat);
  return ((h.tanh() + 1) * h).to(x.dtype()) * y;
}

void print_sum_row(DType dtype, int threads) {
  const Tensor a = randn({1 << 24}).to(dtype), b = randn({1 << 24}).to(dtype);
  const auto f = [](Tensor x, Tensor bias) { return gelu(x + bias); };
  const auto compiled = compile(f);
  const std::vector<double> t = times({[&] { a + b; }, [&] { f(a, b); }, [&] { compiled(a, b); }});
  fmt::print(
      "{:9} {} threads, 16M: a + b {:7.2f} ms; gelu(a + b) eager {:7.2f} ({:.2f} of a + b), compiled {:7.2f} "
      "({:.2f})\n",
      name(dtype), threads, t[0], t[1], t[1] / t[0], t[2], t[2] / t[0]);
}

template <class F>
void print_chain(const char* what, const F& f, DType dtype, int threads) {
  const Tensor x = randn({4096, 1024}).to(dtype), y = randn({4096, 1024}).to(dtype), bias = randn({1024}).to(dtype);
  const auto compiled = compile(f);
  const std::vector<double> t = times({[&] { f(x, y, bias); }, [&] { compiled(x, y, bias); }});
  fmt::print("{:9} {} threads, 4096x1024, {}: eager {:7.2f} ms, compiled {:7.2f} ({:.2f})\n", name(dtype), threads,
             what, t[0], t[1], t[1] / t[0]);
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 1;
  set_num_threads(threads);
  for (const DType dtype : {kBFloat16, kHalf, kFloat}) {
    print_sum_row(dtype, threads);
    print_chain("ten ops", ten_ops, dtype, threads);
    print_chain(
        "ten ops and their sum", [](Tensor x, Tensor y, Tensor bias) { return ten_ops(x, y, bias).sum(1); }, dtype,
        threads);
    print_chain("with casts", in_two_dtypes, dtype, threads);
  }
}
