// Meeting at a store that may end.
#include "distributed/gloo/full_mesh.h"

#include <gloo/barrier.h>

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "core/error.h"
#include "rendezvous/meeting.h"

namespace strata::distributed {
namespace {

std::unique_ptr<rendezvous::Meeting> meet(const EngineOptions& o) {
  return rendezvous::meet({o.store, o.token, o.rank, o.timeout});
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
  /// `meeting` is what the caller has met by.
  void end(rendezvous::Meeting& meeting) {
    try {
      meeting.set(done_, "");
    } catch (const std::exception&) {  // then the watch has seen that as well
    }
    thread_.join();
  }
  bool has_ended_early() const { return ended_early_; }

 private:
  void watch(const EngineOptions& o, gloo::Context& context) {
    try {
      meet(o)->get(done_, o.timeout);
    } catch (const std::exception&) {
      ended_early_ = true;
      context.closeConnections();
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

void connect(const std::shared_ptr<FullMesh>& context, const std::string& prefix, rendezvous::Meeting& meeting,
             std::chrono::milliseconds timeout) {
  FullMesh& mesh = *context;
  constexpr size_t kPiece = gloo::transport::Address::kMaxByteSize;
  meeting.set(prefix + std::to_string(mesh.rank), addresses_of(mesh, kPiece));
  for (int r = 0; r < mesh.size; ++r) {
    if (r == mesh.rank) continue;
    const std::string theirs = meeting.get(prefix + std::to_string(r), timeout);
    STRATA_CHECK(theirs.size() == static_cast<size_t>(mesh.size) * kPiece, "rank {} says it is one of another number",
                 r);
    mesh.connect_to(r, theirs.data() + static_cast<size_t>(mesh.rank) * kPiece);
  }
  gloo::BarrierOptions all(context);
  gloo::barrier(all);
}

}  // namespace

std::shared_ptr<gloo::Context> connect_generation(const EngineOptions& o,
                                                  const std::shared_ptr<gloo::transport::Device>& device) {
  const std::string prefix = fresh_prefix(o);
  const auto meeting = meet(o);
  const auto mesh = std::make_shared<FullMesh>(o.rank, o.world_size, device, o.timeout);
  StoreWatch watch(o, prefix + "met/" + std::to_string(o.rank), *mesh);
  std::string failure;
  try {
    connect(mesh, prefix, *meeting, o.timeout);
  } catch (const std::exception& error) {
    failure = error.what();
  }
  watch.end(*meeting);
  STRATA_CHECK(!watch.has_ended_early(), "gloo: the launcher has begun another generation while {} ranks met",
               o.world_size);
  STRATA_CHECK(failure.empty(), "gloo: the {} ranks of group {} did not meet: {}", o.world_size, o.name, failure);
  return mesh;
}

}  // namespace strata::distributed
