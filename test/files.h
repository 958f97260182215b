// What the tests of files share: where their data is, and temporary files.
#pragma once
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "test/error_of.h"
#include "test/source_dir.h"

using strata::error_of;

inline std::string data_file(const std::string& name) { return source_dir() + "/test/serialize/data/" + name; }

inline std::vector<char> bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A name in the system's folder for temporary files, removed at the end.
struct TemporaryFile {
  std::string path;
  explicit TemporaryFile(const std::string& ending = "") {
    char name[] = "/tmp/strata_test_XXXXXX";
    const int fd = mkstemp(name);
    if (fd >= 0) close(fd);
    std::remove(name);
    path = name + ending;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::remove(path.c_str()); }
};
