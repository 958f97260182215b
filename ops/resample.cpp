// Resampling: the primitive, which is linear and whose transpose is itself the other way round.
#include "ops/resample.h"

#include <algorithm>
#include <cmath>

#include "ops/resample_def.h"
#include "ops/rules.h"

namespace strata {

STRATA_OP(resample_op) =
    op<ResampleParams>(
        "resample(Tensor x, int first, int count, int mode, bool transposed, int[3] in, int[3] out, float scale0, "
        "float shift0, float back0, float scale1, float shift1, float back1, float scale2, float shift2, float back2) "
        "-> Tensor")
        .infer([](Args in, const ResampleParams& p) {
          STRATA_CHECK_AS(NotImplementedError, p.moves() || !is_integral(in[0].dtype(), /*include_bool=*/true),
                          "resample: weighted sums are not implemented for {}; convert it with to()",
                          name(in[0].dtype()));
          Meta m = meta_like(in[0]);
          for (int64_t d = 0; d < p.count; ++d) m.sizes[p.first + d] = p.to(d);
          return m;
        })
        .vjp([](const Vjp& c, const ResampleParams& p) -> Tensors {
          ResampleParams other = p;
          other.transposed = !p.transposed;
          return call1(resample_op, {&c.grad()}, other);
        })
        .jvp(linear_rule)
        .batch(shift_dims<&ResampleParams::first>)
        .dtypes(kAllTypes);

/// Mirrors and circles move by whole positions and reach as far as there are elements; all others need places in the
/// order of the positions, which integers can hold.
bool is_valid(const ResampledDim& d, Resampling mode) {
  constexpr double kFarAway = 9e15;
  if (d.out < 0 || (d.in == 0 && d.out > 0)) return false;
  if (d.out == 0) return true;
  const double last = (static_cast<double>(d.out - 1) + d.shift) * d.scale - d.back, first = d.shift * d.scale - d.back;
  if (!(d.scale >= 0 && std::abs(first) < kFarAway && std::abs(last) < kFarAway)) return false;
  if (mode != Resampling::Reflect && mode != Resampling::Circular) return true;
  if (d.scale != 1 || d.back != 0 || d.shift != std::floor(d.shift)) return false;
  const int64_t before = -static_cast<int64_t>(d.shift), behind = d.out - d.in - before;
  if (mode == Resampling::Reflect) return before < d.in && behind < d.in;
  return d.in + std::min<int64_t>(before, 0) + std::min<int64_t>(behind, 0) > 0;
}

Tensor resample(const Tensor& x, int64_t first, ArrayRef<ResampledDim> dims, Resampling mode) {
  const int64_t count = static_cast<int64_t>(dims.size());
  STRATA_CHECK(first >= 0 && first + count <= x.dim(), "resample: there are no {} dims from {} on in shape {}", count,
               first, x.sizes());
  ResampleParams p{first, 0, mode, false, {}};
  Tensor y = x;
  for (int64_t d = 0; d < count; d += p.count, p.first += p.count) {
    p.count = std::min(count - d, ResampleParams::kMostDims);
    std::copy_n(dims.begin() + d, p.count, p.dims.begin());
    for (int64_t i = 0; i < p.count; ++i) {
      const ResampledDim& dim = p.dims[i];
      STRATA_CHECK(dim.in == x.sizes()[p.first + i] && is_valid(dim, mode),
                   "resample: dim {} of shape {} cannot go from {} to {} positions by scale {}, shift {}, back {}",
                   p.first + i, x.sizes(), dim.in, dim.out, dim.scale, dim.shift, dim.back);
    }
    y = call1(resample_op, {&y}, p);
  }
  return y;
}

}  // namespace strata
