// Averages of a model's weights over its training: equal ones (SWA, Izmailov et al., 2018) or exponential ones (EMA).
#pragma once
#include "../core/function.h"
#include "../core/grad_mode.h"
#include "../nn/module.h"

namespace strata::optim {

/// The new average of a tensor by the average so far, the model's tensor, and how many models are averaged.
using AverageFn = strata::detail::Function<Tensor(const Tensor& average, const Tensor& model, int64_t averaged)>;

/// `decay * average + (1 - decay) * model`.
AverageFn get_ema_avg_fn(double decay = 0.999);
/// The mean of all.
AverageFn get_swa_avg_fn();

/// Options of an AveragedModel.
struct AveragedModelOptions {
  STRATA_ARG(std::optional<Device>, device);
  STRATA_ARG(AverageFn, avg_fn) = get_swa_avg_fn();
  /// Whether buffers are averaged as the parameters are; without it they are copied from the model.
  STRATA_ARG(bool, use_buffers) = false;
};

namespace detail {

/// The averaging of one module into another of the same structure.
class WeightAverage {
 public:
  WeightAverage(std::shared_ptr<nn::Module> average, AveragedModelOptions options);
  void update(const nn::Module& model);
  int64_t n_averaged() const { return n_averaged_; }
  void save(serialize::OutputArchive& archive) const;
  void load(serialize::InputArchive& archive);

 private:
  void take_in(const Tensor& average, const Tensor& model) const;
  std::shared_ptr<nn::Module> average_;
  AveragedModelOptions options_;
  int64_t n_averaged_ = 0;
};

/// Cumulative averages in all batch norms of a module, which is in training mode, while it lives.
class CumulativeStats {
 public:
  explicit CumulativeStats(nn::Module& module);
  ~CumulativeStats();
  CumulativeStats(const CumulativeStats&) = delete;
  CumulativeStats& operator=(const CumulativeStats&) = delete;
  /// Are there batch norms?
  bool any() const { return !momenta_.empty(); }

 private:
  nn::Module& module_;
  bool was_training_;
  std::vector<std::pair<std::optional<double>*, std::optional<double>>> momenta_;
};

}  // namespace detail

/// A copy of a model whose weights follow the model's on average (PyTorch's torch.optim.swa_utils.AveragedModel).
///
///     optim::AveragedModel ema(net, optim::AveragedModelOptions().avg_fn(optim::get_ema_avg_fn(0.99)));
///     optimizer.step();
///     ema.update_parameters(net);
///     Tensor y = ema->forward(x);
template <class Holder>
class AveragedModel {
 public:
  using Impl = typename Holder::ContainedType;
  explicit AveragedModel(const Holder& model, AveragedModelOptions options = {})
      : module_(std::dynamic_pointer_cast<Impl>(model->clone(options.device()))), average_(module_, options) {}

  /// Takes the model's parameters, and buffers, into the average.
  void update_parameters(const Holder& model) { average_.update(*model); }
  /// How many models are averaged.
  int64_t n_averaged() const { return average_.n_averaged(); }
  const std::shared_ptr<Impl>& module() const { return module_; }
  Impl* operator->() const { return module_.get(); }
  Impl& operator*() const { return *module_; }
  template <class... Args>
  auto operator()(Args&&... args) const {
    return Holder(module_)(std::forward<Args>(args)...);
  }
  void save(serialize::OutputArchive& archive) const { average_.save(archive); }
  void load(serialize::InputArchive& archive) { average_.load(archive); }

 private:
  std::shared_ptr<Impl> module_;
  detail::WeightAverage average_;
};

template <class Holder>
serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const AveragedModel<Holder>& model) {
  model.save(archive);
  return archive;
}
template <class Holder>
serialize::InputArchive& operator>>(serialize::InputArchive& archive, AveragedModel<Holder>& model) {
  model.load(archive);
  return archive;
}

/// Computes the statistics of a model's batch norms anew, as averages over the batches of `loader`: tensors, or
/// examples whose `data` is the model's input. Averaged weights need it, as no batch has passed through them.
template <class Loader, class Model>
void update_bn(Loader&& loader, Model& model, std::optional<Device> device = std::nullopt) {
  const NoGradGuard no_grad;
  const detail::CumulativeStats stats(*model);
  if (!stats.any()) return;
  for (auto&& batch : loader) {
    Tensor input;
    if constexpr (requires { batch.data; })
      input = batch.data;
    else
      input = batch;
    model->forward(device ? input.to(*device) : input);
  }
}

}  // namespace strata::optim
