// Making plans: steps first, then the memory of what they make.
#include "compile/planner.h"

#include <algorithm>

#include "compile/chains.h"
#include "compile/nested.h"
#include "compile/tape_maker.h"
#include "dispatcher/fallback.h"
#include "dispatcher/layout.h"
#include "dispatcher/names.h"
#include "ops/reduce_def.h"
#include "ops/step_results.h"
#include "transforms/control_ops.h"

namespace strata::func::compiling {
namespace {

bool is_plannable(const Program::Equation& e) {
  const Op& op = *e.op;
  if (op.is(kRandom) && (op.replay || !Params(e.params).type().redraw)) return false;
  for (OpFlag f : {kDataDependent, kCustom, kCollective, kMovesDevice, kUpdatesInputs, kShowsMemory})
    if (op.is(f)) return false;
  return op.is(kView) ? op.view != nullptr : op.kernel(DeviceType::CPU) && op.infer;
}

bool fits_a_register(DType t) { return item_size(t) <= 8 && !is_float8(t); }

}  // namespace

std::unique_ptr<Plan> Plan::make(const Program& program, TensorList inputs, const std::vector<bool>& donated) {
  if (const std::optional<Program> fused = fuse_chains(program)) {
    std::unique_ptr<Plan> plan(new Plan(*fused));
    plan->has_chains_ = true;
    return plan;
  }
  return Planner(program, inputs, donated).make();
}
std::unique_ptr<const Plan> Plan::make_body(const Program& program, TensorList inputs, size_t first_row_major) {
  return Planner(program, inputs, {}).make_body(first_row_major);
}

Planner::Planner(const Program& program, TensorList inputs, const std::vector<bool>& donated)
    : program_(program), plan_(new Plan(program)) {
  const size_t n = program.body().types.size();
  plan_->source_.assign(n, Source::none);
  plan_->geometry_.resize(n);
  shapes_.resize(n + 1);
  uses_.assign(n + 1, 0);
  is_result_.assign(n, false);
  is_donated_.assign(n, false);
  place_inputs(inputs, donated);
  place_constants();
  count_uses();
}

void Planner::define(Variable v, Source source, Geometry g) {
  auto* const impl = new TensorImpl(g.dtype, kCPU, Storage());
  impl->set_geometry(g.sizes, g.strides, 0);
  shapes_[v] = Tensor::adopt(impl);
  g.row_major = impl->is_contiguous();
  if (g.root == Program::kNone) g.root = v;
  plan_->source_[v] = source;
  plan_->geometry_[v] = std::move(g);
}

void Planner::place_inputs(TensorList inputs, const std::vector<bool>& donated) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Variable v = program_.inputs()[i];
    if (v == Program::kNone) continue;
    define(v, Source::input, {inputs[i].dtype(), inputs[i].sizes(), inputs[i].strides()});
    is_donated_[v] = i < donated.size() && donated[i];
  }
}

void Planner::place_constants() {
  for (const Program::Constant& c : program_.constants())
    define(c.variable, c.captured ? Source::captured : Source::constant,
           {c.value.dtype(), c.value.sizes(), c.value.strides()});
}

void Planner::count_uses() {
  const auto use = [&](Variable v) { ++uses_[v == Program::kNone ? uses_.size() - 1 : static_cast<size_t>(v)]; };
  for (const Equation& e : program_.equations()) std::for_each(e.inputs.begin(), e.inputs.end(), use);
  std::for_each(program_.outputs().begin(), program_.outputs().end(), use);
  for (const Program::Effect& e : program_.effects()) use(e.value);
}

/// False where the program cannot be planned.
bool Planner::add_steps() {
  for (const Program::Type& t : program_.body().types)
    if (!t.device.is_cpu()) return false;
  for (const Program::Constant& c : program_.constants())
    if (c.value.impl()->wrapper()) return false;
  for (const Equation& e : program_.equations())
    if (!add(e)) return false;
  end_group();
  return true;
}

std::unique_ptr<Plan> Planner::make() {
  if (!add_steps()) return nullptr;
  plan_->effects_ = program_.effects();
  const bool in_place = are_apart(last_);
  for (const Equation* e : last_) in_place ? add_in_place(*e) : add_kernel(*e);
  for (Variable v : program_.outputs())
    if (v != Program::kNone) is_result_[plan_->geometry_[v].root] = true;
  for (size_t v = 0; v < is_result_.size(); ++v)
    if (is_result_[v] && plan_->source_[v] == Source::arena) plan_->source_[v] = Source::fresh;
  form_strips();
  std::vector<size_t> last_use = find_last_uses();
  place_arena(last_use);
  place_results();
  drop_inputs(last_use);
  find_varying();
  return std::move(plan_);
}

std::unique_ptr<Plan> Planner::make_body(size_t first_row_major) {
  const auto is_captured = [](const Program::Constant& c) { return c.captured; };
  const auto& constants = program_.constants();
  const auto& results = program_.outputs();
  if (!program_.effects().empty() || std::any_of(constants.begin(), constants.end(), is_captured) ||
      std::find(results.begin(), results.end(), Program::kNone) != results.end() || !add_steps())
    return nullptr;
  for (const Equation* e : last_) add_kernel(*e);
  for (size_t i = 0; i < results.size(); ++i) {
    const Variable v = results[i];
    const bool is_made = plan_->source_[v] == Source::arena;
    plan_->is_direct_.push_back(is_made && (i < first_row_major || plan_->geometry_[v].row_major));
    if (plan_->is_direct_[i]) plan_->source_[v] = Source::input;
  }
  form_strips();
  std::vector<size_t> last_use = find_last_uses();
  place_arena(last_use);
  find_varying();
  return std::move(plan_);
}

bool Planner::add(const Equation& e) {
  if (detail::is_control_flow(*e.op)) return add_nested(e);
  if (!is_plannable(e)) return false;
  for (size_t i = 0; i < e.inputs.size(); ++i)
    if (e.inputs[i] != Program::kNone && !e.op->dtypes_for(i).has(shapes_[e.inputs[i]].dtype())) return false;
  if (e.op->is(kView)) return add_view(e);
  infer(e);
  if (joins(e)) return true;
  if (reduces_group(e)) return end_group(), true;
  if (depends_on_group(e)) end_group();
  if (joins(e)) return true;
  if (e.op == &step_results_op && can_write_in_place(e)) {
    last_.push_back(&e);
    return true;
  }
  if (const std::optional<Reduction> reduction = reduction_of(e)) {
    if (std::optional<Tape> tape = make_tape(e, *reduction)) in_strips_.emplace(plan_->steps_.size(), std::move(*tape));
  } else if (std::optional<LineKernel> kernel = make_line_kernel(e)) {
    in_strips_.emplace(plan_->steps_.size(), std::move(*kernel));
  }
  add_kernel(e);
  return true;
}

/// False where a body cannot be planned.
bool Planner::add_nested(const Equation& e) {
  if (std::find(e.inputs.begin(), e.inputs.end(), Program::kNone) != e.inputs.end()) return false;
  std::vector<Tensor> in;
  for (Variable v : e.inputs) in.push_back(shapes_[v]);
  std::shared_ptr<const Nested> nested = Nested::make(e, in);
  if (!nested) return false;
  end_group();
  for (size_t i = 0; i < e.outputs.size(); ++i) {
    const Geometry& g = nested->results()[i];
    define(e.outputs[i], Source::arena, {g.dtype, g.sizes, g.strides});
  }
  plan_->steps_.emplace_back(NestedStep{std::move(nested), e.inputs, e.outputs});
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
  for (Variable v : e.inputs)
    args.push_back(shapes_[v == Program::kNone ? shapes_.size() - 1 : static_cast<size_t>(v)]);
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

/// What the op's loop is chosen by: the type of its last input that is no mask.
DType Planner::loop_dtype(const Equation& e) const {
  const auto is_number = [&](Variable v) { return shapes_[v].dtype() != kBool; };
  const auto last = std::find_if(e.inputs.rbegin(), e.inputs.rend(), is_number);
  return last == e.inputs.rend() ? kBool : shapes_[*last].dtype();
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
    if (v == Program::kNone || shapes_[v].sizes() != out.sizes() || !fits_a_register(shapes_[v].dtype())) return false;
    if (const Variable root = plan_->geometry_[v].root; root != v && is_in_group(root)) return false;
    const std::optional<RowLayout> layout = row_layout_of(v);
    if (!layout || (width != 0 && layout->width != 0 && layout->width != width)) return false;
    width = std::max(width, layout->width);
  }
  const DType dtype = loop_dtype(e);
  const dispatch::OpLoop loop = dispatch::loop_of(*e.op, dtype, e.params.data());
  if (!loop.loop) return false;
  group_.sizes = out.sizes();
  group_.width = width;
  group_.equations.push_back(&e);
  group_.loops.push_back({loop, dispatch::works_in_float(*e.op, dtype, e.params.data())});
  return true;
}

/// That of lines which the eager kernel cuts into chunks, if the equation is one: of all dims, or the last ones.
std::optional<Reduction> Planner::reduction_of(const Equation& e) const {
  if (e.inputs.size() != 1 || e.inputs[0] == Program::kNone) return std::nullopt;
  const Variable v = e.inputs[0];
  const DType dtype = shapes_[v].dtype();
  const dispatch::ReduceLoop loop = dispatch::reduce_loop_of(*e.op, dispatch::is_half16(dtype) ? kFloat : dtype);
  if (!loop.span || loop.chunk > kMostReduced || shapes_[v].numel() == 0) return std::nullopt;
  const IntArrayRef sizes = shapes_[v].sizes();
  const DimVector dims = Params(e.params).as<ReduceParams>().dims;
  const auto rank = static_cast<int64_t>(sizes.size());
  int64_t length = 1, first = rank;
  while (first > 0 && std::find(dims.begin(), dims.end(), first - 1) != dims.end()) length *= sizes[--first];
  const bool are_last = !dims.empty() && rank - first == static_cast<int64_t>(dims.size());
  const Geometry& out = plan_->geometry_[e.outputs[0]];
  if (!are_last || !out.row_major || shapes_[e.outputs[0]].dtype() != dtype) return std::nullopt;
  return Reduction{loop, -1, -1, 0, length};
}

bool Planner::reduces_group(const Equation& e) {
  const std::optional<Reduction> found = reduction_of(e);
  if (!found || !is_in_group(e.inputs[0])) return false;
  const Reduction& reduction = *found;
  const int64_t width = group_.width, numel = shapes_[e.inputs[0]].numel(), length = reduction.length;
  const int64_t lines = numel / length;
  const int64_t step = reduction.chunks() > 1 ? reduction.loop.chunk : reduction.lines_of_piece() * length;
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
                     [&](Variable v) { return v != Program::kNone && is_in_group(plan_->geometry_[v].root); });
}

void Planner::add_kernel(const Equation& e) {
  KernelStep step{e.op, e.op->kernel(DeviceType::CPU), e.params, false, -1, e.inputs, e.outputs};
  if (e.op->is(kRandom)) {
    const auto [own, is_new] = draws_.emplace(e.draws_as == Program::kNone ? e.outputs[0] : e.draws_as, draws_.size());
    step.draws = is_new;
    step.draw = own->second;
  }
  for (Variable& v : step.in)
    if (v == Program::kNone) v = static_cast<Variable>(shapes_.size() - 1);
  plan_->steps_.emplace_back(std::move(step));
}

/// Is `value` needed only to be what `target`, a tensor from outside that nothing shows after the run, is in the end?
bool Planner::is_effect_alone(Variable value, Variable target) const {
  const Source source = plan_->source_[target];
  bool is_effect = false, is_shown = false;
  const auto look = [&](Variable v) { is_shown |= v != Program::kNone && plan_->geometry_[v].root == target; };
  for (const Program::Effect& f : program_.effects()) {
    is_effect |= f.value == value && f.target == target;
    look(f.value);
  }
  std::for_each(program_.outputs().begin(), program_.outputs().end(), look);
  return uses_[value] == 1 && (source == Source::input || source == Source::captured) && is_effect && !is_shown;
}

/// Note [Steps in place].
bool Planner::can_write_in_place(const Equation& e) const {
  const Params params(e.params);
  const auto& step = params.as<StepResultsParams>();
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
  const Params params(e.params);
  const auto& step = params.as<StepResultsParams>();
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

/// A reduction of what is in memory.
std::optional<Tape> Planner::make_tape(const Equation& e, const Reduction& reduction) const {
  const Tensor& x = shapes_[e.inputs[0]];
  if (!x.is_contiguous()) return std::nullopt;
  TapeMaker maker(x.numel(), 0);
  maker.expect(e.inputs[0]);
  maker.reduce(reduction, {e.inputs[0], Pattern::full, x.dtype()}, {e.outputs[0], Pattern::scalar, x.dtype()});
  return maker.take();
}

/// A part of a group as a tape; none if it has too many operands for one.
std::optional<Tape> Planner::make_tape(const Group& group, size_t first, size_t last) {
  const bool is_whole = last - first == group.equations.size();
  const Equation* const end = is_whole ? group.end : nullptr;
  TapeMaker maker(numel_of(group.sizes), group.width);
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
  for (const Equation* e : equations)
    if (tape && maker.is_in_register(e->outputs[0])) plan_->source_[e->outputs[0]] = Source::none;
  return tape;
}

/// Writes a part of a group down, in two halves where it has too many operands for one tape. One op over many elements
/// costs less as its kernel.
void Planner::add_tape(const Group& group, size_t first, size_t last) {
  const bool is_whole = last - first == group.equations.size();
  std::optional<Tape> tape = make_tape(group, first, last);
  if (last - first == 1 && !(is_whole && group.end) && (numel_of(group.sizes) > kTile || group.width != 0)) {
    if (tape) in_strips_.emplace(plan_->steps_.size(), std::move(*tape));
    add_kernel(*group.equations[first]);
  } else if (tape) {
    plan_->steps_.emplace_back(std::move(*tape));
  } else {
    const size_t middle = first + (last - first) / 2;
    add_tape(group, first, middle);
    add_tape(group, middle, last);
    if (is_whole && group.end) add_kernel(*group.end);
  }
}

}  // namespace strata::func::compiling
