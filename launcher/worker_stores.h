// The stores that the workers of an elastic job meet at.
#pragma once

#include <memory>
#include <string>

#include "rendezvous/tcp_server.h"

namespace strata::launcher {

/// A store for each generation, of the launcher and not of rank 0, whose worker may be the one that dies. The end of a
/// generation's store ends the wait of those who meet there for somebody who will not come.
class WorkerStores {
 public:
  /// Serves a new generation at `host`, the address that this machine is reached by. Of the last generation, the store
  /// is kept where its workers go on until all have heard of the new one. Throws StoreError.
  void open(const std::string& host, bool keep_last);

  /// Where workers find the newest: "generation://HOST:PORT", and its token.
  const std::string& place() const { return place_; }
  const std::string& token() const { return token_; }

 private:
  std::string place_, token_;
  std::unique_ptr<rendezvous::TcpServer> newest_, last_;
};

}  // namespace strata::launcher
