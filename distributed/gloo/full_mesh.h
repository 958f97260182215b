// Connections between all pairs of some ranks, by addresses that they tell each other in whatever way.
#pragma once
#include <gloo/context.h>
#include <gloo/transport/address.h>
#include <gloo/transport/device.h>

#include <chrono>
#include <memory>
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

/// Meets at a store that a launcher holds for one generation of ranks ("generation://"). Unlike Gloo's own
/// way it does not wait for a rank that has died meanwhile: when the launcher ends the store, it throws.
std::shared_ptr<FullMesh> connect_generation(const EngineOptions& options,
                                             const std::shared_ptr<gloo::transport::Device>& device);

}  // namespace strata::distributed
