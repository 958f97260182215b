// Loading NCCL.
#include "distributed/nccl/api.h"

#include <dlfcn.h>

#include "core/error.h"

namespace strata::distributed::nccl {
namespace {

class Library {
 public:
  Library() : handle_(dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL)) {
    STRATA_CHECK(handle_, "nccl: NCCL was not loaded: {}", dlerror());
  }
  template <class Function>
  void optional(const char* name, Function& entry) const {
    entry = reinterpret_cast<Function>(dlsym(handle_, name));
  }
  template <class Function>
  void required(const char* name, Function& entry) const {
    optional(name, entry);
    STRATA_CHECK(entry, "nccl: this libnccl.so.2 has no {}; version 2.14 or newer is needed", name);
  }

 private:
  void* const handle_;  // never unloaded
};

Api load() {
  const Library library;
  Api a = {};
  library.required("ncclGetVersion", a.GetVersion);
  library.required("ncclGetUniqueId", a.GetUniqueId);
  library.required("ncclGetErrorString", a.GetErrorString);
  library.required("ncclGetLastError", a.GetLastError);
  library.required("ncclCommInitRankConfig", a.CommInitRankConfig);
  library.required("ncclCommGetAsyncError", a.CommGetAsyncError);
  library.required("ncclCommFinalize", a.CommFinalize);
  library.required("ncclCommDestroy", a.CommDestroy);
  library.required("ncclCommAbort", a.CommAbort);
  library.required("ncclAllReduce", a.AllReduce);
  library.required("ncclReduce", a.Reduce);
  library.required("ncclBroadcast", a.Broadcast);
  library.required("ncclAllGather", a.AllGather);
  library.required("ncclReduceScatter", a.ReduceScatter);
  library.required("ncclSend", a.Send);
  library.required("ncclRecv", a.Recv);
  library.required("ncclGroupStart", a.GroupStart);
  library.required("ncclGroupEnd", a.GroupEnd);
  library.optional("ncclCommRegister", a.CommRegister);
  library.optional("ncclCommDeregister", a.CommDeregister);
  library.optional("ncclCommSplit", a.CommSplit);
  library.optional("ncclCommShrink", a.CommShrink);
  int version = 0;
  STRATA_CHECK(a.GetVersion(&version) == kSuccess && version >= 21400, "nccl: version {} is older than 2.14", version);
  return a;
}

}  // namespace

const Api& api() {
  static const Api loaded = load();
  return loaded;
}

}  // namespace strata::distributed::nccl
