// Rows of the fused steps of the newer optimizers, each against its formula for one element.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "ops/optim_ops.h"
#include "test/op_samples.h"

namespace strata::test {
namespace {

using Element = std::array<double, 4>;  // of the slot's tensors, in their order

double direction_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

/// One step of `width` tensors from copies, so that the sample's inputs stay as they are.
template <class Slot, class Step>
void add_step(Table& t, const char* op, size_t width, const Step& s, void (*steps)(ArrayRef<Slot>, const Step&),
              std::initializer_list<Tensor Slot::*> tensors, std::function<void(Element&)> formula) {
  const std::vector<Tensor Slot::*> parts(tensors);
  const Function step = [=](const List& in) {
    Slot slot;
    for (size_t i = 0; i < width; ++i) slot.*parts[i] = i == 1 ? in[i] : contiguous_copy(in[i]);
    steps({&slot, 1}, s);
    List out;
    for (size_t i = 0; i < width; ++i)
      if (i != 1) out.push_back(slot.*parts[i]);
    return out;
  };
  const Function reference = [=](const List& in) {
    std::vector<std::vector<double>> x;
    for (const Tensor& input : in) x.push_back(values(input));
    for (size_t j = 0; j < x[0].size(); ++j) {
      Element e{};
      for (size_t i = 0; i < width; ++i) e[i] = x[i][j];
      formula(e);
      for (size_t i = 0; i < width; ++i) x[i][j] = e[i];
    }
    List out;
    for (size_t i = 0; i < width; ++i)
      if (i != 1) out.push_back(from_values(x[i], in[i].sizes()));
    return out;
  };
  List in{uniform_values({37}), uniform_values({37}, -1, 1, 2), uniform_values({37}, 0.1, 1, 3)};
  if (width == 4) in.push_back(uniform_values({37}, 0.1, 1, 4));
  t.push_back({op, {{in, step, reference}}});
}

constexpr double kLr = 0.1, kBeta1 = 0.9, kBeta2 = 0.99, kEps = 1e-8, kDecay = 0.01;
const double kFirst = 1 - std::pow(kBeta1, 3), kSecond = 1 - std::pow(kBeta2, 3);  // corrections at step 3

void take_into_moments(Element& e, double g) {
  e[2] = kBeta1 * e[2] + (1 - kBeta1) * g;
  e[3] = kBeta2 * e[3] + (1 - kBeta2) * g * g;
}

void add_adams(Table& t) {
  add_step<AdamaxSlot, AdamaxStep>(t, "adamax_step", 4, {kLr, kBeta1, kBeta2, kEps, kDecay, 3}, adamax_steps_,
                                   {&AdamaxSlot::param, &AdamaxSlot::grad, &AdamaxSlot::exp_avg, &AdamaxSlot::exp_inf},
                                   [](Element& e) {
                                     const double g = e[1] + kDecay * e[0];
                                     e[2] = kBeta1 * e[2] + (1 - kBeta1) * g;
                                     e[3] = std::max(kBeta2 * e[3], std::abs(g) + kEps);
                                     e[0] -= kLr / kFirst * e[2] / e[3];
                                   });
  add_step<NadamSlot, NadamStep>(
      t, "nadam_step", 4, {kLr, kBeta1, kBeta2, kEps, kDecay, 0.5, 0.6, 0.7, 3, true}, nadam_steps_,
      {&NadamSlot::param, &NadamSlot::grad, &NadamSlot::exp_avg, &NadamSlot::exp_avg_sq}, [](Element& e) {
        e[0] *= 1 - kLr * kDecay;
        take_into_moments(e, e[1]);
        const double move = 0.5 / 0.3 * e[1] + 0.6 / (1 - 0.7 * 0.6) * e[2];
        e[0] -= kLr * move / (std::sqrt(e[3] / kSecond) + kEps);
      });
  const auto radam = [&](int64_t step, double along, bool adapts) {
    add_step<RadamSlot, RadamStep>(t, "radam_step", 4, {kLr, kBeta1, kBeta2, kEps, kDecay, step}, radam_steps_,
                                   {&RadamSlot::param, &RadamSlot::grad, &RadamSlot::exp_avg, &RadamSlot::exp_avg_sq},
                                   [=](Element& e) {
                                     take_into_moments(e, e[1] + kDecay * e[0]);
                                     e[0] -= along * e[2] / (adapts ? std::sqrt(e[3]) + kEps : 1);
                                   });
  };
  radam(3, kLr / kFirst, false);
  const double power = std::pow(kBeta2, 9), longest = 2 / (1 - kBeta2) - 1, n = longest - 18 * power / (1 - power);
  const double rectified = std::sqrt((n - 4) * (n - 2) * longest / ((longest - 4) * (longest - 2) * n));
  radam(9, kLr / (1 - std::pow(kBeta1, 9)) * rectified * std::sqrt(1 - power), true);
}

}  // namespace

void add_optim(Table& t) {
  add_adams(t);
  add_step<AdadeltaSlot, AdadeltaStep>(
      t, "adadelta_step", 4, {kLr, 0.8, 1e-4, kDecay}, adadelta_steps_,
      {&AdadeltaSlot::param, &AdadeltaSlot::grad, &AdadeltaSlot::square_avg, &AdadeltaSlot::acc_delta}, [](Element& e) {
        const double g = e[1] + kDecay * e[0];
        e[2] = 0.8 * e[2] + 0.2 * g * g;
        const double delta = std::sqrt(e[3] + 1e-4) / std::sqrt(e[2] + 1e-4) * g;
        e[3] = 0.8 * e[3] + 0.2 * delta * delta;
        e[0] -= kLr * delta;
      });
  add_step<RpropSlot, RpropStep>(t, "rprop_step", 4, {0.5, 1.2, 0.2, 0.9}, rprop_steps_,
                                 {&RpropSlot::param, &RpropSlot::grad, &RpropSlot::prev, &RpropSlot::step_size},
                                 [](Element& e) {
                                   const double same = direction_of(e[1] * e[2]);
                                   e[3] = std::clamp(e[3] * (same > 0 ? 1.2 : same < 0 ? 0.5 : 1), 0.2, 0.9);
                                   e[2] = same < 0 ? 0 : e[1];
                                   e[0] -= direction_of(e[2]) * e[3];
                                 });
  add_step<AsgdSlot, AsgdStep>(t, "asgd_step", 3, {0.1, 0.5, kDecay, 0.25}, asgd_steps_,
                               {&AsgdSlot::param, &AsgdSlot::grad, &AsgdSlot::ax}, [](Element& e) {
                                 const double g = e[1] + kDecay * e[0];
                                 e[0] = e[0] * (1 - 0.05) - 0.1 * g;
                                 e[2] += 0.25 * (e[0] - e[2]);
                               });
  add_step<LionSlot, LionStep>(t, "lion_step", 3, {kLr, kBeta1, kBeta2, kDecay}, lion_steps_,
                               {&LionSlot::param, &LionSlot::grad, &LionSlot::exp_avg}, [](Element& e) {
                                 const double direction = direction_of(kBeta1 * e[2] + (1 - kBeta1) * e[1]);
                                 e[0] = e[0] * (1 - kLr * kDecay) - kLr * direction;
                                 e[2] = kBeta2 * e[2] + (1 - kBeta2) * e[1];
                               });
}

}  // namespace strata::test
