// How NCCL says dtypes and reductions.
#pragma once
#include "core/communicator.h"
#include "distributed/nccl/api.h"

namespace strata::distributed::nccl {

/// Elements of a dtype as `count` elements of one of the library's.
struct Numbers {
  DataType type = kUint8;
  size_t count = 0;
};

/// For what only moves; dtypes that the library does not know go as bytes.
Numbers numbers_of(DType dtype, int64_t count);
/// For reductions. Throws where the library cannot reduce the dtype so.
Numbers summands_of(DType dtype, int64_t count, ReduceOp op);
RedOp operation(DType dtype, ReduceOp op);

}  // namespace strata::distributed::nccl
