// Hosts and ports: from names to addresses of sockets and back to text.
#pragma once

#include <sys/socket.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace strata::rendezvous {

/// A moment on the monotonic clock by which something must have happened.
class Deadline {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Deadline(std::chrono::milliseconds timeout);

  bool passed() const { return Clock::now() >= end_; }

  /// Milliseconds left, rounded up, as poll() takes them; 0 once it has passed.
  int left() const;

 private:
  Clock::time_point end_;
};

struct Address {
  sockaddr_storage storage{};
  socklen_t size = 0;

  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
};

/// The stream addresses of `host` (a name, or an IPv4 or IPv6 address); throws StoreError for an unknown one and
/// StoreTimeout where the name service has not answered by the deadline.
std::vector<Address> resolve(const std::string& host, uint16_t port, const Deadline& deadline);

/// The port of an IPv4 or IPv6 address.
uint16_t port_of(const Address& address);

/// "host:port", with an IPv6 address in brackets.
std::string host_and_port(const std::string& host, uint16_t port);

/// The way back. Throws StoreError where there is no port.
std::pair<std::string, uint16_t> split_host_and_port(const std::string& text);

/// Does a host name this machine to itself alone?
bool is_loopback(const std::string& host);

/// What to listen at as one whom others know as `host`: that, where it is a loopback address, or all of its family.
std::string listening_host(const std::string& host);

}  // namespace strata::rendezvous
