// Every call of the table on a CUDA device against the CPU: a real device where there is one, else the stand-in.
#include "test/cuda_stand_in.h"
#include "test/op_sweep.h"

namespace strata::test {
namespace {

[[maybe_unused]] const StandIn* const installed = stand_in();

List moved(const List& list, Device device) {
  List out;
  for (const Tensor& t : list) out.push_back(t.defined() ? t.to(device) : t);
  return out;
}

void check_call(const Call& c) {
  const Tensors here = c.run();
  const Tensors there = c.run(moved(c.inputs, kCUDA));
  expect(here.size() == there.size(), c.text() + ": another number of outputs on the device");
  for (size_t i = 0; i < here.size() && i < there.size(); ++i) {
    if (!here[i].defined()) continue;
    expect(there[i].is_cuda(), c.text() + ": an output is not on the device");
    expect(close(there[i].cpu(), here[i]), c.text() + ": another value on the device");
  }
}

}  // namespace

TEST_CASE("every call gives the same on a CUDA device") {
  for (const Call& c : all_calls()) {
    const bool takes_tensors =
        std::any_of(c.inputs.begin(), c.inputs.end(), [](const Tensor& t) { return t.defined(); });
    if (!takes_tensors || updates_state(c)) continue;  // without inputs, the device stands in the params
    guarded(c.text() + " on the device", [&] { check_call(c); });
  }
}

}  // namespace strata::test
