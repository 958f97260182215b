// Blocking sockets with deadlines.
#include "rendezvous/client.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <thread>

namespace strata::rendezvous {
namespace {

using Clock = std::chrono::steady_clock;

std::string list(const std::vector<std::string>& keys) {
  std::string all = bytes_of(uint64_t{keys.size()});
  for (const std::string& key : keys) all += text("/" + key);  // TCPStore puts a slash before each key
  return all;
}
std::string key_text(const std::string& key) { return text("/" + key); }

int milliseconds_until(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<int64_t>(left, 0, 1 << 30));
}

}  // namespace

Client::Client(const std::string& host, int port, const std::string& token, Milliseconds timeout)
    : host_(host), token_(token), port_(port), timeout_(timeout), doing_("connect") {
  const Deadline end = deadline();
  connect_until(end);
  if (!token_.empty()) shake_hands(end);
  send(std::string(1, static_cast<char>(Query::kValidate)) + bytes_of(kMagic), end);
  const auto nonce = static_cast<uint32_t>(getpid());
  send(std::string(1, static_cast<char>(Query::kPing)) + bytes_of(nonce), end);
  if (receive_number<uint32_t>(end) != nonce) fail("it does not speak TCPStore's protocol");
}

Client::~Client() { close(); }

void Client::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

void Client::fail(const std::string& why) {
  close();
  throw StoreError("store at " + host_ + ":" + std::to_string(port_) + ": " + doing_ + ": " + why);
}

void Client::connect_until(Deadline end) {
  std::string why;
  for (auto pause = Milliseconds(5); !try_connect(end, why); pause = std::min(2 * pause, Milliseconds(500))) {
    if (Clock::now() + pause >= end) fail(why + " (tried for " + std::to_string(timeout_.count()) + " ms)");
    std::this_thread::sleep_for(pause);
  }
}

bool Client::try_connect(Deadline end, std::string& why) {
  addrinfo hints = {}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  if (const int error = getaddrinfo(host_.c_str(), std::to_string(port_).c_str(), &hints, &found)) {
    why = gai_strerror(error);
    return false;
  }
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> list(found, &freeaddrinfo);
  for (const addrinfo* a = found; a; a = a->ai_next) {
    close();
    fd_ = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, a->ai_protocol);
    if (fd_ < 0) continue;
    int error = connect(fd_, a->ai_addr, a->ai_addrlen) == 0 ? 0 : errno;
    if (error == EINPROGRESS) {
      pollfd p{fd_, POLLOUT, 0};
      socklen_t size = sizeof error;
      error = ETIMEDOUT;
      if (poll(&p, 1, milliseconds_until(end)) > 0) getsockopt(fd_, SOL_SOCKET, SO_ERROR, &error, &size);
    }
    if (error == 0) {
      const int on = 1;
      setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      return true;
    }
    why = std::strerror(error);
  }
  return false;
}

void Client::shake_hands(Deadline end) {
  doing_ = "handshake";
  const std::string challenge = receive(kNonce, end), nonce = random_bytes(kNonce);
  send(nonce + proof(token_, challenge, "client"), end);
  const std::string answer = receive(kProof, end);
  if (!equal_in_constant_time(answer, proof(token_, nonce, "server"))) fail("it has another token");
}

void Client::wait_for(short events, Deadline end) {
  pollfd p{fd_, events, 0};
  for (;;) {
    const int ready = poll(&p, 1, milliseconds_until(end));
    if (ready > 0) return;
    if (ready == 0) fail("no answer in time");
    if (errno != EINTR) fail(std::strerror(errno));
  }
}

void Client::send(const std::string& message, Deadline end) {
  if (fd_ < 0) fail("the connection is closed");
  for (size_t at = 0; at < message.size();) {
    const ssize_t sent = ::send(fd_, message.data() + at, message.size() - at, MSG_NOSIGNAL);
    if (sent >= 0)
      at += static_cast<size_t>(sent);
    else if (errno == EAGAIN)
      wait_for(POLLOUT, end);
    else if (errno != EINTR)
      fail(std::strerror(errno));
  }
}

std::string Client::receive(size_t count, Deadline end) {
  std::string bytes(count, '\0');
  for (size_t at = 0; at < count;) {
    const ssize_t got = recv(fd_, bytes.data() + at, count - at, 0);
    if (got > 0)
      at += static_cast<size_t>(got);
    else if (got == 0)
      fail("it has closed the connection");
    else if (errno == EAGAIN)
      wait_for(POLLIN, end);
    else if (errno != EINTR)
      fail(std::strerror(errno));
  }
  return bytes;
}

template <class T>
T Client::receive_number(Deadline end) {
  const std::string bytes = receive(sizeof(T), end);
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

std::string Client::receive_value(Deadline end) {
  const auto size = receive_number<uint64_t>(end);
  if (size > kLongestValue) fail("a value of " + std::to_string(size) + " bytes is too long");
  return receive(size, end);
}

void Client::ask(Query query, const std::string& rest) {
  send(std::string(1, static_cast<char>(query)) + rest, deadline());
}

void Client::set(const std::string& key, const std::string& value) {
  doing_ = "set " + key;
  ask(Query::kSet, key_text(key) + text(value));
}

void Client::wait(const std::vector<std::string>& keys, Milliseconds timeout) {
  doing_ = "wait for " + (keys.size() == 1 ? keys[0] : std::to_string(keys.size()) + " keys") + " for " +
           std::to_string(timeout.count()) + " ms";
  ask(Query::kWait, list(keys));
  if (receive_number<uint8_t>(Clock::now() + timeout) != 0) fail("the wait was cancelled");
}

std::string Client::get(const std::string& key, Milliseconds timeout) {
  wait({key}, timeout);
  doing_ = "get " + key;
  ask(Query::kGet, key_text(key));
  return receive_value(deadline());
}

bool Client::check(const std::vector<std::string>& keys) {
  doing_ = "check";
  ask(Query::kCheck, list(keys));
  return receive_number<uint8_t>(deadline()) == 0;
}

int64_t Client::add(const std::string& key, int64_t amount) {
  doing_ = "add to " + key;
  ask(Query::kAdd, key_text(key) + bytes_of(amount));
  return receive_number<int64_t>(deadline());
}

std::string Client::compare_set(const std::string& key, const std::string& expected, const std::string& desired) {
  doing_ = "compare_set " + key;
  ask(Query::kCompareSet, key_text(key) + text(expected) + text(desired));
  return receive_value(deadline());
}

bool Client::delete_key(const std::string& key) {
  doing_ = "delete " + key;
  ask(Query::kDeleteKey, key_text(key));
  return receive_number<int64_t>(deadline()) > 0;
}

int64_t Client::num_keys() {
  doing_ = "count keys";
  ask(Query::kGetNumKeys, "");
  return receive_number<int64_t>(deadline());
}

}  // namespace strata::rendezvous
