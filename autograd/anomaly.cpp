// The anomaly switch and the description of a forward call.
#include "autograd/anomaly.h"

#include <atomic>

#include "core/cuda.h"
#include "core/stack.h"
#include "core/warning.h"
#include "dispatcher/op.h"

namespace strata::autograd {
namespace {
std::atomic<bool> enabled{false}, check_nan{true};
}

bool AnomalyMode::is_enabled() { return enabled.load(std::memory_order_relaxed); }
bool AnomalyMode::should_check_nan() { return check_nan.load(std::memory_order_relaxed); }
void AnomalyMode::set_enabled(bool on, bool nan) {
  static std::atomic<bool> blocked_before{false};
  if (on)
    warn_once(
        "This mode should be enabled only for debugging as the different tests will slow down your program execution.");
  if (enabled.exchange(on) != on) {  // kernels are waited for, or their errors would show with another op
    if (on) blocked_before = cuda::launches_block();
    cuda::set_launches_block(on || blocked_before);
  }
  check_nan = nan;
}

std::string AnomalyMode::describe_call(const dispatch::Op& op) {
  std::string text(op.schema);
  text += ", called from";
  for (const std::string& frame : user_frames()) text += "\n    " + frame;
  return text;
}

}  // namespace strata::autograd
