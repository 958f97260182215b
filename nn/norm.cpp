// Normalisation functions and modules.
#include "nn/norm.h"

#include <ostream>

#include "core/called.h"
#include "core/grad_mode.h"
#include "nn/detail.h"
#include "nn/in_module.h"
#include "nn/init.h"
#include "nn/sync_batch_norm.h"
#include "ops/as_result.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/norm.h"
#include "ops/reduce.h"

namespace strata::nn {

namespace {

constexpr const char* kBatchNames[] = {"", "BatchNorm1d", "BatchNorm2d", "BatchNorm3d"};
constexpr const char* kInstanceNames[] = {"", "InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d"};

void check_dims(const Tensor& input, const char* type, int64_t least, int64_t most) {
  STRATA_CHECK(input.dim() >= least && input.dim() <= most, "{}: expected {} to {} dims, got {}", type, least, most,
               input.sizes());
}

/// Ones and zeros, where there are weight and bias.
void reset_affine(const Tensor& weight, const Tensor& bias) {
  if (weight.defined()) init::ones_(weight);
  if (bias.defined()) init::zeros_(bias);
}

template <class Options>
void print_norm(std::ostream& stream, const char* type, const Options& o) {
  print_module(stream, type,
               {{"", o.num_features()},
                {"eps", o.eps()},
                {"momentum", o.momentum()},
                {"affine", o.affine()},
                {"track_running_stats", o.track_running_stats()}});
}

}  // namespace

namespace functional {

Tensor batch_norm(const Tensor& input, const Tensor& running_mean, const Tensor& running_var,
                  const BatchNormFuncOptions& o) {
  return strata::batch_norm(input, o.weight(), o.bias(), running_mean, running_var, o.training(), o.momentum(),
                            o.eps());
}

Tensor instance_norm(const Tensor& input, const InstanceNormFuncOptions& o) {
  return strata::instance_norm(input, o.weight(), o.bias(), o.running_mean(), o.running_var(), o.use_input_stats(),
                               o.momentum(), o.eps());
}

Tensor layer_norm(const Tensor& input, const LayerNormFuncOptions& o) {
  return strata::layer_norm(input, o.normalized_shape(), o.weight(), o.bias(), o.eps());
}

Tensor group_norm(const Tensor& input, const GroupNormFuncOptions& o) {
  return strata::group_norm(input, o.num_groups(), o.weight(), o.bias(), o.eps());
}

Tensor normalize(const Tensor& input, const NormalizeFuncOptions& o) {
  const Called called;
  const Tensor length = strata::norm(input, o.p(), {o.dim()}, /*keepdim=*/true);
  const Tensor divisor = length.clamp_min(o.eps()).expand_as(input);
  if (!o.out()) return input.div(divisor);
  Tensor out = *o.out();
  return strata::div_out(out, input, divisor);
}

}  // namespace functional

template <class Derived, class Options>
NormImplBase<Derived, Options>::NormImplBase(const Options& options_) : options(options_) {
  NormImplBase::reset();
}

template <class Derived, class Options>
void NormImplBase<Derived, Options>::reset() {
  const int64_t n = options.num_features();
  const auto vector_if = [n](bool wanted) { return wanted ? empty({n}) : Tensor(); };
  weight = this->register_parameter("weight", vector_if(options.affine()), options.affine());
  bias = this->register_parameter("bias", vector_if(options.affine()), options.affine());
  running_mean = this->register_buffer("running_mean", vector_if(options.track_running_stats()));
  running_var = this->register_buffer("running_var", vector_if(options.track_running_stats()));
  num_batches_tracked = this->register_buffer(
      "num_batches_tracked", options.track_running_stats() ? zeros({}, TensorOptions(kLong)) : Tensor());
  reset_parameters();
}

template <class Derived, class Options>
void NormImplBase<Derived, Options>::reset_parameters() {
  reset_running_stats();
  reset_affine(weight, bias);
}

template <class Derived, class Options>
void NormImplBase<Derived, Options>::reset_running_stats() {
  if (!options.track_running_stats()) return;
  init::zeros_(running_mean);
  init::ones_(running_var);
  num_batches_tracked.zero_();
}

namespace {

/// Are there batches of other ranks? There need not be a default group: such a program trains alone.
bool several_ranks(const distributed::Group& group) {
  const ProcessGroup found = group.find();
  return found && found->size() > 1;
}

/// What batch norms do with an input, whatever its dims.
template <class M>
Tensor batch_normalised(M& m, const Tensor& input) {
  const auto& o = m.options;
  const bool training = m.is_training();
  double momentum = o.momentum().value_or(0.0);
  if (training && m.num_batches_tracked.defined()) {
    m.num_batches_tracked.add_(1);
    if (!o.momentum()) momentum = 1.0 / m.num_batches_tracked.template item<double>();  // the average of all batches
  }
  if (training && m.sync_group && several_ranks(*m.sync_group))
    return functional::sync_batch_norm(input, m.running_mean, m.running_var, m.weight, m.bias, momentum, o.eps(),
                                       *m.sync_group);
  return strata::batch_norm(input, m.weight, m.bias, m.running_mean, m.running_var,
                            training || !o.track_running_stats(), momentum, o.eps());
}

}  // namespace

SyncBatchNormImpl::SyncBatchNormImpl(const BatchNormOptions& options_, distributed::Group group)
    : NormImplBase(options_) {
  sync_group = std::move(group);
}

void SyncBatchNormImpl::pretty_print(std::ostream& stream) const { print_norm(stream, "SyncBatchNorm", options); }

Tensor SyncBatchNormImpl::forward(const Tensor& input) {
  return in_module(*this, [&] {
    STRATA_CHECK(input.dim() >= 2, "SyncBatchNorm: expected at least 2 dims, got {}", input.sizes());
    return batch_normalised(*this, input);
  });
}

void SyncBatchNormImpl::convert_sync_batchnorm(Module& module, const distributed::Group& group) {
  module.apply([&](Module& m) {
    if (auto* const norm = m.as<BatchNorm1dImpl>()) norm->sync_group = group;
    if (auto* const norm = m.as<BatchNorm2dImpl>()) norm->sync_group = group;
    if (auto* const norm = m.as<BatchNorm3dImpl>()) norm->sync_group = group;
  });
}

template <size_t D, class Derived>
void BatchNormImplBase<D, Derived>::pretty_print(std::ostream& stream) const {
  print_norm(stream, kBatchNames[D], this->options);
}

template <size_t D, class Derived>
Tensor BatchNormImplBase<D, Derived>::forward(const Tensor& input) {
  return in_module(*this, [&] {
    check_dims(input, kBatchNames[D], D == 1 ? 2 : D + 2, D + 2);
    return batch_normalised(static_cast<Derived&>(*this), input);
  });
}

template <size_t D, class Derived>
void InstanceNormImplBase<D, Derived>::pretty_print(std::ostream& stream) const {
  print_norm(stream, kInstanceNames[D], this->options);
}

template <size_t D, class Derived>
Tensor InstanceNormImplBase<D, Derived>::forward(const Tensor& input) {
  return in_module(*this, [&] {
    check_dims(input, kInstanceNames[D], D + 1, D + 2);
    if (input.dim() == D + 1) return as_result(forward(input.unsqueeze(0)).squeeze(0));
    const auto& o = this->options;
    return strata::instance_norm(input, this->weight, this->bias, this->running_mean, this->running_var,
                                 this->is_training() || !o.track_running_stats(), o.momentum(), o.eps());
  });
}

LayerNormImpl::LayerNormImpl(const LayerNormOptions& options_) : options(options_) { LayerNormImpl::reset(); }

void LayerNormImpl::reset() {
  const auto make = [this] {
    return options.elementwise_affine() ? strata::empty(options.normalized_shape()) : Tensor();
  };
  weight = register_parameter("weight", make(), options.elementwise_affine());
  bias = register_parameter("bias", make(), options.elementwise_affine());
  reset_parameters();
}

void LayerNormImpl::reset_parameters() { reset_affine(weight, bias); }

void LayerNormImpl::pretty_print(std::ostream& stream) const {
  print_module(
      stream, "LayerNorm",
      {{"", options.normalized_shape()}, {"eps", options.eps()}, {"elementwise_affine", options.elementwise_affine()}});
}

Tensor LayerNormImpl::forward(const Tensor& input) {
  return in_module(*this,
                   [&] { return strata::layer_norm(input, options.normalized_shape(), weight, bias, options.eps()); });
}

GroupNormImpl::GroupNormImpl(const GroupNormOptions& options_) : options(options_) { GroupNormImpl::reset(); }

void GroupNormImpl::reset() {
  const auto make = [this] { return options.affine() ? empty({options.num_channels()}) : Tensor(); };
  weight = register_parameter("weight", make(), options.affine());
  bias = register_parameter("bias", make(), options.affine());
  reset_parameters();
}

void GroupNormImpl::reset_parameters() { reset_affine(weight, bias); }

void GroupNormImpl::pretty_print(std::ostream& stream) const {
  print_module(
      stream, "GroupNorm",
      {{"", options.num_groups()}, {"", options.num_channels()}, {"eps", options.eps()}, {"affine", options.affine()}});
}

Tensor GroupNormImpl::forward(const Tensor& input) {
  return in_module(*this, [&] { return strata::group_norm(input, options.num_groups(), weight, bias, options.eps()); });
}

template class NormImplBase<BatchNorm1dImpl, BatchNormOptions>;
template class NormImplBase<BatchNorm2dImpl, BatchNormOptions>;
template class NormImplBase<BatchNorm3dImpl, BatchNormOptions>;
template class NormImplBase<InstanceNorm1dImpl, InstanceNormOptions>;
template class NormImplBase<InstanceNorm2dImpl, InstanceNormOptions>;
template class NormImplBase<InstanceNorm3dImpl, InstanceNormOptions>;
template class NormImplBase<SyncBatchNormImpl, BatchNormOptions>;
template class BatchNormImplBase<1, BatchNorm1dImpl>;
template class BatchNormImplBase<2, BatchNorm2dImpl>;
template class BatchNormImplBase<3, BatchNorm3dImpl>;
template class InstanceNormImplBase<1, InstanceNorm1dImpl>;
template class InstanceNormImplBase<2, InstanceNorm2dImpl>;
template class InstanceNormImplBase<3, InstanceNorm3dImpl>;

}  // namespace strata::nn
