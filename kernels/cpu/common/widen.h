// Running a kernel of 16-bit floats on float copies, for sums that must not be rounded at every step.
#pragma once
#include "kernels/cpu/common/strided_copy.h"

namespace strata::cpu {

inline bool is_16_bit_float(DType t) { return t == kHalf || t == kBFloat16; }

template <class To, class From>
void convert_row_major(To* to, const From* from, int64_t n) {
  for (int64_t i = 0; i < n; ++i) to[i] = static_cast<To>(from[i]);
}

/// A row-major float copy of a 16-bit tensor.
inline Tensor widened(const Tensor& t) {
  Tensor holder, wide = empty_cpu(t.sizes(), kFloat);
  const char* data = row_major(t, holder);
  float* to = wide.data_ptr<float>();
  if (t.dtype() == kHalf)
    convert_row_major(to, reinterpret_cast<const Half*>(data), t.numel());
  else
    convert_row_major(to, reinterpret_cast<const BFloat16*>(data), t.numel());
  return wide;
}

/// Rounds the floats of `wide` into the 16-bit `out`.
inline void narrow_into(const Tensor& out, const Tensor& wide) {
  const float* from = wide.data_ptr<float>();
  write_row_major(out, [&](char* data) {
    if (out.dtype() == kHalf)
      convert_row_major(reinterpret_cast<Half*>(data), from, out.numel());
    else
      convert_row_major(reinterpret_cast<BFloat16*>(data), from, out.numel());
  });
}

/// Calls `kernel(out, in)` with float copies of the outputs and of all 16-bit inputs.
template <class Kernel>
void run_in_float(Tensors& out, Args in, Kernel kernel) {
  std::vector<Tensor> copies;
  copies.reserve(in.size());
  ArgList args;
  for (const Tensor* t : in) {
    copies.push_back(is_16_bit_float(t->dtype()) ? widened(*t) : *t);
    args.push_back(copies.back());
  }
  Tensors wide = Tensors::undefined(out.size());
  for (size_t i = 0; i < out.size(); ++i) wide[i] = empty_cpu(out[i].sizes(), kFloat);
  kernel(wide, args);
  for (size_t i = 0; i < out.size(); ++i) narrow_into(out[i], wide[i]);
}

}  // namespace strata::cpu
