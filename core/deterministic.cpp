// The switches of deterministic algorithms.
#include "core/deterministic.h"

#include <atomic>

namespace strata {
namespace {
std::atomic<bool> deterministic{false}, cudnn{false};
}  // namespace

void use_deterministic_algorithms(bool wanted) { deterministic.store(wanted, std::memory_order_relaxed); }
bool are_deterministic_algorithms_enabled() { return deterministic.load(std::memory_order_relaxed); }

void set_deterministic_cudnn(bool wanted) { cudnn.store(wanted, std::memory_order_relaxed); }
bool deterministic_cudnn() { return cudnn.load(std::memory_order_relaxed) || are_deterministic_algorithms_enabled(); }

}  // namespace strata
