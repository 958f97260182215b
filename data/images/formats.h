// The formats of libstrata_images.so. Pixels are `(H, W, C)` uint8, with the channels that the file has.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "core/tensor.h"

namespace strata::data::images {

/// Throws where a picture is larger than `bytes` bytes of its file can hold, so that no memory is taken for what a
/// header only claims. A byte of a PNG file holds the most pixels: its compression gives 1032 bytes for one, of 8
/// pixels each. Nor may a side have more than 65536 pixels.
void check_size(const std::string& where, size_t bytes, int64_t width, int64_t height,
                int64_t most_pixels_of_byte = int64_t{1032} * 8);

/// With one channel (gray), two (and alpha), three (RGB) or four (and alpha). Gray is 0.299 R + 0.587 G + 0.114 B
/// (ITU-R BT.601), alpha 255 where there was none.
Tensor with_channels(const Tensor& pixels, int64_t channels);

bool is_jpeg(std::string_view bytes);
/// Gray or RGB; `gray` asks for the brightness of a colour picture, which its file has.
Tensor decode_jpeg(const std::string& where, std::string_view bytes, bool gray);
std::string encode_jpeg(const std::string& where, const Tensor& pixels, int quality);

bool is_png(std::string_view bytes);
/// Palettes become colours, of 16 bits the upper 8 stay, and numbers are taken as they are: no gamma is applied.
Tensor decode_png(const std::string& where, std::string_view bytes);
std::string encode_png(const std::string& where, const Tensor& pixels);

bool is_pnm(std::string_view bytes);
/// PGM and PPM in their binary forms (P5, P6), of 8 or 16 bits.
Tensor decode_pnm(const std::string& where, std::string_view bytes);

/// BMP, and a GIF's first frame.
Tensor decode_by_stb(const std::string& where, std::string_view bytes);

}  // namespace strata::data::images
