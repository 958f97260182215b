// Where the ranks of a group find each other: what a group's option `store` may name.
#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "rendezvous/store.h"

namespace strata::rendezvous {

/// Keys and values that all ranks of a group see. Calls come from one thread at a time; failures throw StoreError.
class Meeting {
 public:
  virtual ~Meeting() = default;
  virtual void set(const std::string& key, const std::string& value) = 0;
  /// Waits for the key.
  virtual std::string get(const std::string& key, std::chrono::milliseconds timeout) = 0;
  virtual bool check(const std::string& key) = 0;
  /// Sets the key where it is not there, and returns what it holds then.
  virtual std::string put_first(const std::string& key, const std::string& value) = 0;
  virtual void remove(const std::string& key) = 0;
  /// Does the store end with this object? So on rank 0 where nobody else has opened one.
  virtual bool is_host() const { return false; }
};

struct MeetingOptions {
  /// "file:///path", a folder that all see and that is fresh; "tcp://host:port", where rank 0 opens a store;
  /// "agent://host:port" or "generation://host:port", where somebody has opened one.
  std::string store;
  std::string token;  ///< of the store; empty for one that asks for none
  int64_t rank = 0;
  std::chrono::milliseconds timeout{0};
  std::chrono::milliseconds query_timeout{0};  ///< of queries that take none; 0 for `timeout`
  /// The store has been opened already: one that refuses the connection has ended, and is not waited for (StoreGone).
  bool is_open = false;
};
std::unique_ptr<Meeting> meet(const MeetingOptions& options);

}  // namespace strata::rendezvous
