// A progress bar with rate, metrics and time left, which says nothing where nobody watches.
#pragma once

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "../core/arg.h"
#include "../core/tensor.h"

namespace strata::train {

/// A number to show under a name. A tensor of one element is read only when the bar is drawn, so that a GPU is not
/// waited for in every step.
struct Reading {
  Reading(std::string_view name_, double value_) : name(name_), value(value_) {}
  Reading(std::string_view name_, Tensor tensor_) : name(name_), tensor(std::move(tensor_)) {}
  std::string_view name;
  double value = 0;
  Tensor tensor;
};

/// How a bar is shown.
struct ProgressOptions {
  ProgressOptions() = default;
  ProgressOptions(std::string unit) : unit_(std::move(unit)) {}
  ProgressOptions(const char* unit) : unit_(unit) {}
  /// What is counted.
  STRATA_ARG(std::string, unit) = "steps";
  /// How many units were done before: rate and time left are those of the others.
  STRATA_ARG(int64_t, initial) = 0;
  /// Seconds between lines where stderr is no terminal, for logs of long runs; 0 prints none.
  STRATA_ARG(double, line_interval) = 0;
  /// Whether anything is shown, lines of results too: several ranks let one of them speak by `enabled(rank == 0)`.
  STRATA_ARG(bool, enabled) = true;
};

/// Shows on stderr how far a task has come. On a terminal it redraws one line at most 20 times a second and removes it
/// at the end; in a pipe or a file it is silent unless it is given a `line_interval`.
///
///     train::Progress bar(1000, "steps");
///     for (int64_t step = 1; step <= 1000; ++step) bar.update(step, "training", {{"loss", 1.0 / step}});
class Progress {
 public:
  /// `total` units are to be done; 0 where nobody knows, which shows count and rate alone.
  Progress(int64_t total, ProgressOptions options = {});
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Says that `done` of the units are done; `label` stands in front, the readings behind.
  void update(int64_t done, std::string_view label, std::initializer_list<Reading> readings = {});
  /// The same with `count` more units done than before.
  void advance(int64_t count, std::string_view label, std::initializer_list<Reading> readings = {});

  /// Prints a line of results on stdout, above the bar, unless nothing is to be shown.
  void print_line(std::string_view line);

  int64_t done() const { return done_; }
  /// Seconds since the start.
  double seconds() const;

 private:
  ProgressOptions options_;
  int64_t total_, done_;
  bool is_terminal_;
  std::chrono::steady_clock::time_point start_, last_draw_;
};

/// What `format_status` reads.
struct ProgressState {
  int64_t done = 0, total = 0, initial = 0;
  double seconds = 0;
};
/// How far a task is, as "42 %  1,234 images/s  loss 0.123  ETA 4.2 s".
std::string format_status(const ProgressState& state, std::string_view unit, std::string_view note);

/// The label, a bar of which `fraction` is filled, and the status, in fewer than `width` columns.
std::string format_bar(std::string_view label, double fraction, std::string_view status, int64_t width);

/// Seconds as "4.2 s", "3 min 12 s" or "2 h 5 min".
std::string format_duration(double seconds);

/// An integer with commas between its thousands.
std::string format_count(int64_t count);

}  // namespace strata::train
