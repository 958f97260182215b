// The Autocast key: casts the operands of a call as the op's policy says and calls again below.
#include "autograd/autocast.h"

#include <map>
#include <utility>

#include "core/grad_mode.h"
#include "core/replay.h"
#include "dispatcher/names.h"
#include "ops/cast.h"

namespace strata::autocast {
namespace {

using Policy = dispatch::AutocastPolicy;

constinit thread_local int guards = 0;

/// What a weight was cast to, and the version of it that was. It keeps the weight, so that no other gets its address.
struct Cached {
  Tensor weight, cast;
  uint64_t version;
};
/// By weight, and by the level of the compiled function whose trace computes: its tensors end with it.
std::map<std::pair<const TensorImpl*, uint64_t>, Cached>& cache() {
  thread_local std::map<std::pair<const TensorImpl*, uint64_t>, Cached> of_thread;
  return of_thread;
}

bool may_be_cast(const Tensor& t) { return t.defined() && t.is_floating_point() && t.dtype() != kDouble; }

/// Weights are used again in the next step of a sequence, and by several layers where they are shared.
bool is_weight(const Tensor& t) {
  const WrapperBase* const w = t.impl()->wrapper();
  if (w && w->level != detail::traced_level()) return false;
  return guards > 0 && is_autocast_cache_enabled() && GradMode::is_enabled() && t.dtype() == kFloat &&
         t.requires_grad() && t.is_leaf() && !t.is_view();
}

Tensor cast_to(const Tensor& t, DType dtype) {
  if (t.dtype() == dtype) return t;
  if (dtype == kFloat || !is_weight(t)) return cast(t, dtype);
  const uint64_t version = t.impl()->version(), traced = detail::traced_level();
  if (dispatch::is_recorded() && traced == 0)
    return cast(t, dtype);  // a tensor of a trace, which ends before the cache
  Cached& entry = cache()[{t.impl(), traced}];
  if (!entry.cast.defined() || entry.version != version || entry.cast.dtype() != dtype)
    entry = {t, cast(t, dtype), version};
  return entry.cast;
}

DeviceType device_of(Args args) {
  for (const Tensor* t : args)
    if (t->defined()) return t->device().type();
  return kCPU;
}

DType widest(Args args) {
  DType type = kHalf;
  bool first = true;
  for (const Tensor* t : args) {
    if (!t->defined() || !t->is_floating_point()) continue;
    type = first ? t->dtype() : promote_types(type, t->dtype());
    first = false;
  }
  return type;
}

Tensors call_cast(const Op& op, Args args, Params params) {
  const Policy policy = op.autocast;
  const DeviceType device = device_of(args);
  const KeyOff below(Key::Autocast);
  if (policy == Policy::kAsGiven || !is_autocast_enabled(device)) return call(op, args, params);
  const DType dtype = policy == Policy::kLower     ? get_autocast_dtype(device)
                      : policy == Policy::kFloat32 ? kFloat
                                                   : widest(args);
  Tensors cast = Tensors::undefined(args.size());
  ArgList list;
  for (size_t i = 0; i < args.size(); ++i) {
    if (may_be_cast(args[i])) cast[i] = cast_to(args[i], dtype);
    list.push_back(cast[i].defined() ? cast[i] : args[i]);
  }
  return call(op, list, params);
}

void call_inplace_as_given(const Op& op, Tensor& self, Args args, Params params) {
  const KeyOff below(Key::Autocast);
  call_inplace_with(op, self, args, params, (keys_of(args) | self.keys()) - thread_state.excluded);
}

[[maybe_unused]] const bool installed = (set_key_handler(Key::Autocast, {&call_cast, &call_inplace_as_given}), true);

}  // namespace

void clear_cache() { cache().clear(); }

}  // namespace strata::autocast

namespace strata {

AutocastGuard::AutocastGuard(DeviceType device) : AutocastGuard(device, autocast::get_autocast_dtype(device)) {}

AutocastGuard::AutocastGuard(DeviceType device, DType dtype, bool enabled) : previous_(autocast::settings()) {
  autocast::set_autocast_dtype(device, dtype);
  autocast::set_autocast_enabled(device, enabled);
  thread_state.excluded = thread_state.excluded - KeySet(Key::Autocast);  // a user's function inside of a rule
  ++autocast::guards;
}

AutocastGuard::~AutocastGuard() {
  if (--autocast::guards == 0) autocast::clear_cache();
  autocast::restore(previous_);
}

}  // namespace strata
