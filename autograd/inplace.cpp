// In-place writes to views, as functional updates of their base.
#include "autograd/inplace.h"

#include "autograd/op_node.h"
#include "ops/complex_def.h"
#include "ops/shaping_def.h"

namespace strata::autograd {

void check_inplace_allowed(std::string_view who, const Tensor& self) {
  if (self.is_view()) {
    const TensorImpl::Made made = self.impl()->view_made();
    // Functions shape some results by a view whose base nobody else sees: that is a tensor like others to its user.
    const bool is_alone = made == TensorImpl::Made::kNoGrad && self.impl()->base()->use_count() == 1;
    STRATA_CHECK(made == TensorImpl::Made::kRecorded || is_alone,
                 "{}: in-place on a view that was made in {} while recording is on; make the view outside, or write to "
                 "it inside",
                 who, made == TensorImpl::Made::kNoGrad ? "NoGradGuard" : "InferenceMode");
    const Tensor base = self._base();
    STRATA_CHECK(!base.requires_grad() || !is_leaf(base.impl()),
                 "{}: in-place on a view of a leaf tensor that requires grad; do it under NoGradGuard or on a clone",
                 who);
  }
  STRATA_CHECK(!self.requires_grad() || !is_leaf(self.impl()),
               "{}: in-place on a leaf tensor that requires grad; do it under NoGradGuard or on a clone", who);
}

namespace {

/// The base with what the view shows of it replaced by the view.
IntrusivePtr<OpNode> update_node(const Tensor& base, const Tensor& view) {
  const PlaceInBase place = place_in_base(base, view);
  const auto as_parts = [&](const Tensor& t) {
    return place.in_parts && t.is_complex() ? history_of(view_as_real_op, {&t}, Params::of(NoParams())) : t;
  };
  const Tensor whole = as_parts(base), part = as_parts(view);
  const StridedParams p{whole.sizes(), place.sizes, place.strides, place.offset};
  if (!place.in_parts || !base.is_complex())
    return OpNode::create(as_strided_scatter_op, {&whole, &part}, Params::of(p));
  const Tensor pairs = history_of(as_strided_scatter_op, {&whole, &part}, Params::of(p));
  return OpNode::create(view_as_complex_op, {&pairs}, Params::of(NoParams()));
}

}  // namespace

/// Note [In-place on views]
/// A recorded write to a view is a functional update of its base: base = as_strided_scatter(base, new view). So any
/// view may be written to, outputs of split and unbind too; siblings see the storage's new version and make their node
/// anew from the base.
void rebase(const Tensor& view, const IntrusivePtr<Node>& node, uint32_t nr) {
  const Tensor base = view._base();
  STRATA_CHECK(base.is_contiguous(),
               "in-place on a view of a tensor with strides {}: its gradient needs a row-major base", base.strides());
  set_history(view, node, nr);
  const auto updated = update_node(base, view);
  updated->save_outputs(base);
  set_history(base, IntrusivePtr<Node>::share(updated.get()), 0);
}

}  // namespace strata::autograd
