// Measuring between CUDA events, or with the host's clock where there is no device.
#include "harness.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <regex>

namespace strata::bench {
namespace {

double now() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + "\"";
}

/// Whole lines only, so that a reader never sees a part of one.
void print_line(const std::string& fields) {
  std::printf("{%s}\n", fields.c_str());
  std::fflush(stdout);
}

}  // namespace

bool Suite::wanted(const std::string& name) const { return std::regex_search(name, std::regex(settings_.rows)); }

void Suite::synchronize() {
  if (on_cuda()) cuda::synchronize();
}

/// Nanoseconds of one of `calls` calls.
double Suite::device_sample(const Body& body, int64_t calls) {
  if (!on_cuda()) {
    const double begin = now();
    for (int64_t i = 0; i < calls; ++i) body();
    return (now() - begin) / static_cast<double>(calls);
  }
  cuda::Event begin, end;
  begin.record();
  for (int64_t i = 0; i < calls; ++i) body();
  end.record();
  end.synchronize();
  return begin.elapsed_time(end) * 1e6 / static_cast<double>(calls);
}

void Suite::run(const std::string& name, Work work, const std::function<Result()>& measure) {
  if (!wanted(name)) return;
  std::fprintf(stderr, "cuda_workloads: %s\n", name.c_str());
  try {
    if (on_cuda()) cuda::empty_cache();
    const Result result = measure();
    std::string fields = "\"name\": " + quoted(name) + ", \"samples_ns\": [";
    for (size_t i = 0; i < result.samples.size(); ++i)
      fields += (i ? ", " : "") + std::to_string(static_cast<int64_t>(std::llround(result.samples[i])));
    print_line(fields + "], \"bytes\": " + std::to_string(static_cast<int64_t>(work.bytes)) + ", \"flops\": " +
               std::to_string(static_cast<int64_t>(work.flops)) + ", \"memory\": " + std::to_string(result.memory));
  } catch (const std::exception& e) {
    ++failures_;
    print_line("\"name\": " + quoted(name) + ", \"error\": " + quoted(e.what()));
  }
}

void Suite::device_time(const std::string& name, Work work, const std::function<Body()>& prepare) {
  run(name, work, [&] {
    if (on_cuda()) cuda::reset_peak_memory_stats();
    const Body body = prepare();
    for (int i = 0; i < 3; ++i) body();  // plans, caches and first-time work are not what the rows are about
    synchronize();
    const double once = std::max(device_sample(body, 1), 1.0);
    const int samples = settings_.tiny ? 2 : settings_.samples;
    // Of short bodies a sample is many calls: about ten milliseconds; of long ones there are fewer samples.
    const auto calls = settings_.tiny ? int64_t{1} : std::clamp<int64_t>(static_cast<int64_t>(1e7 / once), 1, 10000);
    const double sample = once * static_cast<double>(calls), budget = settings_.seconds * 1e9;
    const int n = std::clamp(static_cast<int>(budget / sample), 5, std::max(samples, 5));
    Result result;
    for (int i = 0; i < (settings_.tiny ? samples : n); ++i) result.samples.push_back(device_sample(body, calls));
    result.memory = on_cuda() ? cuda::memory_stats().max_allocated : 0;
    return result;
  });
}

void Suite::host_time(const std::string& name, int64_t per, const std::function<Body()>& prepare) {
  run(name, {}, [&] {
    const Body body = prepare();
    for (int i = 0; i < 3; ++i) body();
    Result result;
    for (int i = 0; i < (settings_.tiny ? 2 : 10 * settings_.samples); ++i) {
      synchronize();
      const double begin = now();
      body();
      result.samples.push_back((now() - begin) / static_cast<double>(per));
    }
    return result;
  });
}

void Suite::skip(const std::string& name, const std::string& reason) {
  if (wanted(name)) print_line("\"name\": " + quoted(name) + ", \"skipped\": " + quoted(reason));
}

void all_rows(Suite& suite) {
  element_wise_rows(suite);
  normalization_rows(suite);
  matrix_rows(suite);
  attention_rows(suite);
  overhead_rows(suite);
  optimizer_rows(suite);
  mlp_rows(suite);
  gpt_rows(suite);
}

}  // namespace strata::bench
