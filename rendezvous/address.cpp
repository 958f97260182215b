// How names are resolved within a deadline.
#include "rendezvous/address.h"

#include <netdb.h>
#include <netinet/in.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <future>
#include <memory>
#include <thread>

#include "rendezvous/store.h"

namespace strata::rendezvous {
namespace {

struct Answer {
  int error = 0;
  std::vector<Address> addresses;
};

Answer look_up(const std::string& host, uint16_t port, int flags) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV | flags;
  addrinfo* list = nullptr;
  Answer answer;
  answer.error = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list);
  if (answer.error) return answer;
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(list, freeaddrinfo);
  for (const addrinfo* i = list; i; i = i->ai_next) {
    Address& address = answer.addresses.emplace_back();
    std::memcpy(&address.storage, i->ai_addr, i->ai_addrlen);
    address.size = i->ai_addrlen;
  }
  return answer;
}

}  // namespace

// A timeout of years would overflow the clock.
Deadline::Deadline(std::chrono::milliseconds timeout)
    : end_(Clock::now() + std::clamp<std::chrono::milliseconds>(timeout, {}, std::chrono::hours(24 * 365))) {}

int Deadline::left() const {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(end_ - Clock::now()).count();
  return static_cast<int>(std::clamp<int64_t>(left, 0, INT_MAX));
}

/// getaddrinfo has no deadline, so a name is looked up by a thread that is left behind where it takes too long.
std::vector<Address> resolve(const std::string& host, uint16_t port, const Deadline& deadline) {
  Answer answer = look_up(host, port, AI_NUMERICHOST);
  if (answer.error == EAI_NONAME) {
    std::packaged_task<Answer()> task([=] { return look_up(host, port, 0); });
    std::future<Answer> later = task.get_future();
    std::thread(std::move(task)).detach();
    if (later.wait_for(std::chrono::milliseconds(deadline.left())) != std::future_status::ready)
      throw StoreTimeout("store " + host_and_port(host, port) + ": the name service has not found the host in time");
    answer = later.get();
  }
  if (answer.error)
    throw StoreError("store " + host_and_port(host, port) + ": no address: " + gai_strerror(answer.error));
  return answer.addresses;
}

uint16_t port_of(const Address& address) {
  const bool six = address.storage.ss_family == AF_INET6;
  return ntohs(six ? reinterpret_cast<const sockaddr_in6&>(address.storage).sin6_port
                   : reinterpret_cast<const sockaddr_in&>(address.storage).sin_port);
}

std::string host_and_port(const std::string& host, uint16_t port) {
  const bool six = host.find(':') != host.npos;
  return (six ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

std::pair<std::string, uint16_t> split_host_and_port(const std::string& text) {
  const size_t colon = text.rfind(':'), bracket = text.starts_with('[') ? text.find(']') : std::string::npos;
  const int port = colon == text.npos ? 0 : std::atoi(text.c_str() + colon + 1);
  if (port < 1 || port > 65535) throw StoreError("the store " + text + " has no port");
  return {bracket == text.npos ? text.substr(0, colon) : text.substr(1, bracket - 1), static_cast<uint16_t>(port)};
}

bool is_loopback(const std::string& host) { return host == "localhost" || host == "::1" || host.starts_with("127."); }

std::string listening_host(const std::string& host) {
  if (is_loopback(host)) return host;
  return host.find(':') != host.npos ? "::" : "0.0.0.0";
}

}  // namespace strata::rendezvous
