// PNG by libpng. Files are read by its long interface: the simplified one converts what they say of gamma.
#include <png.h>

#include <array>
#include <csetjmp>
#include <cstring>
#include <vector>

#include "core/error.h"
#include "data/images/formats.h"
#include "ops/creation.h"

namespace strata::data::images {
namespace {

struct Reader {
  explicit Reader(std::string_view bytes) : left(bytes) {
    png = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, fail, [](png_structp, png_const_charp) {});
    info = png ? png_create_info_struct(png) : nullptr;
    STRATA_CHECK(info, "libpng has no memory, or is another version than the one that Strata was built with");
  }
  ~Reader() { png_destroy_read_struct(&png, &info, nullptr); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  [[noreturn]] static void fail(png_structp png, png_const_charp text) {
    auto& self = *static_cast<Reader*>(png_get_error_ptr(png));
    std::strncpy(self.text.data(), text, self.text.size() - 1);
    std::longjmp(self.back, 1);
  }
  static void give(png_structp png, png_bytep to, size_t size) {
    auto& self = *static_cast<Reader*>(png_get_io_ptr(png));
    if (size > self.left.size()) png_error(png, "the file ends in the middle of its picture");
    std::memcpy(to, self.left.data(), size);
    self.left.remove_prefix(size);
  }

  std::string_view left;
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::jmp_buf back;
  std::array<char, 200> text = {};
};

/// Runs `step`, calls of libpng's with no object to destroy among them, and throws what it finds wrong.
template <class Step>
void run(const std::string& where, Reader& reader, const Step& step) {
  // NOLINTNEXTLINE(cert-err52-cpp): it is how libpng's calls end early.
  if (setjmp(reader.back) != 0) STRATA_THROW("{}: {}", where, reader.text.data());
  step();
}

/// Reads up to the pixels, and asks for 8 bits and no palette.
void begin(Reader& r) {
  png_set_read_fn(r.png, &r, Reader::give);
  png_set_keep_unknown_chunks(r.png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);  // text, profiles: not unpacked
  png_set_user_limits(r.png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);             // check_size says what is too large
  png_read_info(r.png, r.info);
  png_set_expand(r.png);
  png_set_strip_16(r.png);
  png_set_interlace_handling(r.png);
  png_read_update_info(r.png, r.info);
}

}  // namespace

bool is_png(std::string_view bytes) { return bytes.starts_with("\x89PNG\r\n\x1a\n"); }

Tensor decode_png(const std::string& where, std::string_view bytes) {
  Reader reader(bytes);
  run(where, reader, [&] { begin(reader); });
  const int64_t width = png_get_image_width(reader.png, reader.info);
  const int64_t height = png_get_image_height(reader.png, reader.info);
  check_size(where, bytes.size(), width, height);
  const int64_t channels = png_get_channels(reader.png, reader.info);
  STRATA_CHECK(png_get_rowbytes(reader.png, reader.info) == static_cast<size_t>(width * channels),
               "{}: libpng gives rows of {} bytes for {} pixels of {} channels", where,
               png_get_rowbytes(reader.png, reader.info), width, channels);
  const Tensor pixels = empty({height, width, channels}, kUInt8);
  std::vector<png_bytep> rows;
  for (int64_t y = 0; y < height; ++y) rows.push_back(pixels.data_ptr<uint8_t>() + y * width * channels);
  run(where, reader, [&] { png_read_image(reader.png, rows.data()); });
  return pixels;
}

std::string encode_png(const std::string& where, const Tensor& pixels) {
  constexpr std::array<png_uint_32, 4> kFormats = {PNG_FORMAT_GRAY, PNG_FORMAT_GA, PNG_FORMAT_RGB, PNG_FORMAT_RGBA};
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  image.height = static_cast<png_uint_32>(pixels.size(0));
  image.width = static_cast<png_uint_32>(pixels.size(1));
  image.format = kFormats.at(static_cast<size_t>(pixels.size(2) - 1));
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string bytes(size, '\0');
  const bool written =
      png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels.data_ptr<uint8_t>(), 0, nullptr) != 0;
  STRATA_CHECK(written, "{}: {}", where, std::string(image.message));
  bytes.resize(size);
  return bytes;
}

}  // namespace strata::data::images
