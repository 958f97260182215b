// Parameters that take the same step, to be updated by one call.
#pragma once
#include <vector>

#include "../core/tensor.h"

namespace strata::optim::detail {

/// Slots of one dtype and device with one key are handled together. `Slot` has a tensor `param`.
template <class Slot, class Key>
class Buckets {
 public:
  /// For up to `most` slots.
  explicit Buckets(size_t most) : most_(most) {}
  void add(const Key& key, Slot slot) {
    for (Bucket& b : buckets_) {
      const Tensor& first = b.slots[0].param;
      if (!(b.key == key) || first.dtype() != slot.param.dtype() || !(first.device() == slot.param.device())) continue;
      b.slots.push_back(std::move(slot));
      return;
    }
    buckets_.push_back({key, {}});
    buckets_.back().slots.reserve(most_);
    buckets_.back().slots.push_back(std::move(slot));
  }
  /// `use(key, slots)` for each, in the order of their first slots.
  template <class Use>
  void for_each(Use use) {
    for (Bucket& b : buckets_) use(b.key, b.slots);
  }

 private:
  struct Bucket {
    Key key;
    std::vector<Slot> slots;
  };
  const size_t most_;
  std::vector<Bucket> buckets_;
};

}  // namespace strata::optim::detail
