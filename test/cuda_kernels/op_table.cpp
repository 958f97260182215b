// Every call of the op table on a CUDA device against the CPU: a real device where there is one, else the emulator.
#include "core/grad_mode.h"
#include "dispatcher/call.h"
#include "ops/creation.h"
#include "test/cuda_kernels/device.h"
#include "test/cuda_kernels/gauge.h"
#include "test/op_sweep.h"

namespace strata::test {
namespace {

using Relayout = Tensor (*)(const Tensor&);

/// The same elements on the device in the layout that `layout` gives to a tensor of such a shape.
Tensor on_device(const Tensor& t, Relayout layout) {
  if (!t.defined()) return t;
  if (!layout || t.numel() == 0) return t.to(kCUDA);
  const Tensor like = layout(t);  // of the CPU: only its strides count
  const auto elements = static_cast<int64_t>(like.storage()->nbytes() / like.element_size());
  const Tensor base = empty_on_device({elements}, t.dtype(), kCUDA);
  auto* impl = new TensorImpl(t.dtype(), base.device(), base.storage());
  impl->set_geometry(like.sizes(), like.strides(), like.storage_offset());
  Tensor place = Tensor::adopt(impl);
  return place.copy_(t);
}
List on_device(const List& list, Relayout layout) {
  List out;
  for (const Tensor& t : list) out.push_back(on_device(t, layout));
  return out;
}

void compare(const Call& c, const Tensors& here, const Tensors& there, const std::string& kind) {
  const std::string what = kind + c.text();
  expect(here.size() == there.size(), what + ": another number of outputs on the device");
  List expected, found;
  for (size_t i = 0; i < here.size() && i < there.size(); ++i) {
    if (!here[i].defined()) continue;
    expect(there[i].is_cuda(), what + ": output " + std::to_string(i) + " is not on the device");
    expected.push_back(here[i]), found.push_back(there[i].cpu());
  }
  expected = without_gauge(c.op->name(), expected), found = without_gauge(c.op->name(), found);
  for (size_t i = 0; i < expected.size(); ++i)
    expect(close(found[i], expected[i]), what + ": another value on the device");
}

bool takes_tensors(const Call& c) {
  return std::any_of(c.inputs.begin(), c.inputs.end(), [](const Tensor& t) { return t.defined(); });
}

/// What takes no tensors has its device among the params.
void for_all_calls(const std::string& what, const std::function<void(const Call&)>& check) {
  const NoGradGuard no_grad;
  for (bool falling : {false, true}) {
    set_falling_order(falling);
    for (const Call& c : all_calls())
      if (takes_tensors(c) && !updates_state(c)) guarded(what + " of " + c.text(), [&] { check(c); });
  }
  set_falling_order(false);
}

void check_values(const Call& c) { compare(c, c.run(), c.run(on_device(c.inputs, nullptr)), ""); }

void check_layouts(const Call& c) {
  if (c.op->is(kView) || is_random(c)) return;
  for (const Relayout layout : {&reversed_like, &strided_like})
    compare(c, c.run(), c.run(on_device(c.inputs, layout)), "strided inputs of ");
}

void check_strided_outputs(const Call& c) {
  const KernelFn kernel = c.op->kernel(kCUDA);
  if (!kernel || fills_fresh_outputs_only(c) || c.op->is(kView) || c.op->is(kDataDependent)) return;
  const Tensors expected = c.run();
  const List inputs = on_device(c.inputs, nullptr);
  for (const Relayout layout : {&reversed_like, &strided_like}) {
    Tensors out = Tensors::undefined(expected.size());
    for (size_t i = 0; i < out.size(); ++i) out[i] = on_device(strata::zeros_like(expected[i]), layout);
    kernel(out, ArgList(inputs), c.params.data());
    compare(c, expected, out, "strided output of ");
  }
}

void check_inplace(const Call& c) {
  if (fills_fresh_outputs_only(c) || c.op->is(kView) || c.op->is(kDataDependent)) return;
  const Tensors expected = c.run();
  for (size_t i = 0; i < c.inputs.size(); ++i) {
    const Tensor& t = c.inputs[i];
    if (!t.defined() || t.dtype() != expected[0].dtype() || !(t.sizes() == expected[0].sizes()) || expected.size() > 1)
      continue;
    List inputs = on_device(c.inputs, nullptr);
    call_backend_inplace(*c.op, inputs[i], ArgList(inputs), c.params);
    compare(c, expected, Tensors(inputs[i]), "in place over input " + std::to_string(i) + " of ");
  }
}

}  // namespace

TEST_CASE("every call gives the same on a CUDA device") { for_all_calls("the device", check_values); }
TEST_CASE("CUDA kernels take inputs of any strides") { for_all_calls("strided inputs", check_layouts); }
TEST_CASE("CUDA kernels fill strided outputs") { for_all_calls("strided outputs", check_strided_outputs); }
TEST_CASE("CUDA kernels write in place") { for_all_calls("in place", check_inplace); }

TEST_CASE("the CUDA sweep ran") {
  WARN(checks_made() << " checks, " << launches() << " launches");
  CHECK(checks_made() > 40'000);
}

}  // namespace strata::test
