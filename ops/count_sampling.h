// Whole numbers of Poisson's and the binomial distribution from uniform ones, of which each takes as many as it needs.
// Internal to what draws them. Steps and constants are those that PyTorch's CPU path takes from the papers, so that
// equal uniform numbers give its counts.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace strata::count_sampling {

/// PTRS of W. Hörmann, "The transformed rejection method for generating Poisson random variables", Insurance:
/// Mathematics and Economics 12 (1993), for a mean from 10 on. `uniform()` gives a double in [0, 1).
template <class Uniform>
double poisson_by_rejection(double mean, Uniform& uniform) {
  const double root = std::sqrt(mean), b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b;
  const double box = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = uniform() - 0.5, v = uniform(), us = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / us + b) * u + mean + 0.43);
    if (us >= 0.07 && v <= box) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    const double log_inverse_alpha = std::log(1.1239 + 1.1328 / (b - 3.4));
    if (std::log(v) + log_inverse_alpha - std::log(a / (us * us) + b) <=
        -mean + k * std::log(mean) - std::lgamma(k + 1))
      return k;
  }
}

/// How many events happen where `mean` are expected; NaN for what is no mean.
template <class Uniform>
double poisson(double mean, Uniform&& uniform) {
  if (!(mean >= 0) || std::isinf(mean)) return std::numeric_limits<double>::quiet_NaN();
  if (mean >= 10) return poisson_by_rejection(mean, uniform);
  if (mean == 0) return 0;
  // Knuth: arrivals until the product of uniform numbers falls below the probability of none.
  const double none = std::exp(-mean);
  double count = 0;
  for (double product = uniform(); product > none; product *= uniform()) ++count;
  return count;
}

/// log(k!) less Stirling's formula for it.
inline double stirling_tail(double k) {
  constexpr double kTails[] = {0.0810614667953272,  0.0413406959554092, 0.0276779256849983, 0.02079067210376509,
                               0.0166446911898211,  0.0138761288230707, 0.0118967099458917, 0.0104112652619720,
                               0.00925546218271273, 0.00833056343336287};
  if (k < std::size(kTails)) return kTails[static_cast<size_t>(k)];
  const double square = (k + 1) * (k + 1);
  return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1);
}

/// Successes among few: the lengths of the runs up to each are geometric numbers.
template <class T, class Uniform>
T binomial_by_runs(T count, T p, Uniform& uniform) {
  const double log_failure = std::log1p(-p);
  T successes = 0;
  for (double tried = 0;; ++successes) {
    tried += std::ceil(std::log(uniform()) / log_failure);
    if (tried > count) return successes;
  }
}

/// BTRS of W. Hörmann, "The generation of binomial random variates", Journal of Statistical Computation and Simulation
/// 46 (1993), for p up to 1/2 and a mean from 10 on.
template <class T, class Uniform>
T binomial_by_rejection(T count, T p, Uniform& uniform) {
  const double deviation = std::sqrt(count * p * (1 - p)), b = 1.15 + 2.53 * deviation;
  const double a = -0.0873 + 0.0248 * b + 0.01 * p, c = count * p + 0.5, box = 0.92 - 4.2 / b;
  const double odds = p / (1 - p), alpha = (2.83 + 5.1 / b) * deviation, m = std::floor((count + 1) * p);
  for (;;) {
    const double u = uniform() - 0.5, v = uniform(), us = 0.5 - std::abs(u);
    const T k = static_cast<T>(std::floor((2 * a / us + b) * u + c));
    if (k < 0 || k > count) continue;
    if (us >= 0.07 && v <= box) return k;
    const double bound = (m + 0.5) * std::log((m + 1) / (odds * (count - m + 1))) +
                         (count + 1) * std::log((count - m + 1) / (count - k + 1)) +
                         (k + 0.5) * std::log(odds * (count - k + 1) / (k + 1)) + stirling_tail(m) +
                         stirling_tail(count - m) - stirling_tail(k) - stirling_tail(count - k);
    if (std::log(v * alpha / (a / (us * us) + b)) <= bound) return k;
  }
}

/// How many of `count` trials succeed, each with probability p: none and all for a p beyond [0, 1], NaN for NaN. T,
/// float or double, is what counts and probabilities are computed in.
template <class T, class Uniform>
T binomial(T count, T p, Uniform&& uniform) {
  if (std::isnan(count) || std::isnan(p) || std::isinf(count)) return std::numeric_limits<T>::quiet_NaN();
  if (count <= 0 || p <= 0) return 0;
  if (p >= 1) return count;
  const T rarer = p <= T(0.5) ? p : static_cast<T>(1.0 - p);
  const T drawn =
      count * rarer >= 10 ? binomial_by_rejection(count, rarer, uniform) : binomial_by_runs(count, rarer, uniform);
  return p <= T(0.5) ? drawn : count - drawn;
}

}  // namespace strata::count_sampling
