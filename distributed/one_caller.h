// Keeps a group's calls from overlapping.
#pragma once
#include <atomic>
#include <string>
#include <thread>

#include "../core/error.h"

namespace strata::distributed {

/// Whose turn it is to call a group. Two threads that called one group at once would do so in another order on another
/// rank, and each would get the other's numbers; so the second is refused instead of made to wait. A thread's turn may
/// lie within another turn of its own.
class OneCaller {
 public:
  /// A turn until the end of the scope. Throws where another thread has one.
  class Turn {
   public:
    Turn(OneCaller& caller, const std::string& group) : caller_(caller) {
      std::thread::id holder;
      takes_ = caller_.thread_.compare_exchange_strong(holder, std::this_thread::get_id(), std::memory_order_acquire);
      STRATA_CHECK(
          takes_ || holder == std::this_thread::get_id(),
          "distributed: group {} is called by two threads at once, whose order other ranks cannot know; let one "
          "thread call it, or give each a group of its own (new_group)",
          group);
    }
    ~Turn() {
      if (takes_) caller_.thread_.store({}, std::memory_order_release);
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    OneCaller& caller_;
    bool takes_ = false;
  };

 private:
  std::atomic<std::thread::id> thread_{};
};

}  // namespace strata::distributed
