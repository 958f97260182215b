// A store's client over TCP: for Strata's own server, and for that of torch.distributed.TCPStore.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "rendezvous/store.h"

namespace strata::rendezvous {

/// A store's name, once a client has met it.
struct StoreIdentity {
  std::mutex mutex;
  std::string name;
};

struct ClientOptions {
  std::string host = "127.0.0.1";  ///< a name, an IPv4 or an IPv6 address
  uint16_t port = 0;
  std::string token;                     ///< the job's secret; empty for a plain store, such as Python's
  milliseconds connect_timeout{60'000};  ///< for a store that is yet to start: connecting is tried again until then
  milliseconds query_timeout{60'000};    ///< for queries that take no timeout
  bool waits_for_start = true;           ///< else a store that refuses the connection is an error at once, StoreGone
  /// Clients that share this talk to one store: where another one has come to its place, their queries throw
  /// StoreReplaced. Else a client goes on with whatever store is there. Wants a token.
  std::shared_ptr<StoreIdentity> identity = nullptr;
};

/// Connects when made and, where a connection broke, with the next call; a query that broke is not sent again, because
/// it may have been heard. One connection answers one query at a time: who wants to ask while another thread waits for
/// a key makes a client of their own.
class TcpClient final : public Store {
 public:
  /// Throws StoreTimeout where nobody listens in time, and StoreError at once where the token is not the store's.
  explicit TcpClient(ClientOptions options);
  ~TcpClient() override;

  void set(const std::string& key, std::string_view value) override;
  std::string get(const std::string& key, milliseconds timeout) override;
  int64_t add(const std::string& key, int64_t amount) override;
  bool check(const std::vector<std::string>& keys) override;
  void wait(const std::vector<std::string>& keys, milliseconds timeout) override;
  std::string compare_set(const std::string& key, std::string_view expected, std::string_view desired) override;
  bool delete_key(const std::string& key) override;
  void append(const std::string& key, std::string_view value) override;
  std::vector<std::string> multi_get(const std::vector<std::string>& keys, milliseconds timeout) override;
  void multi_set(const std::vector<std::string>& keys, const std::vector<std::string>& values) override;
  int64_t num_keys() override;
  std::string address() const override;
  /// The address that the store sees this machine at.
  std::string own_host() const;

 private:
  class Connection;
  std::unique_ptr<Connection> connection_;
};

}  // namespace strata::rendezvous
