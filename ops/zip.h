// Zip archives as far as .pt and .npz files need them: read in full or by record, written without compression.
// Internal to what saves and loads.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "safetensors.h"

namespace strata::serialize {

/// A file inside of a zip archive.
struct ZipRecord {
  std::string name;
  uint64_t packed = 0, size = 0;  ///< bytes in the archive and unpacked
  uint64_t header = 0;            ///< where the record's own header starts
  uint32_t crc = 0;
  bool deflated = false;
};

/// The records of an archive. Throws one Error for whatever is not one, or is damaged.
class ZipReader {
 public:
  explicit ZipReader(Source& source);
  const std::vector<ZipRecord>& records() const { return records_; }
  /// Null when there is none of that name.
  const ZipRecord* find(const std::string& name) const;
  /// Unpacks a record into `to`, which has room for `record.size` bytes, and checks its sum.
  void read(const ZipRecord& record, char* to);
  std::string read(const ZipRecord& record);
  const std::string& source_name() const { return source_.name(); }

 private:
  void read_directory(uint64_t begin, uint64_t bytes, uint64_t count);
  uint64_t data_begin(const ZipRecord& record);

  Source& source_;
  std::vector<ZipRecord> records_;
  std::unordered_map<std::string, size_t> by_name_;
};

/// Writes records one after the other, the data of each at a multiple of 64 bytes.
class ZipWriter {
 public:
  explicit ZipWriter(Sink& sink) : sink_(sink) {}
  void add(const std::string& name, const char* data, uint64_t bytes);
  void add(const std::string& name, const std::string& data) { add(name, data.data(), data.size()); }
  /// Writes the table of contents; nothing may follow.
  void finish();

 private:
  void write(const std::string& bytes);

  Sink& sink_;
  uint64_t position_ = 0;
  std::vector<ZipRecord> records_;
};

/// Does this begin as a zip archive does?
bool is_zip(Source& source);

}  // namespace strata::serialize
