// Pictures as PNG files in memory, by zlib alone, so that plots need no library of pictures. Internal to train/.
#pragma once

#include <string>

#include "../core/tensor.h"

namespace strata::train {

/// Pictures of any device as bytes on the CPU: floating point counts from 0 to 1, and what is outside or NaN becomes
/// the nearest of them or 0. Throws for other dtypes but uint8, with `user` in front.
Tensor picture_bytes(const Tensor& pictures, const char* user);

/// The file of `(H, W, C)` uint8 on the CPU: gray, gray with alpha, RGB or RGBA by the number of channels.
std::string png(const Tensor& pixels);

/// Several of one size, `(T, H, W, C)`, as an animated PNG file that begins again at its end. Browsers play it; what
/// does not know such files shows the first.
std::string animated_png(const Tensor& frames, double fps);

}  // namespace strata::train
