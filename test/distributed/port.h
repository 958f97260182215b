// Ports of this machine.
#pragma once
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "test/catch.h"

namespace strata {

/// Has a port, at which nobody listens.
struct Bound {
  Bound() : fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in own = {};
    own.sin_family = AF_INET, own.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof own;
    REQUIRE(bind(fd, reinterpret_cast<sockaddr*>(&own), size) == 0);
    REQUIRE(getsockname(fd, reinterpret_cast<sockaddr*>(&own), &size) == 0);
    port = ntohs(own.sin_port);
  }
  ~Bound() { close(fd); }
  Bound(const Bound&) = delete;
  Bound& operator=(const Bound&) = delete;
  const int fd;
  int port = 0;
};

/// A port that was free just now.
inline int free_port() { return Bound().port; }

}  // namespace strata
