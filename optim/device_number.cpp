// Numbers in device memory that follow one of the host.
#include "optim/device_number.h"

#include "core/cuda_graph.h"
#include "core/grad_mode.h"
#include "core/replay.h"
#include "ops/creation.h"

namespace strata::optim::detail {

/// Options that are gone, since `load` has given the optimizer others and new state: the step is to be traced again.
void DeviceNumber::write_or_stale(const std::weak_ptr<State>& state) {
  const std::shared_ptr<State> alive = state.lock();
  if (!alive) throw strata::detail::RunOnceFirst();
  alive->write();
}

Tensor DeviceNumber::on(Device device) const {
  using namespace strata::detail;
  if (is_traced_for_replay())
    before_each_replay([state = std::weak_ptr<State>(state_)] { write_or_stale(state); });
  else if (is_replayed())
    before_each_replay([state = state_] { state->write(); });
  else
    state_->write();
  for (const Tensor& t : state_->copies)
    if (t.device() == device) return t;
  STRATA_CHECK(!cuda::is_current_stream_capturing(),
               "optim: take a step before the capture: the first one puts the learning rate on the device");
  const OutsideOfTransforms outside;  // whatever is traced, the number is not of the trace
  state_->copies.push_back(full({}, value(), TensorOptions(kDouble).device(device)).clone());
  return state_->copies.back();
}

void DeviceNumber::State::write() {
  if (value == written) return;
  const NoGradGuard no_grad;
  written = value;
  for (Tensor& t : copies) t.fill_(value);
}

}  // namespace strata::optim::detail
