// The ring of last collectives, and its text.
#include "distributed/flight_recorder.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"

namespace strata::distributed {
namespace {

using strata::detail::format_message;
using OrderedJson = nlohmann::ordered_json;
constexpr size_t kShortLine = 4;

uint64_t packed(const Collective& c, size_t group) {
  return static_cast<uint64_t>(group) << 32 | static_cast<uint64_t>(c.kind) << 16 |
         static_cast<uint64_t>(c.dtype) << 8 | static_cast<uint64_t>(c.op);
}

/// Seconds of the Unix epoch at a time of the steady clock.
double unix_time(int64_t steady) {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  const int64_t now = std::chrono::duration_cast<std::chrono::nanoseconds>(since_epoch).count();
  return static_cast<double>(now - (FlightRecorder::now() - steady)) * 1e-9;
}

std::string in_milliseconds(int64_t ns) {
  char text[64];
  std::snprintf(text, sizeof text, "%.3f", static_cast<double>(ns) * 1e-6);
  return text;
}

/// To the digits that are more than noise.
double rounded(double value, double digits) { return std::round(value * digits) / digits; }

/// A line; what is no UTF-8 of a failure's text is replaced.
std::string line_of(const OrderedJson& json) {
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

OrderedJson as_json(const FlightEntry& e) {
  OrderedJson json = {{"id", e.id},
                      {"group", e.group},
                      {"sequence", e.sequence},
                      {"op", name(e.kind)},
                      {"dtype", name(e.dtype)},
                      {"in_count", e.in_count},
                      {"out_count", e.out_count},
                      {"root", e.root}};
  if (is_reduction(e.kind)) json["reduce_op"] = name(e.op);
  json["state"] = e.is_finished ? "finished" : "started";
  json["start"] = rounded(unix_time(e.start), 1e6);
  const int64_t until = e.is_finished ? e.end : FlightRecorder::now();
  json["milliseconds"] = rounded(static_cast<double>(until - e.start) * 1e-6, 1e3);
  return json;
}

/// The name is there once all of it is on the disk.
bool write_whole(const std::string& path, const std::string& text) {
  const std::string draft = path + ".part";
  const int fd = open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return false;
  size_t at = 0;
  while (at < text.size()) {
    const ssize_t written = write(fd, text.data() + at, text.size() - at);
    if (written <= 0) break;
    at += static_cast<size_t>(written);
  }
  const bool is_whole = at == text.size() && fsync(fd) == 0;
  return (close(fd) == 0 && is_whole) && std::rename(draft.c_str(), path.c_str()) == 0;
}

const char* restarts() {
  const char* const count = std::getenv("TORCHELASTIC_RESTART_COUNT");
  return count && *count ? count : "0";
}

}  // namespace

FlightRecorder::FlightRecorder(size_t entries)
    : size_(entries == 0 ? 0 : std::bit_ceil(entries)), slots_(std::make_unique<Slot[]>(size_)) {}

size_t FlightRecorder::default_entries() {
  const char* const text = std::getenv("STRATA_FLIGHT_RECORDER");
  return text && *text ? static_cast<size_t>(std::clamp(std::atoll(text), 0LL, 1LL << 20)) : 64;
}

int64_t FlightRecorder::now() {
  const auto since_boot = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since_boot).count();
}

size_t FlightRecorder::add_group(const std::string& name) {
  const std::lock_guard lock(names_mutex_);
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) return names_.push_back(name), names_.size() - 1;
  return static_cast<size_t>(found - names_.begin());
}

uint64_t FlightRecorder::begin(const Collective& c, int64_t sequence, size_t group, int64_t now) {
  const uint64_t id = next_.fetch_add(1, std::memory_order_relaxed) + 1;
  if (size_ == 0) return id;
  Slot& slot = slots_[id & (size_ - 1)];
  slot.id.store(0, std::memory_order_release);
  slot.sequence.store(sequence, std::memory_order_release);
  slot.root.store(c.root, std::memory_order_release);
  slot.in_count.store(c.in_count, std::memory_order_release);
  slot.out_count.store(c.out_count, std::memory_order_release);
  slot.start.store(now, std::memory_order_release);
  slot.end.store(0, std::memory_order_release);
  slot.what.store(packed(c, group), std::memory_order_release);
  slot.id.store(id, std::memory_order_release);
  return id;
}

void FlightRecorder::end(uint64_t id, int64_t now) {
  if (size_ == 0) return;
  Slot& slot = slots_[id & (size_ - 1)];
  if (slot.id.load(std::memory_order_relaxed) == id) slot.end.store(now, std::memory_order_release);
}

/// Every store of a writer is a release, so whoever reads a field of a newer entry then reads another id.
bool FlightRecorder::read(const Slot& slot, FlightEntry& e) const {
  e.id = slot.id.load(std::memory_order_acquire);
  if (e.id == 0) return false;
  e.sequence = slot.sequence.load(std::memory_order_acquire);
  e.root = slot.root.load(std::memory_order_acquire);
  e.in_count = slot.in_count.load(std::memory_order_acquire);
  e.out_count = slot.out_count.load(std::memory_order_acquire);
  e.start = slot.start.load(std::memory_order_acquire);
  e.end = slot.end.load(std::memory_order_acquire);
  const uint64_t what = slot.what.load(std::memory_order_acquire);
  e.is_finished = e.end != 0;
  e.kind = static_cast<CollectiveKind>(what >> 16 & 0xff);
  e.dtype = static_cast<DType>(what >> 8 & 0xff);
  e.op = static_cast<ReduceOp>(what & 0xff);
  const std::lock_guard lock(names_mutex_);
  if (what >> 32 < names_.size()) e.group = names_[what >> 32];
  return slot.id.load(std::memory_order_acquire) == e.id;
}

std::vector<FlightEntry> FlightRecorder::entries() const {
  std::vector<FlightEntry> all;
  for (size_t i = 0; i < size_; ++i)
    if (FlightEntry entry; read(slots_[i], entry)) all.push_back(std::move(entry));
  std::sort(all.begin(), all.end(), [](const FlightEntry& a, const FlightEntry& b) { return a.id < b.id; });
  return all;
}

std::string as_json_lines(const std::vector<FlightEntry>& entries, const FlightDump& about) {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  std::string text = line_of({{"version", 1},
                              {"rank", about.rank},
                              {"world_size", about.world_size},
                              {"group", about.group},
                              {"host", host},
                              {"pid", getpid()},
                              {"restart", restarts()},
                              {"time", rounded(unix_time(FlightRecorder::now()), 1e6)},
                              {"failure", about.failure}});
  for (const FlightEntry& e : entries) text += line_of(as_json(e));
  return text;
}

std::string as_short_line(const std::vector<FlightEntry>& entries, const FlightDump& about) {
  std::string text =
      format_message("strata: rank {} of {}: {} Last here:", {about.rank, about.world_size, about.failure});
  if (entries.empty()) text += " nothing";
  for (size_t i = entries.size() - std::min(entries.size(), kShortLine); i < entries.size(); ++i) {
    const FlightEntry& e = entries[i];
    text += format_message(" {} (call {} of {}, {} of {}, ",
                           {name(e.kind), e.sequence, e.group, std::max(e.in_count, e.out_count), name(e.dtype)});
    text += e.is_finished ? in_milliseconds(e.end - e.start) + " ms)" : "not finished)";
    if (i + 1 < entries.size()) text += ",";
  }
  return text + "\n";
}

std::string dump(const std::vector<FlightEntry>& entries, const FlightDump& about) noexcept {
  try {
    const char* const folder = std::getenv("STRATA_FLIGHT_RECORDER_DIR");
    if (!folder || !*folder) {
      const std::string line = as_short_line(entries, about);
      [[maybe_unused]] const ssize_t written = write(2, line.data(), line.size());
      return "";
    }
    std::error_code ignored;
    std::filesystem::create_directories(folder, ignored);
    std::string group = about.group;
    std::replace(group.begin(), group.end(), '/', '_');
    const std::string path = format_message("{}/{}.restart{}.rank{}.jsonl", {folder, group, restarts(), about.rank});
    if (write_whole(path, as_json_lines(entries, about))) return path;
    const std::string line = "strata: the flight recorder cannot write " + path + "\n";
    [[maybe_unused]] const ssize_t written = write(2, line.data(), line.size());
  } catch (...) {  // no memory, perhaps; what failed first matters more
  }
  return "";
}

}  // namespace strata::distributed
