// Connections between all pairs of some ranks, by addresses that they tell each other in whatever way.
#pragma once
#include <gloo/context.h>
#include <gloo/transport/address.h>
#include <gloo/transport/device.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "distributed/engine.h"
#include "distributed/gloo/abortable_context.h"

namespace strata::distributed {

/// The connections of some ranks, which tell each other where they listen.
class FullMesh final : public Abortable<gloo::Context> {
 public:
  FullMesh(int64_t rank, int64_t size, const std::shared_ptr<gloo::transport::Device>& device,
           std::chrono::milliseconds timeout)
      : Abortable(static_cast<int>(rank), static_cast<int>(size)) {
    setTimeout(timeout);
    device_ = device;
    transportContext_ = device->createContext(this->rank, this->size);
    transportContext_->setTimeout(timeout);
    for (int r = 0; r < this->size; ++r)
      if (r != this->rank) transportContext_->createPair(r);
  }
  std::vector<char> listens_for(int rank) { return getPair(rank)->address().bytes(); }
  /// All ranks go through their pairs in the same order, so none waits for one that waits for it.
  void connect_to(int rank, const char* address) {
    const size_t size = listens_for(rank).size();
    getPair(rank)->connect(std::vector<char>(address, address + size));
  }
};

/// Gives up connections that are being made when the rank that is waited for is lost: else it would be waited for until
/// the group's time is over. Ranks that are connected already may leave.
class MeshWatch {
 public:
  /// Until the end of the scope, for ranks of a group whose connections `by` are there.
  MeshWatch(FullMesh& mesh, AbortableContext& by);
  ~MeshWatch();
  MeshWatch(const MeshWatch&) = delete;
  MeshWatch& operator=(const MeshWatch&) = delete;
  /// `rank` of that group is the next one.
  void wait_for(int64_t rank);

 private:
  void watch(FullMesh& mesh, AbortableContext& by);
  std::mutex mutex_;
  std::condition_variable ended_;
  bool ends_ = false;
  int64_t rank_ = -1;
  std::thread thread_;
};

/// Meets at a store that a launcher holds for one generation of ranks ("generation://"). Unlike Gloo's own
/// way it does not wait for a rank that has died meanwhile: when the launcher ends the store, it throws.
std::shared_ptr<FullMesh> connect_generation(const EngineOptions& options,
                                             const std::shared_ptr<gloo::transport::Device>& device);

}  // namespace strata::distributed
