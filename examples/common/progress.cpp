// Draws the bar with eighths of a character cell and never wider than the terminal.
#include "common/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace strata::examples {
namespace {

constexpr std::string_view kClearLine = "\r\x1b[K";
constexpr std::string_view kHideCursor = "\x1b[?25l";
constexpr std::string_view kShowCursor = "\x1b[?25h";

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
  const auto eighths = static_cast<int64_t>(fraction * static_cast<double>(width) * 8);
  const int64_t full = eighths / 8;
  std::string text;
  for (int64_t i = 0; i < full; ++i) text += "█";
  const bool partial = eighths % 8 != 0;
  text += kEighths.at(static_cast<size_t>(eighths % 8));
  text.append(static_cast<size_t>(width - full - (partial ? 1 : 0)), ' ');
  return text;
}

}  // namespace

Progress::Progress(int64_t total, std::string unit)
    : total_(std::max<int64_t>(total, 1)),
      unit_(std::move(unit)),
      is_terminal_(is_terminal(stderr)),
      start_(std::chrono::steady_clock::now()),
      last_draw_(start_) {
  if (is_terminal_) fmt::print(stderr, "{}", kHideCursor);
}

Progress::~Progress() {
  if (is_terminal_) fmt::print(stderr, "{}{}", kClearLine, kShowCursor);
}

void Progress::update(int64_t done, std::string_view label, std::string_view note) {
  const auto interval = is_terminal_ ? std::chrono::milliseconds(50) : std::chrono::seconds(10);
  const auto now = std::chrono::steady_clock::now();
  if (now - last_draw_ < interval) return;
  done = std::clamp<int64_t>(done, 0, total_);
  last_draw_ = now;
  const std::string text = format_status(done, total_, seconds(), unit_, note);
  if (is_terminal_) {
    fmt::print(stderr, "{}{}", kClearLine, format_bar(label, done, total_, text, terminal_width(stderr)));
  } else {
    fmt::print(stderr, "{}: {}\n", label, text);
  }
}

void Progress::print_line(std::string_view line) {
  if (is_terminal_) fmt::print(stderr, "{}", kClearLine);
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

double Progress::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

std::string format_status(int64_t done, int64_t total, double seconds, std::string_view unit, std::string_view note) {
  const double rate = static_cast<double>(done) / std::max(seconds, 1e-9);
  const double left = done == 0 ? 0 : static_cast<double>(total - done) / rate;
  return fmt::format("{:3d} %  {} {}/s  {}  ETA {}", done * 100 / total, format_count(static_cast<int64_t>(rate)), unit,
                     note, format_duration(left));
}

std::string format_bar(std::string_view label, int64_t done, int64_t total, const std::string& status, int64_t width) {
  const auto text_width = static_cast<int64_t>(label.size() + status.size()) + 4;
  const int64_t bar_width = std::min<int64_t>(width - text_width - 1, 30);
  if (bar_width < 4)
    return fmt::format("{} {}", label, status).substr(0, static_cast<size_t>(std::max<int64_t>(width - 1, 0)));
  return fmt::format("{} ▕{}▏ {}", label, bar(static_cast<double>(done) / static_cast<double>(total), bar_width),
                     status);
}

std::string format_duration(double seconds) {
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
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

}  // namespace strata::examples
