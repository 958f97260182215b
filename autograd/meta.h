// What a tensor that needs gradients carries: its node, or for a leaf its accumulated gradient.
#pragma once
#include "node.h"

namespace strata::autograd {

class AccumulateGrad;

/// A lock held for a few instructions. While a process has one thread, taking it is a plain store.
class SpinLock {
 public:
  void lock() {
    if (is_single_threaded()) return held_.store(true, std::memory_order_relaxed);
    while (held_.exchange(true, std::memory_order_acquire)) {
    }
  }
  void unlock() { held_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> held_{false};
};

struct Meta final : AutogradMetaBase {
  static void* operator new(size_t bytes);
  static void operator delete(void* p, size_t bytes) noexcept;
  Meta() = default;
  /// Of output `nr` of a node.
  Meta(IntrusivePtr<Node> node, uint32_t nr, uint32_t of_version)
      : grad_fn(std::move(node)), output_nr(nr), version(of_version) {}
  ~Meta() override;

  IntrusivePtr<Node> grad_fn;
  uint32_t output_nr = 0;
  /// For views: the storage's version when grad_fn was right; after in-place writes it is made anew from the base.
  uint32_t version = 0;
  HookHandle retain_hook = 0;
  SpinLock lock;
  Tensor grad;
  AccumulateGrad* accumulator = nullptr;  ///< owned, guarded by `lock`: Note [Accumulators]
  std::unique_ptr<std::vector<HookEntry>> hooks, post_accumulate_hooks;
};

/// The meta of `t`, null if there is none.
inline Meta* meta_of(const TensorImpl* t) { return static_cast<Meta*>(t->autograd()); }
/// The meta of `t`, which is made where there is none.
inline Meta& ensure_meta(TensorImpl* t) {
  if (!t->autograd()) t->set_autograd(new Meta);
  return *meta_of(t);
}

/// Where the gradient of `t` goes: its node (made anew for a view whose storage was written to) or its accumulator.
/// Empty if none.
Edge gradient_edge(const Tensor& t);
/// Gives a tensor that has a history another one.
void replace_history(Meta& meta, IntrusivePtr<Node> node, uint32_t nr, uint32_t version);
/// Makes `t` an output of `node`.
inline void set_history(const Tensor& t, IntrusivePtr<Node> node, uint32_t nr) {
  TensorImpl* const impl = t.impl();
  const uint32_t version = impl->storage() ? impl->storage()->version() : 0;
  if (Meta* const meta = meta_of(impl)) [[unlikely]]
    replace_history(*meta, std::move(node), nr, version);
  else
    impl->set_autograd(new Meta(std::move(node), nr, version));
  impl->add_key(Key::Autograd);
}
/// Where a view lies in its base, counted in real numbers where one of the two is complex and the other is not.
struct PlaceInBase {
  bool in_parts;
  DimVector sizes, strides;
  int64_t offset;
  DimVector base_strides;  ///< unless the base is row-major and has all that the view shows
};
PlaceInBase place_in_base(const Tensor& base, const Tensor& view);
/// A leaf needs gradients but was made by no recorded op.
bool is_leaf(const TensorImpl* t);

}  // namespace strata::autograd
