// `call`: the one way to run an op. Picks the highest key, or runs the backend's kernel.
#pragma once
#include "op.h"

namespace strata::dispatch {

/// A layer over all ops: what a generic key does with a call. In-place calls write the result of `op(args)` into
/// `self`.
struct KeyHandler {
  Tensors (*call)(const Op& op, Args args, Params params) = nullptr;
  void (*call_inplace)(const Op& op, Tensor& self, Args args, Params params) = nullptr;
};
/// Installed once at start-up by autograd, transforms and the profiler.
void set_key_handler(Key key, KeyHandler handler);

/// Below every layer: infer, allocate, run the kernel (or make the view).
Tensors call_backend(const Op& op, Args args, Params params);
void call_backend_inplace(const Op& op, Tensor& self, Args args, Params params);
/// Runs `op` through the highest of `keys`.
Tensors call_with(const Op& op, Args args, Params params, KeySet keys);
/// The in-place form of the same.
void call_inplace_with(const Op& op, Tensor& self, Args args, Params params, KeySet keys);
/// Union over the arguments, plus the thread's included, minus its excluded keys.
inline KeySet keys_of(Args args) {
  KeySet keys = thread_state.included;
  for (const Tensor* t : args) keys = keys | t->keys();
  return keys - thread_state.excluded;
}

inline Tensors call(const Op& op, Args args, Params params) {
  const KeySet keys = keys_of(args);
  if (keys.is_plain_cpu()) return call_backend(op, args, params);
  return call_with(op, args, params, keys);
}
template <class P>
inline Tensors call(const Op& op, Args args, const P& params) {
  return call(op, args, Params::of(params));
}
inline Tensors call(const Op& op, Args args) { return call(op, args, Params::of(NoParams())); }

/// Below every layer: a tensor of x's memory with the geometry that the op's view rule writes.
Tensor make_view(const Op& op, const Tensor& x, Params params);
/// The view that `call_with` gives.
Tensor call_view_with(const Op& op, const Tensor& x, Params params, KeySet keys);
/// What `call` gives for a view, without a list of one where no layer is concerned.
template <class P = NoParams>
inline Tensor call_view(const Op& op, const Tensor& x, const P& params = P()) {
  const KeySet keys = keys_of({&x});
  if (keys.is_plain_cpu()) [[likely]]
    return make_view(op, x, Params::of(params));
  return call_view_with(op, x, Params::of(params), keys);
}

/// The first output, for the many ops that have one.
template <class... P>
inline Tensor call1(const Op& op, Args args, const P&... params) {
  return std::move(call(op, args, params...)[0]);
}

/// `self <- op(args)` keeping self's storage: the in-place form of every op. Most often args[0] is self.
/// The public function has checked that the result has self's shape and dtype.
template <class P>
inline void call_inplace(const Op& op, Tensor& self, Args args, const P& params) {
  const KeySet keys = (keys_of(args) | self.keys()) - thread_state.excluded;
  if (keys.is_plain_cpu()) return call_backend_inplace(op, self, args, Params::of(params));
  call_inplace_with(op, self, args, Params::of(params), keys);
}
inline void call_inplace(const Op& op, Tensor& self, Args args) { call_inplace(op, self, args, NoParams()); }

/// Names the op whose kernel copies input 0 into an output of any strides: what an in-place call falls back to when the
/// kernel cannot write over its inputs. Installed once at start-up by the family of casts and copies.
void set_copy_op(const Op& op);

/// A new uninitialised tensor as described (never a view).
Tensor empty(const Meta& m);

}  // namespace strata::dispatch
