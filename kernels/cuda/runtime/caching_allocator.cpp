// The caching allocator: best fit within a stream, splitting, merging, and blocks that wait for other streams.
#include "kernels/cuda/runtime/caching_allocator.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <tuple>
#include <utility>

#include "core/error.h"

namespace strata::cuda {
namespace {

constexpr size_t kUnit = 512;
constexpr size_t kMiB = size_t{1} << 20;
constexpr size_t kMostSmall = 1 * kMiB;
constexpr size_t kSmallSegment = 2 * kMiB;
constexpr size_t kMostShared = 10 * kMiB;
constexpr size_t kLargeSegment = 20 * kMiB;

constexpr size_t round_up(size_t n, size_t to) { return (n + to - 1) / to * to; }

size_t segment_size(size_t size) {
  if (size <= kMostSmall) return kSmallSegment;
  return size < kMostShared ? kLargeSegment : round_up(size, 2 * kMiB);
}

std::string readable(size_t bytes) {
  char text[32];
  const double mib = static_cast<double>(bytes) / kMiB;
  std::snprintf(text, sizeof text, mib < 1024 ? "%.2f MiB" : "%.2f GiB", mib < 1024 ? mib : mib / 1024);
  return text;
}

}  // namespace

struct CachingAllocator::Block {
  enum class State { kUsed, kWaiting, kFree };
  char* data;
  size_t size;
  void* stream;
  Pool* pool;
  bool small;  ///< cut from a segment of small blocks
  State state = State::kUsed;
  Block *previous = nullptr, *next = nullptr;  ///< neighbours in the segment
  std::vector<void*> users = {};               ///< other streams that use it
  size_t events = 0;                           ///< that it waits for
};

bool CachingAllocator::BySize::operator()(const Block* a, const Block* b) const {
  return std::tie(a->stream, a->size, a->data) < std::tie(b->stream, b->size, b->data);
}

CachingAllocator::~CachingAllocator() {
  check_events(true);
  for (const auto& [data, first] : segments_) {
    memory_.free(first->data);
    for (Block* b = first; b;) delete std::exchange(b, b->next);
  }
}

void* CachingAllocator::data(const Block* block) { return block->data; }

CachingAllocator::FreeBlocks& CachingAllocator::free_blocks(const Block& b) {
  return b.small ? b.pool->small : b.pool->large;
}

CachingAllocator::Block* CachingAllocator::allocate(size_t bytes, void* stream, uint64_t pool) {
  const std::lock_guard lock(mutex_);
  if (bytes > SIZE_MAX / 2) fail_out_of_memory(bytes);  // rounding up would wrap around
  const size_t size = round_up(std::max<size_t>(bytes, 1), kUnit);
  Block* const b = find_room(size, stream, pools_[pool]);
  if (!b) fail_out_of_memory(size);
  b->state = Block::State::kUsed;
  split(*b, size);
  stats_.allocated += static_cast<int64_t>(b->size);
  stats_.max_allocated = std::max(stats_.max_allocated, stats_.allocated);
  ++stats_.num_allocs;
  return b;
}

/// Null where there is none.
CachingAllocator::Block* CachingAllocator::find_room(size_t size, void* stream, Pool& pool) {
  check_events(false);
  if (Block* const b = take_cached(size, stream, pool)) return b;
  if (Block* const b = new_segment(size, stream, pool)) return b;
  check_events(true);
  if (Block* const b = take_cached(size, stream, pool)) return b;
  release_segments();
  return new_segment(size, stream, pool);
}

/// The smallest block of the stream that is large enough.
CachingAllocator::Block* CachingAllocator::take_cached(size_t size, void* stream, Pool& pool) {
  FreeBlocks& blocks = size <= kMostSmall ? pool.small : pool.large;
  Block least{nullptr, size, stream, &pool, false};
  const auto it = blocks.lower_bound(&least);
  if (it == blocks.end() || (*it)->stream != stream) return nullptr;
  Block* const found = *it;
  blocks.erase(it);
  return found;
}

CachingAllocator::Block* CachingAllocator::new_segment(size_t size, void* stream, Pool& pool) {
  const size_t whole = segment_size(size);
  auto* const data = static_cast<char*>(memory_.allocate(whole));
  if (!data) return nullptr;
  auto* const b = new Block{data, whole, stream, &pool, size <= kMostSmall};
  segments_[data] = b;
  pool.reserved += whole;
  stats_.reserved += static_cast<int64_t>(whole);
  stats_.max_reserved = std::max(stats_.max_reserved, stats_.reserved);
  ++stats_.num_device_allocs;
  return b;
}

/// Cuts off what the request does not need. The rest of a large block stays with it where only small requests, which
/// have their own segments, would fit.
void CachingAllocator::split(Block& b, size_t size) {
  const size_t rest = b.size - size;
  if (b.small ? rest < kUnit : rest <= kMostSmall) return;
  auto* const after = new Block{b.data + size, rest, b.stream, b.pool, b.small, Block::State::kFree, &b, b.next};
  if (b.next) b.next->previous = after;
  b.next = after;
  b.size = size;
  free_blocks(*after).insert(after);
}

void CachingAllocator::free(Block* b) noexcept {
  if (!b) return;
  const std::lock_guard lock(mutex_);
  stats_.allocated -= static_cast<int64_t>(b->size);
  if (b->users.empty()) return make_free(b);
  b->state = Block::State::kWaiting;
  try {
    if (captures_ == 0) return wait_for_users(b);
    put_aside_.push_back(b);
  } catch (const std::exception&) {
    ++b->events;  // the device has failed: nobody can know when the block is free, so it never will be
  }
}

void CachingAllocator::wait_for_users(Block* b) {
  for (void* const stream : b->users) {
    waiting_[stream].push_back({memory_.record(stream), b});
    ++b->events;
  }
  b->users.clear();
}

void CachingAllocator::begin_capture(uint64_t pool) {
  const std::lock_guard lock(mutex_);
  ++captures_;
  if (pool != 0) ++pools_[pool].holders;
}

void CachingAllocator::end_capture() noexcept {
  const std::lock_guard lock(mutex_);
  if (--captures_ > 0) return;
  for (Block* const b : std::exchange(put_aside_, {})) {
    try {
      wait_for_users(b);
    } catch (const std::exception&) {
      ++b->events;  // as in free
    }
  }
}

void CachingAllocator::release_pool(uint64_t pool) {
  const std::lock_guard lock(mutex_);
  if (--pools_[pool].holders == 0) release_segments();
}

void CachingAllocator::record_use(Block* b, void* stream) {
  const std::lock_guard lock(mutex_);
  if (stream == b->stream || std::find(b->users.begin(), b->users.end(), stream) != b->users.end()) return;
  b->users.push_back(stream);
}

/// Joins the block with free neighbours and offers it.
void CachingAllocator::make_free(Block* b) {
  b->state = Block::State::kFree;
  if (b->next && b->next->state == Block::State::kFree) {
    free_blocks(*b).erase(b->next);
    absorb_next(b);
  }
  if (b->previous && b->previous->state == Block::State::kFree) {
    b = b->previous;
    free_blocks(*b).erase(b);
    absorb_next(b);
  }
  free_blocks(*b).insert(b);
}

void CachingAllocator::absorb_next(Block* b) {
  Block* const gone = b->next;
  b->size += gone->size;
  b->next = gone->next;
  if (b->next) b->next->previous = b;
  delete gone;
}

/// Frees the blocks whose other users are done; waits for them all if told to.
void CachingAllocator::check_events(bool wait) {
  if (captures_ > 0) return;
  for (auto& [stream, queue] : waiting_) {
    while (!queue.empty()) {
      const Waiting first = queue.front();
      if (wait) memory_.wait(first.event);
      if (!wait && !memory_.has_passed(first.event)) break;
      queue.pop_front();
      memory_.destroy(first.event);
      if (--first.block->events == 0) make_free(first.block);
    }
  }
}

/// What replays use stays, and during a capture the driver would wait for the device.
void CachingAllocator::release_segments() {
  if (captures_ > 0) return;
  for (auto it = segments_.begin(); it != segments_.end();) {
    Block* const b = it->second;
    if (b->state != Block::State::kFree || b->next || b->pool->holders > 0) {
      ++it;
      continue;
    }
    memory_.free(b->data);
    stats_.reserved -= static_cast<int64_t>(b->size);
    b->pool->reserved -= b->size;
    free_blocks(*b).erase(b);
    delete b;
    it = segments_.erase(it);
  }
  std::erase_if(pools_, [](const auto& p) { return p.first != 0 && p.second.holders == 0 && p.second.reserved == 0; });
}

void CachingAllocator::empty_cache() {
  const std::lock_guard lock(mutex_);
  check_events(false);
  release_segments();
}

CachingAllocator::Block* CachingAllocator::find(const void* address) const {
  const std::lock_guard lock(mutex_);
  const auto* const at = static_cast<const char*>(address);
  auto it = segments_.upper_bound(at);
  if (it == segments_.begin()) return nullptr;
  for (Block* b = (--it)->second; b; b = b->next)
    if (at < b->data + b->size) return b->state == Block::State::kUsed ? b : nullptr;
  return nullptr;
}

MemoryStats CachingAllocator::stats() const {
  const std::lock_guard lock(mutex_);
  return stats_;
}

void CachingAllocator::reset_peak_stats() {
  const std::lock_guard lock(mutex_);
  stats_.max_allocated = stats_.allocated;
  stats_.max_reserved = stats_.reserved;
}

std::string CachingAllocator::snapshot() const {
  const std::lock_guard lock(mutex_);
  static constexpr const char* kStates[] = {"used", "waiting", "free"};
  const auto number = [](const void* p) { return std::to_string(reinterpret_cast<uintptr_t>(p)); };
  std::string json = "[";
  for (const auto& [data, first] : segments_) {
    if (json.size() > 1) json += ",";
    json += "{\"address\":" + number(data) + ",\"stream\":" + number(first->stream) + ",\"pool\":\"" +
            (first->small ? "small" : "large") + "\",\"graphs\":" + std::to_string(first->pool->holders) +
            ",\"blocks\":[";
    for (const Block* b = first; b; b = b->next) {
      if (b != first) json += ",";
      json += "{\"address\":" + number(b->data) + ",\"size\":" + std::to_string(b->size) + ",\"state\":\"" +
              kStates[static_cast<int>(b->state)] + "\"}";
    }
    json += "]}";
  }
  return json + "]";
}

/// The largest blocks in use, and what cannot be used although no tensor does.
std::string CachingAllocator::held() const {
  constexpr size_t kShown = 4;
  std::multiset<size_t, std::greater<>> largest;
  size_t waiting = 0, graphs = 0;
  for (const auto& [data, first] : segments_) {
    for (const Block* b = first; b; b = b->next) {
      if (b->state == Block::State::kWaiting) waiting += b->size;
      if (b->state == Block::State::kFree && b->pool->holders > 0) graphs += b->size;
      if (b->state != Block::State::kUsed) continue;
      largest.insert(b->size);
      if (largest.size() > kShown) largest.erase(std::prev(largest.end()));
    }
  }
  std::string text;
  for (const size_t size : largest) text += (text.empty() ? "; largest in use: " : ", ") + readable(size);
  if (waiting > 0) text += "; " + readable(waiting) + " wait for other streams";
  if (graphs > 0) text += "; " + readable(graphs) + " kept for graphs";
  return text;
}

void CachingAllocator::fail_out_of_memory(size_t asked) {
  const Pool& common = pools_[0];
  size_t largest = 0;
  for (const FreeBlocks* blocks : {&common.small, &common.large})
    for (const Block* b : *blocks) largest = std::max(largest, b->size);
  const DeviceMemory::Amounts amounts = memory_.amounts();
  STRATA_THROW(
      "{}: out of memory: {} asked for{}; {} of {} are free; {} allocated by tensors, {} reserved, {} in the "
      "largest free block{}",
      name_, readable(asked), captures_ > 0 ? " during a graph's capture, which cannot empty the cache" : "",
      readable(amounts.free), readable(amounts.total), readable(static_cast<size_t>(stats_.allocated)),
      readable(static_cast<size_t>(stats_.reserved)), readable(largest), held());
}

}  // namespace strata::cuda
