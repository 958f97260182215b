// What the engine declares of NCCL is what nccl.h declares, where there is one.
#include <nccl.h>

#include <cstddef>
#include <type_traits>

#include "distributed/nccl/api.h"
#include "test/catch.h"

namespace strata::distributed::nccl {
namespace {

/// Do both go the same way into a function?
template <class A, class B>
constexpr bool alike =
    sizeof(A) == sizeof(B) && std::is_pointer_v<A> == std::is_pointer_v<B>&& std::is_class_v<A> == std::is_class_v<B>;

template <class A, class... As, class B, class... Bs>
constexpr bool same(A (*)(As...), B (*)(Bs...)) {
  if constexpr (sizeof...(As) == sizeof...(Bs))
    return alike<A, B> && (alike<As, Bs> && ...);
  else
    return false;
}

constexpr Api kNone = {};
static_assert(same(decltype(&ncclGetVersion){}, kNone.GetVersion));
static_assert(same(decltype(&ncclGetUniqueId){}, kNone.GetUniqueId));
static_assert(same(decltype(&ncclGetErrorString){}, kNone.GetErrorString));
static_assert(same(decltype(&ncclGetLastError){}, kNone.GetLastError));
static_assert(same(decltype(&ncclCommInitRankConfig){}, kNone.CommInitRankConfig));
static_assert(same(decltype(&ncclCommGetAsyncError){}, kNone.CommGetAsyncError));
static_assert(same(decltype(&ncclCommFinalize){}, kNone.CommFinalize));
static_assert(same(decltype(&ncclCommDestroy){}, kNone.CommDestroy));
static_assert(same(decltype(&ncclCommAbort){}, kNone.CommAbort));
static_assert(same(decltype(&ncclAllReduce){}, kNone.AllReduce));
static_assert(same(decltype(&ncclReduce){}, kNone.Reduce));
static_assert(same(decltype(&ncclBroadcast){}, kNone.Broadcast));
static_assert(same(decltype(&ncclAllGather){}, kNone.AllGather));
static_assert(same(decltype(&ncclReduceScatter){}, kNone.ReduceScatter));
static_assert(same(decltype(&ncclSend){}, kNone.Send));
static_assert(same(decltype(&ncclRecv){}, kNone.Recv));
static_assert(same(decltype(&ncclGroupStart){}, kNone.GroupStart));
static_assert(same(decltype(&ncclGroupEnd){}, kNone.GroupEnd));
#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 19, 0)
static_assert(same(decltype(&ncclCommRegister){}, kNone.CommRegister));
static_assert(same(decltype(&ncclCommDeregister){}, kNone.CommDeregister));
#endif

}  // namespace

TEST_CASE("the engine's values of NCCL are those of nccl.h") {
  CHECK(int{kSuccess} == int{ncclSuccess});
  CHECK(int{kUnhandledCudaError} == int{ncclUnhandledCudaError});
  CHECK(int{kRemoteError} == int{ncclRemoteError});
  CHECK(int{kInProgress} == int{ncclInProgress});
  CHECK(int{kSum} == int{ncclSum});
  CHECK(int{kProd} == int{ncclProd});
  CHECK(int{kMax} == int{ncclMax});
  CHECK(int{kMin} == int{ncclMin});
  CHECK(int{kAvg} == int{ncclAvg});
  CHECK(int{kInt8} == int{ncclInt8});
  CHECK(int{kUint8} == int{ncclUint8});
  CHECK(int{kInt32} == int{ncclInt32});
  CHECK(int{kUint32} == int{ncclUint32});
  CHECK(int{kInt64} == int{ncclInt64});
  CHECK(int{kFloat16} == int{ncclFloat16});
  CHECK(int{kFloat32} == int{ncclFloat32});
  CHECK(int{kFloat64} == int{ncclFloat64});
  CHECK(int{kBfloat16} == int{ncclBfloat16});
}

TEST_CASE("the engine's configuration of NCCL begins as that of nccl.h") {
  const ncclConfig_t theirs = NCCL_CONFIG_INITIALIZER;
  CHECK(Config().magic == theirs.magic);
  CHECK(offsetof(Config, size) == offsetof(ncclConfig_t, size));
  CHECK(offsetof(Config, magic) == offsetof(ncclConfig_t, magic));
  CHECK(offsetof(Config, version) == offsetof(ncclConfig_t, version));
  CHECK(offsetof(Config, blocking) == offsetof(ncclConfig_t, blocking));
  CHECK(sizeof(Config) <= sizeof(ncclConfig_t));
  CHECK(sizeof(UniqueId) == sizeof(ncclUniqueId));
}

}  // namespace strata::distributed::nccl
