// The frame of a small example: its options, errors as one line, time, and a plot.
#pragma once

#include <strata/train/plot.h>
#include <strata/train/progress.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace strata::examples {

/// A program with options, each of which shows its default in `--help`.
class Program {
 public:
  explicit Program(const std::string& description);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// A name without dashes is that of an argument. `kind` stands for the value in `--help`.
  void option(const std::string& name, int64_t& value, const std::string& help);
  void option(const std::string& name, double& value, const std::string& help);
  void option(const std::string& name, std::string& value, const std::string& help, const std::string& kind = "PATH");
  /// `--plot`, the file for `save_plot`.
  void plot_option(std::string& path);

  /// Reads the command line into the options, then runs `body`. Returns the exit status: 1 for an exception, whose text
  /// goes to stderr.
  int run(int argc, char** argv, const std::function<void()>& body);

 private:
  std::unique_ptr<CLI::App> app_;
};

/// Writes an SVG plot and says where; does nothing for the path "none".
void save_plot(const std::string& path, const std::string& title, const std::vector<train::Panel>& panels);

/// Seconds that a call takes.
template <class F>
double seconds_of(F&& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace strata::examples
