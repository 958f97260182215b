// Which node of a job serves the store that its launchers meet at, and which follows when that one is lost.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "launcher/options.h"
#include "rendezvous/tcp_client.h"

namespace strata::launcher {

/// The host and port of "HOST:PORT", "[IPV6]:PORT" or "HOST" (port 29400, as torchrun's). Throws Exit (2).
rendezvous::ClientOptions store_address(const Options& options);

/// At first node 0 serves, at the endpoint. Each node of MIN:MAX has a store in waiting, whose place all of its
/// generation know; when the one that serves is lost, that of the lowest living node takes its place.
///
/// A link that is cut divides a generation, and at most one of the parts may go on. So a generation follows another
/// only with half of the nodes of that one which may still live, where the one that served is among them or has surely
/// ended, and else with more than half. A process has surely ended where its machine says that nobody listens.
class Succession {
 public:
  explicit Succession(const Options& options);

  int host() const { return host_; }
  /// Where the store is.
  const rendezvous::ClientOptions& address() const { return address_; }
  /// Is the store at the endpoint, where nodes that come look for it?
  bool is_at_endpoint() const { return address_.host == endpoint_.host && address_.port == endpoint_.port; }
  const rendezvous::ClientOptions& endpoint() const { return endpoint_; }

  /// A generation has begun, of nodes whose stores are at `places`.
  void begin(int host, const std::map<int, std::string>& places);
  /// Another node than the host has ended, and said so.
  void left(int node) { may_live_.erase(node); }
  /// The host is lost: surely ended, or silent. Whether another one can follow it, which then is the host.
  bool lose_host(bool has_ended);
  /// The store is at a place that is told there.
  void move_to(const std::string& place);

  /// The nodes of the generation that may take part in the next.
  std::vector<int> nodes() const;
  /// How many of them it takes.
  int quorum() const;

 private:
  void serve_at(int host, const std::string& place);

  const rendezvous::ClientOptions endpoint_;
  rendezvous::ClientOptions address_;
  int host_ = 0;
  std::map<int, std::string> places_;  // of the nodes of the generation that were not lost as hosts
  std::set<int> may_live_;
  bool passed_silent_ = false;
};

}  // namespace strata::launcher
