// Where ranks leave word for one another when something goes wrong.
#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "engine.h"

namespace strata::distributed {

/// Keys and values that all ranks of a group see, apart from the connections that collectives use. Calls come from any
/// thread, throw nothing and return within a deadline.
class FailureStore {
 public:
  enum class Answer : uint8_t {
    kYes,
    kNo,      ///< there is no such key
    kSilent,  ///< no answer within the deadline: its process is stopped, or the link is cut
    kGone     ///< its process has closed the connection
  };
  virtual ~FailureStore() = default;
  virtual Answer set(const std::string& key, const std::string& value) = 0;
  /// Does not wait for the key.
  virtual Answer get(const std::string& key, std::string& value) = 0;
  /// Sets the key where it is not there; `value` is then what it holds.
  virtual Answer put_first(const std::string& key, std::string& value) = 0;
  /// Does the store live and end with the group's rank 0?
  virtual bool is_of_rank_0() const = 0;
  /// Does its end mean that the launcher has gone on to another generation, or has ended?
  virtual bool is_of_generation() const = 0;
  /// Is it this process that holds it?
  virtual bool is_host() const = 0;
};

/// What the library of Gloo's engine exports as `strata_failure_store_entry`: a store of its own connection at
/// `options.store`, which it opens on rank 0 if that is a tcp:// one.
using FailureStoreEntry = void (*)(const EngineOptions& options, std::shared_ptr<FailureStore>& store);
std::shared_ptr<FailureStore> failure_store(const EngineOptions& options);

}  // namespace strata::distributed
