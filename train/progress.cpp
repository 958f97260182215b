// Draws the bar with eighths of a character cell and never wider than the terminal.
#include "train/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "train/text.h"

namespace strata::train {
namespace {

constexpr std::string_view kClearLine = "\r\x1b[K";

bool is_terminal(std::FILE* file) {
  const char* kind = std::getenv("TERM");
  return ::isatty(::fileno(file)) != 0 && kind != nullptr && std::string_view(kind) != "dumb";
}

int64_t terminal_width(std::FILE* file) {
  winsize size{};
  const bool known = ::ioctl(::fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

/// A bar of `width` character cells, the fraction of them filled.
std::string bar(double fraction, int64_t width) {
  static constexpr std::array kEighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto eighths = static_cast<int64_t>(std::clamp(fraction, 0.0, 1.0) * static_cast<double>(width) * 8);
  const int64_t full = eighths / 8;
  std::string text;
  for (int64_t i = 0; i < full; ++i) text += "█";
  const bool partial = eighths % 8 != 0;
  text += kEighths.at(static_cast<size_t>(eighths % 8));
  text.append(static_cast<size_t>(width - full - (partial ? 1 : 0)), ' ');
  return text;
}

std::string note_of(std::initializer_list<Reading> readings) {
  std::string note;
  for (const Reading& r : readings) {
    const double value = r.tensor.defined() ? r.tensor.item<double>() : r.value;
    note += fmt::format("{}{} {:.4g}", note.empty() ? "" : "  ", r.name, value);
  }
  return note;
}

}  // namespace

Progress::Progress(int64_t total, ProgressOptions options)
    : options_(std::move(options)),
      total_(total),
      done_(options_.initial()),
      is_terminal_(options_.enabled() && is_terminal(stderr)),
      start_(std::chrono::steady_clock::now()),
      last_draw_(start_) {
  STRATA_CHECK(total >= 0, "Progress: {} units to be done, expected 0 (unknown) or more", total);
}

Progress::~Progress() {
  if (is_terminal_) fmt::print(stderr, "{}", kClearLine);
}

void Progress::update(int64_t done, std::string_view label, std::initializer_list<Reading> readings) {
  done_ = done;
  const double interval = is_terminal_ ? 0.05 : options_.line_interval();
  const auto now = std::chrono::steady_clock::now();
  if (!options_.enabled() || interval <= 0 || std::chrono::duration<double>(now - last_draw_).count() < interval)
    return;
  last_draw_ = now;
  const std::string status =
      format_status({done, total_, options_.initial(), seconds()}, options_.unit(), note_of(readings));
  if (!is_terminal_) {
    fmt::print(stderr, "{}: {}\n", label, status);
    return;
  }
  const int64_t width = terminal_width(stderr);
  const double fraction = static_cast<double>(done) / static_cast<double>(std::max<int64_t>(total_, 1));
  fmt::print(stderr, "{}{}", kClearLine,
             total_ > 0 ? format_bar(label, fraction, status, width)
                        : first_columns(fmt::format("{} {}", label, status), width - 1));
}

void Progress::advance(int64_t count, std::string_view label, std::initializer_list<Reading> readings) {
  update(done_ + count, label, readings);
}

void Progress::print_line(std::string_view line) {
  if (!options_.enabled()) return;
  if (is_terminal_) fmt::print(stderr, "{}", kClearLine);
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

double Progress::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

std::string format_status(const ProgressState& s, std::string_view unit, std::string_view note) {
  const double rate = static_cast<double>(s.done - s.initial) / std::max(s.seconds, 1e-9);
  // Whole numbers would say nothing of a slow task.
  const std::string speed =
      rate > 0 && rate < 10 ? fmt::format("{:.2f}", rate) : format_count(static_cast<int64_t>(rate));
  const std::string done = s.total > 0 ? fmt::format("{:3d} %", s.done * 100 / s.total) : format_count(s.done);
  std::string text = fmt::format("{}  {} {}/s", done, speed, unit);
  if (!note.empty()) text += fmt::format("  {}", note);
  if (s.total > 0 && rate > 0) {
    const double left = static_cast<double>(std::max<int64_t>(s.total - s.done, 0)) / rate;
    text += fmt::format("  ETA {}", format_duration(left));
  }
  return text;
}

std::string format_bar(std::string_view label, double fraction, std::string_view status, int64_t width) {
  const int64_t bar_width = std::min<int64_t>(width - columns_of(label) - columns_of(status) - 5, 30);
  if (bar_width < 4) return first_columns(fmt::format("{} {}", label, status), width - 1);
  return fmt::format("{} ▕{}▏ {}", label, bar(fraction, bar_width), status);
}

std::string format_duration(double seconds) {
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  if (!(seconds < 1e15)) return "∞";
  const auto whole = static_cast<int64_t>(seconds + 0.5);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string format_count(int64_t count) {
  std::string digits = std::to_string(count);
  for (auto at = static_cast<int64_t>(digits.size()) - 3; at > (count < 0 ? 1 : 0); at -= 3) {
    digits.insert(static_cast<size_t>(at), 1, ',');
  }
  return digits;
}

}  // namespace strata::train
