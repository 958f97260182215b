// The IDX format: two zero bytes, an element type, a rank, big-endian sizes, then the elements.
// Every size is checked against what the file can hold before anything is allocated for it.
#include "data/idx.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/error.h"
#include "data/byte_source.h"

namespace strata::data::idx {
namespace {

constexpr uint8_t kUnsignedByte = 0x08;
constexpr uint8_t kMaxRank = 8;

std::string_view type_name(uint8_t type) {
  switch (type) {
    case 0x09:
      return "int8";
    case 0x0B:
      return "int16";
    case 0x0C:
      return "int32";
    case 0x0D:
      return "float32";
    case 0x0E:
      return "float64";
    default:
      return "unknown";
  }
}

void read_magic(ByteSource& source, const std::string& name, int64_t rank) {
  std::array<uint8_t, 4> magic{};
  STRATA_CHECK(source.read(magic.data(), magic.size()) == magic.size(), "{}: truncated IDX header", name);
  STRATA_CHECK(magic[0] == 0 && magic[1] == 0, "{}: not an IDX file (it starts with {}, not 0x0000)", name,
               fmt::format("0x{:02x}{:02x}", magic[0], magic[1]));
  STRATA_CHECK(magic[2] == kUnsignedByte, "{}: elements of type {} where unsigned bytes (0x08) are expected", name,
               fmt::format("0x{:02x} ({})", magic[2], type_name(magic[2])));
  STRATA_CHECK(magic[3] >= 1 && magic[3] <= kMaxRank, "{}: {} dimensions in the IDX header, 1 to {} are allowed", name,
               magic[3], kMaxRank);
  STRATA_CHECK(magic[3] == rank, "{}: {} dimensions where {} are expected (images have 3, labels 1)", name, magic[3],
               rank);
}

std::vector<int64_t> read_dims(ByteSource& source, const std::string& name, int64_t rank) {
  std::vector<int64_t> dims;
  for (int64_t i = 0; i < rank; ++i) {
    std::array<uint8_t, 4> b{};
    STRATA_CHECK(source.read(b.data(), b.size()) == b.size(), "{}: truncated IDX header", name);
    dims.push_back(int64_t{b[0]} << 24 | int64_t{b[1]} << 16 | int64_t{b[2]} << 8 | int64_t{b[3]});
  }
  return dims;
}

/// The number of elements, at most `max_bytes`.
uint64_t element_count(const std::vector<int64_t>& dims, const std::string& name, uint64_t max_bytes) {
  if (std::find(dims.begin(), dims.end(), 0) != dims.end()) return 0;
  uint64_t count = 1;
  for (const int64_t dim : dims) {
    const auto size = static_cast<uint64_t>(dim);
    STRATA_CHECK(size <= max_bytes / count, "{}: the IDX header asks for more than the {} bytes allowed", name,
                 max_bytes);
    count *= size;
  }
  return count;
}

/// Reads `count` bytes, growing the buffer only as data really arrives.
std::vector<uint8_t> read_elements(ByteSource& source, const std::string& name, uint64_t count) {
  constexpr uint64_t kFirstStep = uint64_t{1} << 16;
  std::vector<uint8_t> bytes;
  while (bytes.size() < count) {
    const size_t old_size = bytes.size();
    const size_t step = static_cast<size_t>(std::min(count - old_size, std::max<uint64_t>(kFirstStep, old_size)));
    bytes.resize(old_size + step);
    const size_t got = source.read(bytes.data() + old_size, step);
    STRATA_CHECK(got == step, "{}: truncated: the IDX header promises {} bytes of data, {} are there", name, count,
                 old_size + got);
  }
  return bytes;
}

Array read_from(ByteSource& source, const std::string& name, int64_t rank, uint64_t max_bytes) {
  read_magic(source, name, rank);
  Array array;
  array.dims = read_dims(source, name, rank);
  const uint64_t count = element_count(array.dims, name, max_bytes);
  STRATA_CHECK(count <= source.remaining_at_most(),
               "{}: truncated: the IDX header promises {} bytes of data, the file holds at most {}", name, count,
               source.remaining_at_most());
  array.bytes = read_elements(source, name, count);
  uint8_t extra = 0;
  STRATA_CHECK(source.read(&extra, 1) == 0, "{}: trailing data after the {} bytes that the IDX header promises", name,
               count);
  return array;
}

}  // namespace

Array read(const std::string& path, int64_t rank, uint64_t max_bytes) {
  return read_from(*open_file(path), path, rank, max_bytes);
}

Array parse(std::string_view contents, const std::string& name, int64_t rank, uint64_t max_bytes) {
  return read_from(*open_memory(contents, name), name, rank, max_bytes);
}

}  // namespace strata::data::idx
