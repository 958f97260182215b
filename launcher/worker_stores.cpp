// A server of a store for each generation.
#include "launcher/worker_stores.h"

#include <utility>

#include "rendezvous/address.h"
#include "rendezvous/handshake.h"

namespace strata::launcher {

void WorkerStores::open(const std::string& host, bool keep_last) {
  rendezvous::ServerOptions options;
  options.host = rendezvous::listening_host(host);
  options.token = rendezvous::make_token();
  auto store = std::make_unique<rendezvous::TcpServer>(options);
  last_ = std::exchange(newest_, std::move(store));
  if (!keep_last) last_.reset();
  token_ = options.token;
  place_ = "generation://" + rendezvous::host_and_port(host, newest_->port());
}

}  // namespace strata::launcher
