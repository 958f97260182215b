// What of NCCL the engine uses, declared after nccl.h, so that neither building nor installing needs NCCL: the library
// is looked for when a group is made.
#pragma once
#include <climits>
#include <cstddef>

namespace strata::distributed::nccl {

struct CommData;
using Comm = CommData*;  ///< ncclComm_t
using CudaStream = void*;

struct UniqueId {
  char internal[128];
};

enum Result : int {
  kSuccess,
  kUnhandledCudaError,
  kSystemError,
  kInternalError,
  kInvalidArgument,
  kInvalidUsage,
  kRemoteError,
  kInProgress
};
constexpr int kNoColor = -1;  ///< NCCL_SPLIT_NOCOLOR
enum RedOp : int { kSum, kProd, kMax, kMin, kAvg };
enum DataType : int {
  kInt8,
  kUint8,
  kInt32,
  kUint32,
  kInt64,
  kUint64,
  kFloat16,
  kFloat32,
  kFloat64,
  kBfloat16,
};

/// The first fields of ncclConfig_t. A library that knows more of them takes its own defaults for those that this
/// version did not have.
struct Config {
  size_t size = sizeof(Config);
  unsigned int magic = 0xcafebeef;
  unsigned int version = 21400;
  int blocking = 0;
  int unused = INT_MIN;
};

/// The library's functions; their names are its own without "nccl". Those from `CommRegister` on are null in versions
/// that lack them: registration came with 2.19, CommSplit with 2.18, CommShrink with 2.27.
struct Api {
  Result (*GetVersion)(int* version);
  Result (*GetUniqueId)(UniqueId* id);
  const char* (*GetErrorString)(Result result);
  const char* (*GetLastError)(Comm comm);
  Result (*CommInitRankConfig)(Comm* comm, int ranks, UniqueId id, int rank, Config* config);
  Result (*CommGetAsyncError)(Comm comm, Result* error);
  Result (*CommFinalize)(Comm comm);
  Result (*CommDestroy)(Comm comm);
  Result (*CommAbort)(Comm comm);
  Result (*AllReduce)(const void* in, void* out, size_t count, DataType type, RedOp op, Comm comm, CudaStream stream);
  Result (*Reduce)(const void* in, void* out, size_t count, DataType type, RedOp op, int root, Comm comm,
                   CudaStream stream);
  Result (*Broadcast)(const void* in, void* out, size_t count, DataType type, int root, Comm comm, CudaStream stream);
  Result (*AllGather)(const void* in, void* out, size_t in_count, DataType type, Comm comm, CudaStream stream);
  Result (*ReduceScatter)(const void* in, void* out, size_t out_count, DataType type, RedOp op, Comm comm,
                          CudaStream stream);
  Result (*Send)(const void* in, size_t count, DataType type, int peer, Comm comm, CudaStream stream);
  Result (*Recv)(void* out, size_t count, DataType type, int peer, Comm comm, CudaStream stream);
  Result (*GroupStart)();
  Result (*GroupEnd)();
  Result (*CommRegister)(Comm comm, void* memory, size_t bytes, void** handle);
  Result (*CommDeregister)(Comm comm, void* handle);
  Result (*CommSplit)(Comm comm, int color, int key, Comm* part, Config* config);
  Result (*CommShrink)(Comm comm, int* excluded, int count, Comm* part, Config* config, int flags);
};

/// The library, loaded on the first call. Throws where it is not installed or older than 2.14, the first version whose
/// communicators do not make the host wait.
const Api& api();

}  // namespace strata::distributed::nccl
