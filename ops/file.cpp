// Reading and writing files by descriptors.
#include "ops/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/error.h"

namespace strata::serialize {

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

void FileSink::write(const char* data, uint64_t bytes) {
  while (bytes > 0) {
    const ssize_t n = ::write(file_.fd(), data, bytes);
    if (n < 0 && errno == EINTR) continue;
    STRATA_CHECK(n >= 0, "save: cannot write '{}': {}", path_, system_error());
    data += n;
    bytes -= static_cast<uint64_t>(n);
  }
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
