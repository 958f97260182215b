// The key-value store that the ranks of a job meet at, whatever holds its keys.
#pragma once

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace strata::rendezvous {

using std::chrono::milliseconds;

/// What a store throws: one line that names the store's address, the query and what went wrong.
class StoreError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A deadline passed: keys that nobody set, or a store that did not answer.
class StoreTimeout : public StoreError {
  using StoreError::StoreError;
};

/// The store's machine answers, and nobody listens there: whoever served has ended.
class StoreGone : public StoreError {
  using StoreError::StoreError;
};

/// The store asks for a token, and not for this one; or it does not hold it either.
class TokenRefused : public StoreError {
  using StoreError::StoreError;
};

/// Another store has come to where the one was that the client knew: it has none of what was set there.
class StoreReplaced : public StoreError {
  using StoreError::StoreError;
};

/// The query names a generation that the job has left behind: its ranks must meet again under the new one.
class GenerationOver : public StoreError {
  using StoreError::StoreError;
};

/// Keys and values, both bytes, that all ranks see. Numbers made by `add` are kept as decimal text, as c10d's stores
/// do.
///
/// Keys of a job's n-th try begin with "gen/<n>/" (see `generation_key`), so that a rank left over from an earlier one
/// meets nobody. Each call may be made from any thread. Timeouts count from the call, on the monotonic clock; a call
/// that takes none has the store's own.
class Store {
 public:
  virtual ~Store() = default;

  /// Sets `key`, whatever it held, and wakes those who wait for it.
  virtual void set(const std::string& key, std::string_view value) = 0;

  /// The value of `key`, for which it waits up to `timeout`; throws StoreTimeout if nobody sets it.
  virtual std::string get(const std::string& key, milliseconds timeout) = 0;

  /// Adds `amount` to the number at `key` (0 where there is none) and returns the sum.
  virtual int64_t add(const std::string& key, int64_t amount) = 0;

  /// Whether all of `keys` are there now.
  virtual bool check(const std::vector<std::string>& keys) = 0;

  /// Waits up to `timeout` until all of `keys` have been set; throws StoreTimeout, naming the first key, otherwise.
  virtual void wait(const std::vector<std::string>& keys, milliseconds timeout) = 0;

  /// Sets `key` to `desired` if it holds `expected`, or is not there and `expected` is empty. Returns what it holds
  /// then; where it is not there and `expected` is not empty, `expected`.
  virtual std::string compare_set(const std::string& key, std::string_view expected, std::string_view desired) = 0;

  /// Removes `key`; false if it was not there.
  virtual bool delete_key(const std::string& key) = 0;

  /// Adds `value` at the end of what `key` holds.
  virtual void append(const std::string& key, std::string_view value) = 0;

  /// The values of `keys` in their order, for all of which it waits up to `timeout`.
  virtual std::vector<std::string> multi_get(const std::vector<std::string>& keys, milliseconds timeout) = 0;

  /// Sets each of `keys` to the value at the same place of `values`, all at once.
  virtual void multi_set(const std::vector<std::string>& keys, const std::vector<std::string>& values) = 0;

  /// How many keys the store holds, those of all generations together.
  virtual int64_t num_keys() = 0;

  /// "host:port", for messages.
  virtual std::string address() const = 0;
};

/// `key` under the generation `generation` (>= 0) of a job.
inline std::string generation_key(int64_t generation, std::string_view key) {
  return "gen/" + std::to_string(generation) + "/" + std::string(key);
}

}  // namespace strata::rendezvous
