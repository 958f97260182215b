// Making plans: steps first, then the memory of what they make.
#include "compile/planner.h"

#include <algorithm>
#include <map>
#include <set>

#include "compile/tape_maker.h"
#include "core/allocator.h"
#include "dispatcher/fallback.h"
#include "dispatcher/layout.h"
#include "dispatcher/names.h"
#include "ops/reduce_def.h"
#include "ops/step_results.h"

namespace strata::func::compiling {
namespace {

constexpr Variable kNone = Program::kNone;
constexpr int64_t kAlign = static_cast<int64_t>(kAlignment);
/// Values from here on have memory of their own, which costs less than a hundredth of the time that computing them
/// does.
constexpr int64_t kLarge = int64_t{1} << 18;

/// Which bytes of an arena are free: places are cut from the smallest free piece that is large enough.
class Places {
 public:
  int64_t take(int64_t bytes) {
    bytes = rounded(bytes);
    auto best = free_.end();
    for (auto p = free_.begin(); p != free_.end(); ++p)
      if (p->second >= bytes && (best == free_.end() || p->second < best->second)) best = p;
    if (best == free_.end()) return grow(bytes);
    const auto [at, size] = *best;
    free_.erase(best);
    if (size > bytes) free_[at + bytes] = size - bytes;
    return at;
  }
  void give(int64_t at, int64_t bytes) {
    bytes = rounded(bytes);
    auto next = free_.lower_bound(at);
    if (next != free_.end() && next->first == at + bytes) {
      bytes += next->second;
      next = free_.erase(next);
    }
    if (next != free_.begin()) {
      if (auto before = std::prev(next); before->first + before->second == at) {
        before->second += bytes;
        return;
      }
    }
    free_[at] = bytes;
  }
  int64_t size() const { return size_; }

 private:
  static int64_t rounded(int64_t bytes) { return std::max(kAlign, (bytes + kAlign - 1) / kAlign * kAlign); }
  /// At the end, of which a free piece may be the beginning.
  int64_t grow(int64_t bytes) {
    int64_t at = size_;
    if (!free_.empty()) {
      if (const auto last = std::prev(free_.end()); last->first + last->second == size_) {
        at = last->first;
        free_.erase(last);
      }
    }
    size_ = at + bytes;
    return at;
  }

  std::map<int64_t, int64_t> free_;
  int64_t size_ = 0;
};

bool is_plannable(const Program::Equation& e) {
  const Op& op = *e.op;
  if (op.is(kRandom) && (op.replay || !Params(e.params).type().redraw)) return false;
  for (OpFlag f : {kDataDependent, kCustom, kCollective, kMovesDevice, kUpdatesInputs, kShowsMemory})
    if (op.is(f)) return false;
  return op.is(kView) ? op.view != nullptr : op.kernel(DeviceType::CPU) && op.infer;
}

bool fits_a_register(DType t) { return item_size(t) <= 8 && !is_float8(t); }

}  // namespace

std::unique_ptr<Plan> Plan::make(const Program& program, TensorList inputs) { return Planner(program, inputs).make(); }

Planner::Planner(const Program& program, TensorList inputs) : program_(program), plan_(new Plan(program)) {
  const size_t n = program.body().types.size();
  plan_->source_.assign(n, Source::none);
  plan_->geometry_.resize(n);
  shapes_.resize(n + 1);
  uses_.assign(n + 1, 0);
  is_result_.assign(n, false);
  place_inputs(inputs);
  place_constants();
  count_uses();
}

void Planner::define(Variable v, Source source, Geometry g) {
  auto* const impl = new TensorImpl(g.dtype, kCPU, Storage());
  impl->set_geometry(g.sizes, g.strides, 0);
  shapes_[v] = Tensor::adopt(impl);
  g.row_major = impl->is_contiguous();
  if (g.root == kNone) g.root = v;
  plan_->source_[v] = source;
  plan_->geometry_[v] = std::move(g);
}

void Planner::place_inputs(TensorList inputs) {
  for (size_t i = 0; i < inputs.size(); ++i)
    if (const Variable v = program_.inputs()[i]; v != kNone)
      define(v, Source::input, {inputs[i].dtype(), inputs[i].sizes(), inputs[i].strides()});
}

void Planner::place_constants() {
  for (const Program::Constant& c : program_.constants())
    define(c.variable, c.captured ? Source::captured : Source::constant,
           {c.value.dtype(), c.value.sizes(), c.value.strides()});
}

void Planner::count_uses() {
  const auto use = [&](Variable v) { ++uses_[v == kNone ? uses_.size() - 1 : static_cast<size_t>(v)]; };
  for (const Equation& e : program_.equations()) std::for_each(e.inputs.begin(), e.inputs.end(), use);
  std::for_each(program_.outputs().begin(), program_.outputs().end(), use);
  for (const Program::Effect& e : program_.effects()) use(e.value);
}

std::unique_ptr<Plan> Planner::make() {
  for (const Program::Type& t : program_.body().types)
    if (!t.device.is_cpu()) return nullptr;
  for (const Program::Constant& c : program_.constants())
    if (c.value.impl()->wrapper()) return nullptr;
  for (const Equation& e : program_.equations())
    if (!add(e)) return nullptr;
  end_group();
  plan_->effects_ = program_.effects();
  const bool in_place = are_apart(last_);
  for (const Equation* e : last_) in_place ? add_in_place(*e) : add_kernel(*e);
  for (Variable v : program_.outputs())
    if (v != kNone) is_result_[plan_->geometry_[v].root] = true;
  for (size_t v = 0; v < is_result_.size(); ++v)
    if (is_result_[v] && plan_->source_[v] == Source::arena) plan_->source_[v] = Source::fresh;
  const std::vector<size_t> last_use = find_last_uses();
  place_arena(last_use);
  place_results();
  drop_inputs(last_use);
  find_varying();
  return std::move(plan_);
}

bool Planner::add(const Equation& e) {
  if (!is_plannable(e)) return false;
  for (size_t i = 0; i < e.inputs.size(); ++i)
    if (e.inputs[i] != kNone && !e.op->dtypes_for(i).has(shapes_[e.inputs[i]].dtype())) return false;
  if (e.op->is(kView)) return add_view(e);
  infer(e);
  if (joins(e)) return true;
  if (reduces_group(e)) return end_group(), true;
  if (depends_on_group(e)) end_group();
  if (joins(e)) return true;
  if (e.op == &step_results_op && can_write_in_place(e))
    last_.push_back(&e);
  else
    add_kernel(e);
  return true;
}

/// False where the layout does not allow the view, which a program then copies.
bool Planner::add_view(const Equation& e) {
  const Variable from = e.inputs[0], to = e.outputs[0];
  const Geometry& base = plan_->geometry_[from];
  const Tensor shown = Tensor::adopt(new TensorImpl(base.dtype, kCPU, Storage()));
  ViewGeometry g = shown.impl()->geometry();
  try {
    e.op->view(shapes_[from], e.params.data(), g);
  } catch (const Error&) {
    return false;
  }
  const int64_t offset = base.offset + g.offset * static_cast<int64_t>(item_size(g.dtype));
  define(to, Source::view, {g.dtype, g.sizes, g.strides, base.root, offset});
  return true;
}

void Planner::infer(const Equation& e) {
  ArgList args;
  for (Variable v : e.inputs) args.push_back(shapes_[v == kNone ? shapes_.size() - 1 : static_cast<size_t>(v)]);
  const Metas metas = dispatch::infer_outputs(*e.op, args, Params(e.params));
  for (size_t i = 0; i < metas.size(); ++i) {
    const Meta& m = metas[i];
    Geometry g{m.dtype, m.sizes, m.strides};
    const bool is_ordered =
        !m.strided && dispatch::may_order(*e.op, args) && dispatch::strides_of_result(args, m.sizes, g.strides);
    if (!m.strided && !is_ordered) set_contiguous_strides(m.sizes, g.strides);
    define(e.outputs[i], Source::arena, std::move(g));
  }
}

/// How a tensor lies over the rows of a tape, if it does.
std::optional<Planner::RowLayout> Planner::row_layout_of(Variable v) const {
  const TensorImpl& t = *shapes_[v].impl();
  if (t.is_contiguous()) return RowLayout{Pattern::full, 0};
  int d = static_cast<int>(t.dim()) - 1;
  const auto in_row = [&](int64_t step, int64_t& extent) {  // dims that go on where those behind them end
    for (; d >= 0 && (t.sizes()[d] == 1 || t.strides()[d] == step * extent); --d) extent *= t.sizes()[d];
  };
  const auto repeated = [&](int64_t& extent) {
    for (; d >= 0 && (t.sizes()[d] == 1 || t.strides()[d] == 0); --d) extent *= t.sizes()[d];
  };
  int64_t width = 1, rest = 1;
  repeated(width);
  if (d < 0) return RowLayout{Pattern::scalar, 0};
  if (width > 1) {
    in_row(1, rest);
    return d < 0 ? std::optional(RowLayout{Pattern::column, width}) : std::nullopt;
  }
  in_row(1, width);
  repeated(rest);
  return d < 0 ? std::optional(RowLayout{Pattern::row, width}) : std::nullopt;
}

/// Puts an element-wise equation into the open tape, if it can be there.
bool Planner::joins(const Equation& e) {
  if (e.outputs.size() != 1 || e.inputs.empty() || e.inputs.size() > 3 || !plan_->geometry_[e.outputs[0]].row_major)
    return false;
  const Tensor& out = shapes_[e.outputs[0]];
  const bool is_first = group_.equations.empty(), is_full = group_.equations.size() == kMostOperands;
  if (out.numel() == 0 || !fits_a_register(out.dtype()) || is_full || (!is_first && out.sizes() != group_.sizes))
    return false;
  int64_t width = group_.width;
  for (Variable v : e.inputs) {
    if (v == kNone || shapes_[v].sizes() != out.sizes() || !fits_a_register(shapes_[v].dtype())) return false;
    if (const Variable root = plan_->geometry_[v].root; root != v && is_in_group(root)) return false;
    const std::optional<RowLayout> layout = row_layout_of(v);
    if (!layout || (width != 0 && layout->width != 0 && layout->width != width)) return false;
    width = std::max(width, layout->width);
  }
  const DType dtype = shapes_[e.inputs.back()].dtype();
  const dispatch::OpLoop loop = dispatch::loop_of(*e.op, dtype, e.params.data());
  if (!loop.loop) return false;
  group_.sizes = out.sizes();
  group_.width = width;
  group_.equations.push_back(&e);
  group_.loops.push_back({loop, dispatch::works_in_float(*e.op, dtype, e.params.data())});
  return true;
}

/// Lines that the eager kernel cuts into chunks, as row-major elements of the group are: all dims, or the last ones.
bool Planner::reduces_group(const Equation& e) {
  if (e.inputs.size() != 1 || e.inputs[0] == kNone) return false;
  const Variable v = e.inputs[0];
  const DType dtype = shapes_[v].dtype();
  const dispatch::ReduceLoop loop = dispatch::reduce_loop_of(*e.op, dispatch::is_half16(dtype) ? kFloat : dtype);
  if (!loop.span || !is_in_group(v) || loop.chunk > kMostReduced) return false;
  const IntArrayRef sizes = shapes_[v].sizes();
  const DimVector dims = Params(e.params).as<ReduceParams>().dims;
  const auto rank = static_cast<int64_t>(sizes.size());
  int64_t length = 1, first = rank;
  while (first > 0 && std::find(dims.begin(), dims.end(), first - 1) != dims.end()) length *= sizes[--first];
  const bool are_last = !dims.empty() && rank - first == static_cast<int64_t>(dims.size());
  const Geometry& out = plan_->geometry_[e.outputs[0]];
  if (!are_last || !out.row_major || shapes_[e.outputs[0]].dtype() != dtype) return false;
  const Reduction reduction{loop, -1, -1, 0, length};
  const int64_t width = group_.width, numel = numel_of(sizes), lines = numel / length;
  const int64_t step = reduction.chunks() > 1 ? loop.chunk : reduction.lines_of_piece() * length;
  const bool has_short_rows = width != 0 && are_short_rows(numel / width, width);
  if (has_short_rows && reduction.pieces(lines) > 1 && (step % width != 0 || length % width != 0)) return false;
  group_.end = &e;
  group_.reduction = reduction;
  return true;
}

bool Planner::is_in_group(Variable v) const {
  return std::any_of(group_.equations.begin(), group_.equations.end(),
                     [&](const Equation* g) { return g->outputs[0] == v; });
}

bool Planner::depends_on_group(const Equation& e) const {
  return std::any_of(e.inputs.begin(), e.inputs.end(),
                     [&](Variable v) { return v != kNone && is_in_group(plan_->geometry_[v].root); });
}

void Planner::add_kernel(const Equation& e) {
  KernelStep step{e.op, e.op->kernel(DeviceType::CPU), e.params, false, -1, e.inputs, e.outputs};
  if (e.op->is(kRandom)) {
    const auto [own, is_new] = draws_.emplace(e.draws_as == kNone ? e.outputs[0] : e.draws_as, draws_.size());
    step.draws = is_new;
    step.draw = own->second;
  }
  for (Variable& v : step.in)
    if (v == kNone) v = static_cast<Variable>(shapes_.size() - 1);
  plan_->steps_.emplace_back(std::move(step));
}

/// Is `value` needed only to be what `target`, a tensor from outside that nothing shows after the run, is in the end?
bool Planner::is_effect_alone(Variable value, Variable target) const {
  const Source source = plan_->source_[target];
  bool is_effect = false, is_shown = false;
  const auto look = [&](Variable v) { is_shown |= v != kNone && plan_->geometry_[v].root == target; };
  for (const Program::Effect& f : program_.effects()) {
    is_effect |= f.value == value && f.target == target;
    look(f.value);
  }
  std::for_each(program_.outputs().begin(), program_.outputs().end(), look);
  return uses_[value] == 1 && (source == Source::input || source == Source::captured) && is_effect && !is_shown;
}

/// Note [Steps in place].
bool Planner::can_write_in_place(const Equation& e) const {
  const auto& step = Params(e.params).as<StepResultsParams>();
  const auto is_row_major = [&](Variable v) { return plan_->geometry_[v].row_major; };
  if (!std::all_of(e.inputs.begin(), e.inputs.end(), is_row_major)) return false;
  for (size_t k = 0; k < e.outputs.size(); ++k)
    if (!is_effect_alone(e.outputs[k], e.inputs[step.written[k]])) return false;
  return true;
}

/// What steps write to in place may be read by one of them as what it is alone: a gradient that shows a parameter is
/// that of before.
bool Planner::are_apart(const std::vector<const Equation*>& steps) const {
  std::vector<int32_t> shown(plan_->source_.size());
  for (const Equation* e : steps)
    for (Variable v : e->inputs) ++shown[plan_->geometry_[v].root];
  return std::all_of(steps.begin(), steps.end(), [&](const Equation* e) {
    const std::vector<size_t>& written = Params(e->params).as<StepResultsParams>().written;
    return std::all_of(written.begin(), written.end(), [&](size_t i) { return shown[e->inputs[i]] == 1; });
  });
}

void Planner::add_in_place(const Equation& e) {
  const auto& step = Params(e.params).as<StepResultsParams>();
  const Variable first = e.inputs[step.written[0]];
  plan_->steps_.emplace_back(
      KernelStep{step.step, step.step->kernel(DeviceType::CPU), step.params, false, -1, e.inputs, {first}});
  for (size_t k = 0; k < e.outputs.size(); ++k) {
    plan_->written_.push_back(e.inputs[step.written[k]]);
    plan_->source_[e.outputs[k]] = Source::none;
    std::erase_if(plan_->effects_, [&](const Program::Effect& f) { return f.value == e.outputs[k]; });
  }
}

void Planner::end_group() {
  const Group group = std::exchange(group_, Group());
  if (!group.equations.empty()) add_tape(group, 0, group.equations.size());
}

/// Writes a part of a group down, in two halves where it has too many operands for one tape.
void Planner::add_tape(const Group& group, size_t first, size_t last) {
  const int64_t numel = numel_of(group.sizes);
  const bool is_whole = last - first == group.equations.size();
  const Equation* const end = is_whole ? group.end : nullptr;
  if (last - first == 1 && !end && (numel > kTile || group.width != 0)) return add_kernel(*group.equations[first]);
  TapeMaker maker(numel, group.width);
  const ArrayRef<const Equation*> equations(group.equations.data() + first, last - first);
  for (const Equation* e : equations)
    for (Variable v : e->inputs) maker.expect(v);
  if (end) {
    maker.expect(end->inputs[0]);
    maker.will_reduce(end->inputs[0]);
  }
  for (const Equation* e : equations) maker.keep_in_register(e->outputs[0], uses_[e->outputs[0]]);
  for (size_t i = first; i < last; ++i) {
    const Equation& e = *group.equations[i];
    std::vector<TapeMaker::Operand> operands;
    for (Variable v : e.inputs) operands.push_back({v, row_layout_of(v)->pattern, shapes_[v].dtype()});
    maker.add(group.loops[i], operands, {e.outputs[0], Pattern::full, shapes_[e.outputs[0]].dtype()});
  }
  if (end) {
    const DType dtype = shapes_[end->inputs[0]].dtype();
    maker.reduce(group.reduction, {end->inputs[0], Pattern::full, dtype}, {end->outputs[0], Pattern::scalar, dtype});
  }
  std::optional<Tape> tape = maker.take();
  if (!tape) {
    const size_t middle = first + (last - first) / 2;
    add_tape(group, first, middle);
    add_tape(group, middle, last);
    if (end) add_kernel(*end);
    return;
  }
  for (const Equation* e : equations)
    if (maker.is_in_register(e->outputs[0])) plan_->source_[e->outputs[0]] = Source::none;
  plan_->steps_.emplace_back(std::move(*tape));
}

namespace {

template <class F>
void for_each_read(const std::variant<KernelStep, Tape>& step, F f) {
  if (const auto* k = std::get_if<KernelStep>(&step)) {
    for (Variable v : k->in) f(v);
    return;
  }
  for (const Memory& m : std::get<Tape>(step).memories)
    if (!m.is_written) f(m.slot);
}
template <class F>
void for_each_written(const std::variant<KernelStep, Tape>& step, F f) {
  if (const auto* k = std::get_if<KernelStep>(&step)) {
    for (Variable v : k->out) f(v);
    return;
  }
  for (const Memory& m : std::get<Tape>(step).memories)
    if (m.is_written) f(m.slot);
}

}  // namespace

/// The root of the variable if its memory is of the arena.
Variable Planner::arena_root(Variable v) const {
  if (v == static_cast<Variable>(plan_->source_.size())) return kNone;
  const Variable root = plan_->geometry_[v].root;
  return plan_->source_[root] == Source::arena ? root : kNone;
}

/// The input whose place an element-wise kernel may write its result to, because nothing needs what lies there.
Variable Planner::overwritable(const KernelStep& k, const std::vector<size_t>& last_use, size_t now) const {
  if (!k.op->is(kPointwise) || k.out.size() != 1) return kNone;
  const Geometry& out = plan_->geometry_[k.out[0]];
  for (Variable v : k.in) {
    const Variable root = arena_root(v);
    if (root != v || last_use[root] != now) continue;
    const Geometry& in = plan_->geometry_[v];
    const bool others_are_apart =
        std::all_of(k.in.begin(), k.in.end(), [&](Variable other) { return other == v || arena_root(other) != root; });
    if (others_are_apart && in.row_major && out.row_major && in.sizes == out.sizes &&
        item_size(in.dtype) == item_size(out.dtype))
      return v;
  }
  return kNone;
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
    if (v != kNone) last[root(v)] = steps;
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
void Planner::place_arena(const std::vector<size_t>& last_use) {
  Places places;
  for (size_t i = 0; i < plan_->steps_.size(); ++i) {
    const auto* const k = std::get_if<KernelStep>(&plan_->steps_[i]);
    const Variable given = k && arena_root(k->out[0]) != kNone ? overwritable(*k, last_use, i) : kNone;
    if (given != kNone) {
      plan_->geometry_[k->out[0]].offset = plan_->geometry_[given].offset;
      plan_->geometry_[k->out[0]].block = plan_->geometry_[given].block;
    }
    for_each_written(plan_->steps_[i], [&](Variable v) {
      if (given != kNone || arena_root(v) == kNone) return;
      if (!is_large(v)) {
        plan_->geometry_[v].offset = places.take(bytes_of(v));
        return;
      }
      take_block(v);
      plan_->turns_[i].take.push_back(plan_->geometry_[v].block);
    });
    std::set<Variable> over;
    const auto ends = [&](Variable v) {
      if (const Variable root = arena_root(v); root != kNone && root != given && last_use[root] == i) over.insert(root);
    };
    for_each_read(plan_->steps_[i], ends);
    for_each_written(plan_->steps_[i], ends);
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
  for (const auto& step : plan_->steps_) for_each_read(step, [&](Variable v) { is_seen[v] = true; });
  for (Variable v : program_.outputs())
    if (v != kNone) is_seen[v] = true;
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
