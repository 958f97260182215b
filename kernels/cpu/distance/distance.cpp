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

/// How differences are joined, and what the norm is in the end.
struct Count {
  template <class T>
  T join(T sum, T d) const {
    return sum + (d != 0 ? T(1) : T(0));
  }
  template <class T>
  T finish(T sum) const {
    return sum;
  }
};
struct Absolute {
  template <class T>
  T join(T sum, T d) const {
    return sum + std::abs(d);
  }
  template <class T>
  T finish(T sum) const {
    return sum;
  }
};
struct Square {
  template <class T>
  T join(T sum, T d) const {
    return sum + d * d;
  }
  template <class T>
  T finish(T sum) const {
    return std::sqrt(sum);
  }
};
struct Largest {
  template <class T>
  T join(T sum, T d) const {
    const T size = std::abs(d);
    return size > sum || size != size ? size : sum;
  }
  template <class T>
  T finish(T sum) const {
    return sum;
  }
};
struct Power {
  double p;
  template <class T>
  T join(T sum, T d) const {
    return sum + std::pow(std::abs(d), static_cast<T>(p));
  }
  template <class T>
  T finish(T sum) const {
    return std::pow(sum, static_cast<T>(1 / p));
  }
};

/// Several sums side by side, which vector units take together, joined in a fixed order.
template <class T, class Norm>
T between(const T* a, const T* b, int64_t k, const Norm& norm) {
  constexpr int64_t kLanes = 16;
  T sums[kLanes] = {};
  int64_t i = 0;
  for (; i + kLanes <= k; i += kLanes)
    for (int64_t j = 0; j < kLanes; ++j) sums[j] = norm.join(sums[j], a[i + j] - b[i + j]);
  for (; i < k; ++i) sums[0] = norm.join(sums[0], a[i] - b[i]);
  constexpr bool kLargest = std::is_same_v<Norm, Largest>;
  for (int64_t j = 1; j < kLanes; ++j) sums[0] = kLargest ? norm.join(sums[0], sums[j]) : sums[0] + sums[j];
  return norm.finish(sums[0]);
}

template <class F>
void visit_norm(double p, F f) {
  if (p == 0) return f(Count());
  if (p == 1) return f(Absolute());
  if (p == 2) return f(Square());
  std::isinf(p) ? f(Largest()) : f(Power{p});
}

template <class T>
void fill(T* to, const T* a, const T* b, const Tensor& x1, const Tensor& x2, double p) {
  const int64_t m = x1.size(-2), n = x2.size(-2), k = x1.size(-1), rows = k ? x1.numel() / k : 0;
  const int64_t grain = std::max<int64_t>(1, kElementwiseGrain / 4 / std::max<int64_t>(1, n * k));
  visit_norm(p, [&](auto norm) {
    parallel_for(0, rows, grain, [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r)
        for (int64_t j = 0; j < n; ++j) to[r * n + j] = between(a + r * k, b + (r / m * n + j) * k, k, norm);
    });
  });
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

void pull_signs_dense(Tensors& out, Args in, const NoParams&) {
  const int64_t m = in[1].size(-2), k = in[1].size(-1), n = in[2].size(-2), rows = k ? in[1].numel() / k : 0;
  const int64_t grain = std::max<int64_t>(1, kElementwiseGrain / 4 / std::max<int64_t>(1, n * k));
  const auto run = [&]<class T>() {
    const T *const g = in[0].data_ptr<T>(), *const a = in[1].data_ptr<T>(), *const b = in[2].data_ptr<T>();
    T* const to = out[0].data_ptr<T>();
    parallel_for(0, rows, grain, [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) pull_signs(g + r * n, a + r * k, b + r / m * n * k, n, k, to + r * k);
    });
  };
  out[0].dtype() == kFloat ? run.template operator()<float>() : run.template operator()<double>();
}

STRATA_KERNEL(pull_signs_op, CPU, RowMajor<pull_signs_dense>::run);
STRATA_KERNEL(cdist_op, CPU, cdist_cpu);

}  // namespace
}  // namespace strata::cpu::distance
