// Matrix products beside what they are built on: Strata's mm, OpenBLAS's own sgemm and oneDNN's, each on all threads.
#include <benchmark/benchmark.h>
#include <cblas.h>
#include <dnnl.h>
#include <strata/strata.h>

#include <vector>

namespace {

struct Shape {
  int64_t m, k, n;
};

Shape shape_of(const benchmark::State& state) { return {state.range(0), state.range(1), state.range(2)}; }

void report(benchmark::State& state) {
  const Shape s = shape_of(state);
  state.counters["flop/s"] =
      benchmark::Counter(2.0 * static_cast<double>(s.m * s.k * s.n), benchmark::Counter::kIsIterationInvariantRate);
}

std::vector<float> numbers(int64_t n) {
  std::vector<float> v(static_cast<size_t>(n));
  for (size_t i = 0; i < v.size(); ++i) v[i] = static_cast<float>(i % 17) / 17;
  return v;
}

/// `call(a, b, c)` on raw row-major memory; b is `(n, k)` where the shape's fourth argument says transposed.
template <class Call>
void on_memory(benchmark::State& state, Call call) {
  const Shape s = shape_of(state);
  const std::vector<float> a = numbers(s.m * s.k), b = numbers(s.k * s.n);
  std::vector<float> c(static_cast<size_t>(s.m * s.n));
  for (auto _ : state) {
    call(s, state.range(3) != 0, a.data(), b.data(), c.data());
    benchmark::ClobberMemory();
  }
  report(state);
}

void openblas(benchmark::State& state) {
  on_memory(state, [](Shape s, bool t, const float* a, const float* b, float* c) {
    const auto i32 = [](int64_t v) { return static_cast<blasint>(v); };
    cblas_sgemm(CblasRowMajor, CblasNoTrans, t ? CblasTrans : CblasNoTrans, i32(s.m), i32(s.n), i32(s.k), 1, a,
                i32(s.k), b, i32(t ? s.k : s.n), 0, c, i32(s.n));
  });
}

void onednn(benchmark::State& state) {
  on_memory(state, [](Shape s, bool t, const float* a, const float* b, float* c) {
    dnnl_sgemm('N', t ? 'T' : 'N', s.m, s.n, s.k, 1, a, s.k, b, t ? s.k : s.n, 0, c, s.n);
  });
}

void strata_mm(benchmark::State& state) {
  const Shape s = shape_of(state);
  const strata::Tensor a = strata::full({s.m, s.k}, 0.5),
                       b = state.range(3) ? strata::t(strata::full({s.n, s.k}, 0.5)) : strata::full({s.k, s.n}, 0.5);
  for (auto _ : state) benchmark::DoNotOptimize(strata::mm(a, b));
  report(state);
}

void shapes(benchmark::internal::Benchmark* b) {
  b->ArgNames({"m", "k", "n", "transposed"})->MinTime(0.3)->UseRealTime();
  for (int64_t t : {0, 1}) {
    for (int64_t n : {8, 32, 64, 128, 256, 1024}) b->Args({n, n, n, t});
    b->Args({128, 784, 512, t})->Args({128, 512, 512, t})->Args({2048, 64, 2048, t})->Args({1, 1024, 1024, t});
  }
}

BENCHMARK(openblas)->Apply(shapes);
BENCHMARK(onednn)->Apply(shapes);
BENCHMARK(strata_mm)->Apply(shapes);

}  // namespace

BENCHMARK_MAIN();
