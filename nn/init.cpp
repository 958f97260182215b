// Starting values: constants, random draws scaled by fans, orthogonal and sparse matrices.
#include "nn/init.h"

#include <cmath>

#include "core/grad_mode.h"
#include "ops/creation.h"
#include "ops/linalg.h"
#include "ops/random.h"

namespace strata::nn::init {

namespace {

thread_local int undrawn = 0;  // how many WithoutDraws live on this thread

double gain_by_fan(const Tensor& tensor, double a, FanModeType mode, NonlinearityType nonlinearity) {
  const auto [fan_in, fan_out] = _calculate_fan_in_and_fan_out(tensor);
  return calculate_gain(nonlinearity, a) / std::sqrt(static_cast<double>(mode == kFanIn ? fan_in : fan_out));
}

double xavier_std(const Tensor& tensor, double gain) {
  const auto [fan_in, fan_out] = _calculate_fan_in_and_fan_out(tensor);
  return gain * std::sqrt(2.0 / static_cast<double>(fan_in + fan_out));
}

/// Q of the QR decomposition of `(rows, cols)` with rows >= cols and a positive diagonal in R, by modified Gram-Schmidt
/// done twice.
Tensor orthonormal_columns(Tensor a) {
  const int64_t cols = a.size(1);
  for (int64_t j = 0; j < cols; ++j) {
    Tensor column = a.select(1, j);
    const Tensor before = a.narrow(1, 0, j);
    for (int pass = 0; pass < 2 && j > 0; ++pass) column.sub_(before.mv(before.t().mv(column)));
    column.div_(column.norm());
  }
  return a;
}

}  // namespace

detail::WithoutDraws::WithoutDraws() { ++undrawn; }
detail::WithoutDraws::~WithoutDraws() { --undrawn; }

double calculate_gain(NonlinearityType nonlinearity, double param) {
  switch (nonlinearity) {
    case kTanh:
      return 5.0 / 3.0;
    case kReLU:
      return std::sqrt(2.0);
    case kLeakyReLU:
      return std::sqrt(2.0 / (1 + param * param));
    case kSELU:
      return 0.75;
    default:  // linear layers and the sigmoid
      return 1;
  }
}

Tensor constant_(Tensor tensor, Scalar value) {
  const NoGradGuard no_grad;
  return tensor.fill_(value);
}

Tensor ones_(Tensor tensor) { return constant_(std::move(tensor), 1); }
Tensor zeros_(Tensor tensor) { return constant_(std::move(tensor), 0); }

Tensor eye_(Tensor matrix) {
  STRATA_CHECK(matrix.dim() == 2, "eye_: expected a matrix, got {} dims", matrix.dim());
  const NoGradGuard no_grad;
  matrix.zero_();
  matrix.diagonal().fill_(1);
  return matrix;
}

Tensor dirac_(Tensor tensor) {
  STRATA_CHECK(tensor.dim() >= 3 && tensor.dim() <= 5, "dirac_: expected 3 to 5 dims, got {}", tensor.dim());
  const NoGradGuard no_grad;
  tensor.zero_();
  Tensor centre = tensor;
  for (int64_t d = tensor.dim() - 1; d >= 2; --d) centre = centre.select(d, tensor.size(d) / 2);
  centre.diagonal().fill_(1);
  return tensor;
}

Tensor normal_(Tensor tensor, double mean, double std) {
  if (undrawn > 0) return tensor;
  const NoGradGuard no_grad;
  return tensor.normal_(mean, std);
}

Tensor uniform_(Tensor tensor, double low, double high) {
  if (undrawn > 0) return tensor;
  const NoGradGuard no_grad;
  return tensor.uniform_(low, high);
}

Tensor trunc_normal_(Tensor tensor, double mean, double std, double low, double high) {
  if (undrawn > 0) return tensor;
  const NoGradGuard no_grad;
  return strata::trunc_normal_(tensor, mean, std, low, high);
}

Tensor orthogonal_(Tensor tensor, double gain) {
  STRATA_CHECK(tensor.dim() >= 2, "orthogonal_: expected 2 or more dims, got {}", tensor.dim());
  const NoGradGuard no_grad;
  if (tensor.numel() == 0 || undrawn > 0) return tensor;
  const int64_t rows = tensor.size(0), cols = tensor.numel() / rows;
  const Tensor q = orthonormal_columns(randn({std::max(rows, cols), std::min(rows, cols)}, TensorOptions(kDouble)));
  const Tensor matrix = rows < cols ? q.t() : q;
  return tensor.copy_(matrix.reshape(tensor.sizes())).mul_(gain);
}

Tensor sparse_(Tensor tensor, double sparsity, double std) {
  STRATA_CHECK(tensor.dim() == 2, "sparse_: expected a matrix, got {} dims", tensor.dim());
  if (undrawn > 0) return tensor;
  const NoGradGuard no_grad;
  const int64_t rows = tensor.size(0), zeros = static_cast<int64_t>(std::ceil(sparsity * static_cast<double>(rows)));
  tensor.normal_(0, std);
  for (int64_t c = 0; c < tensor.size(1); ++c)
    tensor.select(1, c).copy_(tensor.select(1, c).mul(randperm(rows, TensorOptions(kLong)).ge(zeros)));
  return tensor;
}

Tensor kaiming_normal_(Tensor tensor, double a, FanModeType mode, NonlinearityType nonlinearity) {
  return normal_(tensor, 0, gain_by_fan(tensor, a, mode, nonlinearity));
}

Tensor kaiming_uniform_(Tensor tensor, double a, FanModeType mode, NonlinearityType nonlinearity) {
  const double bound = std::sqrt(3.0) * gain_by_fan(tensor, a, mode, nonlinearity);
  return uniform_(tensor, -bound, bound);
}

Tensor xavier_normal_(Tensor tensor, double gain) { return normal_(tensor, 0, xavier_std(tensor, gain)); }

Tensor xavier_uniform_(Tensor tensor, double gain) {
  const double bound = std::sqrt(3.0) * xavier_std(tensor, gain);
  return uniform_(tensor, -bound, bound);
}

std::tuple<int64_t, int64_t> _calculate_fan_in_and_fan_out(const Tensor& tensor) {
  STRATA_CHECK(tensor.dim() >= 2, "a fan is defined for tensors of 2 or more dims, got {}", tensor.dim());
  int64_t field = 1;
  for (int64_t d = 2; d < tensor.dim(); ++d) field *= tensor.size(d);
  return {tensor.size(1) * field, tensor.size(0) * field};
}

}  // namespace strata::nn::init
