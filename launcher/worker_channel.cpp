// Packets between a worker and its launcher.
#include "launcher/worker_channel.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace strata::launcher {

std::pair<Descriptor, Descriptor> WorkerChannel::make_ends() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    throw std::system_error(errno, std::generic_category(), "socketpair");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

WorkerChannel::WorkerChannel(Loop& loop, Descriptor end, Said said)
    : fd_(std::move(end)), said_(std::move(said)), poll_(loop, fd_.get(), [this] { read_ready(); }) {
  poll_.start(UV_READABLE);
}

void WorkerChannel::send(const std::string& packet) {
  (void)::send(fd_.get(), packet.data(), packet.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
}

void WorkerChannel::drain() {
  while (read_ready()) {
  }
}

bool WorkerChannel::read_ready() {
  std::array<char, 8192> packet;
  const ssize_t size = recv(fd_.get(), packet.data(), packet.size(), MSG_DONTWAIT);
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  // A worker that ends with unread packets resets the connection. That is told once, before what it has sent.
  if (size < 0 && errno == ECONNRESET) return true;
  if (size <= 0) {  // the worker has closed it, or has ended
    poll_.stop();
    return false;
  }
  said_(std::string(packet.data(), static_cast<size_t>(size)));
  return true;
}

}  // namespace strata::launcher
