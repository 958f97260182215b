// The default group of a process.
#include "distributed/process_group.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>

#include "core/cuda.h"
#include "core/error.h"
#include "distributed/device_group.h"
#include "distributed/engine.h"
#include "distributed/environment.h"
#include "distributed/threads.h"

namespace strata::distributed {
namespace {

struct Default {
  std::mutex mutex;
  std::optional<GroupScope> scope;
};
/// Never destroyed, so that a program may end without leaving the group.
Default& of_process() {
  static auto* const all = new Default;
  return *all;
}

/// The address of this machine on the way to another one: what a datagram to it would be sent from. Empty where there
/// is none.
std::string address_towards(const std::string& host) {
  addrinfo hints = {}, *found = nullptr;
  hints.ai_socktype = SOCK_DGRAM;
  if (getaddrinfo(host.c_str(), "9", &hints, &found) != 0) return "";
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> list(found, &freeaddrinfo);
  const int fd = socket(found->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_storage own = {};
  socklen_t size = sizeof own;
  char text[NI_MAXHOST] = "";
  const bool known =
      fd >= 0 && connect(fd, found->ai_addr, found->ai_addrlen) == 0 &&
      getsockname(fd, reinterpret_cast<sockaddr*>(&own), &size) == 0 &&
      getnameinfo(reinterpret_cast<sockaddr*>(&own), size, text, sizeof text, nullptr, 0, NI_NUMERICHOST) == 0;
  if (fd >= 0) close(fd);
  return known ? text : "";
}

/// Where ranks meet: a launcher's store, or one that rank 0 opens.
std::string store_of(const Environment& e, EngineOptions& engine) {
  const char* const token = std::getenv("STRATA_STORE_TOKEN");
  if (token && !e.agent_has_store) engine.token = token;
  if (const char* const store = std::getenv("STRATA_STORE"))
    return std::strstr(store, "://") ? store : std::string("agent://") + store;
  const bool six = e.master_addr.find(':') != std::string::npos;
  const std::string host = six ? "[" + e.master_addr + "]" : e.master_addr;
  return (e.agent_has_store ? "agent://" : "tcp://") + host + ":" + std::to_string(e.master_port);
}

/// -1 where it does not matter.
int64_t device_of(const InitOptions& o, const Environment& e) {
  if (o.device >= 0 || o.backend.find("nccl") == std::string::npos) return o.device;
  const DeviceIndex count = cuda::device_count();
  return count > 0 ? e.local_rank % count : -1;
}

bool asks_for_debug() {
  const char* const own = std::getenv("STRATA_DISTRIBUTED_DEBUG");
  const char* const torchs = std::getenv("TORCH_DISTRIBUTED_DEBUG");
  return (own && std::strcmp(own, "1") == 0) || (torchs && std::strcmp(torchs, "DETAIL") == 0);
}

ProcessGroup make_group(const InitOptions& o) {
  check_backend(o.backend);
  const Environment e = read_environment();
  EngineOptions engine;
  engine.rank = o.rank < 0 ? e.rank : o.rank;
  engine.world_size = o.world_size < 0 ? e.world_size : o.world_size;
  STRATA_CHECK(engine.rank < engine.world_size, "init_process_group: rank {} of {}", engine.rank, engine.world_size);
  if (engine.world_size == 1) return single_rank(o.group_name);
  engine.name = o.group_name;
  engine.timeout = o.timeout;
  engine.address = o.address, engine.interface = o.interface;
  const bool by_environment = o.init_method == "env://";
  engine.store = by_environment ? store_of(e, engine) : o.init_method;
  if (by_environment && e.local_world_size < engine.world_size && o.address.empty() && o.interface.empty())
    engine.address = address_towards(e.master_addr);
  engine.device = device_of(o, e);
  engine.heartbeat_timeout = o.heartbeat_timeout;
  engine.debug = o.debug || asks_for_debug();
  return connect(o.backend, engine);
}

}  // namespace

void init_process_group(const InitOptions& options) {
  Default& d = of_process();
  const std::lock_guard lock(d.mutex);
  STRATA_CHECK(!d.scope, "init_process_group: this process has its group already; call destroy_process_group() first");
  d.scope.emplace(make_group(options), GroupScope::Reach::kProcess);
}

void destroy_process_group() {
  Default& d = of_process();
  const std::lock_guard lock(d.mutex);
  d.scope.reset();
}

bool is_initialized() {
  Default& d = of_process();
  const std::lock_guard lock(d.mutex);
  return d.scope.has_value();
}

}  // namespace strata::distributed
