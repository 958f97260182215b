// PGM and PPM (netpbm's formats), which are little more than their pixels.
#include <algorithm>
#include <charconv>

#include "core/error.h"
#include "data/images/formats.h"
#include "ops/creation.h"

namespace strata::data::images {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// The next number of a header, behind white space and comments, which go from # to the end of their line.
int64_t next_number(const std::string& where, std::string_view& left) {
  while (!left.empty() && (is_space(left[0]) || left[0] == '#'))
    left.remove_prefix(left[0] == '#' ? std::min(left.find('\n'), left.size()) : 1);
  int32_t number = 0;
  const auto parsed = std::from_chars(left.data(), left.data() + left.size(), number);
  STRATA_CHECK(parsed.ec == std::errc(), "{}: its header has no number where one should be", where);
  left.remove_prefix(static_cast<size_t>(parsed.ptr - left.data()));
  return number;
}

}  // namespace

bool is_pnm(std::string_view bytes) {
  return bytes.size() > 2 && bytes[0] == 'P' && (bytes[1] == '5' || bytes[1] == '6') &&
         (is_space(bytes[2]) || bytes[2] == '#');
}

Tensor decode_pnm(const std::string& where, std::string_view bytes) {
  const int64_t channels = bytes[1] == '6' ? 3 : 1;
  std::string_view left = bytes.substr(2);
  const int64_t width = next_number(where, left), height = next_number(where, left), most = next_number(where, left);
  STRATA_CHECK(most >= 1 && most <= 65535, "{}: its largest value must be from 1 to 65535, got {}", where, most);
  check_size(where, bytes.size(), width, height, 1);
  const int64_t count = width * height * channels, bytes_each = most > 255 ? 2 : 1;
  STRATA_CHECK(static_cast<int64_t>(left.size()) > count * bytes_each,  // behind one byte of white space
               "{} is damaged: {} bytes are left for a picture of {}x{}x{}", where, left.size(), width, height,
               channels);
  const auto* from = reinterpret_cast<const uint8_t*>(left.data() + 1);
  Tensor pixels = empty({height, width, channels}, kUInt8);
  uint8_t* to = pixels.data_ptr<uint8_t>();
  for (int64_t i = 0; i < count; ++i) {
    const int64_t value = bytes_each == 2 ? from[2 * i] << 8 | from[2 * i + 1] : from[i];
    to[i] = static_cast<uint8_t>(std::min<int64_t>((2 * 255 * value + most) / (2 * most), 255));
  }
  return pixels;
}

}  // namespace strata::data::images
