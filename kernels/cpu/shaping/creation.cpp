// arange and linspace.
#include "core/parallel.h"
#include "dispatcher/kernel.h"
#include "ops/creation_def.h"

namespace strata::cpu::shaping {
namespace {

constexpr int64_t kGrain = 16384;

void arange_cpu(Tensors& out, Args, const ArangeParams& p) {
  visit_dtype(p.dtype, [&]<class T>() {
    // Integers count in int64, floating types in double, so that no rounding adds up.
    using Wide = std::conditional_t<is_integral(dtype_of<T>, true), int64_t, double>;
    T* const data = out[0].data_ptr<T>();
    const Wide start = p.start.to<Wide>(), step = p.step.to<Wide>();
    parallel_for(0, p.count, kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) data[i] = static_cast<T>(start + static_cast<Wide>(i) * step);
    });
  });
}

void linspace_cpu(Tensors& out, Args, const LinspaceParams& p) {
  visit_dtype(p.dtype, [&]<class T>() {
    using Wide = std::conditional_t<is_integral(dtype_of<T>, true), int64_t, T>;  // holds what T has no room for
    T* const data = out[0].data_ptr<T>();
    const double step = p.count > 1 ? (p.end - p.start) / static_cast<double>(p.count - 1) : 0;
    // Counted from the nearer end, so that both ends are exact.
    parallel_for(0, p.count, kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const bool first_half = i < p.count / 2 || p.count == 1;
        const double x =
            first_half ? p.start + static_cast<double>(i) * step : p.end - static_cast<double>(p.count - 1 - i) * step;
        data[i] = static_cast<T>(static_cast<Wide>(x));
      }
    });
  });
}

}  // namespace

STRATA_KERNEL(arange_op, CPU, arange_cpu);
STRATA_KERNEL(linspace_op, CPU, linspace_cpu);

}  // namespace strata::cpu::shaping
