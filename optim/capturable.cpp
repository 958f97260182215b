// Counts of steps in device memory.
#include "optim/capturable.h"

#include "core/cuda_graph.h"
#include "core/replay.h"
#include "ops/creation.h"
#include "ops/optim_ops.h"

namespace strata::optim::detail {

std::shared_ptr<Tensor> make_count(int64_t steps, Device device) {
  const strata::detail::OutsideOfTransforms outside;
  return std::make_shared<Tensor>(full({kStepCounts}, steps, TensorOptions(kDouble).device(device)).clone());
}

int64_t steps_in(const Tensor& count) { return static_cast<int64_t>(count[0].item<double>()); }

void check_counts_on_host(const char* name, const Tensor& param) {
  STRATA_CHECK(
      !strata::detail::is_traced_for_replay(),
      "{}: its steps cannot be part of a compiled function, since the host computes their numbers; leave step() "
      "outside, or take Adam, AdamW, SGD, RMSprop, Adagrad, Adadelta, Adamax, RAdam or Lion",
      name);
  STRATA_CHECK(!param.is_cuda() || !cuda::is_current_stream_capturing(),
               "{}: to capture its steps, set the option capturable: the host's count of them would stand still", name);
}

void check_may_make_count(const char* name) {
  STRATA_CHECK(!cuda::is_current_stream_capturing(),
               "{}: take a step before the capture, with gradients of the same parameters: it puts the count of steps "
               "on the device",
               name);
}

void require_sharers(const std::shared_ptr<Tensor>& count, size_t sharers) {
  if (!strata::detail::is_traced_for_replay()) return;
  strata::detail::before_each_replay([known = std::weak_ptr<Tensor>(count), sharers] {
    if (known.use_count() != static_cast<long>(sharers)) throw strata::detail::RunOnceFirst();
  });
}

void check_may_split_count() {
  if (strata::detail::is_traced_for_replay()) throw strata::detail::RunOnceFirst();
}

}  // namespace strata::optim::detail
