// Small messages from each rank to all others: one packet each way, without asking first.
#pragma once
#include <gloo/context.h>
#include <gloo/transport/buffer.h>
#include <gloo/transport/pair.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "core/error.h"

namespace strata::distributed {

/// Memory of each rank for small messages of every other one, which Gloo knows from the beginning. What Gloo's own
/// collectives receive is announced to the sender first, and so are sends: three packets, and as many turns of Gloo's
/// threads, where this has one.
///
/// There are two places for each rank, used in turn. A rank sends its message n + 2 only when it has all messages n + 1,
/// which the others send when they have read its message n, so no message meets one that has not been read.
class SmallMessages {
 public:
  /// To be made on all ranks before any of them sends.
  explicit SmallMessages(gloo::Context& context)
      : rank_(static_cast<size_t>(context.rank)),
        size_(static_cast<size_t>(context.size)),
        capacity_(std::min(kMostBytes, kMostBytesOfAll / size_)),
        memory_(2 * size_ * stride()) {
    for (size_t r = 0; r < size_; ++r) {
      peers_.emplace_back();
      if (r != rank_) connect(*context.getPair(static_cast<int>(r)), r);
    }
  }

  /// The longest message in bytes; the same on all ranks.
  size_t capacity() const { return capacity_; }

  /// Writes what all ranks have at `in` to `out`, in order of ranks; `in` may be the own part of `out`.
  void all_gather(const char* in, size_t bytes, char* out) {
    const size_t place = ++sequence_ % 2;
    char* const own = message(rank_, place);
    std::memcpy(own, &bytes, kNumber);
    std::memcpy(own + kNumber, in, bytes);
    std::memcpy(own + kNumber + bytes, &sequence_, kNumber);
    for (size_t i = 1; i < size_; ++i) peers_[(rank_ + i) % size_].sent[place]->send(0, bytes + 2 * kNumber);
    std::memcpy(out + rank_ * bytes, own + kNumber, bytes);
    for (size_t i = 1; i < size_; ++i) {
      const size_t from = (rank_ + size_ - i) % size_;
      std::memcpy(out + from * bytes, receive(from, place, bytes), bytes);
    }
    for (size_t i = 1; i < size_; ++i) peers_[(rank_ + i) % size_].sent[place]->waitSend();
  }

 private:
  using Buffer = std::unique_ptr<gloo::transport::Buffer>;
  struct Peer {
    std::array<Buffer, 2> sent, received;
  };

  size_t stride() const { return capacity_ + 2 * kNumber; }
  /// The memory for what comes from a rank; the own rank's is for what goes to all.
  char* message(size_t rank, size_t place) { return &memory_[(2 * rank + place) * stride()]; }

  void connect(gloo::transport::Pair& pair, size_t rank) {
    for (size_t place = 0; place < 2; ++place) {
      const int slot = static_cast<int>(place);
      peers_[rank].sent[place] = pair.createSendBuffer(slot, message(rank_, place), stride());
      peers_[rank].received[place] = pair.createRecvBuffer(slot, message(rank, place), stride());
    }
  }

  /// What a rank sends for this call.
  const char* receive(size_t from, size_t place, size_t bytes) {
    const char* const came = message(from, place);
    try {
      peers_[from].received[place]->waitRecv();
    } catch (const std::exception&) {
      // A rank may leave after its last message, and Gloo then says that it left before it says what it sent.
      if (number_at(came) != bytes || number_at(came + kNumber + bytes) != sequence_) throw;
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

  static constexpr size_t kNumber = sizeof(size_t);  // a message is its length, its bytes and the number of the call
  static constexpr size_t kMostBytes = size_t{16} << 10, kMostBytesOfAll = size_t{4} << 20;
  const size_t rank_, size_, capacity_;
  std::vector<char> memory_;
  std::vector<Peer> peers_;
  size_t sequence_ = 0;
};

}  // namespace strata::distributed
