// Manifests, and the folders that they make valid.
#include "distributed/checkpoint_manifest.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "distributed/checkpoint_hash.h"
#include "ops/file.h"

namespace strata::distributed::checkpoint {
namespace {

namespace fs = std::filesystem;
using OrderedJson = nlohmann::ordered_json;
using serialize::system_error;

constexpr uint64_t kLargestText = 64 << 20;
constexpr std::string_view kStep = "step-";
constexpr std::string_view kTemporary = ".step-";  // hidden, and no step

bool is_plain_name(const std::string& name) {
  return !name.empty() && name[0] != '.' && name.find('/') == name.npos && name.find('\0') == name.npos;
}

bool is_hash(const std::string& text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

OrderedJson json_of(const Manifest& m) {
  OrderedJson json = {{"format", "strata-checkpoint"}, {"version", 1}, {"step", m.step}, {"world_size", m.world_size}};
  json["files"] = OrderedJson::array();
  for (const FileRecord& f : m.files)
    json["files"].push_back({{"name", f.name}, {"bytes", f.bytes}, {"sha256", f.sha256}});
  return json;
}

FileRecord record_of(const OrderedJson& json) {
  FileRecord f{json.at("name").get<std::string>(), 0, json.at("sha256").get<std::string>()};
  if (!json.at("bytes").is_number_unsigned() || !is_plain_name(f.name) || !is_hash(f.sha256))
    throw std::invalid_argument("a bad entry of a file");
  f.bytes = json["bytes"].get<uint64_t>();
  return f;
}

Manifest manifest_of(const OrderedJson& json) {
  if (json.at("format") != "strata-checkpoint" || json.at("version") != 1)
    throw std::invalid_argument("another format or version");
  Manifest m{json.at("step").get<int64_t>(), json.at("world_size").get<int64_t>(), {}};
  for (const OrderedJson& file : json.at("files")) m.files.push_back(record_of(file));
  return m;
}

/// The number of a folder's name; nothing if it is none of ours.
std::optional<int64_t> step_of(const std::string& name) {
  int64_t step = 0;
  if (!name.starts_with(kStep)) return std::nullopt;
  const char* const end = name.data() + name.size();
  const auto [last, error] = std::from_chars(name.data() + kStep.size(), end, step);
  if (error != std::errc() || last != end || step < 0 || folder_of_step(step) != name) return std::nullopt;
  return step;
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  fs::directory_iterator at(folder, error);
  if (error == std::errc::no_such_file_or_directory) return names;
  for (; !error && at != fs::directory_iterator(); at.increment(error)) names.push_back(at->path().filename().string());
  STRATA_CHECK(!error, "cannot read the folder '{}': {}", folder, error.message());
  return names;
}

void rename_or_throw(const std::string& from, const std::string& to) {
  STRATA_CHECK(::rename(from.c_str(), to.c_str()) == 0, "cannot rename '{}' to '{}': {}", from, to, system_error());
}

/// Swaps two folders' names; false where the file system cannot.
bool exchange_names(const std::string& a, const std::string& b) {
#ifdef RENAME_EXCHANGE
  if (::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0) return true;
  const bool is_possible = errno != EINVAL && errno != ENOTSUP && errno != ENOSYS;
  STRATA_CHECK(!is_possible, "cannot exchange '{}' and '{}': {}", a, b, system_error());
#endif
  return false;
}

/// The same by two renames; for a moment there is no `b`.
void replace_by_renames(const std::string& a, const std::string& b) {
  const std::string old = a + ".old";
  rename_or_throw(b, old);
  try {
    rename_or_throw(a, b);
  } catch (...) {
    (void)::rename(old.c_str(), b.c_str());
    throw;
  }
  (void)::rename(old.c_str(), a.c_str());  // where it stays, the next save removes it
}

/// By its manifest and the sizes of its files; hashes take as long as reading it.
bool looks_whole(const std::string& path) {
  try {
    const std::optional<std::string> text = read_text(path + "/" + kManifest);
    if (!text) return false;
    for (const FileRecord& f : Manifest::parse(*text, path).files) check_size(path, f);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::string Manifest::text() const {
  OrderedJson json = json_of(*this);
  json["sha256"] = sha256_of(json.dump());
  return json.dump(1) + "\n";
}

Manifest Manifest::parse(const std::string& text, const std::string& path) {
  Manifest manifest;
  try {
    manifest = manifest_of(OrderedJson::parse(text));
  } catch (const std::exception& e) {
    STRATA_THROW("'{}' is damaged, or no manifest of a checkpoint: {}", path, e.what());
  }
  STRATA_CHECK(manifest.text() == text,
               "'{}' is damaged: its hash is another one, or bytes are not as they were written", path);
  return manifest;
}

void check_size(const std::string& folder, const FileRecord& record) {
  std::error_code error;
  const uint64_t bytes = fs::file_size(folder + "/" + record.name, error);
  STRATA_CHECK(!error, "cannot read '{}/{}': {}", folder, record.name, error.message());
  STRATA_CHECK(bytes == record.bytes, "'{}/{}' has {} bytes, {} were written", folder, record.name, bytes,
               record.bytes);
}

void check_file(const std::string& folder, const FileRecord& record) {
  check_size(folder, record);
  serialize::FileSource source(folder + "/" + record.name);
  STRATA_CHECK(sha256_of(source) == record.sha256, "{} is damaged: it does not have the hash in the manifest",
               source.name());
}

std::optional<std::string> read_text(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error) && !error) return std::nullopt;
  serialize::FileSource source(path);
  STRATA_CHECK(source.size() <= kLargestText, "{} has {} bytes, a manifest has at most {}", source.name(),
               source.size(), kLargestText);
  std::string text(source.size(), '\0');
  source.read(0, text.data(), text.size());
  return text;
}

void write_text(const std::string& path, const std::string& text) {
  const std::string temporary = path + ".tmp";
  serialize::File file(temporary, O_WRONLY | O_CREAT | O_TRUNC);
  STRATA_CHECK(file.is_open(), "cannot create '{}': {}", temporary, system_error());
  serialize::FileSink(file, temporary).write(text.data(), text.size());
  STRATA_CHECK(::fsync(file.fd()) == 0 && file.close(), "cannot write '{}': {}", temporary, system_error());
  rename_or_throw(temporary, path);
  serialize::sync_folder_of(path);
}

std::string folder_of_step(int64_t step) {
  const std::string digits = std::to_string(step);
  return std::string(kStep) + std::string(digits.size() < 8 ? 8 - digits.size() : 0, '0') + digits;
}

std::vector<int64_t> steps_in(const std::string& folder) {
  std::vector<int64_t> steps;
  for (const std::string& name : names_in(folder))
    if (const std::optional<int64_t> step = step_of(name)) steps.push_back(*step);
  std::sort(steps.rbegin(), steps.rend());
  return steps;
}

std::string make_temporary(const std::string& folder, int64_t step) {
  std::error_code error;
  fs::create_directories(folder, error);
  STRATA_CHECK(!error && fs::is_directory(folder, error), "cannot make the folder '{}': {}", folder,
               error ? error.message() : "it is a file");
  for (const std::string& name : names_in(folder))
    if (name.starts_with(kTemporary)) remove_folder(folder + "/" + name);
  const std::string path = folder + "/." + folder_of_step(step);
  STRATA_CHECK(fs::create_directory(path, error), "cannot make the folder '{}': {}", path,
               error ? error.message() : "one of an earlier save cannot be removed");
  return path;
}

void publish(const std::string& folder, const std::string& temporary, int64_t step) {
  const std::string path = folder + "/" + folder_of_step(step);
  std::error_code error;
  if (!fs::exists(path, error) && !error) {
    rename_or_throw(temporary, path);
  } else {
    if (!exchange_names(temporary, path)) replace_by_renames(temporary, path);
    remove_folder(temporary);
  }
  serialize::sync_folder_of(path);
}

void remove_older(const std::string& folder, int64_t keep) {
  int64_t whole = 0;
  for (const int64_t step : steps_in(folder)) {
    const std::string path = folder + "/" + folder_of_step(step);
    if (whole < keep) {
      whole += looks_whole(path) ? 1 : 0;
      continue;
    }
    const std::string hidden = folder + "/." + folder_of_step(step);  // half a step has no name of a step
    rename_or_throw(path, hidden);
    remove_folder(hidden);
  }
}

void remove_folder(const std::string& path) noexcept {
  std::error_code ignored;  // it is in nobody's way but for its space, and the next save tries again
  fs::remove_all(path, ignored);
}

}  // namespace strata::distributed::checkpoint
