// Reading and writing pictures by stb, and finding those of a folder.
#include "data/image.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "core/error.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/file.h"
#include "ops/shaping.h"
#include "ops/view.h"

#ifdef STRATA_HAS_STB
namespace {

/// The most bytes that stb may ask for at a time while it reads a file: headers claim what they like.
thread_local size_t most_bytes = 0;

void* limited_realloc(void* old, size_t bytes) { return bytes <= most_bytes ? std::realloc(old, bytes) : nullptr; }

}  // namespace

#define STBI_MALLOC(bytes) limited_realloc(nullptr, bytes)
#define STBI_REALLOC(old, bytes) limited_realloc(old, bytes)
#define STBI_FREE(old) std::free(old)
#define STBI_MAX_DIMENSIONS (1 << 16)
// Of what stb reads, these are the formats that image.h names.
#define STBI_ONLY_JPEG
#define STBI_ONLY_PNG
#define STBI_ONLY_BMP
#define STBI_ONLY_GIF
#define STBI_ONLY_PNM
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>
#endif

namespace strata::data {

#ifdef STRATA_HAS_STB

bool has_images() { return true; }

namespace {

/// The most pixels that a byte of a file can stand for: PNG's compression gives 1032 bytes for one, of 8 pixels each.
constexpr int64_t kMostPixelsOfByte = 1032 * 8;

/// The picture in `bytes`. What its header claims is believed, and memory taken for it, only as far as so many bytes
/// can hold a picture of that size.
Tensor decoded(const char* function, const std::string& name, std::string_view bytes, ImageMode mode) {
  STRATA_CHECK(bytes.size() <= INT_MAX, "{}: {} is too large, it has {} bytes", function, name, bytes.size());
  const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
  const int size = static_cast<int>(bytes.size());
  int width = 0, height = 0, channels = 0;
  most_bytes = 1 << 20;
  STRATA_CHECK(stbi_info_from_memory(data, size, &width, &height, &channels), "{}: {}: {}", function, name,
               stbi_failure_reason());
  STRATA_CHECK(int64_t{width} * height <= kMostPixelsOfByte * size,
               "{}: {} is damaged: {} bytes cannot hold a picture of {}x{}", function, name, size, width, height);
  most_bytes = static_cast<size_t>(kMostPixelsOfByte * size) * 4 + (1 << 20);  // four channels, and stb's own tables
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
      stbi_load_from_memory(data, size, &width, &height, &channels, static_cast<int>(mode)), stbi_image_free);
  STRATA_CHECK(pixels != nullptr, "{}: {}: {}", function, name, stbi_failure_reason());
  if (mode != ImageMode::kUnchanged) channels = static_cast<int>(mode);
  Tensor image = empty({height, width, channels}, kUInt8);
  std::copy_n(pixels.get(), image.numel(), image.data_ptr<uint8_t>());
  return image.permute({2, 0, 1}).contiguous();
}

}  // namespace

Tensor read_image(const std::string& path, ImageMode mode) {
  serialize::FileSource file(path);
  std::string bytes(file.size(), '\0');
  file.read(0, bytes.data(), bytes.size());
  return decoded("read_image", path, bytes, mode);
}

Tensor decode_image(std::string_view bytes, ImageMode mode) {
  return decoded("decode_image", "the picture", bytes, mode);
}

namespace {

/// write(width, height, channels, pixels) with the pixels of a row together.
template <class Write>
void write_image(const char* function, const std::string& path, const Tensor& image, Write write) {
  STRATA_CHECK(
      image.dim() == 3 && image.size(0) >= 1 && image.size(0) <= 4 && image.numel() > 0 && image.dtype() == kUInt8,
      "{}: a picture is (1 to 4, H, W) of uint8, got {} of {}", function, image.sizes(), name(image.dtype()));
  const Tensor pixels = image.cpu().permute({1, 2, 0}).contiguous();
  const auto number = [&](int64_t dim) { return static_cast<int>(image.size(dim)); };
  STRATA_CHECK(write(number(2), number(1), number(0), pixels.data_ptr<uint8_t>()) != 0, "{}: cannot write {}", function,
               path);
}

}  // namespace

void write_png(const std::string& path, const Tensor& image) {
  write_image("write_png", path, image, [&](int width, int height, int channels, const uint8_t* pixels) {
    return stbi_write_png(path.c_str(), width, height, channels, pixels, width * channels);
  });
}

void write_jpeg(const std::string& path, const Tensor& image, int quality) {
  STRATA_CHECK(quality >= 1 && quality <= 100, "write_jpeg: the quality must be from 1 to 100, got {}", quality);
  write_image("write_jpeg", path, image, [&](int width, int height, int channels, const uint8_t* pixels) {
    return stbi_write_jpg(path.c_str(), width, height, channels, pixels, quality);
  });
}

#else

namespace {
[[noreturn]] void refuse(const char* function) {
  STRATA_THROW("{}: this build of Strata has no pictures: install stb (Debian: libstb-dev) and build again", function);
}
}  // namespace

bool has_images() { return false; }
Tensor read_image(const std::string&, ImageMode) { refuse("read_image"); }
Tensor decode_image(std::string_view, ImageMode) { refuse("decode_image"); }
void write_png(const std::string&, const Tensor&) { refuse("write_png"); }
void write_jpeg(const std::string&, const Tensor&, int) { refuse("write_jpeg"); }

#endif

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
