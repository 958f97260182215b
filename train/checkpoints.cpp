// The folder's names are all there is to know; nothing else is written that could disagree with them.
#include "train/checkpoints.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "core/warning.h"

namespace strata::train {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".safetensors";
constexpr std::string_view kStep = "step-";
constexpr std::string_view kScore = ".score-";

std::string file_name(int64_t step, std::optional<double> score) {
  std::string name = fmt::format("{}{:09d}", kStep, step);
  if (score) name += fmt::format("{}{}", kScore, *score);  // as few digits as give the same number again
  return name.append(kEnding);
}

template <class T>
bool parse(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

/// What a file's name says; nothing for files that are no checkpoints.
std::optional<Checkpoint> parse_name(const fs::path& path) {
  const std::string name = path.filename().string();
  std::string_view text = name;
  if (!text.starts_with(kStep) || !text.ends_with(kEnding)) return std::nullopt;
  text = text.substr(kStep.size(), text.size() - kStep.size() - kEnding.size());
  Checkpoint found{path.string(), 0, {}};
  const size_t mark = text.find(kScore);
  if (mark != text.npos) {
    double score = 0;
    if (!parse(text.substr(mark + kScore.size()), score)) return std::nullopt;
    found.score = score;
    text = text.substr(0, mark);
  }
  if (!parse(text, found.step)) return std::nullopt;
  return found;
}

/// A file that a writer was killed over: its name is a checkpoint's with what ops/file.cpp adds.
bool is_leftover(const fs::path& path) {
  const std::string name = path.filename().string();
  const size_t end = name.find(std::string(kEnding) + ".tmp");
  return end != name.npos && parse_name(name.substr(0, end + kEnding.size()));
}

/// What cannot be removed stays, and the next save tries again: a run does not end for that.
void remove_file(const fs::path& path) {
  std::error_code ignored;
  fs::remove(path, ignored);
}

}  // namespace

Checkpoints::Checkpoints(std::string folder, CheckpointsOptions options)
    : folder_(std::move(folder)), options_(options) {
  STRATA_CHECK(options.keep_last() >= 1 && options.keep_best() >= 0,
               "Checkpoints: keep_last {} and keep_best {}, expected at least 1 and 0", options.keep_last(),
               options.keep_best());
  std::error_code error;
  fs::create_directories(folder_, error);
  STRATA_CHECK(fs::is_directory(folder_), "Checkpoints: cannot make the folder '{}': {}", folder_, error.message());
}

std::string Checkpoints::save(const State& state, int64_t step, std::optional<double> score) const {
  STRATA_CHECK(step >= 0, "Checkpoints: step {}, expected 0 or more", step);
  if (score && std::isnan(*score)) score.reset();
  std::string path = (fs::path(folder_) / file_name(step, score)).string();
  state.save(path);
  for (const Checkpoint& old : list()) {
    if (old.step == step && old.path != path) remove_file(old.path);
  }
  remove_others();
  return path;
}

std::optional<Checkpoint> Checkpoints::resume(State& state) const {
  for (const auto& entry : fs::directory_iterator(folder_)) {
    if (is_leftover(entry.path())) remove_file(entry.path());
  }
  auto found = list();
  for (; !found.empty(); found.pop_back()) {
    serialize::InputArchive archive;
    try {
      archive.load_from(found.back().path);
    } catch (const Error& e) {
      warn("Checkpoints: {}; the checkpoint before it is taken", e.what());
      continue;
    }
    state.load(archive);
    return found.back();
  }
  return std::nullopt;
}

std::vector<Checkpoint> Checkpoints::list() const {
  std::vector<Checkpoint> found;
  for (const auto& entry : fs::directory_iterator(folder_)) {
    if (auto checkpoint = parse_name(entry.path())) found.push_back(std::move(*checkpoint));
  }
  std::sort(found.begin(), found.end(), [](const Checkpoint& a, const Checkpoint& b) { return a.step < b.step; });
  return found;
}

std::vector<Checkpoint> Checkpoints::ranked() const {
  auto found = list();
  std::erase_if(found, [](const Checkpoint& c) { return !c.score; });
  std::stable_sort(found.begin(), found.end(), [&](const Checkpoint& a, const Checkpoint& b) {
    return is_better(options_.goal(), *a.score, *b.score);
  });
  return found;
}

std::optional<Checkpoint> Checkpoints::best() const {
  auto found = ranked();
  if (found.empty()) return std::nullopt;
  return found.front();
}

void Checkpoints::remove_others() const {
  const auto all = list();
  auto kept = ranked();
  kept.resize(std::min(kept.size(), static_cast<size_t>(options_.keep_best())));
  const size_t old = all.size() - std::min(all.size(), static_cast<size_t>(options_.keep_last()));
  kept.insert(kept.end(), all.begin() + static_cast<std::ptrdiff_t>(old), all.end());
  for (const Checkpoint& each : all) {
    const bool stays = std::any_of(kept.begin(), kept.end(), [&](const Checkpoint& k) { return k.path == each.path; });
    if (!stays) remove_file(each.path);
  }
}

}  // namespace strata::train
