// Panels with two axes: curves and bars. Every coordinate comes from a Frame that maps data to pixels.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "train/axis.h"
#include "train/svg.h"
#include "train/text.h"

namespace strata::train::svg {
namespace {

struct Point {
  double x, y;
};

/// Where a panel's data lie on the page.
class Frame {
 public:
  Frame(const Axis& x, const Axis& y) : x_(x), y_(y) {}

  double x(double value) const { return kLeft + x_.place(value) * (kRight - kLeft); }
  double y(double value) const { return kBottom - y_.place(value) * (kBottom - kTop); }
  bool holds(double x, double y) const { return x_.holds(x) && y_.holds(y); }

  std::string axes(const Names& titles) const;
  std::string legend(const std::vector<Series>& series, const std::vector<Point>& drawn) const;

 private:
  static constexpr double kLeft = 70, kRight = kPanelWidth - 18;
  Axis x_, y_;
};

std::string Frame::axes(const Names& titles) const {
  std::string svg;
  for (const double tick : y_.ticks()) {
    svg += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n", kLeft, y(tick), kRight);
    svg += text(kLeft - 7, y(tick) + 4, y_.text(tick), "end", "tick");
  }
  for (const double tick : x_.ticks()) {
    svg += fmt::format("<path class=\"axis\" d=\"M{:.1f} {:.1f}v5\"/>\n", x(tick), kBottom);
    svg += text(x(tick), kBottom + 19, x_.text(tick), "middle", "tick");
  }
  svg += fmt::format("<path class=\"axis\" d=\"M{:.1f} {:.1f}V{:.1f}H{:.1f}\"/>\n", kLeft, kTop, kBottom, kRight);
  return svg + names(titles, kLeft, kRight);
}

/// A legend in the corner where it hides the fewest points; none for a single series without a name.
std::string Frame::legend(const std::vector<Series>& series, const std::vector<Point>& drawn) const {
  int64_t longest = 0;
  for (const Series& s : series) longest = std::max(longest, columns_of(s.name));
  if (longest == 0) return "";
  constexpr double kLine = 19;
  const double width = 50 + 7.6 * static_cast<double>(longest);
  const double height = kLine * static_cast<double>(series.size()) + 8;
  const std::array<Point, 4> corners = {Point{kRight - width - 8, kTop + 8},
                                        Point{kRight - width - 8, kBottom - height - 10}, Point{kLeft + 10, kTop + 8},
                                        Point{kLeft + 10, kBottom - height - 10}};
  const auto hidden = [&](const Point& c) {
    return std::count_if(drawn.begin(), drawn.end(), [&](const Point& p) {
      return p.x > c.x - 4 && p.x < c.x + width + 4 && p.y > c.y - 4 && p.y < c.y + height + 4;
    });
  };
  const Point box = *std::min_element(corners.begin(), corners.end(),
                                      [&](const Point& a, const Point& b) { return hidden(a) < hidden(b); });
  std::string svg = fmt::format("<rect class=\"box\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
                                box.x, box.y, width, height);
  for (size_t i = 0; i < series.size(); ++i) {
    const double y = box.y + kLine * static_cast<double>(i) + 14;
    svg += fmt::format("<path class=\"line\" stroke=\"{}\" d=\"M{:.1f} {:.1f}h22\"/>\n", color(i), box.x + 8, y);
    svg += text(box.x + 37, y + 4, series[i].name, "start");
  }
  return svg;
}

/// Points along a line, so that a legend sees where it runs between its corners.
void add_along(std::vector<Point>& points, const Point& from, const Point& to) {
  constexpr int kSteps = 8;
  for (int i = 1; i <= kSteps; ++i) {
    const double part = static_cast<double>(i) / kSteps;
    points.push_back({from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part});
  }
}

Frame frame_of(const Curves& panel) {
  Range x, y;
  for (const double value : panel.x) x.include(value);
  for (const Series& series : panel.series) {
    for (const double value : series.y) {
      if (!panel.log_y || value > 0) y.include(value);
    }
  }
  const bool whole = std::all_of(panel.x.begin(), panel.x.end(), [](double v) { return v == std::floor(v); });
  return {Axis(x, 8, Fit::kTight, whole), Axis(y, 6, panel.log_y ? Fit::kLog : Fit::kRound)};
}

/// Line and marks of one series; `drawn` takes its points.
std::string line_of(const Curves& panel, size_t index, const Frame& frame, std::vector<Point>& drawn) {
  const std::vector<double>& values = panel.series[index].y;
  std::string path, marks;
  std::optional<Point> last;
  const bool has_marks = values.size() <= 60;
  for (size_t i = 0; i < values.size(); ++i) {
    if (!frame.holds(panel.x[i], values[i])) continue;
    const Point p{frame.x(panel.x[i]), frame.y(values[i])};
    fmt::format_to(std::back_inserter(path), "{}{:.1f} {:.1f}", path.empty() ? "M" : "L", p.x, p.y);
    if (has_marks)
      marks += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", p.x, p.y, color(index));
    add_along(drawn, last.value_or(p), p);
    last = p;
  }
  if (path.empty()) return "";
  return fmt::format("<path class=\"line\" stroke=\"{}\" d=\"{}\"/>\n{}", color(index), path, marks);
}

}  // namespace

std::string draw(const Curves& panel) {
  const Frame frame = frame_of(panel);
  std::string svg = frame.axes({panel.title, panel.x_label, panel.y_label});
  std::vector<Point> drawn;
  for (size_t i = 0; i < panel.series.size(); ++i) svg += line_of(panel, i, frame, drawn);
  return svg + frame.legend(panel.series, drawn);
}

std::string draw(const Bars& panel) {
  Range x, y;
  y.include(0);
  for (const double edge : panel.edges) x.include(edge);
  for (const Series& series : panel.series) {
    for (const double value : series.y) y.include(value);
  }
  if (y.high <= 0) y.high = 1;
  const Frame frame(Axis(x, 8, Fit::kTight), Axis(y, 6, Fit::kRound));
  std::string svg = frame.axes({panel.title, panel.x_label, panel.y_label});
  std::vector<Point> drawn;
  for (size_t s = 0; s < panel.series.size(); ++s) {
    for (size_t i = 0; i < panel.series[s].y.size(); ++i) {
      const double value = panel.series[s].y[i];
      if (!frame.holds(panel.edges[i], value) || value == 0) continue;
      const double begin = frame.x(panel.edges[i]), end = frame.x(panel.edges[i + 1]), top = frame.y(value);
      svg += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" fill-opacity=\"{}\"/>\n",
          begin, top, end - begin, kBottom - top, color(s), panel.series.size() > 1 ? 0.55 : 0.85);
      add_along(drawn, {(begin + end) / 2, kBottom}, {(begin + end) / 2, top});
    }
  }
  return svg + frame.legend(panel.series, drawn);
}

}  // namespace strata::train::svg
