// Plots as text: braille dots, block characters, and ANSI colours where they are wanted.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "train/axis.h"
#include "train/image_grid.h"
#include "train/plot.h"
#include "train/table.h"
#include "train/text.h"

namespace strata::train {
namespace {

/// The text in the colour of a series.
std::string colored(std::string_view text, size_t series, bool color) {
  static constexpr std::array kCodes = {34, 33, 32, 31, 35, 90};
  return color ? fmt::format("\x1b[{}m{}\x1b[0m", kCodes.at(series % kCodes.size()), text) : std::string(text);
}

/// What stands for a series where colours cannot tell them apart.
std::string mark(size_t series) {
  static constexpr std::array kMarks = {"•", "+", "o", "x", "*", "#"};
  return kMarks.at(series % kMarks.size());
}

std::string centered(std::string_view text, int64_t columns) {
  return std::string(static_cast<size_t>(std::max<int64_t>((columns - columns_of(text)) / 2, 0)), ' ') +
         std::string(text) + "\n";
}

/// Character cells of 2 x 4 dots, each of the colour of who drew there last.
class Canvas {
 public:
  Canvas(int64_t width, int64_t height) : width_(width), height_(height), cells_(static_cast<size_t>(width * height)) {}

  /// Sets the dot at a place from 0 to 1, counted from the lower left.
  void dot(double x, double y, size_t series) {
    const int64_t column = scaled(x, width_ * 2), row = height_ * 4 - 1 - scaled(y, height_ * 4);
    if (column < 0 || column >= width_ * 2 || row < 0 || row >= height_ * 4) return;
    static constexpr uint8_t kBits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    Cell& cell = cells_[static_cast<size_t>(row / 4 * width_ + column / 2)];
    cell.dots = static_cast<uint8_t>(cell.dots | kBits[row % 4][column % 2]);
    cell.series = series;
  }
  void line(double x0, double y0, double x1, double y1, size_t series) {
    const double steps = std::ceil(std::max(std::abs(x1 - x0) * static_cast<double>(width_ * 2),
                                            std::abs(y1 - y0) * static_cast<double>(height_ * 4)));
    for (double i = 0; i <= steps; ++i) {
      const double part = steps > 0 ? i / steps : 0;
      dot(x0 + (x1 - x0) * part, y0 + (y1 - y0) * part, series);
    }
  }
  /// A line of the picture; `marks` draws one mark a cell in place of dots.
  std::string row(int64_t index, bool marks, bool color) const {
    std::string out;
    for (int64_t i = 0; i < width_; ++i) {
      const Cell& cell = cells_[static_cast<size_t>(index * width_ + i)];
      out += cell.dots == 0 ? " " : colored(marks ? mark(cell.series) : braille(cell.dots), cell.series, color);
    }
    return out;
  }

 private:
  struct Cell {
    uint8_t dots = 0;
    size_t series = 0;
  };
  static int64_t scaled(double place, int64_t count) {
    return static_cast<int64_t>(std::lround(place * static_cast<double>(count - 1)));
  }
  /// U+2800 and the dots, in UTF-8.
  static std::string braille(uint8_t dots) {
    return {'\xe2', static_cast<char>(0xa0 | dots >> 6), static_cast<char>(0x80 | (dots & 0x3f))};
  }

  int64_t width_, height_;
  std::vector<Cell> cells_;
};

void draw_lines(Canvas& canvas, const Curves& p, const Axis& x, const Axis& y) {
  for (size_t s = 0; s < p.series.size(); ++s) {
    double last_x = NAN, last_y = NAN;
    for (size_t i = 0; i < std::min(p.series[s].y.size(), p.x.size()); ++i) {
      if (!x.holds(p.x[i]) || !y.holds(p.series[s].y[i])) continue;
      const double px = x.place(p.x[i]), py = y.place(p.series[s].y[i]);
      canvas.line(std::isnan(last_x) ? px : last_x, std::isnan(last_y) ? py : last_y, px, py, s);
      last_x = px;
      last_y = py;
    }
  }
}

/// The ticks of an x axis as one line of `width` columns; those that would touch the one before are left out.
std::string tick_line(const Axis& axis, int64_t width) {
  std::string line;
  for (const double tick : axis.ticks()) {
    const std::string text = axis.text(tick);
    const auto at = static_cast<int64_t>(std::lround(axis.place(tick) * static_cast<double>(width - 1)));
    const int64_t begin = std::max<int64_t>(at - columns_of(text) / 2, 0);
    if (!line.empty() && begin <= columns_of(line)) continue;
    line = padded_right(line, begin) + text;
  }
  return line;
}

std::string legend_line(const std::vector<Series>& series, bool marks, bool color) {
  std::string line;
  for (size_t i = 0; i < series.size(); ++i) {
    if (series[i].name.empty()) continue;
    line += (line.empty() ? "" : "   ") + colored(marks ? mark(i) : "━", i, color) + " " + series[i].name;
  }
  return line;
}

std::string draw(const Curves& p, const TerminalOptions& o) {
  Range xs, ys;
  for (const double value : p.x) xs.include(value);
  for (const Series& series : p.series) {
    for (const double value : series.y) {
      if (!p.log_y || value > 0) ys.include(value);
    }
  }
  const int64_t height = std::max<int64_t>(o.height(), 2);
  const bool whole = std::all_of(p.x.begin(), p.x.end(), [](double v) { return v == std::floor(v); });
  const Axis x(xs, 8, Fit::kTight, whole), y(ys, static_cast<double>(height) / 3, p.log_y ? Fit::kLog : Fit::kRound);
  std::vector<std::string> labels(static_cast<size_t>(height));
  int64_t label_width = 0;
  for (const double tick : y.ticks()) {
    const auto row = height - 1 - std::lround(y.place(tick) * static_cast<double>(height - 1));
    labels[static_cast<size_t>(row)] = y.text(tick);
    label_width = std::max(label_width, columns_of(y.text(tick)));
  }
  const int64_t width = std::max<int64_t>(o.width() - label_width - 3, 8);
  Canvas canvas(width, height);
  draw_lines(canvas, p, x, y);
  const bool marks = p.series.size() > 1 && !o.color();
  const std::string title = p.y_label.empty() ? p.title : fmt::format("{} ({})", p.title, p.y_label);
  std::string out = centered(title, o.width());
  for (int64_t row = 0; row < height; ++row) {
    const std::string& label = labels[static_cast<size_t>(row)];
    out += fmt::format("{} {}{}\n", padded_left(label, label_width), label.empty() ? "│" : "┤",
                       canvas.row(row, marks, o.color()));
  }
  const std::string indent(static_cast<size_t>(label_width + 1), ' ');
  out += indent + "└";
  for (int64_t i = 0; i < width; ++i) out += "─";
  out += "\n" + indent + " " + tick_line(x, width) + "\n";
  if (!p.x_label.empty()) out += indent + " " + centered(p.x_label, width);
  const std::string legend = legend_line(p.series, marks, o.color());
  return legend.empty() ? out : out + indent + " " + legend + "\n";
}

/// A horizontal bar in eighths of a column.
std::string bar_of(double share, int64_t width) {
  static constexpr std::array kEighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto eighths = static_cast<int64_t>(std::lround(share * static_cast<double>(width) * 8));
  std::string text;
  for (int64_t i = 0; i < eighths / 8; ++i) text += "█";
  return text + kEighths.at(static_cast<size_t>(eighths % 8));
}

std::string draw(const Bars& p, const TerminalOptions& o) {
  Range counts;
  counts.include(0);
  for (const Series& series : p.series) {
    for (const double value : series.y) counts.include(value);
  }
  const auto text_of = [](double value) { return fmt::format("{:.4g}", value); };
  int64_t label_width = 0, count_width = 1;
  for (const double edge : p.edges) label_width = std::max(label_width, columns_of(text_of(edge)));
  for (const Series& series : p.series) {
    for (const double value : series.y) count_width = std::max(count_width, columns_of(text_of(value)));
  }
  const int64_t width = std::max<int64_t>(o.width() - label_width - count_width - 3, 8);
  std::string out = centered(p.x_label.empty() ? p.title : fmt::format("{} ({})", p.title, p.x_label), o.width());
  for (size_t i = 0; i + 1 < p.edges.size(); ++i) {
    for (size_t s = 0; s < p.series.size(); ++s) {
      const double value = p.series[s].y.at(i);
      out +=
          fmt::format("{} │{} {}\n", padded_left(s == 0 ? text_of(p.edges[i]) : "", label_width),
                      colored(bar_of(counts.high > 0 ? value / counts.high : 0, width), s, o.color()), text_of(value));
    }
  }
  out += fmt::format("{} │\n", padded_left(p.edges.empty() ? "" : text_of(p.edges.back()), label_width));
  const std::string legend = p.series.size() > 1 ? legend_line(p.series, false, o.color()) : "";
  return legend.empty() ? out : out + legend + "\n";
}

std::string draw(const Matrix& p, const TerminalOptions& o) {
  Row header = {p.y_label.empty() && p.x_label.empty() ? "" : fmt::format("{} \\ {}", p.y_label, p.x_label)};
  header.insert(header.end(), p.columns.begin(), p.columns.end());
  std::vector<Row> rows;
  for (size_t i = 0; i < p.rows.size(); ++i) {
    Row row = {p.rows[i]};
    for (size_t j = 0; j < p.columns.size(); ++j)
      row.push_back(fmt::format("{:.6g}", p.values.at(i * p.columns.size() + j)));
    rows.push_back(std::move(row));
  }
  return centered(p.title, o.width()) + format_table(header, rows, 1);
}

/// Two pixels, one above the other, as a half block in two colours, or a mark of about their brightness.
std::string pixel_pair(const Tensor& pixels, int64_t y, int64_t x, bool color) {
  const int64_t channels = pixels.size(2), row = pixels.size(1) * channels;
  const uint8_t* first = pixels.data_ptr<uint8_t>() + y * row + x * channels;
  const bool has_second = y + 1 < pixels.size(0);
  const uint8_t* second = has_second ? first + row : first;
  const auto at = [&](const uint8_t* pixel, int64_t c) { return static_cast<int>(pixel[channels == 3 ? c : 0]); };
  if (color) {
    return fmt::format("\x1b[38;2;{};{};{};48;2;{};{};{}m▀", at(first, 0), at(first, 1), at(first, 2), at(second, 0),
                       at(second, 1), at(second, 2));
  }
  constexpr std::string_view kRamp = " .:-=+*#%@";
  int sum = 0;
  for (int64_t c = 0; c < 3; ++c) sum += at(first, c) + at(second, c);
  return std::string(1, kRamp[static_cast<size_t>(sum / 6) * kRamp.size() / 256]);
}

std::string draw(const Images& p, const TerminalOptions& o) {
  const ImageGrid grid(p);
  const Tensor first = grid.pixels(0);
  const int64_t wide = first.size(1), high = first.size(0);
  const int64_t columns = std::clamp<int64_t>((o.width() + 1) / (wide + 1), 1, grid.columns());
  std::string out = centered(p.title, o.width());
  for (int64_t begin = 0; begin < grid.count(); begin += columns) {
    const int64_t end = std::min(begin + columns, grid.count());
    for (int64_t y = 0; y < high; y += 2) {
      for (int64_t i = begin; i < end; ++i) {
        const Tensor pixels = grid.pixels(i);
        for (int64_t x = 0; x < wide; ++x) out += pixel_pair(pixels, y, x, o.color());
        out += o.color() ? "\x1b[0m " : " ";
      }
      out += "\n";
    }
    for (int64_t i = begin; i < end && !p.labels.empty(); ++i)
      out += padded_right(first_columns(p.labels.at(static_cast<size_t>(i)), wide), wide + 1);
    out += "\n";
  }
  return out;
}

}  // namespace

std::string terminal_plot(const Panel& panel, const TerminalOptions& options) {
  detail::check(panel);
  return std::visit([&](const auto& p) { return draw(p, options); }, panel);
}

}  // namespace strata::train
