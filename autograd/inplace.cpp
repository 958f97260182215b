// In-place writes to views, as functional updates of their base.
#include "autograd/inplace.h"

#include <algorithm>

#include "autograd/op_node.h"
#include "dispatcher/names.h"
#include "ops/become_view.h"
#include "ops/complex_def.h"
#include "ops/creation.h"
#include "ops/overwrite.h"
#include "ops/shaping_def.h"
#include "ops/view_def.h"

namespace strata::autograd {

void check_inplace_allowed(std::string_view who, const Tensor& self) {
  if (self.is_view()) {
    const TensorImpl::Made made = self.impl()->view_made();
    STRATA_CHECK(made == TensorImpl::Made::kRecorded,
                 "{}: A view was created in {} mode and is being modified inplace while recording is on; make the view "
                 "outside, or write to it inside",
                 who, made == TensorImpl::Made::kNoGrad ? "no_grad" : "inference");
    const Tensor base = self._base();
    STRATA_CHECK(!base.requires_grad() || !is_leaf(base.impl()),
                 "{}: a view of a leaf Variable that requires grad is being used in an in-place operation; do it under "
                 "NoGradGuard or on a clone",
                 who);
  }
  STRATA_CHECK(
      !self.requires_grad() || !is_leaf(self.impl()),
      "{}: a leaf Variable that requires grad is being used in an in-place operation; do it under NoGradGuard or on "
      "a clone",
      who);
}

/// Any call of an op does it.
void refresh(const Tensor& t) {
  const WrapperBase* const w = t.impl() ? t.impl()->wrapper() : nullptr;
  if (w && w->view) call1(alias_op, {&t});
}

namespace {

/// A base that is not row-major, or that lacks some of what the view shows, is laid out as its memory first: Note
/// [as_strided of what is not row-major].
Tensor updated_in_memory(const Tensor& whole, const Tensor& part, const PlaceInBase& place) {
  const AsStridedParams p{place.sizes, place.strides, place.offset, place.base_strides};
  const SharedMemory memory = memory_of(p, whole.sizes());
  const DimVector room{memory.room}, whole_strides(IntArrayRef(p.input_strides).slice(0, whole.sizes().size()));
  const Tensor zeros = constant(0, whole.dtype(), whole.device(), room);
  const Tensor held = history_of(as_strided_scatter_op, {&zeros, &whole},
                                 Params::of(StridedParams{room, whole.sizes(), whole_strides, memory.input_offset}));
  const Tensor written = history_of(as_strided_scatter_op, {&held, &part},
                                    Params::of(StridedParams{room, p.sizes, p.strides, memory.output_offset}));
  return history_of(as_strided_op, {&written},
                    Params::of(AsStridedParams{whole.sizes(), whole_strides, memory.input_offset}));
}

/// The base with what the view shows of it replaced by the view.
IntrusivePtr<Node> update_node(const Tensor& base, const Tensor& view) {
  const PlaceInBase place = place_in_base(base, view);
  const auto as_parts = [&](const Tensor& t) {
    return place.in_parts && t.is_complex() ? history_of(view_as_real_op, {&t}, Params::of(NoParams())) : t;
  };
  const Tensor whole = as_parts(base), part = as_parts(view);
  const StridedParams p{whole.sizes(), place.sizes, place.strides, place.offset};
  Tensor updated = place.base_strides.empty() ? history_of(as_strided_scatter_op, {&whole, &part}, Params::of(p))
                                              : updated_in_memory(whole, part, place);
  if (place.in_parts && base.is_complex()) updated = history_of(view_as_complex_op, {&updated}, Params::of(NoParams()));
  return gradient_edge(updated).function;
}

/// The view's node is made anew from its base when it is next asked for.
void mark_stale(Meta& meta) { --meta.version; }

}  // namespace

/// Note [In-place on views]
/// A recorded write to a view is a functional update of its base: base = as_strided_scatter(base, new view). So any
/// view may be written to, outputs of split and unbind too; it and its siblings make their node anew from the base when
/// they are next used, so that hooks on the base see the gradients of all that it shows. The old value that the write
/// reads is a part of the base as well, and of none of the views between the two: those may show less (as_strided goes
/// beyond what it is called on), and the gradient that they retain is that of what they are after the write.
void show_from_base(const Tensor& view, Args args) {
  Meta* const meta = meta_of(view.impl());
  const bool is_read = std::any_of(args.begin(), args.end(), [&](const Tensor* t) { return t->is_same(view); });
  if (meta && meta->grad_fn && is_read) mark_stale(*meta);
}

void rebase(const Tensor& view, const IntrusivePtr<Node>& node, uint32_t nr) {
  const Tensor base = view._base();
  set_history(view, node, nr);
  set_history(base, update_node(base, view), 0);
  Meta& meta = ensure_meta(view.impl());
  mark_stale(meta);
  // The write's own node shows the base, whose gradient is none of the view's: what retains it leaves that node at
  // once.
  if (meta.retain_hook) gradient_edge(view);
}

}  // namespace strata::autograd

/// What a method computes aside reads the old value as an op that writes it would.
void strata::detail::show_old_value(const Tensor& self) {
  if (self.is_view() && GradMode::is_enabled() && self.requires_grad()) autograd::show_from_base(self, {&self});
}

/// A tensor that is no view itself becomes what its node makes of the old one; a view is shown anew from its base.
void strata::detail::become_view(std::string_view method, const Tensor& x, const Tensor& view) {
  using namespace autograd;
  const bool is_recorded = GradMode::is_enabled() && x.requires_grad();
  if (is_recorded) check_inplace_allowed(method, x);
  STRATA_CHECK(is_recorded || x.is_view() || is_leaf(x.impl()),
               "{}: the shape of a result that requires grad cannot change under NoGradGuard; detach() it first",
               method);
  const Edge edge = is_recorded && !x.is_view() ? gradient_edge(view) : Edge();
  x.storage()->bump_version();
  x.impl()->set_geometry(view.sizes(), view.strides(), view.storage_offset());
  if (edge) set_history(x, edge.function, edge.input_nr);
}
