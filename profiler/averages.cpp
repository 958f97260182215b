// Rows of one name together, and their table.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "core/error.h"
#include "profiler/log.h"

namespace strata::profiler {
namespace {

struct Sums {
  std::vector<int64_t> self_cpu, self_cuda, cuda, self_memory;
};

bool is_host(const Event& e) { return !e.on_device(); }

/// What each host row has for itself. A row comes after the one it is part of.
Sums sums_of(const std::vector<Event>& events) {
  const size_t n = events.size();
  Sums s{std::vector<int64_t>(n), std::vector<int64_t>(n), std::vector<int64_t>(n), std::vector<int64_t>(n)};
  for (size_t i = 0; i < n; ++i) {
    const Event& e = events[i];
    if (is_host(e)) {
      s.self_cpu[i] += e.duration();
      s.self_memory[i] += e.memory;
    } else {
      s.self_cuda[i] = s.cuda[i] = e.duration();
    }
    if (e.parent == kNoEvent) continue;
    s.self_cpu[e.parent] -= is_host(e) ? e.duration() : 0;
    s.self_memory[e.parent] -= is_host(e) ? e.memory : 0;
  }
  for (size_t i = n; i-- > 0;)
    if (events[i].parent != kNoEvent) s.cuda[events[i].parent] += s.cuda[i];
  // A kernel's time is that of the op which started it, not of the CUDA call in between.
  for (size_t i = 0; i < n; ++i) {
    size_t p = events[i].parent;
    if (is_host(events[i]) || p == kNoEvent) continue;
    if (events[p].kind == EventKind::kRuntime && events[p].parent != kNoEvent) p = events[p].parent;
    s.self_cuda[p] += events[i].duration();
  }
  return s;
}

/// Is a row of this name around it? Then its time is in that one's already.
bool is_recursive(const std::vector<Event>& events, size_t i) {
  for (size_t p = events[i].parent; p != kNoEvent; p = events[p].parent)
    if (is_host(events[i]) && events[p].name == events[i].name) return true;
  return false;
}

std::string shapes_text(const Event& e) {
  std::string text = "[";
  for (const auto& shape : e.input_shapes)
    text += fmt::format("{}[{}]", text.size() > 1 ? ", " : "", fmt::join(shape, ", "));
  return text + "]";
}

struct Column {
  std::string_view key;  ///< torch.profiler's
  double (*value)(const Average&);
};
double per_call(int64_t ns, const Average& a) {
  return a.count ? static_cast<double>(ns) / static_cast<double>(a.count) : 0;
}
constexpr Column kColumns[] = {
    {"self_cpu_time_total", [](const Average& a) { return static_cast<double>(a.self_cpu_time); }},
    {"cpu_time_total", [](const Average& a) { return static_cast<double>(a.cpu_time); }},
    {"cpu_time", [](const Average& a) { return per_call(a.cpu_time, a); }},
    {"self_cuda_time_total", [](const Average& a) { return static_cast<double>(a.self_cuda_time); }},
    {"cuda_time_total", [](const Average& a) { return static_cast<double>(a.cuda_time); }},
    {"count", [](const Average& a) { return static_cast<double>(a.count); }},
    {"cpu_memory_usage", [](const Average& a) { return static_cast<double>(a.memory); }},
    {"self_cpu_memory_usage", [](const Average& a) { return static_cast<double>(a.self_memory); }},
};

const Column& column_of(std::string_view key) {
  std::string known;
  for (const Column& c : kColumns) {
    if (c.key == key) return c;
    known += (known.empty() ? "" : ", ") + std::string(c.key);
  }
  STRATA_THROW("profiler: cannot sort by '{}'; one of {} is wanted", key, known);
}

std::string time_text(double ns) {
  if (ns >= 1e9) return fmt::format("{:.3f}s", ns / 1e9);
  if (ns >= 1e6) return fmt::format("{:.3f}ms", ns / 1e6);
  return fmt::format("{:.3f}us", ns / 1e3);
}
std::string time_text(int64_t ns) { return time_text(static_cast<double>(ns)); }

}  // namespace

std::string bytes_text(int64_t bytes) {
  const double b = static_cast<double>(bytes), size = b < 0 ? -b : b;
  if (size >= 1 << 30) return fmt::format("{:.2f} GB", b / (1 << 30));
  if (size >= 1 << 20) return fmt::format("{:.2f} MB", b / (1 << 20));
  if (size >= 1 << 10) return fmt::format("{:.2f} KB", b / (1 << 10));
  return fmt::format("{} B", bytes);
}

namespace {

std::string percent(int64_t part, int64_t whole) {
  return whole ? fmt::format("{:.2f}%", 100.0 * static_cast<double>(part) / static_cast<double>(whole)) : "-";
}

/// Names of kernels are long: all of one stands in the trace.
std::string shortened(const std::string& name) {
  constexpr size_t kMost = 55;
  return name.size() <= kMost ? name : name.substr(0, kMost - 3) + "...";
}

/// Which columns the rows have anything for.
struct Shown {
  bool cuda = false, memory = false, shapes = false, modules = false;
};

Line heading(const Shown& shown) {
  Line l = {"Name", "Self CPU %", "Self CPU", "CPU total %", "CPU total", "CPU time avg"};
  if (shown.cuda) l.insert(l.end(), {"Self CUDA", "Self CUDA %", "CUDA total", "CUDA time avg"});
  if (shown.memory) l.insert(l.end(), {"Mem", "Self Mem"});
  l.push_back("# of Calls");
  if (shown.shapes) l.push_back("Input Shapes");
  if (shown.modules) l.push_back("Module");
  return l;
}

Line line_of(const Average& a, const Shown& shown, int64_t cpu, int64_t cuda) {
  Line l = {shortened(a.key),         percent(a.self_cpu_time, cpu), time_text(a.self_cpu_time),
            percent(a.cpu_time, cpu), time_text(a.cpu_time),         time_text(per_call(a.cpu_time, a))};
  if (shown.cuda)
    l.insert(l.end(), {time_text(a.self_cuda_time), percent(a.self_cuda_time, cuda), time_text(a.cuda_time),
                       time_text(per_call(a.cuda_time, a))});
  if (shown.memory) l.insert(l.end(), {bytes_text(a.memory), bytes_text(a.self_memory)});
  l.push_back(std::to_string(a.count));
  if (shown.shapes) l.push_back(a.input_shapes);
  if (shown.modules) l.push_back(a.module);
  return l;
}

}  // namespace

std::string aligned(const std::vector<Line>& lines) {
  std::vector<size_t> widths(lines[0].size());
  for (const Line& l : lines)
    for (size_t i = 0; i < l.size(); ++i) widths[i] = std::max(widths[i], l[i].size());
  std::string rule;
  for (const size_t w : widths) rule += std::string(w, '-') + "  ";
  std::string text = rule + "\n";
  for (size_t n = 0; n < lines.size(); ++n) {
    for (size_t i = 0; i < widths.size(); ++i)
      text += i ? fmt::format("{:>{}}  ", lines[n][i], widths[i]) : fmt::format("{:<{}}  ", lines[n][i], widths[i]);
    text += "\n";
    if (n == 0) text += rule + "\n";
  }
  return text + rule + "\n";
}

std::vector<Average> averages_of(const std::vector<Event>& events, bool by_shape, bool by_module) {
  const Sums sums = sums_of(events);
  std::map<std::tuple<std::string, std::string, std::string>, Average> groups;
  for (size_t i = 0; i < events.size(); ++i) {
    const Event& e = events[i];
    const std::string shapes = by_shape && is_host(e) ? shapes_text(e) : "";
    const std::string module = by_module ? e.module : "";
    Average& a = groups[{e.name, shapes, module}];
    a.key = e.name;
    a.input_shapes = shapes;
    a.module = module;
    ++a.count;
    a.self_cpu_time += sums.self_cpu[i];
    a.self_cuda_time += sums.self_cuda[i];
    a.self_memory += sums.self_memory[i];
    if (is_recursive(events, i)) continue;
    a.cpu_time += is_host(e) ? e.duration() : 0;
    a.cuda_time += sums.cuda[i];
    a.memory += e.memory;
  }
  std::vector<Average> list;
  for (auto& [key, average] : groups) list.push_back(std::move(average));
  return list;
}

std::string table_of(const std::vector<Event>& events, std::string_view sort_by, size_t row_limit, bool by_shape,
                     bool by_module) {
  const Column& column = column_of(sort_by);
  std::vector<Average> rows = averages_of(events, by_shape, by_module);
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const Average& a, const Average& b) { return column.value(a) > column.value(b); });
  Shown shown{false, false, by_shape, by_module};
  int64_t cpu = 0, cuda = 0;
  for (const Average& a : rows) {
    cpu += a.self_cpu_time;
    shown.memory |= a.memory != 0 || a.self_memory != 0;
  }
  for (const Event& e : events)
    if (e.on_device()) cuda += e.duration();
  shown.cuda = cuda != 0;
  std::vector<Line> lines = {heading(shown)};
  for (size_t i = 0; i < std::min(rows.size(), row_limit); ++i) lines.push_back(line_of(rows[i], shown, cpu, cuda));
  std::string text = aligned(lines) + "Self CPU time total: " + time_text(cpu) + "\n";
  return shown.cuda ? text + "Self CUDA time total: " + time_text(cuda) + "\n" : text;
}

}  // namespace strata::profiler
