// Pieces of SVG that all panels are made of. Internal to train/.
#pragma once

#include <string>
#include <string_view>

#include "plot.h"

namespace strata::train::svg {

inline constexpr double kPanelWidth = 460, kPanelHeight = 340, kTitleHeight = 40;
inline constexpr double kTop = kTitleHeight + 30, kBottom = kTitleHeight + kPanelHeight - 52;

/// The colour of a series.
const char* color(size_t index);
/// Text as it may stand in XML: marks escaped, characters that XML does not know left out.
std::string escaped(std::string_view text);
/// A text element; `anchor` is start, middle or end, `kind` a class of the document's style or empty.
std::string text(double x, double y, std::string_view content, const char* anchor = "middle", const char* kind = "");

/// The panel, whose left edge is at 0.
std::string draw(const Curves& panel);
std::string draw(const Bars& panel);
std::string draw(const Matrix& panel);
std::string draw(const Images& panel);

/// What stands around a panel's data: its title above, the names of the axes below and at the left.
struct Names {
  std::string_view title, x_label, y_label;
};
std::string names(const Names& names, double left, double right);

/// A `data:` URL of the pixels `(H, W, C)` as PNG.
std::string png_url(const Tensor& pixels);

}  // namespace strata::train::svg
