// Draws panels of 440x340 pixels; every coordinate comes from a Frame that maps data to pixels.
#include "common/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

namespace strata::examples {
namespace {

constexpr double kPanelWidth = 460;
constexpr double kPanelHeight = 340;
constexpr double kTitleHeight = 40;
constexpr std::array kColors = {"#1f6fb4", "#e0731d", "#2a9043", "#b8323c", "#7d57b0", "#6b6b6b"};

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void include(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

/// The largest of 1, 2 and 5 times a power of ten that gives about `count` steps in the range.
double nice_step(double span, double count) {
  const double rough = span / count;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (rough <= factor * power * 1.001) return factor * power;
  }
  return 10 * power;
}

/// An axis: its ends lie on multiples of its step, or are the data's own when `tight`.
struct Axis {
  double low = 0;
  double high = 1;
  double step = 1;

  Axis(Range data, double count, bool tight, bool whole) {
    if (data.low > data.high) data = {0, 1};
    if (data.low == data.high) data = {data.low - 0.5, data.high + 0.5};
    step = nice_step(data.high - data.low, count);
    if (whole) step = std::max(1.0, step);
    low = tight ? data.low : std::floor(data.low / step + 1e-9) * step;
    high = tight ? data.high : std::ceil(data.high / step - 1e-9) * step;
  }

  std::vector<double> ticks() const {
    std::vector<double> values;
    for (double k = std::ceil(low / step - 1e-9); k * step <= high + step * 1e-6; ++k) values.push_back(k * step);
    return values;
  }

  std::string text(double value) const {
    const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 12);
    return fmt::format("{:.{}f}", std::abs(value) < step * 1e-6 ? 0.0 : value, decimals);
  }
};

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

/// Where a panel's data lie on the page.
class Frame {
 public:
  Frame(double left, const Panel& panel)
      : left_(left + 66),
        right_(left + kPanelWidth - 18),
        x_(x_range(panel), 8, true, true),
        y_(y_range(panel), 6, false, false) {}

  double x(double value) const { return left_ + (value - x_.low) / (x_.high - x_.low) * (right_ - left_); }
  double y(double value) const { return kBottom - (value - y_.low) / (y_.high - y_.low) * (kBottom - kTop); }

  std::string axes(const Panel& panel) const;
  std::string line(const Panel& panel, size_t index) const;
  std::string legend(const Panel& panel) const;

 private:
  static constexpr double kTop = kTitleHeight + 30;
  static constexpr double kBottom = kTitleHeight + kPanelHeight - 52;

  static Range x_range(const Panel& panel) {
    Range range;
    for (const double value : panel.x) range.include(value);
    return range;
  }

  static Range y_range(const Panel& panel) {
    Range range;
    for (const Series& series : panel.series) {
      for (const double value : series.y) range.include(value);
    }
    return range;
  }

  double left_;
  double right_;
  Axis x_;
  Axis y_;
};

std::string Frame::axes(const Panel& panel) const {
  std::string svg;
  const auto add = std::back_inserter(svg);
  for (const double tick : y_.ticks()) {
    fmt::format_to(add, "<path class=\"grid\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n", left_, y(tick), right_);
    fmt::format_to(add, "<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", left_ - 7,
                   y(tick) + 4, y_.text(tick));
  }
  for (const double tick : x_.ticks()) {
    fmt::format_to(add, "<path class=\"axis\" d=\"M{:.1f} {:.1f}v5\"/>\n", x(tick), kBottom);
    fmt::format_to(add, "<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", x(tick),
                   kBottom + 19, x_.text(tick));
  }
  const double middle = (left_ + right_) / 2;
  fmt::format_to(add, "<path class=\"axis\" d=\"M{:.1f} {:.1f}V{:.1f}H{:.1f}\"/>\n", left_, kTop, kBottom, right_);
  fmt::format_to(add, "<text class=\"name\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", middle,
                 kTop - 12, escaped(panel.title));
  fmt::format_to(add, "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", middle, kBottom + 41,
                 escaped(panel.x_label));
  fmt::format_to(add, "<text transform=\"translate({:.1f} {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                 left_ - 49, (kTop + kBottom) / 2, escaped(panel.y_label));
  return svg;
}

std::string Frame::line(const Panel& panel, size_t index) const {
  const std::vector<double>& values = panel.series[index].y;
  const char* color = kColors.at(index % kColors.size());
  std::string path;
  std::string marks;
  for (size_t i = 0; i < std::min(values.size(), panel.x.size()); ++i) {
    if (!std::isfinite(values[i]) || !std::isfinite(panel.x[i])) continue;
    const double px = x(panel.x[i]);
    const double py = y(values[i]);
    fmt::format_to(std::back_inserter(path), "{}{:.1f} {:.1f}", path.empty() ? "M" : "L", px, py);
    fmt::format_to(std::back_inserter(marks), "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", px, py,
                   color);
  }
  if (path.empty()) return "";
  constexpr size_t kMostMarks = 60;
  if (values.size() > kMostMarks) marks.clear();
  return fmt::format("<path class=\"line\" stroke=\"{}\" d=\"{}\"/>\n{}", color, path, marks);
}

/// The legend stands at the right: above lines that fall, below lines that rise.
std::string Frame::legend(const Panel& panel) const {
  constexpr double kLine = 19;
  size_t longest = 0;
  for (const Series& series : panel.series) longest = std::max(longest, series.name.size());
  const double width = 44 + 7.2 * static_cast<double>(longest);
  const double height = kLine * static_cast<double>(panel.series.size()) + 8;
  const bool falls =
      !panel.series.empty() && !panel.series[0].y.empty() && panel.series[0].y.front() > panel.series[0].y.back();
  const double box_x = right_ - width - 8;
  const double box_y = falls ? kTop + 8 : kBottom - height - 10;
  std::string svg = fmt::format("<rect class=\"box\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
                                box_x, box_y, width, height);
  for (size_t i = 0; i < panel.series.size(); ++i) {
    const double y = box_y + kLine * static_cast<double>(i) + 14;
    fmt::format_to(std::back_inserter(svg),
                   "<path class=\"line\" stroke=\"{}\" d=\"M{:.1f} {:.1f}h22\"/>\n"
                   "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                   kColors.at(i % kColors.size()), box_x + 8, y, box_x + 37, y + 4, escaped(panel.series[i].name));
  }
  return svg;
}

constexpr const char* kStyle = R"(<style>
text { font: 13px "DejaVu Sans", Helvetica, Arial, sans-serif; fill: #333 }
.title { font-size: 16px; font-weight: bold } .name { font-size: 14px; font-weight: bold } .tick { font-size: 12px }
.grid { stroke: #e4e4e4; fill: none } .axis { stroke: #555; fill: none } .line { stroke-width: 2; fill: none }
.box { fill: #fff; fill-opacity: 0.85; stroke: #ccc }
</style>
)";

}  // namespace

std::vector<double> to_vector(const Tensor& t) {
  const Tensor values = t.detach().to(kDouble).contiguous();
  const double* first = values.data_ptr<double>();
  return {first, first + values.numel()};
}

std::string svg_plot(const std::string& title, const std::vector<Panel>& panels) {
  const double width = kPanelWidth * static_cast<double>(panels.size());
  const double height = kPanelHeight + kTitleHeight;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n{2}"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n"
      "<text class=\"title\" x=\"{3}\" y=\"27\" text-anchor=\"middle\">{4}</text>\n",
      width, height, kStyle, width / 2, escaped(title));
  for (size_t p = 0; p < panels.size(); ++p) {
    const Frame frame(kPanelWidth * static_cast<double>(p), panels[p]);
    svg += frame.axes(panels[p]);
    for (size_t i = 0; i < panels[p].series.size(); ++i) svg += frame.line(panels[p], i);
    svg += frame.legend(panels[p]);
  }
  return svg + "</svg>\n";
}

}  // namespace strata::examples
