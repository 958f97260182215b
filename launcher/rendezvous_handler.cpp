// The rendezvous of a job that has one node.
#include "launcher/rendezvous_handler.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <system_error>

#include "launcher/environment.h"
#include "launcher/processes.h"

namespace strata::launcher {
namespace {

// A port of the loopback interface that nobody holds. Rank 0 binds it later, so somebody else could be faster; the
// kernel hands out others first.
int free_port() {
  const Descriptor server(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (bind(server.get(), generic, size) != 0 || getsockname(server.get(), generic, &size) != 0)
    throw std::system_error(errno, std::generic_category(), "no free port for MASTER_PORT");
  return ntohs(address.sin_port);
}

class OneNode : public RendezvousHandler {
 public:
  explicit OneNode(const Options& options) : options_(options) {}

  void next_rendezvous(Ready ready) override {
    RendezvousInfo info;
    info.generation = generation_++;
    info.world_size = options_.nproc_per_node;
    info.master_addr = options_.master_addr;
    info.master_port = options_.master_port > 0 ? options_.master_port : free_port();
    // What rank 0's store asks the others for, so that no stranger who finds the port is one of the job.
    info.environment.push_back("STRATA_STORE_TOKEN=" + random_hex(32));
    ready(info);
  }

 private:
  Options options_;
  int64_t generation_ = 0;
};

}  // namespace

std::unique_ptr<RendezvousHandler> make_rendezvous(const Options& options) {
  if (options.max_nodes > 1)
    throw Exit(
        kBadArguments,
        fmt::format("stratarun: --nnodes {}: jobs of several nodes are not there yet; start one launcher on each "
                    "machine by torchrun, srun or mpirun instead",
                    options.max_nodes));
  return std::make_unique<OneNode>(options);
}

}  // namespace strata::launcher
