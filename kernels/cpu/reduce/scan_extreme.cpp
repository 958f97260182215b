// Kernels of running extremes.
#include "dispatcher/kernel.h"
#include "kernels/cpu/common/lines.h"
#include "kernels/cpu/common/widen.h"
#include "kernels/cpu/reduce/vec_scan_extreme.h"
#include "ops/scan_def.h"

namespace strata::cpu::reduce {
namespace {

/// A tensor scanned along a dim, and where its results go.
struct ExtremeScan {
  const Tensor &x, &values, &indices;
  Lines from, to, at;

  ExtremeScan(const Tensor& x, const Tensors& out, const int64_t& dim)
      : x(x),
        values(out[0]),
        indices(out[1]),
        from(make_lines(x, dim)),
        to(make_lines(out[0], dim)),
        at(make_lines(out[1], dim)) {}

  bool in_columns(DType wide) const {
    if (x.dtype() != wide || from.length > INT32_MAX) return false;
    for (const Lines* l : {&from, &to, &at})
      if (!l->interleaved() || l->size.back() != from.size.back()) return false;
    return true;
  }
};

/// Lines that lie side by side go through memory row by row.
template <class C>
void scan_extreme_columns(const ExtremeScan& s, const VecExtremeScan<C>& scan) {
  const int64_t run = s.from.size.back(), per_run = (run + kExtremeColumns - 1) / kExtremeColumns;
  const int64_t grain = std::max<int64_t>(1, kLineGrain / (std::min(kExtremeColumns, run) * s.from.length));
  parallel_for(0, s.from.count / run * per_run, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t column = i % per_run * kExtremeColumns, first = i / per_run * run + column;
      scan.columns(s.x.data_ptr<C>() + s.from.offset(first), s.from.line_stride[0],
                   s.values.data_ptr<C>() + s.to.offset(first), s.to.line_stride[0],
                   s.indices.data_ptr<int64_t>() + s.at.offset(first), s.at.line_stride[0], s.from.length,
                   std::min(kExtremeColumns, run - column));
    }
  });
}

template <class C>
void scan_lines(const ExtremeScan& s, const VecExtremeScan<C>& scan) {
  const int64_t n = s.from.length;
  const LineAccess<C>& access = line_access<C>(s.x.dtype());
  const LineAccess<int64_t>& places = line_access<int64_t>(kLong);
  const bool values_direct = s.x.dtype() == dtype_of<C> && s.to.contiguous(), places_direct = s.at.contiguous();
  parallel_for(0, s.from.count, std::max<int64_t>(1, kLineGrain / n), [&](int64_t begin, int64_t end) {
    Scratch<C> source(n), best(n);
    Scratch<int64_t> where(n);
    for (int64_t i = begin; i < end; ++i) {
      char *const to = line_base(s.values, s.to, i), *const at = line_base(s.indices, s.at, i);
      C* const values = values_direct ? reinterpret_cast<C*>(to) : best.data();
      int64_t* const indices = places_direct ? reinterpret_cast<int64_t*>(at) : where.data();
      scan.line(access.read(line_base(s.x, s.from, i), s.from, 0, n, source.data()), values, indices, n);
      if (!values_direct) access.write(to, s.to, values, n);
      if (!places_direct) places.write(at, s.at, indices, n);
    }
  });
}

template <bool kMax>
void extreme_scan_cpu(Tensors& out, Args in, const ScanParams& p) {
  if (out[0].numel() == 0) return;
  if (is_half16(in[0].dtype()) && make_lines(in[0], p.dim).interleaved()) {  // as floats, which go row by row
    const Tensor x = widened(in[0]);
    Tensors wide(empty_cpu(out[0].sizes(), kFloat), out[1]);
    extreme_scan_cpu<kMax>(wide, {&x}, p);
    return narrow_into(out[0], wide[0]);
  }
  const ExtremeScan s(in[0], out, p.dim);
  visit_wide(in[0].dtype(), [&]<class C>() {
    const VecExtremeScan<C>& scan = vec_extreme_scan<C>(kMax);
    s.in_columns(dtype_of<C>) ? scan_extreme_columns<C>(s, scan) : scan_lines<C>(s, scan);
  });
}

STRATA_KERNEL(cummax_op, CPU, extreme_scan_cpu<true>);
STRATA_KERNEL(cummin_op, CPU, extreme_scan_cpu<false>);

}  // namespace
}  // namespace strata::cpu::reduce
