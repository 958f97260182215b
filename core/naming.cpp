// The switch between the names that things print under.
#include "core/naming.h"

#include <atomic>

namespace strata {
namespace {
constinit std::atomic<Naming> chosen{Naming::kStrata};
}  // namespace

Naming naming() noexcept { return chosen.load(std::memory_order_relaxed); }
void set_naming(Naming naming) noexcept { chosen.store(naming, std::memory_order_relaxed); }
const char* module_prefix() noexcept { return libtorch_names() ? "torch::nn::" : "strata::nn::"; }

}  // namespace strata
