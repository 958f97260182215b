// The base of all optimizers: groups of parameters with their options, state per parameter, saving and resuming.
#pragma once
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <typeinfo>
#include <unordered_map>
#include <vector>

#include "../core/arg.h"
#include "../core/tensor.h"
#include "../ops/serialize_fields.h"

namespace strata::optim {

/// What an optimizer remembers about one parameter.
class OptimizerParamState {
 public:
  virtual ~OptimizerParamState() = default;
  virtual std::unique_ptr<OptimizerParamState> clone() const;
  virtual void serialize(serialize::InputArchive& archive);
  virtual void serialize(serialize::OutputArchive& archive) const;
  /// Throws unless a state that was read fits the parameter; gives it the parameter's device and dtype.
  virtual void adopt(const Tensor&) {}
};

/// Learning rate and whatever else can be set per group of parameters.
class OptimizerOptions {
 public:
  virtual ~OptimizerOptions() = default;
  virtual std::unique_ptr<OptimizerOptions> clone() const;
  virtual void serialize(serialize::InputArchive& archive);
  virtual void serialize(serialize::OutputArchive& archive) const;
  virtual double get_lr() const;
  virtual void set_lr(double lr);
  /// The momentum or the first of the betas, which schedules may cycle. Throws where there is neither.
  virtual double get_momentum() const;
  virtual void set_momentum(double momentum);
  /// Options that were not given are taken from the optimizer's defaults.
  virtual void inherit(const OptimizerOptions&) {}
  /// The learning rate from before the first schedule, which later ones start from as well; it is noted when asked for.
  double initial_lr() {
    if (!initial_lr_) initial_lr_ = get_lr();
    return *initial_lr_;
  }

 private:
  std::optional<double> initial_lr_;
};

/// An option field as STRATA_ARG declares one, which remembers that it was given: set, or taken by a reference that may
/// set it. A given option of a group is never replaced by the optimizer's default, whatever its value. `name` stands in
/// the class's `kFields`.
#define STRATA_OPTION(T, name)                                   \
 public:                                                         \
  auto name(const T& new_##name)->decltype(*this) { /* NOLINT */ \
    this->give(#name);                                           \
    this->name##_ = new_##name;                                  \
    return *this;                                                \
  }                                                              \
  const T& name() const noexcept { return this->name##_; }       \
  T& name() noexcept {                                           \
    this->give(#name);                                           \
    return this->name##_;                                        \
  }                                                              \
                                                                 \
 private:                                                        \
  T name##_ /* NOLINT */

namespace detail {

/// A class lists its fields once: `static constexpr const char* kFields[]` and `static auto fields(auto& self)`, a
/// tuple of references.
template <class Derived, class Visit>
void visit_fields(Derived& self, Visit visit) {
  if constexpr (requires { Derived::fields(self); }) {
    std::apply(
        [&](auto&... field) {
          size_t i = 0;
          (visit(Derived::kFields[i++], field), ...);
        },
        Derived::fields(self));
  }
}

/// Writes all fields, or reads them.
template <class Derived, class Archive>
void transfer_fields(Derived& self, Archive& archive) {
  visit_fields(self, [&](const char* name, auto& field) { serialize::detail::transfer(archive, name, field); });
}

/// Options that files of version 0.1.0 lack.
constexpr bool is_later_option(std::string_view name) { return name == "maximize" || name == "decoupled_weight_decay"; }

/// A parameter and its state.
template <class State>
struct Member {
  Tensor param;
  State* state;
};

void adopt_tensor(Tensor& state, const Tensor& parameter, const char* name);

}  // namespace detail

// The members of these templates are defined outside of them, thus not inline: where an optimizer's header says `extern
// template`, no source but the optimizer's own compiles them.

/// Gives a class with listed fields its copies and its saving.
template <class Derived>
class OptimizerCloneableParamState : public OptimizerParamState {
 public:
  std::unique_ptr<OptimizerParamState> clone() const override;
  void serialize(serialize::InputArchive& archive) override;
  void serialize(serialize::OutputArchive& archive) const override;
  void adopt(const Tensor& parameter) override;
};

template <class Derived>
std::unique_ptr<OptimizerParamState> OptimizerCloneableParamState<Derived>::clone() const {
  return std::make_unique<Derived>(static_cast<const Derived&>(*this));
}

template <class Derived>
void OptimizerCloneableParamState<Derived>::serialize(serialize::InputArchive& archive) {
  detail::transfer_fields(static_cast<Derived&>(*this), archive);
}

template <class Derived>
void OptimizerCloneableParamState<Derived>::serialize(serialize::OutputArchive& archive) const {
  detail::transfer_fields(static_cast<const Derived&>(*this), archive);
}

template <class Derived>
void OptimizerCloneableParamState<Derived>::adopt(const Tensor& parameter) {
  detail::visit_fields(static_cast<Derived&>(*this), [&](const char* name, auto& field) {
    if constexpr (std::is_same_v<std::remove_reference_t<decltype(field)>, Tensor>)
      detail::adopt_tensor(field, parameter, name);
  });
}

/// The same for options, with `lr` among the fields. A file of a version that lacked an option leaves that as it is.
template <class Derived>
class OptimizerCloneableOptions : public OptimizerOptions {
 public:
  std::unique_ptr<OptimizerOptions> clone() const override;
  void serialize(serialize::InputArchive& archive) override;
  void serialize(serialize::OutputArchive& archive) const override;
  double get_lr() const override;
  void set_lr(double lr) override;
  double get_momentum() const override;
  void set_momentum(double momentum) override;
  void inherit(const OptimizerOptions& defaults) override;

 protected:
  /// Notes that the option of that name was given.
  void give(std::string_view name) noexcept {
    for (size_t i = 0; i < std::size(Derived::kFields); ++i)
      if (name == Derived::kFields[i]) given_ |= uint32_t{1} << i;
  }

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
  const Derived& self() const { return static_cast<const Derived&>(*this); }
  static Derived make_fresh();

  uint32_t given_ = 0;  ///< a bit for each of `kFields`
};

template <class Derived>
std::unique_ptr<OptimizerOptions> OptimizerCloneableOptions<Derived>::clone() const {
  return std::make_unique<Derived>(self());
}

template <class Derived>
void OptimizerCloneableOptions<Derived>::serialize(serialize::InputArchive& archive) {
  detail::visit_fields(self(), [&](const char* name, auto& field) {
    if (!detail::is_later_option(name) || archive.find(name).defined())
      strata::serialize::detail::transfer(archive, name, field);
  });
}

template <class Derived>
void OptimizerCloneableOptions<Derived>::serialize(serialize::OutputArchive& archive) const {
  detail::transfer_fields(self(), archive);
}

template <class Derived>
double OptimizerCloneableOptions<Derived>::get_lr() const {
  if constexpr (requires { self().lr(); })
    return self().lr();
  else
    return OptimizerOptions::get_lr();
}

template <class Derived>
void OptimizerCloneableOptions<Derived>::set_lr(double lr) {
  if constexpr (requires { self().lr(lr); })
    self().lr(lr);
  else
    OptimizerOptions::set_lr(lr);
}

template <class Derived>
double OptimizerCloneableOptions<Derived>::get_momentum() const {
  if constexpr (requires { self().momentum(); })
    return self().momentum();
  else if constexpr (requires { self().betas(); })
    return std::get<0>(self().betas());
  else
    return OptimizerOptions::get_momentum();
}

template <class Derived>
void OptimizerCloneableOptions<Derived>::set_momentum(double momentum) {
  if constexpr (requires { self().momentum(momentum); })
    self().momentum(momentum);
  else if constexpr (requires { self().betas(); })
    std::get<0>(self().betas()) = momentum;
  else
    OptimizerOptions::set_momentum(momentum);
}

template <class Derived>
void OptimizerCloneableOptions<Derived>::inherit(const OptimizerOptions& defaults) {
  if constexpr (requires(Derived & d) { Derived::fields(d); }) {
    const uint32_t given = given_;
    const Derived fresh = make_fresh();
    const auto mine = Derived::fields(self());
    const auto unset = Derived::fields(fresh);
    const auto wanted = Derived::fields(static_cast<const Derived&>(defaults));
    const auto is_open = [&]<size_t I>(std::integral_constant<size_t, I>) {
      return (given >> I & 1) == 0 && std::get<I>(mine) == std::get<I>(unset);  // set by an older class's accessors?
    };
    [&]<size_t... I>(std::index_sequence<I...>) {
      ((is_open(std::integral_constant<size_t, I>()) ? void(std::get<I>(mine) = std::get<I>(wanted)) : void()), ...);
    }
    (std::make_index_sequence<std::tuple_size_v<std::remove_const_t<decltype(mine)>>>());
    given_ = given;  // what is inherited was not given
  }
}

/// Where the learning rate must be given, it never counts as left out.
template <class Derived>
Derived OptimizerCloneableOptions<Derived>::make_fresh() {
  if constexpr (std::is_default_constructible_v<Derived>)
    return Derived();
  else
    return Derived(-1.0);
}

/// Parameters that share options; without options, they get the optimizer's defaults.
class OptimizerParamGroup {
 public:
  OptimizerParamGroup(std::vector<Tensor> params) : params_(std::move(params)) {}
  OptimizerParamGroup(std::vector<Tensor> params, std::unique_ptr<OptimizerOptions> options)
      : params_(std::move(params)), options_(std::move(options)) {}
  OptimizerParamGroup(const OptimizerParamGroup& o)
      : params_(o.params_), options_(o.options_ ? o.options_->clone() : nullptr) {}
  OptimizerParamGroup(OptimizerParamGroup&&) noexcept = default;
  OptimizerParamGroup& operator=(const OptimizerParamGroup&) = delete;
  OptimizerParamGroup& operator=(OptimizerParamGroup&&) noexcept = default;

  bool has_options() const { return options_ != nullptr; }
  OptimizerOptions& options();
  const OptimizerOptions& options() const;
  void set_options(std::unique_ptr<OptimizerOptions> options) { options_ = std::move(options); }
  std::vector<Tensor>& params() { return params_; }
  const std::vector<Tensor>& params() const { return params_; }

 private:
  std::vector<Tensor> params_;
  std::unique_ptr<OptimizerOptions> options_;
};

/// Changes parameters by their gradients. Parameters without a gradient stay as they are.
class Optimizer {
 public:
  using LossClosure = std::function<Tensor()>;
  using StateMap = std::unordered_map<void*, std::unique_ptr<OptimizerParamState>>;

  Optimizer(const std::vector<OptimizerParamGroup>& param_groups, std::unique_ptr<OptimizerOptions> defaults);
  Optimizer(std::vector<Tensor> parameters, std::unique_ptr<OptimizerOptions> defaults);
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;
  Optimizer(Optimizer&&) = default;
  Optimizer& operator=(Optimizer&&) = default;
  virtual ~Optimizer();

  /// One update. A closure computes the loss anew, with gradients, and its result is returned.
  virtual Tensor step(LossClosure closure = nullptr) = 0;
  /// Throws when a parameter is no leaf, is in another group already or the options are another optimizer's.
  void add_param_group(const OptimizerParamGroup& group);
  void add_parameters(const std::vector<Tensor>& parameters);
  void zero_grad(bool set_to_none = true);

  /// The first group's parameters.
  const std::vector<Tensor>& parameters() const { return param_groups_.at(0).params(); }
  std::vector<Tensor>& parameters() { return param_groups_.at(0).params(); }
  /// Number of parameters in all groups.
  size_t size() const noexcept;
  OptimizerOptions& defaults() noexcept { return *defaults_; }
  const OptimizerOptions& defaults() const noexcept { return *defaults_; }
  std::vector<OptimizerParamGroup>& param_groups() noexcept { return param_groups_; }
  const std::vector<OptimizerParamGroup>& param_groups() const noexcept { return param_groups_; }
  /// State by the parameter's `unsafeGetTensorImpl()`.
  StateMap& state() noexcept { return state_; }
  const StateMap& state() const noexcept { return state_; }

  /// Options and state of every group, by position.
  virtual void save(serialize::OutputArchive& archive) const;
  /// Takes them back; training then goes on with the same bits. Takes the states of optimizers of PyTorch and libtorch
  /// too. Throws, changing nothing, when groups or shapes differ.
  virtual void load(serialize::InputArchive& archive);

 protected:
  /// A new state to be read from a file.
  virtual std::unique_ptr<OptimizerParamState> make_state() const;
  /// The state of a parameter, made at first use.
  template <class State>
  State& state_of(const Tensor& parameter) {
    std::unique_ptr<OptimizerParamState>& slot = state_[parameter.unsafeGetTensorImpl()];
    if (!slot) {
      check_may_begin();
      slot = std::make_unique<State>();
    }
    return static_cast<State&>(*slot);
  }
  /// Throws inside of a graph's capture, each replay of which would begin anew, and RunOnceFirst in a compiled
  /// function.
  static void check_may_begin();
  /// Runs the closure, if there is one, with gradients on.
  static Tensor evaluate(const LossClosure& closure);
  /// The parameters of a group that have a gradient; `begin(parameter, state)` makes what a state lacks.
  template <class State, class Begin>
  std::vector<detail::Member<State>> members_of(const OptimizerParamGroup& group, Begin begin) {
    std::vector<detail::Member<State>> members;
    members.reserve(group.params().size());
    for (const Tensor& p : group.params()) {
      if (!p.grad().defined()) continue;
      members.push_back({p, &state_of<State>(p)});
      begin(p, *members.back().state);
    }
    return members;
  }

  std::vector<OptimizerParamGroup> param_groups_;
  StateMap state_;
  std::unique_ptr<OptimizerOptions> defaults_;

 private:
  void check_parameter(const Tensor& parameter) const;
};

serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const Optimizer& optimizer);
serialize::InputArchive& operator>>(serialize::InputArchive& archive, Optimizer& optimizer);

}  // namespace strata::optim
