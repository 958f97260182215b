// The draws of libtorch's CPU path from its own generator, number for number.
#pragma once
#include "../core/mt19937.h"
#include "../core/tensor.h"

namespace strata::libtorch_random {

// Each fills `x`, of any strides and on any device, with the numbers that libtorch's method of this name writes into
// such a tensor on the CPU: in row-major order where x is contiguous, else in the order of its memory.

/// Uniform on [from, to): 53 bits of two draws for float64, 24 of one for the others.
void uniform_(const Tensor& x, double from, double to, Mt19937& source);
/// Normal numbers by Box and Muller's transform: sixteen at a time from contiguous tensors of sixteen elements on, else
/// in pairs in float64. libtorch's kernel for AVX2 has its own log, sin and cos, which differ from these by some units
/// in the last place of float32. Its draws of sixteen and more in float16 and bfloat16 are other ones.
void normal_(const Tensor& x, double mean, double std, Mt19937& source);
/// Ones with probability p: where a uniform float64 is below it.
void bernoulli_(const Tensor& x, double p, Mt19937& source);
/// -log(1 - u) / lambda for uniform numbers in float64, whatever the dtype.
void exponential_(const Tensor& x, double lambda, Mt19937& source);
/// Cauchy's distribution, numbers whose logarithm is normal, and trials up to the first success: by the same formulas
/// of uniform numbers and of `normal_` in pairs, in float64 whatever the dtype.
void cauchy_(const Tensor& x, double median, double sigma, Mt19937& source);
void log_normal_(const Tensor& x, double mean, double std, Mt19937& source);
void geometric_(const Tensor& x, double p, Mt19937& source);
/// Integers from low to high - 1, by the remainder.
void integers_(const Tensor& x, int64_t low, int64_t high, Mt19937& source);
/// Counts of Poisson's and the binomial distribution, on the CPU, in row-major order: for rates in float64; for trials
/// and probabilities of one shape and floating point dtype, computed in float32 unless they are float64.
Tensor poisson(const Tensor& rate, Mt19937& source);
Tensor binomial(const Tensor& count, const Tensor& prob, Mt19937& source);
/// Categories of `probs` (C,) or (rows, C) into a contiguous `x` of shape (n,) or (rows, n), drawn with replacement: by
/// the sums of the probabilities, in their dtype or float32.
void choose_(const Tensor& x, const Tensor& probs, Mt19937& source);
/// A permutation of 0, ..., n - 1 into a contiguous `x` of n elements, by Fisher and Yates' shuffle.
void permute_(const Tensor& x, Mt19937& source);

}  // namespace strata::libtorch_random
