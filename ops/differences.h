// Differences, derivatives and integrals of sampled functions along dims.
#pragma once
#include <optional>
#include <vector>

#include "../core/tensor.h"

namespace strata {

/// The `n`-th differences of neighbours along `dim`, with the elements of `prepend` and `append` set before and behind
/// x's; of bools whether neighbours differ.
Tensor diff(const Tensor& x, int64_t n = 1, int64_t dim = -1, OptionalTensorRef prepend = {},
            OptionalTensorRef append = {});

/// Derivatives of samples x along each of the dims (all without any): central differences inside, one-sided ones of
/// `edge_order` 1 or 2 at the ends. `spacing` is the distance of neighbours, one for all dims or one for each, or the
/// coordinates along each dim in 1-dim tensors.
std::vector<Tensor> gradient(const Tensor& x, const std::optional<Scalar>& spacing = std::nullopt,
                             std::optional<int64_t> dim = std::nullopt, int64_t edge_order = 1);
std::vector<Tensor> gradient(const Tensor& x, const Scalar& spacing, IntArrayRef dims, int64_t edge_order = 1);
std::vector<Tensor> gradient(const Tensor& x, IntArrayRef dims, int64_t edge_order = 1);
std::vector<Tensor> gradient(const Tensor& x, ArrayRef<Scalar> spacing, std::optional<int64_t> dim = std::nullopt,
                             int64_t edge_order = 1);
std::vector<Tensor> gradient(const Tensor& x, ArrayRef<Scalar> spacing, IntArrayRef dims, int64_t edge_order = 1);
std::vector<Tensor> gradient(const Tensor& x, TensorList coordinates, std::optional<int64_t> dim = std::nullopt,
                             int64_t edge_order = 1);
std::vector<Tensor> gradient(const Tensor& x, TensorList coordinates, IntArrayRef dims, int64_t edge_order = 1);

/// The integral of samples y along `dim` by the trapezoidal rule, at coordinates x (1-dim, or such as broadcast against
/// y) or at a distance of `dx`.
Tensor trapezoid(const Tensor& y, const Tensor& x, int64_t dim = -1);
Tensor trapezoid(const Tensor& y, const Scalar& dx = 1, int64_t dim = -1);
Tensor trapz(const Tensor& y, const Tensor& x, int64_t dim = -1);
Tensor trapz(const Tensor& y, double dx = 1, int64_t dim = -1);
/// The integrals up to each sample but the first.
Tensor cumulative_trapezoid(const Tensor& y, const Tensor& x, int64_t dim = -1);
Tensor cumulative_trapezoid(const Tensor& y, const Scalar& dx = 1, int64_t dim = -1);

}  // namespace strata
