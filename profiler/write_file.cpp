// A temporary file beside the path, renamed when all of it is written.
#include "profiler/write_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "core/error.h"

namespace strata::profiler {
namespace {

/// Errors of writing may show only when the file is closed.
bool write_all(std::FILE* file, std::string_view contents) {
  const bool written = std::fwrite(contents.data(), 1, contents.size(), file) == contents.size();
  return std::fclose(file) == 0 && written;
}

}  // namespace

void write_file(const std::string& path, std::string_view contents) {
  const std::string temporary = path + ".tmp" + std::to_string(::getpid());
  std::FILE* const file = std::fopen(temporary.c_str(), "wb");
  STRATA_CHECK(file, "profiler: cannot create '{}': {}", temporary, std::strerror(errno));
  if (write_all(file, contents) && std::rename(temporary.c_str(), path.c_str()) == 0) return;
  const int error = errno;
  ::unlink(temporary.c_str());
  STRATA_THROW("profiler: cannot write '{}': {}", path, std::strerror(error));
}

}  // namespace strata::profiler
