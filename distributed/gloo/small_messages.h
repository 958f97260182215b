// Small messages from each rank to all others: one packet each way, without asking first.
#pragma once
#include <gloo/context.h>
#include <gloo/transport/buffer.h>
#include <gloo/transport/pair.h>
#include <gloo/transport/unbound_buffer.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <vector>

#include "core/error.h"
#include "distributed/gloo/abortable_context.h"

namespace strata::distributed {

/// Memory of each rank for small messages of every other one, which Gloo knows from the beginning. What Gloo's own
/// collectives receive is announced to the sender first, and so are sends: three packets, and as many turns of Gloo's
/// threads, where this has one.
///
/// There are two places for each rank, used in turn. A rank sends its message n + 2 only when it has all messages n +
/// 1, which the others send when they have read its message n, so no message meets one that has not been read.
class SmallMessages {
 public:
  static constexpr size_t kMostBytes = size_t{16} << 10;
  static constexpr int kMostRanks = 64;  // of which each has a connection to each

  /// Connections of their own, which are connected afterwards: Gloo makes the kernel's buffer of a connection as small
  /// as the first message that it sends in this way.
  explicit SmallMessages(std::shared_ptr<gloo::Context> context)
      : context_(std::move(context)),
        rank_(static_cast<size_t>(context_->rank)),
        size_(static_cast<size_t>(context_->size)),
        memory_(2 * size_ * kStride) {
    for (size_t r = 0; r < size_; ++r) {
      peers_.emplace_back();
      if (r != rank_) register_memory(*context_->getPair(static_cast<int>(r)), r);
    }
  }
  /// From any thread: a rank whose connection has broken under a message; -1 for none.
  int64_t lost_rank() const { return lost_; }
  /// From any thread: ends all waits, since one that ends too late has Gloo break the context's connections.
  void close() { give_up(*context_); }

  /// Writes what all ranks have at `in` to `out`, in order of ranks; `in` may be the own part of `out`.
  void all_gather(const char* in, size_t bytes, char* out) {
    const size_t place = ++sequence_ % 2;
    char* const own = message(rank_, place);
    std::memcpy(own, &bytes, kNumber);
    std::memcpy(own + kNumber, in, bytes);
    std::memcpy(own + kNumber + bytes, &sequence_, kNumber);
    for (size_t i = 1; i < size_; ++i) send((rank_ + i) % size_, place, bytes);
    std::memcpy(out + rank_ * bytes, own + kNumber, bytes);
    for (size_t i = 1; i < size_; ++i) {
      const size_t from = (rank_ + size_ - i) % size_;
      std::memcpy(out + from * bytes, receive(from, place, bytes), bytes);
    }
    for (size_t i = 1; i < size_; ++i) peers_[(rank_ + i) % size_].sent[place]->waitSend();
  }

 private:
  static constexpr size_t kNumber = sizeof(size_t);  // a message is its length, its bytes and the number of the call
  static constexpr size_t kStride = kMostBytes + 2 * kNumber;
  using Buffer = std::unique_ptr<gloo::transport::Buffer>;
  struct Peer {
    std::array<Buffer, 2> sent, received;
  };

  /// The memory for what comes from a rank; the own rank's is for what goes to all.
  char* message(size_t rank, size_t place) { return &memory_[(2 * rank + place) * kStride]; }

  void register_memory(gloo::transport::Pair& pair, size_t rank) {
    for (size_t place = 0; place < 2; ++place) {
      const int slot = static_cast<int>(place);
      peers_[rank].sent[place] = pair.createSendBuffer(slot, message(rank_, place), kStride);
      peers_[rank].received[place] = pair.createRecvBuffer(slot, message(rank, place), kStride);
    }
  }

  void send(size_t to, size_t place, size_t bytes) {
    try {
      peers_[to].sent[place]->send(0, bytes + 2 * kNumber);
    } catch (const std::exception& e) {
      note_lost(to, e);
      throw;
    }
  }
  /// A connection breaks, or Gloo breaks it because a time is over, here or by `close`.
  void note_lost(size_t rank, const std::exception& e) {
    if (std::strstr(e.what(), "imeout") == nullptr) lost_ = static_cast<int64_t>(rank);
  }
  /// What a rank sends for this call.
  const char* receive(size_t from, size_t place, size_t bytes) {
    const char* const came = message(from, place);
    try {
      peers_[from].received[place]->waitRecv();
    } catch (const std::exception& e) {
      // A rank may leave after its last message, and Gloo then says that it left before it says what it sent.
      if (number_at(came) != bytes || number_at(came + kNumber + bytes) != sequence_) {
        note_lost(from, e);
        throw;
      }
    }
    STRATA_CHECK(number_at(came) == bytes, "rank {} has {} bytes here, rank {} has {}", from, number_at(came), rank_,
                 bytes);
    return came + kNumber;
  }
  static size_t number_at(const char* memory) {
    size_t number = 0;
    std::memcpy(&number, memory, kNumber);
    return number;
  }

  const std::shared_ptr<gloo::Context> context_;
  const size_t rank_, size_;
  std::vector<char> memory_;
  std::vector<Peer> peers_;
  size_t sequence_ = 0;
  std::atomic<int64_t> lost_{-1};
};

}  // namespace strata::distributed
