// Unpooling, power averages, fractional max pools: functions and modules.
#include "nn/unpool.h"

#include <ostream>

#include "core/called.h"
#include "nn/detail.h"
#include "nn/pool.h"
#include "ops/creation.h"
#include "ops/pool.h"
#include "ops/random.h"
#include "ops/unary.h"

namespace strata::nn {

namespace functional {
namespace {

/// The size that the pool's options make of the input's, or the one asked for, if the pool may have come from it.
template <size_t D>
DimVector unpooled_size(const char* name, const Tensor& input, const MaxUnpoolFuncOptions<D>& o) {
  const int64_t dims = static_cast<int64_t>(D);
  STRATA_CHECK(input.dim() == dims + 1 || input.dim() == dims + 2,
               "{}: expected {} or {} dims, got an input of shape {}", name, dims + 1, dims + 2, input.sizes());
  DimVector usual;
  for (size_t d = 0; d < D; ++d) {
    const int64_t in = input.size(static_cast<int64_t>(d) - dims);
    usual.push_back((in - 1) * o.stride()[d] - 2 * o.padding()[d] + o.kernel_size()[d]);
  }
  if (!o.output_size()) return usual;
  const IntArrayRef given = *o.output_size();
  STRATA_CHECK(given.size() == D || given.size() == D + 2, "{}: output_size takes {} or {} numbers, got {}", name, D,
               D + 2, given);
  const DimVector wanted(given.slice(given.size() - D));
  for (size_t d = 0; d < D; ++d) {
    const int64_t low = usual[d] - o.stride()[d], high = usual[d] + o.stride()[d];
    STRATA_CHECK(low < wanted[d] && wanted[d] < high, "{}: invalid output_size {}, dim {} must be between {} and {}",
                 name, wanted, d, low, high);
  }
  return wanted;
}

Tensor root_of_sum(const Tensor& mean, int64_t count, double p) {
  return mean.sign().mul(mean.abs().relu()).mul(count).pow(1 / p);
}

template <size_t D>
std::tuple<Tensor, Tensor> fractional_max_pool(const char* name, const Tensor& input,
                                               const FractionalMaxPoolOptions<D>& o) {
  const int64_t dims = static_cast<int64_t>(D);
  STRATA_CHECK(input.dim() == dims + 1 || input.dim() == dims + 2,
               "{}: expected {} or {} dims, got an input of shape {}", name, dims + 1, dims + 2, input.sizes());
  STRATA_CHECK(o.output_size().has_value() != o.output_ratio().has_value(),
               "{}: give either output_size or output_ratio", name);
  DimVector size;
  for (size_t d = 0; d < D; ++d) {
    const double in = static_cast<double>(input.size(static_cast<int64_t>(d) - dims));
    size.push_back(o.output_size() ? (*o.output_size())[d] : static_cast<int64_t>(in * (*o.output_ratio())[d]));
  }
  Tensor samples = o._random_samples();
  if (!samples.defined()) {
    const int64_t batch = input.dim() == dims + 1 ? 1 : input.size(0);
    samples = rand({batch, input.size(-dims - 1), dims}, input.options());
  }
  if constexpr (D == 2) return strata::fractional_max_pool2d(input, o.kernel_size(), size, samples);
  if constexpr (D == 3) return strata::fractional_max_pool3d(input, o.kernel_size(), size, samples);
}

}  // namespace

Tensor max_unpool1d(const Tensor& input, const Tensor& indices, const MaxUnpool1dFuncOptions& o) {
  return strata::max_unpool1d(input, indices, unpooled_size("max_unpool1d", input, o));
}
Tensor max_unpool2d(const Tensor& input, const Tensor& indices, const MaxUnpool2dFuncOptions& o) {
  return strata::max_unpool2d(input, indices, unpooled_size("max_unpool2d", input, o));
}
Tensor max_unpool3d(const Tensor& input, const Tensor& indices, const MaxUnpool3dFuncOptions& o) {
  return strata::max_unpool3d(input, indices, unpooled_size("max_unpool3d", input, o), o.stride(), o.padding());
}

Tensor lp_pool1d(const Tensor& input, const LPPool1dFuncOptions& o) {
  const Called called;
  const Tensor mean = strata::avg_pool1d(input.pow(o.norm_type()), o.kernel_size(), o.stride(), 0, o.ceil_mode());
  return root_of_sum(mean, numel_of(o.kernel_size()), o.norm_type());
}
Tensor lp_pool2d(const Tensor& input, const LPPool2dFuncOptions& o) {
  const Called called;
  const Tensor mean = strata::avg_pool2d(input.pow(o.norm_type()), o.kernel_size(), o.stride(), 0, o.ceil_mode());
  return root_of_sum(mean, numel_of(o.kernel_size()), o.norm_type());
}
Tensor lp_pool3d(const Tensor& input, const LPPool3dFuncOptions& o) {
  const Called called;
  const Tensor mean = strata::avg_pool3d(input.pow(o.norm_type()), o.kernel_size(), o.stride(), 0, o.ceil_mode());
  return root_of_sum(mean, numel_of(o.kernel_size()), o.norm_type());
}

std::tuple<Tensor, Tensor> fractional_max_pool2d_with_indices(const Tensor& input,
                                                              const FractionalMaxPool2dFuncOptions& o) {
  const Called called;
  return fractional_max_pool("fractional_max_pool2d", input, o);
}
std::tuple<Tensor, Tensor> fractional_max_pool3d_with_indices(const Tensor& input,
                                                              const FractionalMaxPool3dFuncOptions& o) {
  const Called called;
  return fractional_max_pool("fractional_max_pool3d", input, o);
}
Tensor fractional_max_pool2d(const Tensor& input, const FractionalMaxPool2dFuncOptions& o) {
  const Called called;
  return std::get<0>(fractional_max_pool2d_with_indices(input, o));
}
Tensor fractional_max_pool3d(const Tensor& input, const FractionalMaxPool3dFuncOptions& o) {
  const Called called;
  return std::get<0>(fractional_max_pool3d_with_indices(input, o));
}

}  // namespace functional

template <size_t D, class Derived>
void MaxUnpoolImplBase<D, Derived>::pretty_print(std::ostream& stream) const {
  const MaxUnpoolOptions<D>& o = this->options;
  print_module(stream, type_of_dims("MaxUnpool", D),
               {{"kernel_size", o.kernel_size()}, {"stride", o.stride()}, {"padding", o.padding()}});
}

template <size_t D, class Derived>
Tensor MaxUnpoolImplBase<D, Derived>::forward(const Tensor& input, const Tensor& indices,
                                              const std::optional<std::vector<int64_t>>& output_size) {
  const MaxUnpoolOptions<D>& own = this->options;
  functional::MaxUnpoolFuncOptions<D> o(own.kernel_size());
  o.stride(own.stride()).padding(own.padding()).output_size(output_size);
  if constexpr (D == 1) return functional::max_unpool1d(input, indices, o);
  if constexpr (D == 2) return functional::max_unpool2d(input, indices, o);
  if constexpr (D == 3) return functional::max_unpool3d(input, indices, o);
}

template <size_t D, class Derived>
void LPPoolImplBase<D, Derived>::pretty_print(std::ostream& stream) const {
  const LPPoolOptions<D>& o = this->options;
  print_module(stream, type_of_dims("LPPool", D),
               {{"norm_type", o.norm_type()},
                {"kernel_size", o.kernel_size()},
                {"stride", o.stride()},
                {"ceil_mode", o.ceil_mode()}});
}

template <size_t D, class Derived>
Tensor LPPoolImplBase<D, Derived>::forward(const Tensor& input) {
  if constexpr (D == 1) return functional::lp_pool1d(input, this->options);
  if constexpr (D == 2) return functional::lp_pool2d(input, this->options);
  if constexpr (D == 3) return functional::lp_pool3d(input, this->options);
}

template <size_t D, class Derived>
FractionalMaxPoolImplBase<D, Derived>::FractionalMaxPoolImplBase(const FractionalMaxPoolOptions<D>& o)
    : ModuleWithOptions<Derived, FractionalMaxPoolOptions<D>>(o) {
  STRATA_CHECK(o.output_size().has_value() != o.output_ratio().has_value(),
               "FractionalMaxPool{}d: give either output_size or output_ratio", D);
  if (!o.output_ratio()) return;
  for (double ratio : *o.output_ratio())
    STRATA_CHECK(0 < ratio && ratio < 1, "FractionalMaxPool{}d: output_ratio must be between 0 and 1, got {}", D,
                 ratio);
}

template <size_t D, class Derived>
void FractionalMaxPoolImplBase<D, Derived>::pretty_print(std::ostream& stream) const {
  print_module(stream, type_of_dims("FractionalMaxPool", D));
}

template <size_t D, class Derived>
Tensor FractionalMaxPoolImplBase<D, Derived>::forward(const Tensor& input) {
  return std::get<0>(forward_with_indices(input));
}

template <size_t D, class Derived>
std::tuple<Tensor, Tensor> FractionalMaxPoolImplBase<D, Derived>::forward_with_indices(const Tensor& input) {
  if constexpr (D == 2) return functional::fractional_max_pool2d_with_indices(input, this->options);
  if constexpr (D == 3) return functional::fractional_max_pool3d_with_indices(input, this->options);
}

template class MaxUnpoolImplBase<1, MaxUnpool1dImpl>;
template class MaxUnpoolImplBase<2, MaxUnpool2dImpl>;
template class MaxUnpoolImplBase<3, MaxUnpool3dImpl>;
template class LPPoolImplBase<1, LPPool1dImpl>;
template class LPPoolImplBase<2, LPPool2dImpl>;
template class LPPoolImplBase<3, LPPool3dImpl>;
template class FractionalMaxPoolImplBase<2, FractionalMaxPool2dImpl>;
template class FractionalMaxPoolImplBase<3, FractionalMaxPool3dImpl>;

}  // namespace strata::nn
