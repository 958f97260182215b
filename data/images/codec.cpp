// Which format a file has, and the channels that a caller wants.
#include "data/image_codec.h"

#include "core/error.h"
#include "data/images/formats.h"
#include "ops/creation.h"

namespace strata::data {
namespace images {
namespace {

constexpr int64_t kMostPixelsOfSide = 1 << 16;

/// BT.601's weights, which add up to 2^16.
uint8_t gray_of(const uint8_t* rgb) {
  return static_cast<uint8_t>((19595 * rgb[0] + 38470 * rgb[1] + 7471 * rgb[2] + (1 << 15)) >> 16);
}

}  // namespace

void check_size(const std::string& where, size_t bytes, int64_t width, int64_t height, int64_t most_pixels_of_byte) {
  STRATA_CHECK(width > 0 && height > 0, "{} has no pixels, its size is {}x{}", where, width, height);
  STRATA_CHECK(width <= kMostPixelsOfSide && height <= kMostPixelsOfSide,
               "{}: a picture of {}x{}, but at most {} pixels a side are read", where, width, height,
               kMostPixelsOfSide);
  STRATA_CHECK(width * height <= most_pixels_of_byte * static_cast<int64_t>(bytes),
               "{} is damaged: {} bytes cannot hold a picture of {}x{}", where, bytes, width, height);
}

Tensor with_channels(const Tensor& pixels, int64_t channels) {
  const int64_t had = pixels.size(2), count = pixels.size(0) * pixels.size(1);
  if (had == channels) return pixels;
  Tensor out = empty({pixels.size(0), pixels.size(1), channels}, kUInt8);
  const uint8_t* from = pixels.data_ptr<uint8_t>();
  uint8_t* to = out.data_ptr<uint8_t>();
  for (int64_t i = 0; i < count; ++i, from += had, to += channels) {
    if (channels <= 2)
      to[0] = had <= 2 ? from[0] : gray_of(from);
    else
      for (int64_t c = 0; c < 3; ++c) to[c] = from[had <= 2 ? 0 : c];
    if (channels % 2 == 0) to[channels - 1] = had % 2 == 0 ? from[had - 1] : 255;
  }
  return out;
}

namespace {

class Codec final : public ImageCodec {
 public:
  Tensor decode(const std::string& where, std::string_view bytes, ImageMode mode) const override {
    const Tensor pixels = decode_any(where, bytes, mode);
    return mode == ImageMode::kUnchanged ? pixels : with_channels(pixels, static_cast<int64_t>(mode));
  }
  std::string png(const std::string& where, const Tensor& pixels) const override { return encode_png(where, pixels); }
  std::string jpeg(const std::string& where, const Tensor& pixels, int quality) const override {
    return encode_jpeg(where, with_channels(pixels, pixels.size(2) <= 2 ? 1 : 3), quality);
  }

 private:
  static Tensor decode_any(const std::string& where, std::string_view bytes, ImageMode mode) {
    if (is_jpeg(bytes)) return decode_jpeg(where, bytes, mode == ImageMode::kGray || mode == ImageMode::kGrayAlpha);
    if (is_png(bytes)) return decode_png(where, bytes);
    if (is_pnm(bytes)) return decode_pnm(where, bytes);
    return decode_by_stb(where, bytes);
  }
};

}  // namespace
}  // namespace images
}  // namespace strata::data

extern "C" __attribute__((visibility("default"))) const strata::data::ImageCodec* strata_images_entry() {
  static const strata::data::images::Codec codec;
  return &codec;
}
