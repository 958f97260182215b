// Which tapes go through the same lines, and what of theirs needs no memory then.
#include <algorithm>
#include <set>

#include "compile/places.h"
#include "compile/planner.h"
#include "dispatcher/names.h"

namespace strata::func::compiling {
namespace {

/// Bytes of lines that go through all tapes before the next do: half of a small second cache.
constexpr int64_t kStripBytes = 128 << 10;
/// Longer lines would not stay in a cache.
constexpr int64_t kMostLineBytes = 512 << 10;
/// A strip has at least so many elements, if there are as many, and there are several strips of more.
constexpr int64_t kLeastElements = 4096;
constexpr int64_t kStrips = 16;

}  // namespace

/// The step as a tape, if it is one or can be.
const Tape* Planner::tape_of(size_t step) const {
  if (const Tape* const tape = std::get_if<Tape>(&plan_->steps_[step])) return tape;
  const auto found = as_tapes_.find(step);
  return found == as_tapes_.end() ? nullptr : &found->second;
}

/// Is what the tape makes of some lines a function of what its inputs have there? `written` is what is not complete
/// before all lines are done.
bool Planner::is_by_lines(const Tape& tape, int64_t lines, const std::set<Variable>& written) const {
  if (tape.numel() % lines != 0) return false;
  const int64_t line = tape.numel() / lines;
  if ((tape.has_short_rows() && line % tape.width != 0) || (tape.reduction && line % tape.reduction->length != 0))
    return false;
  return std::all_of(tape.memories.begin(), tape.memories.end(), [&](const Memory& m) {
    const Geometry& g = plan_->geometry_[static_cast<size_t>(m.slot)];
    if (m.is_written || !written.count(g.root)) return true;
    const int64_t numel = numel_of(plan_->geometry_[g.root].sizes);
    if (m.pattern == Pattern::column) return g.offset == 0 && line % tape.width == 0 && numel == tape.rows;
    return m.pattern == Pattern::full && g.offset == 0 && numel == tape.numel();
  });
}

/// The tapes from `first` on that go through the same lines: up to which step, and how many lines; none if there are
/// not several that work on each other's, or if there is nothing to gain.
Planner::Run Planner::run_from(size_t first) const {
  int64_t lines = 0;
  for (size_t i = first; i < plan_->steps_.size() && tape_of(i) && lines <= 1; ++i)
    if (const std::optional<Reduction>& r = tape_of(i)->reduction) lines = tape_of(i)->numel() / r->length;
  Run run{first, lines};
  std::set<Variable> written;
  std::map<Variable, int64_t> bytes;  // of a line
  bool is_joined = false;
  for (; lines > 1 && run.last < plan_->steps_.size(); ++run.last) {
    const Tape* const tape = tape_of(run.last);
    if (!tape || !is_by_lines(*tape, lines, written)) break;
    for (const Memory& m : tape->memories) {
      const Variable root = plan_->geometry_[static_cast<size_t>(m.slot)].root;
      is_joined |= !m.is_written && written.count(root);
      if (m.is_written || m.pattern == Pattern::full) bytes[root] = bytes_of(root) / lines;
    }
    for (const Memory& m : tape->memories)
      if (m.is_written) written.insert(static_cast<Variable>(m.slot));
  }
  for (const auto& [root, of_line] : bytes) run.line_bytes += of_line;
  const bool is_in_cache = run.lines * run.line_bytes <= kStripBytes;  // as a whole, without strips
  if (!is_joined || is_in_cache || run.line_bytes > kMostLineBytes) run.last = first;
  return run;
}

Strip Planner::make_strip(size_t first, const Run& run, const std::vector<size_t>& last_use) {
  Strip strip;
  strip.lines = run.lines;
  int64_t longest = 1;
  std::map<Variable, size_t> last_part;  // of what is local
  for (size_t i = first; i < run.last; ++i) {
    const Tape& tape = strip.parts.emplace_back(Strip::Part{*tape_of(i), tape_of(i)->numel() / run.lines, {}}).tape;
    longest = std::max(longest, strip.parts.back().line);
    for (const Memory& m : tape.memories) {
      const Variable root = plan_->geometry_[static_cast<size_t>(m.slot)].root;
      const bool is_own = m.is_written && plan_->source_[root] == Source::arena && last_use[root] < run.last;
      if (is_own || last_part.count(root)) last_part[root] = strip.parts.size() - 1;
    }
  }
  const int64_t several = std::max((run.lines + kStrips - 1) / kStrips, (kLeastElements + longest - 1) / longest);
  strip.height = std::clamp<int64_t>(kStripBytes / std::max<int64_t>(1, run.line_bytes), 1, several);
  Places places;
  std::map<Variable, int64_t> place;
  for (size_t p = 0; p < strip.parts.size(); ++p) {
    Strip::Part& part = strip.parts[p];
    for (Memory& m : part.tape.memories) {
      const Variable root = plan_->geometry_[static_cast<size_t>(m.slot)].root;
      m.is_local = last_part.count(root) != 0;
      if (m.is_local && m.is_written) place[root] = places.take(bytes_of(root) / run.lines * strip.height);
      part.places.push_back(m.is_local ? place.at(root) : -1);
    }
    for (const auto& [root, last] : last_part)
      if (last == p) places.give(place.at(root), bytes_of(root) / run.lines * strip.height);
  }
  for (const auto& [root, last] : last_part) plan_->source_[root] = Source::none;
  strip.scratch = std::max<int64_t>(1, places.size());
  return strip;
}

/// Note [Strips].
void Planner::form_strips() {
  const std::vector<size_t> last_use = find_last_uses();
  std::vector<Plan::Step> steps;
  for (size_t i = 0; i < plan_->steps_.size();) {
    const Run run = run_from(i);
    if (run.last - i > 1) {
      steps.emplace_back(make_strip(i, run, last_use));
      i = run.last;
    } else {
      steps.push_back(std::move(plan_->steps_[i++]));
    }
  }
  plan_->steps_ = std::move(steps);
}

}  // namespace strata::func::compiling
