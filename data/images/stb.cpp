// What there is no usual library for, by stb. It reads JPEG, PNG and PNM files past the ends of its buffers where they
// are damaged, so none of that is compiled.
#include <algorithm>
#include <climits>
#include <cstdlib>
#include <memory>

#include "core/error.h"
#include "data/images/formats.h"
#include "ops/creation.h"

namespace {

/// The most bytes that stb may ask for at a time while it reads a file: headers claim what they like.
thread_local size_t most_bytes = 0;

/// Of zeros: what a damaged file leaves out is not what was there before.
void* limited_alloc(size_t bytes) { return bytes <= most_bytes ? std::calloc(1, bytes) : nullptr; }
void* limited_realloc(void* old, size_t bytes) { return bytes <= most_bytes ? std::realloc(old, bytes) : nullptr; }

}  // namespace

#define STBI_MALLOC(bytes) limited_alloc(bytes)
#define STBI_REALLOC(old, bytes) limited_realloc(old, bytes)
#define STBI_FREE(old) std::free(old)
#define STBI_MAX_DIMENSIONS (1 << 16)
#define STBI_ONLY_BMP
#define STBI_ONLY_GIF
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>

namespace strata::data::images {

Tensor decode_by_stb(const std::string& where, std::string_view bytes) {
  STRATA_CHECK(bytes.size() <= INT_MAX, "{} is too large, it has {} bytes", where, bytes.size());
  const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
  const int size = static_cast<int>(bytes.size());
  int width = 0, height = 0, channels = 0;
  most_bytes = 1 << 20;
  STRATA_CHECK(stbi_info_from_memory(data, size, &width, &height, &channels), "{}: {}", where, stbi_failure_reason());
  check_size(where, bytes.size(), width, height);
  most_bytes = static_cast<size_t>(width) * static_cast<size_t>(height) * 4 + (1 << 20);  // and stb's own tables
  const std::unique_ptr<stbi_uc, void (*)(void*)> read(stbi_load_from_memory(data, size, &width, &height, &channels, 0),
                                                       stbi_image_free);
  STRATA_CHECK(read != nullptr, "{}: {}", where, stbi_failure_reason());
  Tensor pixels = empty({height, width, channels}, kUInt8);
  std::copy_n(read.get(), pixels.numel(), pixels.data_ptr<uint8_t>());
  return pixels;
}

}  // namespace strata::data::images
