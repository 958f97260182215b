// The Transform key: hands a call to the layer that interprets it.
#include "transforms/level.h"
#include "dispatcher/names.h"
#include "ops/indexing_def.h"

namespace strata::func {
namespace {

uint64_t highest_level(Args args) {
  uint64_t highest = 0;
  for (const Tensor* t : args) {
    const WrapperBase* const w = t->impl() ? t->impl()->wrapper() : nullptr;
    if (w && w->level > highest) highest = w->level;
  }
  return highest;
}

[[noreturn, gnu::cold]] void fail_escaped(const Op& op) {
  STRATA_THROW(
      "{}: a tensor of a transform (vmap, grad, jvp, …) that is over was used; return it from the function instead of "
      "storing it elsewhere, and pass it to a custom rule or checkpointed function instead of capturing it",
      op.name());
}

/// The layer that interprets a call of `op`; null for those below every layer.
Layer* find_layer(const Op& op, Args args, Params params) {
  const uint64_t level = highest_level(args);
  Layer* layer = thread_state.top_layer;
  while (layer && layer->level() > level && !layer->takes(op, args, params)) layer = layer->below();
  if (!layer ? level != 0 : layer->level() < level) fail_escaped(op);
  return layer;
}

Tensors interpret(const Op& op, Args args, Params params) {
  Layer* const layer = find_layer(op, args, params);
  if (!layer) return call_with(op, args, params, keys_of(args) - KeySet(Key::Transform));
  return layer->process(op, args, params);
}

/// Is this what indexing by a number calls, whose value a transform keeps? Eager code gives a view for it.
bool shows_a_place(const Op& op, Args args, Params params) {
  if (&op != &index_op || args.size() != 2 || args[1].dim() > 0 || thread_state.inside_rule) return false;
  return params.as<IndexParams>().wrap;  // embedding, which copies, does not allow it
}

Tensors transform(const Op& op, Args args, Params params) {
  if (!thread_state.inside_rule) {
    for (const Tensor* t : args) detail::refresh(*t);
  }
  Tensors out = interpret(op, args, params);
  if (op.is(kView) || shows_a_place(op, args, params)) detail::record_view(out[0], args, op, params);
  return out;
}

[[maybe_unused]] const bool installed = (set_key_handler(Key::Transform, {&transform, &detail::call_inplace}), true);

}  // namespace
}  // namespace strata::func
