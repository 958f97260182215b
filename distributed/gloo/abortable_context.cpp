// Buffers that are known to their context while they live.
#include "distributed/gloo/abortable_context.h"

#include <gloo/types.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/error.h"

namespace strata::distributed {
namespace {

using gloo::transport::UnboundBuffer;
using std::chrono::milliseconds;

/// Slots of Gloo's own collectives have prefixes from 1 on, those of the engine's exchanges 0x40.
constexpr uint8_t kSentinel = 0x41;

}  // namespace

void give_up(gloo::Context& context) {
  try {
    context.createUnboundBuffer(nullptr, 0)->waitRecv(milliseconds(0));
  } catch (const std::exception&) {
  }
  context.closeConnections();
}

class AbortableContext::Buffer final : public UnboundBuffer {
 public:
  Buffer(std::shared_ptr<AbortableContext> context, std::unique_ptr<UnboundBuffer> inner)
      : UnboundBuffer(inner->ptr, inner->size), context_(std::move(context)), shared_(std::make_shared<Shared>()) {
    shared_->inner = std::move(inner);
    const std::lock_guard lock(context_->buffers_mutex_);
    context_->buffers_.insert(this);
  }
  ~Buffer() override {
    {
      const std::lock_guard lock(context_->buffers_mutex_);
      context_->buffers_.erase(this);
    }
    const std::lock_guard lock(shared_->mutex);
    shared_->inner.reset();  // what was not sent yet finds nothing
  }
  /// Gloo's collectives do not look at what these return, so they never return false.
  bool waitRecv(int* rank, milliseconds timeout) override {
    check();
    check(shared_->inner->waitRecv(rank, timeout));
    return true;
  }
  bool waitSend(int* rank, milliseconds timeout) override {
    check();
    check(shared_->inner->waitSend(rank, timeout));
    return true;
  }
  void abortWaitRecv() override { shared_->inner->abortWaitRecv(); }
  void abortWaitSend() override { shared_->inner->abortWaitSend(); }
  void send(int to, uint64_t slot, size_t offset, size_t bytes) override {
    later([=](UnboundBuffer& inner) { inner.send(to, slot, offset, bytes); });
  }
  void recv(int from, uint64_t slot, size_t offset, size_t bytes) override {
    later([=](UnboundBuffer& inner) { inner.recv(from, slot, offset, bytes); });
  }
  void recv(std::vector<int> from, uint64_t slot, size_t offset, size_t bytes) override {
    later([=, from = std::move(from)](UnboundBuffer& inner) { inner.recv(from, slot, offset, bytes); });
  }

 private:
  /// What Gloo's thread may still have to do with a buffer that has ended.
  struct Shared {
    std::mutex mutex;
    std::unique_ptr<UnboundBuffer> inner;
    std::string error;
  };

  /// Who waits throws what went wrong. The context outlives what its courier does.
  template <class F>
  void later(F start) {
    context_->courier_.send([context = context_.get(), shared = shared_, start = std::move(start)] {
      const std::lock_guard lock(shared->mutex);
      const std::lock_guard sending(context->sending_);
      if (!shared->inner || context->is_aborted_) return;
      try {
        start(*shared->inner);
      } catch (const std::exception& e) {
        shared->error = e.what();
        shared->inner->abortWaitRecv();
        shared->inner->abortWaitSend();
      }
    });
  }
  void check(bool is_done = true) const {
    if (!is_done || context_->is_aborted_) {
      const std::lock_guard lock(shared_->mutex);
      if (!shared_->error.empty()) throw std::runtime_error(shared_->error);
    }
    STRATA_CHECK(is_done && !context_->is_aborted_, "was given up");
  }

  const std::shared_ptr<AbortableContext> context_;
  const std::shared_ptr<Shared> shared_;
};

AbortableContext::AbortableContext(std::shared_ptr<gloo::transport::Context> connections,
                                   const std::shared_ptr<gloo::transport::Device>& device)
    : gloo::transport::Context(connections->rank, connections->size),
      connections_(std::move(connections)),
      courier_(std::dynamic_pointer_cast<gloo::transport::tcp::Device>(device)) {
  setTimeout(connections_->getTimeout());
  for (int r = 0; r < size; ++r) {
    sentinels_.push_back(r == rank ? nullptr : connections_->createUnboundBuffer(nullptr, 0));
    if (r != rank) sentinels_.back()->recv(r, gloo::Slot::build(kSentinel, 0));
  }
}

std::unique_ptr<UnboundBuffer> AbortableContext::createUnboundBuffer(void* data, size_t bytes) {
  return std::make_unique<Buffer>(shared_from_this(), connections_->createUnboundBuffer(data, bytes));
}

void AbortableContext::abort() {
  {
    const std::lock_guard sending(sending_);
    is_aborted_ = true;
  }
  const std::lock_guard lock(buffers_mutex_);
  for (Buffer* const buffer : buffers_) {
    buffer->abortWaitRecv();
    buffer->abortWaitSend();
  }
}

/// A wait that is aborted beforehand returns at once, and throws first what is wrong with the connection.
std::vector<int64_t> AbortableContext::lost_ranks() {
  const std::lock_guard lock(sentinels_mutex_);
  std::vector<int64_t> lost;
  for (int r = 0; r < size; ++r) {
    UnboundBuffer* const sentinel = sentinels_[static_cast<size_t>(r)].get();
    if (!sentinel) continue;
    try {
      sentinel->abortWaitRecv();
      sentinel->waitRecv(nullptr, milliseconds(1000));
    } catch (const std::exception&) {
      lost.push_back(r);
    }
  }
  return lost;
}

}  // namespace strata::distributed
