// What libstrata_images.so does for libstrata, which knows no format of pictures. Internal to data/.
#pragma once
#include <string>
#include <string_view>

#include "../core/tensor.h"
#include "image.h"

namespace strata::data {

/// Pictures as the bytes of their files and as pixels, `(H, W, C)` uint8 on the CPU. What it throws begins with
/// `where`, the name of the function and of the file.
class ImageCodec {
 public:
  virtual Tensor decode(const std::string& where, std::string_view bytes, ImageMode mode) const = 0;
  virtual std::string png(const std::string& where, const Tensor& pixels) const = 0;
  /// Alpha is left out, which JPEG files do not have.
  virtual std::string jpeg(const std::string& where, const Tensor& pixels, int quality) const = 0;

 protected:
  ~ImageCodec() = default;
};

}  // namespace strata::data

/// What the library exports.
extern "C" const strata::data::ImageCodec* strata_images_entry();
