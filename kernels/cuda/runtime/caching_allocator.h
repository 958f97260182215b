// A stream-ordered caching allocator that knows no CUDA: it cuts the blocks it hands out from segments of a device.
#pragma once
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "core/cuda.h"

namespace strata::cuda {

/// What the allocator asks of a device. Called with the allocator's lock held; failures throw Error.
class DeviceMemory {
 public:
  struct Amounts {
    size_t free = 0, total = 0;
  };
  virtual ~DeviceMemory() = default;
  /// Null where there is not enough.
  virtual void* allocate(size_t bytes) = 0;
  /// Waits for all work that may still use the memory.
  virtual void free(void* p) = 0;
  virtual Amounts amounts() = 0;
  /// An event behind all that `stream` was given so far.
  virtual void* record(void* stream) = 0;
  virtual bool has_passed(void* event) = 0;
  virtual void wait(void* event) = 0;
  virtual void destroy(void* event) = 0;
};

/// Sizes are those of PyTorch's allocator, since programs are tuned to them: blocks are multiples of 512 bytes; up to
/// 1 MiB they are cut from segments of 2 MiB, up to 10 MiB from segments of 20 MiB, and above they have a segment of
/// their own, a multiple of 2 MiB. A block belongs to a stream. Once freed it serves later requests of that stream at
/// once, because the stream runs in order; `record_use` makes it wait for others. Safe to use from any thread.
///
/// Graphs have pools of their own, whose memory serves nothing else while a graph holds it: a replay writes to it even
/// where no tensor is left. While anything is captured, events can be neither recorded nor asked for, so blocks that
/// wait for other streams are put aside until then.
class CachingAllocator {
 public:
  /// `name` is what errors call the device.
  CachingAllocator(DeviceMemory& memory, std::string name) : memory_(memory), name_(std::move(name)) {}
  ~CachingAllocator();
  CachingAllocator(const CachingAllocator&) = delete;
  CachingAllocator& operator=(const CachingAllocator&) = delete;

  struct Block;
  /// At least one byte for work on `stream`, of a graph's pool or, 0, of the common one. Throws when there is no room
  /// even after what is cached was given back.
  Block* allocate(size_t bytes, void* stream, uint64_t pool = 0);
  void free(Block* block) noexcept;
  /// The block will be reused only when what `stream` was given until it is freed is done.
  void record_use(Block* block, void* stream);
  /// The block in use that holds an address; null if there is none.
  Block* find(const void* address) const;

  static void* data(const Block* block);

  /// A capture begins whose graph holds `pool` until `release_pool`; 0 is not held.
  void begin_capture(uint64_t pool);
  void end_capture() noexcept;
  void release_pool(uint64_t pool);

  /// Gives the segments back in which no block is used or waits, but for those of graphs.
  void empty_cache();
  MemoryStats stats() const;
  void reset_peak_stats();
  /// Segments and their blocks as a JSON list.
  std::string snapshot() const;

 private:
  struct BySize {
    bool operator()(const Block* a, const Block* b) const;
  };
  using FreeBlocks = std::set<Block*, BySize>;
  struct Waiting {
    void* event;
    Block* block;
  };

  struct Pool {
    FreeBlocks small, large;
    int holders = 0;      ///< graphs
    size_t reserved = 0;  ///< bytes
  };

  FreeBlocks& free_blocks(const Block& b);
  Block* find_room(size_t size, void* stream, Pool& pool);
  Block* take_cached(size_t size, void* stream, Pool& pool);
  Block* new_segment(size_t size, void* stream, Pool& pool);
  void split(Block& b, size_t size);
  void make_free(Block* b);
  void absorb_next(Block* b);
  void wait_for_users(Block* b);
  void check_events(bool wait);
  void release_segments();
  std::string held() const;
  [[noreturn]] void fail_out_of_memory(size_t asked);

  DeviceMemory& memory_;
  const std::string name_;
  mutable std::mutex mutex_;
  std::map<uint64_t, Pool> pools_;                ///< by number; 0 is the common one
  std::map<const char*, Block*> segments_;        ///< by address: the first block
  std::map<void*, std::deque<Waiting>> waiting_;  ///< by stream, in its order
  int captures_ = 0;                              ///< that go on
  std::vector<Block*> put_aside_;                 ///< freed during them, with users
  MemoryStats stats_;
};

}  // namespace strata::cuda
