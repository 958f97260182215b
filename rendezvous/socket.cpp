// Sockets that never block but in poll(), which knows the deadline.
#include "rendezvous/socket.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace strata::rendezvous {
namespace {

/// Who waits for a store's word does not send anything, and so would not hear that the store has ended where the one
/// packet that says so is lost. After so many seconds without a word the system asks whether it is there, and each so
/// many again.
constexpr int kSecondsUntilProbe = 5;

constexpr size_t kPiece = 1 << 20;  // so that a length in an answer does not decide by itself what is allocated

[[noreturn]] void fail(int error) {
  const std::string text = std::generic_category().message(error);
  if (error == ECONNREFUSED) throw SocketRefused(text);
  throw SocketError(text);
}

bool try_later(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

}  // namespace

void Socket::connect(const Address& address, const Deadline& deadline) {
  close();
  fd_ = socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd_ < 0) fail(errno);
  const int on = 1;
  setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  setsockopt(fd_, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  setsockopt(fd_, IPPROTO_TCP, TCP_KEEPIDLE, &kSecondsUntilProbe, sizeof kSecondsUntilProbe);
  setsockopt(fd_, IPPROTO_TCP, TCP_KEEPINTVL, &kSecondsUntilProbe, sizeof kSecondsUntilProbe);
  if (::connect(fd_, address.get(), address.size) == 0) return;
  if (errno != EINPROGRESS && errno != EINTR) fail(errno);
  poll_for(POLLOUT, deadline);
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(fd_, SOL_SOCKET, SO_ERROR, &error, &size);
  if (error) fail(error);
}

void Socket::send(std::string_view bytes, const Deadline& deadline) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent > 0)
      bytes.remove_prefix(static_cast<size_t>(sent));
    else if (try_later(errno))
      poll_for(POLLOUT, deadline);
    else
      fail(errno);
  }
}

std::string Socket::receive(size_t size, const Deadline& deadline) {
  std::string bytes;
  size_t have = 0;
  while (have < size) {
    if (have == bytes.size()) bytes.resize(std::min(size, have + kPiece));
    const ssize_t got = recv(fd_, bytes.data() + have, bytes.size() - have, 0);
    if (got > 0)
      have += static_cast<size_t>(got);
    else if (got == 0)
      throw SocketError("the store closed the connection");
    else if (try_later(errno))
      poll_for(POLLIN, deadline);
    else
      fail(errno);
  }
  return bytes;
}

std::string Socket::own_host() const {
  sockaddr_storage own = {};
  socklen_t size = sizeof own;
  char text[NI_MAXHOST] = "";
  auto* const generic = reinterpret_cast<sockaddr*>(&own);
  if (getsockname(fd_, generic, &size) != 0) fail(errno);
  if (getnameinfo(generic, size, text, sizeof text, nullptr, 0, NI_NUMERICHOST) != 0)
    throw SocketError("the own address has no text");
  return text;
}

void Socket::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

void Socket::poll_for(short events, const Deadline& deadline) const {
  pollfd entry{fd_, events, 0};
  for (;;) {
    const int ready = poll(&entry, 1, deadline.left());
    if (ready > 0) return;
    if (ready < 0 && errno != EINTR) fail(errno);
    if (deadline.passed()) throw SocketTimeout{};
  }
}

}  // namespace strata::rendezvous
