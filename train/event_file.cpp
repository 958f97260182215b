// Framing, names and appending.
#include "train/event_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <boost/crc.hpp>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "core/error.h"
#include "core/warning.h"
#include "ops/file.h"

namespace strata::train::board {
namespace {

/// The lowest `count` bytes, the first one first.
std::string little_endian(uint64_t value, int count) {
  std::string bytes;
  for (int i = 0; i < count; ++i) bytes += static_cast<char>(value >> 8 * i & 255);
  return bytes;
}

/// A name that no other file of the folder has: the number is the first one that is free.
std::string new_path(const std::string& folder, const std::string& suffix) {
  static std::atomic<int> next = 0;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return fmt::format("{}/events.out.tfevents.{:010}.{}.{}.{}{}", folder,
                     std::chrono::duration_cast<std::chrono::seconds>(now).count(), host_name(), ::getpid(), next++,
                     suffix);
}

}  // namespace

std::string host_name() {
  std::array<char, 256> name = {};
  return ::gethostname(name.data(), name.size() - 1) == 0 && name[0] != 0 ? name.data() : "localhost";
}

uint32_t masked_crc(std::string_view bytes) {
  boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true> sum;
  sum.process_bytes(bytes.data(), bytes.size());
  const uint32_t crc = sum.checksum();
  return (crc >> 15 | crc << 17) + 0xa282ead8u;
}

std::string framed(std::string_view record) {
  const std::string length = little_endian(record.size(), 8);
  std::string out = length + little_endian(masked_crc(length), 4);
  out.append(record);
  return out + little_endian(masked_crc(record), 4);
}

EventFile::EventFile(const std::string& folder, const std::string& suffix, double flush_seconds)
    : flush_every_(flush_seconds), flushed_(std::chrono::steady_clock::now()) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  STRATA_CHECK(!error, "SummaryWriter: cannot make the folder {}: {}", folder, error.message());
  do {
    path_ = new_path(folder, suffix);
    file_ = std::make_unique<serialize::File>(path_, O_WRONLY | O_CREAT | O_EXCL | O_APPEND);
  } while (!file_->is_open() && errno == EEXIST);
  STRATA_CHECK(file_->is_open(), "SummaryWriter: cannot make {}: {}", path_, serialize::system_error());
}

EventFile::~EventFile() = default;

void EventFile::write(std::string_view record) {
  const std::string bytes = framed(record);
  try {
    serialize::FileSink(*file_, path_).write(bytes.data(), bytes.size());
  } catch (...) {
    // A part of a record would end what readers see of the file.
    if (::ftruncate(file_->fd(), static_cast<off_t>(size_)) != 0)
      warn("SummaryWriter: {} ends in half a record", path_);
    throw;
  }
  size_ += bytes.size();
  if (std::chrono::steady_clock::now() - flushed_ >= flush_every_) flush();
}

void EventFile::flush() {
  flushed_ = std::chrono::steady_clock::now();
  STRATA_CHECK(::fdatasync(file_->fd()) == 0, "SummaryWriter: cannot write {}: {}", path_, serialize::system_error());
}

}  // namespace strata::train::board
