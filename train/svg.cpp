// Text, names and pictures inside of SVG documents.
#include "train/svg.h"

#include <fmt/format.h>
#include <zlib.h>

#include <array>

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

std::string big_endian(uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 255);
  return bytes;
}

/// A chunk of a PNG file: length, kind, data and a checksum of both (PNG specification, 5.3).
std::string chunk(const std::string& kind_and_data) {
  const auto* bytes = reinterpret_cast<const Bytef*>(kind_and_data.data());
  const uLong sum = ::crc32(0, bytes, static_cast<uInt>(kind_and_data.size()));
  return big_endian(static_cast<uint32_t>(kind_and_data.size() - 4)) + kind_and_data +
         big_endian(static_cast<uint32_t>(sum));
}

std::string compressed(const std::string& data) {
  uLongf size = ::compressBound(static_cast<uLong>(data.size()));
  std::string out(size, '\0');
  const int result = ::compress(reinterpret_cast<Bytef*>(out.data()), &size,
                                reinterpret_cast<const Bytef*>(data.data()), static_cast<uLong>(data.size()));
  STRATA_CHECK(result == Z_OK, "plot: zlib has no memory");
  out.resize(size);
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

std::string png_url(const Tensor& pixels) {
  const Tensor dense = pixels.contiguous();
  const int64_t height = dense.size(0), row = dense.size(1) * dense.size(2);
  const auto* bytes = reinterpret_cast<const char*>(dense.data_ptr<uint8_t>());
  std::string data;
  for (int64_t y = 0; y < height; ++y) data.append(1, '\0').append(bytes + y * row, static_cast<size_t>(row));
  // Eight bits a channel, gray or RGB, and none of the rest that a header says.
  const std::string kind = dense.size(2) == 1 ? std::string("\x08\x00", 2) : std::string("\x08\x02", 2);
  const std::string header = big_endian(static_cast<uint32_t>(dense.size(1))) +
                             big_endian(static_cast<uint32_t>(height)) + kind + std::string(3, '\0');
  return "data:image/png;base64," +
         base64("\x89PNG\r\n\x1a\n" + chunk("IHDR" + header) + chunk("IDAT" + compressed(data)) + chunk("IEND"));
}

}  // namespace strata::train::svg
