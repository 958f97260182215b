// CPU kernel of distances between all pairs of vectors.
#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "dispatcher/kernel.h"
#include "kernels/cpu/common/dense.h"
#include "kernels/cpu/common/elementwise.h"
#include "kernels/cpu/common/strided_copy.h"
#include "kernels/cpu/distance/vec_distance.h"
#include "ops/distance_def.h"

namespace strata::cpu::distance {
namespace {

/// Of any p that has no norm of its own.
template <class T>
T power_distance(const T* a, const T* b, int64_t k, T p) {
  T sum = 0;
  for (int64_t i = 0; i < k; ++i) sum += std::pow(std::abs(a[i] - b[i]), p);
  return std::pow(sum, 1 / p);
}

/// The distances from `a` to each of n vectors.
template <class T>
void distances_from(const T* a, const T* b, int64_t n, int64_t k, double p, T* out) {
  if (p == 0) return distances(Norm::kCount, a, b, n, k, out);
  if (p == 1) return distances(Norm::kAbsolute, a, b, n, k, out);
  if (p == 2) return distances(Norm::kSquare, a, b, n, k, out);
  if (std::isinf(p)) return distances(Norm::kLargest, a, b, n, k, out);
  for (int64_t j = 0; j < n; ++j) out[j] = power_distance(a, b + j * k, k, static_cast<T>(p));
}

template <class T>
void fill(T* to, const T* a, const T* b, const Tensor& x1, const Tensor& x2, double p) {
  const int64_t m = x1.size(-2), n = x2.size(-2), k = x1.size(-1), rows = k ? x1.numel() / k : 0;
  const int64_t grain = std::max<int64_t>(1, kElementwiseGrain / 4 / std::max<int64_t>(1, n * k));
  parallel_for(0, rows, grain, [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) distances_from(a + r * k, b + r / m * n * k, n, k, p, to + r * n);
  });
}

/// Row i of x against the rows behind it; the rows' results lie one after the other.
void pdist_dense(Tensors& out, Args in, const CdistParams& p) {
  const int64_t lead = out[0].size(-1) ? out[0].numel() / out[0].size(-1) : 0, m = in[0].size(-2), k = in[0].size(-1);
  const int64_t grain = std::max<int64_t>(1, kElementwiseGrain / 4 / std::max<int64_t>(1, m * k / 2));
  const auto run = [&]<class T>() {
    parallel_for(0, lead * m, grain, [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) {
        const int64_t i = r % m, rest = m - 1 - i, behind = i * (2 * m - i - 1) / 2;
        const T* const a = in[0].data_ptr<T>() + r * k;
        T* const to = out[0].data_ptr<T>() + r / m * (m * (m - 1) / 2) + behind;
        k == 0 ? void(std::fill_n(to, rest, T(0))) : distances_from(a, a + k, rest, k, p.p, to);
      }
    });
  };
  out[0].dtype() == kFloat ? run.template operator()<float>() : run.template operator()<double>();
}

void cdist_cpu(Tensors& out, Args in, const CdistParams& p) {
  Tensor holder_a, holder_b;
  const char *const a = row_major(in[0], holder_a), *const b = row_major(in[1], holder_b);
  const bool empty = in[0].size(-1) == 0;
  const auto run = [&]<class T>() {
    write_row_major(out[0], [&](char* data) {
      T* const to = reinterpret_cast<T*>(data);
      if (empty) return void(std::fill_n(to, out[0].numel(), T(0)));
      fill(to, reinterpret_cast<const T*>(a), reinterpret_cast<const T*>(b), in[0], in[1], p.p);
    });
  };
  if (out[0].numel() == 0) return;
  out[0].dtype() == kFloat ? run.template operator()<float>() : run.template operator()<double>();
}

template <Pull kWhat>
void pull_dense(Tensors& out, Args in, const NoParams&) {
  const int64_t m = in[1].size(-2), k = in[1].size(-1), n = in[2].size(-2), rows = k ? in[1].numel() / k : 0;
  const int64_t grain = std::max<int64_t>(1, kElementwiseGrain / 4 / std::max<int64_t>(1, n * k));
  const auto run = [&]<class T>() {
    const T *const g = in[0].data_ptr<T>(), *const a = in[1].data_ptr<T>(), *const b = in[2].data_ptr<T>();
    T* const to = out[0].data_ptr<T>();
    parallel_for(0, rows, grain, [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) pull(kWhat, g + r * n, a + r * k, b + r / m * n * k, n, k, to + r * k);
    });
  };
  out[0].dtype() == kFloat ? run.template operator()<float>() : run.template operator()<double>();
}

STRATA_KERNEL(pull_signs_op, CPU, RowMajor<pull_dense<Pull::kSigns>>::run);
STRATA_KERNEL(pull_differences_op, CPU, RowMajor<pull_dense<Pull::kDifferences>>::run);
STRATA_KERNEL(cdist_op, CPU, cdist_cpu);
STRATA_KERNEL(pdist_op, CPU, RowMajor<pdist_dense>::run);

}  // namespace
}  // namespace strata::cpu::distance
