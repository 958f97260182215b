// What one small call costs: the fastest of many short runs, in nanoseconds, which other work on the machine moves
// least. `calls` measures in a process that has one thread, `calls threads` in one that has started others, where
// counts of references are locked instructions.
#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

namespace {

constexpr int kRuns = 2000, kCalls = 1000;

template <class Call>
void row(const char* what, Call call) {
  using Clock = std::chrono::steady_clock;
  std::chrono::duration<double, std::nano> best = std::chrono::hours(1);
  for (int run = 0; run < kRuns; ++run) {
    const auto start = Clock::now();
    for (int i = 0; i < kCalls; ++i) call();
    best = std::min<std::chrono::duration<double, std::nano>>(best, Clock::now() - start);
  }
  std::printf("%-42s %8.1f\n", what, best.count() / kCalls);
}

void views(const char* view, const char* select, const torch::Tensor& m) {
  row(view, [&] { const torch::Tensor v = m.view({64}); });
  row(select, [&] { const torch::Tensor v = m.select(0, 3); });
}

}  // namespace

int main(int argc, char**) {
  torch::set_num_threads(1);
  if (argc > 1) std::thread([] {}).join();
  const torch::Tensor m = torch::randn({8, 8}), a = torch::randn({8}), b = torch::randn({8});
  const torch::Tensor x = torch::randn({8}).requires_grad_(), y = torch::randn({8}).requires_grad_();
  row("a * b, 8 floats, recording", [&] { const torch::Tensor r = x * y; });
  {
    const torch::NoGradGuard no_grad;
    row("a + b, 8 floats, no grad", [&] { const torch::Tensor r = a + b; });
    views("view, no grad", "select, no grad", m);
  }
  const torch::InferenceMode inference;
  views("view, inference mode", "select, inference mode", m);
  views("view of an inference tensor", "select of an inference tensor", torch::randn({8, 8}));
}
