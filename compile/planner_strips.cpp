// Which steps go through the same lines, and what of theirs needs no memory then.
#include <algorithm>
#include <numeric>
#include <set>

#include "compile/places.h"
#include "compile/planner.h"
#include "dispatcher/names.h"

namespace strata::func::compiling {
namespace {

/// Bytes of lines that go through all parts before the next do: half of a small second cache.
constexpr int64_t kStripBytes = 128 << 10;
/// Longer lines would not stay in a cache.
constexpr int64_t kMostLineBytes = 512 << 10;
/// A strip has at least so many elements, if there are as many, and there are several strips of more.
constexpr int64_t kLeastElements = 4096;
constexpr int64_t kStrips = 16;
/// Lines and chunks of what is reduced over all lines have to end together after so many elements.
constexpr int64_t kMostTogether = 1 << 15;

}  // namespace

/// A kernel that works line by line as a part of a strip, if it has such a loop for these operands.
std::optional<LineKernel> Planner::make_line_kernel(const Equation& e) const {
  ArgList args;
  for (Variable v : e.inputs)
    args.push_back(shapes_[v == Program::kNone ? shapes_.size() - 1 : static_cast<size_t>(v)]);
  const dispatch::LineLoop loop = dispatch::line_loop_of(*e.op, args, e.params.data());
  if (!loop.run || shapes_[e.outputs[0]].numel() == 0) return std::nullopt;
  LineKernel kernel{loop, e.params, {}, {}, {}, shapes_[e.outputs[0]].numel() / loop.length, loop.length};
  bool are_row_major = true;
  const auto add = [&](Variable v, dispatch::LineOperand operand, bool is_written) {
    constexpr Pattern kPatterns[] = {Pattern::full, Pattern::column, Pattern::row};
    if (v == Program::kNone) return int16_t{-1};
    are_row_major &= plan_->geometry_[v].row_major;
    const auto item = static_cast<uint8_t>(item_size(plan_->geometry_[v].dtype));
    kernel.memories.push_back({v, kPatterns[static_cast<int>(operand)], item, -1, is_written});
    return static_cast<int16_t>(kernel.memories.size() - 1);
  };
  for (size_t k = 0; k < e.inputs.size(); ++k) kernel.in.push_back(add(e.inputs[k], loop.in[k], false));
  for (size_t k = 0; k < e.outputs.size(); ++k) kernel.out.push_back(add(e.outputs[k], loop.out[k], true));
  return are_row_major ? std::optional(std::move(kernel)) : std::nullopt;
}

std::optional<Planner::Walk> Planner::walk_of(size_t step) const {
  const auto of_tape = [](const Tape& t) {
    Walk walk{&t.memories, t.rows, t.width, t.has_short_rows() ? t.width : 1};
    if (t.reduction) walk.line = t.reduction->length, walk.chunk = t.reduction->loop.chunk;
    return walk;
  };
  if (const Tape* const tape = std::get_if<Tape>(&plan_->steps_[step])) return of_tape(*tape);
  const auto found = in_strips_.find(step);
  if (found == in_strips_.end()) return std::nullopt;
  if (const Tape* const tape = std::get_if<Tape>(&found->second)) return of_tape(*tape);
  const auto& kernel = std::get<LineKernel>(found->second);
  return Walk{&kernel.memories, kernel.rows, kernel.width, 1, kernel.width};
}

Strip::Part Planner::part_of(size_t step, int64_t lines) const {
  const Tape* const tape = std::get_if<Tape>(&plan_->steps_[step]);
  const Walk walk = *walk_of(step);
  return {tape ? Strip::Work(*tape) : in_strips_.at(step), walk.numel() / lines, {}, walk.is_whole()};
}

/// Is what the step makes of some lines a function of what its inputs have there? `written` is what is not complete
/// before all lines are done.
bool Planner::is_by_lines(const Walk& walk, int64_t lines, const std::set<Variable>& written) const {
  if (walk.numel() % lines != 0) return false;
  const int64_t line = walk.numel() / lines;
  const bool has_lines =
      walk.is_whole() ? std::lcm(line, walk.chunk) <= kMostTogether : walk.line == 0 || line % walk.line == 0;
  if (!has_lines || line % walk.together != 0) return false;
  return std::all_of(walk.memories->begin(), walk.memories->end(), [&](const Memory& m) {
    const Geometry& g = plan_->geometry_[static_cast<size_t>(m.slot)];
    if (m.is_written || !written.count(g.root)) return true;
    const int64_t numel = numel_of(plan_->geometry_[g.root].sizes);
    if (m.pattern == Pattern::column) return g.offset == 0 && line % walk.width == 0 && numel == walk.rows;
    return m.pattern == Pattern::full && g.offset == 0 && numel == walk.numel();
  });
}

/// Random numbers that nothing of a run, which has `written` some variables, goes into.
bool Planner::can_come_before(size_t step, const std::set<Variable>& written) const {
  const KernelStep* const k = std::get_if<KernelStep>(&plan_->steps_[step]);
  return k && k->op->is(kRandom) && std::none_of(k->in.begin(), k->in.end(), [&](Variable v) {
           return static_cast<size_t>(v) < plan_->geometry_.size() && written.count(plan_->geometry_[v].root);
         });
}

/// The steps from `first` on that go through the same lines; none if there are not several that work on each other's,
/// or if there is nothing to gain.
Planner::Run Planner::run_from(size_t first) const {
  Run run;
  std::set<Variable> written;
  std::map<Variable, int64_t> bytes;  // of a line
  bool is_joined = false;
  const auto join = [&](size_t step, const Walk& walk) {
    run.parts.push_back(step);
    for (const Memory& m : *walk.memories) {
      const Variable root = plan_->geometry_[static_cast<size_t>(m.slot)].root;
      is_joined |= !m.is_written && written.count(root);
      if (m.is_written || m.pattern == Pattern::full) bytes[root] = bytes_of(root) / run.lines;
    }
    for (const Memory& m : *walk.memories)
      if (m.is_written) written.insert(static_cast<Variable>(m.slot));
    if (walk.is_whole()) run.step = std::lcm(run.step, walk.chunk / std::gcd(walk.chunk, walk.numel() / run.lines));
  };
  run.lines = lines_from(first);
  for (size_t i = first; run.lines > 1 && i < plan_->steps_.size(); ++i) {
    const std::optional<Walk> walk = walk_of(i);
    if (walk && is_by_lines(*walk, run.lines, written))
      join(i, *walk);
    else if (walk || !can_come_before(i, written))
      break;
  }
  for (const auto& [root, of_line] : bytes) run.line_bytes += of_line;
  const bool is_in_cache = run.lines * run.line_bytes <= kStripBytes;  // as a whole, without strips
  if (!is_joined || is_in_cache || run.line_bytes > kMostLineBytes) run.parts.clear();
  return run;
}

/// How many lines the steps from `first` on have in common, if they have any: those of the first one that has lines.
int64_t Planner::lines_from(size_t first) const {
  for (size_t i = first; i < plan_->steps_.size(); ++i) {
    const std::optional<Walk> walk = walk_of(i);
    if (!walk && !can_come_before(i, {})) break;
    if (walk && walk->line != 0 && walk->numel() > walk->line) return walk->numel() / walk->line;
  }
  return 0;
}

Strip Planner::make_strip(const Run& run, const std::vector<size_t>& last_use) {
  Strip strip;
  strip.lines = run.lines;
  int64_t longest = 1;
  std::map<Variable, size_t> last_part;  // of what is local
  for (size_t step : run.parts) {
    const Strip::Part& part = strip.parts.emplace_back(part_of(step, run.lines));
    longest = std::max(longest, part.line);
    for (const Memory& m : part.memories()) {
      const Variable root = plan_->geometry_[static_cast<size_t>(m.slot)].root;
      const bool is_of_lines = numel_of(plan_->geometry_[root].sizes) >= run.lines;
      const bool is_own =
          m.is_written && is_of_lines && plan_->source_[root] == Source::arena && last_use[root] <= run.parts.back();
      if (is_own || last_part.count(root)) last_part[root] = strip.parts.size() - 1;
    }
  }
  const int64_t several = std::max((run.lines + kStrips - 1) / kStrips, (kLeastElements + longest - 1) / longest);
  const int64_t height = std::clamp<int64_t>(kStripBytes / std::max<int64_t>(1, run.line_bytes), 1, several);
  strip.height = (height + run.step - 1) / run.step * run.step;
  Places places;
  std::map<Variable, int64_t> place;
  for (size_t p = 0; p < strip.parts.size(); ++p) {
    Strip::Part& part = strip.parts[p];
    if (auto* const tape = std::get_if<Tape>(&part.work))
      for (TapeOp& op : tape->ops) op.fetches = false;  // most of what a strip reads is in the cache
    for (Memory& m : part.memories()) {
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
  for (size_t i = 0; i < plan_->steps_.size(); ++i) {
    const Run run = run_from(i);
    if (run.parts.size() > 1) {
      for (auto part = run.parts.begin(); i < run.parts.back(); ++i)
        i == *part ? void(++part) : steps.push_back(std::move(plan_->steps_[i]));
      steps.emplace_back(make_strip(run, last_use));
    } else {
      steps.push_back(std::move(plan_->steps_[i]));
    }
  }
  plan_->steps_ = std::move(steps);
}

}  // namespace strata::func::compiling
