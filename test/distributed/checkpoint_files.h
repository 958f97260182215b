// Folders for tests, and checkpoints as maps of whole tensors.
#pragma once
#include <strata/distributed/checkpoint_table.h>
#include <strata/strata.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "test/distributed/cases.h"

namespace strata {

/// A folder that is removed at the end.
class Folder {
 public:
  explicit Folder(const std::filesystem::path& parent = std::filesystem::temp_directory_path())
      : path_(parent / ("strata_checkpoint_" + std::to_string(getpid()) + "_" + std::to_string(count++))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string str() const { return path_.string(); }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  static inline std::atomic<int> count{0};
  std::filesystem::path path_;
};

inline std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

inline std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
inline void put_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// All tensors of a checkpoint, whole, read without the manifest.
inline std::map<std::string, Tensor> contents_of(const std::string& path) {
  using distributed::checkpoint::Table, distributed::checkpoint::whole_box;
  std::vector<std::string> files;
  for (const std::string& name : names_in(path))
    if (name.ends_with(".safetensors")) files.push_back(path + "/" + name);
  Table table(files);
  for (size_t i = 0; i < files.size(); ++i) table.add(table.describe(i));
  std::map<std::string, Tensor> all;
  for (const auto& [name, entry] : table.entries()) {
    table.at(name);
    all[name] = empty(entry.sizes, entry.dtype);
    table.read({name, entry.sizes, whole_box(entry.sizes), all[name]});
  }
  return all;
}

inline void expect_equal(const std::map<std::string, Tensor>& a, const std::map<std::string, Tensor>& b) {
  for (const auto& [name, t] : a) {
    expect(b.count(name) == 1, name + " in both");
    expect(same_bits(t, b.at(name)), "the same bits of " + name);
  }
  expect(a.size() == b.size(), "the same names");
}

/// The warnings of a thread.
class Heard : public WarningHandler {
 public:
  void process(const Warning& warning) override { all += warning.msg() + "\n"; }
  std::string all;

 private:
  WarningUtils::WarningHandlerGuard guard_{this};
};

}  // namespace strata
