// Gloo's connections, with an end to what waits for them.
#pragma once
#include <gloo/context.h>
#include <gloo/transport/context.h>
#include <gloo/transport/unbound_buffer.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_set>
#include <vector>

#include "distributed/gloo/courier.h"

namespace strata::distributed {

/// From any thread: ends all waits of a context, also for connections that are still being made. Closing alone wakes
/// nobody of this process who waits for a message; something that was not done in time does.
void give_up(gloo::Context& context);

/// Gloo as of 2022 tells the receives that wait for a broken connection, but not one that has got a part of its message
/// already: that waits on until its time is over. This gives out buffers of another context that `abort` wakes, all of
/// them, writes to connections on Gloo's thread alone, and knows which connections are broken without using them.
class AbortableContext final : public gloo::transport::Context, public std::enable_shared_from_this<AbortableContext> {
 public:
  /// Of connections that are made, by `device`.
  AbortableContext(std::shared_ptr<gloo::transport::Context> connections,
                   const std::shared_ptr<gloo::transport::Device>& device);
  std::unique_ptr<gloo::transport::Pair>& getPair(int rank) override { return connections_->getPair(rank); }
  std::unique_ptr<gloo::transport::Pair>& createPair(int rank) override { return connections_->createPair(rank); }
  std::unique_ptr<gloo::transport::UnboundBuffer> createUnboundBuffer(void* data, size_t bytes) override;

  /// From any thread, before connections are closed: every wait of now and later throws, and nothing is sent any more.
  void abort();
  /// From any thread.
  std::vector<int64_t> lost_ranks();

 private:
  class Buffer;
  const std::shared_ptr<gloo::transport::Context> connections_;
  /// Held by Gloo's thread while it sends. Who closes a connection holds that connection's lock until Gloo's thread has
  /// gone round once more, so that thread must not be waiting for the lock then.
  std::mutex sending_;
  std::atomic<bool> is_aborted_{false};  ///< written with `sending_` held
  Courier courier_;                      ///< of all that buffers send and ask for
  std::mutex buffers_mutex_;
  std::unordered_set<Buffer*> buffers_;
  std::mutex sentinels_mutex_;
  /// Receives from each rank that nobody sends anything for: they fail with the connection.
  std::vector<std::unique_ptr<gloo::transport::UnboundBuffer>> sentinels_;
};

/// A context of connections that can be given up, once they are made.
template <class Base>
class Abortable : public Base {
 public:
  using Base::Base;
  void make_abortable() {
    connections_ = std::make_shared<AbortableContext>(this->transportContext_, this->device_);
    this->transportContext_ = connections_;
  }
  std::shared_ptr<AbortableContext> connections() const { return connections_; }

 private:
  std::shared_ptr<AbortableContext> connections_;
};
}  // namespace strata::distributed
