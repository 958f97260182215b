// A store: keys and values in the memory of one process, over TCP.
#pragma once
#include <memory>
#include <string>

namespace strata::rendezvous {

struct ServerOptions {
  /// Who can connect: this machine, or whoever reaches another address ("0.0.0.0", "::" for all). Only numbers.
  std::string address = "127.0.0.1";
  int port = 0;  ///< 0 for one that is free
  /// What clients have to know. Without one, anybody who connects is believed, as by torch's TCPStore.
  std::string token = {};
};

/// Serves on a thread of its own from construction to destruction. Throws StoreError (client.h) where it cannot listen.
class Server {
 public:
  explicit Server(const ServerOptions& options);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  int port() const;

 private:
  struct Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace strata::rendezvous
