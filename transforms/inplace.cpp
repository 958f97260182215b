// Writing to tensors inside transforms: the new value is computed out of place and takes the old one's place.
#include <algorithm>

#include "autograd/inplace.h"
#include "autograd/meta.h"
#include "autograd/op_node.h"
#include "autograd/record.h"
#include "core/replay.h"
#include "dispatcher/layout.h"
#include "dispatcher/names.h"
#include "ops/become_view.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/indexing.h"
#include "ops/indexing_def.h"
#include "ops/memory_format.h"
#include "ops/reduce.h"
#include "ops/rules.h"
#include "ops/shaping.h"
#include "ops/shaping_def.h"
#include "ops/ternary.h"
#include "ops/view.h"
#include "ops/view_def.h"
#include "transforms/trace.h"
#include "transforms/view_record.h"

namespace strata::func::detail {
namespace {

/// Note [In-place inside transforms]
/// `self.op_(args)` computes `op(args)` and swaps the result into self's body, so that every handle sees it. A view
/// remembers its parent and the view op: writing to it makes a new parent, in which the viewed elements are replaced,
/// and every view whose parent has a newer version than it knows is made anew before its next use. A plain view of a
/// plain tensor that became a wrapper finds its parent through `base()`.
///
/// Where autograd records what wrappers are (Note [Backward inside of compiled functions]), a tensor written to while
/// recording is on gets the new value's history, and keeps its own otherwise; a view is made anew as it was made. What
/// is detached shows its parent's values and has a history of its own: a write to it is one to the parent that is not
/// recorded.

uint64_t level_of(const Tensor& t) { return t.impl()->wrapper() ? t.impl()->wrapper()->level : 0; }

/// Does a compiled function's trace record what is written to these? Note [Layouts in compiled functions]
bool is_of_compiled(const Tensor& t) { return level_of(t) != 0 && level_of(t) == strata::detail::traced_level(); }

TraceLayer& traced_layer() {
  Layer* layer = thread_state.top_layer;
  while (layer->level() != strata::detail::traced_level()) layer = layer->below();
  return static_cast<TraceLayer&>(*layer);
}

void set_recorded(TensorImpl& t, AutogradMetaBase* meta, bool is_recorded) {
  t.set_autograd(meta);
  is_recorded ? t.add_key(Key::Autograd) : t.remove_key(Key::Autograd);
}

/// Ends a history: what was there is gone.
IntrusivePtr<autograd::Node> node_without_inputs(const Op& op) {
  const auto node = autograd::OpNode::create(op, {}, Params::of(NoParams()));
  return IntrusivePtr<autograd::Node>::share(node.get());
}

/// The history of `self`, whose contents were exchanged for those of a value.
void settle_history(const Tensor& self, const Tensor& before, const Op& op) {
  TensorImpl &now = *self.impl(), &old = *before.impl();
  const bool was_recorded = old.keys().has(Key::Autograd), is_recorded = now.keys().has(Key::Autograd);
  if (!is_recorded && !(was_recorded && old.wrapper())) return;
  AutogradMetaBase* const computed = now.autograd();
  set_recorded(now, old.autograd(), was_recorded);
  set_recorded(old, computed, is_recorded);
  if (!GradMode::is_enabled()) return;
  const autograd::Edge edge = is_recorded ? autograd::gradient_edge(before) : autograd::Edge();
  autograd::set_history(self, edge ? edge.function : node_without_inputs(op), edge.input_nr);
}

/// What becomes of the hooks of a view that is made anew: they go with it where it was written to itself, and end where
/// the write was to a view of it, through which its gradient does not come.
enum class Hooks : bool { end, follow };

/// The tensor whose memory a view shows, if views of memory lead there.
Tensor root_of(const Tensor& view) {
  Tensor root = view;
  while (const ViewRecord* const r = record_of(root)) {
    if (!r->op.is(kView) || r->is_detached() || r->parent.dtype() != root.dtype()) return {};
    root = r->parent;
  }
  return root;
}

/// A compiled function's tensor with its dims in the order of memory: Note [Memory of plain tensors].
Tensor in_order_of_memory(const Tensor& root, bool is_compiled) {
  return root.is_contiguous() || !is_compiled ? root : permute(root, strata::detail::outermost_first(root.strides()));
}

/// Eager code makes the history anew of a view whose memory was written to, as that of a part of its base. So does a
/// backward pass outside of the program.
void show_part_of_root(const Tensor& view) {
  const Tensor root = root_of(view);
  if (!root.defined() || !root.requires_grad() || level_of(root) != level_of(view)) return;
  const int64_t offset = traced_layer().offset_of(view);
  if (const Tensor memory = in_order_of_memory(root, true); memory.is_contiguous()) {
    const AsStridedParams part{view.sizes(), view.strides(), offset, {}};
    traced_layer().note_unrecorded_write(call1(as_strided_op, {&memory}, Params::of(part)), view);
  }
  const AsStridedParams p{view.sizes(), view.strides(), offset,
                          strides_for_view(root.sizes(), root.strides(), view.sizes(), view.strides(), offset)};
  const auto node = autograd::OpNode::create(as_strided_op, {&root}, Params::of(p));
  node->save_outputs(view);
  autograd::set_history(view, IntrusivePtr<autograd::Node>::share(node.get()), 0);
}

/// Makes `t` the view that `op` shows of `parent`, with a record of that; views of `t` see that it changed.
void show(const Tensor& t, const Tensor& parent, const Tensor& place, const Op& op, Params params, bool recording,
          Hooks hooks) {
  const AutoGradMode mode(recording);
  const Tensor fresh = place.defined() ? call1(op, {&parent, &place}, params) : call1(op, {&parent}, params);
  WrapperBase* const w = fresh.impl()->wrapper();
  if (w && !w->view) w->view = new ViewRecord(parent, place, op, params);
  if (const ViewRecord* const was = w ? record_of(t) : nullptr) record_of(fresh)->moved = was->moved;
  if (w) w->version = t.impl()->version() + 1;
  t.impl()->swap_contents(*fresh.impl());
  if (hooks == Hooks::follow) settle_history(t, fresh, op);
  if (recording && is_of_compiled(t)) show_part_of_root(t);
}

/// After a write to what the view shows.
void show_again(const Tensor& t, const ViewRecord& r) {
  const bool is_detached = r.is_detached();
  show(t, r.parent, r.place, r.op, r.params, r.recording && !is_detached, is_detached ? Hooks::follow : Hooks::end);
}

/// What shows memory of a plain tensor shows the wrapper that this one has become. Under grad and jvp what is detached
/// is a tensor of the level below, which would not follow.
void show_aliases(const Storage& memory) {
  for (const auto& [alias, record] : take_aliases(memory)) {
    if (alias.use_count() == 1) continue;  // nobody has it any more
    show_again(alias, *record);
    STRATA_CHECK(alias.impl()->wrapper(),
                 "in-place on a tensor of shape {} whose memory a detached tensor shows, inside a derivative: clone() "
                 "one of them first",
                 alias.sizes());
  }
}

/// The adjoint of a view op, which puts gradients of the view's shape where the parent's elements are.
Tensor spread(const ViewRecord& r, const Tensor& view, const Tensor& values) {
  const bool wanted = true;
  return r.op.vjp({{r.op, {&r.parent}, {&view}}, {&values}, &wanted}, r.params.data())[0];
}

/// Do several elements along a dim share memory?
bool is_repeated(const Tensor& t, int64_t dim) { return t.strides()[dim] == 0 && t.sizes()[dim] > 1; }
bool has_repeats(const Tensor& t) {
  for (int64_t d = 0; d < t.dim(); ++d)
    if (is_repeated(t, d)) return true;
  return false;
}
[[noreturn]] void refuse_repeats(const Op& op, const Tensor& self) {
  STRATA_THROW(
      "{}: in-place on an expanded tensor of shape {} (several elements share one memory location); clone() it first",
      op.name(), self.sizes());
}
void check_no_repeats(const Op& op, const Tensor& self) {
  const bool is_memory = level_of(self) == 0 || is_of_compiled(self);
  if (is_memory && has_repeats(self)) refuse_repeats(op, self);
}

/// `parent` with `values` where they are shown. What is written to one of the elements that share memory is written to
/// all; along their dims one place is shown at most.
Tensor replaced_where(Tensor shown, Tensor values, const Tensor& parent) {
  for (int64_t d = 0; is_of_compiled(parent) && d < parent.dim(); ++d) {
    if (!is_repeated(parent, d)) continue;
    values = gather(values, d, argmax(shown.to(kInt), d, true));
    shown = any(shown, d, true);
  }
  return where(shown.contiguous(), values, parent);
}

/// What was expanded to a value that is the same in all repetitions.
Tensor first_repetition(Tensor value, const Tensor& view, IntArrayRef sizes) {
  for (int64_t d = 0; d < view.dim(); ++d)
    if (is_repeated(view, d)) value = slice(value, d, 0, 1);
  return value.reshape(sizes).clone();
}

/// The parent with the elements that the view shows replaced by the `value` that `op` writes.
Tensor parent_with(const Op& op, const ViewRecord& r, const Tensor& view, const Tensor& value) {
  if (r.is_detached()) return value;
  // Of what shows nothing the parent takes no value, but the history of one, as in eager code.
  if (view.numel() == 0 && (!value.requires_grad() || r.op.is(kRepeats))) return r.parent;
  if (r.op.is(kRepeats)) {
    if (is_of_compiled(view)) return first_repetition(value, view, r.parent.sizes());
    if (view.numel() != r.parent.numel()) refuse_repeats(op, view);
    return value.reshape(r.parent.sizes());  // nothing but dims of one element was added
  }
  if (r.place.defined()) {
    check_no_repeats(index_put_op, r.parent);
    const Params params(r.params);
    const auto& p = params.as<IndexParams>();
    return call1(index_put_op, {&r.parent, &value, &r.place}, IndexPutParams{p.first, p.wrap, false});
  }
  if (r.parent.dtype() != value.dtype()) return spread(r, view, value);  // all of it, as complex numbers or as pairs
  const Tensor shown = spread(r, view, ones(value.sizes(), TensorOptions(kFloat).device(value.device())));
  return replaced_where(shown > 0, spread(r, view, value), r.parent);
}

void check_not_captured(const Op& op, const Tensor& self, const Tensor& value) {
  STRATA_CHECK(level_of(value) <= self.impl()->born() || level_of(value) <= level_of(self),
               "{}: in-place with a value from inside a transform on a tensor captured from outside of it (or passed "
               "through as it is); work on a clone() and return that",
               op.name());
}

DimVector inverse_of(const DimVector& order) {
  DimVector back = order;
  for (size_t i = 0; i < order.size(); ++i) back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  return back;
}

/// A write leaves a tensor its layout, whatever that of the value is.
Tensor laid_out_like(const Tensor& self, const Tensor& value) {
  if (self.is_contiguous() && value.is_contiguous()) return value;
  const DimVector wanted = dispatch::strides_like(self.sizes(), self.strides());
  if (value.strides() == IntArrayRef(wanted)) return value;
  const DimVector order = strata::detail::outermost_first(wanted);
  const Tensor laid = permute(contiguous(permute(value, order)), inverse_of(order));
  forget_record(laid);  // nobody else has what it is a view of
  return laid;
}

/// Is a value a view of `self`? Written to a view without elements, a parent's value is that parent.
bool shows(const Tensor& value, const Tensor& self) {
  for (const ViewRecord* r = record_of(value); r; r = record_of(r->parent))
    if (r->parent.is_same(self)) return true;
  return false;
}

/// Gives self's body the contents of `value`.
void replace(const Op& op, const Tensor& self, Tensor value) {
  const uint32_t version = self.impl()->version() + 1;
  const Storage memory = self.storage();
  const bool is_compiled = is_of_compiled(value);
  if (is_compiled && value.numel() > 1) value = laid_out_like(self, value);
  if (value.use_count() > 1 || value.is_view() || shows(value, self) ||
      (value.has_storage() && value.storage()->use_count() > 1))
    value = value.clone();
  if (is_compiled) {
    value.impl()->set_geometry(self.sizes(), self.strides(), 0);  // with the gaps that an argument may have
    if (!GradMode::is_enabled() && self.requires_grad()) traced_layer().note_unrecorded_write(self, value);
  }
  self.impl()->swap_contents(*value.impl());
  settle_history(self, value, op);
  if (WrapperBase* const w = self.impl()->wrapper()) w->version = version;
  while (self.impl()->version() < version) self.storage()->bump_version();
  if (memory) show_aliases(memory);
}

void write(const Op& op, const Tensor& self, Tensor value, Hooks hooks);

/// Gives the tensor to the layer that records writes to it, if there is one.
void adopt(const Tensor& self) {
  Layer* layer = thread_state.top_layer;
  while (layer && !layer->adopts(self)) layer = layer->below();
}

bool has_hooks(const Tensor& t) {
  const autograd::Meta* const meta = autograd::meta_of(t.impl());
  return meta && meta->grad_fn && meta->grad_fn->active_hooks();
}

/// Is the history of this view made anew by its next use, so that gradients of several views add up in eager's order?
bool is_shown_later(const Tensor& view, const ViewRecord& r) {
  return is_of_compiled(view) && r.recording && view.requires_grad() && !r.is_detached() && !has_hooks(view);
}

/// The numbers of the elements of `root`, in row-major order, that a view of it shows.
Tensor elements_shown(const Tensor& view, const Tensor& root) {
  if (view.is_same(root)) return arange(root.numel()).view(root.sizes());
  const ViewRecord& r = *record_of(view);
  const Tensor of_parent = elements_shown(r.parent, root).contiguous();
  return call1(r.op, {&of_parent}, Params(r.params));
}

/// Is `t` a view of windows, which may overlap? What is written to one of its elements is in the others that show the
/// same memory as well, so a value of it as a whole does not say what that memory holds.
bool shows_windows(const Tensor& t) {
  for (const ViewRecord* r = record_of(t); r; r = record_of(r->parent))
    if (&r->op == &unfold_op) return true;
  return false;
}

/// Writes a value for a view of overlapping windows straight to the tensor whose memory they show.
void write_to_root(const Op& op, const Tensor& self, const Tensor& root, const Tensor& value) {
  const Tensor places = elements_shown(self, root).flatten();
  write(op, root, scatter(root.flatten(), 0, places, value.flatten()).reshape(root.sizes()), Hooks::end);
}

void write_through(const Op& op, const Tensor& self, const ViewRecord r, const Tensor& value, Hooks hooks) {
  adopt(r.parent);
  {
    const AutoGradMode mode(GradMode::is_enabled() && !r.is_detached());
    const Tensor root = shows_windows(r.parent) ? root_of(self) : Tensor();
    if (root.defined() && level_of(root) == level_of(self))
      write_to_root(op, self, root, value);
    else
      write(op, r.parent, parent_with(op, r, self, value), Hooks::end);
  }
  if (is_shown_later(self, r)) return;
  show(self, r.parent, r.place, r.op, r.params, r.recording || GradMode::is_enabled(), hooks);
  if (r.is_detached() && GradMode::is_enabled() && value.requires_grad()) {
    const autograd::Edge edge = autograd::gradient_edge(value);
    autograd::set_history(self, edge.function, edge.input_nr);
    // As after an unrecorded write, what self is now has the history of another variable, here that of the value.
    if (is_of_compiled(self)) traced_layer().note_unrecorded_write(value, self);
  }
}

/// Note [Memory of plain tensors]
/// A plain view says where it lies in its storage. So when its base has become a wrapper, it is a part of the one that
/// stands for all of the storage: of the base itself where that is row-major from the start, in compiled functions
/// with its dims in the order of memory, since what is written to keeps its layout there. What lies otherwise becomes a
/// view of such a wrapper too.
Tensor stands_for_memory(const Tensor& base) {
  Tensor root = base;
  while (const ViewRecord* const r = record_of(root)) root = r->parent;
  return root;
}

StridedParams place_in_memory(const Tensor& memory, const Tensor& view) {
  STRATA_CHECK(view.dtype() == memory.dtype(),
               "in-place through a {} view of a {} tensor made outside of a transform: make the view inside",
               name(view.dtype()), name(memory.dtype()));
  STRATA_CHECK(memory.is_contiguous(),
               "in-place on a view of a tensor with strides {} inside a transform: clone() that tensor first",
               memory.strides());
  return {memory.sizes(), view.sizes(), view.strides(), view.storage_offset()};
}

[[noreturn]] void fail_detached(const Op& op) {
  STRATA_THROW("{}: in-place on a detached tensor, or on a view inside a derivative or batch rule: clone() it first",
               op.name());
}

/// Outside of compiled functions a write to what is detached is not followed, so nobody else may show the memory.
void end_alias(const Op& op, const Tensor& self) {
  if (!record_of_alias(self)) return;
  if (is_shown_otherwise(self)) fail_detached(op);
  forget_alias(self);
}

bool is_row_major_from_start(const Tensor& plain) { return plain.is_contiguous() && plain.storage_offset() == 0; }

/// All that lies in the storage of a plain tensor.
Tensor all_elements(const Tensor& plain) {
  const auto item = static_cast<int64_t>(plain.element_size());
  auto* const impl = new TensorImpl(plain.dtype(), plain.device(), plain.storage());
  impl->set_geometry({static_cast<int64_t>(plain.storage().nbytes()) / item}, {1}, 0);
  return Tensor::adopt(impl);
}

/// A value for `self`, a plain tensor or a view of it, which is not row-major: Note [Memory of plain tensors].
void write_to_memory(const Tensor& base, const Tensor& self, const Tensor& value) {
  const Tensor all = all_elements(base);
  const Storage storage = base.storage();
  const StridedParams place = place_in_memory(all, base);
  const Tensor memory = call1(as_strided_scatter_op, {&all, &value}, place_in_memory(all, self));
  show(base, memory, Tensor(), as_strided_copy_op, Params::of(place), GradMode::is_enabled(), Hooks::end);
  show_aliases(storage);
}

/// `self` is a plain view, `value` a wrapper: the whole base becomes one.
void write_through_base(const Op& op, const Tensor& self, const Tensor& value) {
  const Tensor base = self._base();
  const bool is_compiled = is_of_compiled(value);
  if (is_compiled || is_row_major_from_start(base)) {
    STRATA_CHECK(base.storage_offset() == 0,
                 "{}: in-place on a view of a tensor that starts {} elements after its storage: clone() that tensor "
                 "first",
                 op.name(), base.storage_offset());
    const Tensor memory = in_order_of_memory(base, is_compiled);
    Tensor updated = call1(as_strided_scatter_op, {&memory, &value}, place_in_memory(memory, self));
    if (!base.is_contiguous()) updated = permute(updated, inverse_of(strata::detail::outermost_first(base.strides())));
    write(op, base, updated, Hooks::end);
  } else {
    end_alias(op, base);
    write_to_memory(base, self, value);
  }
  refresh_view(self);
}

void write(const Op& op, const Tensor& self, Tensor value, Hooks hooks) {
  check_not_captured(op, self, value);
  const WrapperBase* const w = self.impl()->wrapper();
  if (w && w->unrecorded_view) fail_detached(op);
  if (GradMode::is_enabled() && w) autograd::check_inplace_allowed(op.name(), self);
  if (const ViewRecord* const r = record_of(self)) return write_through(op, self, *r, value, hooks);
  if (!w && !is_of_compiled(value)) end_alias(op, self);
  if (const ViewRecord* const r = record_of_alias(self)) return write_through(op, self, *r, value, hooks);
  if (self.is_view()) return write_through_base(op, self, value);
  const bool is_replaced = w || is_of_compiled(value) || is_row_major_from_start(self);
  is_replaced ? replace(op, self, std::move(value)) : write_to_memory(self, self, value);
}

/// The tensor that `t` is only a name for, if it is one.
Tensor* target_of(const Tensor& t) {
  const uint64_t level = level_of(t);
  if (level == 0) return nullptr;
  const Layer* layer = thread_state.top_layer;
  while (layer && layer->level() > level) layer = layer->below();
  return layer && layer->level() == level ? layer->target(t) : nullptr;
}

bool concerns_a_layer(const Op& op, const Tensor& self, Args args) {
  if (self.impl()->wrapper() || op.is(kRandom)) return true;
  for (const Tensor* t : args)
    if (t->impl() && t->impl()->wrapper()) return true;
  return false;
}

/// A view that is made while recording is off requires a gradient, as its base does, and passes none on.
void require_as_base(const Tensor& view, Args args, const Op& op) {
  if (!GradMode::is_enabled() && autograd::is_recorded(op, args))
    autograd::set_history(view, node_without_inputs(op), 0);
}

}  // namespace

void record_view(const Tensor& view, Args args, const Op& op, Params params) {
  WrapperBase* const w = view.impl()->wrapper();
  const Tensor* parent = &args[0];
  while (const Tensor* const target = target_of(*parent)) parent = target;
  if (view.is_same(*parent)) return;
  if (!w) {
    if (!thread_state.inside_rule) record_alias(view, *parent, op, params);
    return;
  }
  const bool is_cut = op.is(kNotDifferentiable) && w->level != strata::detail::traced_level();
  w->unrecorded_view = thread_state.inside_rule || is_cut;
  if (thread_state.inside_rule) return;
  if (is_of_compiled(view)) require_as_base(view, args, op);
  const Tensor place = args.size() > 1 ? clone(args[1]) : Tensor();  // which may be written to
  w->view = new ViewRecord(*parent, place, op, params);
}

/// Note [Shapes in place inside transforms]
/// `t_` and its like give what self was another body, of which self becomes the view that they make: writes to self go
/// through that to the body. What was a view of self before shows that body from its next use on.
static void follow_moved(ViewRecord& r) {
  for (const ViewRecord* of = record_of(r.parent); of && r.version < of->moved.since; of = record_of(r.parent))
    r.parent = Tensor(of->moved.before);
}

void refresh_view(const Tensor& t) {
  if (ViewRecord* const r = record_of(t)) {
    follow_moved(*r);
    refresh_view(r->parent);
    if (r->parent.impl()->version() == r->version) return;
    show_again(t, ViewRecord(*r));
  } else if (t.is_view() && t._base().impl()->wrapper()) {
    const Tensor base = t._base();
    STRATA_CHECK(t.impl()->born() >= level_of(base) || base.impl()->born() >= level_of(base),
                 "compile: a view of shape {} made outside of the function shows a tensor that the function writes to: "
                 "make the view inside",
                 t.sizes());
    const bool is_recorded = t.impl()->view_made() == TensorImpl::Made::kRecorded;
    const Tensor memory = in_order_of_memory(stands_for_memory(base), is_of_compiled(base));
    show(t, memory, Tensor(), as_strided_copy_op, Params::of(place_in_memory(memory, t)), is_recorded, Hooks::end);
  }
}

namespace {

/// Note [In-place on views]: eager code makes the history anew of a view that a recorded write reads.
void show_anew(const Tensor& self, Args args) {
  const bool is_read = std::any_of(args.begin(), args.end(), [&](const Tensor* t) { return t->is_same(self); });
  if (!is_read || !record_of(self) || !GradMode::is_enabled() || !self.requires_grad()) return;
  const ViewRecord r = *record_of(self);
  if (is_shown_later(self, r)) show(self, r.parent, r.place, r.op, r.params, true, Hooks::end);
}

}  // namespace

void call_inplace(const Op& op, Tensor& self, Args args, Params params) {
  if (Tensor* const target = target_of(self)) return call_inplace(op, *target, args, params);
  adopt(self);
  refresh_view(self);
  if (!concerns_a_layer(op, self, args)) {
    const KeySet keys = (keys_of(args) | self.keys()) - thread_state.excluded - KeySet(Key::Transform);
    return call_inplace_with(op, self, args, params, keys);
  }
  check_no_repeats(op, self);
  show_anew(self, args);
  Tensor value = call(op, args, params)[0];
  STRATA_CHECK(value.sizes() == self.sizes(), "{}: a value of shape {} does not fit into a tensor of shape {}",
               op.name(), value.sizes(), self.sizes());
  if (level_of(value) == 0 && level_of(self) == 0)
    self.copy_(value);
  else
    write(op, self, std::move(value), Hooks::follow);
}

/// What eager code asks of a tensor whose shape is to change. Outside of a compiled function an argument that requires
/// a gradient keeps its shape, for which gradients are made.
static void check_may_move(std::string_view method, const Tensor& x) {
  const bool is_recorded = GradMode::is_enabled() && x.requires_grad();
  if (is_recorded) autograd::check_inplace_allowed(method, x);
  STRATA_CHECK(is_recorded || record_of(x) || !x.requires_grad(),
               "{}: inside of a compiled function the shape of what requires grad cannot change under NoGradGuard; "
               "detach() it first",
               method);
}

/// A body as old as `t`, with its contents, which leaves `t` without any.
static Tensor moved_out(const Tensor& t) {
  struct AsOldAs {
    explicit AsOldAs(const Tensor& other) : level(std::exchange(thread_state.level, other.impl()->born())) {}
    ~AsOldAs() { thread_state.level = level; }
    const uint64_t level;
  } const age(t);
  Tensor body = Tensor::adopt(new TensorImpl(t.dtype(), t.device(), Storage()));
  body.impl()->swap_contents(*t.impl());
  return body;
}

/// A variable without views above it gets more memory: what it was, and it itself, become views of a larger one.
static void grow(const Tensor& x, IntArrayRef sizes, IntArrayRef strides) {
  STRATA_CHECK(!record_of(x),
               "resize_: inside of a compiled function a view of shape {} cannot grow to {}; clone() it first",
               x.sizes(), sizes);
  const uint32_t version = x.impl()->version() + 1;
  const Tensor more = zeros({numel_of(sizes) - x.numel()}, TensorOptions(x.dtype()).device(x.device())),
               memory = cat({as_strided(in_order_of_memory(x, true), {x.numel()}, {1}), more});
  const auto place = [](IntArrayRef of, IntArrayRef by) { return AsStridedParams{of, by, 0, {}}; };
  const AsStridedParams whole = place(sizes, strides), part = place(x.sizes(), x.strides());
  const Tensor before = moved_out(x);
  show(before, memory, Tensor(), as_strided_op, Params::of(part), false, Hooks::end);
  show(x, memory, Tensor(), as_strided_op, Params::of(whole), false, Hooks::end);
  x.impl()->wrapper()->version = version;
  record_of(x)->moved = {before, version};
}

}  // namespace strata::func::detail

void strata::detail::before_becoming_view(const Tensor& x) {
  if (!x.defined()) return;
  func::detail::adopt(x);
  func::detail::refresh_view(x);
}

void strata::detail::resize_inside(const Tensor& x, IntArrayRef sizes, IntArrayRef strides) {
  using namespace func::detail;
  STRATA_CHECK(is_of_compiled(x) && !target_of(x),
               "resize_: the geometry of a tensor inside a transform cannot change in place");
  STRATA_CHECK(!x.requires_grad(), "resize_: cannot resize variables that require grad; detach() the tensor first");
  if (numel_of(sizes) <= x.numel())
    become_view_inside("resize_", x, as_strided(in_order_of_memory(x, true), sizes, strides));
  else
    grow(x, sizes, strides);
}

void strata::detail::become_view_inside(std::string_view method, const Tensor& x, const Tensor& view) {
  using namespace func::detail;
  STRATA_CHECK(!target_of(x),
               "{}: the shape of a tensor inside functional_call cannot change in place; use the form without _",
               method);
  if (is_of_compiled(x)) check_may_move(method, x);
  ViewRecord* first = view.is_same(x) ? nullptr : record_of(view);
  while (first && !first->parent.is_same(x)) first = record_of(first->parent);
  STRATA_CHECK(
      first || view.is_same(x),
      "{}: inside a derivative or batch rule, and of a derivative's tensor under NoGradGuard, the shape cannot "
      "change in place; use the form without _",
      method);
  if (!first) return;
  const uint32_t version = x.impl()->version() + 1;
  first->parent = moved_out(x);
  const ViewRecord::Moved moved{first->parent, version};
  x.impl()->swap_contents(*view.impl());
  x.impl()->wrapper()->version = version;
  record_of(x)->moved = moved;
}
