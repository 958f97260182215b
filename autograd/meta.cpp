// History of tensors: edges, leaves, and views whose node is made anew after in-place writes.
#include "autograd/meta.h"

#include <algorithm>

#include "autograd/accumulate.h"
#include "autograd/op_node.h"
#include "core/allocator.h"
#include "dispatcher/fallback.h"
#include "ops/complex_def.h"
#include "ops/view_def.h"

namespace strata::autograd {
namespace {

/// A view shows part of its base, so its gradient is that of an as_strided of the base as it is now, with a change
/// between complex numbers and pairs of real ones before or after it where the view made one.
IntrusivePtr<OpNode> show_node(const Tensor& base, const Tensor& view) {
  const PlaceInBase place = place_in_base(base, view);
  const AsStridedParams p{place.sizes, place.strides, place.offset, place.base_strides};
  if (!place.in_parts) return OpNode::create(as_strided_op, {&base}, Params::of(p));
  if (view.is_complex()) {
    const Tensor pairs = history_of(as_strided_op, {&base}, Params::of(p));
    return OpNode::create(view_as_complex_op, {&pairs}, Params::of(NoParams()));
  }
  const Tensor pairs = history_of(view_as_real_op, {&base}, Params::of(NoParams()));
  return OpNode::create(as_strided_op, {&pairs}, Params::of(p));
}

void renew_view(const Tensor& view, Meta& meta) {
  const Tensor base = view._base();
  const auto node = show_node(base, view);
  node->save_outputs(view);
  replace_history(meta, IntrusivePtr<Node>::share(node.get()), 0, view.storage()->version());
}

bool is_unrecorded_view(const TensorImpl* t) { return t->base() && t->view_made() != TensorImpl::Made::kRecorded; }

bool is_stale_view(const TensorImpl* t, const Meta* meta) {
  if (!t->base() || !t->base()->requires_grad() || is_unrecorded_view(t)) return false;
  return !meta || !meta->grad_fn || meta->version != t->storage()->version();
}

}  // namespace

void* Meta::operator new(size_t) { return small_alloc(sizeof(Meta)); }
void Meta::operator delete(void* p, size_t) noexcept { small_free(p, sizeof(Meta)); }

Meta::~Meta() {
  if (accumulator) accumulator->leave_meta();
  if (!retain_hook || !grad_fn) return;
  std::erase_if(grad_fn->hooks(), [this](const HookEntry& h) { return h.id == retain_hook; });
}

namespace {

/// Of a tensor whose node, if it has one, is right.
[[gnu::always_inline]] inline Edge own_edge(const Tensor& t, const Meta* meta) {
  if (meta && meta->grad_fn) return {meta->grad_fn, meta->output_nr};
  return t.requires_grad() ? AccumulateGrad::of(t) : Edge();
}

[[gnu::noinline]] Edge edge_of_view(const Tensor& t) {
  TensorImpl* const impl = t.impl();
  Meta* meta = meta_of(impl);
  if (is_stale_view(impl, meta)) {
    meta = &ensure_meta(impl);
    renew_view(t, *meta);
  }
  if (is_unrecorded_view(impl) && !meta) {
    STRATA_CHECK(impl->view_version() == impl->version(),
                 "a view made while recording was off is used in a recorded op after its memory was written to; make "
                 "the view outside of NoGradGuard and InferenceMode, or detach() it");
    return {};
  }
  return own_edge(t, meta);
}

}  // namespace

Edge gradient_edge(const Tensor& t) { return t.is_view() ? edge_of_view(t) : own_edge(t, meta_of(t.impl())); }

/// A retained gradient is that of the tensor as it is now: what keeps it follows to the new node.
void replace_history(Meta& meta, IntrusivePtr<Node> node, uint32_t nr, uint32_t version) {
  if (meta.retain_hook && meta.grad_fn) [[unlikely]] {
    std::vector<HookEntry>& before = meta.grad_fn->hooks();
    const auto kept =
        std::find_if(before.begin(), before.end(), [&](const HookEntry& h) { return h.id == meta.retain_hook; });
    if (kept != before.end()) {
      node->hooks().push_back({kept->id, nr, std::move(kept->hook)});
      before.erase(kept);
    }
  }
  meta.grad_fn = std::move(node);
  meta.output_nr = nr;
  meta.version = version;
}

Tensor history_of(const Op& op, Args inputs, Params params) {
  const auto node = OpNode::create(op, inputs, params);
  const Metas metas = infer_outputs(op, inputs, params);
  auto* impl = new TensorImpl(metas[0].dtype, metas[0].device, Storage());
  impl->set_contiguous(metas[0].sizes, numel_of(metas[0].sizes));
  const Tensor t = Tensor::adopt(impl);
  node->save_outputs(t);
  set_history(t, IntrusivePtr<Node>::share(node.get()), 0);
  return t;
}

PlaceInBase place_in_base(const Tensor& base, const Tensor& view) {
  PlaceInBase p{base.dtype() != view.dtype(), view.sizes(), view.strides(), view.storage_offset(), {}};
  DimVector base_sizes = base.sizes(), base_strides = base.strides();
  int64_t start = base.storage_offset();
  const auto count_in_parts = [](DimVector& sizes, DimVector& strides, int64_t& offset) {
    for (int64_t& s : strides) s *= 2;
    sizes.push_back(2);
    strides.push_back(1);
    offset *= 2;
  };
  if (p.in_parts && base.is_complex()) count_in_parts(base_sizes, base_strides, start);
  if (p.in_parts && view.is_complex()) count_in_parts(p.sizes, p.strides, p.offset);
  p.offset -= start;
  p.base_strides = strides_for_view(base_sizes, base_strides, p.sizes, p.strides, p.offset);
  return p;
}

bool is_leaf(const TensorImpl* t) {
  const Meta* const meta = meta_of(t);
  if (is_stale_view(t, meta)) return false;
  return !meta || !meta->grad_fn;
}

}  // namespace strata::autograd
