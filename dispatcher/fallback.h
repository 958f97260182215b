// What becomes of a call that an op has no kernel or no infer rule for.
#pragma once
#include "op.h"

namespace strata::dispatch {

/// What the outputs will be; throws where the op has no infer rule.
Metas infer_outputs(const Op& op, Args args, Params params);

/// Fills `out`, as the op's kernel for `device` would if it had one, with the CPU's: the memory that the tensors show
/// is copied to the host and what was written is copied back. Warns once for each op and kind of device. Throws where
/// the CPU has no kernel either.
void run_on_cpu(const Op& op, Device device, Tensors& out, Args args, const void* params);

/// The half-open range of bytes that a tensor's elements touch.
struct ByteRange {
  const char* begin;
  const char* end;
};
ByteRange byte_range_of(const Tensor& t);
/// May some element of one tensor lie in memory that the other spans?
bool overlaps(const Tensor& a, const Tensor& b);

}  // namespace strata::dispatch
