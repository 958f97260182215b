// Finding the engines' libraries.
#include "distributed/engine.h"

#include <dlfcn.h>

#include "core/error.h"
#include "distributed/failure_store.h"

namespace strata::distributed {
namespace {

/// The folder of this library, with a slash behind it; empty where it is not known.
std::string own_folder() {
  Dl_info info;
  const auto here = reinterpret_cast<const void*>(&gloo_engine);
  const std::string path = dladdr(here, &info) && info.dli_fname ? info.dli_fname : "";
  return path.substr(0, path.rfind('/') + 1);
}

/// An engine's library lies beside this one, or wherever the loader looks. It is never unloaded.
template <class Entry = EngineEntry>
Entry load(const std::string& file, const char* name = "strata_engine_entry") {
  void* library = dlopen((own_folder() + file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  STRATA_CHECK(library, "distributed: {} was not loaded: {}", file, dlerror());
  const auto entry = reinterpret_cast<Entry>(dlsym(library, name));
  STRATA_CHECK(entry, "distributed: {} is not one of this version", file);
  return entry;
}

}  // namespace

ProcessGroup gloo_engine(const EngineOptions& options) {
  static const EngineEntry entry = load("libstrata_gloo.so");
  ProcessGroup group;
  entry(options, group);
  return group;
}

std::shared_ptr<FailureStore> failure_store(const EngineOptions& options) {
  static const auto entry = load<FailureStoreEntry>("libstrata_gloo.so", "strata_failure_store_entry");
  std::shared_ptr<FailureStore> store;
  entry(options, store);
  return store;
}

ProcessGroup nccl_engine(const EngineOptions& options) {
  static const EngineEntry entry = load("libstrata_nccl.so");
  ProcessGroup group;
  entry(options, group);
  return group;
}

}  // namespace strata::distributed
