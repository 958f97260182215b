// What the store's tests share: servers, clients and times.
#pragma once

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "rendezvous/tcp_client.h"
#include "rendezvous/tcp_server.h"
#include "test/catch.h"

namespace store_test {

using strata::rendezvous::ClientOptions;
using strata::rendezvous::milliseconds;
using strata::rendezvous::ServerOptions;
using strata::rendezvous::StoreError;
using strata::rendezvous::TcpClient;
using strata::rendezvous::TcpServer;
using Clock = std::chrono::steady_clock;
using Keys = std::vector<std::string>;

inline const std::string kToken(64, 'a');
constexpr milliseconds kSoon{20'000};  // longer than anything here takes on a busy machine

inline ServerOptions with_token() {
  ServerOptions options;
  options.token = kToken;
  return options;
}

inline ServerOptions plain() {
  ServerOptions options;
  options.plain = true;
  return options;
}

inline ClientOptions client_of(const TcpServer& server, std::string token = kToken) {
  return {"127.0.0.1", server.port(), std::move(token), kSoon, kSoon};
}

template <class Error, class Fn>
std::string message_of(Fn fn) {
  try {
    fn();
  } catch (const Error& error) {
    return error.what();
  }
  FAIL("nothing was thrown");
  return "";
}

}  // namespace store_test
