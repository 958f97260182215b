// How the rows of the speed table are named and run: `row("a + b, 8 floats", 1, body)` with the number of threads it is
// for.
#pragma once
#include <benchmark/benchmark.h>
#include <torch/torch.h>

#include <string>
#include <utility>

/// Measures `body()` in real time on `threads` threads; `per` divides the time where a body does several things.
template <class F>
void row(const std::string& name, int threads, F body, int64_t per = 1) {
  const std::string full = name + "/threads:" + std::to_string(threads);
  benchmark::RegisterBenchmark(full.c_str(), [=](benchmark::State& state) mutable {
    torch::set_num_threads(threads);
    body();  // caches, pages and first-time work are not what the rows are about
    for (auto _ : state) body();
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * per);
    state.counters["per"] = static_cast<double>(per);
  })->UseRealTime();
}

inline int run_rows(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
