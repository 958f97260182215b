// The state of mixed precision, and the key that stands for it in every call.
#include "core/autocast.h"

#include <algorithm>

#include "core/error.h"
#include "core/thread_state.h"

namespace strata::autocast {
namespace {

struct State {
  std::array<bool, kNumDeviceTypes> enabled{};
  std::array<DType, kNumDeviceTypes> dtypes{kBFloat16, kHalf, kHalf};
  bool caches = true;
};
constinit thread_local State state;

size_t number(DeviceType device) {
  STRATA_CHECK(static_cast<int>(device) < kNumDeviceTypes, "autocast: nothing computes on {}", name(device));
  return static_cast<size_t>(device);
}

}  // namespace

bool is_autocast_enabled(DeviceType device) { return state.enabled[number(device)]; }
void set_autocast_enabled(DeviceType device, bool enabled) {
  state.enabled[number(device)] = enabled;
  const KeySet others = thread_state.included - KeySet(Key::Autocast);
  const bool any = std::find(state.enabled.begin(), state.enabled.end(), true) != state.enabled.end();
  thread_state.included = any ? others | KeySet(Key::Autocast) : others;
}

DType get_autocast_dtype(DeviceType device) { return state.dtypes[number(device)]; }
void set_autocast_dtype(DeviceType device, DType dtype) {
  STRATA_CHECK(dtype == kHalf || dtype == kBFloat16 || dtype == kFloat,
               "set_autocast_dtype: {} is none of float16, bfloat16 and float32", name(dtype));
  state.dtypes[number(device)] = dtype;
}

bool is_autocast_cache_enabled() { return state.caches; }
void set_autocast_cache_enabled(bool enabled) { state.caches = enabled; }

Settings settings() { return {state.enabled, state.dtypes, !thread_state.excluded.has(Key::Autocast)}; }

void restore(const Settings& settings) {
  state.dtypes = settings.dtypes;
  for (int i = 0; i < kNumDeviceTypes; ++i)
    set_autocast_enabled(static_cast<DeviceType>(i), settings.enabled[static_cast<size_t>(i)]);
  const KeySet others = thread_state.excluded - KeySet(Key::Autocast);
  thread_state.excluded = settings.takes_part ? others : others | KeySet(Key::Autocast);
}

std::optional<DType> active_dtype(DeviceType device) {
  const bool takes_part = (thread_state.included - thread_state.excluded).has(Key::Autocast);
  return takes_part && is_autocast_enabled(device) ? std::optional(get_autocast_dtype(device)) : std::nullopt;
}

}  // namespace strata::autocast
