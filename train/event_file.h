// Files of records that only grow, as TensorFlow frames them. Internal to train/.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace strata::serialize {
class File;
}

namespace strata::train::board {

/// This machine's.
std::string host_name();

/// The CRC-32C of RFC 3720, masked as TensorFlow's records have it: turned right by 15 bits, plus 0xa282ead8.
uint32_t masked_crc(std::string_view bytes);

/// A record with its frame: eight bytes that say how long it is, their masked CRC, the record, its masked CRC; all
/// little endian (tensorflow/core/lib/io/record_writer.h).
std::string framed(std::string_view record);

/// A new file of records. Each goes to the system at once and by one call, so nothing is lost however the process ends;
/// to the disk it goes every so many seconds. Its calls must not overlap.
class EventFile {
 public:
  /// Makes `folder/events.out.tfevents.SECONDS.HOST.PROCESS.NUMBER` with the suffix, seconds being those since 1970,
  /// and the folder where there is none. Throws where that fails.
  EventFile(const std::string& folder, const std::string& suffix, double flush_seconds);
  ~EventFile();
  EventFile(const EventFile&) = delete;
  EventFile& operator=(const EventFile&) = delete;

  /// Throws, and leaves whole records alone, where the system cannot take it.
  void write(std::string_view record);
  /// To the disk. Throws where that fails.
  void flush();
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::unique_ptr<serialize::File> file_;
  uint64_t size_ = 0;
  std::chrono::duration<double> flush_every_;
  std::chrono::steady_clock::time_point flushed_;
};

}  // namespace strata::train::board
