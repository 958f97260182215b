// Meeting at a store that may end.
#include "distributed/gloo/full_mesh.h"

#include <gloo/barrier.h>
#include <gloo/transport/unbound_buffer.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <tuple>

#include "core/error.h"
#include "rendezvous/address.h"
#include "rendezvous/tcp_client.h"

namespace strata::distributed {
namespace {

constexpr std::chrono::milliseconds kLook{10};       // between two looks for lost ranks
constexpr std::chrono::milliseconds kQuery{10'000};  // for the store's answer to what waits for nobody

/// A connection to the launcher's store, which is there, or has ended.
rendezvous::TcpClient connect_to_store(const EngineOptions& o) {
  rendezvous::ClientOptions to;
  std::tie(to.host, to.port) = rendezvous::split_host_and_port(o.store.substr(o.store.find("://") + 3));
  to.token = o.token;
  to.connect_timeout = to.query_timeout = std::min<std::chrono::milliseconds>(kQuery, o.timeout);
  to.waits_for_start = false;
  return rendezvous::TcpClient(to);
}

/// A prefix for keys that no earlier group of this store has used. All ranks make the same groups.
std::string fresh_prefix(const EngineOptions& o) {
  static std::mutex mutex;
  static std::map<std::string, int> counts;
  const std::lock_guard lock(mutex);
  return o.name + "/" + std::to_string(counts[o.token + o.name]++) + "/";
}

/// Closes connections when the store ends before `done`: who waits for one then throws.
class StoreWatch {
 public:
  StoreWatch(const EngineOptions& o, std::string done, gloo::Context& context)
      : done_(std::move(done)), thread_([this, o, &context] { watch(o, context); }) {}
  /// `store` is the caller's connection.
  void end(rendezvous::Store& store) {
    try {
      store.set(done_, "");
    } catch (const std::exception&) {  // then the watch has seen that as well
    }
    thread_.join();
  }
  bool has_ended_early() const { return ended_early_; }

 private:
  void watch(const EngineOptions& o, gloo::Context& context) {
    try {
      connect_to_store(o).get(done_, o.timeout);
    } catch (const std::exception&) {
      ended_early_ = true;
      give_up(context);
    }
  }
  const std::string done_;
  std::atomic<bool> ended_early_{false};
  std::thread thread_;
};

/// Where this rank listens for each of the others, in pieces of equal size.
std::string addresses_of(FullMesh& mesh, size_t piece) {
  std::string all(static_cast<size_t>(mesh.size) * piece, '\0');
  for (int r = 0; r < mesh.size; ++r) {
    if (r == mesh.rank) continue;
    const std::vector<char> address = mesh.listens_for(r);
    all.replace(static_cast<size_t>(r) * piece, address.size(), address.data(), address.size());
  }
  return all;
}

void connect(const std::shared_ptr<FullMesh>& context, const std::string& prefix, rendezvous::Store& store,
             std::chrono::milliseconds timeout) {
  FullMesh& mesh = *context;
  constexpr size_t kPiece = gloo::transport::Address::kMaxByteSize;
  store.set(prefix + std::to_string(mesh.rank), addresses_of(mesh, kPiece));
  for (int r = 0; r < mesh.size; ++r) {
    if (r == mesh.rank) continue;
    const std::string theirs = store.get(prefix + std::to_string(r), timeout);
    STRATA_CHECK(theirs.size() == static_cast<size_t>(mesh.size) * kPiece, "rank {} says it is one of another number",
                 r);
    mesh.connect_to(r, theirs.data() + static_cast<size_t>(mesh.rank) * kPiece);
  }
  gloo::BarrierOptions all(context);
  gloo::barrier(all);
}

}  // namespace

MeshWatch::MeshWatch(FullMesh& mesh, AbortableContext& by) : thread_([this, &mesh, &by] { watch(mesh, by); }) {}

MeshWatch::~MeshWatch() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  ended_.notify_all();
  thread_.join();
}

void MeshWatch::wait_for(int64_t rank) {
  const std::lock_guard lock(mutex_);
  rank_ = rank;
}

void MeshWatch::watch(FullMesh& mesh, AbortableContext& by) {
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, kLook, [&] { return ends_; })) {
    const std::vector<int64_t> lost = by.lost_ranks();
    if (std::find(lost.begin(), lost.end(), rank_) != lost.end()) return give_up(mesh);
  }
}

std::shared_ptr<FullMesh> connect_generation(const EngineOptions& o,
                                             const std::shared_ptr<gloo::transport::Device>& device) {
  const std::string prefix = fresh_prefix(o);
  rendezvous::TcpClient store = connect_to_store(o);
  const auto mesh = std::make_shared<FullMesh>(o.rank, o.world_size, device, o.timeout);
  StoreWatch watch(o, prefix + "met/" + std::to_string(o.rank), *mesh);
  std::string failure;
  try {
    connect(mesh, prefix, store, o.timeout);
  } catch (const std::exception& error) {
    failure = error.what();
  }
  watch.end(store);
  STRATA_CHECK(!watch.has_ended_early(), "gloo: the launcher has begun another generation while {} ranks met",
               o.world_size);
  STRATA_CHECK(failure.empty(), "gloo: the {} ranks of group {} did not meet: {}", o.world_size, o.name, failure);
  mesh->make_abortable();
  return mesh;
}

}  // namespace strata::distributed
