// What optimizers share whose steps may be captured into a cuda::Graph or be part of a compiled function: learning
// rates and counts of steps that kernels read from memory.
#pragma once
#include <algorithm>

#include "../core/replay.h"
#include "buckets.h"
#include "device_number.h"
#include "optimizer.h"

namespace strata::optim::detail {

/// Whether a program gives an option or it is a default.
enum class Given : bool { kNo, kYes };

/// Options with a learning rate, and whether the loss is to rise.
template <class Derived>
struct RateOptions : public OptimizerCloneableOptions<Derived> {
  RateOptions(double lr, Given given) : lr_(lr) {
    if (given == Given::kYes) this->give("lr");
  }
  auto lr(double v) -> Derived& { return set("lr", lr_.value(), v); }
  /// Goes up the gradient, not down.
  auto maximize(bool v) -> Derived& { return set("maximize", maximize_, v); }
  const double& lr() const { return lr_.value(); }
  const bool& maximize() const { return maximize_; }
  double& lr() { return take("lr", lr_.value()); }
  bool& maximize() { return take("maximize", maximize_); }
  /// The learning rate for kernels of a device.
  Tensor lr_on(Device device) const { return lr_.on(device); }

 protected:
  /// What setters and the accessors of values that may change are made of, as in STRATA_OPTION.
  template <class T>
  Derived& set(const char* name, T& field, T value) {
    take(name, field) = value;
    return static_cast<Derived&>(*this);
  }
  template <class T>
  T& take(const char* name, T& field) {
    this->give(name);
    return field;
  }

 private:
  DeviceNumber lr_;
  bool maximize_ = false;
};

/// The same for steps that a graph may capture. However the learning rate is set, it reaches captured steps as well,
/// from their next replay.
template <class Derived>
struct CapturableOptions : public RateOptions<Derived> {
  using RateOptions<Derived>::RateOptions;
  /// Reads the learning rate, and counts steps, on the device, so that a step may be captured into a cuda::Graph once
  /// one has been taken.
  auto capturable(bool v) -> Derived& { return this->set("capturable", capturable_, v); }
  const bool& capturable() const { return capturable_; }
  bool& capturable() { return this->take("capturable", capturable_); }

 private:
  bool capturable_ = false;
};

/// A count for kernels that starts with `steps`, on a device, and what one holds; the host waits for that.
std::shared_ptr<Tensor> make_count(int64_t steps, Device device);
int64_t steps_in(const Tensor& count);
/// Throws inside of a capture or a compiled function: `name`'s host would count its steps once, not in each replay.
void check_counts_on_host(const char* name, const Tensor& param);
/// Throws inside of a capture, which would have to put a count on the device.
void check_may_make_count(const char* name);
/// Inside of a compiled function: from now on it is only run again while so many parameters share the count.
void require_sharers(const std::shared_ptr<Tensor>& count, size_t sharers);
/// Inside of a compiled function throws RunOnceFirst: a count that not all of its parameters go on with is read.
void check_may_split_count();

/// A state that counts the parameter's steps, on the host or on the device.
template <class Derived>
class CountingParamState : public OptimizerCloneableParamState<Derived> {
 public:
  CountingParamState() = default;
  /// The copy counts for itself.
  CountingParamState(const CountingParamState& o) : OptimizerCloneableParamState<Derived>(o), step_(o.step()) {}
  CountingParamState& operator=(const CountingParamState&) = delete;

  /// Where the device counts (`capturable`), the host waits for it.
  const int64_t& step() const {
    if (count) step_ = steps_in(*count);
    return step_;
  }
  int64_t& step() { return const_cast<int64_t&>(std::as_const(*this).step()); }
  Derived& step(int64_t v) {
    count.reset();
    step_ = v;
    return static_cast<Derived&>(*this);
  }

  /// The count on the device, shared by the parameters that have taken the same steps; null without `capturable`.
  std::shared_ptr<Tensor> count;

 private:
  mutable int64_t step_ = 0;
};

/// Are the numbers of these steps read from memory: by choice, or because a compiled function takes them, or took some?
template <class State, class Options>
bool counts_in_memory(const std::vector<Member<State>>& members, const Options& o) {
  return o.capturable() || strata::detail::is_traced_for_replay() ||
         std::any_of(members.begin(), members.end(), [](const Member<State>& m) { return m.state->count != nullptr; });
}

/// use(step, members) for the members that take the same step, or, where the step does not matter, for all alike.
template <class State, class Use>
void count_on_host(const std::vector<Member<State>>& members, bool step_matters, Use use) {
  Buckets<Member<State>, int64_t> buckets(members.size());
  for (const Member<State>& m : members) {
    m.state->step(m.state->step() + 1);
    buckets.add(step_matters ? m.state->step() : 0, m);
  }
  buckets.for_each(use);
}

/// Each member gets a count that is shared by members alone, all of which have taken the same steps.
template <class State>
void share_counts(const char* name, const std::vector<Member<State>>& members) {
  Buckets<Member<State>, const Tensor*> by_count(members.size());
  for (const Member<State>& m : members) by_count.add(m.state->count.get(), m);
  by_count.for_each([&](const Tensor* count, const std::vector<Member<State>>& sharers) {
    if (count && sharers[0].state->count.use_count() == static_cast<long>(sharers.size())) return;
    check_may_make_count(name);
    if (count) check_may_split_count();
    Buckets<Member<State>, int64_t> by_step(sharers.size());
    for (const Member<State>& m : sharers) by_step.add(m.state->step(), m);
    by_step.for_each([](int64_t step, const std::vector<Member<State>>& alike) {
      const std::shared_ptr<Tensor> own = make_count(step, alike[0].param.device());
      for (const Member<State>& m : alike) m.state->count = own;
    });
  });
}

/// use(count, members) for the members that share a count on the device.
template <class State, class Use>
void count_on_device(const char* name, const std::vector<Member<State>>& members, Use use) {
  share_counts(name, members);
  Buckets<Member<State>, const Tensor*> buckets(members.size());
  for (const Member<State>& m : members) buckets.add(m.state->count.get(), m);
  buckets.for_each([&](const Tensor* count, const std::vector<Member<State>>& alike) {
    require_sharers(alike[0].state->count, alike.size());
    use(*count, alike);
  });
}

/// slot_of(member) for each.
template <class State, class SlotOf>
auto slots_of(const std::vector<Member<State>>& members, SlotOf slot_of) {
  std::vector<decltype(slot_of(members[0]))> slots;
  slots.reserve(members.size());
  for (const Member<State>& m : members) slots.push_back(slot_of(m));
  return slots;
}

}  // namespace strata::optim::detail
