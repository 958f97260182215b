// Running a kernel of narrow floats on float copies, for sums that must not be rounded at every step.
#pragma once
#include "core/parallel.h"
#include "kernels/cpu/common/blocks.h"
#include "kernels/cpu/common/elementwise.h"
#include "kernels/cpu/common/lines.h"
#include "kernels/cpu/common/strided_copy.h"

namespace strata::cpu {

/// A row-major float copy of a tensor of a narrow floating point type.
inline Tensor widened(const Tensor& t) {
  Tensor holder, wide = empty_cpu(t.sizes(), kFloat);
  float* const to = wide.data_ptr<float>();
  const char* const from = row_major(t, holder);
  const auto item = static_cast<int64_t>(item_size(t.dtype()));
  const BlockReader read = block_reader(t.dtype(), true);
  parallel_for(0, t.numel(), kElementwiseGrain, [=](int64_t begin, int64_t end) {
    read(to + begin, from + begin * item, {0, 1, item, end - begin});
  });
  return wide;
}

/// Rounds the floats of `wide` into the narrower `out`.
inline void narrow_into(const Tensor& out, const Tensor& wide) {
  const float* const from = wide.data_ptr<float>();
  const auto item = static_cast<int64_t>(item_size(out.dtype()));
  const BlockWriter write = block_writer(out.dtype(), true);
  write_row_major(out, [&](char* to) {
    parallel_for(0, out.numel(), kElementwiseGrain, [=](int64_t begin, int64_t end) {
      write(to + begin * item, {0, 1, item, end - begin}, from + begin);
    });
  });
}

/// Calls `kernel(out, in)` with float copies of all outputs and inputs of narrow floating point types.
template <class Kernel>
void run_in_float(Tensors& out, Args in, Kernel kernel) {
  std::vector<Tensor> copies;
  copies.reserve(in.size());
  ArgList args;
  for (const Tensor* t : in) {
    copies.push_back(t->defined() && is_narrow_float(t->dtype()) ? widened(*t) : *t);
    args.push_back(copies.back());
  }
  Tensors wide = Tensors::undefined(out.size());
  for (size_t i = 0; i < out.size(); ++i)
    wide[i] = is_narrow_float(out[i].dtype()) ? empty_cpu(out[i].sizes(), kFloat) : out[i];
  kernel(wide, args);
  for (size_t i = 0; i < out.size(); ++i)
    if (is_narrow_float(out[i].dtype())) narrow_into(out[i], wide[i]);
}

template <class P>
P params_of(void (*kernel)(Tensors&, Args, const P&));

/// A kernel that works along the lines of its first input, on float copies where these are of 16-bit numbers that would
/// be read one by one, or less than kLongRow at a time.
template <auto kKernel, int64_t kLongRow = 64>
void run_along_lines(Tensors& out, Args in, const decltype(params_of(kKernel))& p) {
  const Tensor& x = in[0];
  const auto has_long_rows = [&] {
    const Lines lines = [&] {
      if constexpr (requires { p.dims; })
        return make_lines(x, p.dims, true);
      else
        return make_lines(x, p.dim);
    }();
    return lines.contiguous() && lines.length >= kLongRow;
  };
  if (!is_half16(x.dtype()) || has_long_rows()) return kKernel(out, in, p);
  run_in_float(out, in, [&](Tensors& wide, Args args) { kKernel(wide, args, p); });
}

}  // namespace strata::cpu
