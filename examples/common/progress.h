// A progress bar with rate, note and time left; plain lines where the output is no terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace strata::examples {

/// Shows on stderr how far a task of `total` units has come. On a terminal it redraws one line at most 20 times a
/// second and removes it at the end; elsewhere it prints a line every ten seconds.
class Progress {
 public:
  /// `unit` names what is counted, for example "images".
  Progress(int64_t total, std::string unit);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Says that `done` of the units are done; `label` stands in front, `note` is a short text such as "loss 0.123".
  void update(int64_t done, std::string_view label, std::string_view note);

  /// Prints a line of results on stdout, above the bar.
  void print_line(std::string_view line);

  /// Seconds since the start.
  double seconds() const;

 private:
  int64_t total_;
  std::string unit_;
  bool is_terminal_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_draw_;
};

/// How far a task is, as "42 %  1,234 images/s  loss 0.123  ETA 4.2 s".
std::string format_status(int64_t done, int64_t total, double seconds, std::string_view unit, std::string_view note);

/// The label, a bar of which the fraction `done / total` is filled, and the status, in fewer than `width` columns.
std::string format_bar(std::string_view label, int64_t done, int64_t total, const std::string& status, int64_t width);

/// Seconds as "4.2 s", "3 min 12 s" or "2 h 5 min".
std::string format_duration(double seconds);

/// An integer with commas between its thousands.
std::string format_count(int64_t count);

}  // namespace strata::examples
