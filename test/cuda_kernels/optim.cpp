// Optimizer steps of many parameters at once against the CPU's, one by one.
#include "ops/optim_ops.h"

#include <strata/strata.h>

#include "test/catch.h"
#include "test/cuda_kernels/device.h"

namespace strata::test {
namespace {

/// More than one launch holds, of sizes around those of packs and blocks, some of which lie at odd addresses.
std::vector<int64_t> sizes() {
  std::vector<int64_t> all{0, 1, 3, 4, 5, 7, 8, 9, 4095, 4096, 4097, 8191, 8193, 20000};
  while (all.size() < 150) all.push_back(static_cast<int64_t>(all.size() * 37 % 100));
  return all;
}

Tensor normal_tensor(int64_t n, DType dtype, uint64_t seed, bool positive = false) {
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

double tolerance_of_steps(DType dtype) {
  return dtype == kDouble ? 1e-12 : dtype == kFloat ? 1e-6 : dtype == kHalf ? 2e-3 : 1e-2;
}

void check_within_tolerance(const Tensor& device, const Tensor& host) {
  CHECK(device.cpu().to(kDouble).allclose(host.to(kDouble), tolerance_of_steps(host.dtype()),
                                          tolerance_of_steps(host.dtype())));
}

void check_adam(DType dtype, AdamStep s, bool on_device) {
  std::vector<AdamSlot> here, gpu;
  for (const int64_t n : sizes()) {
    const uint64_t seed = 10 * here.size();
    here.push_back({normal_tensor(n, dtype, seed), normal_tensor(n, dtype, seed + 1), normal_tensor(n, dtype, seed + 2),
                    normal_tensor(n, dtype, seed + 3, true), normal_tensor(n, dtype, seed + 4, true)});
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
    check_within_tolerance(gpu[i].param, here[i].param);
    check_within_tolerance(gpu[i].exp_avg, here[i].exp_avg);
    check_within_tolerance(gpu[i].exp_avg_sq, here[i].exp_avg_sq);
    if (s.amsgrad) check_within_tolerance(gpu[i].max_exp_avg_sq, here[i].max_exp_avg_sq);
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

namespace {

/// `take(slots)` on slots of random tensors, on both devices. Of a slot's tensors the second is the gradient, and the
/// third is large enough for an average of squares.
template <class Slot, class Take>
void check_slots(std::initializer_list<Tensor Slot::*> tensors, Take take) {
  for (const DType dtype : {kFloat, kDouble, kHalf, kBFloat16}) {
    std::vector<Slot> here, gpu;
    for (const int64_t n : sizes()) {
      uint64_t seed = 10 * here.size();
      Slot h, g;
      for (Tensor Slot::*const t : tensors) {
        const uint64_t k = seed % 10;
        h.*t = k < 2 ? normal_tensor(n, dtype, seed) : normal_tensor(n, dtype, seed, true).mul(0.2).add(k == 2 ? 1 : 0);
        g.*t = there(h.*t, gpu.size());
        ++seed;
      }
      here.push_back(h);
      gpu.push_back(g);
    }
    take(here);
    take(gpu);
    for (size_t i = 0; i < here.size(); ++i) {
      CAPTURE(name(dtype), i, here[i].param.numel());
      for (Tensor Slot::*const t : tensors) check_within_tolerance(gpu[i].*t, here[i].*t);
    }
  }
}

/// Three steps with the numbers in tensors, the first of them the second ever.
template <class Slot, class Step>
void take_capturable(const std::vector<Slot>& slots, const Step& s,
                     void (*steps)(ArrayRef<Slot>, const Step&, const Tensor&, const Tensor&)) {
  const Device device = slots[0].param.device();
  const Tensor count = ones({kStepCounts}, kDouble).to(device), lr = full({}, 0.02, kDouble).clone().to(device);
  for (int i = 0; i < 3; ++i) steps(slots, s, count, lr);
  CHECK(count[0].item<double>() == 4);
}

}  // namespace

TEST_CASE("SGD steps of 150 parameters at once") {
  const auto momentum = {&SgdSlot::param, &SgdSlot::grad, &SgdSlot::momentum_buffer};
  check_slots<SgdSlot>({&SgdSlot::param, &SgdSlot::grad},
                       [](const std::vector<SgdSlot>& slots) { sgd_steps_(slots, {.lr = 0.1, .weight_decay = 0.1}); });
  check_slots<SgdSlot>(momentum, [](const std::vector<SgdSlot>& slots) {
    sgd_steps_(slots, {.lr = 0.1, .momentum = 0.9, .first = true});
  });
  check_slots<SgdSlot>(momentum, [](const std::vector<SgdSlot>& slots) {
    const Tensor lr = full({}, 0.1, kDouble).clone().to(slots[0].param.device());
    sgd_steps_(slots, {.momentum = 0.9, .nesterov = true, .maximize = true}, lr);
  });
}

TEST_CASE("RMSprop steps of 150 parameters at once") {
  using Slot = RmspropSlot;
  check_slots<Slot>({&Slot::param, &Slot::grad, &Slot::square_avg}, [](const std::vector<Slot>& slots) {
    for (int i = 0; i < 2; ++i) rmsprop_steps_(slots, {.weight_decay = 0.1, .maximize = true});
  });
  check_slots<Slot>({&Slot::param, &Slot::grad, &Slot::square_avg, &Slot::grad_avg, &Slot::momentum_buffer},
                    [](const std::vector<Slot>& slots) {
                      rmsprop_steps_(slots, {.momentum = 0.5, .centered = true});
                      take_capturable<Slot, RmspropStep>(slots, {.momentum = 0.5, .centered = true}, rmsprop_steps_);
                    });
}

TEST_CASE("Adagrad steps of 150 parameters at once") {
  using Slot = AdagradSlot;
  check_slots<Slot>({&Slot::param, &Slot::grad, &Slot::sum}, [](const std::vector<Slot>& slots) {
    adagrad_steps_(slots, {.lr_decay = 0.2, .weight_decay = 0.1, .step = 3});
    take_capturable<Slot, AdagradStep>(slots, {.lr_decay = 0.2}, adagrad_steps_);
  });
}

TEST_CASE("steps of 150 parameters at once by the newer optimizers") {
  check_slots<AdamaxSlot>({&AdamaxSlot::param, &AdamaxSlot::grad, &AdamaxSlot::exp_avg, &AdamaxSlot::exp_inf},
                          [](const std::vector<AdamaxSlot>& slots) {
                            adamax_steps_(slots, {.weight_decay = 0.1, .step = 3, .maximize = true});
                            take_capturable<AdamaxSlot, AdamaxStep>(slots, {}, adamax_steps_);
                          });
  check_slots<NadamSlot>({&NadamSlot::param, &NadamSlot::grad, &NadamSlot::exp_avg, &NadamSlot::exp_avg_sq},
                         [](const std::vector<NadamSlot>& slots) {
                           nadam_steps_(slots, {.mu = 0.5, .mu_next = 0.6, .mu_product = 0.3, .step = 3});
                         });
  check_slots<RadamSlot>({&RadamSlot::param, &RadamSlot::grad, &RadamSlot::exp_avg, &RadamSlot::exp_avg_sq},
                         [](const std::vector<RadamSlot>& slots) {
                           radam_steps_(slots, {.beta2 = 0.9, .weight_decay = 0.1, .step = 9});
                           take_capturable<RadamSlot, RadamStep>(slots, {.decoupled = true}, radam_steps_);
                         });
  check_slots<AdadeltaSlot>(
      {&AdadeltaSlot::param, &AdadeltaSlot::grad, &AdadeltaSlot::square_avg, &AdadeltaSlot::acc_delta},
      [](const std::vector<AdadeltaSlot>& slots) {
        adadelta_steps_(slots, {.weight_decay = 0.1});
        take_capturable<AdadeltaSlot, AdadeltaStep>(slots, {.eps = 1e-3}, adadelta_steps_);
      });
  check_slots<RpropSlot>({&RpropSlot::param, &RpropSlot::grad, &RpropSlot::prev, &RpropSlot::step_size},
                         [](const std::vector<RpropSlot>& slots) { rprop_steps_(slots, {.min_step = 0.01}); });
  check_slots<AsgdSlot>({&AsgdSlot::param, &AsgdSlot::grad, &AsgdSlot::ax},
                        [](const std::vector<AsgdSlot>& slots) { asgd_steps_(slots, {.lambd = 0.5, .mu = 0.25}); });
  check_slots<LionSlot>({&LionSlot::param, &LionSlot::grad, &LionSlot::exp_avg},
                        [](const std::vector<LionSlot>& slots) { lion_steps_(slots, {.weight_decay = 0.1}); });
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
