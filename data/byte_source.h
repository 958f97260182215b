// A stream of bytes out of a file or memory, inflated on the way when it is gzip.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace strata::data {

/// A stream of bytes that knows how much it can still give at most.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills up to `count` bytes and returns how many; fewer than asked only at the end.
  virtual size_t read(uint8_t* out, size_t count) = 0;
  /// An upper bound of the bytes that remain; exact unless the stream is compressed.
  virtual uint64_t remaining_at_most() const = 0;
};

/// Opens the regular file at `path`; the name `.gz` demands gzip, and its first bytes are believed otherwise.
std::unique_ptr<ByteSource> open_file(const std::string& path);

/// The same over `contents`, which must outlive the source; `name` stands for the path in errors.
std::unique_ptr<ByteSource> open_memory(std::string_view contents, const std::string& name);

}  // namespace strata::data
