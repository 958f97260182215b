// Parameters that are functions of other parameters, computed before each call: weight norm, spectral norm, orthogonal
// matrices, one's own.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "../core/function.h"
#include "module.h"

namespace strata::nn::utils::parametrize {

/// A function that gives a module's parameter. Derive from it and write `forward`, and `right_inverse` if the value
/// that the parameter has at first is to stay: `forward(right_inverse(w))` gives w. Its own parameters and buffers
/// belong to the module.
class Parametrization : public Module {
 public:
  using Module::Module;
  /// The parameter's value, from the tensor that is learned in its place.
  virtual Tensor forward(const Tensor& original) = 0;
  /// What is learned where the parameter has the value `value`; that value itself unless this is overridden.
  virtual Tensor right_inverse(const Tensor& value) { return value; }
  /// The same for functions of several learned tensors.
  virtual Tensor compute(const std::vector<Tensor>& originals) { return forward(originals.at(0)); }
  virtual std::vector<Tensor> originals_of(const Tensor& value) { return {right_inverse(value)}; }
};

namespace detail {
using Setter = strata::detail::Function<void(const Tensor&)>;
void add(Module& module, const std::string& name, Setter set, std::shared_ptr<Parametrization> parametrization);
void remove(Module& module, const std::string& name, bool leave_parametrized);
[[noreturn]] void fail_member(const Module& module, const std::string& name);

/// The member that a built-in module's forward reads.
template <class M>
Tensor& member(M& module, const std::string& name) {
  if constexpr (requires(M & m) { m.weight = Tensor(); })
    if (name == "weight") return module.weight;
  if constexpr (requires(M & m) { m.bias = Tensor(); })
    if (name == "bias") return module.bias;
  fail_member(module, name);
}
}  // namespace detail

/// Makes parameter `name` of the module, which `member` shows (`net->scale`), a function of what is learned in its
/// place: "parametrizations.NAME.original", as in PyTorch. It is computed anew before each call through a holder, a
/// Sequential or an AnyModule; further ones apply to the result of the first. A parametrized module cannot be cloned.
template <class M>
void register_parametrization(ModuleHolder<M>& module, const std::string& name, Tensor& member,
                              std::shared_ptr<Parametrization> parametrization) {
  detail::add(
      *module, name, [&member](const Tensor& t) { member = t; }, std::move(parametrization));
}
/// The same for "weight" and "bias".
template <class M>
void register_parametrization(ModuleHolder<M>& module, const std::string& name,
                              std::shared_ptr<Parametrization> parametrization) {
  register_parametrization(module, name, detail::member(*module, name), std::move(parametrization));
}

/// Has parameter `name` a parametrization, or any one where the name is empty?
bool is_parametrized(const Module& module, const std::string& name = {});
template <class M>
bool is_parametrized(const ModuleHolder<M>& module, const std::string& name = {}) {
  return is_parametrized(static_cast<const Module&>(*module), name);
}

/// Makes it a parameter again, with its present value, or with what was learned where `leave_parametrized` is false.
template <class M>
void remove_parametrizations(ModuleHolder<M>& module, const std::string& name, bool leave_parametrized = true) {
  detail::remove(*module, name, leave_parametrized);
}

/// While one lives on this thread, each parametrized tensor is computed once: `const parametrize::cached guard;`.
class cached {
 public:
  cached();
  ~cached();
  cached(const cached&) = delete;
  cached& operator=(const cached&) = delete;
};

}  // namespace strata::nn::utils::parametrize

namespace strata::nn::utils::parametrizations {

/// Length and direction apart (Salimans and Kingma, 2016): original0 has the norms over all dims but `dim`, of the
/// whole tensor where dim is -1, and original1 the direction.
std::shared_ptr<parametrize::Parametrization> make_weight_norm(int64_t dim);
/// Divided by the largest singular value (Miyato et al., 2018), which `n_power_iterations` follow in each call in
/// training; `dim` stands for the rows of the matrix.
std::shared_ptr<parametrize::Parametrization> make_spectral_norm(const Tensor& weight, int64_t n_power_iterations,
                                                                 double eps, int64_t dim);

/// What is orthogonal, see `orthogonal`.
std::shared_ptr<parametrize::Parametrization> make_orthogonal(const Tensor& weight, std::string_view orthogonal_map,
                                                              bool use_trivialization);

template <class M>
ModuleHolder<M>& weight_norm(ModuleHolder<M>& module, const std::string& name = "weight", int64_t dim = 0) {
  parametrize::register_parametrization(module, name, make_weight_norm(dim));
  return module;
}
template <class M>
ModuleHolder<M>& spectral_norm(ModuleHolder<M>& module, const std::string& name = "weight",
                               int64_t n_power_iterations = 1, double eps = 1e-12, int64_t dim = 0) {
  Tensor& weight = parametrize::detail::member(*module, name);
  parametrize::register_parametrization(module, name, weight, make_spectral_norm(weight, n_power_iterations, eps, dim));
  return module;
}

/// The last two dims hold matrices with orthonormal columns, or rows where those are fewer (Lezcano-Casado, 2019), as
/// torch.nn.utils.parametrizations.orthogonal. `orthogonal_map` is "matrix_exp", "cayley" or "householder"; the first
/// for square and for complex matrices unless it is given, else the last. With `use_trivialization` what is learned
/// stands for a step away from the buffer `base`, else for the matrix itself; then only "householder" can start from
/// the weight as it is. The weight that the parameter has at first is made orthogonal.
template <class M>
ModuleHolder<M>& orthogonal(ModuleHolder<M>& module, const std::string& name = "weight",
                            std::string_view orthogonal_map = {}, bool use_trivialization = true) {
  Tensor& weight = parametrize::detail::member(*module, name);
  parametrize::register_parametrization(module, name, weight,
                                        make_orthogonal(weight, orthogonal_map, use_trivialization));
  return module;
}

}  // namespace strata::nn::utils::parametrizations
