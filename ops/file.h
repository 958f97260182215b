// Files of which every error is told: opened, read, written, and made to survive a crash. Internal to what saves and
// loads.
#pragma once
#include <string>

#include "../core/function.h"
#include "safetensors.h"

namespace strata::serialize {

/// What the last call of the system that failed says.
std::string system_error();

/// An open file that is closed at the end.
class File {
 public:
  /// `flags` as of open(2); see `is_open`.
  File(const std::string& path, int flags);
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File();
  bool is_open() const { return fd_ >= 0; }
  int fd() const { return fd_; }
  /// True if the system reports no error, which some file systems do only here.
  bool close();

 private:
  int fd_;
};

/// Any range of a regular file.
class FileSource : public Source {
 public:
  explicit FileSource(const std::string& path);
  uint64_t size() const override { return size_; }
  const std::string& name() const override { return name_; }
  void read(uint64_t offset, char* to, uint64_t bytes) override;

 private:
  std::string name_;
  File file_;
  uint64_t size_ = 0;
};

/// Any range of memory that stays where it is.
class MemorySource : public Source {
 public:
  MemorySource(const char* data, size_t size, std::string name) : data_(data), size_(size), name_(std::move(name)) {}
  uint64_t size() const override { return size_; }
  const std::string& name() const override { return name_; }
  void read(uint64_t offset, char* to, uint64_t bytes) override;

 private:
  const char* data_;
  uint64_t size_;
  std::string name_;
};

/// Writes to an open file, which messages call `path`.
class FileSink : public Sink {
 public:
  FileSink(const File& file, const std::string& path) : file_(file), path_(path) {}
  void write(const char* data, uint64_t bytes) override;

 private:
  const File& file_;
  const std::string& path_;
};

/// A name beside `path` that no other writer has, of this process or of another one on this machine.
std::string temporary_beside(const std::string& path);

/// Writes a temporary file beside `path`, syncs it and renames it, so that `path` is either the old file or the whole
/// new one.
void write_whole_file(const std::string& path, const strata::detail::Function<void(Sink&)>& write);

/// Makes a file's name itself survive a crash. Throws where that fails, but not where a file system cannot do it for
/// folders or the folder cannot be opened for reading: the data is safe already.
void sync_folder_of(const std::string& path);

}  // namespace strata::serialize
