// Mapping a file of tokens and cutting examples from it.
#include "data/tokens.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>

#include <cstring>

#include "core/error.h"
#include "ops/creation.h"

namespace strata::data::datasets {
namespace {

size_t width_of(TokenType type) { return type == TokenType::kUInt8 ? 1 : type == TokenType::kUInt16 ? 2 : 4; }

/// The file's bytes and their number.
std::pair<std::shared_ptr<const void>, size_t> map_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  STRATA_CHECK(file >= 0, "TokenDataset: cannot open {}: {}", path, std::strerror(errno));
  struct stat info {};
  void* memory = MAP_FAILED;
  const bool known = ::fstat(file, &info) == 0 && info.st_size > 0;
  const auto size = static_cast<size_t>(known ? info.st_size : 0);
  if (known) memory = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0);
  ::close(file);
  STRATA_CHECK(memory != MAP_FAILED, "TokenDataset: {} is empty or cannot be mapped", path);
  return {std::shared_ptr<const void>(memory, [size](void* p) { ::munmap(p, size); }), size};
}

}  // namespace

TokenDataset::TokenDataset(const std::string& path, size_t length, TokenType type, size_t stride)
    : length_(length), stride_(stride == 0 ? length : stride), type_(type) {
  STRATA_CHECK(length > 0, "TokenDataset: the length of an example must not be 0");
  auto [memory, bytes] = map_file(path);
  const size_t width = width_of(type);
  STRATA_CHECK(bytes % width == 0, "TokenDataset: {} has {} bytes, no whole number of tokens of {}", path, bytes,
               width);
  memory_ = std::move(memory);
  tokens_ = bytes / width;
  STRATA_CHECK(tokens_ > length, "TokenDataset: {} has {} tokens, too few for an example of {} and the next one", path,
               tokens_, length);
}

uint32_t TokenDataset::token(size_t at) const {
  if (type_ == TokenType::kUInt8) return static_cast<const uint8_t*>(memory_.get())[at];
  if (type_ == TokenType::kUInt16) return static_cast<const uint16_t*>(memory_.get())[at];
  return static_cast<const uint32_t*>(memory_.get())[at];
}

Example<> TokenDataset::get(size_t index) {
  STRATA_CHECK(index < *size(), "TokenDataset: there is no example {} among {}", index, *size());
  const auto length = static_cast<int64_t>(length_);
  Tensor data = empty({length}, kInt64), target = empty({length}, kInt64);
  for (size_t i = 0; i < length_; ++i) {
    data.data_ptr<int64_t>()[i] = token(index * stride_ + i);
    target.data_ptr<int64_t>()[i] = token(index * stride_ + i + 1);
  }
  return {data, target};
}

}  // namespace strata::data::datasets
