// The document around panels, and what becomes a panel.
#include "train/plot.h"

#include <fmt/format.h>

#include <cmath>

#include "ops/cast.h"
#include "train/axis.h"
#include "train/svg.h"

namespace strata::train {
namespace {

constexpr const char* kStyle = R"(<style>
text { font: 13px "DejaVu Sans", Helvetica, Arial, sans-serif; fill: #333 }
.title { font-size: 16px; font-weight: bold } .name { font-size: 14px; font-weight: bold }
.tick { font-size: 12px } .small { font-size: 10px } .light { fill: #fff }
.grid { stroke: #e4e4e4; fill: none } .axis { stroke: #555; fill: none } .line { stroke-width: 2; fill: none }
.box { fill: #fff; fill-opacity: 0.85; stroke: #ccc }
</style>
)";

void check_parts(const Curves& p) {
  for (const Series& s : p.series) {
    STRATA_CHECK(s.y.size() <= p.x.size(), "plot: the line '{}' has {} points, x has {}", s.name, s.y.size(),
                 p.x.size());
  }
}

void check_parts(const Bars& p) {
  for (const Series& s : p.series) {
    STRATA_CHECK(p.edges.size() == s.y.size() + 1, "plot: the bars '{}' have {} counts between {} edges", s.name,
                 s.y.size(), p.edges.size());
  }
}

void check_parts(const Matrix& p) {
  STRATA_CHECK(p.values.size() == p.rows.size() * p.columns.size() && !p.values.empty(),
               "plot: a matrix of {} values with {} rows and {} columns", p.values.size(), p.rows.size(),
               p.columns.size());
}

void check_parts(const Images& p) {
  const Tensor& t = p.pictures;
  STRATA_CHECK(t.defined() && t.dim() == 4 && t.numel() > 0 && (t.size(1) == 1 || t.size(1) == 3),
               "plot: images are (N, 1 or 3, H, W), got {}", t.defined() ? t.sizes() : IntArrayRef());
  STRATA_CHECK(p.labels.empty() || static_cast<int64_t>(p.labels.size()) == t.size(0), "plot: {} labels for {} images",
               p.labels.size(), t.size(0));
}

}  // namespace

void detail::check(const Panel& panel) {
  std::visit([](const auto& p) { check_parts(p); }, panel);
}

std::vector<double> to_vector(const Tensor& t) {
  const Tensor values = t.detach().to(kDouble).cpu().contiguous();
  const double* first = values.data_ptr<double>();
  return {first, first + values.numel()};
}

std::vector<double> counted(int64_t first, int64_t last) {
  std::vector<double> values;
  for (int64_t i = first; i <= last; ++i) values.push_back(static_cast<double>(i));
  return values;
}

Bars histogram(const std::string& title, const std::string& x_label,
               const std::vector<std::pair<std::string, Tensor>>& values, int64_t bins) {
  STRATA_CHECK(bins >= 1, "histogram: {} bins, expected 1 or more", bins);
  std::vector<std::vector<double>> lists;
  Range range;
  for (const auto& [name, tensor] : values) {
    lists.push_back(to_vector(tensor));
    for (const double value : lists.back()) range.include(value);
  }
  if (range.is_empty()) range = {0, 1};
  if (range.low == range.high) range = {range.low - 0.5, range.high + 0.5};
  Bars bars{title, x_label, "count", {}, {}};
  const double width = (range.high - range.low) / static_cast<double>(bins);
  for (int64_t i = 0; i <= bins; ++i) bars.edges.push_back(range.low + width * static_cast<double>(i));
  for (size_t s = 0; s < lists.size(); ++s) {
    std::vector<double> counts(static_cast<size_t>(bins));
    for (const double value : lists[s]) {
      if (!std::isfinite(value)) continue;
      const auto bin = static_cast<size_t>((value - range.low) / width);
      counts[std::min(bin, counts.size() - 1)] += 1;
    }
    bars.series.push_back({values[s].first, std::move(counts)});
  }
  return bars;
}

Matrix confusion(const std::string& title, const ConfusionMatrix& matrix, std::vector<std::string> names) {
  if (names.empty()) {
    for (int64_t i = 0; i < matrix.classes(); ++i) names.push_back(std::to_string(i));
  }
  return {title, "predicted", "actual", names, names, to_vector(matrix.counts())};
}

std::string svg_plot(const std::string& title, const std::vector<Panel>& panels, size_t columns) {
  const size_t count = std::max<size_t>(panels.size(), 1);
  if (columns == 0) columns = count;
  const size_t rows = (count + columns - 1) / columns;
  const double width = svg::kPanelWidth * static_cast<double>(std::min(columns, count));
  const double height = svg::kPanelHeight * static_cast<double>(rows) + svg::kTitleHeight;
  std::string document = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n{2}"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
      width, height, kStyle);
  document += svg::text(width / 2, 27, title, "middle", "title");
  for (size_t i = 0; i < panels.size(); ++i) {
    detail::check(panels[i]);
    const double left = svg::kPanelWidth * static_cast<double>(i % columns);
    document +=
        fmt::format("<g transform=\"translate({} {})\">\n", left, svg::kPanelHeight * static_cast<double>(i / columns));
    document += std::visit([](const auto& p) { return svg::draw(p); }, panels[i]) + "</g>\n";
  }
  return document + "</svg>\n";
}

}  // namespace strata::train
