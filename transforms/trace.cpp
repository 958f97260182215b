// The trace layer: infers shapes, writes equations, and takes in constants.
#include "transforms/trace.h"

#include <algorithm>

#include "autograd/custom.h"
#include "autograd/engine.h"
#include "autograd/inplace.h"
#include "autograd/meta.h"
#include "autograd/record.h"
#include "core/replay.h"
#include "dispatcher/fallback.h"
#include "dispatcher/field_list.h"
#include "dispatcher/layout.h"
#include "dispatcher/names.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/memory_format.h"
#include "ops/shaping_def.h"
#include "ops/view.h"
#include "ops/view_def.h"
#include "transforms/view_record.h"

namespace strata::func {

using autograd::custom_op;
using autograd::CustomParams;
using autograd::CustomRule;

using Variable = Program::Variable;

namespace {

/// A variable that others are views of, by how it lies in memory, and where in that one of them begins.
struct Root {
  Variable variable;
  DimVector strides;
  int64_t offset;
};

struct Tracer final : WrapperBase {
  Tracer(uint64_t level, Variable variable, Root root)
      : WrapperBase(level), variable(variable), root(std::move(root)) {}
  /// What a tensor of this body is a view of: itself where it is none, or is not any more.
  Root root_of(const Tensor& t) const { return is_part() ? root : Root{variable, t.strides(), 0}; }
  bool is_part() const { return view || unrecorded_view || is_same_view; }
  mutable bool is_same_view = false;  ///< another body of one that is a part
  TensorImpl* concrete(const char* who) const override {
    STRATA_THROW(
        "{}: inside trace a tensor has no value: use where(), cond or while_loop instead of if and loops, or pass what "
        "decides as a plain number",
        who);
  }
  const Variable variable;

 private:
  const Root root;
};

/// Where gradients end that reach what was computed outside of a compiled function.
class OutsideGraph final : public autograd::BuiltinNode {
 public:
  OutsideGraph() : BuiltinNode(nullptr, 0, 1) {}
  Tensors run(Tensors) override {
    STRATA_THROW(
        "compile: backward() inside of the function reaches a tensor that was computed outside of it; compute it "
        "inside, or detach() it");
  }
  std::string name() const override { return "OutsideGraph"; }
};

void end_outside(const Tensor& t) {
  autograd::set_history(t, IntrusivePtr<autograd::Node>::adopt(new OutsideGraph), 0);
}

/// What a leaf's gradient is, which the trace takes for no doing of the function.
Tensor gradient_unseen(const Tensor& leaf) {
  const strata::detail::OutsideOfTransforms unseen;
  return leaf.grad();
}

bool is_leaf_with_gradient(const Tensor& t) { return t.requires_grad() && t.is_leaf(); }

/// Exchanges what two tensors hold, not whether a gradient is recorded for them.
void swap_values(const Tensor& a, const Tensor& b) {
  TensorImpl &x = *a.impl(), &y = *b.impl();
  const bool records_x = x.keys().has(Key::Autograd), records_y = y.keys().has(Key::Autograd);
  x.swap_contents(y);
  AutogradMetaBase* const of_y = x.autograd();
  x.set_autograd(y.autograd());
  y.set_autograd(of_y);
  records_x ? x.add_key(Key::Autograd) : x.remove_key(Key::Autograd);
  records_y ? y.add_key(Key::Autograd) : y.remove_key(Key::Autograd);
}

}  // namespace

TraceLayer::TraceLayer(Records records) : records_(records), recording_outside_(GradMode::is_enabled()) {}

TraceLayer::~TraceLayer() {
  give_back_gradients();
  give_back();
}

/// What is done with tensors from outside alone is part of a compiled program, since they may hold other values in its
/// next run; it is not part of a program that says what a function does with its arguments.
bool TraceLayer::takes(const Op& op, Args args, Params) const {
  if (records_ == Records::tangents) return false;
  if (op.is(kRandom) || op.is(kCollective)) return true;
  return records_ != Records::function &&
         std::any_of(args.begin(), args.end(), [&](const Tensor* t) { return t->defined() && is_from_outside(*t); });
}

/// Note [Effects]
/// A tensor from outside that the function is about to write to becomes a variable of the trace, by taking a tracer's
/// body, and gets its own back when the trace ends. So writes and what is read after them work as they do for any
/// tensor of the function, views included, and what it is in the end is what a run of the program writes to it.
bool TraceLayer::adopts(const Tensor& t) {
  STRATA_CHECK(
      records_ != Records::body || !is_from_outside(t),
      "control flow: inside trace a branch or a loop's body writes to a tensor of shape {} from outside of it; "
      "return the new value, or carry it",
      t.sizes());
  if (!has_effects() || !is_from_outside(t)) return false;
  if (has_histories() && GradMode::is_enabled()) autograd::check_inplace_allowed("in-place", t);
  Tensor outside = t.is_view() ? t._base() : t;
  if (wrapper_at<Tracer>(outside, level())) return true;
  const Variable v = capture(outside);
  Tensor body = tracer(v, as_it_lies(outside), nullptr);
  body.impl()->wrapper()->version = outside.impl()->version();  // views of it know this number
  const bool is_leaf = has_histories() && is_leaf_with_gradient(outside);
  if (is_leaf) {
    swap_values(outside, body);
  } else {
    const bool is_computed = outside.requires_grad();
    outside.impl()->swap_contents(*body.impl());
    if (is_computed && has_histories()) end_outside(outside);
  }
  adopted_.push_back({std::move(outside), std::move(body), v, is_leaf});
  return true;
}

/// What `t` is in the end is written to the target, recorded by autograd if its computation was. To a leaf that
/// requires a gradient no write is.
void TraceLayer::add_effect(Variable target, const Tensor& t) {
  const Variable value = variable_of(detail::before_moves(t));
  if (value == target) return;
  const auto made = std::find_if(body_.equations.rbegin(), body_.equations.rend(), [&](const Program::Equation& e) {
    return std::find(e.outputs.begin(), e.outputs.end(), value) != e.outputs.end();
  });
  const bool recording = !is_leaf_with_gradient(t) && (made == body_.equations.rend() || made->recording);
  body_.effects.push_back({target, value, recording});
}

/// Tensors from outside are again what they were.
void TraceLayer::give_back() {
  for (Adopted& a : adopted_)
    a.is_leaf ? swap_values(a.outside, a.contents) : a.outside.impl()->swap_contents(*a.contents.impl());
  adopted_.clear();
}

Variable TraceLayer::define(DType dtype, Device device, IntArrayRef sizes) {
  body_.types.push_back({dtype, device, sizes});
  wants_gradient_.push_back(false);
  return static_cast<Variable>(body_.types.size() - 1);
}

Tensor TraceLayer::tracer(Variable v, const Meta& meta, const Tensor* viewed) const {
  const Tracer* const parent = viewed ? wrapper_at<Tracer>(*viewed, level()) : nullptr;
  auto* impl = new TensorImpl(meta.dtype, meta.device, Storage());
  if (meta.strided)
    impl->set_geometry(meta.sizes, meta.strides, 0);
  else
    impl->set_contiguous(meta.sizes, numel_of(meta.sizes));
  Root root = parent ? parent->root_of(*viewed) : Root{v, impl->strides(), 0};
  if (parent) root.offset += meta.offset;
  impl->set_wrapper(new Tracer(level(), v, std::move(root)));
  return Tensor::adopt(impl);
}

/// Note [Layouts in compiled functions]
/// A program says nothing of strides, but a function's code may ask for them: `contiguous`, `reshape` and `to` give
/// their argument, or a view of it, in one layout and a copy in another, which are two things where somebody writes to
/// them. So the variables of a compiled function lie as eager code's tensors would, and arguments that lie otherwise
/// make another program.
Meta TraceLayer::as_it_lies(const Tensor& t) const {
  return has_effects() && !dispatch::lies_row_major(t) ? view_meta(t, t.sizes(), t.strides(), 0) : meta_like(t);
}

/// An element-wise result has the order of dims that eager code gives it, where no other transform runs.
Meta TraceLayer::in_order(Args args, const Op& op, const Meta& meta) const {
  const bool is_alone = has_effects() && !below() && thread_state.level == level();
  if (!is_alone || meta.strided || !dispatch::is_ordered(op, args)) return meta;
  DimVector strides;
  if (!dispatch::strides_of_result(args, meta.sizes, strides)) return meta;
  return {meta.dtype, meta.device, true, 0, meta.sizes, strides};
}

bool TraceLayer::wants_gradient(const Tensor& t) const {
  const Tracer* const w = wrapper_at<Tracer>(t, level());
  return w && wants_gradient_[w->variable];
}

/// Eager code would record the call.
bool TraceLayer::wants_gradient(const Op& op, Args args) const {
  return records_ == Records::effects && !op.is(kNotDifferentiable) &&
         std::any_of(args.begin(), args.end(),
                     [](const Tensor* t) { return t->defined() && dispatch::is_gradient_wanted(*t); });
}

Tensor TraceLayer::input(const Tensor& t) {
  if (!t.defined()) {
    body_.inputs.push_back(Program::kNone);
    return t;
  }
  const Variable v = define(t.dtype(), t.device(), t.sizes());
  body_.inputs.push_back(v);
  wants_gradient_[v] = records_ == Records::effects && t.requires_grad();
  inputs_.push_back({tracer(v, as_it_lies(t), nullptr), v});
  const Tensor& made = inputs_.back().tracer;
  if (has_histories() && t.requires_grad()) {
    if (!t.is_leaf()) return end_outside(made), made;
    made.impl()->add_key(Key::Autograd);
    made.mutable_grad() = gradient_unseen(t);
    leaves_.push_back({made, made.grad(), true, body_.inputs.size() - 1});
  }
  return made;
}

Variable TraceLayer::variable_of(const Tensor& t) {
  if (!t.defined()) return Program::kNone;
  const Tracer* const w = wrapper_at<Tracer>(t, level());
  return w ? w->variable : capture(t);
}

bool TraceLayer::is_from_outside(const Tensor& t) const {
  return t.impl()->born() < level() || (t.is_view() && t._base().impl()->born() < level());
}

/// Does `t` belong to eager code or to a transform around this one?
bool TraceLayer::is_alive(const Tensor& t) const {
  const WrapperBase* const w = t.impl()->wrapper();
  const Layer* layer = below();
  while (w && layer && layer->level() != w->level) layer = layer->below();
  return !w || layer;
}

/// What the program holds for a constant. Temporaries of the function may be written to after they were read, so the
/// value of now is kept; `shared` says that it is not, to save memory, and that a later write would be an error.
Tensor TraceLayer::kept(const Tensor& t, bool& shared) const {
  shared = is_from_outside(t);
  if (shared) return t;
  const Below below(*this);
  if (detail::is_literal(t)) return constant(detail::literal_value(t), t.dtype(), t.device(), t.sizes());
  shared = records_ == Records::tangents && !t.requires_grad() && !t.impl()->wrapper();
  return shared ? detach(t) : clone(t);
}

Variable TraceLayer::capture(const Tensor& t) {
  STRATA_CHECK(is_alive(t), "trace: the function uses a tensor of a transform that is over; return it from there");
  Captured& c = captured_[t.impl()];
  const uint32_t version = t.impl()->version();
  if (c.original.defined() && (c.shared || c.version == version)) return c.variable;
  if (has_histories() && is_from_outside(t) && is_leaf_with_gradient(t)) watch(t);
  c.original = t;
  c.version = version;
  c.variable = define(t.dtype(), t.device(), t.sizes());
  wants_gradient_[c.variable] = records_ == Records::effects && t.requires_grad();
  const bool outside = is_from_outside(t);
  body_.constants.push_back({c.variable, kept(t, c.shared), outside});
  return c.variable;
}

Program::Equation TraceLayer::equation(const Op& op, Args args, Params params) {
  const bool recording = GradMode::is_enabled() || (!recording_outside_ && !has_histories());
  ran_backward_ |= autograd::accumulates_into_leaves();
  Program::Equation e{&op, OwnedParams(params), recording, {}, {}};
  for (const Tensor* t : args) e.inputs.push_back(variable_of(*t));
  return e;
}

Tensor TraceLayer::output(Program::Equation& e, const Meta& meta, const Tensor* viewed) {
  e.outputs.push_back(define(meta.dtype, meta.device, meta.sizes));
  return tracer(e.outputs.back(), meta, viewed);
}

/// Params hold the place in the generator's numbers, so what a function draws when it runs again has those of before.
Variable TraceLayer::earlier_draw(const Op& op, Params params) const {
  if (!op.is(kRandom)) return Program::kNone;
  const std::vector<dispatch::Field> fields = dispatch::fields_of(params);
  const auto same = std::find_if(body_.equations.begin(), body_.equations.end(), [&](const Program::Equation& e) {
    return e.op == &op && e.draws_as == Program::kNone && dispatch::fields_of(e.params) == fields;
  });
  return same == body_.equations.end() ? Program::kNone : same->outputs[0];
}

Tensors TraceLayer::record(const Op& op, Args args, Params params) {
  const Metas metas = infer_outputs(op, args, params);
  Program::Equation e = equation(op, args, params);
  e.draws_as = earlier_draw(op, params);
  const bool wants = wants_gradient(op, args);
  Tensors out = Tensors::undefined(metas.size());
  for (size_t i = 0; i < metas.size(); ++i) {
    out[i] = output(e, in_order(args, op, metas[i]), op.is(kView) ? &args[0] : nullptr);
    wants_gradient_[e.outputs.back()] = wants && is_differentiable(metas[i].dtype);
  }
  body_.equations.push_back(std::move(e));
  return out;
}

/// Strides are not part of a program, so what is shown of memory becomes a copy of elements of the root, whose dims are
/// brought into the order of memory for it.
Tensor TraceLayer::as_strided(const Tensor& x, Params params) {
  const auto& p = params.as<AsStridedParams>();
  const Root root = wrapper_at<Tracer>(x, level())->root_of(x);
  const Program::Type type = body_.types[root.variable];
  const Meta lying{type.dtype, type.device, true, 0, type.sizes, root.strides};
  Tensor base = tracer(root.variable, has_effects() ? lying : meta(type.sizes, type.dtype, type.device), nullptr);
  if (!base.is_contiguous())
    base = record(permute_op, {&base}, Params::of(PermuteParams{strata::detail::outermost_first(base.strides())}))[0];
  STRATA_CHECK(!has_effects() || (p.input_strides.empty() && base.is_contiguous()),
               "as_strided: inside of a compiled function it takes row-major tensors; contiguous() it first");
  const StridedParams copy{base.sizes(), p.sizes, p.strides, root.offset + p.offset};
  const Tensors out = record(as_strided_copy_op, {&base}, Params::of(copy));
  const Variable v = wrapper_at<Tracer>(out[0], level())->variable;
  return tracer(v, view_meta(x, p.sizes, p.strides, p.offset), &x);
}

/// A rule of the user's stays one equation, which keeps its derivative; running it once more at a level of its own
/// tells what it returns. The equation outlives this trace, so it may read our variables as inputs only.
Tensors TraceLayer::custom(Args args, Params params) {
  const CustomRule& rule = *params.as<CustomParams>().rule;
  Program::Equation e = equation(custom_op, args, params);
  TraceLayer shapes;
  const LayerScope scope(shapes);
  CustomRule::List inputs;
  for (const Tensor* t : args) inputs.push_back(shapes.input(*t));
  const CustomRule::List outputs = rule.forward(inputs);
  for (const Tensor& t : outputs) shapes.variable_of(t);
  for (const auto& [impl, c] : shapes.captured_)
    STRATA_CHECK(!wrapper_at<Tracer>(c.original, level()),
                 "{}: inside trace its function uses a traced tensor that is not its argument; pass it as one",
                 rule.name());
  Tensors out = Tensors::undefined(outputs.size());
  const bool wants = wants_gradient(custom_op, args);
  for (size_t i = 0; i < outputs.size(); ++i) {
    out[i] = output(e, meta_like(outputs[i]), nullptr);
    wants_gradient_[e.outputs.back()] = wants && is_differentiable(outputs[i].dtype());
  }
  body_.equations.push_back(std::move(e));
  return out;
}

/// An argument as a node may keep it: in-place calls give a variable's body another value, and what was computed
/// outside is a constant for the function's own gradients.
Tensor TraceLayer::kept_argument(const Tensor& t) {
  const bool is_ours = t.defined() && wrapper_at<Tracer>(t, level()) != nullptr;
  const bool is_computed = t.requires_grad() && !t.is_leaf();
  const bool is_cut_off = is_computed && !is_ours && is_from_outside(t);
  if (!is_cut_off && (!is_ours || (t.requires_grad() && !is_computed))) return t;
  const Tensor kept = tracer(variable_of(t), as_it_lies(t), is_ours ? &t : nullptr);
  if (is_ours) wrapper_at<Tracer>(kept, level())->is_same_view = wrapper_at<Tracer>(t, level())->is_part();
  if (is_cut_off) {
    end_outside(kept);
  } else if (is_computed) {
    const autograd::Edge edge = autograd::gradient_edge(t);
    autograd::set_history(kept, edge.function, edge.input_nr);
  }
  return kept;
}

/// Note [Backward inside of compiled functions]
/// What a compiled function computes of leaves is recorded by autograd as in eager code: its variables carry history,
/// and a backward pass inside of it writes down what the rules compute. The gradients that it leaves in leaves are
/// results of the program.
Tensors TraceLayer::record_gradients(const Op& op, Args args, Params params) {
  Tensors own = Tensors::undefined(args.size());
  for (size_t i = 0; i < args.size(); ++i) own[i] = kept_argument(args[i]);
  const ArgList inputs(own);
  if (op.is(kCustom)) return record_rule(inputs, params);
  Tensors out = write_down(op, inputs, params);
  autograd::record_outputs(autograd::OpNode::create(op, inputs, params), out);
  return out;
}

Tensors TraceLayer::process(const Op& op, Args args, Params params) {
  const bool is_recorded = has_histories() && GradMode::is_enabled() && autograd::is_recorded(op, args);
  return is_recorded ? record_gradients(op, args, params) : write_down(op, args, params);
}

Tensors TraceLayer::write_down(const Op& op, Args args, Params params) {
  if (op.is(kCustom)) return custom(args, params);
  STRATA_CHECK(!op.is(kDataDependent),
               "{}: inside trace the shape of its result is not known: use where() with a mask instead", op.name());
  if (op.is(kShowsMemory)) return as_strided(args[0], params);
  return record(op, args, params);
}

void TraceLayer::watch(const Tensor& leaf) {
  const bool is_known =
      std::any_of(leaves_.begin(), leaves_.end(), [&](const Leaf& l) { return l.leaf.is_same(leaf); });
  if (is_known) return;
  // Where the function has put one there already, what was before is not known.
  const Tensor gradient = gradient_unseen(leaf);
  leaves_.push_back({leaf, gradient.defined() && is_from_outside(gradient) ? gradient : Tensor(), false, 0});
}

std::vector<Tensor> TraceLayer::captured_leaves() const {
  std::vector<Tensor> leaves;
  for (const Leaf& l : leaves_)
    if (!l.is_argument) leaves.push_back(l.leaf);
  return leaves;
}

TraceLayer::Identity TraceLayer::identity_of(const Tensor& t) const {
  if (!t.defined()) return {};
  for (const Adopted& a : adopted_)
    if (a.outside.is_same(t)) return {{}, t};
  const auto input = std::find_if(inputs_.begin(), inputs_.end(), [&](const Input& i) { return i.tracer.is_same(t); });
  const bool are_all = records_ == Records::ahead;
  if (input == inputs_.end()) return are_all && is_from_outside(t) ? Identity{{}, t} : Identity{};
  const Tracer* const now = wrapper_at<Tracer>(t, level());  // none where it was made a constant
  const bool is_written = !now || now->variable != input->variable;
  if (!is_written && !are_all) return {};
  return {number_of(*input)};
}

size_t TraceLayer::number_of(const Input& input) const {
  const auto at = std::find(body_.inputs.begin(), body_.inputs.end(), input.variable);
  return static_cast<size_t>(at - body_.inputs.begin());
}

std::vector<TraceLayer::ShapeChange> TraceLayer::shape_changes() const {
  std::vector<ShapeChange> changes;
  if (!has_effects()) return changes;
  const auto is_changed = [](const Tensor& t) { return !detail::before_moves(t).is_same(t); };
  const auto check = [](bool is_allowed, const Tensor& t) {
    STRATA_CHECK(is_allowed,
                 "trace: the shape of a tensor, now {}, that is captured from outside of the function or requires a "
                 "gradient cannot change in place; use the form without _",
                 t.sizes());
  };
  for (const Adopted& a : adopted_) check(!is_changed(a.outside), a.outside);
  for (const Input& i : inputs_) {
    const Tensor& t = i.tracer;
    if (!is_changed(t)) continue;
    detail::refresh(t);
    const Tracer *const now = wrapper_at<Tracer>(t, level()), *const before =
                                                                  wrapper_at<Tracer>(detail::before_moves(t), level());
    check(now && before && !t.requires_grad() && !wants_gradient(t), t);
    changes.push_back({number_of(i), t.sizes(), t.strides(),
                       now->root_of(t).offset - before->root_of(detail::before_moves(t)).offset});
  }
  return changes;
}

int64_t TraceLayer::offset_of(const Tensor& view) const {
  return wrapper_at<Tracer>(view, level())->root_of(view).offset;
}

void TraceLayer::note_unrecorded_write(const Tensor& self, const Tensor& value) {
  const Tracer *const before = wrapper_at<Tracer>(self, level()), *const after = wrapper_at<Tracer>(value, level());
  if (!before || !after) return;
  histories_.push_back({body_.equations.size(),
                        detail::rule_of_unrecorded_write(),
                        {before->variable, after->variable},
                        {after->variable}});
}

/// A rule at work in a compiled function: Note [Histories of their own].
Tensors TraceLayer::record_rule(Args args, Params params) {
  const std::shared_ptr<const CustomRule>& rule = params.as<CustomParams>().rule;
  std::vector<Variable> given;  // before the rule's forward writes to them
  for (const Tensor* t : args) given.push_back(variable_of(*t));
  CustomRule::Forward ran;
  const bool is_of_ops = rule->only_runs_again();
  const Tensors out = autograd::record_custom(args, params, {&ran, is_of_ops});
  detail::History h{body_.equations.size(), nullptr, {}, {}};
  const auto add = [&](const auto& tensors) {
    for (const Tensor& t : tensors) h.inputs.push_back(variable_of(t));
  };
  for (const Tensor& t : out) {
    h.values.push_back(variable_of(t));
    detail::forget_record(t);  // of what the rule's forward gave, which nobody else has
  }
  if (is_of_ops) {
    add(ran.outputs);
  } else {
    h.rule = detail::rule_that_ran(rule, args.size(), ran);
    h.inputs = std::move(given);
    add(out);
    add(ran.residuals);
  }
  histories_.push_back(std::move(h));
  return out;
}

[[gnu::visibility("hidden")]] void TraceLayer::note_hook(const Tensor& t, HookHandle id, autograd::Hook& hook) {
  const Tracer* const w = wrapper_at<Tracer>(t, level());
  if (!w || !has_histories()) return;
  const bool is_leaf = t.is_leaf();
  hooks_.push_back({w->variable, id, IntrusivePtr<autograd::Hook>::share(&hook),
                    is_leaf ? IntrusivePtr<autograd::Node>() : autograd::gradient_edge(t).function,
                    is_leaf ? t : Tensor()});
}

namespace {

void note_hook_in_trace(const Tensor& t, HookHandle id, autograd::Hook& hook) {
  Layer* layer = thread_state.top_layer;
  while (layer && layer->level() != strata::detail::traced_level()) layer = layer->below();
  if (layer) static_cast<TraceLayer&>(*layer).note_hook(t, id, hook);
}

[[maybe_unused]] const bool notes_hooks = (autograd::note_hook_in_trace = &note_hook_in_trace, true);

}  // namespace

[[gnu::visibility("hidden")]] bool TraceLayer::Hooked::is_registered() const {
  const auto* const list = node ? node->active_hooks() : autograd::meta_of(leaf.impl())->hooks.get();
  return list && std::any_of(list->begin(), list->end(), [&](const autograd::HookEntry& h) { return h.id == id; });
}

bool TraceLayer::passes_gradients(TensorList outputs) {
  const auto passes = [](const Tensor& t) {
    if (!t.requires_grad() || t.is_leaf()) return false;
    const autograd::Edge edge = autograd::gradient_edge(t);
    return edge && !edge.function->is_released() && edge.function->num_outputs() > 0;
  };
  passes_gradients_ =
      std::any_of(outputs.begin(), outputs.end(), passes) ||
      std::any_of(adopted_.begin(), adopted_.end(), [&](const Adopted& a) { return passes(a.outside); }) ||
      std::any_of(inputs_.begin(), inputs_.end(), [&](const Input& i) { return passes(i.tracer); });
  return passes_gradients_;
}

Program TraceLayer::finish(TensorList outputs) {
  for (const Tensor& t : outputs) body_.outputs.push_back(variable_of(t));
  for (const Adopted& a : adopted_) add_effect(a.variable, a.outside);
  give_back();
  if (has_effects())
    for (const Input& i : inputs_) add_effect(i.variable, i.tracer);
  inputs_.clear();
  if (passes_gradients_) {
    for (auto h = hooks_.rbegin(); h != hooks_.rend(); ++h)  // what comes last in the program meets the gradient first
      if (h->is_registered()) detail::add_hook(histories_, body_, h->variable, h->hook);
    detail::add_histories(body_, histories_);
  }
  const bool is_off_throughout = has_histories() && !recording_outside_ && !passes_gradients_;
  if (is_off_throughout) {  // whoever records around the program decides
    for (Program::Equation& e : body_.equations) e.recording = true;
    for (Program::Effect& e : body_.effects) e.recording = true;
  }
  for (const auto& [impl, c] : captured_)
    STRATA_CHECK(!c.shared || impl->version() == c.version,
                 "trace: a tensor of shape {} that the program reads was written to later in place; clone() it first",
                 impl->sizes());
  captured_.clear();
  return Program(std::move(body_));
}

namespace detail {
void describe_options(std::string& bytes, const TensorOptions& options) {
  describe_plain(bytes, DType(options.dtype())), describe_plain(bytes, options.device());
  describe_plain(bytes, options.requires_grad());
  describe_plain(bytes, static_cast<int64_t>(options.memory_format_opt().value_or(MemoryFormat::Preserve)));
}

void fail_plain_values() {
  STRATA_THROW(
      "program: a number, a size or a key in the arguments differs from what it was when traced: trace again, or pass "
      "it as a tensor");
}
}  // namespace detail

}  // namespace strata::func
