// libtorch's temporary files and folders, removed with the object that names them.
#pragma once
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "check.h"

namespace strata {

/// An open temporary file.
struct TempFile {
  TempFile(std::string its_name, int its_fd) : fd(its_fd), name(std::move(its_name)) {}
  TempFile(TempFile&& other) noexcept : fd(std::exchange(other.fd, -1)), name(std::move(other.name)) {
    other.name.clear();
  }
  TempFile& operator=(TempFile&& other) noexcept {
    std::swap(fd, other.fd);
    name.swap(other.name);
    return *this;
  }
  ~TempFile() {
    if (!name.empty()) ::unlink(name.c_str());
    if (fd >= 0) ::close(fd);
  }
  int fd;
  std::string name;
};

/// A temporary folder, which must be empty again to go.
struct TempDir {
  explicit TempDir(std::string its_name) : name(std::move(its_name)) {}
  TempDir(TempDir&& other) noexcept : name(std::exchange(other.name, {})) {}
  TempDir& operator=(TempDir&& other) noexcept {
    name.swap(other.name);
    return *this;
  }
  ~TempDir() {
    if (!name.empty()) ::rmdir(name.c_str());
  }
  std::string name;
};

namespace compat {
inline std::string temporary_pattern(std::string_view prefix) {
  const char* folder = std::getenv("TMPDIR");
  return std::string(folder && *folder ? folder : "/tmp") + "/" + std::string(prefix) + "XXXXXX";
}
}  // namespace compat

inline std::optional<TempFile> try_make_tempfile(std::string_view name_prefix = "torch-file-") {
  std::string name = compat::temporary_pattern(name_prefix);
  const int fd = ::mkstemp(name.data());
  if (fd < 0) return std::nullopt;
  return TempFile(std::move(name), fd);
}
inline TempFile make_tempfile(std::string_view name_prefix = "torch-file-") {
  if (auto file = try_make_tempfile(name_prefix)) return std::move(*file);
  throw Error(str("Error generating temporary file: ", std::strerror(errno)));
}
inline std::optional<TempDir> try_make_tempdir(std::string_view name_prefix = "torch-dir-") {
  std::string name = compat::temporary_pattern(name_prefix);
  if (!::mkdtemp(name.data())) return std::nullopt;
  return TempDir(std::move(name));
}
inline TempDir make_tempdir(std::string_view name_prefix = "torch-dir-") {
  if (auto folder = try_make_tempdir(name_prefix)) return std::move(*folder);
  throw Error(str("Error generating temporary directory: ", std::strerror(errno)));
}

}  // namespace strata
