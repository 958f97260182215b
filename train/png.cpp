// What a PNG file (ISO/IEC 15948) is at least made of, and what an animated one adds (W3C's PNG, third edition).
#include "train/png.h"

#include <zlib.h>

#include <array>
#include <cmath>
#include <cstdint>

#include "core/error.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata::train {
namespace {

std::string big_endian(int64_t value, int bytes = 4) {
  std::string text;
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) text += static_cast<char>(value >> shift & 255);
  return text;
}

/// A chunk of a PNG file: length, kind, data and a checksum of both (PNG specification, 5.3).
std::string chunk(const std::string& kind_and_data) {
  const auto* bytes = reinterpret_cast<const Bytef*>(kind_and_data.data());
  const uLong sum = ::crc32(0, bytes, static_cast<uInt>(kind_and_data.size()));
  return big_endian(static_cast<int64_t>(kind_and_data.size()) - 4) + kind_and_data +
         big_endian(static_cast<int64_t>(sum));
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

/// The rows of `(H, W, C)`, each with the filter that leaves it as it is.
std::string image_data(const Tensor& pixels) {
  const Tensor dense = pixels.contiguous();
  const int64_t row = dense.size(1) * dense.size(2);
  const auto* bytes = reinterpret_cast<const char*>(dense.data_ptr<uint8_t>());
  std::string data;
  for (int64_t y = 0; y < dense.size(0); ++y) data.append(1, '\0').append(bytes + y * row, static_cast<size_t>(row));
  return compressed(data);
}

/// Signature and header of a file of such pictures.
std::string head(const Tensor& pixels) {
  // Eight bits a channel, what the channels are, and none of the rest that a header says.
  constexpr std::array<char, 4> kKinds = {0, 4, 2, 6};
  const std::string kind = {8, kKinds.at(static_cast<size_t>(pixels.size(2) - 1)), 0, 0, 0};
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR" + big_endian(pixels.size(1)) + big_endian(pixels.size(0)) + kind);
}

}  // namespace

Tensor picture_bytes(const Tensor& pictures, const char* user) {
  Tensor t = pictures.detach().cpu();
  if (is_floating_point(t.dtype())) t = t.to(kFloat).nan_to_num(0).clamp(0, 1).mul(255).round().to(kUInt8);
  STRATA_CHECK(t.dtype() == kUInt8, "{}: images of {}, expected uint8 or floating point", user, name(t.dtype()));
  return t;
}

std::string png(const Tensor& pixels) { return head(pixels) + chunk("IDAT" + image_data(pixels)) + chunk("IEND"); }

std::string animated_png(const Tensor& frames, double fps) {
  const int64_t count = frames.size(0), milliseconds = std::lround(1000 / fps);
  const std::string whole_picture =
      big_endian(frames.size(2)) + big_endian(frames.size(1)) + big_endian(0) + big_endian(0);
  const std::string shown = big_endian(milliseconds, 2) + big_endian(1000, 2) + big_endian(0, 2);
  std::string file = head(frames.select(0, 0)) + chunk("acTL" + big_endian(count) + big_endian(0));
  int64_t sequence = 0;  // numbers the chunks of all frames
  for (int64_t t = 0; t < count; ++t) {
    file += chunk("fcTL" + big_endian(sequence++) + whole_picture + shown);
    const std::string data = image_data(frames.select(0, t));
    file += t == 0 ? chunk("IDAT" + data) : chunk("fdAT" + big_endian(sequence++) + data);
  }
  return file + chunk("IEND");
}

}  // namespace strata::train
