// The trace layer: infers shapes, writes equations, and takes in constants.
#include "transforms/trace.h"

#include <algorithm>

#include "autograd/custom.h"
#include "dispatcher/fallback.h"
#include "dispatcher/names.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/shaping_def.h"
#include "ops/view.h"
#include "ops/view_def.h"

namespace strata::func {

using autograd::custom_op;
using autograd::CustomParams;
using autograd::CustomRule;

using Variable = Program::Variable;

namespace {

/// A variable; `root` is the one that it is a view of, row-major and `offset` elements before it.
struct Tracer final : WrapperBase {
  Tracer(uint64_t level, Variable variable, Variable root, int64_t offset)
      : WrapperBase(level), variable(variable), root(root), offset(offset) {}
  TensorImpl* concrete(const char* who) const override {
    STRATA_THROW(
        "{}: inside trace a tensor has no value: use where(), cond or while_loop instead of if and loops, or pass what "
        "decides as a plain number",
        who);
  }
  const Variable variable, root;
  const int64_t offset;
};

}  // namespace

TraceLayer::TraceLayer(Records records) : records_(records), recording_outside_(GradMode::is_enabled()) {}

TraceLayer::~TraceLayer() { give_back(); }

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
  if (records_ != Records::effects || !is_from_outside(t)) return false;
  Tensor outside = t.is_view() ? t._base() : t;
  if (wrapper_at<Tracer>(outside, level())) return true;
  const Variable v = capture(outside);
  Tensor body = tracer(v, meta_like(outside), nullptr);
  body.impl()->wrapper()->version = outside.impl()->version();  // views of it know this number
  outside.impl()->swap_contents(*body.impl());
  adopted_.push_back({std::move(outside), std::move(body), v});
  return true;
}

/// What `t` is in the end is written to the target, recorded by autograd if its computation was.
void TraceLayer::add_effect(Variable target, const Tensor& t) {
  const Variable value = variable_of(t);
  if (value == target) return;
  const auto made = std::find_if(body_.equations.rbegin(), body_.equations.rend(), [&](const Program::Equation& e) {
    return std::find(e.outputs.begin(), e.outputs.end(), value) != e.outputs.end();
  });
  body_.effects.push_back({target, value, made == body_.equations.rend() || made->recording});
}

/// Tensors from outside are again what they were.
void TraceLayer::give_back() {
  for (Adopted& a : adopted_) a.outside.impl()->swap_contents(*a.contents.impl());
  adopted_.clear();
}

Variable TraceLayer::define(DType dtype, Device device, IntArrayRef sizes) {
  body_.types.push_back({dtype, device, sizes});
  return static_cast<Variable>(body_.types.size() - 1);
}

Tensor TraceLayer::tracer(Variable v, const Meta& meta, const Tensor* viewed) const {
  const Tracer* const parent = viewed ? wrapper_at<Tracer>(*viewed, level()) : nullptr;
  auto* impl = new TensorImpl(meta.dtype, meta.device, Storage());
  if (meta.strided)
    impl->set_geometry(meta.sizes, meta.strides, 0);
  else
    impl->set_contiguous(meta.sizes, numel_of(meta.sizes));
  impl->set_wrapper(parent ? new Tracer(level(), v, parent->root, parent->offset + meta.offset)
                           : new Tracer(level(), v, v, 0));
  return Tensor::adopt(impl);
}

Tensor TraceLayer::input(const Tensor& t) {
  if (!t.defined()) {
    body_.inputs.push_back(Program::kNone);
    return t;
  }
  const Variable v = define(t.dtype(), t.device(), t.sizes());
  body_.inputs.push_back(v);
  inputs_.push_back({tracer(v, meta_like(t), nullptr), v});
  return inputs_.back().tracer;
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
  c.original = t;
  c.version = version;
  c.variable = define(t.dtype(), t.device(), t.sizes());
  const bool outside = is_from_outside(t);
  body_.constants.push_back({c.variable, kept(t, c.shared), outside});
  return c.variable;
}

Program::Equation TraceLayer::equation(const Op& op, Args args, Params params) {
  const bool recording = GradMode::is_enabled() || !recording_outside_;
  Program::Equation e{&op, OwnedParams(params), recording, {}, {}};
  for (const Tensor* t : args) e.inputs.push_back(variable_of(*t));
  return e;
}

Tensor TraceLayer::output(Program::Equation& e, const Meta& meta, const Tensor* viewed) {
  e.outputs.push_back(define(meta.dtype, meta.device, meta.sizes));
  return tracer(e.outputs.back(), meta, viewed);
}

Tensors TraceLayer::record(const Op& op, Args args, Params params) {
  const Metas metas = infer_outputs(op, args, params);
  Program::Equation e = equation(op, args, params);
  Tensors out = Tensors::undefined(metas.size());
  for (size_t i = 0; i < metas.size(); ++i) out[i] = output(e, metas[i], op.is(kView) ? &args[0] : nullptr);
  body_.equations.push_back(std::move(e));
  return out;
}

/// Strides are not part of a program, so what is shown of memory becomes a copy of elements of the row-major root.
Tensor TraceLayer::as_strided(const Tensor& x, Params params) {
  const auto& p = params.as<AsStridedParams>();
  const Tracer& w = *wrapper_at<Tracer>(x, level());
  const Program::Type root = body_.types[w.root];
  const Tensor base = tracer(w.root, meta(root.sizes, root.dtype, root.device), nullptr);
  const StridedParams copy{root.sizes, p.sizes, p.strides, w.offset + p.offset};
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
  for (size_t i = 0; i < outputs.size(); ++i) out[i] = output(e, meta_like(outputs[i]), nullptr);
  body_.equations.push_back(std::move(e));
  return out;
}

Tensors TraceLayer::process(const Op& op, Args args, Params params) {
  if (op.is(kCustom)) return custom(args, params);
  STRATA_CHECK(!op.is(kDataDependent),
               "{}: inside trace the shape of its result is not known: use where() with a mask instead", op.name());
  if (op.is(kShowsMemory)) return as_strided(args[0], params);
  return record(op, args, params);
}

Program TraceLayer::finish(TensorList outputs) {
  for (const Tensor& t : outputs) body_.outputs.push_back(variable_of(t));
  for (const Adopted& a : adopted_) add_effect(a.variable, a.outside);
  give_back();
  if (records_ == Records::effects)
    for (const Input& i : inputs_) add_effect(i.variable, i.tracer);
  inputs_.clear();
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
