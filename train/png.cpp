// What a PNG file (ISO/IEC 15948) is at least made of.
#include "train/png.h"

#include <zlib.h>

#include <array>
#include <cstdint>

#include "core/error.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/ternary.h"
#include "ops/unary.h"

namespace strata::train {
namespace {

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

Tensor picture_bytes(const Tensor& pictures, const char* user) {
  Tensor t = pictures.detach().cpu();
  if (is_floating_point(t.dtype())) t = t.to(kFloat).nan_to_num(0).clamp(0, 1).mul(255).round().to(kUInt8);
  STRATA_CHECK(t.dtype() == kUInt8, "{}: images of {}, expected uint8 or floating point", user, name(t.dtype()));
  return t;
}

std::string png(const Tensor& pixels) {
  const Tensor dense = pixels.contiguous();
  const int64_t height = dense.size(0), row = dense.size(1) * dense.size(2);
  const auto* bytes = reinterpret_cast<const char*>(dense.data_ptr<uint8_t>());
  std::string data;
  for (int64_t y = 0; y < height; ++y) data.append(1, '\0').append(bytes + y * row, static_cast<size_t>(row));
  // Eight bits a channel, what the channels are, and none of the rest that a header says.
  constexpr std::array<char, 4> kKinds = {0, 4, 2, 6};
  const std::string kind = {8, kKinds.at(static_cast<size_t>(dense.size(2) - 1)), 0, 0, 0};
  const std::string header =
      big_endian(static_cast<uint32_t>(dense.size(1))) + big_endian(static_cast<uint32_t>(height)) + kind;
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR" + header) + chunk("IDAT" + compressed(data)) + chunk("IEND");
}

}  // namespace strata::train
