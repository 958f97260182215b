// What a store's server holds: keys, values and who waits for which.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace strata::rendezvous {

/// The generation that a key belongs to: n of "gen/<n>/..." or "/gen/<n>/...".
std::optional<int64_t> generation_of(std::string_view key);

/// Somebody who waits for keys.
class Waiter {
 public:
  virtual ~Waiter() = default;

  /// All keys that it waited for have come. It may leave the table, but is not destroyed, before it returns.
  virtual void on_keys() = 0;

 private:
  friend class KeyTable;
  std::unordered_set<std::string> missing_;
};

/// Keys and values with limits. Waiters are told of keys as they are set. For one thread.
class KeyTable {
 public:
  KeyTable(size_t max_keys, size_t max_bytes) : max_keys_(max_keys), max_bytes_(max_bytes) {}

  bool has(const std::string& key) const { return values_.contains(key); }

  /// The value, or null.
  const std::string* find(const std::string& key) const;

  /// False where the table would become too large; nothing is changed then.
  bool set(const std::string& key, std::string value);
  bool remove(const std::string& key);
  size_t size() const { return values_.size(); }

  /// True if all are there; otherwise `waiter`, which must wait for nothing, will hear of it when they are.
  bool wait(Waiter& waiter, const std::vector<std::string>& keys);
  void leave(Waiter& waiter);

  /// Drops the keys of generations before `generation` and returns the waiters that waited for one, which it leaves
  /// waiting for nothing.
  std::vector<Waiter*> fence(int64_t generation);

 private:
  void wake(const std::string& key);

  std::unordered_map<std::string, std::string> values_;
  std::unordered_map<std::string, std::unordered_set<Waiter*>> waiting_;
  size_t bytes_ = 0;
  const size_t max_keys_;
  const size_t max_bytes_;
};

}  // namespace strata::rendezvous
