// Where everything of a plan lies: places in the arena, blocks, and results over what is dead.
#include <algorithm>
#include <map>
#include <set>

#include "compile/places.h"
#include "compile/planner.h"
#include "dispatcher/names.h"

namespace strata::func::compiling {
namespace {

/// Values from here on have memory of their own, which costs less than a hundredth of the time that computing them
/// does.
constexpr int64_t kLarge = int64_t{1} << 18;

enum class Access { read, written };

template <class Step, class F>
void for_each_of(const Step& step, Access access, F f) {
  for (Variable v : access == Access::read ? step.in : step.out) f(v);
}
template <class F>
void for_each_of(const Tape& tape, Access access, F f) {
  for (const Memory& m : tape.memories)
    if (m.is_written == (access == Access::written)) f(m.slot);
}
template <class F>
void for_each_of(const Strip& strip, Access access, F f) {
  for (const Strip::Part& part : strip.parts)
    for (const Memory& m : part.memories())
      if (!m.is_local && m.is_written == (access == Access::written)) f(m.slot);
}

using Step = std::variant<KernelStep, Tape, Strip, NestedStep>;
template <class F>
void for_each_read(const Step& step, F f) {
  std::visit([&](const auto& s) { for_each_of(s, Access::read, f); }, step);
}
template <class F>
void for_each_written(const Step& step, F f) {
  std::visit([&](const auto& s) { for_each_of(s, Access::written, f); }, step);
}

}  // namespace

/// The root of the variable if its memory is of the arena.
Variable Planner::arena_root(Variable v) const {
  if (v == static_cast<Variable>(plan_->source_.size())) return Program::kNone;
  const Variable root = plan_->geometry_[v].root;
  return plan_->source_[root] == Source::arena ? root : Program::kNone;
}

/// The root of the variable if its memory is the program's once nothing reads it any more.
Variable Planner::dead_root(Variable v) const {
  if (v == static_cast<Variable>(plan_->source_.size())) return Program::kNone;
  const Variable root = plan_->geometry_[v].root;
  const bool is_given = is_donated_[root] && plan_->source_[root] == Source::input && is_large(root);
  return is_given ? root : arena_root(v);
}

/// Would the elements of `out` lie each where that of `in` does, and nothing else there?
bool Planner::can_lie_over(Variable out, Variable in) const {
  const Geometry &from = plan_->geometry_[in], &to = plan_->geometry_[out];
  const Variable root = dead_root(in);
  if (root == Program::kNone || bytes_of(in) != bytes_of(root) || (in != root && plan_->source_[root] == Source::arena))
    return false;
  const bool is_placed =
      plan_->source_[out] == Source::arena || (plan_->source_[out] == Source::fresh && is_large(out));
  // What the caller gets may lie in memory that was the caller's, not in what is kept between runs.
  const bool may_keep = plan_->source_[root] == Source::input || plan_->source_[out] == Source::arena;
  return is_placed && may_keep && from.row_major && to.row_major && from.sizes == to.sizes &&
         item_size(from.dtype) == item_size(to.dtype);
}

std::vector<Planner::Overwrite> Planner::overwrites(const KernelStep& k) const {
  std::vector<Overwrite> found;
  if (!k.op->is(kPointwise) || k.out.size() != 1) return found;
  for (Variable v : k.in) {
    const Variable root = dead_root(v);
    const auto is_apart = [&](Variable other) { return other == v || dead_root(other) != root; };
    if (root != Program::kNone && can_lie_over(k.out[0], v) && std::all_of(k.in.begin(), k.in.end(), is_apart))
      found.push_back({k.out[0], v});
  }
  return found;
}

/// Ops of a tape take turns on each tile, so none may read what an earlier one has written over.
std::vector<Planner::Overwrite> Planner::overwrites(const Tape& tape) const {
  std::vector<Overwrite> found;
  const auto reads = [&](const TapeOp& op, size_t m) {
    return std::find(op.in, op.in + op.inputs, static_cast<int16_t>(m)) != op.in + op.inputs;
  };
  const auto can_be_over = [&](const TapeOp& writer, size_t in) {
    const Memory& from = tape.memories[in];
    const Memory& to = tape.memories[static_cast<size_t>(writer.out)];
    if (from.is_written || from.pattern != Pattern::full || from.item != to.item || !can_lie_over(to.slot, from.slot))
      return false;
    if (tape.reduction && tape.reduction->operand == static_cast<int16_t>(in)) return false;
    const auto is_apart = [&](const Memory& m) {
      return m.slot == from.slot || dead_root(m.slot) != dead_root(from.slot);
    };
    return std::all_of(tape.memories.begin(), tape.memories.end(), is_apart) &&
           std::none_of(&writer + 1, tape.ops.data() + tape.ops.size(),
                        [&](const TapeOp& later) { return reads(later, in); });
  };
  for (const TapeOp& op : tape.ops) {
    if (static_cast<size_t>(op.out) >= tape.memories.size()) continue;
    for (size_t m = 0; m < tape.memories.size(); ++m)
      if (can_be_over(op, m)) found.push_back({tape.memories[static_cast<size_t>(op.out)].slot, tape.memories[m].slot});
  }
  return found;
}

/// Later parts go through a line when earlier ones have written there.
std::vector<Planner::Overwrite> Planner::overwrites(const Strip& strip) const {
  std::vector<Overwrite> found;
  for (size_t p = 0; p < strip.parts.size(); ++p) {
    const Tape* const tape = std::get_if<Tape>(&strip.parts[p].work);
    if (!tape) continue;
    for (const Overwrite& o : overwrites(*tape)) {
      const auto is_apart = [&](size_t part, const Memory& m) {
        if (m.is_local || dead_root(m.slot) != dead_root(o.in)) return true;
        return part <= p && m.slot == o.in && m.pattern == Pattern::full;
      };
      bool are_apart = true;
      for (size_t part = 0; part < strip.parts.size(); ++part)
        for (const Memory& m : strip.parts[part].memories()) are_apart &= is_apart(part, m);
      if (are_apart) found.push_back(o);
    }
  }
  return found;
}

void Planner::overwrite(const Overwrite& o, std::vector<size_t>& last_use) {
  const Variable root = dead_root(o.in);
  Geometry& out = plan_->geometry_[o.out];
  if (plan_->source_[root] == Source::arena) {
    out.offset = plan_->geometry_[root].offset;
    out.block = plan_->geometry_[root].block;
    return;
  }
  for (Geometry& g : plan_->geometry_)
    if (g.root == o.out) g.root = root;
  plan_->source_[o.out] = Source::view;
  last_use[root] = last_use[o.out];
}

/// Lays results of an element-wise step where inputs lie that nothing needs any more; each result's input.
std::map<Variable, Variable> Planner::overwrite_dead(size_t now, std::vector<size_t>& last_use) {
  std::map<Variable, Variable> in_of;
  std::set<Variable> taken;
  const auto all = std::visit([&](const auto& step) { return overwrites(step); }, plan_->steps_[now]);
  for (const Overwrite& o : all) {
    const Variable root = dead_root(o.in);
    if (last_use[root] != now || in_of.count(o.out) || !taken.insert(root).second) continue;
    in_of[o.out] = root;
    overwrite(o, last_use);
  }
  return in_of;
}

/// The last step that touches what each root has; the number of steps for what is needed after them.
std::vector<size_t> Planner::find_last_uses() const {
  std::vector<size_t> last(plan_->source_.size() + 1, 0);
  const auto root = [&](Variable v) {
    return static_cast<size_t>(v) < plan_->source_.size() ? plan_->geometry_[v].root : v;
  };
  const size_t steps = plan_->steps_.size();
  for (size_t i = 0; i < steps; ++i) {
    const auto note = [&](Variable v) { last[root(v)] = i; };
    for_each_read(plan_->steps_[i], note);
    for_each_written(plan_->steps_[i], note);
  }
  for (Variable v : program_.outputs())
    if (v != Program::kNone) last[root(v)] = steps;
  for (const Program::Effect& e : program_.effects()) last[root(e.target)] = steps;
  for (const Program::Effect& e : plan_->effects_) last[root(e.value)] = steps;
  return last;
}

int64_t Planner::bytes_of(Variable root) const {
  const Geometry& g = plan_->geometry_[root];
  return checked_mul(numel_of(g.sizes), static_cast<int64_t>(item_size(g.dtype)), "arena");
}

bool Planner::is_large(Variable root) const { return bytes_of(root) >= kLarge; }

void Planner::take_block(Variable root) {
  plan_->turns_.resize(plan_->steps_.size());
  plan_->geometry_[root].block = static_cast<int32_t>(plan_->block_bytes_.size());
  plan_->block_bytes_.push_back(bytes_of(root));
}

/// Gives each intermediate value its place, from the step that makes it to the last one that reads it.
void Planner::place_arena(std::vector<size_t>& last_use) {
  Places places;
  for (size_t i = 0; i < plan_->steps_.size(); ++i) {
    const std::map<Variable, Variable> over_dead = overwrite_dead(i, last_use);
    std::set<Variable> over;
    for_each_written(plan_->steps_[i], [&](Variable v) {
      if (over_dead.count(v) || arena_root(v) == Program::kNone) return;
      if (!is_large(v)) {
        plan_->geometry_[v].offset = places.take(bytes_of(v));
        return;
      }
      take_block(v);
      plan_->turns_[i].take.push_back(plan_->geometry_[v].block);
    });
    const auto ends = [&](Variable v) {
      if (const Variable root = arena_root(v); root != Program::kNone && last_use[root] == i) over.insert(root);
    };
    for_each_read(plan_->steps_[i], ends);
    for_each_written(plan_->steps_[i], ends);
    for (const auto& [out, in] : over_dead) over.erase(in);  // the place is the result's
    for (Variable v : over) {
      const Geometry& g = plan_->geometry_[v];
      if (g.block < 0)
        places.give(g.offset, bytes_of(v));
      else
        plan_->turns_[i].give.push_back(g.block);
    }
  }
  plan_->arena_bytes_ = places.size();
}

/// Large results get their bytes when the step begins that writes them.
void Planner::place_results() {
  for (size_t i = 0; i < plan_->steps_.size(); ++i)
    for_each_written(plan_->steps_[i], [&](Variable v) {
      if (plan_->source_[v] != Source::fresh || !is_large(v)) return;
      take_block(v);
      plan_->turns_[i].fill.push_back(v);
    });
}

/// Large inputs go as soon as nothing reads them any more.
void Planner::drop_inputs(const std::vector<size_t>& last_use) {
  for (size_t v = 0; v < plan_->source_.size(); ++v) {
    const Source source = plan_->source_[v];
    if (source != Source::input && source != Source::view) continue;
    const Variable root = plan_->geometry_[v].root;
    if (plan_->source_[root] != Source::input || !is_large(root) || last_use[root] == plan_->steps_.size()) continue;
    plan_->turns_.resize(plan_->steps_.size());
    plan_->turns_[last_use[root]].drop.push_back(static_cast<Variable>(v));
  }
}

/// What is new in each run: results, and views of them and of what comes from outside, as far as a step or the caller
/// sees them.
void Planner::find_varying() {
  std::vector<bool> is_seen(plan_->source_.size() + 1);
  for (const auto& step : plan_->steps_) {
    for_each_read(step, [&](Variable v) { is_seen[v] = true; });
    for_each_written(step, [&](Variable v) { is_seen[v] = true; });
  }
  for (Variable v : program_.outputs())
    if (v != Program::kNone) is_seen[v] = true;
  for (const Program::Effect& e : plan_->effects_) is_seen[e.value] = true;
  const auto all_of = [&](Source source, std::vector<Variable>& list) {
    for (size_t v = 0; v < plan_->source_.size(); ++v)
      if (plan_->source_[v] == source) list.push_back(static_cast<Variable>(v));
  };
  all_of(Source::fresh, plan_->varying_);
  for (size_t v = 0; v < plan_->source_.size(); ++v) {
    if (plan_->source_[v] != Source::view) continue;
    const Source root = plan_->source_[plan_->geometry_[v].root];
    if (root == Source::arena || root == Source::constant) continue;
    if (is_seen[v])
      plan_->varying_.push_back(static_cast<Variable>(v));
    else
      plan_->source_[v] = Source::none;
  }
  plan_->bound_ = plan_->varying_;
  all_of(Source::input, plan_->bound_);
  all_of(Source::captured, plan_->bound_);
}

}  // namespace strata::func::compiling
