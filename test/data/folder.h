// A folder for the files of a test.
#pragma once
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

/// A folder that is gone with the test.
struct Folder {
  explicit Folder(const std::string& topic)
      : path(std::filesystem::temp_directory_path() / ("strata_" + topic + "_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path); }
  std::string file(const std::string& name) const { return (path / name).string(); }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(file(name), std::ios::binary) << bytes;
    return file(name);
  }
  std::filesystem::path path;
};
