// The process's exit handlers run in the reverse order of their registration, destructors of static objects among them.
#include "kernels/cpu/common/onednn_end.h"

#include <atomic>
#include <cstdlib>

#include "core/error.h"

namespace strata::cpu {
namespace {

constinit std::atomic<bool> is_gone = false;

}  // namespace

bool onednn_is_gone() { return is_gone.load(std::memory_order_relaxed); }

bool watch_for_the_end_of_onednn() {
  STRATA_CHECK(std::atexit([] { is_gone = true; }) == 0, "oneDNN: no exit handler could be registered");
  return true;
}

}  // namespace strata::cpu
