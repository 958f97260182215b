// What says that a checkpoint is whole: the list of its files with sizes and hashes, written last.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace strata::distributed::checkpoint {

inline constexpr const char* kManifest = "manifest.json";

struct FileRecord {
  std::string name;
  uint64_t bytes = 0;
  std::string sha256;
};

struct Manifest {
  int64_t step = 0, world_size = 0;
  std::vector<FileRecord> files;

  /// JSON; the last member is the hash of the others.
  std::string text() const;
  /// Throws unless every byte is as `text` wrote it; `path` is for messages.
  static Manifest parse(const std::string& text, const std::string& path);
};

/// Throws unless a file of the folder is the one that was written.
void check_file(const std::string& folder, const FileRecord& record);
/// The same by its size alone.
void check_size(const std::string& folder, const FileRecord& record);

/// A file of at most 64 MiB as text; nothing if it is not there.
std::optional<std::string> read_text(const std::string& path);
/// Writes a file that survives a crash: a temporary one, synced, then renamed.
void write_text(const std::string& path, const std::string& text);

/// "step-00000012" for 12.
std::string folder_of_step(int64_t step);
/// The steps whose folders are in `folder`, the newest first. Throws where that cannot be read; none if it is missing.
std::vector<int64_t> steps_in(const std::string& folder);

/// An empty folder beside those of steps, for one that is being written. What saves that were cut short have left is
/// removed.
std::string make_temporary(const std::string& folder, int64_t step);
/// Gives it its name, in place of one that is there already.
void publish(const std::string& folder, const std::string& temporary, int64_t step);
/// Removes steps that are older than the `keep` newest ones that have a manifest and files of the right sizes.
void remove_older(const std::string& folder, int64_t keep);
void remove_folder(const std::string& path) noexcept;

}  // namespace strata::distributed::checkpoint
