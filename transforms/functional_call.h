// Modules as functions of their parameters.
#pragma once
#include "../core/ordered_dict.h"
#include "../ops/shaping.h"
#include "dims.h"
#include "level.h"

namespace strata::func {

/// Parameters or buffers by their full names, a nest like any other.
using StateDict = OrderedDict<std::string, Tensor>;

/// While it lives, tensors stand for others wherever an op meets them. Not for modules that other threads use
/// meanwhile.
class Substitution final : public Layer {
 public:
  Substitution() : scope_(*this) {}
  ~Substitution() override;
  /// Makes `original` a name of `value`; throws where shapes differ.
  void replace(const Tensor& original, Tensor value, const std::string& name);
  /// What stands behind `t`, `t` itself for others.
  Tensor resolve(const Tensor& t) const;
  Tensors process(const Op& op, Args args, Params params) override;
  Tensor* target(const Tensor& t) const override;

 private:
  struct Replaced {
    Tensor original, stash;
  };
  std::vector<Replaced> replaced_;
  LayerScope scope_;
};

namespace detail {

template <class M>
auto& module_of(M& module) {
  if constexpr (requires { module.named_parameters(); })
    return module;
  else
    return *module;  // a holder or a pointer
}

[[noreturn]] void fail_no_such_name(const std::string& name);

/// A map or a StateDict.
template <class Dict>
void replace_all(Substitution& s, const StateDict& parameters, const StateDict& buffers, const Dict& values) {
  for (const auto& [name, value] : values) {
    const Tensor* original = parameters.find(name);
    if (!original) original = buffers.find(name);
    if (!original) fail_no_such_name(name);
    s.replace(*original, value, name);
  }
}

}  // namespace detail

/// `module.forward(args...)` with the tensors of `state` in place of the parameters and buffers of these names; others
/// stay as they are, and so does the module afterwards. In-place updates of buffers go to the tensors of `state`.
/// `state` is a StateDict, a map of names, or a pair of such (as `module_state` returns). Throws where the
/// module has no such name or a shape differs. After torch.func's functional_call.
///
///     auto loss = [&](func::StateDict p) { return functional_call(model, p, x).square().sum(); };
///     func::StateDict g = grad(loss)(module_state(model).first);  // g["weight"] is like the weight
template <class M, class State, class... A>
auto functional_call(M& module, const State& state, A&&... args) {
  auto& m = detail::module_of(module);
  Substitution substitution;
  const StateDict parameters = m.named_parameters(), buffers = m.named_buffers();
  if constexpr (requires { state.second; }) {
    detail::replace_all(substitution, parameters, buffers, state.first);
    detail::replace_all(substitution, parameters, buffers, state.second);
  } else {
    detail::replace_all(substitution, parameters, buffers, state);
  }
  auto out = m.forward(std::forward<A>(args)...);
  tree::for_each(out, [&](Tensor& t) { t = substitution.resolve(t); });
  return out;
}

/// The parameters and buffers of a module, detached, as a pair of dicts: where functional training starts. They share
/// memory with the module's.
///
///     auto [params, buffers] = module_state(model);
///     Tensor y = functional_call(model, params, x);  // model->forward(x)
template <class M>
std::pair<StateDict, StateDict> module_state(const M& module) {
  const auto detached = [](StateDict dict) { return tree::map([](const Tensor& t) { return t.detach(); }, dict); };
  const auto& m = detail::module_of(module);
  return {detached(m.named_parameters()), detached(m.named_buffers())};
}

/// The states of several modules of one structure, stacked along a new dimension 0, for `vmap` over an ensemble. Throws
/// for no modules and for different ones. After torch.func's stack_module_state.
///
///     auto [params, buffers] = stack_module_state(std::vector{model, other});  // params["weight"]: (2, *weight)
///     auto predict = [&](func::StateDict p, Tensor v) { return functional_call(model, p, v); };
///     Tensor y = vmap(predict, {.in_dims = {0, nullopt}})(params, x);  // (2, *output)
template <class M>
std::pair<StateDict, StateDict> stack_module_state(const std::vector<M>& modules) {
  STRATA_CHECK(!modules.empty(), "stack_module_state: no modules");
  std::pair<StateDict, StateDict> stacked = module_state(modules[0]);
  std::vector<std::vector<Tensor>> columns;
  for (const M& m : modules) columns.push_back(tree::leaves(module_state(m)));
  size_t i = 0;
  tree::for_each(stacked, [&](Tensor& t) {
    std::vector<Tensor> same;
    for (const auto& column : columns) {
      STRATA_CHECK(column.size() == columns[0].size(), "stack_module_state: the modules have {} and {} tensors",
                   columns[0].size(), column.size());
      same.push_back(column[i]);
    }
    t = stack(same);
    ++i;
  });
  return stacked;
}

}  // namespace strata::func
