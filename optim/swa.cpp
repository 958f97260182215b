// Averages of weights, and the statistics of batch norms for them.
#include "optim/swa.h"

#include "core/replay.h"
#include "nn/sync_batch_norm.h"
#include "ops/binary.h"
#include "ops/cast.h"

namespace strata::optim {

AverageFn get_ema_avg_fn(double decay) {
  STRATA_CHECK(decay >= 0 && decay <= 1, "get_ema_avg_fn: the decay must be in [0, 1], got {}", decay);
  return [decay](const Tensor& average, const Tensor& model, int64_t) { return average.lerp(model, 1 - decay); };
}

AverageFn get_swa_avg_fn() {
  return [](const Tensor& average, const Tensor& model, int64_t averaged) {
    return average + (model - average) / static_cast<double>(averaged + 1);
  };
}

namespace detail {

WeightAverage::WeightAverage(std::shared_ptr<nn::Module> average, AveragedModelOptions options)
    : average_(std::move(average)), options_(std::move(options)) {
  STRATA_CHECK(average_ != nullptr, "AveragedModel: the module's clone is of another class");
}

void WeightAverage::take_in(const Tensor& average, const Tensor& model) const {
  Tensor to = average.detach();
  const Tensor from = model.detach().to(to.device());
  const bool counts = !to.is_floating_point() && !to.is_complex();  // averages of integers drop their fraction
  const DType dtype = counts ? kDouble : to.dtype();
  if (n_averaged_ == 0)
    to.copy_(from);
  else
    to.copy_(options_.avg_fn()(to.to(dtype), from.to(dtype), n_averaged_));
}

void WeightAverage::update(const nn::Module& model) {
  // How many there are is the host's number, by which the average is taken: no program may keep it.
  if (strata::detail::is_traced_for_replay()) throw strata::detail::RunOnceFirst();
  const NoGradGuard no_grad;
  const auto pair_up = [&](const OrderedDict<std::string, Tensor>& mine, const OrderedDict<std::string, Tensor>& others,
                           auto use) {
    STRATA_CHECK(mine.size() == others.size(), "AveragedModel: the model has {} tensors, the average {}", others.size(),
                 mine.size());
    for (const auto& item : mine) use(item.value(), others[item.key()]);
  };
  const auto average = [&](const Tensor& to, const Tensor& from) { take_in(to, from); };
  pair_up(average_->named_parameters(), model.named_parameters(), average);
  if (options_.use_buffers())
    pair_up(average_->named_buffers(), model.named_buffers(), average);
  else
    pair_up(average_->named_buffers(), model.named_buffers(),
            [](const Tensor& to, const Tensor& from) { to.detach().copy_(from); });
  ++n_averaged_;
}

void WeightAverage::save(serialize::OutputArchive& archive) const {
  serialize::OutputArchive module;
  average_->save(module);
  archive.write("module", module);
  archive.write("n_averaged", n_averaged_);
}

void WeightAverage::load(serialize::InputArchive& archive) {
  serialize::InputArchive module;
  archive.read("module", module);
  average_->load(module);
  archive.read("n_averaged", n_averaged_);
}

CumulativeStats::CumulativeStats(nn::Module& module) : module_(module), was_training_(module.is_training()) {
  const auto begin = [&](auto* norm) {
    if (!norm) return;
    norm->reset_running_stats();
    momenta_.emplace_back(&norm->options.momentum(), norm->options.momentum());
    norm->options.momentum() = std::nullopt;
  };
  for (const auto& each : module.modules()) {
    begin(dynamic_cast<nn::BatchNorm1dImpl*>(each.get()));
    begin(dynamic_cast<nn::BatchNorm2dImpl*>(each.get()));
    begin(dynamic_cast<nn::BatchNorm3dImpl*>(each.get()));
    begin(dynamic_cast<nn::SyncBatchNormImpl*>(each.get()));
  }
  module.train();
}

CumulativeStats::~CumulativeStats() {
  for (const auto& [momentum, value] : momenta_) *momentum = value;
  module_.train(was_training_);
}

}  // namespace detail
}  // namespace strata::optim
