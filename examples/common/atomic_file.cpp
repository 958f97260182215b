// Temporary file in the same folder, fsync, rename, fsync of the folder.
#include "common/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <strata/core/error.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>

namespace strata::examples {
namespace {

void check(bool ok, const std::string& path) { STRATA_CHECK(ok, "cannot write {}: {}", path, std::strerror(errno)); }

/// A name beside the target, removed at the end unless it was renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& path) : path_(path), name_(path + ".XXXXXX") {
    const int file = ::mkstemp(name_.data());
    check(file >= 0, path_);
    const mode_t mask = ::umask(0);
    ::umask(mask);
    const bool ok = ::fchmod(file, 0666 & ~mask) == 0;
    ::close(file);
    check(ok, path_);
  }
  ~TemporaryFile() {
    if (!name_.empty()) ::unlink(name_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& name() const { return name_; }

  void commit() {
    sync(name_, O_RDWR);
    check(::rename(name_.c_str(), path_.c_str()) == 0, path_);
    name_.clear();
    const std::string folder = std::filesystem::path(path_).parent_path().string();
    sync(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY);
  }

 private:
  void sync(const std::string& what, int flags) {
    const int file = ::open(what.c_str(), flags | O_CLOEXEC);
    check(file >= 0, path_);
    const bool ok = ::fsync(file) == 0;
    ::close(file);
    check(ok, path_);
  }

  std::string path_;
  std::string name_;
};

}  // namespace

void write_atomically(const std::string& path, const std::function<void(const std::string&)>& write) {
  TemporaryFile file(path);
  write(file.name());
  file.commit();
}

void write_atomically(const std::string& path, std::string_view contents) {
  write_atomically(path, [&](const std::string& name) {
    std::FILE* file = std::fopen(name.c_str(), "wb");
    check(file != nullptr, path);
    const bool written = std::fwrite(contents.data(), 1, contents.size(), file) == contents.size();
    check(std::fclose(file) == 0 && written, path);
  });
}

}  // namespace strata::examples
