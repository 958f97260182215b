// Counts the operations of the calls below it. Internal to train/.
#pragma once

#include "../core/function.h"
#include "../dispatcher/layer.h"

namespace strata::train {

/// While it is on the thread's stack (`dispatch::LayerScope`), tells `count` of each call that multiplies and adds.
class FlopLayer final : public dispatch::Layer {
 public:
  explicit FlopLayer(strata::detail::Function<void(int64_t)> count) : count_(std::move(count)) {}
  dispatch::Tensors process(const dispatch::Op& op, dispatch::Args args, dispatch::Params params) override;
  bool takes(const dispatch::Op& op, dispatch::Args args, dispatch::Params params) const override;

 private:
  strata::detail::Function<void(int64_t)> count_;
};

}  // namespace strata::train
