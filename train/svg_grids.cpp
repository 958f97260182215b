// Panels of cells: matrices of numbers and grids of images.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "train/image_grid.h"
#include "train/svg.h"
#include "train/text.h"

namespace strata::train::svg {
namespace {

/// White for 0 to dark blue for 1.
std::string shade(double share) {
  const auto channel = [&](double full) { return static_cast<int>(std::lround(255 + (full - 255) * share)); };
  return fmt::format("#{:02x}{:02x}{:02x}", channel(8), channel(69), channel(134));
}

std::string number_text(double value) {
  return value == std::floor(value) && std::abs(value) < 1e7 ? fmt::format("{:.0f}", value)
                                                             : fmt::format("{:.2g}", value);
}

/// Names with an ellipsis where they are longer than so many columns.
std::string shortened(const std::string& name, int64_t columns) {
  return columns_of(name) <= columns ? name : first_columns(name, columns - 1) + "…";
}

}  // namespace

std::string draw(const Matrix& panel) {
  const size_t rows = panel.rows.size(), columns = panel.columns.size();
  const double begin = 86, right = kPanelWidth - 18;
  const double width = (right - begin) / static_cast<double>(columns);
  const double height = (kBottom - kTop) / static_cast<double>(rows);
  const bool has_numbers = width >= 18 && height >= 11;
  const auto every = [](double size) { return static_cast<size_t>(std::max(1.0, std::ceil(13 / size))); };
  std::string svg = names({panel.title, panel.x_label, panel.y_label}, begin - 14, right);
  for (size_t i = 0; i < rows; ++i) {
    double sum = 0;
    for (size_t j = 0; j < columns; ++j) sum += std::abs(panel.values[i * columns + j]);
    const double y = kTop + height * static_cast<double>(i);
    if (i % every(height) == 0) svg += text(begin - 6, y + height / 2 + 4, shortened(panel.rows[i], 8), "end", "tick");
    for (size_t j = 0; j < columns; ++j) {
      const double value = panel.values[i * columns + j], share = sum > 0 ? std::abs(value) / sum : 0;
      const double x = begin + width * static_cast<double>(j);
      svg += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" stroke=\"#fff\"/>\n", x, y,
          width, height, shade(std::isfinite(share) ? share : 0));
      if (!has_numbers || value == 0) continue;
      const char* kind = share > 0.5 ? (width < 30 ? "small light" : "light") : (width < 30 ? "small" : "");
      svg += text(x + width / 2, y + height / 2 + 4, number_text(value), "middle", kind);
    }
  }
  const auto longest = std::max<int64_t>(static_cast<int64_t>(width / 7), 2);
  for (size_t j = 0; j < columns; j += every(width))
    svg += text(begin + width * (static_cast<double>(j) + 0.5), kBottom + 17, shortened(panel.columns[j], longest),
                "middle", "tick");
  return svg + fmt::format("<rect class=\"axis\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
                           begin, kTop, right - begin, kBottom - kTop);
}

std::string draw(const Images& panel) {
  const ImageGrid grid(panel);
  const double label = panel.labels.empty() ? 0 : 15;
  const double begin = 14, wide = kPanelWidth - 28, high = kBottom + 34 - kTop;
  const auto columns = static_cast<double>(grid.columns()), rows = static_cast<double>(grid.rows());
  const auto aspect = static_cast<double>(panel.pictures.size(3)) / static_cast<double>(panel.pictures.size(2));
  // The largest cells of which all fit: pictures of the same aspect, with gaps and labels between them.
  constexpr double kGap = 4;
  const double height = std::min((high / rows) - label - kGap, ((wide / columns) - kGap) / aspect);
  const double width = height * aspect;
  const double start = begin + (wide - columns * (width + kGap) + kGap) / 2;
  std::string svg = names({panel.title, "", ""}, begin, begin + wide);
  for (int64_t i = 0; i < grid.count(); ++i) {
    const double x = start + static_cast<double>(i % grid.columns()) * (width + kGap);
    const double y = kTop + static_cast<double>(i / grid.columns()) * (height + label + kGap);
    svg += fmt::format(
        "<image x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" preserveAspectRatio=\"none\" "
        "style=\"image-rendering: pixelated\" href=\"{}\"/>\n",
        x, y, width, height, png_url(grid.pixels(i)));
    if (label > 0)
      svg +=
          text(x + width / 2, y + height + 12,
               shortened(panel.labels[static_cast<size_t>(i)], std::max<int64_t>(static_cast<int64_t>(width / 6), 2)),
               "middle", "small");
  }
  return svg;
}

}  // namespace strata::train::svg
