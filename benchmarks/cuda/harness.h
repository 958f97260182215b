// How a workload is measured and reported: one line of JSON for each.
#pragma once
#include <strata/strata.h>

#include <functional>
#include <string>
#include <vector>

namespace strata::bench {

struct Settings {
  Device device = kCUDA;
  bool tiny = false;      ///< sizes of nothing, to see that everything runs
  std::string rows = {};  ///< a regular expression
  int samples = 20;       ///< of each row, at most
  double seconds = 3;     ///< of measuring for each row, about
};

/// What a row moves and computes, for GB/s and TFLOP/s.
struct Work {
  double bytes = 0, flops = 0;
};

using Body = std::function<void()>;

/// Runs the rows whose names match and prints what they took.
class Suite {
 public:
  explicit Suite(Settings settings) : settings_(std::move(settings)) {}

  /// Time of `body()` on the device, between two events. `prepare` makes the body, and what it needs, where the row is
  /// wanted.
  void device_time(const std::string& name, Work work, const std::function<Body()>& prepare);
  /// Time in which the host starts `per` ops, without waiting for them.
  void host_time(const std::string& name, int64_t per, const std::function<Body()>& prepare);
  /// A row that cannot run on this device.
  void skip(const std::string& name, const std::string& reason);

  const Settings& settings() const { return settings_; }
  /// The size to run at.
  int64_t size(int64_t full, int64_t tiny) const { return settings_.tiny ? tiny : full; }
  TensorOptions on(DType dtype) const { return TensorOptions(dtype).device(settings_.device); }
  bool on_cuda() const { return settings_.device.is_cuda(); }
  int failures() const { return failures_; }

 private:
  struct Result {
    std::vector<double> samples;  ///< nanoseconds
    int64_t memory = 0;
  };
  void run(const std::string& name, Work work, const std::function<Result()>& measure);
  bool wanted(const std::string& name) const;
  double device_sample(const Body& body, int64_t calls);
  void synchronize();

  Settings settings_;
  int failures_ = 0;
};

/// Adds the rows of all the functions below.
void all_rows(Suite& suite);
void element_wise_rows(Suite& suite);
void normalization_rows(Suite& suite);
void matrix_rows(Suite& suite);
void attention_rows(Suite& suite);
void overhead_rows(Suite& suite);
void optimizer_rows(Suite& suite);
void mlp_rows(Suite& suite);
void gpt_rows(Suite& suite);

}  // namespace strata::bench
