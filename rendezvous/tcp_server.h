// The store's server, on libuv: in a thread of its own or in a loop that the caller runs.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "rendezvous/store.h"

struct uv_loop_s;

namespace strata::rendezvous {

struct ServerOptions {
  std::string host = "127.0.0.1";  ///< the address to listen at; others than loopback only if asked for
  uint16_t port = 0;               ///< 0 takes a free one
  std::string token;               ///< the job's secret (see `make_token`)
  bool plain = false;              ///< serves whoever connects, as torch's TCPStore does; `token` must then be empty
  milliseconds handshake_timeout{5'000};  ///< for a connection's first bytes
  size_t max_key = 4 << 10;               ///< bytes
  size_t max_value = 64 << 20;            ///< bytes
  size_t max_keys = 1 << 20;
  size_t max_bytes = size_t{1} << 30;  ///< all keys and values together
  size_t max_connections = 65'536;
};

/// Listens from when it is made; throws StoreError where it cannot. Whoever does not hold the token is cut off before
/// the server parses or keeps anything of theirs.
class TcpServer {
 public:
  /// Serves from a thread of its own.
  explicit TcpServer(ServerOptions options = {});

  /// Serves from `loop`, which the caller runs, from the thread that makes, uses and destroys this server. Its handles
  /// close after `stop` or the destructor while the loop still runs, so run it to its end before closing it. The
  /// program must ignore SIGPIPE, which libuv raises where a client has gone.
  TcpServer(ServerOptions options, uv_loop_s* loop);

  ~TcpServer();

  uint16_t port() const;

  /// "host:port".
  std::string address() const;

  /// Ends all generations before `generation`: their keys are gone, and those who ask or wait for them get
  /// GenerationOver (of a plain server: a closed connection). Fences only move forward. From any thread.
  void fence(int64_t generation);

  /// Takes no more queries; clients that wait get an error. With a thread of its own: returns when that has ended.
  void stop();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace strata::rendezvous
