// Random tensors from the stateful generator: the same numbers on every device and any number of threads.
#pragma once
#include "../core/generator.h"
#include "../core/tensor.h"

namespace strata {

/// Uniform on [0, 1).
Tensor rand(IntArrayRef sizes, const TensorOptions& options = {});
Tensor rand(IntArrayRef sizes, OptionalGenerator generator, const TensorOptions& options = {});
Tensor rand_like(const Tensor& x, const TensorOptions& options = {},
                 std::optional<MemoryFormat> memory_format = std::nullopt);
/// Normal with mean 0 and deviation 1.
Tensor randn(IntArrayRef sizes, const TensorOptions& options = {});
Tensor randn(IntArrayRef sizes, OptionalGenerator generator, const TensorOptions& options = {});
Tensor randn_like(const Tensor& x, const TensorOptions& options = {},
                  std::optional<MemoryFormat> memory_format = std::nullopt);
/// Integers low, ..., high - 1; int64 unless the options say otherwise.
Tensor randint(int64_t low, int64_t high, IntArrayRef sizes, const TensorOptions& options = {});
Tensor randint(int64_t high, IntArrayRef sizes, const TensorOptions& options = {});
Tensor randint(int64_t low, int64_t high, IntArrayRef sizes, OptionalGenerator generator,
               const TensorOptions& options = {});
Tensor randint(int64_t high, IntArrayRef sizes, OptionalGenerator generator, const TensorOptions& options = {});
Tensor randint_like(const Tensor& x, int64_t low, int64_t high, const TensorOptions& options = {},
                    std::optional<MemoryFormat> memory_format = std::nullopt);
Tensor randint_like(const Tensor& x, int64_t high, const TensorOptions& options = {},
                    std::optional<MemoryFormat> memory_format = std::nullopt);
/// A permutation of 0, ..., n - 1; int64 unless the options say otherwise.
Tensor randperm(int64_t n, const TensorOptions& options = {});
Tensor randperm(int64_t n, OptionalGenerator generator, const TensorOptions& options = {});
/// Normal with the given means and deviations, broadcast.
Tensor normal(const Tensor& mean, const Tensor& std, OptionalGenerator generator = {});
Tensor normal(const Tensor& mean, double std = 1, OptionalGenerator generator = {});
Tensor normal(double mean, const Tensor& std, OptionalGenerator generator = {});
Tensor normal(double mean, double std, IntArrayRef sizes, const TensorOptions& options = {});
Tensor normal(double mean, double std, IntArrayRef sizes, OptionalGenerator generator,
              const TensorOptions& options = {});
/// Ones with probability x (or p), zeros otherwise, in x's dtype. The gradient by probabilities is 0; with a p it is an
/// error to ask for one by x.
Tensor bernoulli(const Tensor& x, OptionalGenerator generator = {});
Tensor bernoulli(const Tensor& x, double p, OptionalGenerator generator = {});
/// `(n,)` or `(rows, n)` category numbers drawn with the weights `probs`, `(C,)` or `(rows, C)`.
Tensor multinomial(const Tensor& probs, int64_t num_samples, bool replacement = false,
                   OptionalGenerator generator = {});
/// Normal values redrawn, in effect, until they lie in [a, b]; in place.
Tensor& trunc_normal_(Tensor& x, double mean = 0, double std = 1, double a = -2, double b = 2);

/// Zeroes elements with probability p and scales the others by 1 / (1 - p); x itself when not training.
Tensor dropout(const Tensor& x, double p = 0.5, bool train = true);
Tensor& dropout_(Tensor& x, double p = 0.5, bool train = true);
/// The same for whole channels: x has shape (N, C, ...).
Tensor feature_dropout(const Tensor& x, double p = 0.5, bool train = true);
/// Keeps mean and variance of self-normalising (SELU) activations.
Tensor alpha_dropout(const Tensor& x, double p = 0.5, bool train = true);
Tensor feature_alpha_dropout(const Tensor& x, double p = 0.5, bool train = true);

}  // namespace strata
