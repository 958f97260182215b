// Choosing between a plan and the dispatcher, and keeping plans by the layout of the inputs.
#include "compile/executable.h"

#include <algorithm>

#include "dispatcher/names.h"

namespace strata::func::compiling {
namespace {

/// Layouts for which a plan is kept; inputs that come in more run through the dispatcher.
constexpr int kMostPlans = 8;

/// A view carries the key of autograd whether or not it records.
KeySet keys_seen(const Tensor& t) { return t.requires_grad() ? t.keys() : t.keys() - KeySet(Key::Autograd); }

}  // namespace

Executable::Executable(Program program) : program_(std::move(program)) {}

Executable::~Executable() {
  for (const Planned* p = plans_.load(); p;) delete std::exchange(p, p->next);
}

bool Executable::is_plain(TensorList inputs) const {
  KeySet keys = thread_state.included;
  for (const Tensor& t : inputs)
    if (t.defined()) keys = keys | keys_seen(t);
  for (const Program::Constant& c : program_.constants())
    if (c.captured) keys = keys | keys_seen(c.value);
  return (keys - thread_state.excluded).is_plain_cpu();
}

const Plan* Executable::plan_for(TensorList inputs) const {
  const auto find = [&] {
    const Planned* p = plans_.load(std::memory_order_acquire);
    while (p && !p->plan->fits(inputs)) p = p->next;
    return p;
  };
  if (const Planned* const p = find()) return p->plan.get();
  if (!may_plan_.load(std::memory_order_relaxed)) return nullptr;
  const std::lock_guard lock(making_);
  if (const Planned* const p = find()) return p->plan.get();
  int kept = 0;
  for (const Planned* p = plans_.load(); p; p = p->next) ++kept;
  std::unique_ptr<Plan> plan = kept < kMostPlans ? Plan::make(program_, inputs) : nullptr;
  if (!plan) may_plan_ = kept > 0 && kept < kMostPlans;
  if (!plan) return nullptr;
  const Planned* const added = new Planned{std::move(plan), plans_.load()};
  plans_.store(added, std::memory_order_release);
  return added->plan.get();
}

std::vector<Tensor> Executable::operator()(std::vector<Tensor> inputs) const {
  if (is_plain(inputs))
    if (const Plan* const plan = plan_for(inputs)) return plan->run(inputs);
  return program_(std::move(inputs));
}

}  // namespace strata::func::compiling
