// Kernels of the Fourier transforms: one dim after the other, each line in double precision.
#include <algorithm>
#include <array>

#include "dispatcher/kernel.h"
#include "kernels/cpu/common/lines.h"
#include "kernels/cpu/fft/fft_work.h"
#include "ops/fft_def.h"

namespace strata::cpu::fft {
namespace {

/// The lines of a tensor along a dim, as elements of T.
template <class T>
struct LinesOf {
  LinesOf(const Tensor& t, int64_t dim)
      : lines(make_lines(t, std::array{dim})),
        data(reinterpret_cast<T*>(t.data())),
        length(t.size(dim)),
        stride(t.strides()[static_cast<size_t>(dim)]) {}

  /// Calls f(element, number of its line from `first` on, position in the line) in the order of memory.
  template <class F>
  void for_each(int64_t first, int64_t count, F f) const {
    T* base[kFftTogether];
    for (int64_t l = 0; l < count; ++l) base[l] = data + lines.offset(first + l);
    if (count == 1) {
      for (int64_t i = 0; i < length; ++i) f(base[0][i * stride], 0, i);
      return;
    }
    for (int64_t i = 0; i < length; ++i)
      for (int64_t l = 0; l < count; ++l) f(base[l][i * stride], l, i);
  }

  Lines lines;
  T* data;
  int64_t length, stride;
};

/// y's lines along `dim` from x's, times `scale`, by the work W for lines of n values. x may be y.
template <class W, class From, class To>
void map_lines(const Tensor& x, const Tensor& y, int64_t dim, int64_t n, double scale, bool forward) {
  const LinesOf<From> from(x, dim);
  const LinesOf<To> to(y, dim);
  const int64_t together = std::min(to.lines.count, kFftTogether);
  const int64_t groups = y.numel() == 0 ? 0 : (to.lines.count + together - 1) / together;
  const int64_t grain = std::max<int64_t>(1, kLineGrain / 8 / std::max<int64_t>(1, together * to.length));
  parallel_for(0, groups, grain, [&](int64_t begin, int64_t end) {
    W work(n, forward, together);
    for (int64_t g = begin; g < end; ++g) {
      const int64_t first = g * together, count = std::min(together, to.lines.count - first);
      from.for_each(first, count, [&](const From& v, int64_t l, int64_t i) { work.put(l, i, v); });
      work.run(count);
      to.for_each(first, count, [&](To& v, int64_t l, int64_t i) { v = static_cast<To>(work.get(l, i) * scale); });
    }
  });
}

/// Calls f.template operator()<T>() with the type of the real numbers that make up `t`.
template <class F>
void visit_parts(DType t, F f) {
  to_real_dtype(t) == kDouble ? f.template operator()<double>() : f.template operator()<float>();
}

/// Complex to complex along one dim.
void transform_dim(const Tensor& x, const Tensor& y, int64_t dim, double scale, bool forward) {
  visit_parts(y.dtype(), [&]<class T>() {
    map_lines<ComplexLine, std::complex<T>, std::complex<T>>(x, y, dim, y.size(dim), scale, forward);
  });
}

/// Complex to complex along all `dims`, the last one first; the scale comes with the last pass.
void transform_dims(Tensor x, const Tensor& y, IntArrayRef dims, double scale, bool forward) {
  for (size_t i = dims.size(); i-- > 0; x = y) transform_dim(x, y, dims[i], i == 0 ? scale : 1, forward);
}

void fft_c2c_cpu(Tensors& out, Args in, const FftC2CParams& p) {
  transform_dims(in[0], out[0], p.dims, p.scale, p.forward);
}

void fft_r2c_cpu(Tensors& out, Args in, const FftR2CParams& p) {
  const IntArrayRef dims(p.dims), others = dims.slice(0, dims.size() - 1);
  visit_parts(in[0].dtype(), [&]<class T>() {
    map_lines<SpectrumLine, T, std::complex<T>>(in[0], out[0], dims.back(), in[0].size(dims.back()),
                                                others.empty() ? p.scale : 1, p.forward);
  });
  transform_dims(out[0], out[0], others, p.scale, p.forward);
}

void fft_c2r_cpu(Tensors& out, Args in, const FftC2RParams& p) {
  const IntArrayRef dims(p.dims), others = dims.slice(0, dims.size() - 1);
  Tensor x = in[0];
  if (!others.empty()) {
    x = empty_cpu(in[0].sizes(), in[0].dtype());
    transform_dims(in[0], x, others, 1, p.forward);
  }
  visit_parts(out[0].dtype(), [&]<class T>() {
    map_lines<SignalLine, std::complex<T>, T>(x, out[0], dims.back(), p.last_dim_size, p.scale, p.forward);
  });
}

STRATA_KERNEL(fft_c2c_op, CPU, fft_c2c_cpu);
STRATA_KERNEL(fft_r2c_op, CPU, fft_r2c_cpu);
STRATA_KERNEL(fft_c2r_op, CPU, fft_c2r_cpu);

}  // namespace
}  // namespace strata::cpu::fft
