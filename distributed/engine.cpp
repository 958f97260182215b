// Finding the engines' libraries.
#include "distributed/engine.h"

#include "core/component.h"
#include "distributed/failure_store.h"

namespace strata::distributed {
namespace {

template <class Entry = EngineEntry>
Entry load(const char* file, const char* name = "strata_engine_entry") {
  return reinterpret_cast<Entry>(strata::detail::load_component("distributed", file, name));
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
