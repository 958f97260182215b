// What held memory when most of it was in use: by op, by module, and as a flame graph.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "core/allocation_observer.h"
#include "core/allocator.h"
#include "profiler/log.h"

namespace strata::profiler {
namespace {

/// Writes to the session that is watched. One object for ever, as threads may be in it while a session ends.
class Watcher : public AllocationObserver {
 public:
  static Watcher& get() {
    static Watcher& watcher = *new Watcher;
    return watcher;
  }
  void watch(std::shared_ptr<Session> session) {
    set_allocation_observer(session ? this : nullptr);
    const std::lock_guard guard(lock_);
    session_ = std::move(session);
    if (session_) session_->memory_before = memory_stats().in_use;
  }
  void taken(const void* buffer, size_t bytes) noexcept override { note(buffer, static_cast<int64_t>(bytes)); }
  void given_back(const void* buffer, size_t bytes) noexcept override { note(buffer, -static_cast<int64_t>(bytes)); }

 private:
  void note(const void* buffer, int64_t bytes) noexcept try {
    const ThreadLog* const log = find_thread_log();
    const uint64_t range = log && log->size() ? range_id(log->index(), log->size() - 1) : 0;
    const std::lock_guard guard(lock_);
    if (session_) session_->memory.push_back({buffer, steady_now(), bytes, range});
  } catch (const std::exception&) {  // no memory for a note: the profile says too little, the program goes on
  }
  std::mutex lock_;
  std::shared_ptr<Session> session_;
};

/// Where in the changes most is in use; 0 is before the first.
size_t find_peak(const Session& session, MemoryPeak& peak) {
  int64_t now = session.memory_before;
  peak.bytes = now;
  size_t at = 0;
  for (size_t i = 0; i < session.memory.size(); ++i) {
    now += session.memory[i].bytes;
    if (now <= peak.bytes) continue;
    peak.bytes = now;
    peak.time = session.memory[i].time - session.begin;
    at = i + 1;
  }
  return at;
}

MemoryHolder holder_at(size_t event, const std::vector<Event>& events) {
  MemoryHolder holder;
  if (event == kNoEvent) return holder;
  holder.op = events[event].name;
  holder.module = events[event].module;
  for (size_t e = event; e != kNoEvent; e = events[e].parent) holder.stack.push_back(events[e].name);
  std::reverse(holder.stack.begin(), holder.stack.end());
  return holder;
}

/// A box of the flame graph, and those above it.
struct Box {
  int64_t bytes = 0;
  std::map<std::string, Box> inside;
  size_t height() const {
    size_t most = 0;
    for (const auto& [name, box] : inside) most = std::max(most, box.height());
    return most + 1;
  }
};

Box boxes_of(const MemoryPeak& peak) {
  Box root;
  const auto add = [&root](const std::vector<std::string>& stack, int64_t bytes) {
    Box* at = &root;
    at->bytes += bytes;
    for (const std::string& name : stack) {
      at = &at->inside[name];
      at->bytes += bytes;
    }
  };
  if (peak.before > 0) add({"before the profile"}, peak.before);
  for (const MemoryHolder& h : peak.holders)
    add(h.stack.empty() ? std::vector<std::string>{"outside of ops"} : h.stack, h.bytes);
  return root;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

/// Draws boxes upwards from the bottom of the picture.
class FlameGraph {
 public:
  explicit FlameGraph(const Box& root)
      : whole_(std::max<int64_t>(root.bytes, 1)), top_(root.height() * kRow + kTitle) {}
  std::string text(const Box& root) {
    draw("peak", root, 0, 0);
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        "<text x=\"8\" y=\"20\" font-size=\"15\">Memory at the peak: {2}</text>\n{3}</svg>\n",
        kWidth, top_ + kMargin, bytes_text(root.bytes), out_);
  }

 private:
  static constexpr size_t kRow = 20, kTitle = 34, kMargin = 8;
  static constexpr double kWidth = 1200, kLetter = 6.6;  // pixels

  void draw(const std::string& name, const Box& box, double x, size_t depth) {
    const double width = kWidth * static_cast<double>(box.bytes) / static_cast<double>(whole_);
    if (width < 0.3) return;
    const size_t y = top_ - (depth + 1) * kRow;
    const std::string bytes = bytes_text(box.bytes);
    out_ += fmt::format(
        "<g><title>{0}: {1} ({2:.1f} %)</title><rect x=\"{3:.1f}\" y=\"{4}\" width=\"{5:.1f}\" height=\"{6}\" "
        "fill=\"hsl({7}, 70%, 75%)\" stroke=\"white\"/>",
        escaped(name), bytes, 100.0 * static_cast<double>(box.bytes) / static_cast<double>(whole_), x, y, width, kRow,
        hue(name));
    const auto letters = static_cast<size_t>(std::max(0.0, (width - 8) / kLetter));
    std::string label = name + " " + bytes;
    if (label.size() > letters) label = letters > 4 ? label.substr(0, letters - 2) + ".." : "";
    if (!label.empty()) out_ += fmt::format("<text x=\"{:.1f}\" y=\"{}\">{}</text>", x + 4, y + 14, escaped(label));
    out_ += "</g>\n";
    for (const auto& [inner, next] : box.inside) {
      draw(inner, next, x, depth + 1);
      x += kWidth * static_cast<double>(next.bytes) / static_cast<double>(whole_);
    }
  }
  /// Warm colours, one for each name.
  static unsigned hue(const std::string& name) {
    unsigned sum = 7;
    for (const char c : name) sum = sum * 31 + static_cast<unsigned char>(c);
    return sum % 60;
  }

  const int64_t whole_;
  const size_t top_;
  std::string out_;
};

std::string table_by(const MemoryPeak& peak, const char* heading, std::string MemoryHolder::*key, size_t row_limit) {
  std::map<std::string, std::pair<int64_t, int64_t>> sums;
  for (const MemoryHolder& h : peak.holders) {
    auto& [bytes, count] = sums[(h.*key).empty() ? "(none)" : h.*key];
    bytes += h.bytes;
    count += h.count;
  }
  std::vector<std::pair<std::string, std::pair<int64_t, int64_t>>> rows(sums.begin(), sums.end());
  if (peak.before > 0) rows.push_back({"(before the profile)", {peak.before, 0}});
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.second.first > b.second.first; });
  std::vector<Line> lines = {{heading, "Bytes", "%", "# of Buffers"}};
  for (size_t i = 0; i < std::min(rows.size(), row_limit); ++i) {
    const auto& [name, sum] = rows[i];
    const double share = 100.0 * static_cast<double>(sum.first) / static_cast<double>(std::max<int64_t>(peak.bytes, 1));
    lines.push_back(
        {name, bytes_text(sum.first), fmt::format("{:.1f}%", share), sum.second ? std::to_string(sum.second) : "-"});
  }
  return aligned(lines);
}

}  // namespace

void watch_memory(const std::shared_ptr<Session>& session) { Watcher::get().watch(session); }

MemoryPeak peak_of(const Session& session, const std::vector<Event>& events) {
  MemoryPeak peak;
  const size_t end = find_peak(session, peak);
  std::unordered_map<const void*, size_t> alive;  // to the change that took it
  for (size_t i = 0; i < end; ++i) {
    const MemoryChange& change = session.memory[i];
    if (change.bytes > 0)
      alive[change.buffer] = i;
    else
      alive.erase(change.buffer);
  }
  std::map<size_t, std::pair<int64_t, int64_t>> by_event;
  peak.before = peak.bytes;
  for (const auto& [buffer, i] : alive) {
    auto& [bytes, count] = by_event[session.memory[i].event];
    bytes += session.memory[i].bytes;
    ++count;
    peak.before -= session.memory[i].bytes;
  }
  std::map<std::vector<std::string>, MemoryHolder> holders;
  for (const auto& [event, sum] : by_event) {
    MemoryHolder at = holder_at(event, events);
    MemoryHolder& h = holders.try_emplace(at.stack, at).first->second;
    h.bytes += sum.first;
    h.count += sum.second;
  }
  for (auto& [stack, holder] : holders) peak.holders.push_back(std::move(holder));
  std::stable_sort(peak.holders.begin(), peak.holders.end(),
                   [](const MemoryHolder& a, const MemoryHolder& b) { return a.bytes > b.bytes; });
  return peak;
}

std::string memory_table_of(const MemoryPeak& peak, size_t row_limit) {
  return fmt::format("Memory at the peak: {}, {:.3f}ms after the start\n", bytes_text(peak.bytes),
                     static_cast<double>(peak.time) / 1e6) +
         table_by(peak, "Op", &MemoryHolder::op, row_limit) +
         table_by(peak, "Module", &MemoryHolder::module, row_limit);
}

std::string flame_graph_of(const MemoryPeak& peak) {
  const Box root = boxes_of(peak);
  return FlameGraph(root).text(root);
}

}  // namespace strata::profiler
