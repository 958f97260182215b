// Running a kernel of 16-bit floats on float copies, for sums that must not be rounded at every step.
#pragma once
#include "core/parallel.h"
#include "kernels/cpu/common/blocks.h"
#include "kernels/cpu/common/elementwise.h"
#include "kernels/cpu/common/strided_copy.h"

namespace strata::cpu {

/// Calls f(elements) with the elements of a 16-bit tensor's type at `data`.
template <class Char, class F>
void visit_half16(DType dtype, Char* data, F f) {
  const auto as = [&]<class T>() { f(reinterpret_cast<std::conditional_t<std::is_const_v<Char>, const T, T>*>(data)); };
  dtype == kHalf ? as.template operator()<Half>() : as.template operator()<BFloat16>();
}

/// A row-major float copy of a 16-bit tensor.
inline Tensor widened(const Tensor& t) {
  Tensor holder, wide = empty_cpu(t.sizes(), kFloat);
  float* const to = wide.data_ptr<float>();
  visit_half16(t.dtype(), row_major(t, holder), [&](const auto* from) {
    parallel_for(0, t.numel(), kElementwiseGrain,
                 [=](int64_t begin, int64_t end) { half_to_float(from + begin, to + begin, end - begin); });
  });
  return wide;
}

/// Rounds the floats of `wide` into the 16-bit `out`.
inline void narrow_into(const Tensor& out, const Tensor& wide) {
  const float* const from = wide.data_ptr<float>();
  write_row_major(out, [&](char* data) {
    visit_half16(out.dtype(), data, [&](auto* to) {
      parallel_for(0, out.numel(), kElementwiseGrain,
                   [=](int64_t begin, int64_t end) { float_to_half(from + begin, to + begin, end - begin); });
    });
  });
}

/// Calls `kernel(out, in)` with float copies of the outputs and of all 16-bit inputs.
template <class Kernel>
void run_in_float(Tensors& out, Args in, Kernel kernel) {
  std::vector<Tensor> copies;
  copies.reserve(in.size());
  ArgList args;
  for (const Tensor* t : in) {
    copies.push_back(t->defined() && is_half16(t->dtype()) ? widened(*t) : *t);
    args.push_back(copies.back());
  }
  Tensors wide = Tensors::undefined(out.size());
  for (size_t i = 0; i < out.size(); ++i) wide[i] = empty_cpu(out[i].sizes(), kFloat);
  kernel(wide, args);
  for (size_t i = 0; i < out.size(); ++i) narrow_into(out[i], wide[i]);
}

}  // namespace strata::cpu
