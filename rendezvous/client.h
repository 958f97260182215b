// A client of a store: keys and values that the ranks of a job share.
#pragma once
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "rendezvous/protocol.h"

namespace strata::rendezvous {

/// What went wrong with a store, in one line: which, what was asked of it, and how long was waited.
struct StoreError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One connection; calls come from one thread at a time. Each is answered within the timeout or throws StoreError, and
/// after that the connection is closed.
class Client {
 public:
  using Milliseconds = std::chrono::milliseconds;

  /// Connects, trying again until the timeout is over: the server may not be there yet. A store of ours asks for a
  /// token; without one, the store is a plain TCPStore, such as torchrun's.
  Client(const std::string& host, int port, const std::string& token, Milliseconds timeout);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void set(const std::string& key, const std::string& value);
  /// Waits for the key.
  std::string get(const std::string& key, Milliseconds timeout);
  void wait(const std::vector<std::string>& keys, Milliseconds timeout);
  bool check(const std::vector<std::string>& keys);
  /// The sum; a key that is not there counts as 0.
  int64_t add(const std::string& key, int64_t amount);
  /// Sets the key to `desired` where it is `expected` (where it is not there, if that is empty); returns what it is
  /// now.
  std::string compare_set(const std::string& key, const std::string& expected, const std::string& desired);
  bool delete_key(const std::string& key);
  int64_t num_keys();

 private:
  using Deadline = std::chrono::steady_clock::time_point;
  void connect_until(Deadline deadline);
  bool try_connect(Deadline deadline, std::string& why);
  void shake_hands(Deadline deadline);
  void send(const std::string& message, Deadline deadline);
  std::string receive(size_t count, Deadline deadline);
  std::string receive_value(Deadline deadline);
  template <class T>
  T receive_number(Deadline deadline);
  void ask(Query query, const std::string& rest);
  void wait_for(short events, Deadline deadline);
  [[noreturn]] void fail(const std::string& why);
  Deadline deadline() const { return std::chrono::steady_clock::now() + timeout_; }
  void close();

  const std::string host_, token_;
  const int port_;
  const Milliseconds timeout_;
  int fd_ = -1;
  std::string doing_;  ///< for errors
};

}  // namespace strata::rendezvous
