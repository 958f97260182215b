// Numbers and sizes as files have them. Internal to what saves and loads.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "../core/array_ref.h"
#include "../core/dtype.h"

namespace strata::serialize {

/// The unsigned number that `width` bytes, up to 8, make, the lowest first.
inline uint64_t little_endian(const char* from, size_t width) {
  uint64_t v = 0;
  for (size_t i = width; i-- > 0;) v = v << 8 | static_cast<unsigned char>(from[i]);
  return v;
}

/// Appends the lowest `width` bytes of a number, the lowest first.
inline void put_number(std::string& out, uint64_t value, size_t width) {
  for (size_t i = 0; i < width; ++i) out += static_cast<char>(value >> (8 * i));
}

/// The bytes of an array, or nothing where they, or those of the dims that are not empty, do not fit 63 bits. No size
/// is negative.
inline std::optional<uint64_t> bytes_of(DType dtype, IntArrayRef sizes) {
  auto bytes = static_cast<int64_t>(item_size(dtype));
  bool empty = false;
  for (const int64_t size : sizes) {
    empty = empty || size == 0;
    if (__builtin_mul_overflow(bytes, std::max<int64_t>(size, 1), &bytes)) return std::nullopt;
  }
  return empty ? 0 : static_cast<uint64_t>(bytes);
}

/// A bool that is neither 0 nor 1 has no meaning in C++, so what a file says of them is made one of these.
inline void make_bools(char* data, uint64_t bytes) {
  for (uint64_t i = 0; i < bytes; ++i) data[i] = data[i] != 0;
}

}  // namespace strata::serialize
