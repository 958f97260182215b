// Reads IDX files, the format of MNIST and its relatives, gzip-compressed or not.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace strata::data::idx {

/// An array of unsigned bytes in row-major order.
struct Array {
  std::vector<int64_t> dims;
  std::vector<uint8_t> bytes;
};

/// No file may unpack to more than this, whatever its header says.
inline constexpr uint64_t kMaxBytes = uint64_t{1} << 30;

/// Reads the IDX file at `path`, which is gzip when its name ends in `.gz` or it starts like gzip.
/// Throws `strata::Error` when the file is truncated, has trailing data, holds something else than
/// unsigned bytes of `rank` dimensions, or unpacks to more than `max_bytes`.
Array read(const std::string& path, int64_t rank, uint64_t max_bytes = kMaxBytes);

/// The same for a file already in memory; `name` stands for the path in errors.
Array parse(std::string_view contents, const std::string& name, int64_t rank, uint64_t max_bytes = kMaxBytes);

}  // namespace strata::data::idx
