// A connected TCP socket that sends and receives within deadlines.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "rendezvous/address.h"

namespace strata::rendezvous {

class SocketError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Nobody listens at the port.
class SocketRefused : public SocketError {
  using SocketError::SocketError;
};

/// A deadline passed before all bytes had gone or come.
struct SocketTimeout {};

/// Owns a descriptor that children do not inherit. Not for use by two threads at once.
class Socket {
 public:
  Socket() = default;
  ~Socket() { close(); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  /// Throws SocketRefused where the peer refuses, SocketError where there is no way to it and SocketTimeout where it
  /// does not answer.
  void connect(const Address& address, const Deadline& deadline);
  void send(std::string_view bytes, const Deadline& deadline);

  /// Exactly `size` bytes.
  std::string receive(size_t size, const Deadline& deadline);
  /// The own end's address, numeric.
  std::string own_host() const;
  void close();
  bool is_open() const { return fd_ >= 0; }

 private:
  void poll_for(short events, const Deadline& deadline) const;

  int fd_ = -1;
};

}  // namespace strata::rendezvous
