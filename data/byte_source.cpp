// Files, memory and gzip as streams of bytes.
#include "data/byte_source.h"

#include <errno.h>
#include <sys/stat.h>
#include <zlib.h>
#include <cerrno>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

#include "core/error.h"

namespace strata::data {
namespace {

/// Deflate cannot do better than 1032 bytes out of one.
constexpr uint64_t kMaxDeflateRatio = 1032;

class FileSource : public ByteSource {
 public:
  explicit FileSource(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "rb"), &std::fclose) {
    STRATA_CHECK(file_ != nullptr, "cannot open {}: {}", path, std::strerror(errno));
    struct stat info {};
    STRATA_CHECK(::fstat(::fileno(file_.get()), &info) == 0, "cannot read {}: {}", path, std::strerror(errno));
    STRATA_CHECK(S_ISREG(info.st_mode), "cannot read {}: not a regular file", path);
    remaining_ = static_cast<uint64_t>(info.st_size);
  }

  size_t read(uint8_t* out, size_t count) override {
    const size_t got = std::fread(out, 1, count, file_.get());
    STRATA_CHECK(got == count || !std::ferror(file_.get()), "cannot read {}: {}", path_, std::strerror(errno));
    remaining_ -= std::min<uint64_t>(remaining_, got);
    return got;
  }

  uint64_t remaining_at_most() const override { return remaining_; }

  /// The first two bytes, left in place.
  std::string peek() {
    char start[2];
    const size_t got = std::fread(start, 1, sizeof(start), file_.get());
    std::rewind(file_.get());
    return {start, got};
  }

 private:
  std::string path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  uint64_t remaining_ = 0;
};

class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::string_view contents) : rest_(contents) {}

  size_t read(uint8_t* out, size_t count) override {
    const size_t got = rest_.copy(reinterpret_cast<char*>(out), count);
    rest_.remove_prefix(got);
    return got;
  }

  uint64_t remaining_at_most() const override { return rest_.size(); }

 private:
  std::string_view rest_;
};

class GzipSource : public ByteSource {
 public:
  GzipSource(std::unique_ptr<ByteSource> packed, std::string name)
      : packed_(std::move(packed)), name_(std::move(name)), buffer_(size_t{1} << 16) {
    constexpr int kGzipOnly = 15 + 16;
    STRATA_CHECK(inflateInit2(&stream_, kGzipOnly) == Z_OK, "cannot read {}: zlib has no memory", name_);
  }
  ~GzipSource() override { inflateEnd(&stream_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  size_t read(uint8_t* out, size_t count) override {
    size_t done = 0;
    while (done < count && !ended_) {
      constexpr size_t kStep = size_t{1} << 30;  // zlib counts in 32 bits
      const size_t want = std::min(count - done, kStep);
      stream_.next_out = out + done;
      stream_.avail_out = static_cast<uInt>(want);
      inflate_some();
      done += want - stream_.avail_out;
    }
    return done;
  }

  uint64_t remaining_at_most() const override {
    return ended_ ? 0 : (packed_->remaining_at_most() + stream_.avail_in + 1) * kMaxDeflateRatio + kWindow;
  }

 private:
  static constexpr uint64_t kWindow = uint64_t{1} << 15;  // may wait inside zlib, its input already consumed

  void inflate_some() {
    if (stream_.avail_in == 0) {
      stream_.avail_in = static_cast<uInt>(packed_->read(buffer_.data(), buffer_.size()));
      stream_.next_in = buffer_.data();
    }
    const bool at_end = stream_.avail_in == 0;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    STRATA_CHECK(status != Z_BUF_ERROR || !at_end, "{}: truncated gzip data", name_);
    STRATA_CHECK(status == Z_OK || status == Z_STREAM_END, "{}: damaged gzip data ({})", name_,
                 stream_.msg != nullptr ? stream_.msg : zError(status));
    ended_ = status == Z_STREAM_END;
    STRATA_CHECK(!ended_ || stream_.avail_in + packed_->remaining_at_most() == 0,
                 "{}: {} bytes of trailing data after the gzip stream", name_,
                 stream_.avail_in + packed_->remaining_at_most());
  }

  std::unique_ptr<ByteSource> packed_;
  std::string name_;
  std::vector<uint8_t> buffer_;
  z_stream stream_{};
  bool ended_ = false;
};

std::unique_ptr<ByteSource> unpacked(std::unique_ptr<ByteSource> source, std::string_view start,
                                     const std::string& name) {
  constexpr std::string_view kGzipMagic = "\x1f\x8b";
  const bool is_gzip = start.substr(0, 2) == kGzipMagic;
  STRATA_CHECK(is_gzip || !name.ends_with(".gz"), "{}: not gzip data, though its name ends in .gz", name);
  if (!is_gzip) return source;
  return std::make_unique<GzipSource>(std::move(source), name);
}

}  // namespace

std::unique_ptr<ByteSource> open_file(const std::string& path) {
  auto file = std::make_unique<FileSource>(path);
  const std::string start = file->peek();
  return unpacked(std::move(file), start, path);
}

std::unique_ptr<ByteSource> open_memory(std::string_view contents, const std::string& name) {
  return unpacked(std::make_unique<MemorySource>(contents), contents, name);
}

}  // namespace strata::data
