// Optimizer steps of many parameters at once against the CPU's, one by one.
#include "ops/optim_ops.h"

#include <strata/strata.h>

#include "test/catch.h"
#include "test/cuda_kernels/device.h"

namespace strata::test {
namespace {

[[maybe_unused]] StandIn* const installed = emulated;

/// More than one launch holds, of sizes around those of packs and blocks, some of which lie at odd addresses.
std::vector<int64_t> sizes() {
  std::vector<int64_t> all{0, 1, 3, 4, 5, 7, 8, 9, 4095, 4096, 4097, 8191, 8193, 20000};
  while (all.size() < 150) all.push_back(static_cast<int64_t>(all.size() * 37 % 100));
  return all;
}

Tensor random(int64_t n, DType dtype, uint64_t seed, bool positive = false) {
  const Tensor x = random::normal(random::key(seed), {n});
  return (positive ? x.abs() : x).to(dtype);
}
/// On the device, every third at an address that is not a multiple of 16.
Tensor there(const Tensor& t, size_t i) {
  if (i % 3 != 1) return t.to(kCUDA);
  const Tensor all = empty({t.numel() + 1}, TensorOptions(kCUDA).dtype(t.dtype()));
  Tensor part = all.narrow(0, 1, t.numel());
  return part.copy_(t);
}

double tolerance(DType dtype) {
  return dtype == kDouble ? 1e-12 : dtype == kFloat ? 1e-6 : dtype == kHalf ? 2e-3 : 1e-2;
}

void check_close(const Tensor& device, const Tensor& host) {
  CHECK(device.cpu().to(kDouble).allclose(host.to(kDouble), tolerance(host.dtype()), tolerance(host.dtype())));
}

void check_adam(DType dtype, AdamStep s, bool on_device) {
  std::vector<AdamSlot> here, gpu;
  for (const int64_t n : sizes()) {
    const uint64_t seed = 10 * here.size();
    here.push_back({random(n, dtype, seed), random(n, dtype, seed + 1), random(n, dtype, seed + 2),
                    random(n, dtype, seed + 3, true), random(n, dtype, seed + 4, true)});
    const AdamSlot& h = here.back();
    const size_t i = gpu.size();
    gpu.push_back(
        {there(h.param, i), there(h.grad, i), there(h.exp_avg, i), there(h.exp_avg_sq, i), there(h.max_exp_avg_sq, i)});
  }
  const Tensor count = full({4}, 2.0, kDouble).clone().to(kCUDA), lr = full({}, s.lr, kDouble).clone().to(kCUDA);
  for (s.step = 3; s.step < 5; ++s.step) {
    for (AdamSlot& h : here) adam_step_(h.param, h.grad, h.exp_avg, h.exp_avg_sq, h.max_exp_avg_sq, s);
    if (on_device)
      adam_steps_(gpu, s, count, lr);
    else
      adam_steps_(gpu, s);
  }
  if (on_device) CHECK(count[0].item<double>() == 4);
  for (size_t i = 0; i < here.size(); ++i) {
    CAPTURE(name(dtype), i, here[i].param.numel(), s.amsgrad, s.decoupled);
    check_close(gpu[i].param, here[i].param);
    check_close(gpu[i].exp_avg, here[i].exp_avg);
    check_close(gpu[i].exp_avg_sq, here[i].exp_avg_sq);
    if (s.amsgrad) check_close(gpu[i].max_exp_avg_sq, here[i].max_exp_avg_sq);
  }
}

}  // namespace

TEST_CASE("Adam steps of 150 parameters at once") {
  for (const DType dtype : {kFloat, kDouble, kHalf, kBFloat16}) {
    check_adam(dtype, {.lr = 0.01, .weight_decay = 0.1, .decoupled = true}, false);
    check_adam(dtype, {.lr = 0.01, .weight_decay = 0.1, .amsgrad = true, .maximize = true}, false);
    check_adam(dtype, {.lr = 0.01, .weight_decay = 0.1, .decoupled = true}, true);
  }
}

TEST_CASE("SGD steps of 150 parameters at once") {
  for (const DType dtype : {kFloat, kDouble, kHalf, kBFloat16}) {
    for (const SgdStep& s :
         {SgdStep{.lr = 0.1, .weight_decay = 0.1}, SgdStep{.lr = 0.1, .momentum = 0.9, .first = true},
          SgdStep{.lr = 0.1, .momentum = 0.9, .nesterov = true, .maximize = true}}) {
      std::vector<SgdSlot> here, gpu;
      for (const int64_t n : sizes()) {
        const uint64_t seed = 10 * here.size();
        here.push_back({random(n, dtype, seed), random(n, dtype, seed + 1), random(n, dtype, seed + 2)});
        const SgdSlot& h = here.back();
        const size_t i = gpu.size();
        gpu.push_back({there(h.param, i), there(h.grad, i), there(h.momentum_buffer, i)});
      }
      for (SgdSlot& h : here) sgd_step_(h.param, h.grad, h.momentum_buffer, s);
      sgd_steps_(gpu, s);
      for (size_t i = 0; i < here.size(); ++i) {
        CAPTURE(name(dtype), i, here[i].param.numel());
        check_close(gpu[i].param, here[i].param);
        if (s.momentum != 0) check_close(gpu[i].momentum_buffer, here[i].momentum_buffer);
      }
    }
  }
}

TEST_CASE("a step of many parameters is few launches") {
  if (!emulated) return;
  std::vector<AdamSlot> slots;
  for (int i = 0; i < 128; ++i) {
    const auto zero = [] { return zeros({5}, kCUDA).clone(); };
    slots.push_back({zero(), zero(), zero(), zero(), {}});
  }
  const int64_t before = launches();
  adam_steps_(slots, {});
  CHECK(launches() - before == 2);
}

}  // namespace strata::test
