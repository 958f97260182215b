// Reading and writing files by descriptors.
#include "ops/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "core/error.h"

namespace strata::serialize {

namespace {

/// The temporary file; removed unless it was renamed.
struct RemoveUnlessDone {
  const std::string& path;
  bool done = false;
  ~RemoveUnlessDone() {
    if (!done) ::unlink(path.c_str());
  }
};

}  // namespace

std::string system_error() { return std::strerror(errno); }

File::File(const std::string& path, int flags) : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}

File::~File() {
  if (fd_ >= 0) ::close(fd_);
}

bool File::close() {
  const int fd = fd_;
  fd_ = -1;
  return ::close(fd) == 0;
}

FileSource::FileSource(const std::string& path) : name_("'" + path + "'"), file_(path, O_RDONLY) {
  STRATA_CHECK(file_.is_open(), "load: cannot open {}: {}", name_, system_error());
  struct stat info = {};
  STRATA_CHECK(::fstat(file_.fd(), &info) == 0 && S_ISREG(info.st_mode), "load: {} is not a regular file", name_);
  size_ = static_cast<uint64_t>(info.st_size);
}

void FileSource::read(uint64_t offset, char* to, uint64_t bytes) {
  while (bytes > 0) {
    const ssize_t n = ::pread(file_.fd(), to, bytes, static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    STRATA_CHECK(n >= 0, "load: cannot read {}: {}", name_, system_error());
    STRATA_CHECK(n > 0, "load: {} ended while it was read", name_);
    to += n;
    offset += static_cast<uint64_t>(n);
    bytes -= static_cast<uint64_t>(n);
  }
}

void MemorySource::read(uint64_t offset, char* to, uint64_t bytes) {
  STRATA_CHECK(offset <= size_ && bytes <= size_ - offset, "load: {} is truncated", name_);
  if (bytes > 0) std::memcpy(to, data_ + offset, bytes);
}

void FileSink::write(const char* data, uint64_t bytes) {
  while (bytes > 0) {
    const ssize_t n = ::write(file_.fd(), data, bytes);
    if (n < 0 && errno == EINTR) continue;
    STRATA_CHECK(n >= 0, "save: cannot write '{}': {}", path_, system_error());
    data += n;
    bytes -= static_cast<uint64_t>(n);
  }
}

std::string temporary_beside(const std::string& path) {
  static std::atomic<uint64_t> count{0};
  return path + ".tmp" + std::to_string(::getpid()) + "." + std::to_string(count++);
}

void write_whole_file(const std::string& path, const strata::detail::Function<void(Sink&)>& write) {
  struct stat info = {};
  const bool replaceable = ::stat(path.c_str(), &info) != 0 || S_ISREG(info.st_mode);
  STRATA_CHECK(replaceable, "save: '{}' is not a regular file", path);
  const std::string temporary = temporary_beside(path);
  File file(temporary, O_WRONLY | O_CREAT | O_TRUNC);
  STRATA_CHECK(file.is_open(), "save: cannot create '{}': {}", temporary, system_error());
  RemoveUnlessDone guard{temporary};
  FileSink sink(file, path);
  write(sink);
  STRATA_CHECK(::fsync(file.fd()) == 0 && file.close(), "save: cannot write '{}': {}", path, system_error());
  STRATA_CHECK(::rename(temporary.c_str(), path.c_str()) == 0, "save: cannot rename to '{}': {}", path, system_error());
  guard.done = true;
  sync_folder_of(path);
}

void sync_folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const File file(folder, O_RDONLY | O_DIRECTORY);
  if (file.is_open() ? ::fsync(file.fd()) == 0 : errno == EACCES) return;
  const bool is_possible = errno != EINVAL && errno != ENOTSUP && errno != ENOSYS;
  STRATA_CHECK(!is_possible, "save: cannot sync the folder '{}': {}", folder, system_error());
}

}  // namespace strata::serialize
