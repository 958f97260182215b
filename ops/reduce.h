// Reductions: sums, extremes, moments and norms over some or all dims. An empty list of dims means all of them.
#pragma once
#include <concepts>
#include <optional>
#include <tuple>

#include "../core/tensor.h"

namespace strata {

/// Integers and bools add up in int64 unless a dtype is given; the sum of nothing is 0.
Tensor sum(const Tensor& x, std::optional<DType> dtype = std::nullopt);
Tensor sum(const Tensor& x, OptionalIntArrayRef dims, bool keepdim = false, std::optional<DType> dtype = std::nullopt);
/// The sum with NaN taken as 0.
Tensor nansum(const Tensor& x, OptionalIntArrayRef dims = {}, bool keepdim = false,
              std::optional<DType> dtype = std::nullopt);
/// Sums out what broadcasting from `sizes` added: the adjoint of expand.
Tensor sum_to_size(const Tensor& x, IntArrayRef sizes);
/// Floating point tensors only, or give a dtype; the mean of nothing is NaN.
Tensor mean(const Tensor& x, std::optional<DType> dtype = std::nullopt);
Tensor mean(const Tensor& x, OptionalIntArrayRef dims, bool keepdim = false, std::optional<DType> dtype = std::nullopt);
/// The product of nothing is 1; integers multiply in int64.
Tensor prod(const Tensor& x, std::optional<DType> dtype = std::nullopt);
Tensor prod(const Tensor& x, int64_t dim, bool keepdim = false, std::optional<DType> dtype = std::nullopt);

/// The largest (smallest) element; NaN if there is one; throws when there is none. Ties share the gradient evenly.
Tensor max(const Tensor& x);
Tensor min(const Tensor& x);
Tensor amax(const Tensor& x, IntArrayRef dims = {}, bool keepdim = false);
Tensor amin(const Tensor& x, IntArrayRef dims = {}, bool keepdim = false);
std::tuple<Tensor, Tensor> aminmax(const Tensor& x, std::optional<int64_t> dim = std::nullopt, bool keepdim = false);
/// (values, int64 indices) along `dim`: the first of equal ones, which alone takes the gradient.
std::tuple<Tensor, Tensor> max(const Tensor& x, int64_t dim, bool keepdim = false);
std::tuple<Tensor, Tensor> min(const Tensor& x, int64_t dim, bool keepdim = false);
/// A flag is no dim.
template <std::same_as<bool> B>
std::tuple<Tensor, Tensor> max(const Tensor& x, B dim, bool keepdim = false) = delete;
template <std::same_as<bool> B>
std::tuple<Tensor, Tensor> min(const Tensor& x, B dim, bool keepdim = false) = delete;
template <std::same_as<bool> B>
Tensor prod(const Tensor& x, B dim, bool keepdim = false, std::optional<DType> dtype = std::nullopt) = delete;
template <std::same_as<bool> B>
Tensor all(const Tensor& x, B dim, bool keepdim = false) = delete;
template <std::same_as<bool> B>
Tensor any(const Tensor& x, B dim, bool keepdim = false) = delete;
/// int64 index of the first largest (smallest) element along `dim`, or in the flattened tensor; a NaN counts as both.
Tensor argmax(const Tensor& x, std::optional<int64_t> dim = std::nullopt, bool keepdim = false);
Tensor argmin(const Tensor& x, std::optional<int64_t> dim = std::nullopt, bool keepdim = false);

/// Sum of squared differences from the mean over n - correction, which is 1 unless given. A number in front names dims
/// and a flag is `unbiased` (correction 1 or 0): neither is ever taken for the other.
Tensor var(const Tensor& x, OptionalIntArrayRef dims = std::nullopt,
           const std::optional<Scalar>& correction = std::nullopt, bool keepdim = false);
/// The square root of `var`; its gradient is 0 where the result is 0.
Tensor std(const Tensor& x, OptionalIntArrayRef dims = std::nullopt,
           const std::optional<Scalar>& correction = std::nullopt, bool keepdim = false);
std::tuple<Tensor, Tensor> var_mean(const Tensor& x, OptionalIntArrayRef dims = std::nullopt,
                                    const std::optional<Scalar>& correction = std::nullopt, bool keepdim = false);
std::tuple<Tensor, Tensor> std_mean(const Tensor& x, OptionalIntArrayRef dims = std::nullopt,
                                    const std::optional<Scalar>& correction = std::nullopt, bool keepdim = false);
template <std::same_as<bool> B>
Tensor var(const Tensor& x, B unbiased) {
  return var(x, std::nullopt, Scalar(unbiased ? 1 : 0));
}
template <std::same_as<bool> B>
Tensor var(const Tensor& x, OptionalIntArrayRef dims, B unbiased, bool keepdim = false) {
  return var(x, dims, Scalar(unbiased ? 1 : 0), keepdim);
}
template <std::same_as<bool> B>
Tensor std(const Tensor& x, B unbiased) {
  return strata::std(x, std::nullopt, Scalar(unbiased ? 1 : 0));
}
template <std::same_as<bool> B>
Tensor std(const Tensor& x, OptionalIntArrayRef dims, B unbiased, bool keepdim = false) {
  return strata::std(x, dims, Scalar(unbiased ? 1 : 0), keepdim);
}
template <std::same_as<bool> B>
std::tuple<Tensor, Tensor> var_mean(const Tensor& x, B unbiased) {
  return var_mean(x, std::nullopt, Scalar(unbiased ? 1 : 0));
}
template <std::same_as<bool> B>
std::tuple<Tensor, Tensor> var_mean(const Tensor& x, OptionalIntArrayRef dims, B unbiased, bool keepdim = false) {
  return var_mean(x, dims, Scalar(unbiased ? 1 : 0), keepdim);
}
template <std::same_as<bool> B>
std::tuple<Tensor, Tensor> std_mean(const Tensor& x, B unbiased) {
  return std_mean(x, std::nullopt, Scalar(unbiased ? 1 : 0));
}
template <std::same_as<bool> B>
std::tuple<Tensor, Tensor> std_mean(const Tensor& x, OptionalIntArrayRef dims, B unbiased, bool keepdim = false) {
  return std_mean(x, dims, Scalar(unbiased ? 1 : 0), keepdim);
}

/// (sum |x|^p)^(1/p); p = 0 counts non-zeros, p = inf and -inf give the largest and smallest |x|. The subgradient at 0
/// is 0.
Tensor norm(const Tensor& x, const Scalar& p = 2);
Tensor norm(const Tensor& x, const std::optional<Scalar>& p, IntArrayRef dims, bool keepdim = false);
Tensor norm(const Tensor& x, const std::optional<Scalar>& p, DType dtype);
Tensor norm(const Tensor& x, const std::optional<Scalar>& p, IntArrayRef dims, bool keepdim, DType dtype);
Tensor linalg_vector_norm(const Tensor& x, const Scalar& ord = 2, OptionalIntArrayRef dims = {}, bool keepdim = false,
                          std::optional<DType> dtype = std::nullopt);
/// log(sum(exp(x))) without overflow; -inf where all are -inf.
Tensor logsumexp(const Tensor& x, IntArrayRef dims, bool keepdim = false);

/// bool: are all (is any) of the elements non-zero?
Tensor all(const Tensor& x);
Tensor all(const Tensor& x, int64_t dim, bool keepdim = false);
Tensor any(const Tensor& x);
Tensor any(const Tensor& x, int64_t dim, bool keepdim = false);
/// Over a list of dims; nullopt stands for all, an empty list for none, as in PyTorch.
Tensor all(const Tensor& x, OptionalIntArrayRef dims, bool keepdim = false);
Tensor any(const Tensor& x, OptionalIntArrayRef dims, bool keepdim = false);
/// int64 number of non-zero elements.
Tensor count_nonzero(const Tensor& x, OptionalIntArrayRef dims = {});

/// bool tensor: |a - b| <= atol + rtol |b|; infinities are close to themselves, NaNs to each other only with
/// `equal_nan`.
Tensor isclose(const Tensor& a, const Tensor& b, double rtol = 1e-5, double atol = 1e-8, bool equal_nan = false);
bool allclose(const Tensor& a, const Tensor& b, double rtol = 1e-5, double atol = 1e-8, bool equal_nan = false);
/// Same shape and values?
bool equal(const Tensor& a, const Tensor& b);
/// Is the one value non-zero? Throws unless there is exactly one.
bool is_nonzero(const Tensor& x);

}  // namespace strata
