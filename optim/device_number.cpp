// Numbers in device memory that follow one of the host.
#include "optim/device_number.h"

#include "core/cuda_graph.h"
#include "core/grad_mode.h"
#include "core/replay.h"
#include "ops/creation.h"

namespace strata::optim::detail {

Tensor DeviceNumber::on(Device device) const {
  using namespace strata::detail;
  if (is_replayed())
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
