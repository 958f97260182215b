// Reading and writing pictures by the library that knows their formats, and finding those of a folder.
#include "data/image.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "core/called.h"
#include "core/component.h"
#include "core/error.h"
#include "data/image_codec.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/file.h"
#include "ops/shaping.h"
#include "ops/view.h"

namespace strata::data {
namespace {

const ImageCodec& codec([[maybe_unused]] const char* function) {
#ifdef STRATA_HAS_IMAGES_INSIDE
  return *strata_images_entry();
#else
  static const auto entry = [&] {
    try {
      return reinterpret_cast<decltype(&strata_images_entry)>(
          strata::detail::load_component(function, "libstrata_images.so", "strata_images_entry"));
    } catch (const Error& e) {
      STRATA_THROW(
          "{}; it is built where libjpeg, libpng and stb are found (Debian: libjpeg-dev, libpng-dev, libstb-dev)",
          e.what());
    }
  }();
  return *entry();
#endif
}

Tensor channels_first(const Tensor& pixels) { return pixels.permute({2, 0, 1}).contiguous(); }

}  // namespace

bool has_images() {
  try {
    codec("has_images");
    return true;
  } catch (const Error&) {
    return false;
  }
}

Tensor read_image(const std::string& path, ImageMode mode) {
  const Called called;
  const ImageCodec& by = codec("read_image");
  serialize::FileSource file(path);
  std::string bytes(file.size(), '\0');
  file.read(0, bytes.data(), bytes.size());
  return channels_first(by.decode("read_image: " + path, bytes, mode));
}

Tensor decode_image(std::string_view bytes, ImageMode mode) {
  return channels_first(codec("decode_image").decode("decode_image: the picture", bytes, mode));
}

namespace {

/// Writes what encode(where, pixels) makes of a picture with the channels of a pixel together.
template <class Encode>
void write_image(const char* function, const std::string& path, const Tensor& image, Encode encode) {
  STRATA_CHECK(
      image.dim() == 3 && image.size(0) >= 1 && image.size(0) <= 4 && image.numel() > 0 && image.dtype() == kUInt8,
      "{}: a picture is (1 to 4, H, W) of uint8, got {} of {}", function, image.sizes(), name(image.dtype()));
  const std::string bytes = encode(fmt::format("{}: {}", function, path), image.cpu().permute({1, 2, 0}).contiguous());
  const serialize::File file(path, O_WRONLY | O_CREAT | O_TRUNC);
  STRATA_CHECK(file.is_open(), "{}: cannot write {}: {}", function, path, serialize::system_error());
  serialize::FileSink(file, path).write(bytes.data(), bytes.size());
}

}  // namespace

void write_png(const std::string& path, const Tensor& image) {
  write_image("write_png", path, image,
              [](const std::string& where, const Tensor& pixels) { return codec("write_png").png(where, pixels); });
}

void write_jpeg(const std::string& path, const Tensor& image, int quality) {
  STRATA_CHECK(quality >= 1 && quality <= 100, "write_jpeg: the quality must be from 1 to 100, got {}", quality);
  write_image("write_jpeg", path, image, [&](const std::string& where, const Tensor& pixels) {
    return codec("write_jpeg").jpeg(where, pixels, quality);
  });
}

namespace datasets {
namespace {

bool is_picture(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  constexpr std::array<const char*, 8> kEndings = {".jpg", ".jpeg", ".png", ".bmp", ".gif", ".ppm", ".pgm", ".pnm"};
  return std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end();
}

}  // namespace

ImageFolder::ImageFolder(const std::string& root, ImageMode mode) : mode_(mode) {
  namespace fs = std::filesystem;
  STRATA_CHECK(fs::is_directory(root), "ImageFolder: {} is no folder", root);
  for (const fs::directory_entry& entry : fs::directory_iterator(root))
    if (entry.is_directory()) classes_.push_back(entry.path().filename().string());
  std::sort(classes_.begin(), classes_.end());
  for (size_t i = 0; i < classes_.size(); ++i)
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(fs::path(root) / classes_[i]))
      if (entry.is_regular_file() && is_picture(entry.path()))
        samples_.emplace_back(entry.path().string(), static_cast<int64_t>(i));
  std::sort(samples_.begin(), samples_.end(),
            [](const auto& a, const auto& b) { return std::tie(a.second, a.first) < std::tie(b.second, b.first); });
  STRATA_CHECK(!samples_.empty(), "ImageFolder: {} has no folder with pictures", root);
}

Example<> ImageFolder::get(size_t index) {
  STRATA_CHECK(index < samples_.size(), "ImageFolder: there is no picture {} among {}", index, samples_.size());
  const auto& [path, label] = samples_[index];
  return {read_image(path, mode_).to(kFloat).div(255), tensor(label, kInt64)};
}

std::map<std::string, int64_t> ImageFolder::class_to_idx() const {
  std::map<std::string, int64_t> out;
  for (const std::string& name : classes_) out.emplace(name, static_cast<int64_t>(out.size()));
  return out;
}

}  // namespace datasets
}  // namespace strata::data
