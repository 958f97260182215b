// The collectives around a matrix product whose weight is divided.
#include "distributed/tensor_parallel.h"

#include <ostream>

#include "core/grad_mode.h"
#include "nn/detail.h"
#include "ops/binary.h"
#include "ops/linalg.h"

namespace strata::nn::parallel {
namespace {

/// The parameters of an nn::Linear, drawn anew.
template <class Options>
Linear drawn(const Options& o) {
  return Linear(LinearOptions(o.in_features(), o.out_features()).bias(o.bias()));
}

Tensor own_part(const Tensor& whole, int64_t dim, const ProcessGroup& group) {
  const NoGradGuard no_grad;
  return distributed::own_shard(whole, dim, group).contiguous();
}

template <class Options>
Options with_group(Options options) {
  if (!options.group()) options.group(distributed::Group().get());
  return options;
}

}  // namespace

ColumnParallelLinearImpl::ColumnParallelLinearImpl(const ColumnParallelLinearOptions& options_)
    : options(with_group(options_)) {
  ColumnParallelLinearImpl::reset();
}

void ColumnParallelLinearImpl::reset() {
  const Linear whole = drawn(options);
  weight = register_parameter("weight", own_part(whole->weight, 0, options.group()));
  bias =
      register_parameter("bias", options.bias() ? own_part(whole->bias, 0, options.group()) : Tensor(), options.bias());
}

void ColumnParallelLinearImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "ColumnParallelLinear",
               {{"in_features", options.in_features()},
                {"out_features", options.out_features()},
                {"bias", options.bias()},
                {"gather_output", options.gather_output()}});
}

Tensor ColumnParallelLinearImpl::forward(const Tensor& input) {
  const Tensor own = linear(distributed::pvary(input, options.group()), weight, bias);
  return options.gather_output() ? distributed::all_gather_invariant(own, -1, options.group()) : own;
}

RowParallelLinearImpl::RowParallelLinearImpl(const RowParallelLinearOptions& options_) : options(with_group(options_)) {
  RowParallelLinearImpl::reset();
}

void RowParallelLinearImpl::reset() {
  const Linear whole = drawn(options);
  weight = register_parameter("weight", own_part(whole->weight, 1, options.group()));
  bias = register_parameter("bias", options.bias() ? whole->bias.detach() : Tensor(), options.bias());
}

void RowParallelLinearImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "RowParallelLinear",
               {{"in_features", options.in_features()},
                {"out_features", options.out_features()},
                {"bias", options.bias()},
                {"input_is_parallel", options.input_is_parallel()}});
}

Tensor RowParallelLinearImpl::forward(const Tensor& input) {
  const Tensor own = options.input_is_parallel() ? input : distributed::own_shard(input, -1, options.group());
  const Tensor sum = distributed::psum_invariant(linear(own, weight), options.group());
  return bias.defined() ? sum + bias : sum;
}

}  // namespace strata::nn::parallel
