// Reads zip archives (APPNOTE.TXT, with zip64), believing no size before it was compared with the file's; writes them.
#include "ops/zip.h"

#include <zlib.h>

#include <algorithm>

#include "core/error.h"
#include "ops/file_layout.h"

namespace strata::serialize {

namespace {

constexpr uint32_t kLocal = 0x04034b50, kCentral = 0x02014b50, kEnd = 0x06054b50, kEnd64 = 0x06064b50,
                   kLocator64 = 0x07064b50;
constexpr uint64_t kLocalBytes = 30, kCentralBytes = 46, kEndBytes = 22, kEnd64Bytes = 56, kLocatorBytes = 20;
constexpr uint64_t kMax16 = 0xffff, kMax32 = 0xffffffff;
constexpr uint64_t kMostUnpacked = 1032;  ///< bytes that deflate makes of one, at most
constexpr uint64_t kAlignment = 64;
constexpr uint16_t kZip64Extra = 1, kPadding = 0x4246;

/// Little-endian numbers out of a piece of the file, which messages call `name`.
class Fields {
 public:
  Fields(const std::string& bytes, const std::string& name, size_t at = 0) : bytes_(bytes), name_(name), at_(at) {}
  uint64_t next(size_t width) {
    skip(width);
    return little_endian(bytes_.data() + at_ - width, width);
  }
  void skip(size_t n) {
    STRATA_CHECK(n <= left(), "load: {} is corrupt: a header of the zip archive is cut off", name_);
    at_ += n;
  }
  std::string text(size_t n) {
    skip(n);
    return bytes_.substr(at_ - n, n);
  }
  size_t left() const { return bytes_.size() - at_; }

 private:
  const std::string& bytes_;
  const std::string& name_;
  size_t at_;
};

std::string piece(Source& source, uint64_t begin, uint64_t bytes) {
  STRATA_CHECK(begin <= source.size() && bytes <= source.size() - begin,
               "load: {} is truncated: bytes {} to {} of {} are missing", source.name(), begin, begin + bytes,
               source.size());
  std::string out(bytes, '\0');
  source.read(begin, out.data(), bytes);
  return out;
}

uint32_t sum_of(const char* data, uint64_t bytes) {
  return static_cast<uint32_t>(::crc32_z(0, reinterpret_cast<const Bytef*>(data), bytes));
}

/// Where the end record starts; a comment may follow it.
uint64_t find_end(Source& source) {
  STRATA_CHECK(source.size() >= kEndBytes, "load: {} is no zip archive: it has {} bytes", source.name(), source.size());
  const uint64_t tail = std::min(source.size(), kEndBytes + kMax16);
  const std::string text = piece(source, source.size() - tail, tail);
  for (uint64_t at = tail - kEndBytes + 1; at-- > 0;)
    if (Fields(text, source.name(), at).next(4) == kEnd) return source.size() - tail + at;
  STRATA_THROW("load: {} is truncated or no zip archive: its table of contents is missing", source.name());
}

/// Replaces what is too large for 32 bits by the 64 bits of the extra field.
void take_zip64(const std::string& extra, const std::string& name, ZipRecord& r) {
  Fields fields(extra, name);
  while (fields.left() >= 4) {
    const uint64_t id = fields.next(2), bytes = fields.next(2);
    const std::string data = fields.text(bytes);
    if (id != kZip64Extra) continue;
    Fields wide(data, name);
    for (uint64_t* field : {&r.size, &r.packed, &r.header})
      if (*field == kMax32) *field = wide.next(8);
  }
}

void inflate_all(const std::string& packed, char* to, uint64_t size, const std::string& what) {
  z_stream stream = {};
  STRATA_CHECK(::inflateInit2(&stream, -MAX_WBITS) == Z_OK, "load: {}: cannot start zlib", what);
  struct End {
    z_stream& s;
    ~End() { ::inflateEnd(&s); }
  } end{stream};
  uint64_t read = 0, written = 0;
  int status = Z_OK;
  while (status == Z_OK) {
    const auto in = static_cast<uInt>(std::min<uint64_t>(packed.size() - read, 1u << 30));
    const auto out = static_cast<uInt>(std::min<uint64_t>(size - written, 1u << 30));
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + read));
    stream.next_out = reinterpret_cast<Bytef*>(to + written);
    stream.avail_in = in;
    stream.avail_out = out;
    status = ::inflate(&stream, Z_NO_FLUSH);
    read += in - stream.avail_in;
    written += out - stream.avail_out;
  }
  STRATA_CHECK(status == Z_STREAM_END && written == size, "load: {} is corrupt: it cannot be unpacked", what);
}

uint64_t low(uint64_t value) { return std::min(value, kMax32); }

/// What stands in both headers: version, flags (names are UTF-8), method, the date 1980-01-01, sum and sizes.
void put_common(std::string& out, const ZipRecord& r, size_t extra) {
  for (const uint64_t v : {45u, 0x800u, 0u, 0u, 0x21u}) put_number(out, v, 2);
  for (const uint64_t v : {uint64_t{r.crc}, low(r.packed), low(r.size)}) put_number(out, v, 4);
  put_number(out, r.name.size(), 2);
  put_number(out, extra, 2);
}

/// The sizes that 32 bits do not hold, and of a table of contents the place.
std::string zip64_of(const ZipRecord& r, bool has_place) {
  std::string wide;
  if (r.size >= kMax32)
    for (const uint64_t v : {r.size, r.packed}) put_number(wide, v, 8);
  if (has_place && r.header >= kMax32) put_number(wide, r.header, 8);
  std::string out;
  if (wide.empty()) return out;
  put_number(out, kZip64Extra, 2);
  put_number(out, wide.size(), 2);
  return out + wide;
}

}  // namespace

bool is_zip(Source& source) { return source.size() >= 4 && piece(source, 0, 4) == "PK\3\4"; }

ZipReader::ZipReader(Source& source) : source_(source) {
  const uint64_t end = find_end(source);
  const std::string text = piece(source, end, kEndBytes);
  Fields fields(text, source_.name(), 10);
  uint64_t count = fields.next(2), bytes = fields.next(4), begin = fields.next(4);
  if (end >= kLocatorBytes) {
    const std::string locator = piece(source, end - kLocatorBytes, kLocatorBytes);
    if (Fields(locator, source_.name()).next(4) == kLocator64) {
      const std::string wide = piece(source, Fields(locator, source_.name(), 8).next(8), kEnd64Bytes);
      STRATA_CHECK(Fields(wide, source_.name()).next(4) == kEnd64, "load: {} is corrupt: its zip64 record is missing",
                   source.name());
      Fields end64(wide, source_.name(), 32);
      count = end64.next(8);
      bytes = end64.next(8);
      begin = end64.next(8);
    }
  }
  read_directory(begin, bytes, count);
}

void ZipReader::read_directory(uint64_t begin, uint64_t bytes, uint64_t count) {
  const std::string text = piece(source_, begin, bytes);
  STRATA_CHECK(count <= bytes / kCentralBytes, "load: {} is corrupt: {} records in {} bytes of contents",
               source_.name(), count, bytes);
  Fields fields(text, source_.name());
  uint64_t packed = 0;  // of all records: those that lie over each other would unpack to the square of the file
  for (uint64_t i = 0; i < count; ++i) {
    ZipRecord r;
    STRATA_CHECK(fields.next(4) == kCentral, "load: {} is corrupt: record {} of its contents is none", source_.name(),
                 i);
    fields.skip(4);
    const uint64_t flags = fields.next(2), method = fields.next(2);
    fields.skip(4);
    r.crc = static_cast<uint32_t>(fields.next(4));
    r.packed = fields.next(4);
    r.size = fields.next(4);
    const uint64_t name = fields.next(2), extra = fields.next(2), comment = fields.next(2);
    fields.skip(8);
    r.header = fields.next(4);
    r.name = fields.text(name);
    take_zip64(fields.text(extra), source_.name(), r);
    fields.skip(comment);
    STRATA_CHECK((method == 0 || method == 8) && (flags & 1) == 0,
                 "load: {}: record '{}' is encrypted or packed in a way other than deflate", source_.name(), r.name);
    r.deflated = method == 8;
    const bool fits =
        r.packed <= source_.size() - packed && (r.deflated ? r.size / kMostUnpacked <= r.packed : r.size == r.packed);
    STRATA_CHECK(fits, "load: {} is corrupt: record '{}' has {} bytes, packed {}, in a file of {}", source_.name(),
                 r.name, r.size, r.packed, source_.size());
    packed += r.packed;
    STRATA_CHECK(by_name_.emplace(r.name, records_.size()).second, "load: {} is corrupt: it has '{}' twice",
                 source_.name(), r.name);
    records_.push_back(std::move(r));
  }
}

const ZipRecord* ZipReader::find(const std::string& name) const {
  const auto at = by_name_.find(name);
  return at == by_name_.end() ? nullptr : &records_[at->second];
}

uint64_t ZipReader::data_begin(const ZipRecord& record) {
  const std::string header = piece(source_, record.header, kLocalBytes);
  STRATA_CHECK(Fields(header, source_.name()).next(4) == kLocal,
               "load: {} is corrupt: record '{}' does not begin at byte {}", source_.name(), record.name,
               record.header);
  Fields lengths(header, source_.name(), 26);
  const uint64_t name = lengths.next(2), extra = lengths.next(2);
  return record.header + kLocalBytes + name + extra;
}

void ZipReader::read(const ZipRecord& record, char* to) {
  const uint64_t begin = data_begin(record);
  const std::string what = source_.name() + ": record '" + record.name + "'";
  STRATA_CHECK(begin <= source_.size() && record.packed <= source_.size() - begin, "load: {} is truncated", what);
  if (record.deflated)
    inflate_all(piece(source_, begin, record.packed), to, record.size, what);
  else
    source_.read(begin, to, record.size);
  // Writers may leave the sum out, as torch.serialization.set_crc32_options(False) does.
  STRATA_CHECK(record.crc == 0 || sum_of(to, record.size) == record.crc,
               "load: {} is corrupt: its bytes do not have the sum it names", what);
}

std::string ZipReader::read(const ZipRecord& record) {
  std::string out(record.size, '\0');
  read(record, out.data());
  return out;
}

void ZipWriter::write(const std::string& bytes) {
  sink_.write(bytes.data(), bytes.size());
  position_ += bytes.size();
}

void ZipWriter::add(const std::string& name, const char* data, uint64_t bytes) {
  STRATA_CHECK(name.size() <= kMax16, "save: a zip archive has names of at most {} bytes, one has {}: '{}...'", kMax16,
               name.size(), name.substr(0, 40));
  ZipRecord r;
  r.name = name;
  r.size = r.packed = bytes;
  r.header = position_;
  r.crc = sum_of(data, bytes);
  std::string extra = zip64_of(r, false);
  const uint64_t unpadded = position_ + kLocalBytes + name.size() + extra.size() + 4;
  const uint64_t padding = (kAlignment - unpadded % kAlignment) % kAlignment;
  put_number(extra, kPadding, 2);
  put_number(extra, padding, 2);
  extra.append(padding, 'Z');
  std::string header;
  put_number(header, kLocal, 4);
  put_common(header, r, extra.size());
  write(header + name + extra);
  if (bytes > 0) sink_.write(data, bytes);
  position_ += bytes;
  records_.push_back(std::move(r));
}

void ZipWriter::finish() {
  const uint64_t begin = position_;
  for (const ZipRecord& r : records_) {
    const std::string extra = zip64_of(r, true);
    std::string header;
    put_number(header, kCentral, 4);
    put_number(header, 45, 2);
    put_common(header, r, extra.size());
    header.append(10, '\0');  // neither comment nor attributes, on disk 0
    put_number(header, low(r.header), 4);
    write(header + r.name + extra);
  }
  const uint64_t bytes = position_ - begin, count = records_.size();
  std::string end;
  if (count >= kMax16 || begin + bytes >= kMax32) {
    put_number(end, kEnd64, 4);
    put_number(end, kEnd64Bytes - 12, 8);
    for (const uint64_t v : {45u, 45u}) put_number(end, v, 2);
    put_number(end, 0, 8);
    for (const uint64_t v : {count, count, bytes, begin}) put_number(end, v, 8);
    put_number(end, kLocator64, 4);
    put_number(end, 0, 4);
    put_number(end, begin + bytes, 8);
    put_number(end, 1, 4);
  }
  put_number(end, kEnd, 4);
  put_number(end, 0, 4);
  for (int i = 0; i < 2; ++i) put_number(end, std::min(count, kMax16), 2);
  put_number(end, low(bytes), 4);
  put_number(end, low(begin), 4);
  put_number(end, 0, 2);
  write(end);
}

}  // namespace strata::serialize
