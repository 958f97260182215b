// The steps of saving, loading and choosing a checkpoint, which all ranks take together.
#include "distributed/checkpoint.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/grad_mode.h"
#include "core/warning.h"
#include "distributed/checkpoint_agreement.h"
#include "distributed/checkpoint_hash.h"
#include "distributed/checkpoint_manifest.h"
#include "distributed/checkpoint_parts.h"
#include "distributed/checkpoint_table.h"
#include "ops/file.h"

namespace strata::distributed::checkpoint {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// `make` on rank 0, and its result on all.
std::string from_first(const ProcessGroup& group, const strata::detail::Function<std::string()>& make) {
  return agree(group, [&] { return group->rank() == 0 ? make() : std::string(); })[0];
}

// ---- Saving ---------------------------------------------------------------------------------------------------------

FileRecord write_shard(const std::string& folder, const std::string& name, const std::vector<const Item*>& items) {
  serialize::Contents contents;
  contents.text = metadata_of(items);
  for (const Item* const item : items) contents.tensors.insert(item->name, item->tensor);
  const std::string path = folder + "/" + name;
  serialize::File file(path, O_WRONLY | O_CREAT | O_EXCL);
  STRATA_CHECK(file.is_open(), "cannot create '{}': {}", path, serialize::system_error());
  serialize::FileSink to(file, path);
  HashingSink sink(to);
  serialize::write_safetensors(contents, sink);
  STRATA_CHECK(::fsync(file.fd()) == 0 && file.close(), "cannot write '{}': {}", path, serialize::system_error());
  return {name, sink.bytes(), sink.hex()};
}

/// Writes the files of one rank; their records as JSON.
std::string write_shards(const std::string& folder, int64_t rank, const std::vector<std::vector<const Item*>>& files) {
  Json records = Json::array();
  for (size_t f = 0; f < files.size(); ++f) {
    const FileRecord r = write_shard(folder, shard_name(rank, f, files.size()), files[f]);
    records.push_back({r.name, r.bytes, r.sha256});
  }
  serialize::sync_folder_of(folder + "/" + kManifest);
  return records.dump();
}

Manifest manifest_of(int64_t step, const Texts& records) {
  Manifest manifest{step, static_cast<int64_t>(records.size()), {}};
  for (size_t rank = 0; rank < records.size(); ++rank)
    for (const Json& r : Json::parse(records[rank]))
      manifest.files.push_back({r[0].get<std::string>(), r[1].get<uint64_t>(), r[2].get<std::string>()});
  return manifest;
}

/// On rank 0: it is there from now on, for any crash.
void finish_save(const std::string& folder, const std::string& temporary, const Manifest& manifest, int64_t keep) {
  write_text(temporary + "/" + kManifest, manifest.text());
  publish(folder, temporary, manifest.step);
  try {
    remove_older(folder, keep);
  } catch (const std::exception& e) {
    warn("checkpoint: older checkpoints stay: {}", std::string(e.what()));
  }
}

// ---- Loading --------------------------------------------------------------------------------------------------------

/// The files of a folder, with sizes and hashes if there is a manifest.
std::string list_files(const std::string& path) {
  Json files = Json::array();
  if (const std::optional<std::string> text = read_text(path + "/" + kManifest)) {
    for (const FileRecord& f : Manifest::parse(*text, path + "/" + kManifest).files)
      files.push_back({f.name, f.bytes, f.sha256});
    return files.dump();
  }
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(path, error); !error && at != fs::directory_iterator(); at.increment(error))
    if (at->path().extension() == ".safetensors") names.push_back(at->path().filename().string());
  STRATA_CHECK(!error, "cannot read the folder '{}': {}", path, error.message());
  STRATA_CHECK(!names.empty(), "there is no {} and no safetensors file in '{}'", kManifest, path);
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) files.push_back({name, 0, ""});
  return files.dump();
}

std::vector<FileRecord> records_in(const std::string& list) {
  std::vector<FileRecord> records;
  for (const Json& f : Json::parse(list))
    records.push_back({f[0].get<std::string>(), f[1].get<uint64_t>(), f[2].get<std::string>()});
  return records;
}

/// Runs `look` for the files that are this rank's to look at.
template <class Look>
void share_files(const ProcessGroup& group, size_t files, Look look) {
  const auto ranks = static_cast<size_t>(group->size());
  for (auto i = static_cast<size_t>(group->rank()); i < files; i += ranks) look(i);
}

Table table_of(const std::string& path, const std::vector<FileRecord>& records, bool verify,
               const ProcessGroup& group) {
  std::vector<std::string> files;
  for (const FileRecord& r : records) files.push_back(path + "/" + r.name);
  Table table(std::move(files));
  const Texts parts = agree(group, [&] {
    Json descriptions = Json::array();
    share_files(group, records.size(), [&](size_t i) {
      if (!records[i].sha256.empty()) verify ? check_file(path, records[i]) : check_size(path, records[i]);
      descriptions.push_back(table.describe(i));
    });
    return descriptions.dump();
  });
  for (size_t rank = 0; rank < parts.size(); ++rank)
    for (const Json& description : Json::parse(parts[rank])) table.add(description.get<std::string>());
  return table;
}

void verify(const std::string& path, int64_t step, const ProcessGroup& group) {
  const std::string text = from_first(group, [&] {
    const std::optional<std::string> found = read_text(path + "/" + kManifest);
    STRATA_CHECK(found, "there is no {} in '{}'", kManifest, path);
    const Manifest manifest = Manifest::parse(*found, path + "/" + kManifest);
    STRATA_CHECK(manifest.step == step, "'{}' has the manifest of step {}", path, manifest.step);
    return list_files(path);
  });
  const std::vector<FileRecord> records = records_in(text);
  agree(group, [&] {
    share_files(group, records.size(), [&](size_t i) { check_file(path, records[i]); });
    return std::string();
  });
}

/// The path of the first of these steps of which every byte is as it was written. Warns of those before it.
std::optional<std::string> first_whole(const std::string& folder, const Json& steps, const ProcessGroup& group) {
  for (const Json& step : steps) {
    const std::string path = folder + "/" + folder_of_step(step.get<int64_t>());
    try {
      verify(path, step.get<int64_t>(), group);
      return path;
    } catch (const AgreedError& e) {
      if (group->rank() == 0) warn("'{}' is left out: {}", path, std::string(e.what()));
    }
  }
  return std::nullopt;
}

}  // namespace

std::string save(const State& state, const std::string& folder, const SaveOptions& options) {
  STRATA_CHECK(options.step >= 0, "checkpoint: a step of {}", options.step);
  STRATA_CHECK(options.keep >= 2, "checkpoint: keep at least 2 checkpoints, not {}: the newest may get damaged",
               options.keep);
  const NoGradGuard no_grad;
  const ProcessGroup group = group_of(options.group);
  const Share share = share_of(state, group);
  std::string temporary;
  try {
    temporary = from_first(group, [&] { return make_temporary(folder, options.step); });
    const Texts records =
        agree(group, [&] { return write_shards(temporary, group->rank(), by_files(share.items, share.own)); });
    from_first(group, [&] {
      finish_save(folder, temporary, manifest_of(options.step, records), options.keep);
      return std::string();
    });
  } catch (...) {
    if (group->rank() == 0 && !temporary.empty()) remove_folder(temporary);
    throw;
  }
  return folder + "/" + folder_of_step(options.step);
}

void load(State& state, const std::string& path, const LoadOptions& options) {
  const NoGradGuard no_grad;
  const ProcessGroup group = group_of(options.group);
  const std::vector<FileRecord> records = records_in(from_first(group, [&] { return list_files(path); }));
  const Table table = table_of(path, records, options.verify, group);
  const std::vector<Item> targets = targets_of(state, group, table);
  agree(group, [&] {
    for (const Item& item : targets) table.read(item);
    for (const auto& part : state.parts()) part->finish();
    return std::string();
  });
}

std::optional<std::string> latest(const std::string& folder, const ProcessGroup& group) {
  const ProcessGroup all = group_of(group);
  // Where somebody saves meanwhile, all that were listed may be gone, and newer ones there.
  for (std::string before;;) {
    const std::string steps = from_first(all, [&] { return Json(steps_in(folder)).dump(); });
    if (steps == before) return std::nullopt;
    if (auto path = first_whole(folder, Json::parse(steps), all)) return path;
    before = steps;
  }
}

}  // namespace strata::distributed::checkpoint
