// JPEG by libjpeg(-turbo).
#include <array>
#include <csetjmp>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include <jpeglib.h>  // wants <cstdio> before it

#include <jerror.h>

#include "core/error.h"
#include "data/images/formats.h"
#include "ops/creation.h"

namespace strata::data::images {
namespace {

/// A block of 8x8 pixels takes at least a bit.
constexpr int64_t kMostPixelsOfByte = int64_t{8} * 64;
/// A progressive file may go over its picture again and again; usual ones do so ten times.
constexpr int kMostScans = 100;

/// What libjpeg calls where it finds something wrong.
struct Errors : jpeg_error_mgr {
  Errors() : jpeg_error_mgr() {
    jpeg_std_error(this);
    error_exit = [](j_common_ptr info) {
      auto& self = *static_cast<Errors*>(info->err);
      (*self.format_message)(info, self.text.data());
      std::longjmp(self.back, 1);
    };
    // Of the faults that libjpeg goes on after, the end of a file in the middle of its picture is no small one.
    emit_message = [](j_common_ptr info, int level) {
      if (level < 0 && info->err->msg_code == JWRN_JPEG_EOF) (*info->err->error_exit)(info);
    };
  }
  std::jmp_buf back;
  std::array<char, JMSG_LENGTH_MAX> text = {};
};

/// Runs `step`, calls of libjpeg's with no object to destroy among them, and throws what it finds wrong.
template <class Step>
void run(const std::string& where, Errors& errors, const Step& step) {
  // NOLINTNEXTLINE(cert-err52-cpp): it is how libjpeg's calls end early.
  if (setjmp(errors.back) != 0) STRATA_THROW("{}: {}", where, errors.text.data());
  step();
}

struct Decompressor : jpeg_decompress_struct {
  Decompressor() : jpeg_decompress_struct() {
    err = &errors;
    jpeg_create_decompress(this);
    watch.progress_monitor = [](j_common_ptr info) {
      if (reinterpret_cast<j_decompress_ptr>(info)->input_scan_number <= kMostScans) return;
      auto& errors = *static_cast<Errors*>(info->err);
      std::snprintf(errors.text.data(), errors.text.size(), "more than %d scans", kMostScans);
      std::longjmp(errors.back, 1);
    };
    progress = &watch;
  }
  ~Decompressor() { jpeg_destroy_decompress(this); }
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;

  Errors errors;
  jpeg_progress_mgr watch = {};
};

struct Compressor : jpeg_compress_struct {
  Compressor() : jpeg_compress_struct() {
    err = &errors;
    jpeg_create_compress(this);
  }
  ~Compressor() {
    jpeg_destroy_compress(this);
    std::free(bytes);
  }
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;

  Errors errors;
  unsigned char* bytes = nullptr;  // libjpeg's memory
  unsigned long size = 0;          // NOLINT(google-runtime-int): libjpeg's type
};

/// x * y / 255, rounded.
uint8_t product(int x, int y) { return static_cast<uint8_t>((2 * x * y + 255) / 510); }

/// The colours of inks, of which files by Adobe hold how little there is.
Tensor rgb_of_cmyk(const Tensor& inks, bool by_adobe) {
  Tensor out = empty({inks.size(0), inks.size(1), 3}, kUInt8);
  const uint8_t* from = inks.data_ptr<uint8_t>();
  uint8_t* to = out.data_ptr<uint8_t>();
  const auto light = [&](int ink) { return by_adobe ? ink : 255 - ink; };
  for (int64_t i = 0; i < out.numel() / 3; ++i, from += 4, to += 3)
    for (int64_t c = 0; c < 3; ++c) to[c] = product(light(from[c]), light(from[3]));
  return out;
}

/// In what libjpeg can give: inks cannot become RGB there.
J_COLOR_SPACE wanted_of(const std::string& where, const Decompressor& info, bool gray) {
  switch (info.jpeg_color_space) {
    case JCS_GRAYSCALE:
      return JCS_GRAYSCALE;
    case JCS_YCbCr:
      return gray ? JCS_GRAYSCALE : JCS_RGB;
    case JCS_RGB:
      return JCS_RGB;
    case JCS_CMYK:
    case JCS_YCCK:
      return JCS_CMYK;
    default:
      STRATA_THROW("{}: a JPEG file of {} channels of unknown meaning", where, info.num_components);
  }
}

}  // namespace

bool is_jpeg(std::string_view bytes) { return bytes.starts_with("\xff\xd8\xff"); }

Tensor decode_jpeg(const std::string& where, std::string_view bytes, bool gray) {
  Decompressor info;
  run(where, info.errors, [&] {
    jpeg_mem_src(&info, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    jpeg_read_header(&info, TRUE);
  });
  check_size(where, bytes.size(), info.image_width, info.image_height, kMostPixelsOfByte);
  info.out_color_space = wanted_of(where, info, gray);
  const int channels = info.out_color_space == JCS_GRAYSCALE ? 1 : info.out_color_space == JCS_RGB ? 3 : 4;
  const Tensor pixels = empty({info.image_height, info.image_width, channels}, kUInt8);
  uint8_t* const to = pixels.data_ptr<uint8_t>();
  run(where, info.errors, [&] {
    jpeg_start_decompress(&info);
    while (info.output_scanline < info.output_height) {
      JSAMPROW row = to + size_t{info.output_scanline} * info.output_width * static_cast<size_t>(channels);
      jpeg_read_scanlines(&info, &row, 1);
    }
  });
  return channels == 4 ? rgb_of_cmyk(pixels, info.saw_Adobe_marker) : pixels;
}

std::string encode_jpeg(const std::string& where, const Tensor& pixels, int quality) {
  Compressor info;
  const bool gray = pixels.size(2) == 1;
  auto* const from = pixels.data_ptr<uint8_t>();
  run(where, info.errors, [&] {
    jpeg_mem_dest(&info, &info.bytes, &info.size);
    info.image_height = static_cast<JDIMENSION>(pixels.size(0));
    info.image_width = static_cast<JDIMENSION>(pixels.size(1));
    info.input_components = gray ? 1 : 3;
    info.in_color_space = gray ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, quality, TRUE);
    jpeg_start_compress(&info, TRUE);
    while (info.next_scanline < info.image_height) {
      JSAMPROW row = from + size_t{info.next_scanline} * info.image_width * static_cast<size_t>(info.input_components);
      jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
  });
  return {reinterpret_cast<const char*>(info.bytes), info.size};
}

}  // namespace strata::data::images
