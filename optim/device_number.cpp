// Numbers in device memory that follow one of the host.
#include "optim/device_number.h"

#include "core/cuda_graph.h"
#include "core/grad_mode.h"
#include "ops/creation.h"

namespace strata::optim::detail {

Tensor DeviceNumber::on(Device device, double value) {
  if (!cuda::is_current_stream_capturing() && value != value_) set(value);
  for (const Tensor& t : copies_)
    if (t.device() == device) return t;
  STRATA_CHECK(!cuda::is_current_stream_capturing(),
               "optim: take a step before the capture: the first one puts the learning rate on the device");
  value_ = value;
  copies_.push_back(full({}, value, TensorOptions(kDouble).device(device)).clone());
  return copies_.back();
}

void DeviceNumber::set(double value) {
  const NoGradGuard no_grad;
  value_ = value;
  for (Tensor& t : copies_) t.fill_(value);
}

}  // namespace strata::optim::detail
