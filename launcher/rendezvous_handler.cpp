// The rendezvous of a job that has one node, and the choice between that and the one of several.
#include "launcher/rendezvous_handler.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <system_error>

#include "launcher/environment.h"
#include "launcher/processes.h"
#include "launcher/worker_stores.h"

namespace strata::launcher {
namespace {

class OneNode : public RendezvousHandler {
 public:
  explicit OneNode(const Options& options) : options_(options) {}

  void attach(Loop&, Ended ended) override { ended_ = std::move(ended); }

  void next_rendezvous(Ready ready, Failed failed) override {
    RendezvousInfo info;
    try {
      info.master_port = options_.master_port > 0 ? options_.master_port : free_port(true);
      if (options_.is_elastic()) stores_.open("127.0.0.1", false);
    } catch (const std::exception& error) {
      return failed(kJobFailed, std::string("stratarun: ") + error.what());
    }
    info.restarts = static_cast<int>(generation_);
    info.generation = generation_++;
    info.world_size = options_.nproc_per_node;
    info.master_addr = options_.master_addr.empty() ? "127.0.0.1" : options_.master_addr;
    // What rank 0's store asks the others for, so that no stranger who finds the port is one of the job.
    info.environment.push_back("STRATA_STORE_TOKEN=" + (options_.is_elastic() ? stores_.token() : random_hex(32)));
    if (options_.is_elastic()) info.environment.push_back("STRATA_STORE=" + stores_.place());
    ready(info);
  }

  void succeed(int64_t) override { ended_({.succeeded = true, .is_final = true, .node = 0, .reason = ""}); }
  void fail(const std::string&, bool) override {}

 private:
  Options options_;
  Ended ended_;
  int64_t generation_ = 0;
  WorkerStores stores_;
};

}  // namespace

// The kernel does not hand the port out again soon, but whoever binds it later may find somebody faster.
int free_port(bool is_local) {
  const Descriptor server(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(is_local ? INADDR_LOOPBACK : INADDR_ANY);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (bind(server.get(), generic, size) != 0 || getsockname(server.get(), generic, &size) != 0)
    throw std::system_error(errno, std::generic_category(), "no free port for MASTER_PORT");
  return ntohs(address.sin_port);
}

std::unique_ptr<RendezvousHandler> make_rendezvous(const Options& options) {
  if (options.max_nodes == 1) return std::make_unique<OneNode>(options);
  if (options.rdzv_endpoint.empty() || options.rdzv_id.empty())
    throw Exit(kBadArguments, fmt::format("stratarun: --nnodes {}: several nodes want the --rdzv-endpoint HOST:PORT of "
                                          "node 0 and an --rdzv-id, the same on all of them",
                                          options.max_nodes));
  return make_several_nodes(options);
}

}  // namespace strata::launcher
