// Text, names and pictures inside of SVG documents.
#include "train/svg.h"

#include <fmt/format.h>

#include <array>

#include "train/png.h"
#include "train/text.h"

namespace strata::train::svg {
namespace {

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const std::string_view group = bytes.substr(i, 3);
    uint32_t bits = 0;
    for (size_t k = 0; k < 3; ++k) bits = bits << 8 | (k < group.size() ? static_cast<unsigned char>(group[k]) : 0u);
    for (size_t k = 0; k < 4; ++k) out += k <= group.size() ? kDigits[bits >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

}  // namespace

const char* color(size_t index) {
  static constexpr std::array kColors = {"#1f6fb4", "#e0731d", "#2a9043", "#b8323c", "#7d57b0", "#6b6b6b"};
  return kColors.at(index % kColors.size());
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '\n' || c == '\t')
      out += ' ';
    else if (static_cast<unsigned char>(c) >= 0x20)
      out += c;
  }
  return out;
}

std::string text(double x, double y, std::string_view content, const char* anchor, const char* kind) {
  return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", kind, x, y, anchor,
                     escaped(content));
}

std::string names(const Names& names, double left, double right) {
  const double middle = (left + right) / 2;
  std::string out = text(middle, kTop - 12, names.title, "middle", "name");
  if (!names.x_label.empty()) out += text(middle, kBottom + 41, names.x_label);
  if (!names.y_label.empty()) {
    out += fmt::format("<text transform=\"translate({:.1f} {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                       left - 52, (kTop + kBottom) / 2, escaped(names.y_label));
  }
  return out;
}

std::string png_url(const Tensor& pixels) { return "data:image/png;base64," + base64(png(pixels)); }

}  // namespace strata::train::svg
