// What all transforms share: tensors that stand for a value of one level, and finding the level that interprets a call.
#pragma once
#include "../core/tree.h"
#include "../dispatcher/layer.h"

namespace strata::func {

using dispatch::ArgList;
using dispatch::Args;
using dispatch::Layer;
using dispatch::LayerScope;
using dispatch::Meta;
using dispatch::Op;
using dispatch::Params;
using dispatch::Tensors;

/// Note [Levels]
/// A tensor inside a transform is a wrapper: a body without storage that carries a level and a value, itself a tensor
/// of the levels below. A call is interpreted by the highest level among its arguments; for that level, everything else
/// is a constant. Levels are never used twice, so a wrapper that outlived its transform is recognised.

/// The wrapper of `t` if it is one of this level and kind, else null.
template <class W>
const W* wrapper_at(const Tensor& t, uint64_t level) {
  const WrapperBase* const w = t.impl() ? t.impl()->wrapper() : nullptr;
  return w && w->level == level ? static_cast<const W*>(w) : nullptr;
}

/// A tensor that stands for `value`; its shape is the value's from dimension `first` on.
inline Tensor make_wrapper(WrapperBase* wrapper, const Tensor& value, int64_t first = 0) {
  const TensorImpl& inner = *value.impl();
  auto* impl = new TensorImpl(inner.dtype(), inner.device(), Storage());
  impl->copy_geometry(inner, first);
  impl->set_wrapper(wrapper);
  return Tensor::adopt(impl);
}

/// A value together with whatever its transform keeps beside it.
struct ValueWrapper : WrapperBase {
  ValueWrapper(uint64_t of_level, Tensor wrapped) : WrapperBase(of_level), value(std::move(wrapped)) {}
  TensorImpl* concrete(const char*) const override { return value.impl(); }
  Tensor value;
};

/// The arguments of a call with those of one level and kind replaced by their values, each of which `use(i, wrapper)`
/// is shown; borrows from the call.
template <class W, class F>
ArgList values_at(uint64_t level, Args args, F&& use) {
  ArgList values;
  for (size_t i = 0; i < args.size(); ++i) {
    const W* const w = wrapper_at<W>(args[i], level);
    values.push_back(w ? w->value : args[i]);
    if (w) use(i, *w);
  }
  return values;
}

namespace detail {
/// Makes a view anew whose base was written to since.
void refresh_view(const Tensor& t);
inline bool may_be_stale(const Tensor& t) {
  const TensorImpl* const impl = t.impl();
  return impl && (impl->wrapper() ? impl->wrapper()->view != nullptr : impl->base() && impl->base()->wrapper());
}
/// What a transform takes and what its function returns, with views that show what their bases hold now: later, or
/// outside of the function's level, nothing makes them anew.
inline void refresh(const Tensor& t) {
  if (may_be_stale(t)) [[unlikely]]
    refresh_view(t);
}
template <class Nest>
Nest fresh(Nest nest) {
  tree::for_each(nest, [](const Tensor& t) { refresh(t); });
  return nest;
}
/// Remembers how `view` was made of its parent, the first of the args. Note [In-place inside transforms].
void record_view(const Tensor& view, Args args, const Op& op, Params params);
void call_inplace(const Op& op, Tensor& self, Args args, Params params);
}  // namespace detail

}  // namespace strata::func
