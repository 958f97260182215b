// The caching allocator: best fit within a stream, splitting, merging, and blocks that wait for other streams.
#include "kernels/cuda/caching_allocator.h"

#include <algorithm>
#include <cstdio>
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

CachingAllocator::FreeBlocks& CachingAllocator::free_blocks(const Block& b) { return b.small ? small_ : large_; }

CachingAllocator::Block* CachingAllocator::allocate(size_t bytes, void* stream) {
  const std::lock_guard lock(mutex_);
  if (bytes > SIZE_MAX / 2) fail_out_of_memory(bytes);  // rounding up would wrap around
  const size_t size = round_up(std::max<size_t>(bytes, 1), kUnit);
  check_events(false);
  Block* b = take_cached(size, stream);
  if (!b) b = new_segment(size, stream);
  if (!b) {
    check_events(true);
    b = take_cached(size, stream);
  }
  if (!b) {
    release_segments();
    b = new_segment(size, stream);
  }
  if (!b) fail_out_of_memory(size);
  b->state = Block::State::kUsed;
  split(*b, size);
  stats_.allocated += static_cast<int64_t>(b->size);
  stats_.max_allocated = std::max(stats_.max_allocated, stats_.allocated);
  ++stats_.num_allocs;
  return b;
}

/// The smallest block of the stream that is large enough.
CachingAllocator::Block* CachingAllocator::take_cached(size_t size, void* stream) {
  FreeBlocks& blocks = size <= kMostSmall ? small_ : large_;
  Block least{nullptr, size, stream, false};
  const auto it = blocks.lower_bound(&least);
  if (it == blocks.end() || (*it)->stream != stream) return nullptr;
  Block* const found = *it;
  blocks.erase(it);
  return found;
}

CachingAllocator::Block* CachingAllocator::new_segment(size_t size, void* stream) {
  const size_t whole = segment_size(size);
  auto* const data = static_cast<char*>(memory_.allocate(whole));
  if (!data) return nullptr;
  auto* const b = new Block{data, whole, stream, size <= kMostSmall};
  segments_[data] = b;
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
  auto* const after = new Block{b.data + size, rest, b.stream, b.small, Block::State::kFree, &b, b.next};
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
    for (void* const stream : b->users) {
      waiting_[stream].push_back({memory_.record(stream), b});
      ++b->events;
    }
    b->users.clear();
  } catch (const Error&) {
    ++b->events;  // the device has failed: nobody can know when the block is free, so it never will be
  }
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

void CachingAllocator::release_segments() {
  for (auto it = segments_.begin(); it != segments_.end();) {
    Block* const b = it->second;
    if (b->state != Block::State::kFree || b->next) {
      ++it;
      continue;
    }
    memory_.free(b->data);
    stats_.reserved -= static_cast<int64_t>(b->size);
    free_blocks(*b).erase(b);
    delete b;
    it = segments_.erase(it);
  }
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
            (first->small ? "small" : "large") + "\",\"blocks\":[";
    for (const Block* b = first; b; b = b->next) {
      if (b != first) json += ",";
      json += "{\"address\":" + number(b->data) + ",\"size\":" + std::to_string(b->size) + ",\"state\":\"" +
              kStates[static_cast<int>(b->state)] + "\"}";
    }
    json += "]}";
  }
  return json + "]";
}

void CachingAllocator::fail_out_of_memory(size_t asked) {
  size_t largest = 0;
  for (const FreeBlocks* blocks : {&small_, &large_})
    for (const Block* b : *blocks) largest = std::max(largest, b->size);
  const DeviceMemory::Amounts amounts = memory_.amounts();
  STRATA_THROW(
      "{}: out of memory: {} asked for; {} of {} are free; {} allocated by tensors, {} reserved, {} in the "
      "largest free block",
      name_, readable(asked), readable(amounts.free), readable(amounts.total),
      readable(static_cast<size_t>(stats_.allocated)), readable(static_cast<size_t>(stats_.reserved)),
      readable(largest));
}

}  // namespace strata::cuda
