// Pictures from files and to them, and folders of pictures by class. Needs libjpeg, libpng and stb (Debian:
// libjpeg-dev, libpng-dev, libstb-dev) when Strata is built.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/tensor.h"
#include "dataset.h"

namespace strata::data {

/// How many channels a picture gets, whatever its file has.
enum class ImageMode { kUnchanged = 0, kGray = 1, kGrayAlpha = 2, kRGB = 3, kRGBA = 4 };

/// Can this build of Strata read and write pictures? Without their libraries the functions here throw.
bool has_images();
/// A JPEG, PNG, BMP, GIF (its first frame), PGM or PPM (binary) file as `(C, H, W)` uint8; of a PNG's 16 bits the
/// upper 8. JPEG files of inks (CMYK) are read as RGB. Throws for a file that is missing or damaged, or ends early.
Tensor read_image(const std::string& path, ImageMode mode = ImageMode::kRGB);
/// The same for the bytes of such a file, as they come over a network.
Tensor decode_image(std::string_view bytes, ImageMode mode = ImageMode::kRGB);
/// Writes `(C, H, W)` uint8 with one to four channels.
void write_png(const std::string& path, const Tensor& image);
/// The same, with losses and without alpha; the quality goes from 1 to 100.
void write_jpeg(const std::string& path, const Tensor& image, int quality = 75);

namespace datasets {

/// Pictures in one folder per class, `root/class/picture.jpg`, in the order of their names; classes are numbered in the
/// order of theirs.
class ImageFolder : public Dataset<ImageFolder> {
 public:
  /// Looks for the files without reading them. Throws when there is no class or no picture.
  explicit ImageFolder(const std::string& root, ImageMode mode = ImageMode::kRGB);

  /// `(C, H, W)` float32 from 0 to 1, and the class, 0-dim int64.
  Example<> get(size_t index) override;
  std::optional<size_t> size() const override { return samples_.size(); }
  const std::vector<std::string>& classes() const { return classes_; }
  std::map<std::string, int64_t> class_to_idx() const;
  /// Path and class of each picture.
  const std::vector<std::pair<std::string, int64_t>>& samples() const { return samples_; }

 private:
  std::vector<std::string> classes_;
  std::vector<std::pair<std::string, int64_t>> samples_;
  ImageMode mode_;
};

}  // namespace datasets

}  // namespace strata::data
