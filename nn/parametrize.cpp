// Parameters that are functions of other parameters.
#include "nn/parametrize.h"

#include <atomic>

#include "core/grad_mode.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/linalg.h"
#include "ops/random.h"
#include "ops/reduce.h"
#include "ops/ternary.h"
#include "ops/view.h"

namespace strata::nn::utils {
namespace parametrize {
namespace {

struct Cache {
  int depth = 0;
  int64_t generation = 0;  ///< a new one as the outermost guard begins, which makes older values stale
};
thread_local Cache cache;
std::atomic<int64_t> generations = 0;  // of all threads: a module's kept value is one thread's alone

/// What stands under "parametrizations.NAME": the learned tensors, and the functions "0", "1", ... of them.
class ParametrizationList : public Module {
 public:
  ParametrizationList(const std::vector<Tensor>& originals, bool requires_grad, detail::Setter set)
      : Module("ParametrizationList"), set_(std::move(set)) {
    const bool one = originals.size() == 1;
    for (size_t i = 0; i < originals.size(); ++i)
      originals_.push_back(register_parameter(one ? "original" : "original" + std::to_string(i),
                                              originals[i].detach().clone(), requires_grad));
  }
  void append(std::shared_ptr<Parametrization> function) {
    register_module(std::to_string(functions_.size()), function);
    functions_.push_back(std::move(function));
  }
  /// Learned tensors for which one more function gives `value`.
  void restart(const Tensor& value) {
    const NoGradGuard no_grad;
    Tensor t = value;
    for (size_t i = functions_.size(); i-- > 1;) t = functions_[i]->right_inverse(t);
    const std::vector<Tensor> originals = functions_[0]->originals_of(t);
    for (size_t i = 0; i < originals_.size(); ++i) originals_[i].detach().copy_(originals[i]);
  }
  Tensor value() {
    if (cache.depth > 0 && kept_.defined() && generation_ == cache.generation) return kept_;
    Tensor t = functions_[0]->compute(originals_);
    for (size_t i = 1; i < functions_.size(); ++i) t = functions_[i]->forward(t);
    kept_ = cache.depth > 0 ? t : Tensor();
    generation_ = cache.generation;
    return t;
  }
  void show() { set_(value()); }
  void show(const Tensor& t) { set_(t); }
  const std::vector<Tensor>& originals() const { return originals_; }

  RemovableHandle hook;

 private:
  std::vector<Tensor> originals_;
  std::vector<std::shared_ptr<Parametrization>> functions_;
  detail::Setter set_;
  Tensor kept_;
  int64_t generation_ = -1;
};

/// What stands under "parametrizations".
struct Group : Module {
  Group() : Module("ParametrizationGroup") {}
};

std::shared_ptr<Module> child(const Module& module, const std::string& name) {
  const ModuleDictionary children = module.named_children();
  const auto* const found = children.find(name);
  return found ? *found : nullptr;
}

std::shared_ptr<ParametrizationList> list_of(const Module& module, const std::string& name) {
  const auto group = child(module, "parametrizations");
  return group ? std::dynamic_pointer_cast<ParametrizationList>(child(*group, name)) : nullptr;
}

std::vector<Tensor> originals_for(Parametrization& function, const Tensor& value) {
  const NoGradGuard no_grad;
  return function.originals_of(value);
}

}  // namespace

void detail::fail_member(const Module& module, const std::string& name) {
  STRATA_THROW("register_parametrization: {} has no member '{}' that could be found; give the member itself",
               module.name(), name);
}

void detail::add(Module& module, const std::string& name, Setter set,
                 std::shared_ptr<Parametrization> parametrization) {
  STRATA_CHECK(parametrization != nullptr, "register_parametrization: the parametrization of '{}' is null", name);
  if (const auto list = list_of(module, name)) {
    const Tensor value = list->value().detach();
    const size_t learned = originals_for(*parametrization, value).size();
    STRATA_CHECK(
        learned == 1,
        "register_parametrization: '{}' has a parametrization, whose result further ones take; one that learns "
        "{} tensors can be the first alone",
        name, learned);
    list->append(std::move(parametrization));
    list->restart(value);
    return list->show();
  }
  const auto parameters = module.named_parameters(/*recurse=*/false);
  STRATA_CHECK(parameters.contains(name), "register_parametrization: {} has no parameter '{}'", module.name(), name);
  const Tensor first = parameters[name];
  const auto list = std::make_shared<ParametrizationList>(originals_for(*parametrization, first), first.requires_grad(),
                                                          std::move(set));
  list->append(std::move(parametrization));
  const Tensor value = list->value();
  STRATA_CHECK(value.sizes() == first.sizes(), "register_parametrization: '{}' has shape {} and would get {}", name,
               first.sizes(), value.sizes());
  auto group = child(module, "parametrizations");
  if (!group) group = module.register_module("parametrizations", std::make_shared<Group>());
  group->register_module(name, list);
  module.unregister_parameter(name);
  list->hook = module.register_forward_pre_hook([list](Module&) { list->show(); });
  list->show(value);
}

void detail::remove(Module& module, const std::string& name, bool leave_parametrized) {
  const auto list = list_of(module, name);
  STRATA_CHECK(list != nullptr, "remove_parametrizations: '{}' of {} has no parametrization", name, module.name());
  STRATA_CHECK(leave_parametrized || list->originals().size() == 1,
               "remove_parametrizations: several tensors were learned for '{}'; only its value can be left", name);
  const Tensor kept = (leave_parametrized ? list->value() : list->originals()[0]).detach().clone();
  list->hook.remove();
  const auto group = child(module, "parametrizations");
  group->unregister_module(name);
  if (group->children().empty()) module.unregister_module("parametrizations");
  list->show(module.register_parameter(name, kept, list->originals()[0].requires_grad()));
}

bool is_parametrized(const Module& module, const std::string& name) {
  return name.empty() ? child(module, "parametrizations") != nullptr : list_of(module, name) != nullptr;
}

cached::cached() {
  if (cache.depth++ == 0) cache.generation = ++generations;
}
cached::~cached() { --cache.depth; }

}  // namespace parametrize

namespace parametrizations {
namespace {

/// The norms over all dims but `dim`, with 1 in their place; of all where dim is -1.
Tensor norm_except(const Tensor& v, int64_t dim) {
  if (dim == -1) return norm(v, 2);
  DimVector others;
  for (int64_t d = 0; d < v.dim(); ++d)
    if (d != dim) others.push_back(d);
  return others.empty() ? v.abs() : norm(v, 2, others, true);
}

struct WeightNorm : parametrize::Parametrization {
  explicit WeightNorm(int64_t dim) : Parametrization("WeightNorm"), dim(dim) {}
  Tensor forward(const Tensor& value) override { return value; }
  Tensor compute(const std::vector<Tensor>& t) override { return t[1] * (t[0] / norm_except(t[1], dim)); }
  std::vector<Tensor> originals_of(const Tensor& value) override { return {norm_except(value, dim), value}; }
  int64_t dim;
};

struct SpectralNorm : parametrize::Parametrization {
  SpectralNorm(const Tensor& weight, int64_t iterations, double eps, int64_t dim)
      : Parametrization("SpectralNorm"), iterations(iterations), eps(eps), dim(dim) {
    if (weight.dim() < 2) return;
    const NoGradGuard no_grad;
    const Tensor m = matrix(weight.detach());
    u = register_buffer("_u", unit(randn({m.size(0)}, m.options())));
    v = register_buffer("_v", unit(randn({m.size(1)}, m.options())));
    follow(m, 15);
  }
  Tensor forward(const Tensor& weight) override {
    if (weight.dim() < 2) return unit(weight);
    const Tensor m = matrix(weight);
    if (is_training()) {
      const NoGradGuard no_grad;
      follow(m.detach(), iterations);
    }
    // Copies: the next call writes to the vectors, maybe before this one's backward.
    return weight / dot(u.clone(), mv(m, v.clone()));
  }

 private:
  Tensor unit(const Tensor& t) const { return t / norm(t, 2).clamp_min(eps); }
  Tensor matrix(const Tensor& weight) const { return weight.movedim(dim, 0).flatten(1); }
  void follow(const Tensor& m, int64_t steps) const {
    for (int64_t i = 0; i < steps; ++i) {
      u.copy_(unit(mv(m, v)));
      v.copy_(unit(mv(m.t(), u)));
    }
  }
  int64_t iterations;
  double eps;
  int64_t dim;
  Tensor u, v;
};

}  // namespace

std::shared_ptr<parametrize::Parametrization> make_weight_norm(int64_t dim) {
  return std::make_shared<WeightNorm>(dim);
}

std::shared_ptr<parametrize::Parametrization> make_spectral_norm(const Tensor& weight, int64_t n_power_iterations,
                                                                 double eps, int64_t dim) {
  STRATA_CHECK(n_power_iterations > 0, "spectral_norm: n_power_iterations must be positive, got {}",
               n_power_iterations);
  return std::make_shared<SpectralNorm>(weight, n_power_iterations, eps, dim);
}

}  // namespace parametrizations
}  // namespace strata::nn::utils
