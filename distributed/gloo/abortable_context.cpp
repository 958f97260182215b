// Buffers that are known to their context while they live.
#include "distributed/gloo/abortable_context.h"

#include <gloo/types.h>

#include <chrono>
#include <utility>

#include "core/error.h"

namespace strata::distributed {
namespace {

using gloo::transport::UnboundBuffer;
using std::chrono::milliseconds;

/// Slots of Gloo's own collectives have prefixes from 1 on, those of the engine's exchanges 0x40.
constexpr uint8_t kSentinel = 0x41;

}  // namespace

class AbortableContext::Buffer final : public UnboundBuffer {
 public:
  Buffer(std::shared_ptr<AbortableContext> context, std::unique_ptr<UnboundBuffer> inner)
      : UnboundBuffer(inner->ptr, inner->size), context_(std::move(context)), inner_(std::move(inner)) {
    const std::lock_guard lock(context_->buffers_mutex_);
    context_->buffers_.insert(this);
  }
  ~Buffer() override {
    const std::lock_guard lock(context_->buffers_mutex_);
    context_->buffers_.erase(this);
  }
  /// Gloo's collectives do not look at what these return, so they never return false.
  bool waitRecv(int* rank, milliseconds timeout) override {
    check();
    STRATA_CHECK(inner_->waitRecv(rank, timeout), "was given up");
    return true;
  }
  bool waitSend(int* rank, milliseconds timeout) override {
    check();
    STRATA_CHECK(inner_->waitSend(rank, timeout), "was given up");
    return true;
  }
  void abortWaitRecv() override { inner_->abortWaitRecv(); }
  void abortWaitSend() override { inner_->abortWaitSend(); }
  void send(int to, uint64_t slot, size_t offset, size_t bytes) override { inner_->send(to, slot, offset, bytes); }
  void recv(int from, uint64_t slot, size_t offset, size_t bytes) override { inner_->recv(from, slot, offset, bytes); }
  void recv(std::vector<int> from, uint64_t slot, size_t offset, size_t bytes) override {
    inner_->recv(std::move(from), slot, offset, bytes);
  }

 private:
  void check() const { STRATA_CHECK(!context_->is_aborted_, "was given up"); }
  const std::shared_ptr<AbortableContext> context_;
  const std::unique_ptr<UnboundBuffer> inner_;
};

AbortableContext::AbortableContext(std::shared_ptr<gloo::transport::Context> connections)
    : gloo::transport::Context(connections->rank, connections->size), connections_(std::move(connections)) {
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
  const std::lock_guard lock(buffers_mutex_);
  is_aborted_ = true;
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
