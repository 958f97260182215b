// Groups, state, zero_grad, saving and resuming of optimizers.
#include "optim/optimizer.h"

#include <unordered_set>

#include "core/cuda_graph.h"
#include "core/grad_mode.h"
#include "core/hints.h"
#include "core/replay.h"
#include "nn/detail.h"
#include "ops/foreach.h"
#include "optim/foreign_state.h"
#include "optim/step_optimizer.h"

namespace strata::optim {

std::unique_ptr<OptimizerParamState> OptimizerParamState::clone() const {
  STRATA_THROW("optim: this state cannot be copied");
}
void OptimizerParamState::serialize(serialize::InputArchive&) {
  STRATA_THROW("load: this optimizer's state cannot be loaded");
}
void OptimizerParamState::serialize(serialize::OutputArchive&) const {
  STRATA_THROW("save: this optimizer's state cannot be saved");
}

std::unique_ptr<OptimizerOptions> OptimizerOptions::clone() const {
  STRATA_THROW("optim: these options cannot be copied");
}
void OptimizerOptions::serialize(serialize::InputArchive&) {
  STRATA_THROW("load: this optimizer's options cannot be loaded");
}
void OptimizerOptions::serialize(serialize::OutputArchive&) const {
  STRATA_THROW("save: this optimizer's options cannot be saved");
}
double OptimizerOptions::get_lr() const { STRATA_THROW("optim: these options have no learning rate"); }
void OptimizerOptions::set_lr(double) { STRATA_THROW("optim: these options have no learning rate"); }
// The schedules that cycle a momentum read it first.
double OptimizerOptions::get_momentum() const {
  STRATA_THROW(
      "optim: these options have no momentum and no betas that a schedule could cycle; set cycle_momentum(false)");
}
void OptimizerOptions::set_momentum(double) { get_momentum(); }

void detail::adopt_tensor(Tensor& state, const Tensor& parameter, const char* name) {
  if (!state.defined()) return;
  STRATA_CHECK(state.sizes() == parameter.sizes(), "load: {} has shape {} in the file, its parameter has {}", name,
               state.sizes(), parameter.sizes());
  state = state.to(parameter.device(), parameter.dtype());
}

OptimizerOptions& OptimizerParamGroup::options() {
  STRATA_CHECK(options_ != nullptr, "optim: this parameter group has no options yet");
  return *options_;
}
const OptimizerOptions& OptimizerParamGroup::options() const {
  return const_cast<OptimizerParamGroup*>(this)->options();
}

namespace {
/// `Adam` of AdamOptions.
std::string optimizer_of(const OptimizerOptions& options) {
  std::string name = nn::demangled(typeid(options).name());
  if (const size_t scope = name.rfind(':'); scope != std::string::npos) name.erase(0, scope + 1);
  if (const size_t suffix = name.rfind("Options"); suffix != std::string::npos) name.resize(suffix);
  return name;
}
}  // namespace

void detail::hint_no_gradients(const Optimizer& optimizer, const OptimizerOptions& defaults) {
  if (optimizer.size() == 0) return;
  for (const OptimizerParamGroup& group : optimizer.param_groups())
    for (const Tensor& p : group.params())
      if (p.grad().defined()) return;
  hint(strata::detail::format_message(
      "{}: step() changed nothing, since none of the {} parameters has a gradient; call backward() on a loss that "
      "depends on them first",
      {optimizer_of(defaults), optimizer.size()}));
}

Optimizer::Optimizer(const std::vector<OptimizerParamGroup>& param_groups, std::unique_ptr<OptimizerOptions> defaults)
    : defaults_(std::move(defaults)) {
  for (const OptimizerParamGroup& group : param_groups) add_param_group(group);
  if (!param_groups.empty() && size() == 0)
    hint(optimizer_of(*defaults_) +
         ": the list of parameters is empty, so nothing will be trained; parameters() lists what register_parameter "
         "and register_module have seen");
}

Optimizer::Optimizer(std::vector<Tensor> parameters, std::unique_ptr<OptimizerOptions> defaults)
    : Optimizer({OptimizerParamGroup(std::move(parameters))}, std::move(defaults)) {}

Optimizer::~Optimizer() = default;

void Optimizer::check_parameter(const Tensor& parameter) const {
  STRATA_CHECK(parameter.defined() && parameter.is_leaf(),
               "optim: a parameter must be a leaf tensor: can't optimize a non-leaf Tensor");
  for (const OptimizerParamGroup& group : param_groups_)
    for (const Tensor& p : group.params())
      STRATA_CHECK(!p.is_same(parameter), "optim: some parameters appear in more than one parameter group");
}

void Optimizer::add_param_group(const OptimizerParamGroup& group) {
  std::unordered_set<const TensorImpl*> seen;
  for (const Tensor& p : group.params()) {
    check_parameter(p);
    STRATA_CHECK(seen.insert(p.impl()).second, "optim: a parameter appears twice in its group");
  }
  OptimizerParamGroup added = group;
  if (!added.has_options()) {
    added.set_options(defaults_->clone());
  } else {
    const OptimizerOptions &given = added.options(), &own = *defaults_;
    STRATA_CHECK(typeid(given) == typeid(own), "optim: the options of a parameter group are another optimizer's");
    added.options().inherit(own);
  }
  param_groups_.push_back(std::move(added));
}

void Optimizer::add_parameters(const std::vector<Tensor>& parameters) {
  STRATA_CHECK(!param_groups_.empty(), "optim: there is no parameter group to add to");
  for (const Tensor& p : parameters) {
    check_parameter(p);
    param_groups_[0].params().push_back(p);
  }
}

void Optimizer::zero_grad(bool set_to_none) {
  std::vector<Tensor> kept;
  for (OptimizerParamGroup& group : param_groups_) {
    for (Tensor& p : group.params()) {
      if (!p.grad().defined()) continue;
      if (set_to_none) {
        p.mutable_grad().reset();
      } else {
        p.mutable_grad() = p.grad().detach();
        kept.push_back(p.grad());
      }
    }
  }
  foreach_zero_(kept);
}

size_t Optimizer::size() const noexcept {
  size_t n = 0;
  for (const OptimizerParamGroup& group : param_groups_) n += group.params().size();
  return n;
}

Tensor Optimizer::evaluate(const LossClosure& closure) {
  if (!closure) return {};
  const EnableGradGuard grad;
  return closure();
}

void Optimizer::check_may_begin() {
  if (strata::detail::is_traced_for_replay()) throw strata::detail::RunOnceFirst();
  STRATA_CHECK(!cuda::is_current_stream_capturing(),
               "optim: take a step before the capture: the first one makes the optimizer's state");
}

std::unique_ptr<OptimizerParamState> Optimizer::make_state() const {
  STRATA_THROW("load: this optimizer's state cannot be loaded");
}

void Optimizer::save(serialize::OutputArchive& archive) const {
  archive.write("groups", param_groups_.size());
  for (size_t g = 0; g < param_groups_.size(); ++g) {
    const std::vector<Tensor>& params = param_groups_[g].params();
    serialize::OutputArchive options, group;
    param_groups_[g].options().serialize(options);
    group.write("params", params.size());
    group.write("options", options);
    for (size_t i = 0; i < params.size(); ++i) {
      const auto it = state_.find(params[i].unsafeGetTensorImpl());
      if (it == state_.end()) continue;
      serialize::OutputArchive state;
      it->second->serialize(state);
      group.write(std::to_string(i), state);
    }
    archive.write("group" + std::to_string(g), group);
  }
}

void Optimizer::load(serialize::InputArchive& archive) {
  if (detail::is_foreign_state(archive)) {
    serialize::InputArchive own = detail::translated(archive, param_groups_);
    return load(own);
  }
  size_t groups = 0;
  archive.read("groups", groups);
  STRATA_CHECK(groups == param_groups_.size(), "load: the file has {} parameter groups, the optimizer {}", groups,
               param_groups_.size());
  std::vector<std::unique_ptr<OptimizerOptions>> options;
  StateMap states;
  for (size_t g = 0; g < groups; ++g) {
    const std::vector<Tensor>& params = param_groups_[g].params();
    serialize::InputArchive group = archive.nested("group" + std::to_string(g)), nested = group.nested("options");
    size_t count = 0;
    group.read("params", count);
    STRATA_CHECK(count == params.size(), "load: group {} has {} parameters in the file, {} in the optimizer", g, count,
                 params.size());
    options.push_back(param_groups_[g].options().clone());
    options.back()->serialize(nested);
    for (size_t i = 0; i < count; ++i) {
      serialize::InputArchive read;
      if (!group.try_read(std::to_string(i), read)) continue;
      std::unique_ptr<OptimizerParamState> state = make_state();
      state->serialize(read);
      state->adopt(params[i]);
      states[params[i].unsafeGetTensorImpl()] = std::move(state);
    }
  }
  for (size_t g = 0; g < groups; ++g) param_groups_[g].set_options(std::move(options[g]));
  state_ = std::move(states);
}

serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const Optimizer& optimizer) {
  optimizer.save(archive);
  return archive;
}

serialize::InputArchive& operator>>(serialize::InputArchive& archive, Optimizer& optimizer) {
  optimizer.load(archive);
  return archive;
}

}  // namespace strata::optim
