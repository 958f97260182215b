// What runs an op where its device has no kernel of it.
#pragma once
#include "op.h"

namespace strata::dispatch {

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

}  // namespace strata::dispatch
