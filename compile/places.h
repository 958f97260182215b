// Memory that values share which are not needed at the same time.
#pragma once
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

#include "../core/allocator.h"

namespace strata::func::compiling {

/// Which bytes of an arena are free: places are cut from the smallest free piece that is large enough.
class Places {
 public:
  int64_t take(int64_t bytes) {
    bytes = rounded(bytes);
    auto best = free_.end();
    for (auto p = free_.begin(); p != free_.end(); ++p)
      if (p->second >= bytes && (best == free_.end() || p->second < best->second)) best = p;
    if (best == free_.end()) return grow(bytes);
    const auto [at, size] = *best;
    free_.erase(best);
    if (size > bytes) free_[at + bytes] = size - bytes;
    return at;
  }
  void give(int64_t at, int64_t bytes) {
    bytes = rounded(bytes);
    auto next = free_.lower_bound(at);
    if (next != free_.end() && next->first == at + bytes) {
      bytes += next->second;
      next = free_.erase(next);
    }
    if (next != free_.begin()) {
      if (auto before = std::prev(next); before->first + before->second == at) {
        before->second += bytes;
        return;
      }
    }
    free_[at] = bytes;
  }
  int64_t size() const { return size_; }

 private:
  static int64_t rounded(int64_t bytes) {
    constexpr auto align = static_cast<int64_t>(kAlignment);
    return std::max(align, (bytes + align - 1) / align * align);
  }
  /// At the end, of which a free piece may be the beginning.
  int64_t grow(int64_t bytes) {
    int64_t at = size_;
    if (!free_.empty()) {
      if (const auto last = std::prev(free_.end()); last->first + last->second == size_) {
        at = last->first;
        free_.erase(last);
      }
    }
    size_ = at + bytes;
    return at;
  }

  std::map<int64_t, int64_t> free_;
  int64_t size_ = 0;
};

}  // namespace strata::func::compiling
